//===- MicroAVX512VNNI.cpp - dot products of bytes, 512 bits --------------===//
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

/// Per 32 bits: four products of an unsigned and a signed byte, added.
void dot(uint64_t rounds) {
  __m512i x = _mm512_set1_epi8(3), y = _mm512_set1_epi8(-2);
  opaque(x);
  opaque(y);
  chains(rounds, _mm512_set1_epi8(0),
         [=](__m512i sum) { return _mm512_dpbusd_epi32(sum, x, y); });
}

constexpr ComputeKernel compute[] = {
    sumKernel<int8_t>("matmul", "i8", "dot", 2, dot),
};

} // namespace

KernelSet avx512VNNIKernels() {
  return computeSet("AVX-512 VNNI", "avx512f,avx512vnni", compute);
}

} // namespace roofline::runtime::micro
#else
#include "MicroKernels.h"
roofline::runtime::micro::KernelSet
roofline::runtime::micro::avx512VNNIKernels() {
  return {};
}
#endif
