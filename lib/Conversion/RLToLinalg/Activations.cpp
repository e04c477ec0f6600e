//===- Activations.cpp - activations by name ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Activations.h"
#include <cmath>

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value reluOf(Scalars &s, Value x) { return s.max(x, s.like(x, 0)); }

Value scaledBelowZero(Scalars &s, Value x, Value scale) {
  return s.select(s.less(x, s.like(x, 0)), s.mul(x, scale), x);
}

Value hardSigmoidOf(Scalars &s, Value x, double alpha, double beta) {
  Value line = s.add(s.mul(x, s.like(x, alpha)), s.like(x, beta));
  return s.max(s.like(x, 0), s.min(s.like(x, 1), line));
}

Value eluOf(Scalars &s, Value x, double alpha) {
  Value below = s.mul(s.like(x, alpha), s.sub(s.exp(x), s.like(x, 1)));
  return s.select(s.less(x, s.like(x, 0)), below, x);
}

Value softplusOf(Scalars &s, Value x) {
  Value tail = s.log(s.add(s.like(x, 1), s.exp(s.neg(s.abs(x)))));
  return s.add(s.max(x, s.like(x, 0)), tail);
}

Value softsignOf(Scalars &s, Value x) {
  return s.div(x, s.add(s.like(x, 1), s.abs(x)));
}

Value thresholdedReluOf(Scalars &s, Value x, double alpha) {
  return s.select(s.greater(x, s.like(x, alpha)), x, s.like(x, 0));
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

namespace {
struct Named {
  double alpha, beta; ///< where none are given
  Value (*body)(Scalars &, Value, double alpha, double beta);
};
} // namespace

static const llvm::StringMap<Named> &named() {
  static const llvm::StringMap<Named> table = {
      {"relu",
       {0, 0,
        [](Scalars &s, Value x, double, double) { return reluOf(s, x); }}},
      {"tanh",
       {0, 0, [](Scalars &s, Value x, double, double) { return s.tanh(x); }}},
      {"sigmoid",
       {0, 0,
        [](Scalars &s, Value x, double, double) { return s.sigmoid(x); }}},
      {"affine",
       {1, 0,
        [](Scalars &s, Value x, double alpha, double beta) {
          return s.add(s.mul(x, s.like(x, alpha)), s.like(x, beta));
        }}},
      {"leakyrelu",
       {0.01, 0,
        [](Scalars &s, Value x, double alpha, double) {
          return scaledBelowZero(s, x, s.like(x, alpha));
        }}},
      {"thresholdedrelu",
       {1, 0,
        [](Scalars &s, Value x, double alpha, double) {
          return thresholdedReluOf(s, x, alpha);
        }}},
      {"scaledtanh",
       {1, 1,
        [](Scalars &s, Value x, double alpha, double beta) {
          return s.mul(s.like(x, alpha), s.tanh(s.mul(x, s.like(x, beta))));
        }}},
      {"hardsigmoid", {0.2, 0.5, hardSigmoidOf}},
      {"elu",
       {1, 0,
        [](Scalars &s, Value x, double alpha, double) {
          return eluOf(s, x, alpha);
        }}},
      {"softsign",
       {0, 0,
        [](Scalars &s, Value x, double, double) { return softsignOf(s, x); }}},
      {"softplus",
       {0, 0,
        [](Scalars &s, Value x, double, double) { return softplusOf(s, x); }}},
      {"clip",
       {-INFINITY, INFINITY,
        [](Scalars &s, Value x, double low, double high) {
          return s.min(s.max(x, s.like(x, low)), s.like(x, high));
        }}},
  };
  return table;
}

std::optional<Activation> activationOf(StringRef name, Attribute parameters) {
  std::string key = name.lower();
  auto found = named().find(key);
  if (found == named().end())
    return std::nullopt;
  Activation result{key, found->second.alpha, found->second.beta};
  if (auto given = dyn_cast_or_null<DenseF32ArrayAttr>(parameters)) {
    if (!given.empty())
      result.alpha = given[0];
    if (given.size() > 1)
      result.beta = given[1];
  }
  return result;
}

Value activate(Scalars &s, const Activation &function, Value x) {
  return named()
      .lookup(function.name)
      .body(s, x, function.alpha, function.beta);
}

} // namespace roofline::lowering
