//===- EmitWindow.h - windows of convolutions and pools ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_OPS_EMITWINDOW_H
#define ROOFLINE_LIB_IMPORT_ONNX_OPS_EMITWINDOW_H

#include "EmitSupport.h"

namespace roofline::onnx_import {

/// A sliding window over the spatial dimensions, all in numbers.
struct WindowNumbers {
  Ints kernel; ///< empty where a size isn't known
  Ints strides, pads, dilations;
  /// False where auto_pad asks for pads that depend on a size that isn't known.
  bool padsKnown = true;
};

/// Reads the attributes of a node whose input's spatial dimensions start at
/// axis 2. The kernel is that of `kernel_shape`, or of the filter where absent.
/// Nothing where the number of spatial dimensions isn't known, or attributes
/// contradict each other.
std::optional<WindowNumbers> windowOf(const Node &node, const Value *input,
                                      const Value *filter);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_OPS_EMITWINDOW_H
