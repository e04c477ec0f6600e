//===- Scalars.h - elementwise functions of scalars -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_SCALARS_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_SCALARS_H

#include "Build.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace roofline::lowering {

/// Arithmetic on scalars of one type, integer or floating, in the sense the
/// type has in the model.
class Scalars {
public:
  Scalars(mlir::OpBuilder &b, mlir::Location loc, bool isUnsigned)
      : b(b), loc(loc), isUnsigned(isUnsigned) {}

  mlir::OpBuilder &b;
  mlir::Location loc;
  const bool isUnsigned;
  /// How casts to floats of 8 bits and fewer treat what is too large, and how
  /// those to f8E8M0FNU round ("up", "down", "nearest").
  bool saturates = true;
  llvm::StringRef rounding = "up";

  mlir::Value number(mlir::Type type, double value);
  mlir::Value like(mlir::Value x, double value) {
    return number(x.getType(), value);
  }
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  /// Integers truncate towards zero; a division by 0 gives 0 instead of a trap.
  mlir::Value div(mlir::Value x, mlir::Value y);
  /// NaN where either is NaN.
  mlir::Value max(mlir::Value x, mlir::Value y);
  /// The number where one of them is NaN, which a vector's maximum costs less.
  /// For what is exponentiated with the others next: NaN shows there.
  mlir::Value maxNumber(mlir::Value x, mlir::Value y);
  mlir::Value min(mlir::Value x, mlir::Value y);
  /// x·y + z, rounded once
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);
  mlir::Value neg(mlir::Value x) { return sub(like(x, 0), x); }
  mlir::Value abs(mlir::Value x);
  mlir::Value exp(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value tanh(mlir::Value x);
  mlir::Value erf(mlir::Value x);
  mlir::Value sqrt(mlir::Value x);
  mlir::Value pow(mlir::Value x, mlir::Value y);
  /// 1 / (1 + exp(−x))
  mlir::Value sigmoid(mlir::Value x);
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y);
  mlir::Value less(mlir::Value x, mlir::Value y);
  mlir::Value greater(mlir::Value x, mlir::Value y) { return less(y, x); }
  mlir::Value equal(mlir::Value x, mlir::Value y);
  /// As ONNX's Cast: floats to integers truncate, anything to bool compares
  /// with 0. `from` and `to` are the types in the model.
  mlir::Value cast(mlir::Value x, mlir::Type from, mlir::Type to);
};

/// A tensor's elements as another type's; both as the model has them.
mlir::Value castElements(Lowering &l, mlir::Value tensor, mlir::Type from,
                         mlir::Type to);

/// The least (greatest) number of a type, what a maximum (minimum) starts from.
mlir::Value leastNumber(Scalars &s, mlir::Type type);
mlir::Value greatestNumber(Scalars &s, mlir::Type type);

/// Adds f, f32 in between for narrower floats: `body` on the value widened to
/// f32, the result rounded back.
mlir::Value inF32(Scalars &s, mlir::Value x,
                  llvm::function_ref<mlir::Value(mlir::Value)> body);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_SCALARS_H
