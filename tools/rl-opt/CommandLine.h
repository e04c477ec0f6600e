//===- CommandLine.h - what rl-opt is asked to do ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_OPT_COMMANDLINE_H
#define ROOFLINE_TOOLS_RL_OPT_COMMANDLINE_H

#include "ReportJob.h"
#include "mlir/IR/DialectRegistry.h"
#include <string>

namespace roofline {

struct CommandLine : ReportSettings {
  bool hasInput = false; ///< named on the command line, `-` included
  bool report = false, listDevices = false;
  std::string measured; ///< a profile's file
};

/// Reads the command line, mlir-opt's own options and the passes' included. On
/// wrong usage prints what is wrong, with near matches, and returns nothing.
/// `--help` and `--version` end the program.
std::optional<CommandLine> parseCommandLine(int argc, char **argv,
                                            mlir::DialectRegistry &registry);

/// Prints "rl-opt: message" to standard error.
void printError(const llvm::Twine &message);

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_OPT_COMMANDLINE_H
