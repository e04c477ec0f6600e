//===- Decompress.cpp - files compressed by gzip --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::compression::zlib reads zlib's own frame only, so zlib is asked itself;
// LLVM links it anyway.
//
//===----------------------------------------------------------------------===//

#include "Decompress.h"
#include "llvm/ADT/ScopeExit.h"
#include <zlib.h>

using namespace llvm;

namespace roofline::profile {

/// A trace is a few hundred megabytes at most; more is no profile, and may be
/// made to fill the memory.
static constexpr size_t largest = size_t(4) << 30;

bool isGzip(StringRef bytes) { return bytes.starts_with("\x1f\x8b"); }

Expected<std::string> gunzip(StringRef bytes) {
  z_stream stream = {};
  constexpr int gzipFrame = 16 + MAX_WBITS;
  if (inflateInit2(&stream, gzipFrame) != Z_OK)
    return createStringError("zlib can't be started");
  scope_exit end([&] { inflateEnd(&stream); });
  std::string text;
  constexpr size_t chunk = size_t(1) << 20;
  auto *next = reinterpret_cast<const Bytef *>(bytes.data());
  stream.next_in = const_cast<Bytef *>(next); // zlib doesn't write to it
  size_t left = bytes.size(), filled = 0;
  while (true) {
    if (stream.avail_in == 0) {
      stream.avail_in = std::min<size_t>(left, chunk);
      left -= stream.avail_in;
    }
    if (filled == text.size())
      text.resize(std::max(text.size() * 2, 4 * chunk));
    size_t room = std::min<size_t>(text.size() - filled, UINT32_MAX);
    stream.next_out = reinterpret_cast<Bytef *>(text.data() + filled);
    stream.avail_out = room;
    int status = inflate(&stream, Z_NO_FLUSH);
    filled += room - stream.avail_out;
    if (filled > largest)
      return createStringError("more than 4 GiB once decompressed");
    bool atEnd = stream.avail_in == 0 && left == 0;
    if (status == Z_STREAM_END) {
      bool isMember = !atEnd && stream.next_in[0] == 0x1f;
      if (!isMember)
        break; // what may follow is padding
      inflateReset(&stream);
    } else if (status != Z_OK) {
      return createStringError(
          atEnd ? "the gzip data ends too early"
                : std::string("damaged gzip data") +
                      (stream.msg ? std::string(": ") + stream.msg : ""));
    }
  }
  text.resize(filled);
  return text;
}

} // namespace roofline::profile
