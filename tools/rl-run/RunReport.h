//===- RunReport.h - predicted beside measured ------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_RUN_RUNREPORT_H
#define ROOFLINE_TOOLS_RL_RUN_RUNREPORT_H

#include "ReportOptions.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace roofline {

/// The report that `rl-opt MODEL --roofline-report --measured=FILE` makes,
/// where `measured` is that file. Prints what is wrong and returns an exit
/// status.
int reportRun(const ReportSettings &settings, llvm::MemoryBufferRef model,
              llvm::MemoryBufferRef measured);

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_RUN_RUNREPORT_H
