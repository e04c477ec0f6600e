//===- MicroAVX512.cpp - loops of 512 bits --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
#define VECTOR_BYTES 64
#define CHAINS 20
#define REGISTER "v"
#include "MicroLoops.inc"

roofline::runtime::micro::KernelSet roofline::runtime::micro::avx512Kernels() {
  return commonSet("AVX-512", "avx512f,avx512bw,avx512dq,avx512vl");
}
#else
#include "MicroKernels.h"
roofline::runtime::micro::KernelSet roofline::runtime::micro::avx512Kernels() {
  return {};
}
#endif
