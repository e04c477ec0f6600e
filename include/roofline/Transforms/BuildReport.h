//===- BuildReport.h - from analyses to the report object -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TRANSFORMS_BUILDREPORT_H
#define ROOFLINE_TRANSFORMS_BUILDREPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Report/Report.h"

namespace roofline {

/// What a report says of a function whose cost was counted.
struct ReportRequest {
  PlacementOptions options;
  std::map<std::string, Int> dims; ///< bound by the request
  std::vector<Report::Warning> warnings;
  std::string source; ///< the file, where the module doesn't say
};

/// One report for each device. What no device changes is worked out once.
std::vector<Report> buildReports(const CostAnalysis &costs,
                                 const ReportRequest &request,
                                 llvm::ArrayRef<Device> devices);

} // namespace roofline

#endif // ROOFLINE_TRANSFORMS_BUILDREPORT_H
