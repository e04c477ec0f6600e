//===- RunReport.cpp - predicted beside measured --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunReport.h"
#include "Progress.h"
#include "ReportJob.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Models/Register.h"
#include "roofline/Profile/Read.h"

using namespace llvm;

namespace roofline {

int reportRun(const ReportSettings &settings, MemoryBufferRef model,
              MemoryBufferRef measured) {
  Expected<profile::Profile> profile = profile::read(measured);
  if (!profile) {
    settings.printError("internal: " + toString(profile.takeError()));
    return exitFailure;
  }
  // Imported anew: what is imported to be run holds values that a report of
  // shapes alone has not.
  mlir::DialectRegistry registry;
  registry.insert<rl::RLDialect, mlir::func::FuncDialect>();
  registerModels(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  Progress progress(3);
  progress.begin("reading");
  Input input;
  if (int status = importModel(settings, model, context, input, &progress))
    return status;
  ReportData data;
  return printReport(settings, input, &*profile, progress, data);
}

} // namespace roofline
