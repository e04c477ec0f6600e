//===- Arithmetic.h - arithmetic on folded elements -----------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folded element of an integer or bool tensor is an expression. One of a
// float tensor is a double, rounded to the tensor's type after each operation,
// or, where it came from a symbolic size, an expression whose value is an
// integer. What can't be represented is unknown.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_OPS_ARITHMETIC_H
#define ROOFLINE_LIB_IMPORT_ONNX_OPS_ARITHMETIC_H

#include "../Graph.h"

namespace roofline::onnx_import::arith {

constexpr std::monostate unknown;

bool isFloat(int onnxElem);
/// The number, rounded to the element type; an integer outside its type's range
/// is unknown, since it would wrap.
Scalar fit(Scalar value, int onnxElem);
/// The value as a real number.
std::optional<double> toReal(const Scalar &value);
/// The value as an integer expression where it is an integer.
std::optional<Expr> toInteger(const Scalar &value);
bool equal(const Scalar &a, const Scalar &b);
/// A boolean element that is decided.
std::optional<bool> toBool(const Scalar &value);

using Unary = Scalar (*)(const Scalar &, int onnxElem);
using Binary = Scalar (*)(const Scalar &, const Scalar &, int onnxElem);

Scalar cast(const Scalar &value, int from, int to);

Scalar add(const Scalar &a, const Scalar &b, int onnxElem);
Scalar subtract(const Scalar &a, const Scalar &b, int onnxElem);
Scalar multiply(const Scalar &a, const Scalar &b, int onnxElem);
Scalar divide(const Scalar &a, const Scalar &b, int onnxElem);
Scalar power(const Scalar &a, const Scalar &b, int onnxElem);
Scalar minimum(const Scalar &a, const Scalar &b, int onnxElem);
Scalar maximum(const Scalar &a, const Scalar &b, int onnxElem);
/// The remainder with the divisor's sign, and with the dividend's.
Scalar floorMod(const Scalar &a, const Scalar &b, int onnxElem);
Scalar truncMod(const Scalar &a, const Scalar &b, int onnxElem);

Scalar isEqual(const Scalar &a, const Scalar &b, int onnxElem);
Scalar isGreater(const Scalar &a, const Scalar &b, int onnxElem);
Scalar isLess(const Scalar &a, const Scalar &b, int onnxElem);
Scalar isGreaterOrEqual(const Scalar &a, const Scalar &b, int onnxElem);
Scalar isLessOrEqual(const Scalar &a, const Scalar &b, int onnxElem);
Scalar logicalAnd(const Scalar &a, const Scalar &b, int onnxElem);
Scalar logicalOr(const Scalar &a, const Scalar &b, int onnxElem);
Scalar logicalXor(const Scalar &a, const Scalar &b, int onnxElem);
Scalar logicalNot(const Scalar &a, int onnxElem);

Scalar negate(const Scalar &a, int onnxElem);
Scalar absolute(const Scalar &a, int onnxElem);
Scalar sign(const Scalar &a, int onnxElem);
Scalar relu(const Scalar &a, int onnxElem);
Scalar floor(const Scalar &a, int onnxElem);
Scalar ceil(const Scalar &a, int onnxElem);
Scalar round(const Scalar &a, int onnxElem); ///< half to even
Scalar squareRoot(const Scalar &a, int onnxElem);
Scalar exponential(const Scalar &a, int onnxElem);
Scalar logarithm(const Scalar &a, int onnxElem);
Scalar reciprocal(const Scalar &a, int onnxElem);
Scalar isNaN(const Scalar &a, int onnxElem);

/// p/q in lowest terms with the smallest q <= maxDivisor that rounds to the
/// single-precision number `value`: 1/3 for 0.33333334.
std::optional<std::pair<int64_t, int64_t>> toFraction(double value,
                                                      int64_t maxDivisor);

} // namespace roofline::onnx_import::arith

#endif // ROOFLINE_LIB_IMPORT_ONNX_OPS_ARITHMETIC_H
