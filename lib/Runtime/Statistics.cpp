//===- Statistics.cpp - figures that sum up samples -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <numeric>
#include <vector>

using namespace llvm;
using namespace roofline::runtime;

double roofline::runtime::quantile(ArrayRef<double> sorted, double fraction) {
  if (sorted.empty())
    return 0;
  double place = fraction * static_cast<double>(sorted.size() - 1);
  auto below = static_cast<size_t>(std::floor(place));
  size_t above = std::min(below + 1, sorted.size() - 1);
  double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[above] - sorted[below]);
}

double roofline::runtime::middleMean(ArrayRef<double> samples) {
  std::vector<double> sorted = samples.vec();
  llvm::sort(sorted);
  ArrayRef<double> middle = ArrayRef(sorted).slice(
      sorted.size() / 4, sorted.size() - 2 * (sorted.size() / 4));
  return middle.empty() ? 0
                        : std::accumulate(middle.begin(), middle.end(), 0.0) /
                              static_cast<double>(middle.size());
}

Statistics Statistics::of(ArrayRef<double> samples) {
  Statistics result;
  if (samples.empty())
    return result;
  std::vector<double> sorted = samples.vec();
  llvm::sort(sorted);
  result.count = sorted.size();
  result.min = sorted.front();
  result.max = sorted.back();
  result.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) /
                static_cast<double>(sorted.size());
  result.median = quantile(sorted, 0.5);
  result.p95 = quantile(sorted, 0.95);
  result.p99 = quantile(sorted, 0.99);
  if (result.median != 0)
    result.spread =
        (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / result.median;
  return result;
}
