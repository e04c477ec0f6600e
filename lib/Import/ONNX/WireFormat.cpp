//===- WireFormat.cpp - protobuf bytes without tensor payloads ------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WireFormat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace roofline::onnx_import;

namespace {

/// The messages of onnx.proto that may hold a tensor somewhere inside.
enum class Kind { Model, Graph, Node, Attribute, Function, Tensor, Sparse };

StringRef describe(Kind kind) {
  switch (kind) {
  case Kind::Model:
    return "the model";
  case Kind::Graph:
    return "a graph";
  case Kind::Node:
    return "a node";
  case Kind::Attribute:
    return "an attribute";
  case Kind::Function:
    return "a function";
  case Kind::Tensor:
    return "a tensor";
  case Kind::Sparse:
    return "a sparse tensor";
  }
  return "";
}

enum WireType : unsigned { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// TensorProto's fields that matter here.
namespace tensor {
enum Field : unsigned {
  DataType = 2,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  RawData = 9,
  DoubleData = 10,
  Uint64Data = 11,
  DocString = 12,
};
} // namespace tensor

/// One field of a message: where it lies and where its content does.
struct Field {
  unsigned number;
  unsigned wire;
  uint64_t begin;   ///< of the tag
  uint64_t content; ///< of the value, after a length
  uint64_t end;
  uint64_t lengthAt = 0; ///< of the length, for Bytes
  uint64_t value = 0;    ///< of a varint
  uint64_t size() const { return end - content; }
};

/// What kind of message a field holds, where that one is walked, too.
std::optional<Kind> childKind(Kind kind, unsigned field) {
  switch (kind) {
  case Kind::Model:
    if (field == 7)
      return Kind::Graph;
    if (field == 25)
      return Kind::Function;
    return std::nullopt;
  case Kind::Graph:
    if (field == 1)
      return Kind::Node;
    if (field == 5)
      return Kind::Tensor;
    if (field == 15)
      return Kind::Sparse;
    return std::nullopt;
  case Kind::Node:
    if (field == 5)
      return Kind::Attribute;
    return std::nullopt;
  case Kind::Attribute:
    if (field == 5 || field == 10)
      return Kind::Tensor;
    if (field == 6 || field == 11)
      return Kind::Graph;
    if (field == 22 || field == 23)
      return Kind::Sparse;
    return std::nullopt;
  case Kind::Function:
    if (field == 7)
      return Kind::Node;
    if (field == 11)
      return Kind::Attribute;
    return std::nullopt;
  case Kind::Sparse:
    if (field == 1 || field == 2)
      return Kind::Tensor;
    return std::nullopt;
  case Kind::Tensor:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Text and blobs that nothing here reads. Small ones stay: dropping one makes
/// a copy of all the rest.
bool isBallast(Kind kind, const Field &field) {
  if (field.wire != Bytes || field.size() <= maxKeptBytes)
    return false;
  switch (kind) {
  case Kind::Model: // doc_string, metadata_props, training_info
    return field.number == 6 || field.number == 14 || field.number == 20;
  case Kind::Graph: // doc_string, metadata_props
    return field.number == 10 || field.number == 16;
  case Kind::Node: // doc_string, metadata_props
    return field.number == 6 || field.number == 9;
  case Kind::Attribute: // doc_string; s: a compiled blob
    return field.number == 13 ||
           (field.number == 4 && field.size() > maxKeptIntegerBytes);
  case Kind::Function: // doc_string, metadata_props
    return field.number == 8 || field.number == 14;
  case Kind::Tensor:
  case Kind::Sparse:
    return false;
  }
  return false;
}

bool isPayload(unsigned field) {
  switch (field) {
  case tensor::FloatData:
  case tensor::Int32Data:
  case tensor::StringData:
  case tensor::Int64Data:
  case tensor::RawData:
  case tensor::DoubleData:
  case tensor::Uint64Data:
    return true;
  default:
    return false;
  }
}

Error invalid(const Twine &detail) {
  return createStringError("not an ONNX model: invalid protobuf (" + detail +
                           ")");
}

/// Counts a tensor's payload while its fields pass by.
class PayloadSize {
public:
  explicit PayloadSize(StringRef bytes) : bytes(bytes) {}

  void add(const Field &field) {
    if (field.number == tensor::DataType && field.wire == Varint)
      dataType = static_cast<int>(field.value);
    if (!isPayload(field.number))
      return;
    encoded += field.end - field.begin;
    switch (field.number) {
    case tensor::Int32Data:
      addVarints(field, int32Count);
      break;
    case tensor::Int64Data:
    case tensor::Uint64Data:
      addVarints(field, int64Count);
      break;
    case tensor::StringData:
      known = false; // their bytes say nothing about their number
      break;
    default:
      plain += field.size();
    }
  }

  bool isBig() const {
    bool isInteger = dataType == 6 || dataType == 7; // INT32, INT64
    return encoded > (isInteger ? maxKeptIntegerBytes : maxKeptBytes);
  }

  /// Decimal, or empty where it isn't known.
  std::string text() {
    for (auto &[begin, end, count] : packed) {
      if (end - begin > maxCountedVarints)
        return "";
      for (char c : bytes.slice(begin, end))
        *count += !(c & 0x80);
    }
    if (!known)
      return "";
    return utostr(plain + int32Count * bytesPerInt32Entry() +
                  int64Count * (dataType == 12 /*UINT32*/ ? 4 : 8));
  }

private:
  /// Counting varints reads them all.
  static constexpr uint64_t maxCountedVarints = 64 << 20;

  struct Run {
    uint64_t begin, end;
    uint64_t *count;
  };

  void addVarints(const Field &field, uint64_t &count) {
    if (field.wire == Varint)
      ++count;
    else
      packed.push_back({field.content, field.end, &count});
  }

  /// int32_data holds narrow types, too: one value an entry, 4-bit ones two.
  uint64_t bytesPerInt32Entry() const {
    switch (dataType) {
    case 6: // INT32
      return 4;
    case 4:  // UINT16
    case 5:  // INT16
    case 10: // FLOAT16
    case 16: // BFLOAT16
      return 2;
    default:
      return 1;
    }
  }

  StringRef bytes;
  int dataType = 0;
  uint64_t encoded = 0, plain = 0, int32Count = 0, int64Count = 0;
  SmallVector<Run, 4> packed;
  bool known = true;
};

/// Copies with ranges left out. A message's length is only written anew where
/// something inside it was dropped, as a varint padded to five bytes, so that
/// it can be filled in at the message's end.
class Copier {
public:
  explicit Copier(StringRef bytes) : bytes(bytes) {}

  void open(const Field &field) { messages.push_back({&field}); }

  void drop(uint64_t begin, uint64_t end) {
    reopenMessages();
    copyUpTo(begin);
    cursor = end;
  }

  /// Adds text at `at`, inside the innermost message.
  void insert(uint64_t at, StringRef text) {
    reopenMessages();
    copyUpTo(at);
    out += text;
  }

  /// Closes the innermost message; false where it got too long to be encoded.
  bool close() {
    Message message = messages.pop_back_val();
    if (!message.lengthAt)
      return true;
    copyUpTo(message.field->end);
    uint64_t length = out.size() - (*message.lengthAt + lengthBytes);
    if (length > INT32_MAX)
      return false;
    for (unsigned i = 0; i < lengthBytes; ++i) {
      bool last = i + 1 == lengthBytes;
      out[*message.lengthAt + i] =
          static_cast<char>((length & 0x7f) | (last ? 0 : 0x80));
      length >>= 7;
    }
    return true;
  }

  std::optional<std::string> finish() {
    if (!changed)
      return std::nullopt;
    copyUpTo(bytes.size());
    return std::move(out);
  }

private:
  static constexpr unsigned lengthBytes = 5;

  struct Message {
    const Field *field;
    std::optional<size_t> lengthAt = std::nullopt; ///< in `out`, once changed
  };

  void copyUpTo(uint64_t end) {
    out += bytes.slice(cursor, end);
    cursor = end;
  }

  /// Makes the lengths of all open messages changeable.
  void reopenMessages() {
    changed = true;
    size_t first = messages.size();
    while (first > 0 && !messages[first - 1].lengthAt)
      --first;
    for (Message &message : MutableArrayRef(messages).drop_front(first)) {
      copyUpTo(message.field->lengthAt);
      message.lengthAt = out.size();
      out.append(lengthBytes, '\0');
      cursor = message.field->content;
    }
  }

  StringRef bytes;
  std::string out;
  uint64_t cursor = 0; ///< up to here, `bytes` was copied or dropped
  bool changed = false;
  SmallVector<Message, 16> messages;
};

class Stripper {
public:
  explicit Stripper(StringRef bytes) : bytes(bytes), copier(bytes) {}

  Expected<std::optional<std::string>> run() {
    if (Error error = walk(Kind::Model, 0, bytes.size(), 0))
      return std::move(error);
    return copier.finish();
  }

private:
  bool readVarint(uint64_t &at, uint64_t end, uint64_t &value) const {
    value = 0;
    for (unsigned shift = 0; shift < 64 && at < end; shift += 7) {
      uint8_t byte = bytes[at++];
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        return true;
    }
    return false;
  }

  Error overrun(Kind kind, uint64_t end) const {
    if (end == bytes.size())
      return createStringError("the file ends in the middle of " +
                               describe(kind) + ": truncated or corrupt");
    return invalid("a field reaches beyond the end of " + describe(kind));
  }

  Expected<Field> readField(Kind kind, uint64_t at, uint64_t end) const {
    Field field;
    field.begin = at;
    uint64_t tag = 0;
    if (!readVarint(at, end, tag))
      return overrun(kind, end);
    field.wire = tag & 7;
    field.number = static_cast<unsigned>(tag >> 3);
    if (field.number == 0 || tag > UINT32_MAX)
      return invalid("a field without a number in " + describe(kind));
    field.content = at;
    uint64_t size = 0;
    switch (field.wire) {
    case Varint:
      if (!readVarint(at, end, field.value))
        return overrun(kind, end);
      break;
    case Fixed64:
      size = 8;
      break;
    case Fixed32:
      size = 4;
      break;
    case Bytes:
      field.lengthAt = at;
      if (!readVarint(at, end, size))
        return overrun(kind, end);
      field.content = at;
      break;
    default:
      return invalid("wire type " + Twine(field.wire) + " in " +
                     describe(kind));
    }
    if (size > end - at)
      return overrunField(kind, field, end);
    field.end = at + size;
    return field;
  }

  /// The model's own fields reach beyond a file that was cut off.
  Error overrunField(Kind kind, const Field &field, uint64_t end) const {
    if (kind == Kind::Model && field.wire == Bytes)
      if (std::optional<Kind> child = childKind(kind, field.number))
        return overrun(*child, end);
    return overrun(kind, end);
  }

  Error walk(Kind kind, uint64_t at, uint64_t end, unsigned nesting) {
    if (kind == Kind::Graph && nesting > maxGraphNesting)
      return createStringError(
          "graphs nest deeper than the limit of " + Twine(maxGraphNesting) +
          " levels (branches and loop bodies inside each other)");
    if (kind == Kind::Tensor)
      return walkTensor(at, end);
    while (at < end) {
      Expected<Field> field = readField(kind, at, end);
      if (!field)
        return field.takeError();
      at = field->end;
      if (isBallast(kind, *field)) {
        copier.drop(field->begin, field->end);
        continue;
      }
      if (Error error = walkChild(kind, *field, nesting))
        return error;
    }
    return Error::success();
  }

  Error walkChild(Kind kind, const Field &field, unsigned nesting) {
    std::optional<Kind> child = childKind(kind, field.number);
    if (!child)
      return Error::success();
    if (field.wire != Bytes)
      return invalid("wire type " + Twine(field.wire) + " for " +
                     describe(*child));
    copier.open(field);
    if (Error error = walk(*child, field.content, field.end,
                           nesting + (kind == Kind::Attribute)))
      return error;
    if (!copier.close())
      return createStringError("too large: more than 2 GB without weights");
    return Error::success();
  }

  Error walkTensor(uint64_t begin, uint64_t end) {
    PayloadSize payload(bytes);
    for (uint64_t at = begin; at < end;) {
      Expected<Field> field = readField(Kind::Tensor, at, end);
      if (!field)
        return field.takeError();
      at = field->end;
      payload.add(*field);
    }
    if (!payload.isBig())
      return Error::success();
    for (uint64_t at = begin; at < end;) {
      Field field = cantFail(readField(Kind::Tensor, at, end));
      at = field.end;
      if (isPayload(field.number))
        copier.drop(field.begin, field.end);
    }
    copier.insert(end, storedBytesEntry(payload.text()));
    return Error::success();
  }

  /// external_data { key: "rl.stored_bytes" value: SIZE }, encoded.
  static std::string storedBytesEntry(StringRef size) {
    auto text = [](unsigned field, StringRef value) {
      return std::string{static_cast<char>(field << 3 | Bytes),
                         static_cast<char>(value.size())} +
             value.str();
    };
    return text(13, text(1, storedBytesKey) + text(2, size));
  }

  StringRef bytes;
  Copier copier;
};

} // namespace

Expected<std::optional<std::string>>
roofline::onnx_import::stripPayloads(StringRef bytes) {
  return Stripper(bytes).run();
}
