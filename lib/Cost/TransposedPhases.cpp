//===- TransposedPhases.cpp - parts of transposed convolutions
//---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/TransposedPhases.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace roofline {

/// How far apart the taps of a phase are.
static int64_t stepOf(const TransposedDim &dim) {
  return dim.stride / std::gcd(dim.stride, dim.dilation);
}

std::vector<TransposedPhase> transposedPhases(const TransposedDim &dim) {
  int64_t stride = dim.stride, step = stepOf(dim);
  std::vector<TransposedPhase> phases;
  for (int64_t tap = 0; tap < std::min(step, dim.taps); ++tap) {
    TransposedPhase phase;
    int64_t rest = tap * dim.dilation % stride;
    phase.first = ((rest - dim.pad) % stride + stride) % stride;
    if (phase.first >= dim.results)
      continue;
    phase.count = divideCeil(dim.results - phase.first, stride);
    phase.tap = tap;
    phase.taps = divideCeil(dim.taps - tap, step);
    phase.step = step;
    phase.dilation = dim.dilation * step / stride;
    phase.begin = (phase.first + dim.pad - tap * dim.dilation) / stride -
                  (phase.taps - 1) * phase.dilation;
    phases.push_back(phase);
  }
  return phases;
}

bool reachAllResults(const std::vector<TransposedDim> &dims) {
  return all_of(dims, [](const TransposedDim &dim) {
    return int64_t(transposedPhases(dim).size()) ==
           std::min(dim.stride, dim.results);
  });
}

bool hasFewPhases(const std::vector<TransposedDim> &dims) {
  constexpr int64_t most = 1024;
  int64_t number = 1;
  for (const TransposedDim &dim : dims) {
    int64_t own = std::min(stepOf(dim), dim.taps);
    if (own > most)
      return false;
    number *= own;
    if (number > most)
      return false;
  }
  return true;
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
