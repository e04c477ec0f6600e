//===- ExitStatus.h - how a tool ends ---------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_COMMON_EXITSTATUS_H
#define ROOFLINE_TOOLS_COMMON_EXITSTATUS_H

namespace roofline {

/// As docs/errors.md has them: what was asked for was written; the input can't
/// be served; the command line is wrong.
enum ExitStatus { exitOk = 0, exitFailure = 1, exitUsage = 2 };

} // namespace roofline

#endif // ROOFLINE_TOOLS_COMMON_EXITSTATUS_H
