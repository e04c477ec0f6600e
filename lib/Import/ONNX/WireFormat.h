//===- WireFormat.h - protobuf bytes without tensor payloads ----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model's weights are most of its file, and protobuf reads all of a message.
// This walks the encoding itself and copies it without the payloads of big
// tensors, in time and memory that go with what is kept: a length is skipped,
// not read, so a mapped file's weight pages are never touched.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_WIREFORMAT_H
#define ROOFLINE_LIB_IMPORT_ONNX_WIREFORMAT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace roofline::onnx_import {

/// Levels of graphs inside graphs (branches and loop bodies) that are read.
/// What walks a graph may recurse this deep.
constexpr unsigned maxGraphNesting = 100;

/// The key of the `external_data` entry that a dropped payload leaves behind.
/// Its value is the size in bytes, or empty where finding it would cost a read
/// of the whole payload.
constexpr llvm::StringLiteral storedBytesKey = "rl.stored_bytes";

/// Integer payloads up to this size are kept, since shapes may depend on them.
constexpr uint64_t maxKeptIntegerBytes = 64 << 10;
/// Other payloads up to this size are kept.
constexpr uint64_t maxKeptBytes = 4 << 10;

/// A copy of an encoded ModelProto without payloads; nothing where there was
/// none to drop. Errors say what is wrong with the encoding.
llvm::Expected<std::optional<std::string>> stripPayloads(llvm::StringRef bytes);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_WIREFORMAT_H
