//===- Passes.h - the passes around the analyses ----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TRANSFORMS_PASSES_H
#define ROOFLINE_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace roofline {

#define GEN_PASS_DECL
#include "roofline/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "roofline/Transforms/Passes.h.inc"

/// Registers every pass (`--rl-count-cost` …) with MLIR's pass registry.
inline void registerPasses() { registerRooflinePasses(); }

} // namespace roofline

#endif // ROOFLINE_TRANSFORMS_PASSES_H
