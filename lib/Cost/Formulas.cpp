//===- Formulas.cpp - operation counts that several ops share -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Formulas.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <iterator>

namespace roofline {

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

namespace {
struct ElementwiseEntry {
  llvm::StringLiteral kind;
  ElementwiseCost cost;
};
constexpr ElementwiseEntry elementwiseTable[] = {
#define ROOFLINE_ELEMENTWISE(NAME, VECTOR, SPECIAL)                            \
  {llvm::StringLiteral(NAME), {VECTOR, SPECIAL}},
#include "roofline/Cost/ElementwiseOps.def"
};
} // namespace

std::optional<ElementwiseCost> elementwiseCost(llvm::StringRef kind,
                                               unsigned inputs) {
  int64_t combines = inputs ? inputs - 1 : 0;
  if (kind == "sum" || kind == "max" || kind == "min")
    return ElementwiseCost{combines, 0};
  if (kind == "mean")
    return ElementwiseCost{combines, 1};
  const auto *entry =
      llvm::find_if(elementwiseTable, [&](const ElementwiseEntry &candidate) {
        return candidate.kind == kind;
      });
  if (entry == std::end(elementwiseTable))
    return std::nullopt;
  return entry->cost;
}

//===----------------------------------------------------------------------===//
// Rows: softmax, reductions, norms
//===----------------------------------------------------------------------===//

OpCounts softmaxOps(SoftmaxKind kind, const Expr &rows, const Expr &n) {
  if (n.isZero())
    return {};
  switch (kind) {
  case SoftmaxKind::Softmax:
    return {rows * (n * 3 - 2), rows * n * 2};
  case SoftmaxKind::LogSoftmax:
    return {rows * (n * 4 - 2), rows * (n + 1)};
  case SoftmaxKind::Hardmax:
    return {rows * (n * 2 - 1), 0};
  }
  return {};
}

std::optional<OpCounts> reduceOps(llvm::StringRef kind, const Expr &n,
                                  const Expr &m) {
  // An empty row has nothing to combine, nor has a result that is larger (what
  // lies between dilated blocks).
  Expr combines = n.isZero() ? Expr(0) : n - m;
  if (combines.isConstant())
    combines = Expr::max(0, combines);
  if (kind == "sum" || kind == "max" || kind == "min" || kind == "prod" ||
      kind == "argmax" || kind == "argmin" || kind == "any" || kind == "all")
    return OpCounts{combines, 0};
  if (kind == "mean")
    return OpCounts{combines, n.isZero() ? Expr(0) : m};
  if (kind == "l1" || kind == "sum_square")
    return OpCounts{n + combines, 0};
  if (kind == "l2")
    return OpCounts{n + combines, m};
  if (kind == "log_sum")
    return OpCounts{combines, m};
  if (kind == "log_sum_exp") // max, subtract, exp, sum, log, add
    return OpCounts{combines * 2 + n + m, n + m};
  return std::nullopt;
}

std::optional<OpCounts> normOps(llvm::StringRef kind, const Expr &rows,
                                const Expr &n, bool scale, bool shift) {
  Expr affine = n * (int64_t(scale) + int64_t(shift));
  if (n.isZero())
    return OpCounts{};
  if (kind == "layer" || kind == "instance" || kind == "group" ||
      kind == "mean_variance")
    // mean n, subtract n, square n, mean n, add ε, sqrt, reciprocal, multiply n
    return OpCounts{n * 5 - 1 + affine, 4} * rows;
  if (kind == "rms") // square n, mean n, add ε, sqrt, reciprocal, multiply n
    return OpCounts{n * 3 + affine, 3} * rows;
  if (kind == "lp") // square n, sum n − 1, root 1, divide n
    return OpCounts{n * 2 - 1, n + 1} * rows;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

std::optional<OpCounts> poolOps(llvm::StringRef kind, const Expr &taps,
                                const Expr &outputs) {
  // Windows that lie in the padding whole have nothing to combine.
  auto less = [&](const Expr &count) {
    Expr rest = count - outputs;
    return rest.isConstant() ? Expr::max(0, rest) : rest;
  };
  if (kind == "average")
    return OpCounts{less(taps), outputs};
  if (kind == "max")
    return OpCounts{less(taps), 0};
  if (kind == "lp")
    return OpCounts{less(taps * 2), outputs};
  return std::nullopt;
}

/// By window: the first and the last tap inside. For kernels larger than what
/// they are applied to.
static Expr tapsOfWindows(const Expr &input, int64_t output, const Expr &kernel,
                          const Expr &stride, const Expr &padBegin,
                          const Expr &dilation) {
  Expr taps;
  for (int64_t o = 0; o < output; ++o) {
    Expr start = stride * o - padBegin;
    Expr first = Expr::max(0, Expr::ceilDiv(-start, dilation));
    Expr last =
        Expr::min(kernel - 1, Expr::floorDiv(input - 1 - start, dilation));
    taps += Expr::max(0, last - first + 1);
  }
  return taps;
}

std::optional<Expr> poolTaps(const Expr &input, const Expr &output,
                             int64_t kernel, int64_t stride, int64_t padBegin,
                             int64_t dilation) {
  constexpr int64_t maxTerms = 1 << 16; // numbers
  constexpr int64_t maxSymbolicTerms = 1 << 10;
  bool numbers = input.isConstant() && output.isConstant();
  if (kernel > (numbers ? maxTerms : maxSymbolicTerms)) {
    std::optional<int64_t> windows = output.asInt64();
    if (!numbers || !windows || *windows > maxTerms)
      return std::nullopt;
    return tapsOfWindows(input, *windows, kernel, stride, padBegin, dilation);
  }
  Expr taps;
  for (int64_t t = 0; t < kernel; ++t) {
    Expr offset = Expr(t) * dilation - padBegin; // exact, however far out
    Expr first = Expr::max(0, Expr::ceilDiv(Expr(0) - offset, stride));
    Expr last =
        Expr::min(output - 1, Expr::floorDiv(input - 1 - offset, stride));
    Expr inside = last - first + 1;
    taps += inside.isConstant() ? Expr::max(0, inside) : inside;
  }
  return taps;
}

//===----------------------------------------------------------------------===//
// Recurrence and attention
//===----------------------------------------------------------------------===//

std::optional<RecurrentFlops> recurrentFlops(llvm::StringRef kind,
                                             const RecurrentExtents &extents,
                                             bool bias, bool peephole) {
  int64_t gates = llvm::StringSwitch<int64_t>(kind)
                      .Case("lstm", 4)
                      .Case("gru", 3)
                      .Case("rnn", 1)
                      .Default(0);
  if (!gates)
    return std::nullopt;
  int64_t vector = gates + (bias ? gates : 0), special = 0;
  if (kind == "lstm") {
    vector += 3 + 3 + 1 + (peephole ? 6 : 0);
    special += 3 * 2 + 2;
  } else if (kind == "gru") {
    vector += 2 + 1 + 4;
    special += 2 * 2 + 1;
  } else {
    special += 1;
  }
  Expr cells =
      extents.steps * extents.directions * extents.batch * extents.hidden;
  return RecurrentFlops{cells * (2 * gates) * (extents.input + extents.hidden),
                        OpCounts{vector, special} * cells};
}

AttentionFlops attentionFlops(const AttentionExtents &extents,
                              const Expr &pairs, bool masked, bool softcap) {
  Expr heads = extents.batch * extents.queryHeads;
  Expr scores = heads * pairs;
  Expr rows = heads * extents.queries;
  // Softmax over rows of differing length: 5 a score less 2 a row.
  OpCounts ops{scores * 3 - rows * 2, scores * 2};
  ops.vector += scores; // scale
  if (masked)
    ops.vector += scores;
  if (softcap) // divide, tanh, multiply
    ops = ops + OpCounts{scores, scores * 2};
  return {scores * 2 * (extents.headSizeQK + extents.headSizeV), ops};
}

Expr causalPairs(const Expr &queries, const Expr &keys) {
  // Past the last key a query sees them all.
  if (queries.isConstant() && keys.isConstant() &&
      keys.constant() < queries.constant())
    return queries * keys - Expr::floorDiv(keys * (keys - 1), 2);
  return queries * keys - Expr::floorDiv(queries * (queries - 1), 2);
}

//===----------------------------------------------------------------------===//
// Sorting, transforms, gathering
//===----------------------------------------------------------------------===//

std::optional<Expr> topkOps(const Expr &n, const Expr &k) {
  std::optional<int64_t> count = k.asInt64();
  if (!count || *count < 0)
    return std::nullopt;
  int64_t levels = 0; // ⌈log₂(k + 1)⌉: the bits of k
  for (uint64_t rest = *count; rest; rest >>= 1)
    ++levels;
  return n * levels;
}

std::optional<Expr> fftOps(const Expr &n) {
  std::optional<int64_t> length = n.asInt64();
  if (!length || *length < 0)
    return std::nullopt;
  if (*length <= 1)
    return Expr(0);
  if (llvm::isPowerOf2_64(*length)) // exact, whatever its size
    return n * 5 * static_cast<int64_t>(llvm::Log2_64(*length));
  double operations = 5.0 * *length * std::log2(*length);
  if (operations >= 0x1p63)
    return std::nullopt;
  return Expr(static_cast<int64_t>(std::ceil(operations)));
}

std::optional<Expr> gatherBytes(const std::optional<Expr> &picked,
                                const std::optional<Expr> &table) {
  if (!picked || !table)
    return std::nullopt;
  return Expr::min(*picked, *table);
}

} // namespace roofline
