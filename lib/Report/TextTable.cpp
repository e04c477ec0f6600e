//===- TextTable.cpp - a table that fits the terminal ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextTable.h"
#include "Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace roofline::report {

namespace {
constexpr unsigned gap = 2;           ///< columns between columns
constexpr unsigned readableName = 34; ///< a name is still told apart
constexpr unsigned narrowName = 16;   ///< the same on a narrow terminal
constexpr unsigned leastName = 8;
} // namespace

void styled(raw_ostream &os, StringRef text, Style style) {
  static constexpr StringLiteral codes[] = {"",   "1",  "2", "32",
                                            "33", "35", "31"};
  if (style == Style::None) {
    os << text;
    return;
  }
  os << "\x1b[" << codes[unsigned(style)] << 'm' << text << "\x1b[0m";
}

size_t TextTable::addColumn(StringRef title, Align align, unsigned importance,
                            bool flexible) {
  columns.push_back(
      {title.str(), align, importance, flexible, {}, report::columns(title)});
  return columns.size() - 1;
}

void TextTable::set(size_t index, std::string text, Style style) {
  Column &column = columns[index];
  column.width = std::max(column.width, report::columns(text));
  column.cells.resize(rows);
  column.cells.back() = {std::move(text), style};
}

std::vector<TextTable::Fitted> TextTable::fit(unsigned width) const {
  std::vector<Fitted> kept;
  kept.reserve(columns.size());
  for (const Column &column : columns)
    kept.push_back({&column, column.width});
  auto total = [&] {
    unsigned sum = 0;
    for (const Fitted &column : kept)
      sum += column.width + gap;
    return sum ? sum - gap : 0;
  };
  auto shrink = [&](unsigned least) {
    for (Fitted &column : kept)
      if (column.column->flexible && total() > width) {
        unsigned excess = total() - width;
        unsigned floor = std::min(column.width, least);
        column.width =
            column.width > excess + floor ? column.width - excess : floor;
      }
  };
  shrink(std::clamp(width / 3, narrowName, readableName));
  while (total() > width && kept.size() > 1) {
    auto least = std::min_element(
        kept.begin(), kept.end(), [](const Fitted &a, const Fitted &b) {
          return a.column->importance < b.column->importance;
        });
    if (least->column->flexible)
      break;
    kept.erase(least);
  }
  shrink(leastName);
  // Room that a dropped column left goes back to the name.
  for (Fitted &column : kept)
    if (column.column->flexible && total() < width)
      column.width =
          std::min(column.column->width, column.width + (width - total()));
  return kept;
}

void TextTable::printCell(raw_ostream &os, const Fitted &column, StringRef text,
                          Style style, bool last) {
  std::string shown = shorten(text, column.width);
  unsigned padding =
      column.width - std::min(column.width, report::columns(shown));
  bool right = column.column->align == Right;
  if (right)
    os.indent(padding);
  styled(os, shown, shown.empty() ? Style::None : style);
  if (!right && !last)
    os.indent(padding);
  if (!last)
    os.indent(gap);
}

void TextTable::print(raw_ostream &os, unsigned width, bool color) const {
  std::vector<Fitted> kept = fit(width);
  auto line = [&](auto cell) {
    // Trailing blanks of a line are not written.
    size_t last = kept.size();
    while (last > 1 && cell(*kept[last - 1].column).text.empty())
      --last;
    for (size_t i = 0; i < last; ++i) {
      Cell shown = cell(*kept[i].column);
      printCell(os, kept[i], shown.text, color ? shown.style : Style::None,
                i + 1 == last);
    }
    os << '\n';
  };
  line([](const Column &column) { return Cell{column.title, Style::Bold}; });
  for (size_t row = 0; row < rows; ++row)
    line([row](const Column &column) {
      return row < column.cells.size() ? column.cells[row] : Cell();
    });
}

/// Takes the next word of `text`; a number and what follows it ("1.50 µs",
/// "2 147 483 648") stay together.
static std::string takeWord(StringRef &text) {
  std::string word;
  bool isNumber = false;
  do {
    auto [next, rest] = text.ltrim(' ').split(' ');
    text = rest;
    if (!word.empty() && !next.empty())
      word += ' ';
    word += next;
    isNumber = !next.empty() &&
               next.find_first_not_of("0123456789.,") == StringRef::npos &&
               next.back() != ',' && next.back() != '.';
  } while (isNumber && !text.empty());
  return word;
}

void wrapped(raw_ostream &os, StringRef prefix, StringRef text, unsigned indent,
             unsigned width) {
  os << prefix;
  unsigned used = columns(prefix);
  bool atStart = true;
  while (!text.empty()) {
    std::string word = takeWord(text);
    if (word.empty())
      continue;
    unsigned wordWidth = columns(word);
    if (!atStart && used + 1 + wordWidth > width) {
      os << '\n';
      os.indent(indent);
      used = indent;
      atStart = true;
    }
    if (!atStart) {
      os << ' ';
      ++used;
    }
    os << word;
    used += wordWidth;
    atStart = false;
  }
  os << '\n';
}

} // namespace roofline::report
