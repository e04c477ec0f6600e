//===- ReportCommand.h - from input to report -------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_OPT_REPORTCOMMAND_H
#define ROOFLINE_TOOLS_RL_OPT_REPORTCOMMAND_H

#include "CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

namespace roofline {

/// Reads MLIR, binds what the command line gives, and inlines calls.
int readModule(const CommandLine &command, llvm::MemoryBufferRef buffer,
               mlir::MLIRContext &context, Input &input);

/// Sums up the profile that --measured names, without a model.
int printProfile(const CommandLine &command);

/// Counts, places, joins what --measured names, and prints.
int printReport(const CommandLine &command, Input &input, Progress &progress);

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_OPT_REPORTCOMMAND_H
