//===- MicroAVX512FP16.cpp - loops of f16, 512 bits -----------------------===//
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

namespace roofline::runtime::micro {
namespace {

constexpr ComputeKernel compute[] = {
    sumKernel<_Float16>("matmul", "f16", "fma", 2, multiplyAdd<_Float16>),
    sumKernel<_Float16>("vector", "f16", "add", 1, add<_Float16>),
};

} // namespace

KernelSet avx512FP16Kernels() {
  return computeSet("AVX-512 FP16", "avx512f,avx512fp16", compute);
}

} // namespace roofline::runtime::micro
#else
#include "MicroKernels.h"
roofline::runtime::micro::KernelSet
roofline::runtime::micro::avx512FP16Kernels() {
  return {};
}
#endif
