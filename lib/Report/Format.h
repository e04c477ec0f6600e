//===- Format.h - numbers and names as people read them ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the writers share in spelling: SI units, exact integers, and names made
// safe for a terminal, a table or a picture.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_REPORT_FORMAT_H
#define ROOFLINE_LIB_REPORT_FORMAT_H

#include "roofline/Cost/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace roofline::report {

/// The value where it fits 64 bits.
std::optional<int64_t> asInt64(const Int &value);
/// All decimal digits.
std::string exact(const Int &value);
/// The shortest text that reads back as `value`; "" where it isn't finite.
std::string exact(double value);

/// Three significant digits and an SI prefix: "989 TFLOP/s", "1.50 µs".
std::string si(double value, llvm::StringRef unit);
/// The same of an exact count, all digits below 1000; "?" where unknown.
std::string si(const std::optional<Int> &value, llvm::StringRef unit);
std::string bytes(const std::optional<Int> &value);
std::string seconds(std::optional<double> value);
/// "12.3%"; "?" where unknown.
std::string percent(std::optional<double> fraction);
/// Three significant digits without a prefix: "0.167", "341", "1.2e+06".
std::string ratio(std::optional<double> value);
/// "1 234 567", digits in threes.
std::string grouped(const Int &value);
/// A count that is whole as a rule: "40", "120 000", "1.50 M", "0.500".
std::string count(double value);
/// "1 op", "2 ops".
std::string plural(size_t count, llvm::StringRef noun);

/// `text` as valid UTF-8 on one line: line ends and tabs are blanks, every
/// other control character (and what XML can't hold) is U+FFFD. Safe for a
/// terminal, a table's row, an XML document.
std::string printable(llvm::StringRef text);
std::string printableList(llvm::ArrayRef<std::string> texts,
                          llvm::StringRef separator);
/// Terminal columns of printable text.
unsigned columns(llvm::StringRef text);
/// `text` in at most `width` columns, its middle replaced by "…"; names of a
/// model differ at their ends, so more of the tail is kept.
std::string shorten(llvm::StringRef text, unsigned width);

} // namespace roofline::report

#endif // ROOFLINE_LIB_REPORT_FORMAT_H
