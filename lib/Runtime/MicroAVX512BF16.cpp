//===- MicroAVX512BF16.cpp - dot products of bf16, 512 bits ---------------===//
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
#include <immintrin.h>

namespace roofline::runtime::micro {
namespace {

/// Per 32 bits: two products of bf16, added to an f32.
void dot(uint64_t rounds) {
  __m512 value = _mm512_set1_ps(0.25F);
  __m512bh x = _mm512_cvtne2ps_pbh(value, value), y = x;
  opaque(x);
  opaque(y);
  chains(rounds, _mm512_setzero_ps(),
         [=](__m512 sum) { return _mm512_dpbf16_ps(sum, x, y); });
}

constexpr ComputeKernel compute[] = {
    sumKernel<int16_t>("matmul", "bf16", "dot", 2, dot),
};

} // namespace

KernelSet avx512BF16Kernels() {
  return computeSet("AVX-512 BF16", "avx512f,avx512bf16", compute);
}

} // namespace roofline::runtime::micro
#else
#include "MicroKernels.h"
roofline::runtime::micro::KernelSet
roofline::runtime::micro::avx512BF16Kernels() {
  return {};
}
#endif
