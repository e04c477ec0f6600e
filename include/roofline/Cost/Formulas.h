//===- Formulas.h - operation counts that several ops share -----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where each count of docs/counting.md is written down.
// Divisions, roots, exponentials and the like are `special`, all else `vector`.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_COST_FORMULAS_H
#define ROOFLINE_COST_FORMULAS_H

#include "roofline/Cost/Work.h"

namespace roofline {

/// Operations of an op besides multiply-adds.
struct OpCounts {
  Expr vector, special;

  OpCounts operator+(const OpCounts &other) const {
    return {vector + other.vector, special + other.special};
  }
  OpCounts operator*(const Expr &times) const {
    return {vector * times, special * times};
  }
};

/// What one elementwise function costs per element of its result.
struct ElementwiseCost {
  int64_t vector, special;
};
/// By the names of ElementwiseOps.def; nothing for others. `inputs` matters to
/// those of any number of operands: `sum`, `max`, `min`, `mean`.
std::optional<ElementwiseCost> elementwiseCost(llvm::StringRef kind,
                                               unsigned inputs);

enum class SoftmaxKind { Softmax, LogSoftmax, Hardmax };
/// Softmax, `5n − 2` a row: max n−1, subtract n, exp n, sum n−1, divide n.
/// Log-softmax, `5n − 1`: max n−1, subtract n, exp n, sum n−1, log 1, subtract
/// n. Hardmax, `2n − 1`: argmax n−1, compare n.
OpCounts softmaxOps(SoftmaxKind kind, const Expr &rows, const Expr &n);

/// Reduction of n elements to m; nothing for an unknown `kind` (see rl.reduce).
std::optional<OpCounts> reduceOps(llvm::StringRef kind, const Expr &n,
                                  const Expr &m);

/// Norm over `rows` rows of n; nothing for an unknown `kind` (`layer`, `rms`,
/// `instance`, `group`, `mean_variance`, `lp`).
std::optional<OpCounts> normOps(llvm::StringRef kind, const Expr &rows,
                                const Expr &n, bool scale, bool shift);

/// Pooling whose windows hold `taps` elements inside the input in total.
std::optional<OpCounts> poolOps(llvm::StringRef kind, const Expr &taps,
                                const Expr &outputs);
/// Taps inside the input, summed over the outputs of one dimension: for each
/// of the kernel's taps, the outputs o with 0 <= o·stride − padBegin +
/// t·dilation < input. Nothing where neither the kernel nor the output is small
/// enough to sum over.
std::optional<Expr> poolTaps(const Expr &input, const Expr &output,
                             int64_t kernel, int64_t stride, int64_t padBegin,
                             int64_t dilation);

/// A recurrent layer over `extents`.
struct RecurrentExtents {
  Expr steps, batch, input, hidden, directions;
};
struct RecurrentFlops {
  Expr matmul;
  OpCounts elementwise;
};
/// `kind` is `lstm`, `gru` or `rnn`. Per step, row and hidden element:
///   lstm  4 adds of W·x and R·h, 4 biases, 3 sigmoids (exp, add, divide),
///         2 tanh, f·c + i·g (3), o·tanh (1), peepholes 6
///   gru   3 adds, 3 biases, 2 sigmoids, r·h (1), tanh, (1−z)·n + z·h (4)
///   rnn   1 add, 1 bias, tanh
std::optional<RecurrentFlops> recurrentFlops(llvm::StringRef kind,
                                             const RecurrentExtents &extents,
                                             bool bias, bool peephole);

/// Attention that one kernel holds.
struct AttentionExtents {
  Expr batch, queryHeads, keyHeads, queries, keys, headSizeQK, headSizeV;
};
struct AttentionFlops {
  Expr matmul;
  OpCounts elementwise;
};
/// `pairs` is how many scores a head computes: queries · keys, or
/// `causalPairs`.
AttentionFlops attentionFlops(const AttentionExtents &extents,
                              const Expr &pairs, bool masked, bool softcap);
/// Scores under a causal mask whose last query sees every key:
/// s·t − s·(s − 1)/2. Where keys are fewer than queries, those past the last
/// key see all of them: s·t − t·(t − 1)/2.
Expr causalPairs(const Expr &queries, const Expr &keys);

/// n·⌈log₂(k + 1)⌉ compares; nothing unless k is a number.
std::optional<Expr> topkOps(const Expr &n, const Expr &k);
/// ⌈5·n·log₂ n⌉ for one transform; nothing unless n is a number.
std::optional<Expr> fftOps(const Expr &n);

/// Bytes that gathering reads of its table: the rows picked, never more than
/// the table.
std::optional<Expr> gatherBytes(const std::optional<Expr> &picked,
                                const std::optional<Expr> &table);

} // namespace roofline

#endif // ROOFLINE_COST_FORMULAS_H
