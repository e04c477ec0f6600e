//===- ONNXTensors.cpp - tensors that ONNX files hold ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/ONNXTensors.h"
#include "mlir/IR/BuiltinTypes.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>

using namespace llvm;
using onnx::TensorProto;

namespace roofline::runtime {

/// The types that rl has for them; null for strings and unknown ones.
static mlir::Type elementType(int dataType, mlir::MLIRContext *context) {
  auto integer = [&](unsigned bits, bool isUnsigned) -> mlir::Type {
    return mlir::IntegerType::get(context, bits,
                                  isUnsigned ? mlir::IntegerType::Unsigned
                                             : mlir::IntegerType::Signless);
  };
  switch (dataType) {
  case TensorProto::FLOAT:
    return mlir::Float32Type::get(context);
  case TensorProto::DOUBLE:
    return mlir::Float64Type::get(context);
  case TensorProto::FLOAT16:
    return mlir::Float16Type::get(context);
  case TensorProto::BFLOAT16:
    return mlir::BFloat16Type::get(context);
  case TensorProto::FLOAT8E4M3FN:
    return mlir::Float8E4M3FNType::get(context);
  case TensorProto::FLOAT8E4M3FNUZ:
    return mlir::Float8E4M3FNUZType::get(context);
  case TensorProto::FLOAT8E5M2:
    return mlir::Float8E5M2Type::get(context);
  case TensorProto::FLOAT8E5M2FNUZ:
    return mlir::Float8E5M2FNUZType::get(context);
  case TensorProto::FLOAT8E8M0:
    return mlir::Float8E8M0FNUType::get(context);
  case TensorProto::FLOAT4E2M1:
    return mlir::Float4E2M1FNType::get(context);
  case TensorProto::BOOL:
    return integer(1, false);
  case TensorProto::INT2:
    return integer(2, false);
  case TensorProto::INT4:
    return integer(4, false);
  case TensorProto::INT8:
    return integer(8, false);
  case TensorProto::INT16:
    return integer(16, false);
  case TensorProto::INT32:
    return integer(32, false);
  case TensorProto::INT64:
    return integer(64, false);
  case TensorProto::UINT2:
    return integer(2, true);
  case TensorProto::UINT4:
    return integer(4, true);
  case TensorProto::UINT8:
    return integer(8, true);
  case TensorProto::UINT16:
    return integer(16, true);
  case TensorProto::UINT32:
    return integer(32, true);
  case TensorProto::UINT64:
    return integer(64, true);
  case TensorProto::COMPLEX64:
    return mlir::ComplexType::get(mlir::Float32Type::get(context));
  case TensorProto::COMPLEX128:
    return mlir::ComplexType::get(mlir::Float64Type::get(context));
  default:
    return {};
  }
}

static Error sizeError(const TensorProto &tensor) {
  return createStringError("tensor '" + tensor.name() +
                           "' stores another number of bytes than its shape "
                           "and type say");
}

/// Elements of less than a byte lie several to one, low bits first; in memory
/// each takes one, whose other bits are 0, signed or not: LLVM loads them so.
static void unpack(StringRef packed, unsigned bits, int64_t count, char *out) {
  unsigned perByte = 8 / bits;
  for (int64_t i = 0; i < count; ++i) {
    unsigned value = uint8_t(packed[i / perByte]) >> (i % perByte * bits);
    out[i] = char(value & ((1u << bits) - 1));
  }
}

static Error fillFromBytes(const TensorProto &proto, StringRef bytes,
                           Tensor &tensor) {
  mlir::Type element = tensor.type().getElementType();
  unsigned bits = isa<mlir::ComplexType>(element)
                      ? 8 * storageBytes(element)
                      : element.getIntOrFloatBitWidth();
  if (bits < 8 && bits > 1) {
    if (bytes.size() != divideCeil(tensor.elementCount() * bits, 8))
      return sizeError(proto);
    unpack(bytes, bits, tensor.elementCount(), tensor.data());
    return Error::success();
  }
  if (bytes.size() != tensor.byteSize())
    return sizeError(proto);
  std::memcpy(tensor.data(), bytes.data(), bytes.size());
  return Error::success();
}

/// The typed fields keep narrow elements in wider ones, one each but for those
/// of less than a byte.
template <typename Field>
static Error fillFromField(const TensorProto &proto, const Field &field,
                           Tensor &tensor) {
  mlir::Type element = tensor.type().getElementType();
  if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() < 8 &&
      element.getIntOrFloatBitWidth() > 1) {
    std::string bytes;
    for (auto value : field)
      bytes.push_back(char(value));
    return fillFromBytes(proto, bytes, tensor);
  }
  unsigned size = storageBytes(element);
  int64_t perElement = isa<mlir::ComplexType>(element) ? 2 : 1;
  if (field.size() != tensor.elementCount() * perElement)
    return sizeError(proto);
  char *out = tensor.data();
  for (auto value : field) {
    std::memcpy(out, &value, size / perElement); // little-endian hosts
    out += size / perElement;
  }
  return Error::success();
}

static Expected<std::string> externalBytes(const TensorProto &proto,
                                           StringRef folder) {
  std::string location;
  uint64_t offset = 0, length = 0;
  for (const auto &entry : proto.external_data()) {
    if (entry.key() == "location")
      location = entry.value();
    else if (entry.key() == "offset")
      (void)StringRef(entry.value()).getAsInteger(10, offset);
    else if (entry.key() == "length")
      (void)StringRef(entry.value()).getAsInteger(10, length);
  }
  SmallString<128> path(folder), root, real;
  sys::path::append(path, location);
  if (sys::path::is_absolute(location) ||
      sys::fs::real_path(folder.empty() ? "." : folder, root) ||
      sys::fs::real_path(path, real) || !StringRef(real).starts_with(root))
    return std::string(); // absent, or refused
  auto buffer = MemoryBuffer::getFile(real, false, false);
  if (!buffer)
    return std::string();
  StringRef bytes = (*buffer)->getBuffer();
  if (offset > bytes.size())
    return std::string();
  bytes = bytes.drop_front(offset);
  return (length ? bytes.take_front(length) : bytes).str();
}

static Error fill(const TensorProto &proto, StringRef folder, Tensor &tensor) {
  if (proto.data_location() == TensorProto::EXTERNAL) {
    Expected<std::string> bytes = externalBytes(proto, folder);
    if (!bytes)
      return bytes.takeError();
    return fillFromBytes(proto, *bytes, tensor);
  }
  if (proto.has_raw_data())
    return fillFromBytes(proto, proto.raw_data(), tensor);
  switch (proto.data_type()) {
  case TensorProto::FLOAT:
  case TensorProto::COMPLEX64:
    return fillFromField(proto, proto.float_data(), tensor);
  case TensorProto::DOUBLE:
  case TensorProto::COMPLEX128:
    return fillFromField(proto, proto.double_data(), tensor);
  case TensorProto::INT64:
    return fillFromField(proto, proto.int64_data(), tensor);
  case TensorProto::UINT32:
  case TensorProto::UINT64:
    return fillFromField(proto, proto.uint64_data(), tensor);
  default:
    return fillFromField(proto, proto.int32_data(), tensor);
  }
}

static Expected<mlir::RankedTensorType> typeOf(const TensorProto &proto,
                                               mlir::MLIRContext *context) {
  mlir::Type element = elementType(proto.data_type(), context);
  if (!element)
    return createStringError("tensor '" + proto.name() +
                             "' has elements that aren't numbers");
  SmallVector<int64_t> shape;
  for (int64_t dim : proto.dims()) {
    if (dim < 0)
      return createStringError("tensor '" + proto.name() +
                               "' has a negative dimension");
    shape.push_back(dim);
  }
  return mlir::RankedTensorType::get(shape, element);
}

/// Whether the file holds as much as the shape says: what it only claims is
/// never allocated.
static bool holdsItsData(const TensorProto &proto,
                         mlir::RankedTensorType type) {
  if (proto.data_location() == TensorProto::EXTERNAL)
    return true;
  uint64_t stored = proto.raw_data().size() + proto.float_data_size() +
                    proto.double_data_size() + proto.int32_data_size() +
                    proto.int64_data_size() + proto.uint64_data_size();
  // At the least two bits an element.
  uint64_t elements = 1;
  for (int64_t dim : type.getShape())
    elements = SaturatingMultiply<uint64_t>(elements, uint64_t(dim));
  return elements / 4 <= stored;
}

Expected<Tensor> readTensorProto(StringRef bytes, mlir::MLIRContext *context) {
  TensorProto proto;
  if (!proto.ParseFromArray(bytes.data(), int(bytes.size())))
    return createStringError("no ONNX tensor");
  Expected<mlir::RankedTensorType> type = typeOf(proto, context);
  if (!type)
    return type.takeError();
  if (!holdsItsData(proto, *type))
    return sizeError(proto);
  Expected<Tensor> tensor = Tensor::create(*type);
  if (!tensor)
    return tensor;
  if (Error error = fill(proto, "", *tensor))
    return std::move(error);
  return tensor;
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

static StringRef kindOf(const onnx::ValueInfoProto &info) {
  switch (info.type().value_case()) {
  case onnx::TypeProto::kSequenceType:
    return "sequence";
  case onnx::TypeProto::kOptionalType:
    return "optional";
  case onnx::TypeProto::kMapType:
    return "map";
  case onnx::TypeProto::kSparseTensorType:
    return "sparse tensor";
  default:
    return "tensor";
  }
}

ValueKinds readValueKinds(StringRef bytes) {
  ValueKinds kinds;
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), int(bytes.size())))
    return kinds;
  StringSet<> initializers;
  for (const TensorProto &tensor : model.graph().initializer())
    initializers.insert(tensor.name());
  for (const onnx::ValueInfoProto &input : model.graph().input())
    if (!initializers.contains(input.name()))
      kinds.inputs.push_back(kindOf(input));
  for (const onnx::ValueInfoProto &output : model.graph().output())
    kinds.outputs.push_back(kindOf(output));
  return kinds;
}

//===----------------------------------------------------------------------===//
// ONNXWeights
//===----------------------------------------------------------------------===//

struct ONNXWeights::Impl {
  onnx::ModelProto model;
  std::string folder;
  StringMap<const TensorProto *> tensors;

  void collect(const onnx::GraphProto &graph) {
    for (const TensorProto &tensor : graph.initializer())
      tensors.try_emplace(tensor.name(), &tensor);
    for (const onnx::NodeProto &node : graph.node())
      for (const onnx::AttributeProto &attribute : node.attribute()) {
        if (attribute.has_g())
          collect(attribute.g());
        if (node.op_type() == "Constant" && attribute.has_t() &&
            node.output_size() == 1)
          tensors.try_emplace(node.output(0), &attribute.t());
      }
  }
};

ONNXWeights::ONNXWeights() : impl(std::make_unique<Impl>()) {}
ONNXWeights::~ONNXWeights() = default;

Expected<std::unique_ptr<ONNXWeights>> ONNXWeights::read(StringRef bytes,
                                                         StringRef folder) {
  std::unique_ptr<ONNXWeights> weights(new ONNXWeights);
  weights->impl->folder = folder.str();
  if (bytes.size() > size_t(INT32_MAX) ||
      !weights->impl->model.ParseFromArray(bytes.data(), int(bytes.size())))
    return createStringError("its weights can't be read");
  weights->impl->collect(weights->impl->model.graph());
  return weights;
}

Expected<Tensor> ONNXWeights::load(StringRef name,
                                   mlir::RankedTensorType type) const {
  const TensorProto *proto = impl->tensors.lookup(name);
  if (!proto || !holdsItsData(*proto, type))
    return Tensor();
  Expected<Tensor> tensor = Tensor::create(type);
  if (!tensor)
    return tensor;
  if (Error error = fill(*proto, impl->folder, *tensor)) {
    consumeError(std::move(error));
    return Tensor();
  }
  return tensor;
}

} // namespace roofline::runtime
