//===- RLContractionOps.td - products and what holds them --*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_DIALECT_RL_RLCONTRACTIONOPS_TD
#define ROOFLINE_DIALECT_RL_RLCONTRACTIONOPS_TD

include "roofline/Dialect/RL/RLBase.td"

def RL_ContractOp : RL_CostOp<"contract", [AttrSizedOperandSegments]> {
  let summary = "Contraction of two or more tensors in Einstein notation";
  let description = [{
    `equation` labels the dimensions of each factor and of the result: a label
    that the result lacks is summed over. Where one factor has size 1 and
    another doesn't, the former is broadcast. `factors` are the tensors multiplied,
    `aux` those also read (a bias, scales, zero points); `epilogue` counts what
    is done to each element of the result besides the multiply-adds, `prologue`
    what is done to each element of the last factor (dequantisation).

    `factor_types` gives factors another type than the one they are stored in:
    4-bit values packed into bytes, say. Bytes are those of the stored tensors.

    FLOPs: 2 per multiply-add (1 where nothing is summed), the cheapest pairwise
    order for three and more factors; class `matmul` at the widest factor's type.

    Example:

    ```mlir
    %y = rl.contract "bmk,kn->bmn"(%x, %w) aux(%bias) epilogue <vector = 1>
      : (tensor<8x128x768xf16>, tensor<768x64xf16>, tensor<64xf16>) -> tensor<8x128x64xf16>
    ```
  }];
  let arguments = (ins StrAttr:$equation, Variadic<RL_Value>:$factors,
                       Variadic<RL_Value>:$aux,
                       OptionalAttr<RL_BodyAttr>:$prologue,
                       OptionalAttr<RL_BodyAttr>:$epilogue,
                       OptionalAttr<TypeArrayAttr>:$factor_types);
  let results = (outs RL_Value:$output, Variadic<RL_Value>:$extra);
  let assemblyFormat = [{
    $equation `(` $factors `)` (`aux` `(` $aux^ `)`)? (`prologue` $prologue^)?
    (`epilogue` $epilogue^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def RL_ConvOp : RL_CostOp<"conv"> {
  let summary = "Convolution, or transposed convolution, in any number of dimensions";
  let description = [{
    Input `N x C_in x spatial`, filter `C_out x C_in/group x kernel` (transposed:
    `C_in x C_out/group x kernel`), result `N x C_out x spatial`. `pads` holds the
    begins of all spatial dimensions, then the ends. `aux` are tensors also read
    (bias, scales, zero points), `epilogue` what is done to each result element
    besides the multiply-adds.

    FLOPs: `2·N·C_out·(out spatial)·(C_in/group)·(kernel)`; transposed
    `2·N·C_in·(in spatial)·(C_out/group)·(kernel)`.
  }];
  let arguments = (ins RL_Value:$input, RL_Value:$filter, Variadic<RL_Value>:$aux,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
                       DenseI64ArrayAttr:$dilations,
                       DefaultValuedAttr<I64Attr, "1">:$group,
                       UnitAttr:$transposed,
                       OptionalAttr<RL_BodyAttr>:$epilogue);
  let results = (outs RL_Value:$output, Variadic<RL_Value>:$extra);
  let assemblyFormat = [{
    (`transposed` $transposed^)? `(` $input `,` $filter `)` (`aux` `(` $aux^ `)`)?
    `strides` $strides `pads` $pads `dilations` $dilations
    (`epilogue` $epilogue^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def RL_AttentionOp : RL_CostOp<"attention"> {
  let summary = "Attention held in one kernel";
  let description = [{
    `extents` are `[batch, query heads, key/value heads, queries, keys, head size
    of Q and K, head size of V]`; `keys` counts past and present. `projection`,
    where the op also projects its input, is `[rows, in, out]`. The scores are
    never materialised: bytes are those of operands and results.

    FLOPs: `2·b·h·s·t·d_k + 2·b·h·s·t·d_v` as matmul; per score 1 for the scale,
    1 for a mask (`masked`), 3 for a soft cap (`softcap`), and softmax's `5t − 2`
    a row. `causal` doesn't halve them; the causal figure stands beside.

    `cache_operands` and `cache_results` number the operands and results that
    are a KV cache.
  }];
  let arguments = (ins Variadic<RL_Value>:$inputs, RL_DimsAttr:$extents,
                       OptionalAttr<RL_DimsAttr>:$projection,
                       UnitAttr:$causal, UnitAttr:$masked, UnitAttr:$softcap,
                       OptionalAttr<DenseI64ArrayAttr>:$cache_operands,
                       OptionalAttr<DenseI64ArrayAttr>:$cache_results,
                       OptionalAttr<RL_BodyAttr>:$epilogue);
  let results = (outs Variadic<RL_Value>:$outputs);
  let assemblyFormat = [{
    `(` $inputs `)` `extents` $extents (`projection` $projection^)?
    (`causal` $causal^)? (`masked` $masked^)? (`softcap` $softcap^)?
    (`epilogue` $epilogue^)? attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

def RL_RecurrentOp : RL_CostOp<"recurrent"> {
  let summary = "LSTM, GRU or RNN over a sequence, one kernel";
  let description = [{
    `kind` is `lstm`, `gru` or `rnn`; `extents` are `[steps, batch, input size,
    hidden size, directions]`. Weights are read once.

    FLOPs: the gates' products `2·steps·directions·batch·gates·H·(I + H)` as
    matmul at the input's type, plus elementwise work per hidden element and
    step: see `recurrentFlops` in Formulas.h.
  }];
  let arguments = (ins StrAttr:$kind, Variadic<RL_Value>:$inputs,
                       RL_DimsAttr:$extents, UnitAttr:$bias, UnitAttr:$peephole);
  let results = (outs Variadic<RL_Value>:$outputs);
  let assemblyFormat = [{
    $kind `(` $inputs `)` `extents` $extents (`bias` $bias^)?
    (`peephole` $peephole^)? attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

#endif // ROOFLINE_DIALECT_RL_RLCONTRACTIONOPS_TD
