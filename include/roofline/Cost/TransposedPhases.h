//===- TransposedPhases.h - parts of transposed convolutions ----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element x[i] of a transposed convolution's input reaches the results at
// i·stride + tap·dilation − pad. Results whose positions, pads added, leave the
// same rest by the stride are a phase: they see the taps t with that rest of
// t·dilation, which lie a fixed step apart, over an input without holes. The
// code generator lowers each phase to a plain convolution, and the time model
// counts it as one.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_COST_TRANSPOSEDPHASES_H
#define ROOFLINE_COST_TRANSPOSEDPHASES_H

#include <cstdint>
#include <vector>

namespace roofline {

/// Of one dimension of a phase.
struct TransposedPhase {
  int64_t first = 0, count = 0; ///< results: the first position, how many
  /// The first of its taps, how many there are, and how far apart they are.
  int64_t tap = 0, taps = 0, step = 1;
  int64_t dilation = 1; ///< in the input, of the taps in reverse order
  /// Where the first result's window begins in the input; before it where
  /// that is negative.
  int64_t begin = 0;

  /// Elements of the input that all windows reach over.
  int64_t reach() const { return count + (taps - 1) * dilation; }
};

/// One dimension of a transposed convolution: taps of the filter, results.
struct TransposedDim {
  int64_t taps, stride, dilation, pad, results;
};

/// All phases that have taps and results: at most as many as taps.
std::vector<TransposedPhase> transposedPhases(const TransposedDim &dim);

/// Whether the phases have all results; else no tap reaches some of them.
bool reachAllResults(const std::vector<TransposedDim> &dims);

/// Whether there are so few phases that code for each is no matter.
bool hasFewPhases(const std::vector<TransposedDim> &dims);

/// One phase of each dimension, in all combinations.
std::vector<std::vector<TransposedPhase>>
transposedPhases(const std::vector<TransposedDim> &dims);

} // namespace roofline

#endif // ROOFLINE_COST_TRANSPOSEDPHASES_H
