//===- MicroAVX2.cpp - loops of 256 bits ----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
#define VECTOR_BYTES 32
#define CHAINS 12
#define REGISTER "x"
#include "MicroLoops.inc"

roofline::runtime::micro::KernelSet roofline::runtime::micro::avx2Kernels() {
  return commonSet("AVX2", "avx2,fma");
}
#else
#include "MicroKernels.h"
roofline::runtime::micro::KernelSet roofline::runtime::micro::avx2Kernels() {
  return {};
}
#endif
