//===- MeasuredText.h - what was measured, in words -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_REPORT_MEASUREDTEXT_H
#define ROOFLINE_LIB_REPORT_MEASUREDTEXT_H

#include "TextSections.h"
#include "roofline/Report/Measured.h"

namespace roofline::report {

/// A row's time by the library, and the one that the roof allows; "-" where
/// there is none.
std::string libraryText(const Measured &measured, unsigned row);
std::string roofText(const Measured &measured, unsigned row);

/// A label and what there is to say.
using Fact = std::pair<std::string, std::string>;

/// How the measurement joined and compares with the prediction.
std::vector<Fact> measuredFacts(const Report &report);
/// Where a profile's time went.
std::vector<Fact> summaryFacts(const profile::Summary &summary);

/// The time measured of a row: "1.20 ms", "in g3" where a group holds it, "-"
/// where there is none.
std::string measuredText(const Measured &measured, unsigned row);
/// Measured over predicted: "1.31×".
std::string ratioText(const Measured &measured, unsigned row);

void textMeasured(const Report &report, const TextStyle &style);
/// Kernels, or ops of the host where there are none, by time.
void textSummary(const profile::Summary &summary, const TextStyle &style,
                 size_t shown);

} // namespace roofline::report

#endif // ROOFLINE_LIB_REPORT_MEASUREDTEXT_H
