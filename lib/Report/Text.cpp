//===- Text.cpp - the report for a terminal -------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "MeasuredText.h"
#include "TextSections.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::report;

void TextStyle::title(StringRef text) const {
  os << '\n';
  styled(os, text, color ? Style::Bold : Style::None);
  os << '\n';
}

void TextStyle::fact(StringRef label, StringRef text) const {
  constexpr unsigned labelWidth = 14;
  std::string prefix = "  " + label.str();
  prefix.resize(std::max<size_t>(labelWidth, prefix.size() + 1), ' ');
  wrapped(os, prefix, text, labelWidth, width);
}

Style report::boundStyle(Bound bound) {
  switch (bound) {
  case Bound::Compute:
    return Style::Green;
  case Bound::Memory:
    return Style::Yellow;
  case Bound::Overhead:
    return Style::Magenta;
  case Bound::None:
    return Style::Dim;
  case Bound::Unknown:
    return Style::Red;
  }
  return Style::None;
}

void report::textHead(ArrayRef<Report> reports, const TextStyle &style) {
  const Report &first = reports.front();
  styled(style.os, "Roofline report: " + printable(first.model.name),
         style.color ? Style::Bold : Style::None);
  style.os << '\n';
  style.fact("source", sourceText(first));
  style.fact("parameters", parametersText(first));
  style.fact("dimensions", dimsText(first));
  for (const Report &report : reports) {
    style.fact(&report == &first ? "device" : "", deviceText(report.device));
    style.fact("", ceilingsText(report));
    std::string ridge = ridgeText(report);
    if (!ridge.empty())
      style.fact("", "ridge " + ridge);
  }
  style.fact("coverage", coverageText(first));
  std::string tf32 = tf32Text(first);
  if (!tf32.empty())
    style.fact("precision", tf32);
}

static void oneReport(const Report &report, const WriterOptions &options,
                      const TextStyle &style) {
  if (options.groupBy != GroupKey::None) {
    textOpGroups(report, options, style);
  } else {
    textOps(report, options, style);
    textSentences(report, options, style);
  }
  textTotals(report, style);
  textMeasured(report, style);
  textTraffic(report, style);
  textFusion(report, style);
  textFindings(report, style);
}

static void severalReports(ArrayRef<Report> reports,
                           const WriterOptions &options,
                           const TextStyle &style) {
  textDevices(reports, style);
  if (options.groupBy == GroupKey::None)
    textOpsAcross(reports, options, style);
  for (const Report &report : reports) {
    textMeasured(report, style);
    if (options.groupBy == GroupKey::None)
      continue;
    style.title("On " + deviceText(report.device));
    textOpGroups(report, options, style);
  }
}

void roofline::writeText(ArrayRef<Report> reports, const WriterOptions &options,
                         raw_ostream &os) {
  if (reports.empty())
    return;
  constexpr unsigned defaultWidth = 100, leastWidth = 40;
  unsigned width = options.width ? options.width : defaultWidth;
  TextStyle style{os, std::max(width, leastWidth), options.color};
  textHead(reports, style);
  if (reports.size() == 1)
    oneReport(reports.front(), options, style);
  else
    severalReports(reports, options, style);
  textCaveats(reports.front(), style);
}
