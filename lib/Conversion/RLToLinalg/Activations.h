//===- Activations.h - activations by name ----------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that are ops of their own, and that recurrences and fused ops name.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_ACTIVATIONS_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_ACTIVATIONS_H

#include "Scalars.h"

namespace roofline::lowering {

/// An activation as an attribute names it ("LeakyRelu"; in small letters), and
/// its parameters.
struct Activation {
  std::string name;
  double alpha, beta;
};

/// With ONNX's own parameters where none are given (`parameters`: an array of
/// f32, alpha then beta). Nothing for a name that isn't known.
std::optional<Activation> activationOf(llvm::StringRef name,
                                       mlir::Attribute parameters = {});
mlir::Value activate(Scalars &s, const Activation &function, mlir::Value x);

/// max(0, x)
mlir::Value reluOf(Scalars &s, mlir::Value x);
/// x where it isn't negative, else scale · x
mlir::Value scaledBelowZero(Scalars &s, mlir::Value x, mlir::Value scale);
/// max(0, min(1, alpha·x + beta))
mlir::Value hardSigmoidOf(Scalars &s, mlir::Value x, double alpha, double beta);
/// x where it isn't negative, else alpha·(exp(x) − 1)
mlir::Value eluOf(Scalars &s, mlir::Value x, double alpha);
/// log(1 + exp(x)), as max(x, 0) + log(1 + exp(−|x|)), which can't overflow.
mlir::Value softplusOf(Scalars &s, mlir::Value x);
/// x / (1 + |x|)
mlir::Value softsignOf(Scalars &s, mlir::Value x);
/// x where it is above alpha, else 0
mlir::Value thresholdedReluOf(Scalars &s, mlir::Value x, double alpha);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_ACTIVATIONS_H
