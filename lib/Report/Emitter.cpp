//===- Emitter.cpp - JSON, fast and exact ---------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace roofline::report {

/// Whether a byte of valid UTF-8 stands for itself in a JSON string.
static bool isPlain(unsigned char c) {
  return c >= 0x20 && c != '"' && c != '\\';
}

/// Whether `text` is ASCII without anything to escape.
static bool isPlain(StringRef text) {
  unsigned odd = 0; // no early exit: the loop vectorises
  for (unsigned char c : text)
    odd |= unsigned(c < 0x20) | unsigned(c >= 0x80) | unsigned(c == '"') |
           unsigned(c == '\\');
  return !odd;
}

void Emitter::escapeByte(char c) {
  static constexpr char hex[] = "0123456789abcdef";
  if (isPlain(c)) {
    put(c);
  } else if (c == '"' || c == '\\') {
    put('\\');
    put(c);
  } else if (c == '\n') {
    put("\\n");
  } else if (c == '\t') {
    put("\\t");
  } else {
    put("\\u00");
    put(hex[(unsigned char)c >> 4]);
    put(hex[c & 15]);
  }
}

void Emitter::escape(StringRef text) {
  if (isPlain(text))
    return put(text);
  std::string repaired;
  if (!json::isUTF8(text))
    text = repaired = json::fixUTF8(text);
  for (char c : text)
    escapeByte(c);
}

} // namespace roofline::report
