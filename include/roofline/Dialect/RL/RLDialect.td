//===- RLDialect.td - the rl dialect -----------------------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_DIALECT_RL_RLDIALECT_TD
#define ROOFLINE_DIALECT_RL_RLDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def RL_Dialect : Dialect {
  let name = "rl";
  let cppNamespace = "::roofline::rl";
  let summary = "What a model computes and moves, op by op";
  let description = [{
    The rl dialect says what a model does at the level at which its cost can be
    read off: contractions, convolutions, elementwise maps, reductions, norms,
    softmax, attention, gathers and scatters, copies, views, recurrences, control
    flow, quantisation, and opaque ops. Ops are few and semantic; a framework's
    many spellings of one computation map to one op here.

    Values are tensors. A dimension that isn't a number is `?` in the tensor's
    shape and named in its `#rl.dims` encoding:

    ```mlir
    tensor<?x128xf16, #rl.dims<["batch", 128]>>
    ```

    Weights are types, not data: `rl.weight` names one and gives its type.

    Discardable attributes carry where an op comes from, on ops of any dialect:
    `rl.op_type` ("MatMul"), `rl.domain`, `rl.scope` (the inlined function call
    it stood in). An op's location (`#rl.node`, or a name as of any dialect's)
    carries its node's name and its results'. `rl.work` states (or, put there by
    `rl-count-cost`, shows) an op's cost, `rl.placement` its place on a device,
    `rl.trips` how often a loop runs where nothing else tells. In a module that
    was imported for execution, `rl.onnx` holds what the node in the model says
    (its attributes, which of its operands are operands here, the others'
    values) and `rl.value` the elements of a small constant.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributesAndTypes();
  }];
}

class RL_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<RL_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class RL_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<RL_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

#endif // ROOFLINE_DIALECT_RL_RLDIALECT_TD
