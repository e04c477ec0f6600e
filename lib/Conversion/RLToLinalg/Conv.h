//===- Conv.h - sums of products over windows ----------------------*- C++
//-*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is one sum of products over input channels and taps of a padded
// input. Of a transposed one the results that lie a stride apart are one, with
// the taps that reach them: as many of those as strides multiply up to.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_CONV_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_CONV_H

#include "Windows.h"

namespace roofline::lowering {

/// Sizes of a convolution whose channels are in groups.
struct ConvSizes {
  int64_t batch, groups, in, out; ///< channels of a group
  Ints positions;
};

struct PlainConvOptions {
  bool inputUnsigned = false, filterUnsigned = false;
  /// The result is computed in memory of its own, and not in a part of what it
  /// is put into: a product stores lines whose elements lie side by side.
  bool inOwnMemory = false;
};

/// `input` is padded (N x C x spatial), `filter` C_out x C_in/group x taps. The
/// result is N x C_out x positions, of type `element`.
mlir::Value plainConv(Lowering &l, const Windows &windows,
                      const ConvSizes &sizes, mlir::Value input,
                      mlir::Value filter, mlir::Type element,
                      const PlainConvOptions &options);

/// The same of ConvTranspose: `input` as it is, `filter` C_in x C_out/group x
/// taps. `finish` makes the results of sums, part by part: what it adds is the
/// same for all positions.
llvm::FailureOr<mlir::Value> transposedConv(
    Lowering &l, const Windows &windows, const ConvSizes &sizes,
    mlir::Value input, mlir::Value filter,
    llvm::function_ref<llvm::FailureOr<mlir::Value>(mlir::Value)> finish);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_CONV_H
