//===- Format.cpp - numbers and names as people read them -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Unicode.h"
#include <charconv>
#include <cmath>
#include <limits>

using namespace llvm;

namespace roofline::report {

std::optional<int64_t> asInt64(const Int &value) {
  if (value < std::numeric_limits<int64_t>::min() ||
      value > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return int64_t(value);
}

std::string exact(const Int &value) {
  if (std::optional<int64_t> small = asInt64(value))
    return std::to_string(*small);
  return toString(value);
}

std::string exact(double value) {
  if (!std::isfinite(value))
    return "";
  char digits[40];
  auto end = std::to_chars(digits, digits + sizeof(digits), value);
  return std::string(digits, end.ptr);
}

namespace {

std::string fixed(double value, int decimals) {
  char digits[64];
  auto end = std::to_chars(digits, digits + sizeof(digits), value,
                           std::chars_format::fixed, decimals);
  return std::string(digits, end.ptr);
}

/// Three significant digits of 0.9995 <= value < 999.5.
std::string threeDigits(double value) {
  return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

std::string scientific(double value) {
  char digits[64];
  auto end = std::to_chars(digits, digits + sizeof(digits), value,
                           std::chars_format::general, 3);
  return std::string(digits, end.ptr);
}

std::string withUnit(std::string number, StringRef prefix, StringRef unit) {
  if (!prefix.empty() || !unit.empty())
    number += ' ';
  number += prefix;
  number += unit;
  return number;
}

} // namespace

std::string si(double value, StringRef unit) {
  static constexpr StringLiteral prefixes[] = {
      "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y"};
  static constexpr double scales[] = {1e-12, 1e-9, 1e-6, 1e-3, 1,    1e3, 1e6,
                                      1e9,   1e12, 1e15, 1e18, 1e21, 1e24};
  if (!std::isfinite(value))
    return "?";
  if (value == 0)
    return withUnit("0", "", unit);
  double magnitude = std::fabs(value);
  std::string sign = value < 0 ? "-" : "";
  for (size_t i = 0; i < std::size(scales); ++i) {
    double scaled = magnitude / scales[i];
    if (scaled < 999.5 && (scaled >= 0.9995 || i == 0))
      return scaled < 0.9995
                 ? withUnit(sign + scientific(magnitude), "", unit)
                 : withUnit(sign + threeDigits(scaled), prefixes[i], unit);
  }
  return withUnit(sign + scientific(magnitude), "", unit);
}

std::string si(const std::optional<Int> &value, StringRef unit) {
  if (!value)
    return "?";
  if (*value > -1000 && *value < 1000)
    return withUnit(std::to_string(int64_t(*value)), "", unit);
  return si(toDouble(*value), unit);
}

std::string bytes(const std::optional<Int> &value) { return si(value, "B"); }

std::string seconds(std::optional<double> value) {
  if (!value)
    return "?";
  return *value == 0 ? "0 s" : si(*value, "s");
}

std::string percent(std::optional<double> fraction) {
  if (!fraction || !std::isfinite(*fraction))
    return "?";
  double value = *fraction * 100;
  if (value > 0 && value < 0.05)
    return "<0.1%";
  return fixed(value, 1) + "%";
}

std::string ratio(std::optional<double> value) {
  if (!value || !std::isfinite(*value))
    return "?";
  if (*value == 0)
    return "0";
  if (*value >= 0.9995 && *value < 999.5)
    return threeDigits(*value);
  if (*value >= 999.5 && *value < 999999.5)
    return fixed(*value, 0);
  if (*value >= 0.001 && *value < 1)
    return fixed(*value, 3);
  return scientific(*value);
}

std::string grouped(const Int &value) {
  std::string digits = exact(value);
  size_t first = digits.front() == '-' ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, 1, ' ');
  }
  return digits;
}

std::string count(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e6)
    return grouped(Int(int64_t(value)));
  return std::fabs(value) < 1 ? ratio(value) : si(value, "");
}

std::string plural(size_t count, StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

namespace {

/// The length of the UTF-8 sequence at the start of valid, non-empty text.
size_t sequenceLength(StringRef text) {
  return std::min<size_t>(getNumBytesForUTF8(UTF8(text.front())), text.size());
}

bool isPlain(StringRef text) {
  return all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

/// C1 controls, the directional overrides that would turn a line around, and
/// the two non-characters XML forbids.
bool isHarmful(StringRef sequence) {
  if (sequence.size() == 2)
    return sequence[0] == '\xc2' && (unsigned char)sequence[1] < 0xa0;
  return sequence == "\xef\xbf\xbe" || sequence == "\xef\xbf\xbf" ||
         (sequence >= "\xe2\x80\xa8" && sequence <= "\xe2\x80\xae") ||
         (sequence >= "\xe2\x81\xa6" && sequence <= "\xe2\x81\xa9");
}

unsigned sequenceColumns(StringRef sequence) {
  int width = sys::unicode::columnWidthUTF8(sequence);
  return width < 0 ? 1 : unsigned(width);
}

} // namespace

std::string printable(StringRef text) {
  if (isPlain(text))
    return text.str();
  std::string fixed = json::isUTF8(text) ? text.str() : json::fixUTF8(text);
  std::string out;
  out.reserve(fixed.size());
  for (StringRef rest = fixed; !rest.empty();) {
    StringRef sequence = rest.take_front(sequenceLength(rest));
    rest = rest.drop_front(sequence.size());
    bool control = sequence.size() == 1 &&
                   ((unsigned char)sequence[0] < 0x20 || sequence[0] == 0x7f);
    if (control && isSpace(sequence[0]))
      out += ' ';
    else
      out +=
          control || isHarmful(sequence) ? StringRef("\xef\xbf\xbd") : sequence;
  }
  return out;
}

std::string printableList(ArrayRef<std::string> texts, StringRef separator) {
  return join(map_range(texts, printable), separator);
}

unsigned columns(StringRef text) {
  if (isPlain(text))
    return text.size();
  unsigned width = 0;
  for (; !text.empty(); text = text.drop_front(sequenceLength(text)))
    width += sequenceColumns(text.take_front(sequenceLength(text)));
  return width;
}

std::string shorten(StringRef text, unsigned width) {
  if (columns(text) <= width)
    return text.str();
  if (width <= 1)
    return width ? "…" : "";
  unsigned headRoom = (width - 1) / 3, tailRoom = width - 1 - headRoom;
  size_t head = 0;
  for (unsigned used = 0; head < text.size();) {
    StringRef sequence = text.substr(head, sequenceLength(text.substr(head)));
    used += sequenceColumns(sequence);
    if (used > headRoom)
      break;
    head += sequence.size();
  }
  size_t tail = text.size();
  for (unsigned used = 0; tail > head;) {
    size_t start = tail - 1;
    while (start > head && ((unsigned char)text[start] & 0xc0) == 0x80)
      --start;
    used += sequenceColumns(text.slice(start, tail));
    if (used > tailRoom)
      break;
    tail = start;
  }
  return (text.take_front(head) + "…" + text.drop_front(tail)).str();
}

} // namespace roofline::report
