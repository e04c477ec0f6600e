//===- Quantized.h - sums of quantised elements -----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of quantised tensors: elements less their zero points are multiplied
// and summed in i32; the sums are scaled and rounded to what the result holds.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_QUANTIZED_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_QUANTIZED_H

#include "Scalars.h"

namespace roofline::lowering {

/// A tensor of one element, or of one for each position along `axis` of a
/// tensor of rank `rank`, in a shape that broadcasts to that tensor.
mlir::Value alongAxis(Lowering &l, mlir::Value value, int64_t axis,
                      int64_t rank);

/// Operand `i` minus its zero point, operand `zero`, as `element`. The zero
/// point may lie along `axis`.
mlir::Value withoutZeroPoint(Lowering &l, unsigned i, unsigned zero,
                             mlir::Type element, int64_t axis);

/// A number of steps as an integer of type `to`: rounded to even, moved by the
/// zero point (f32, or null), saturated.
mlir::Value quantizedElement(Scalars &s, mlir::Value steps, mlir::Value zero,
                             mlir::Type to);

/// Sums as the result's type: round(sums · a · b / y) + zero, saturated. `a`,
/// `b`, `y` and `zero` broadcast to the sums; zero may be null.
struct Requantization {
  mlir::Value a, b, y, zero;
};
mlir::Value requantized(Lowering &l, mlir::Value sums,
                        const Requantization &parts);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_QUANTIZED_H
