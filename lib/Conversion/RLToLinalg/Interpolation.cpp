//===- Interpolation.cpp - where a resized axis reads from ----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpolation.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace roofline::lowering {

/// The input's coordinate of a position of the result.
static std::optional<double> sourceOf(const AxisResize &a, double x) {
  double in = double(a.from), out = a.scale * in;
  if (a.coordinates == "align_corners")
    return out == 1 ? 0 : x * (in - 1) / (out - 1);
  if (a.coordinates == "asymmetric")
    return x / a.scale;
  if (a.coordinates == "tf_crop_and_resize") {
    double length = (a.roiEnd - a.roiStart) * (in - 1);
    double offset = out == 1 ? length / 2 : x * length / (out - 1);
    return offset + a.roiStart * (in - 1);
  }
  if (a.coordinates == "pytorch_half_pixel")
    return out == 1 ? -0.5 : (x + 0.5) / a.scale - 0.5;
  double half = (x + 0.5) / a.scale - 0.5;
  if (a.coordinates == "half_pixel")
    return half;
  // By the part that the rounded size has more or less than the exact one.
  if (a.coordinates == "half_pixel_symmetric")
    return in / 2 * (1 - double(a.to) / out) + half;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//
//
// Of as many neighbours on the left as on the right, given how far the
// coordinate is from the nearest one on its left, in (0, 1].

static std::vector<double> nearestWeights(const std::string &rounding,
                                          double ratio) {
  bool right = rounding == "ceil" || ratio == 1 ||
               (rounding == "round_prefer_ceil" && ratio >= 0.5) ||
               (rounding == "round_prefer_floor" && ratio > 0.5);
  return {right ? 0.0 : 1.0, right ? 1.0 : 0.0};
}

static double cubicAt(double x, double a) {
  x = std::fabs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2)
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

static double triangleAt(double x) { return std::max(0.0, 1 - std::fabs(x)); }

/// A kernel of `reach` neighbours to a side, spread where antialiasing shrinks.
template <typename Kernel>
static std::vector<double> kernelWeights(double reach, double spread,
                                         double ratio, Kernel kernel) {
  auto start = int64_t(std::floor(-reach / spread) + 1);
  std::vector<double> weights;
  for (int64_t i = start; i < 2 - start; ++i)
    weights.push_back(kernel(spread * (double(i) - ratio)));
  return weights;
}

static void normalize(std::vector<double> &weights) {
  double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum != 0)
    for (double &weight : weights)
      weight /= sum;
}

static std::vector<double> weightsAt(const AxisResize &a, double ratio) {
  if (a.mode == "nearest")
    return nearestWeights(a.rounding, ratio);
  double spread = a.antialias ? std::min(a.scale, 1.0) : 1;
  std::vector<double> weights;
  if (a.mode == "linear")
    weights = kernelWeights(1, spread, ratio, triangleAt);
  else if (a.mode == "cubic")
    weights = kernelWeights(2, spread, ratio,
                            [&](double x) { return cubicAt(x, a.cubicA); });
  if (a.antialias)
    normalize(weights);
  return weights;
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

AxisTaps tapsOf(const AxisResize &a) {
  AxisTaps result;
  for (int64_t x = 0; x < a.to; ++x) {
    std::optional<double> source = sourceOf(a, double(x));
    // Coordinates so far out that no integer counts them are a broken scale.
    if (!source || !(std::fabs(*source) < 1e15) || a.from < 1)
      return {};
    double left = std::floor(*source);
    bool exact = *source == left;
    std::vector<double> weights = weightsAt(a, exact ? 1 : *source - left);
    auto count = int64_t(weights.size());
    if (count == 0 || count > 1 << 20)
      return {};
    int64_t first = int64_t(left) - count / 2 + (exact ? 0 : 1);
    if (a.excludeOutside) {
      for (int64_t t = 0; t < count; ++t)
        if (first + t < 0 || first + t >= a.from)
          weights[t] = 0;
      normalize(weights);
    }
    result.taps = count;
    for (int64_t t = 0; t < count; ++t)
      result.indices.push_back(std::clamp<int64_t>(first + t, 0, a.from - 1));
    result.weights.insert(result.weights.end(), weights.begin(), weights.end());
    result.outside.push_back(a.coordinates == "tf_crop_and_resize" &&
                             (*source < 0 || *source > double(a.from - 1)));
  }
  return result;
}

} // namespace roofline::lowering
