//===- RLMovementOps.td - data that moves or stays ---------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_DIALECT_RL_RLMOVEMENTOPS_TD
#define ROOFLINE_DIALECT_RL_RLMOVEMENTOPS_TD

include "roofline/Dialect/RL/RLBase.td"

def RL_WeightOp : RL_Op<"weight", [Pure]> {
  let summary = "A tensor that the model file holds: its name and type, no data";
  let description = [{
    Example:

    ```mlir
    %w = rl.weight "encoder.0.weight" : tensor<768x768xf16>
    ```
  }];
  // Not an attribute: those are made unique, in a table of all weights' names.
  let arguments = (ins StringProp:$name);
  let results = (outs RL_Value:$output);
  let assemblyFormat = "$name attr-dict `:` type($output)";
}

def RL_FillOp : RL_CostOp<"fill"> {
  let summary = "A constant that needs no data; its readers pay for reading it";
  let results = (outs RL_Value:$output);
  let assemblyFormat = "attr-dict `:` type($output)";
}

def RL_ViewOp : RL_KindOp<"view"> {
  let summary = "The same bytes under another shape: nothing moves";
  let description = [{
    `kind` is `reshape`, `squeeze`, `unsqueeze`, `flatten`, `identity`,
    `bitcast`, `dropout` … The first input is what is viewed.
  }];
}

def RL_CopyOp : RL_KindOp<"copy"> {
  let summary = "Movement without arithmetic";
  let description = [{
    `slice`, `split` and other picks of part of their first input (`picks`) read
    what they keep; `transpose`, `concat`, `pad`, `expand`, `tile`,
    `depth_to_space` … read their inputs. All write their results.
  }];
  let arguments = !con(baseArguments, (ins UnitAttr:$picks,
                       OptionalAttr<DenseI64ArrayAttr>:$permutation,
                       OptionalAttr<I64Attr>:$axis));
  let assemblyFormat = [{
    $kind `(` $inputs `)` (`picks` $picks^)? (`permutation` $permutation^)?
    (`axis` $axis^)? attr-dict `:` functional-type($inputs, $outputs)
  }];
}

def RL_GatherOp : RL_KindOp<"gather"> {
  let summary = "Elements or rows of a table picked by indices";
  let description = [{
    `kind` is `rows`, `elements` or `nd`. Reads the rows it picks (never more
    than the table) and the indices, writes its result.
  }];
  let arguments = !con(baseArguments, (ins DefaultValuedAttr<I64Attr, "0">:$axis));
}

def RL_ScatterOp : RL_KindOp<"scatter"> {
  let summary = "Updates put into a copy of data by indices";
  let description = [{
    Inputs are data, indices, updates. Reads updates and indices; copies the rest
    of the data once, unless the data may be overwritten. `kind` is `none`, or
    the reduction `add`, `mul`, `min`, `max` (1 per update).
  }];
}

def RL_GenerateOp : RL_KindOp<"generate"> {
  let summary = "Values made from no tensor: ranges, random numbers, windows";
  let description = [{
    `body` counts operations per element (a range 2). Inputs, if any, are read.
  }];
  let arguments = !con(baseArguments, (ins OptionalAttr<RL_BodyAttr>:$body));
  let assemblyFormat = [{
    $kind `(` $inputs `)` (`body` $body^)? attr-dict `:`
    functional-type($inputs, $outputs)
  }];
}

def RL_SequenceOp : RL_KindOp<"sequence"> {
  let summary = "Sequences and optionals made or taken apart: bytes unknown";
}

def RL_OpaqueOp : RL_Op<"opaque", [Pure]> {
  let summary = "An op that no cost model knows";
  let description = [{
    Its operands' and results' bytes are counted, its FLOPs are unknown, and
    every total says what it leaves out. `rl.work` states its cost.
  }];
  let arguments = (ins StrAttr:$kind, Variadic<RL_Value>:$inputs);
  let results = (outs Variadic<RL_Value>:$outputs);
  let assemblyFormat = [{
    $kind `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
  }];
}

#endif // ROOFLINE_DIALECT_RL_RLMOVEMENTOPS_TD
