//===- TextTable.h - a table that fits the terminal -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_REPORT_TEXTTABLE_H
#define ROOFLINE_LIB_REPORT_TEXTTABLE_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace roofline::report {

/// How text is coloured; `None` everywhere when colours are off.
enum class Style : uint8_t { None, Bold, Dim, Green, Yellow, Magenta, Red };
/// Writes `text` in `style`.
void styled(llvm::raw_ostream &os, llvm::StringRef text, Style style);

/// Columns of cells. Too wide, it first shortens its one flexible column to a
/// readable least, then drops the least important columns, then shortens on.
class TextTable {
public:
  enum Align { Left, Right };

  /// Greater `importance` is kept longer; a flexible column may be shortened.
  /// Returns the column's number.
  size_t addColumn(llvm::StringRef title, Align align, unsigned importance,
                   bool flexible = false);
  void addRow() { ++rows; }
  /// Sets a cell of the last row.
  void set(size_t column, std::string text, Style style = Style::None);
  void print(llvm::raw_ostream &os, unsigned width, bool color) const;

private:
  struct Cell {
    std::string text;
    Style style = Style::None;
  };
  struct Column {
    std::string title;
    Align align;
    unsigned importance;
    bool flexible;
    std::vector<Cell> cells;
    unsigned width; ///< of its widest cell
  };
  struct Fitted {
    const Column *column;
    unsigned width;
  };
  std::vector<Fitted> fit(unsigned width) const;
  static void printCell(llvm::raw_ostream &os, const Fitted &column,
                        llvm::StringRef text, Style style, bool last);

  std::vector<Column> columns;
  size_t rows = 0;
};

/// Writes `text` after `prefix`, wrapped at spaces to `width` columns, further
/// lines indented by `indent`.
void wrapped(llvm::raw_ostream &os, llvm::StringRef prefix,
             llvm::StringRef text, unsigned indent, unsigned width);

} // namespace roofline::report

#endif // ROOFLINE_LIB_REPORT_TEXTTABLE_H
