//===- CSV.cpp - tables of comma-separated values -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CSV.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;

namespace roofline::profile {

void CSVReader::field(std::string &out) {
  if (!rest.consume_front("\"")) {
    StringRef plain =
        rest.take_until([](char c) { return c == ',' || c == '\n'; });
    out = plain.rtrim('\r').str();
    rest = rest.drop_front(plain.size());
    return;
  }
  while (true) {
    size_t quote = rest.find('"');
    if (quote == StringRef::npos) {
      unclosed = true;
      quote = rest.size();
    }
    out += rest.take_front(quote);
    nextLine += rest.take_front(quote).count('\n');
    rest = rest.drop_front(std::min(quote + 1, rest.size()));
    if (!rest.consume_front("\""))
      break;
    out += '"';
  }
  // What may stand between the quote and the comma is kept: no row is lost.
  StringRef tail =
      rest.take_until([](char c) { return c == ',' || c == '\n'; });
  out += tail.rtrim('\r');
  rest = rest.drop_front(tail.size());
}

bool CSVReader::next(std::vector<std::string> &fields) {
  fields.clear();
  while (rest.starts_with("\n") || rest.starts_with("\r\n")) {
    rest = rest.drop_front(rest.find('\n') + 1);
    ++nextLine;
  }
  if (rest.empty())
    return false;
  startLine = nextLine;
  do
    field(fields.emplace_back());
  while (rest.consume_front(","));
  if (rest.consume_front("\n"))
    ++nextLine;
  return true;
}

/// Lower case, without blanks and underscores.
static std::string normalized(StringRef name) {
  std::string out;
  for (char c : name)
    if (c != ' ' && c != '_')
      out += toLower(c);
  return out;
}

CSVHeader::CSVHeader(ArrayRef<std::string> names) {
  for (StringRef name : names) {
    auto [title, unit] = name.trim().split('(');
    columns.emplace_back(normalized(title), unit.split(')').first.str());
  }
}

std::optional<size_t> CSVHeader::find(StringRef name) const {
  std::string wanted = normalized(name);
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].first == wanted)
      return i;
  return std::nullopt;
}

std::optional<size_t> CSVHeader::findAny(ArrayRef<StringRef> names) const {
  for (StringRef name : names)
    if (std::optional<size_t> column = find(name))
      return column;
  return std::nullopt;
}

bool CSVHeader::has(ArrayRef<StringRef> names) const {
  return all_of(names, [&](StringRef name) { return find(name).has_value(); });
}

StringRef CSVHeader::get(ArrayRef<std::string> row, StringRef name) const {
  std::optional<size_t> column = find(name);
  return column && *column < row.size() ? StringRef(row[*column]) : StringRef();
}

StringRef CSVHeader::unit(StringRef name) const {
  std::optional<size_t> column = find(name);
  return column ? StringRef(columns[*column].second) : StringRef();
}

std::optional<double> csvNumber(StringRef text) {
  std::string digits;
  for (char c : text.trim())
    if (c != ',')
      digits += c;
  double value;
  if (digits.empty() || StringRef(digits).getAsDouble(value) ||
      !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<double> secondsPerUnit(StringRef unit) {
  return StringSwitch<std::optional<double>>(unit)
      .Cases({"ns", "nsecond", "nsec"}, 1e-9)
      .Cases({"us", "usecond", "usec", "µs"}, 1e-6)
      .Cases({"ms", "msecond", "msec"}, 1e-3)
      .Cases({"s", "second", "sec"}, 1.0)
      .Default(std::nullopt);
}

std::optional<double> bytesPerUnit(StringRef unit) {
  return StringSwitch<std::optional<double>>(unit)
      .CasesLower({"b", "byte", "bytes"}, 1.0)
      .Cases({"KB", "kB", "Kbyte"}, 1e3)
      .Cases({"MB", "Mbyte"}, 1e6)
      .Cases({"GB", "Gbyte"}, 1e9)
      .Cases({"TB", "Tbyte"}, 1e12)
      .Case("KiB", 1024.0)
      .Case("MiB", 1048576.0)
      .Case("GiB", 1073741824.0)
      .Default(std::nullopt);
}

} // namespace roofline::profile
