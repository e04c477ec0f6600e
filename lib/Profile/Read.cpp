//===- Read.cpp - reading a profile ---------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Profile/Read.h"
#include "Decompress.h"
#include "Readers.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace roofline::profile {

static constexpr StringLiteral known =
    "onnxruntime's profile (JSON), a Chrome or PyTorch trace (JSON), "
    "Nsight Compute's --csv, Nsight Systems' nsys stats --format csv, "
    "or a file that rl-run measured";

/// An object: a trace with its events in a member, or one of our own files.
static Error readObject(StringRef text, Profile &profile) {
  JSONReader reader(text);
  std::optional<Error> result; // once the file's kind is known
  bool wellFormed = reader.object([&](StringRef key) {
    if (key == "traceEvents") {
      result = readTraceEvents(reader, profile);
      return false; // what follows is of no use, and may be cut off
    }
    JSONToken token;
    if (!reader.value(token))
      return false;
    if (key != "schema")
      return true;
    std::string schema = token.decoded();
    if (StringRef(schema).starts_with("roofline-measured/"))
      result = readMeasured(text, profile);
    else if (StringRef(schema).starts_with("roofline-"))
      result = createStringError("this is a " + schema +
                                 ", not a profile; --measured reads " + known);
    return !result;
  });
  if (result)
    return std::move(*result);
  if (!wellFormed)
    return createStringError("not JSON: " + reader.message());
  return createStringError("an object without traceEvents; --measured reads " +
                           known);
}

static Error readText(StringRef text, Profile &profile) {
  if (text.starts_with("SQLite format 3"))
    return readSQLite(text, profile);
  if (isGzip(text))
    return createStringError("compressed by gzip twice: decompress it once");
  StringRef start = text;
  start.consume_front("\xef\xbb\xbf");
  start = start.ltrim();
  if (start.empty())
    return createStringError("the file is empty");
  if (start.front() == '[') {
    JSONReader reader(start);
    return readTraceEvents(reader, profile);
  }
  if (start.front() == '{')
    return readObject(start, profile);
  return readCSV(text, profile);
}

Expected<Profile> read(MemoryBufferRef buffer) {
  Profile profile;
  profile.file = buffer.getBufferIdentifier().str();
  StringRef text = buffer.getBuffer();
  std::string decompressed;
  auto named = [&](Error error) {
    return createStringError(profile.file + ": " + toString(std::move(error)));
  };
  if (isGzip(text)) {
    Expected<std::string> content = gunzip(text);
    if (!content)
      return named(content.takeError());
    decompressed = std::move(*content);
    text = decompressed;
  }
  if (Error error = readText(text, profile))
    return named(std::move(error));
  return profile;
}

Expected<Profile> readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError(path + ": " + buffer.getError().message());
  return read(**buffer);
}

} // namespace roofline::profile
