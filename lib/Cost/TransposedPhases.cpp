//===- TransposedPhases.cpp - parts of transposed convolutions
//---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/TransposedPhases.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace roofline {

std::vector<TransposedPhase> transposedPhases(const TransposedDim &dim) {
  int64_t stride = dim.stride;
  int64_t step = stride / std::gcd(stride, dim.dilation);
  std::vector<TransposedPhase> phases;
  for (int64_t rest = 0; rest < stride; ++rest) {
    TransposedPhase phase;
    phase.first = ((rest - dim.pad) % stride + stride) % stride;
    if (phase.first >= dim.results)
      continue;
    phase.count = divideCeil(dim.results - phase.first, stride);
    phase.step = step;
    phase.dilation = dim.dilation * step / stride;
    while (phase.tap < step && phase.tap * dim.dilation % stride != rest)
      ++phase.tap;
    if (phase.tap < step && phase.tap < dim.taps)
      phase.taps = divideCeil(dim.taps - phase.tap, step);
    phase.begin = (phase.first + dim.pad - phase.tap * dim.dilation) / stride -
                  (phase.taps - 1) * phase.dilation;
    phases.push_back(phase);
  }
  return phases;
}

std::vector<std::vector<TransposedPhase>>
transposedPhases(const std::vector<TransposedDim> &dims) {
  std::vector<std::vector<TransposedPhase>> all{{}};
  for (const TransposedDim &dim : dims) {
    std::vector<std::vector<TransposedPhase>> next;
    for (const TransposedPhase &phase : transposedPhases(dim))
      for (const std::vector<TransposedPhase> &before : all) {
        next.push_back(before);
        next.back().push_back(phase);
      }
    all = std::move(next);
  }
  return all;
}

} // namespace roofline
