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
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace roofline {

class Progress;

/// The input's module, from ONNX or MLIR, and what there was to warn of.
struct Input {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Report::Warning> warnings;
};

/// How messages call the input: its path, or "<stdin>".
std::string displayName(const CommandLine &command);

/// Imports an ONNX model. On failure prints one error and returns its status.
/// `progress`, if any, ends before anything is printed.
int importModel(const CommandLine &command, llvm::MemoryBufferRef buffer,
                mlir::MLIRContext &context, Input &input,
                Progress *progress = nullptr);

/// Reads MLIR, binds what the command line gives, and inlines calls.
int readModule(const CommandLine &command, llvm::MemoryBufferRef buffer,
               mlir::MLIRContext &context, Input &input);

/// Sums up the profile that --measured names, without a model.
int printProfile(const CommandLine &command);

/// Counts, places and prints.
int printReport(const CommandLine &command, Input &input, Progress &progress);

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_OPT_REPORTCOMMAND_H
