//===- ConstantData.cpp - the elements of small stored tensors
//-------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantData.h"
#include "InferContext.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using onnx::TensorProto;

namespace roofline::onnx_import {
namespace {

/// How the elements of a type are stored.
struct Storage {
  unsigned bits;
  enum Kind : uint8_t { Signed, Unsigned, Float, Half, BFloat } kind;
};

std::optional<Storage> storageOf(int dataType) {
  switch (dataType) {
  case TensorProto::BOOL:
  case TensorProto::UINT8:
    return Storage{8, Storage::Unsigned};
  case TensorProto::UINT16:
    return Storage{16, Storage::Unsigned};
  case TensorProto::UINT32:
    return Storage{32, Storage::Unsigned};
  case TensorProto::UINT64:
    return Storage{64, Storage::Unsigned};
  case TensorProto::UINT4:
    return Storage{4, Storage::Unsigned};
  case TensorProto::UINT2:
    return Storage{2, Storage::Unsigned};
  case TensorProto::INT8:
    return Storage{8, Storage::Signed};
  case TensorProto::INT16:
    return Storage{16, Storage::Signed};
  case TensorProto::INT32:
    return Storage{32, Storage::Signed};
  case TensorProto::INT64:
    return Storage{64, Storage::Signed};
  case TensorProto::INT4:
    return Storage{4, Storage::Signed};
  case TensorProto::INT2:
    return Storage{2, Storage::Signed};
  case TensorProto::FLOAT:
    return Storage{32, Storage::Float};
  case TensorProto::DOUBLE:
    return Storage{64, Storage::Float};
  case TensorProto::FLOAT16:
    return Storage{16, Storage::Half};
  case TensorProto::BFLOAT16:
    return Storage{16, Storage::BFloat};
  default:
    return std::nullopt;
  }
}

/// The number of elements where it is at most `limit`.
std::optional<int64_t> countUpTo(const TensorProto &tensor, int64_t limit) {
  int64_t count = 1;
  for (int64_t dim : tensor.dims()) {
    if (dim < 0 || dim > limit)
      return std::nullopt;
    count *= dim;
    if (count > limit)
      return std::nullopt;
  }
  return count;
}

Scalar scalarOf(uint64_t bits, Storage storage) {
  switch (storage.kind) {
  case Storage::Signed:
    return Expr(SignExtend64(bits, storage.bits));
  case Storage::Unsigned:
    if (bits <= uint64_t(INT64_MAX))
      return Expr(int64_t(bits));
    return Expr(Int(APInt(65, bits)));
  case Storage::Float:
    return storage.bits == 64 ? llvm::bit_cast<double>(bits)
                              : double(llvm::bit_cast<float>(uint32_t(bits)));
  case Storage::Half:
    return APFloat(APFloat::IEEEhalf(), APInt(16, bits & 0xffff))
        .convertToDouble();
  case Storage::BFloat:
    return APFloat(APFloat::BFloat(), APInt(16, bits & 0xffff))
        .convertToDouble();
  }
  return {};
}

uint64_t loadLittleEndian(const char *bytes, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= uint64_t(uint8_t(bytes[i])) << (8 * i);
  return value;
}

using Elements = std::vector<Scalar>;

/// Elements packed into bytes, low bits first.
template <typename ByteAt>
void unpack(ByteAt byteAt, int64_t count, Storage storage, Elements &out) {
  unsigned perByte = 8 / storage.bits;
  uint64_t mask = (uint64_t(1) << storage.bits) - 1;
  for (int64_t i = 0; i < count; ++i)
    out.push_back(scalarOf(
        (byteAt(i / perByte) >> (i % perByte * storage.bits)) & mask, storage));
}

bool readRaw(StringRef raw, int64_t count, Storage storage, Elements &out) {
  if (int64_t(raw.size()) != (count * storage.bits + 7) / 8)
    return false;
  if (storage.bits < 8) {
    unpack([&](int64_t i) { return uint8_t(raw[i]); }, count, storage, out);
    return true;
  }
  unsigned size = storage.bits / 8;
  for (int64_t i = 0; i < count; ++i)
    out.push_back(
        scalarOf(loadLittleEndian(raw.data() + i * size, size), storage));
  return true;
}

template <typename Field>
bool readField(const Field &field, int64_t count, Storage storage,
               Elements &out) {
  if (field.size() != count)
    return false;
  for (auto element : field)
    out.push_back(scalarOf(uint64_t(element), storage));
  return true;
}

/// The typed fields of the message: each serves several types.
bool readTyped(const TensorProto &tensor, int64_t count, Storage storage,
               Elements &out) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    if (tensor.float_data_size() != count)
      return false;
    out.assign(tensor.float_data().begin(), tensor.float_data().end());
    return true;
  case TensorProto::DOUBLE:
    if (tensor.double_data_size() != count)
      return false;
    out.assign(tensor.double_data().begin(), tensor.double_data().end());
    return true;
  case TensorProto::INT64:
    return readField(tensor.int64_data(), count, storage, out);
  case TensorProto::UINT32:
  case TensorProto::UINT64:
    return readField(tensor.uint64_data(), count, storage, out);
  default:
    break;
  }
  const auto &field = tensor.int32_data();
  if (storage.bits >= 8)
    return readField(field, count, storage, out);
  if (int64_t(field.size()) != (count * storage.bits + 7) / 8)
    return false;
  unpack([&](int64_t i) { return uint8_t(field.Get(int(i))); }, count, storage,
         out);
  return true;
}

} // namespace

std::shared_ptr<const Constant> decodeTensor(const TensorProto &tensor) {
  std::optional<Storage> storage = storageOf(tensor.data_type());
  if (!storage || tensor.data_location() == TensorProto::EXTERNAL)
    return nullptr;
  bool isInteger =
      storage->kind == Storage::Signed || storage->kind == Storage::Unsigned;
  std::optional<int64_t> count =
      countUpTo(tensor, isInteger ? InferContext::maxFoldedElements
                                  : InferContext::maxFoldedFloats);
  if (!count)
    return nullptr;
  auto constant = std::make_shared<Constant>();
  constant->elements.reserve(*count);
  bool read =
      tensor.has_raw_data()
          ? readRaw(tensor.raw_data(), *count, *storage, constant->elements)
          : readTyped(tensor, *count, *storage, constant->elements);
  return read ? constant : nullptr;
}

} // namespace roofline::onnx_import
