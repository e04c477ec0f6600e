//===- MicroAVXVNNI.cpp - dot products of bytes, 256 bits -----------------===//
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
#include <immintrin.h>

namespace roofline::runtime::micro {
namespace {

/// Per 32 bits: four products of an unsigned and a signed byte, added.
void dot(uint64_t rounds) {
  __m256i x = _mm256_set1_epi8(3), y = _mm256_set1_epi8(-2);
  opaque(x);
  opaque(y);
  chains(rounds, _mm256_set1_epi8(0),
         [=](__m256i sum) { return _mm256_dpbusd_avx_epi32(sum, x, y); });
}

constexpr ComputeKernel compute[] = {
    sumKernel<int8_t>("matmul", "i8", "dot", 2, dot),
};

} // namespace

KernelSet avxVNNIKernels() {
  return computeSet("AVX-VNNI", "avx2,avxvnni", compute);
}

} // namespace roofline::runtime::micro
#else
#include "MicroKernels.h"
roofline::runtime::micro::KernelSet roofline::runtime::micro::avxVNNIKernels() {
  return {};
}
#endif
