//===- TensorData.h - the declared and the stored size of tensors -*- C++
//-*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_TENSORDATA_H
#define ROOFLINE_LIB_IMPORT_ONNX_TENSORDATA_H

#include "Graph.h"

namespace roofline::onnx_import {

/// The number of values a tensor's dims declare. Dims must not be negative.
Int declaredElements(const onnx::TensorProto &tensor);
/// Their packed size; nothing for strings and unknown types.
std::optional<Int> declaredBytes(const onnx::TensorProto &tensor);
/// The size of the payload in the file itself, also of one that was dropped
/// when the file was read; nothing for strings and where it isn't known. 0
/// where there is no payload.
std::optional<uint64_t> storedBytes(const onnx::TensorProto &tensor);

/// Where a tensor's data lies outside the file.
struct ExternalLocation {
  llvm::StringRef path;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};
std::optional<ExternalLocation>
externalLocation(const onnx::TensorProto &tensor);

/// Any 64-bit size as an exact integer.
Int toInt(uint64_t value);

/// "500x500 f32".
std::string typeText(const onnx::TensorProto &tensor);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_TENSORDATA_H
