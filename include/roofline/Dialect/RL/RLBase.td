//===- RLBase.td - what all ops of rl share ----------------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_DIALECT_RL_RLBASE_TD
#define ROOFLINE_DIALECT_RL_RLBASE_TD

include "roofline/Dialect/RL/RLAttributes.td"
include "roofline/Interfaces/CostOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class RL_Op<string mnemonic, list<Trait> traits = []>
    : Op<RL_Dialect, mnemonic, traits>;

/// An op that states its cost.
class RL_CostOp<string mnemonic, list<Trait> traits = []>
    : RL_Op<mnemonic, !listconcat(traits, [
        Pure, DeclareOpInterfaceMethods<CostOpInterface>])>;

/// inputs -> results, spelled `rl.x "kind"(%a, %b) {…} : (types) -> types`.
class RL_KindOp<string mnemonic, list<Trait> traits = []>
    : RL_CostOp<mnemonic, traits> {
  dag baseArguments = (ins StrAttr:$kind, Variadic<RL_Value>:$inputs);
  let arguments = baseArguments;
  let results = (outs Variadic<RL_Value>:$outputs);
  let assemblyFormat = [{
    $kind `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

#endif // ROOFLINE_DIALECT_RL_RLBASE_TD
