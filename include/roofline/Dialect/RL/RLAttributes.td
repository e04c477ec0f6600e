//===- RLAttributes.td - attributes and types of rl --------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_DIALECT_RL_RLATTRIBUTES_TD
#define ROOFLINE_DIALECT_RL_RLATTRIBUTES_TD

include "roofline/Dialect/RL/RLDialect.td"
include "roofline/Interfaces/DimsAttrInterface.td"

def RL_DimsAttr : RL_Attr<"Dims", "dims", [DimsAttrInterface]> {
  let summary = "Sizes as exact expressions in dimension names";
  let description = [{
    A list of sizes, each a number, a quoted expression in dimension names, or
    `?` where it isn't known. As a tensor's encoding it has one entry for each
    dimension; entries of static dimensions repeat their number. Expressions
    have sums, products, powers, `floordiv`, `ceildiv`, `mod`, `min` and `max`,
    and are exact whatever their size.

    Example:

    ```mlir
    #rl.dims<["batch", "floordiv(height - 1, 2) + 1", 64, ?]>
    ```
  }];
  let parameters = (ins "::llvm::ArrayRef<std::optional<::roofline::Expr>>":$sizes);
  let genStorageClass = 0;
  let hasCustomAssemblyFormat = 1;
}

def RL_BodyAttr : RL_Attr<"Body", "body"> {
  let summary = "Operations per output element";
  let description = [{
    How many operations of the `vector` and the `special` class an op does per
    element of its (first) result: a bias, an activation or a rescaling that is
    part of a contraction, say.
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "0">:$vector,
                        DefaultValuedParameter<"int64_t", "0">:$special);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def RL_WorkAttr : RL_Attr<"Work", "work"> {
  let summary = "The work of one execution of an op";
  let description = [{
    FLOPs by compute class and element type, bytes read and written by role,
    kernels launched. Numbers are exact; formulas in dimension names are quoted;
    `?` is unknown. Classes are `matmul`, `vector`, `special`; roles `weight`,
    `activation`, `kv_cache`.

    `rl-count-cost` puts it on every op it can count. On an op that no cost
    model knows, it is taken as stated: the way to give a foreign op its cost.

    Example:

    ```mlir
    #rl.work<flops = {matmul.f16 = "2*batch*1024", vector.f16 = 64},
             read = {weight = 2048, activation = "batch*128"},
             written = {activation = "batch*128"}, launches = 1>
    ```
  }];
  let parameters = (ins "const ::roofline::Work &":$work);
  let genStorageClass = 0;
  let hasCustomAssemblyFormat = 1;
}

def RL_PlacementAttr : RL_Attr<"Placement", "placement"> {
  let summary = "Where an op lands on a device's roofline";
  let description = [{
    `bound` is `compute`, `memory`, `overhead`, `none` or `unknown`; `limiter`
    what is exhausted first (`dram`, `matmul:f16`, `launch`); `intensity` in
    FLOP/byte; `attainable` in FLOP/s; `seconds` the predicted time of all the
    op's executions.
  }];
  let parameters = (ins "::mlir::StringAttr":$device,
                        "::mlir::StringAttr":$bound,
                        OptionalParameter<"::mlir::StringAttr">:$limiter,
                        OptionalParameter<"::mlir::FloatAttr">:$intensity,
                        OptionalParameter<"::mlir::FloatAttr">:$attainable,
                        OptionalParameter<"::mlir::FloatAttr">:$seconds);
  let assemblyFormat = "`<` struct(params) `>`";
}

def RL_NodeLoc : LocationAttrDef<RL_Dialect, "NodeLoc"> {
  let cppClassName = "NodeLoc";
  let mnemonic = "node";
  let summary = "The node of a model that an op stands for";
  let description = [{
    The node's name, the names of its results that are present, and the file.
    Where a node became several ops inside an `rl.fused`, they share its
    location; the names are those of the `rl.fused`'s results.

    The position is the node's in its model, counted in the file's order with
    functions expanded; an op that stands for no node has none.

    A location is made for nearly every op: this is one attribute to make
    unique, with nothing but the strings in it. A `NameLoc` beside a list of
    names takes five.

    Example:

    ```mlir
    loc(#rl.node<"/layers/0/MatMul" -> "h" at 12 in loc("model.onnx":0:0)>)
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name,
                        ArrayRefParameter<"::llvm::StringRef">:$results,
                        "::std::optional<unsigned>":$position,
                        "::mlir::LocationAttr":$file);
  let genStorageClass = 0;
  let hasCustomAssemblyFormat = 1;
}

def RL_StringType : RL_Type<"String", "string"> {
  let summary = "Text; as an element type, of unknown size";
}

def RL_UnknownType : RL_Type<"Unknown", "unknown"> {
  let summary = "An element type that isn't known";
}

def RL_SequenceType : RL_Type<"Sequence", "sequence"> {
  let summary = "A sequence of values of one type, of unknown length";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def RL_OptionalType : RL_Type<"Optional", "optional"> {
  let summary = "A value that may be absent";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def RL_Value : AnyTypeOf<[AnyTensor, RL_SequenceType, RL_OptionalType]>;

#endif // ROOFLINE_DIALECT_RL_RLATTRIBUTES_TD
