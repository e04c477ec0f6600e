//===- Commands.h - the subcommands of rl-run -------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_RUN_COMMANDS_H
#define ROOFLINE_TOOLS_RL_RUN_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace roofline {

int verifyCommand(llvm::ArrayRef<std::string> folders,
                  llvm::StringRef cacheFolder);

int runCommand(const std::string &model,
               std::vector<std::pair<std::string, int64_t>> dims,
               llvm::StringRef cacheFolder);

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_RUN_COMMANDS_H
