//===- CSV.h - tables of comma-separated values -----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_PROFILE_CSV_H
#define ROOFLINE_LIB_PROFILE_CSV_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace roofline::profile {

/// Splits CSV as RFC 4180 has it: a quoted field may hold commas, line breaks
/// and doubled quotes. Rows may have any number of fields.
class CSVReader {
public:
  explicit CSVReader(llvm::StringRef text) : rest(text) {
    rest.consume_front("\xef\xbb\xbf"); // a byte order mark
  }

  /// The next row that isn't empty; false at the end.
  bool next(std::vector<std::string> &fields);
  unsigned line() const { return startLine; } ///< where that row began
  /// Whether a quoted field was still open at the end.
  bool isUnclosed() const { return unclosed; }

private:
  void field(std::string &out);

  llvm::StringRef rest;
  unsigned nextLine = 1, startLine = 0;
  bool unclosed = false;
};

/// A header's columns by name. Names are compared without their unit, case and
/// blanks: "Start (ns)" is "start".
class CSVHeader {
public:
  explicit CSVHeader(llvm::ArrayRef<std::string> names);

  /// Whether each of `names` is a column.
  bool has(llvm::ArrayRef<llvm::StringRef> names) const;
  /// The column's number.
  std::optional<size_t> find(llvm::StringRef name) const;
  /// Of the first of `names` that is one.
  std::optional<size_t> findAny(llvm::ArrayRef<llvm::StringRef> names) const;
  /// The row's field of a column; "" where there is none.
  llvm::StringRef get(llvm::ArrayRef<std::string> row,
                      llvm::StringRef name) const;
  /// What stands in parentheses behind a column's name: "ns".
  llvm::StringRef unit(llvm::StringRef name) const;

private:
  std::vector<std::pair<std::string, std::string>> columns; ///< name and unit
};

/// A number with or without thousands separators.
std::optional<double> csvNumber(llvm::StringRef text);
/// What a unit of time or of bytes is in seconds or bytes, as Nsight's tools
/// write them ("nsecond", "us", "Mbyte", "MiB"); nothing if it isn't known.
std::optional<double> secondsPerUnit(llvm::StringRef unit);
std::optional<double> bytesPerUnit(llvm::StringRef unit);

} // namespace roofline::profile

#endif // ROOFLINE_LIB_PROFILE_CSV_H
