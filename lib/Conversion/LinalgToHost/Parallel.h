//===- Parallel.h - functions whose calls threads share ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_LINALGTOHOST_PARALLEL_H
#define ROOFLINE_LIB_CONVERSION_LINALGTOHOST_PARALLEL_H

#include "llvm/ADT/StringRef.h"

namespace roofline::host {

/// On a function: a call of it stands for one call for each index below its
/// first operand.
constexpr llvm::StringLiteral parallelAttrName = "rl.parallel";

/// What runs them, by name: docs/running.md has its type.
constexpr llvm::StringLiteral parallelForName = "rl_parallel_for";

} // namespace roofline::host

#endif // ROOFLINE_LIB_CONVERSION_LINALGTOHOST_PARALLEL_H
