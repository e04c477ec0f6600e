//===- MicroBaseline.cpp - loops for any CPU ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
// SSE2 has 16 registers, and no fused multiply-add.
#define VECTOR_BYTES 16
#define CHAINS 12
#define REGISTER "x"
#elif defined(__aarch64__)
#define VECTOR_BYTES 16
#define CHAINS 24
#define REGISTER "w"
#endif

#ifdef VECTOR_BYTES
#include "MicroLoops.inc"

roofline::runtime::micro::KernelSet
roofline::runtime::micro::baselineKernels() {
#if defined(__x86_64__)
  return commonSet("SSE2", "");
#else
  return commonSet("NEON", "");
#endif
}
#else
#include "MicroKernels.h"
roofline::runtime::micro::KernelSet
roofline::runtime::micro::baselineKernels() {
  return {};
}
#endif
