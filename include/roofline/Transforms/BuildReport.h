//===- BuildReport.h - from analyses to the report object -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
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

/// The part of a report that no device changes is built once; `on` adds one.
class ReportBuilder {
public:
  ReportBuilder(const CostAnalysis &costs, const ReportRequest &request);

  Report on(const Device &device) const &;
  /// The same without a copy of what was built: a report may be large.
  Report on(const Device &device) &&;
  /// One report a device, of which there is one at least; the last isn't
  /// copied.
  std::vector<Report> onEach(llvm::ArrayRef<Device> devices) &&;

private:
  void describeModel();
  void describeRows();
  void describeTotals();
  void place(Report &report, const Device &device) const;

  const CostAnalysis &costs;
  const ReportRequest &request;
  Report base;
  std::optional<Expr> compulsory;
};

} // namespace roofline

#endif // ROOFLINE_TRANSFORMS_BUILDREPORT_H
