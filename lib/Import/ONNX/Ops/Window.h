//===- Window.h - sliding windows of convolutions and pools -----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_OPS_WINDOW_H
#define ROOFLINE_LIB_IMPORT_ONNX_OPS_WINDOW_H

#include "InferSupport.h"

namespace roofline::onnx_import {

/// The attributes of a sliding window over `rank` axes.
struct Window {
  enum Padding : uint8_t { Explicit, Valid, Same } padding = Explicit;
  MaybeDims kernel;
  llvm::SmallVector<int64_t, 4> strides, dilations, padsBegin, padsEnd;

  size_t rank() const { return strides.size(); }
  /// Where the window's last tap stands, plus one.
  MaybeDim extent(size_t axis) const;
};

/// Reads kernel_shape, strides, dilations, pads, auto_pad. `kernel` holds the
/// sizes the filter has, empty for a pool, whose attribute has them.
llvm::Expected<Window> readWindow(const Node &node, size_t rank,
                                  llvm::ArrayRef<MaybeDim> kernel);

/// How many positions the window takes along an axis of `size`. With `ceilMode`
/// windows may reach over the end, but not start there.
llvm::Expected<MaybeDim> windowPositions(const Node &node, const Window &window,
                                         size_t axis, const MaybeDim &size,
                                         bool ceilMode = false);

/// Convolution of operand `input` with the filters of operand `filter`. Blocked
/// layouts pad their channels, which then needn't match.
llvm::Error setConvolution(Node &node, InferContext &ctx, unsigned input,
                           unsigned filter, int onnxElem,
                           bool channelsMatch = true);

/// Pools: a window over the spatial dimensions, and one over them all.
llvm::Error setPool(Node &node, InferContext &ctx, unsigned input, int onnxElem,
                    bool channelsLast = false);
llvm::Error setGlobalPool(Node &node, InferContext &ctx, unsigned input,
                          int onnxElem, bool channelsLast = false);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_OPS_WINDOW_H
