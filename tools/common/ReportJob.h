//===- ReportJob.h - from a model to its report -----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_COMMON_REPORTJOB_H
#define ROOFLINE_TOOLS_COMMON_REPORTJOB_H

#include "ExitStatus.h"
#include "ReportOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Profile/Profile.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace roofline {

class Progress;

/// The input's module, from ONNX or MLIR, and what there was to warn of.
struct Input {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Report::Warning> warnings;
};

/// What a report is made of; as long to take apart as to make.
struct ReportData {
  std::optional<CostAnalysis> costs;
  std::vector<Report> reports;
};

#ifdef ROOFLINE_WITH_ONNX
/// Imports an ONNX model. On failure prints one error and returns its status.
/// `progress`, if any, ends before anything is printed.
int importModel(const ReportSettings &settings, llvm::MemoryBufferRef buffer,
                mlir::MLIRContext &context, Input &input,
                Progress *progress = nullptr);
#endif

/// Counts, places, joins what was measured, if anything, and prints.
int printReport(const ReportSettings &settings, Input &input,
                const profile::Profile *measured, Progress &progress,
                ReportData &data);

} // namespace roofline

#endif // ROOFLINE_TOOLS_COMMON_REPORTJOB_H
