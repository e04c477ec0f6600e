//===- RLReductionOps.td - reductions, norms, softmax ------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_DIALECT_RL_RLREDUCTIONOPS_TD
#define ROOFLINE_DIALECT_RL_RLREDUCTIONOPS_TD

include "roofline/Dialect/RL/RLBase.td"

def RL_ReduceOp : RL_KindOp<"reduce"> {
  let summary = "Reduction of n elements to m";
  let description = [{
    `kind` is `sum`, `max`, `min`, `prod`, `argmax`, `argmin`, `any`, `all`
    (`n − m` operations), `mean` (`n`), `l1`, `sum_square` (`2n − m`), `l2` (`m`
    roots more), `log_sum` (`m` logarithms more), `log_sum_exp`.
  }];
  let arguments = !con(baseArguments, (ins DenseI64ArrayAttr:$axes,
                       UnitAttr:$keepdims));
  let assemblyFormat = [{
    $kind `(` $inputs `)` `axes` $axes (`keepdims` $keepdims^)? attr-dict `:`
    functional-type($inputs, $outputs)
  }];
}

def RL_CumulateOp : RL_KindOp<"cumulate"> {
  let summary = "Running sum or product along an axis (1 per element)";
}

def RL_SoftmaxOp : RL_KindOp<"softmax"> {
  let summary = "Softmax, log-softmax or hardmax over rows of n";
  let description = [{
    `axis` is where rows begin: one dimension, or with `flattened` all from
    there on. Per row of n: `softmax` `5n − 2` (`n` of them exp, `n` divide),
    `log_softmax` `5n − 1` (subtract the logarithm of the sum instead of
    dividing), `hardmax` `2n − 1`.
  }];
  let arguments = !con(baseArguments, (ins I64Attr:$axis, UnitAttr:$flattened));
  let assemblyFormat = [{
    $kind `(` $inputs `)` `axis` $axis (`flattened` $flattened^)? attr-dict `:`
    functional-type($inputs, $outputs)
  }];
}

def RL_NormOp : RL_KindOp<"norm"> {
  let summary = "Normalisation over rows, channels, groups or a batch's statistics";
  let description = [{
    `kind` is `layer`, `rms`, `instance`, `group`, `mean_variance`, `lp` (rows
    of `row` elements, `#rl.dims` with one entry), `batch` (folded scale and
    shift, 2 per element) or `local_response` (`size` + 4 per element).
    `scale` and `shift` say whether there is a scale and a bias; `residuals`
    counts tensors added before normalising.
  }];
  let arguments = !con(baseArguments, (ins OptionalAttr<RL_DimsAttr>:$row,
                       UnitAttr:$scale, UnitAttr:$shift,
                       DefaultValuedAttr<I64Attr, "0">:$residuals,
                       DefaultValuedAttr<I64Attr, "0">:$size));
  let assemblyFormat = [{
    $kind `(` $inputs `)` (`row` $row^)? (`scale` $scale^)? (`shift` $shift^)?
    attr-dict `:` functional-type($inputs, $outputs)
  }];
}

def RL_PoolOp : RL_KindOp<"pool"> {
  let summary = "Pooling over windows; taps in the padding are no work";
  let description = [{
    `kind` is `average` (k per result element), `max` (k − 1) or `lp`
    (2k − 1 and a root), for k taps inside the input, summed exactly.
    Input and result are `N x C x spatial`.
  }];
  let arguments = !con(baseArguments, (ins DenseI64ArrayAttr:$kernel,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
                       DenseI64ArrayAttr:$dilations));
  let assemblyFormat = [{
    $kind `(` $inputs `)` `kernel` $kernel `strides` $strides `pads` $pads
    `dilations` $dilations attr-dict `:` functional-type($inputs, $outputs)
  }];
}

def RL_TopKOp : RL_CostOp<"topk"> {
  let summary = "The k largest or smallest of n (n·⌈log₂(k+1)⌉ compares)";
  let arguments = (ins Variadic<RL_Value>:$inputs, I64Attr:$axis);
  let results = (outs Variadic<RL_Value>:$outputs);
  let assemblyFormat = [{
    `(` $inputs `)` `axis` $axis attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

def RL_FilterOp : RL_KindOp<"filter"> {
  let summary = "Picks that data decides: results at their upper bound";
  let description = [{
    `kind` is `nonzero` (1 per element), `compress` (0), `unique`
    (`n·⌈log₂(n+1)⌉` compares, as a sort) or `nms` (non-maximum suppression, whose
    arithmetic the data decides: at most 14 operations a pair of boxes).
  }];
}

def RL_FFTOp : RL_KindOp<"fft"> {
  let summary = "Discrete Fourier transforms of length n (5·n·log₂ n each)";
  let description = [{
    `kind` is `dft` or `stft`; `length` and `count` (`#rl.dims` with one entry
    each) are the transform's length and how many there are.
  }];
  let arguments = !con(baseArguments, (ins RL_DimsAttr:$length, RL_DimsAttr:$count));
}

#endif // ROOFLINE_DIALECT_RL_RLREDUCTIONOPS_TD
