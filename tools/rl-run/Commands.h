//===- Commands.h - what rl-run can do --------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_RUN_COMMANDS_H
#define ROOFLINE_TOOLS_RL_RUN_COMMANDS_H

#include "ExitStatus.h"

namespace roofline {

// Each takes the program's whole command line, and returns its status. Its
// options belong to a cl::SubCommand of its name.

/// Measures the host's ceilings.
int calibrateCommand(int argc, char **argv);
/// Measures what this machine's kernels take, and adds it to a device file.
int fitCommand(int argc, char **argv);
/// Runs a model's kernels and measures them.
int runCommand(int argc, char **argv);
/// Runs kernels against ONNX's test data.
int verifyCommand(int argc, char **argv);

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_RUN_COMMANDS_H
