//===- TensorData.cpp - the declared and the stored size of tensors -------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorData.h"
#include "WireFormat.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

ElementType roofline::onnx_import::elementTypeOf(int onnxDataType) {
  using Proto = onnx::TensorProto;
  switch (onnxDataType) {
  case Proto::FLOAT:
    return ElementType::F32;
  case Proto::UINT8:
    return ElementType::U8;
  case Proto::INT8:
    return ElementType::I8;
  case Proto::UINT16:
    return ElementType::U16;
  case Proto::INT16:
    return ElementType::I16;
  case Proto::INT32:
    return ElementType::I32;
  case Proto::INT64:
    return ElementType::I64;
  case Proto::STRING:
    return ElementType::String;
  case Proto::BOOL:
    return ElementType::Bool;
  case Proto::FLOAT16:
    return ElementType::F16;
  case Proto::DOUBLE:
    return ElementType::F64;
  case Proto::UINT32:
    return ElementType::U32;
  case Proto::UINT64:
    return ElementType::U64;
  case Proto::COMPLEX64:
    return ElementType::C64;
  case Proto::COMPLEX128:
    return ElementType::C128;
  case Proto::BFLOAT16:
    return ElementType::BF16;
  case Proto::FLOAT8E4M3FN:
  case Proto::FLOAT8E4M3FNUZ:
    return ElementType::F8E4M3;
  case Proto::FLOAT8E5M2:
  case Proto::FLOAT8E5M2FNUZ:
    return ElementType::F8E5M2;
  case Proto::UINT4:
    return ElementType::U4;
  case Proto::INT4:
    return ElementType::I4;
  case Proto::FLOAT4E2M1:
    return ElementType::F4E2M1;
  case Proto::FLOAT8E8M0:
    return ElementType::F8E8M0;
  case Proto::UINT2:
    return ElementType::U2;
  case Proto::INT2:
    return ElementType::I2;
  case Proto::FLOAT6E2M3:
    return ElementType::F6E2M3;
  case Proto::FLOAT6E3M2:
    return ElementType::F6E3M2;
  default:
    return ElementType::Unknown;
  }
}

Int roofline::onnx_import::declaredElements(const onnx::TensorProto &tensor) {
  Int count = Int(1);
  for (int64_t dim : tensor.dims())
    count *= Int(dim);
  return count;
}

std::optional<Int>
roofline::onnx_import::declaredBytes(const onnx::TensorProto &tensor) {
  std::optional<unsigned> bits = bitWidth(elementTypeOf(tensor.data_type()));
  if (!bits)
    return std::nullopt;
  return ceilDiv(declaredElements(tensor) * Int(*bits), Int(8));
}

/// int32_data holds narrow types, too: one value an entry, 4-bit ones two.
static uint64_t bytesPerInt32Entry(int dataType) {
  switch (dataType) {
  case onnx::TensorProto::INT32:
    return 4;
  case onnx::TensorProto::UINT16:
  case onnx::TensorProto::INT16:
  case onnx::TensorProto::FLOAT16:
  case onnx::TensorProto::BFLOAT16:
    return 2;
  default:
    return 1;
  }
}

std::optional<uint64_t>
roofline::onnx_import::storedBytes(const onnx::TensorProto &tensor) {
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    if (StringRef(entry.key()) != storedBytesKey)
      continue;
    uint64_t size;
    if (!to_integer(entry.value(), size, 10))
      return std::nullopt;
    return size;
  }
  if (tensor.string_data_size() > 0)
    return std::nullopt;
  uint64_t wide = tensor.data_type() == onnx::TensorProto::UINT32 ? 4 : 8;
  return tensor.raw_data().size() + 4 * uint64_t(tensor.float_data_size()) +
         8 * uint64_t(tensor.double_data_size()) +
         bytesPerInt32Entry(tensor.data_type()) *
             uint64_t(tensor.int32_data_size()) +
         8 * uint64_t(tensor.int64_data_size()) +
         wide * uint64_t(tensor.uint64_data_size());
}

std::optional<ExternalLocation>
roofline::onnx_import::externalLocation(const onnx::TensorProto &tensor) {
  if (tensor.data_location() != onnx::TensorProto::EXTERNAL)
    return std::nullopt;
  ExternalLocation location;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    StringRef key = entry.key();
    uint64_t number = 0;
    if (key == "location")
      location.path = entry.value();
    else if (key == "offset" && to_integer(entry.value(), number, 10))
      location.offset = number;
    else if (key == "length" && to_integer(entry.value(), number, 10))
      location.length = number;
  }
  return location;
}

Int roofline::onnx_import::toInt(uint64_t value) {
  return Int(APInt(65, value));
}

std::string roofline::onnx_import::typeText(const onnx::TensorProto &tensor) {
  std::string text;
  for (int64_t dim : tensor.dims())
    text += (text.empty() ? "" : "x") + std::to_string(dim);
  text += text.empty() ? "" : " ";
  return text + name(elementTypeOf(tensor.data_type())).str();
}
