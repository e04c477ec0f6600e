//===- RLPointwiseOps.td - maps over elements --------------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_DIALECT_RL_RLPOINTWISEOPS_TD
#define ROOFLINE_DIALECT_RL_RLPOINTWISEOPS_TD

include "roofline/Dialect/RL/RLBase.td"

def RL_MapOp : RL_KindOp<"map"> {
  let summary = "Elementwise computation with broadcasting";
  let description = [{
    `kind` names the function as Cost/ElementwiseOps.def lists it ("add",
    "relu", "gelu" …), which also says what it costs per result element. `body`
    overrides that (a Clip with one bound). Inputs broadcast as NumPy's do;
    a broadcast input is read at its own size.

    Work is counted at the widest input's type; a cast's at the wider of both
    sides'; a comparison's or a select's at that of what is compared or selected.
  }];
  let arguments = !con(baseArguments, (ins OptionalAttr<RL_BodyAttr>:$body));
  let assemblyFormat = [{
    $kind `(` $inputs `)` (`body` $body^)? attr-dict `:`
    functional-type($inputs, $outputs)
  }];
}

def RL_QuantizeOp : RL_KindOp<"quantize"> {
  let summary = "Quantise, dequantise, or quantise by the data's own range";
  let description = [{
    `kind` is `quantize` (4 per element: divide, round, add, clip), `dequantize`
    (2: subtract, multiply; 1 without a zero point, `symmetric`), or `dynamic`
    (6: minimum, maximum, then quantise).
  }];
  let arguments = !con(baseArguments, (ins UnitAttr:$symmetric));
  let assemblyFormat = [{
    $kind `(` $inputs `)` (`symmetric` $symmetric^)? attr-dict `:`
    functional-type($inputs, $outputs)
  }];
}

def RL_ResizeOp : RL_KindOp<"resize"> {
  let summary = "Resampling on a grid";
  let description = [{
    `kind` is `nearest` (0 per result element), `linear` (`2·2^d` for `d` =
    `sampled_dims` resized dimensions) or `cubic` (`2·4^d`); `coordinates` adds
    `4·d` for positions that are data (grid sample, region of interest).
    `samples` points are averaged per result element (1 by default).
  }];
  let arguments = !con(baseArguments, (ins I64Attr:$sampled_dims,
                       UnitAttr:$coordinates,
                       DefaultValuedAttr<I64Attr, "1">:$samples));
  let assemblyFormat = [{
    $kind `(` $inputs `)` `over` $sampled_dims (`coordinates` $coordinates^)?
    attr-dict `:` functional-type($inputs, $outputs)
  }];
}

#endif // ROOFLINE_DIALECT_RL_RLPOINTWISEOPS_TD
