//===- TextSections.h - the parts of the text form --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_REPORT_TEXTSECTIONS_H
#define ROOFLINE_LIB_REPORT_TEXTSECTIONS_H

#include "TextTable.h"
#include "View.h"

namespace roofline::report {

/// Where and how the text form is written.
struct TextStyle {
  llvm::raw_ostream &os;
  unsigned width;
  bool color;

  void title(llvm::StringRef text) const;
  /// "  label       text", wrapped.
  void fact(llvm::StringRef label, llvm::StringRef text) const;
};

Style boundStyle(Bound bound);

void textHead(llvm::ArrayRef<Report> reports, const TextStyle &style);
void textOps(const Report &report, const WriterOptions &options,
             const TextStyle &style);
void textSentences(const Report &report, const WriterOptions &options,
                   const TextStyle &style);
void textOpGroups(const Report &report, const WriterOptions &options,
                  const TextStyle &style);
void textTotals(const Report &report, const TextStyle &style);
void textTraffic(const Report &report, const TextStyle &style);
void textFusion(const Report &report, const TextStyle &style);
void textFindings(const Report &report, const TextStyle &style);
/// What the figures leave out: opaque ops, open dimensions, upper bounds,
/// warnings.
void textCaveats(const Report &report, const TextStyle &style);

/// Totals of several devices, one row each.
void textDevices(llvm::ArrayRef<Report> reports, const TextStyle &style);
/// The heaviest ops of the first device with every device's time.
void textOpsAcross(llvm::ArrayRef<Report> reports, const WriterOptions &options,
                   const TextStyle &style);

} // namespace roofline::report

#endif // ROOFLINE_LIB_REPORT_TEXTSECTIONS_H
