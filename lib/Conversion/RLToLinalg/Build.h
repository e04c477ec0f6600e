//===- Build.h - the shapes lowered ops come in -----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_BUILD_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_BUILD_H

#include "Lowering.h"

namespace roofline::lowering {

/// What computes one element: scalars of the operands in, one scalar out.
using ScalarBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

// --- Tensors
// -------------------------------------------------------------------

mlir::Value emptyTensor(Lowering &l, mlir::RankedTensorType type);
/// A tensor of one value, given as a scalar.
mlir::Value filledTensor(Lowering &l, mlir::RankedTensorType type,
                         mlir::Value scalar);
mlir::Value constantTensor(Lowering &l, mlir::DenseElementsAttr elements);

// --- Scalars
// --------------------------------------------------------------------

/// A number of an integer or floating type.
mlir::Value scalar(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                   double value);
mlir::Value indexValue(mlir::OpBuilder &b, mlir::Location loc, int64_t value);

// --- Maps
// -----------------------------------------------------------------------

/// `result[i…] = body(inputs[i…]…)`; inputs broadcast to the result as NumPy's.
mlir::Value mapElements(Lowering &l, mlir::RankedTensorType result,
                        mlir::ValueRange inputs, ScalarBody body);

/// `result[i…] = body(i…)`: what reads its inputs by computed indices
/// (`tensor.extract`).
mlir::Value fromIndices(Lowering &l, mlir::RankedTensorType result,
                        ScalarBody body);

/// Element of `source` at `indices`.
mlir::Value elementAt(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value source, mlir::ValueRange indices);

// --- Reductions
// ------------------------------------------------------------------

/// Folds the dimensions `axes` of the inputs (all of one shape) into `init`, of
/// the result's type without those dimensions: `acc = body(inputs…, acc)`.
mlir::Value reduceDims(Lowering &l, mlir::ValueRange inputs, mlir::Value init,
                       llvm::ArrayRef<int64_t> axes, ScalarBody body);

/// What sums are kept in: narrow floats in f32, narrow integers in i32.
mlir::Type accumulatorType(mlir::Type element, mlir::Builder &b);

/// From the dimensions of a tensor to those that `axes` leaves.
mlir::AffineMap withoutAxes(mlir::Builder &b, int64_t rank,
                            llvm::ArrayRef<int64_t> axes);

/// One linalg.generic of one result: `maps` say where the loops read the inputs
/// and, last, `init`. Loops that the last map lacks are reductions. `body` is
/// given an element of each, `init`'s last.
mlir::Value generic(Lowering &l, mlir::ValueRange inputs, mlir::Value init,
                    llvm::ArrayRef<mlir::AffineMap> maps, ScalarBody body);

/// With `before` and `after` repeats of `element` along dimension `axis`.
mlir::Value paddedTensor(Lowering &l, mlir::Value tensor, int64_t axis,
                         int64_t before, int64_t after, mlir::Value element);
/// As above for all dimensions at once.
mlir::Value paddedTensor(Lowering &l, mlir::Value tensor,
                         llvm::ArrayRef<int64_t> before,
                         llvm::ArrayRef<int64_t> after, mlir::Value element);

/// The same elements under another shape (row-major).
mlir::Value reshaped(Lowering &l, mlir::Value input,
                     mlir::RankedTensorType type);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_BUILD_H
