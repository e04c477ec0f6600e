//===- Passes.h - from rl to what runs --------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_CONVERSION_PASSES_H
#define ROOFLINE_CONVERSION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "roofline/Cost/HostThreads.h"

namespace roofline {

#define GEN_PASS_DECL
#include "roofline/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "roofline/Conversion/Passes.h.inc"

/// From linalg on tensors to the LLVM dialect for the host: elementwise ops
/// fused, buffers assigned (results become trailing arguments), loops, vectors.
/// Memrefs are passed as bare pointers.
struct HostPipelineOptions {
  unsigned vectorBits = 512;      ///< of the target's registers
  bool hasRegisterTables = false; ///< AVX-512: see rl-approximate-math
  HostThreads threads;
};
void buildHostPipeline(mlir::OpPassManager &passes,
                       const HostPipelineOptions &options);

/// What the passes of this layer need registered before a context parses or
/// runs them: dialects and their external models.
void registerConversionDialects(mlir::DialectRegistry &registry);

} // namespace roofline

#endif // ROOFLINE_CONVERSION_PASSES_H
