//===- Compare.h - whether two tensors hold the same ------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_COMPARE_H
#define ROOFLINE_RUNTIME_COMPARE_H

#include "roofline/Runtime/Tensor.h"

namespace roofline::runtime {

/// The bits of an element that takes `bytes` in memory.
uint64_t bitsAt(const Tensor &tensor, int64_t i, unsigned bytes);
/// An element of a tensor of that type.
double realAt(const Tensor &tensor, mlir::FloatType type, int64_t i);
/// The largest magnitude of finite floats; 0 for other elements.
double largestMagnitude(const Tensor &tensor);

/// How far results may be off: |found − wanted| ≤ absolute + relative·|wanted|.
/// The defaults are those of ONNX's own test runner.
struct Tolerance {
  double relative = 1e-3, absolute = 1e-7;

  /// In 16 bits two last places are more than that: the answers of ONNX's
  /// attention tests, rounded between their steps, are that far from exact.
  Tolerance of(mlir::FloatType type) const;
  bool accepts(double found, double wanted) const;
};

/// The first element that differs, in words; empty where none does. What isn't
/// a float must be equal.
std::string compare(const Tensor &found, const Tensor &wanted,
                    const Tolerance &tolerance);

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_COMPARE_H
