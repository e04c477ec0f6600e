//===- JSONReader.cpp - JSON read as a stream -----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JSONReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <cmath>

using namespace llvm;

namespace roofline::profile {

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static void appendUTF8(unsigned code, std::string &out) {
  char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *end = bytes;
  if (!ConvertCodePointToUTF8(code, end))
    out += "\xef\xbf\xbd"; // U+FFFD
  out.append(bytes, end);
}

/// The four digits of a \u escape.
static std::optional<unsigned> hexDigits(StringRef text, size_t at) {
  unsigned code;
  if (at + 4 > text.size() || text.substr(at, 4).getAsInteger(16, code))
    return std::nullopt;
  return code;
}

/// Decodes the \u escape whose digits start at `at`, its second half included;
/// moves `at` behind it.
static void decodeUnicode(StringRef text, size_t &at, std::string &out) {
  std::optional<unsigned> code = hexDigits(text, at);
  if (!code) {
    out += "\\u";
    return;
  }
  at += 4;
  bool isHigh = *code >= 0xd800 && *code < 0xdc00;
  if (isHigh && text.substr(at).starts_with("\\u"))
    if (std::optional<unsigned> low = hexDigits(text, at + 2);
        low && *low >= 0xdc00 && *low < 0xe000) {
      code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
      at += 6;
    }
  appendUTF8(*code, out);
}

std::string JSONToken::decoded() const {
  if (kind != String || !text.contains('\\'))
    return text.str();
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    char c = text[at++];
    if (c != '\\' || at == text.size()) {
      out += c;
      continue;
    }
    c = text[at++];
    constexpr StringLiteral codes = "bfnrt", meanings = "\b\f\n\r\t";
    size_t known = codes.find(c);
    if (c == 'u')
      decodeUnicode(text, at, out);
    else
      out += known == StringRef::npos ? c : meanings[known];
  }
  return out;
}

std::optional<int64_t> JSONToken::integer() const {
  int64_t result;
  if (kind == Object || kind == Array)
    return std::nullopt;
  if (!text.getAsInteger(10, result))
    return result;
  std::optional<double> real = number();
  if (real && *real == std::floor(*real) && std::fabs(*real) < 9e18)
    return int64_t(*real);
  return std::nullopt;
}

std::optional<double> JSONToken::number() const {
  double result;
  if (kind == Object || kind == Array || text.getAsDouble(result) ||
      !std::isfinite(result))
    return std::nullopt;
  return result;
}

std::optional<int64_t> microsecondsToNanoseconds(StringRef text) {
  StringRef number = text;
  bool negative = number.consume_front("-");
  auto [whole, fraction] = number.split('.');
  bool isPlain =
      !whole.empty() && all_of(whole, isDigit) && all_of(fraction, isDigit);
  uint64_t microseconds, nanoseconds = 0;
  if (isPlain && !whole.getAsInteger(10, microseconds) &&
      microseconds < uint64_t(INT64_MAX) / 1000 - 1) {
    for (size_t digit = 0; digit < 3; ++digit)
      nanoseconds = nanoseconds * 10 +
                    (digit < fraction.size() ? fraction[digit] - '0' : 0);
    if (fraction.size() > 3 && fraction[3] >= '5')
      ++nanoseconds;
    auto sum = int64_t(microseconds * 1000 + nanoseconds);
    return negative ? -sum : sum;
  }
  double real;
  if (text.empty() || text.getAsDouble(real) || !(std::fabs(real) < 9e15))
    return std::nullopt;
  return std::llround(real * 1000);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

bool JSONReader::fail(const char *cause) {
  if (!error.empty())
    return false;
  size_t line = text.take_front(at).count('\n') + 1;
  error = "line " + std::to_string(line) + ": " + cause;
  return false;
}

char JSONReader::peek() {
  while (at < text.size() && isSpace(text[at]))
    ++at;
  return at < text.size() && error.empty() ? text[at] : 0;
}

bool JSONReader::expect(char c, const char *cause) {
  if (peek() != c)
    return fail(cause);
  ++at;
  return true;
}

bool JSONReader::string(StringRef &content) {
  if (!expect('"', "expected a text in quotes"))
    return false;
  size_t start = at;
  while (true) {
    at = text.find_first_of("\"\\", at);
    if (at == StringRef::npos) {
      at = start;
      return fail("a text isn't closed");
    }
    if (text[at] == '"')
      break;
    at += 2;
  }
  content = text.slice(start, at++);
  return true;
}

bool JSONReader::object(function_ref<bool(StringRef)> member) {
  if (!expect('{', "expected an object"))
    return false;
  if (peek() == '}') {
    ++at;
    return true;
  }
  while (true) {
    StringRef key;
    if (!string(key) || !expect(':', "expected ':' after a key") ||
        !member(key) || !error.empty())
      return false;
    char next = peek();
    if (next == '}') {
      ++at;
      return true;
    }
    if (!expect(',', "expected ',' or '}' in an object"))
      return false;
  }
}

bool JSONReader::array(function_ref<bool()> element) {
  if (!expect('[', "expected an array"))
    return false;
  while (true) {
    char next = peek();
    if (next == ']') { // after a comma too: some tools leave one
      ++at;
      return true;
    }
    if (next == 0 && error.empty()) {
      cutOff = true;
      return true;
    }
    if (!element() || !error.empty())
      return false;
    next = peek();
    if (next == ',')
      ++at;
    else if (next != ']' && next != 0)
      return fail("expected ',' or ']' in an array");
  }
}

/// Takes an object or an array as text: only its brackets and texts are looked
/// at.
bool JSONReader::container(JSONToken &token) {
  size_t start = at;
  token.kind = text[at] == '{' ? JSONToken::Object : JSONToken::Array;
  unsigned depth = 0;
  while (true) {
    at = text.find_first_of("{}[]\"", at);
    if (at == StringRef::npos) {
      at = start;
      return fail("a bracket isn't closed");
    }
    char c = text[at];
    if (c == '"') {
      StringRef content;
      if (!string(content))
        return false;
      continue;
    }
    ++at;
    if (c == '{' || c == '[')
      ++depth;
    else if (--depth == 0)
      break;
  }
  token.text = text.slice(start, at);
  return true;
}

bool JSONReader::value(JSONToken &token) {
  char next = peek();
  if (next == '{' || next == '[')
    return container(token);
  if (next == '"') {
    token.kind = JSONToken::String;
    return string(token.text);
  }
  size_t start = at;
  at = std::min(text.find_first_of(",]}: \t\r\n\"[{", at), text.size());
  token.text = text.slice(start, at);
  if (token.text.empty())
    return fail("expected a value");
  bool isNumber = isDigit(next) || next == '-';
  token.kind = isNumber ? JSONToken::Number : JSONToken::Word;
  return true;
}

} // namespace roofline::profile
