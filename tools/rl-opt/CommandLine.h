//===- CommandLine.h - what rl-opt is asked to do ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_OPT_COMMANDLINE_H
#define ROOFLINE_TOOLS_RL_OPT_COMMANDLINE_H

#include "Bindings.h"
#include "mlir/IR/DialectRegistry.h"
#include "roofline/Report/Writers.h"
#include <string>
#include <vector>

namespace roofline {

/// Exit statuses: a report or IR was written; the input can't be served; the
/// command line is wrong.
enum ExitStatus { exitOk = 0, exitFailure = 1, exitUsage = 2 };

struct CommandLine {
  std::string input = "-", output = "-";
  bool hasInput = false; ///< named on the command line, `-` included
  bool report = false, listDevices = false;
  ReportFormat format = ReportFormat::Text;
  WriterOptions writer;
  std::vector<std::string> devices; ///< empty: the IR's own, or the default
  Bindings bindings;
  bool allowTF32 = false;
  std::string measured; ///< a profile's file
  std::string entry;
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
