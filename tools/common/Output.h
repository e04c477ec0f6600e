//===- Output.h - files that a tool is to write -----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_COMMON_OUTPUT_H
#define ROOFLINE_TOOLS_COMMON_OUTPUT_H

#include "llvm/Support/Error.h"

namespace roofline {

/// Whether a file can be written where `path` says ("-": standard output). A
/// folder that isn't there, or isn't ours, is better known before than after
/// minutes of measuring.
llvm::Error checkOutput(llvm::StringRef path);

} // namespace roofline

#endif // ROOFLINE_TOOLS_COMMON_OUTPUT_H
