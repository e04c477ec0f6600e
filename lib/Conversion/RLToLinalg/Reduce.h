//===- Reduce.h - what reductions are made of -------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by reductions themselves, softmax, norms and pools.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_REDUCE_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_REDUCE_H

#include "Scalars.h"

namespace roofline::lowering {

/// An element as the wider type it is summed in, by the sign that `s` has.
mlir::Value widened(Scalars &s, mlir::Value x, mlir::Type type);

/// Folds `axes` of one tensor into elements of type `element`.
mlir::Value reduceTo(
    Lowering &l, mlir::Value input, llvm::ArrayRef<int64_t> axes,
    mlir::Type element,
    llvm::function_ref<mlir::Value(Scalars &, mlir::Type)> start,
    llvm::function_ref<mlir::Value(Scalars &, mlir::Value, mlir::Value)> fold,
    bool isUnsigned);

/// Where along `axis` the greatest (`least`: least) element stands, as i64: the
/// first of equal ones, or the last.
mlir::Value positionOf(Lowering &l, mlir::Value input, int64_t axis,
                       bool isUnsigned, bool least, bool last);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_REDUCE_H
