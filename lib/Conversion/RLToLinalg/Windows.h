//===- Windows.h - windows over padded tensors ------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions and pools read their input, padded, where the result's position
// and the tap say: position · stride + tap · dilation.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_WINDOWS_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_WINDOWS_H

#include "Build.h"

namespace roofline::lowering {

struct Windows {
  Ints kernel, strides, dilations, padsBegin, padsEnd;

  size_t rank() const { return kernel.size(); }
  /// From a window's first tap to its last.
  int64_t extent(size_t i) const { return (kernel[i] - 1) * dilations[i] + 1; }
  /// Elements that so many windows reach over.
  int64_t reach(size_t i, int64_t windows) const {
    return (windows - 1) * strides[i] + extent(i);
  }
};

/// From the attributes of rl.conv and rl.pool; pads are those at the
/// beginnings, then those at the ends. Nothing where ranks disagree or pads are
/// negative.
std::optional<Windows> makeWindows(llvm::ArrayRef<int64_t> kernel,
                                   llvm::ArrayRef<int64_t> strides,
                                   llvm::ArrayRef<int64_t> pads,
                                   llvm::ArrayRef<int64_t> dilations);

/// The input with its last dimensions padded so far that `positions` windows
/// lie inside.
mlir::Value paddedForWindows(Lowering &l, mlir::Value input,
                             const Windows &windows,
                             llvm::ArrayRef<int64_t> positions,
                             mlir::Value element);

/// position · stride + tap · dilation for each spatial dimension, from loop
/// dimensions that start at `position` and `tap`.
void addWindowExprs(llvm::SmallVectorImpl<mlir::AffineExpr> &exprs,
                    mlir::Builder &b, const Windows &windows, unsigned position,
                    unsigned tap);

/// Elements `strides` apart among zeros, the first at `first`, in a tensor
/// whose last dimensions have the sizes `shape`.
mlir::Value spreadOut(Lowering &l, mlir::Value input,
                      llvm::ArrayRef<int64_t> first,
                      llvm::ArrayRef<int64_t> strides,
                      llvm::ArrayRef<int64_t> shape);

/// Col2Im, which is counted as a reduction.
llvm::FailureOr<Values> lowerCol2Im(Lowering &l);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_WINDOWS_H
