//===- Writers.cpp - picks the writer of a format -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Report/Writers.h"

void roofline::writeReports(llvm::ArrayRef<Report> reports, ReportFormat format,
                            const WriterOptions &options,
                            llvm::raw_ostream &os) {
  switch (format) {
  case ReportFormat::Text:
    return writeText(reports, options, os);
  case ReportFormat::JSON:
    return writeJSON(reports, os);
  case ReportFormat::CSV:
    return writeCSV(reports, os);
  case ReportFormat::Markdown:
    return writeMarkdown(reports, options, os);
  case ReportFormat::SVG:
    return writeSVG(reports, os);
  }
}
