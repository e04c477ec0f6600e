//===- Dialects.h - what rl-opt can read ------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_OPT_DIALECTS_H
#define ROOFLINE_TOOLS_RL_OPT_DIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace roofline {

/// The dialects whose IR can be analysed, and their cost models.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_OPT_DIALECTS_H
