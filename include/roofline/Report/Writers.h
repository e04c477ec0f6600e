//===- Writers.h - the forms a report is printed in -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_REPORT_WRITERS_H
#define ROOFLINE_REPORT_WRITERS_H

#include "roofline/Profile/Profile.h"
#include "roofline/Report/Report.h"
#include "llvm/ADT/ArrayRef.h"

namespace roofline {

enum class ReportFormat { Text, JSON, CSV, Markdown, SVG };
enum class SortKey { Time, Flops, Bytes, Intensity, Order };
enum class GroupKey { None, OpType, Scope };

struct WriterOptions {
  unsigned top = 20; ///< rows shown by text and Markdown; 0 is all
  SortKey sort = SortKey::Time;
  GroupKey groupBy = GroupKey::None;
  unsigned width = 0; ///< of the terminal; 0: 100 columns
  bool color = false; ///< ANSI colours in the text form
};

/// Writes one report, or several devices' reports of one model side by side
/// (JSON: an array for two and more; CSV: one table with a device column).
void writeReports(llvm::ArrayRef<Report> reports, ReportFormat format,
                  const WriterOptions &options, llvm::raw_ostream &os);

void writeText(llvm::ArrayRef<Report> reports, const WriterOptions &options,
               llvm::raw_ostream &os);
void writeJSON(llvm::ArrayRef<Report> reports, llvm::raw_ostream &os);
void writeCSV(llvm::ArrayRef<Report> reports, llvm::raw_ostream &os);
void writeMarkdown(llvm::ArrayRef<Report> reports, const WriterOptions &options,
                   llvm::raw_ostream &os);
void writeSVG(llvm::ArrayRef<Report> reports, llvm::raw_ostream &os);

/// A profile by itself, without a model that it could be joined to.
void writeProfileText(const profile::Profile &profile,
                      const WriterOptions &options, llvm::raw_ostream &os);
void writeProfileJSON(const profile::Profile &profile, llvm::raw_ostream &os);

} // namespace roofline

#endif // ROOFLINE_REPORT_WRITERS_H
