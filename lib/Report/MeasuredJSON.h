//===- MeasuredJSON.h - what was measured, as JSON --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_REPORT_MEASUREDJSON_H
#define ROOFLINE_LIB_REPORT_MEASUREDJSON_H

#include "Emitter.h"
#include "roofline/Report/Measured.h"
#include "roofline/Report/Report.h"

namespace roofline::report {

/// A row's `measured`: an object, or null where nothing was measured of it.
void writeRowMeasured(const Measured &measured, const Report::Op &op,
                      Emitter &out);
/// The report's `measured`.
void writeMeasured(const Measured &measured, Emitter &out);

/// The parts that a profile by itself has, too.
void writeSummary(const profile::Summary &summary, Emitter &out);
void writeMeasurement(const profile::Measurement &measured, Emitter &out);
/// The key `environment` with its object.
void writeEnvironment(
    llvm::ArrayRef<std::pair<std::string, std::string>> environment,
    Emitter &out);

} // namespace roofline::report

#endif // ROOFLINE_LIB_REPORT_MEASUREDJSON_H
