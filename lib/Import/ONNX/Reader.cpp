//===- Reader.cpp - a model without its weights ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "TextForm.h"
#include "WireFormat.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/stubs/logging.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

static bool isMLIRBytecode(StringRef bytes) {
  return bytes.starts_with("ML\xefR");
}

/// Whether text starts as a module of MLIR does.
static bool looksLikeMLIRText(StringRef text) {
  text = text.ltrim();
  while (text.consume_front("//"))
    text = text.drop_until([](char c) { return c == '\n'; }).ltrim();
  if (text.starts_with("!") || text.starts_with("\"") ||
      text.starts_with("{-#"))
    return true;
  if (text.consume_front("#")) { // an alias; ONNX's comments begin so too
    StringRef rest = text.drop_while([](char c) {
      return isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
    });
    return rest.size() < text.size() && rest.ltrim(" \t").starts_with("=");
  }
  return any_of(
      ArrayRef<StringRef>{"module", "func", "builtin.module", "func.func"},
      [&](StringRef keyword) {
        StringRef rest = text;
        return rest.consume_front(keyword) &&
               (rest.starts_with(" ") || rest.starts_with("{") ||
                rest.starts_with("\n"));
      });
}

bool roofline::looksLikeONNX(StringRef bytes, StringRef name) {
  bool named = name.ends_with(".onnx") || name.ends_with(".onnxtxt");
  if (isMLIRBytecode(bytes))
    return false;
  if (bytes.empty())
    return named;
  if (!isText(bytes))
    return true;
  if (looksLikeMLIRText(bytes))
    return false;
  return named || looksLikeTextForm(bytes);
}

static Error parseBinary(StringRef bytes, onnx::ModelProto &model) {
  Expected<std::optional<std::string>> stripped = stripPayloads(bytes);
  if (!stripped)
    return stripped.takeError();
  StringRef encoded = *stripped ? StringRef(**stripped) : bytes;
  if (encoded.size() > INT32_MAX)
    return createStringError("too large: more than 2 GB without weights");
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(encoded.data()),
      static_cast<int>(encoded.size()));
  stream.SetTotalBytesLimit(INT32_MAX);
  // A graph in a graph is three messages deeper; types and shapes need a few.
  stream.SetRecursionLimit(3 * (maxGraphNesting + 1) + 20);
  if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    return createStringError("not an ONNX model: invalid protobuf");
  return Error::success();
}

/// What every model has.
static Error checkHeader(const onnx::ModelProto &model) {
  if (model.has_ir_version() &&
      (model.ir_version() < 1 || model.ir_version() > 1000))
    return createStringError("not an ONNX model: IR version " +
                             Twine(model.ir_version()));
  if (!model.has_graph())
    return createStringError("not an ONNX model: no graph in it");
  if (model.opset_import().empty())
    return createStringError(
        "the model imports no opset, so its ops have no meaning");
  return Error::success();
}

Expected<std::shared_ptr<onnx::ModelProto>>
roofline::onnx_import::readModel(StringRef bytes, StringRef name) {
  // protobuf prints to standard error by itself.
  static const bool silenced [[maybe_unused]] =
      (google::protobuf::SetLogHandler(nullptr), true);

  if (bytes.trim().empty())
    return createStringError("the file is empty");
  google::protobuf::ArenaOptions options;
  options.start_block_size = 64 << 10;
  options.max_block_size = 1 << 20;
  auto arena = std::make_shared<google::protobuf::Arena>(options);
  auto *proto =
      google::protobuf::Arena::CreateMessage<onnx::ModelProto>(arena.get());
  std::shared_ptr<onnx::ModelProto> model(arena, proto);

  if (isMLIRBytecode(bytes))
    return createStringError("not an ONNX model: MLIR bytecode");
  if (bytes.starts_with("version https://git-lfs"))
    return createStringError("not an ONNX model: a Git LFS pointer to one; "
                             "`git lfs pull` brings the model itself");
  if (isText(bytes)) {
    if (!looksLikeTextForm(bytes) && !name.ends_with(".onnxtxt"))
      return createStringError("not an ONNX model: plain text");
    if (Error error = parseTextForm(bytes, *model))
      return std::move(error);
  } else if (Error error = parseBinary(bytes, *model)) {
    return std::move(error);
  }
  if (Error error = checkHeader(*model))
    return std::move(error);
  return model;
}
