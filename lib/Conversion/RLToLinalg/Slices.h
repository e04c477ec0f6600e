//===- Slices.h - parts of tensors, and loops over them --------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_SLICES_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_SLICES_H

#include "Build.h"

namespace roofline::lowering {

mlir::RankedTensorType typeOf(mlir::Value tensor);
/// `type` with another shape.
mlir::RankedTensorType withShape(mlir::RankedTensorType type,
                                 llvm::ArrayRef<int64_t> shape);

// --- Affine reads
// -------------------------------------------------------------------

/// `result[i…] = body(inputs[maps(i…)]…)`; the body may ask for indices
/// (linalg.index).
mlir::Value mapThrough(Lowering &l, mlir::RankedTensorType result,
                       mlir::ValueRange inputs,
                       llvm::ArrayRef<mlir::AffineMap> maps, ScalarBody body);
/// `result[i…] = input[map(i…)]`
mlir::Value readThrough(Lowering &l, mlir::RankedTensorType result,
                        mlir::Value input, mlir::AffineMap map);
mlir::Value transposed(Lowering &l, mlir::Value input,
                       llvm::ArrayRef<int64_t> permutation);

// --- Boxes
// -------------------------------------------------------------------

/// The box of `shape` at `offsets`.
mlir::Value sliced(Lowering &l, mlir::Value input,
                   llvm::ArrayRef<int64_t> offsets,
                   llvm::ArrayRef<int64_t> shape,
                   llvm::ArrayRef<int64_t> strides = {});
mlir::Value inserted(Lowering &l, mlir::Value part, mlir::Value into,
                     llvm::ArrayRef<int64_t> offsets,
                     llvm::ArrayRef<int64_t> strides = {});
/// The parts beside each other along `axis`.
mlir::Value joined(Lowering &l, mlir::RankedTensorType result,
                   mlir::ValueRange parts, int64_t axis);

// --- Elements
// -------------------------------------------------------------------

mlir::Value zeroOf(Lowering &l, mlir::RankedTensorType type);
/// The only element of a tensor.
mlir::Value onlyElement(Lowering &l, mlir::Value tensor);

/// An index as data holds it, as one into `size` elements: a negative one
/// counts from the end. What is out of range anyway reads or writes an edge
/// instead of memory that isn't the tensor's.
mlir::Value indexInto(mlir::OpBuilder &b, mlir::Location loc, mlir::Value index,
                      int64_t size);

/// A nest of sequential loops over a box that carries tensors; `body` returns
/// what they become.
using LoopBody = llvm::function_ref<Values(mlir::OpBuilder &, mlir::Location,
                                           mlir::ValueRange indices,
                                           mlir::ValueRange carried)>;
Values loopOver(Lowering &l, llvm::ArrayRef<int64_t> shape,
                mlir::ValueRange carried, LoopBody body);

/// What a loop carries next, in the buffer of what it carried: `now` is the
/// loop's argument.
mlir::Value carriedOn(Lowering &l, mlir::Value next, mlir::Value now);

/// An axis of the model counted from the start, -1 where it is out of range.
int64_t axisOf(int64_t axis, int64_t rank);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_SLICES_H
