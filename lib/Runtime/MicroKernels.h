//===- MicroKernels.h - the loops that ceilings are taken with --*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One set of loops a vector width, each in a file of its own that is compiled
// for the instructions it needs; which of them run is decided by what the CPU
// has. Those files include nothing but this and the compiler's intrinsics: an
// inline function of a library, compiled there, could replace the copy that the
// rest of the program uses on a CPU without these instructions.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_MICROKERNELS_H
#define ROOFLINE_RUNTIME_MICROKERNELS_H

#include <cstddef>
#include <cstdint>

namespace roofline::runtime::micro {

/// Arithmetic on registers alone.
struct ComputeKernel {
  const char *cls;     ///< "matmul", "vector", "special", as devices spell it
  const char *type;    ///< "f32" …
  const char *kind;    ///< "fma", "dot", "add", "exp" …
  unsigned operations; ///< of one round
  void (*run)(uint64_t rounds);
  /// Of a special function: replaces one vector of values by its results, so
  /// that a test can see that what is measured is that function. Else null.
  void (*apply)(void *values);
};

/// Passes over arrays of `bytes` (a multiple of 512) bytes each.
struct StreamKernel {
  const char *kind; ///< "read", "write", "copy", "triad", "… (streaming)"
  unsigned arrays;  ///< the first so many of a, b, c, each gone through once
  bool bypassesCaches;
  void (*run)(char *a, const char *b, const char *c, size_t bytes,
              uint64_t passes);
};

struct KernelSet {
  const char *title;    ///< "AVX-512"
  const char *features; ///< what the CPU needs, LLVM's names, by comma
  unsigned vectorBytes;
  const ComputeKernel *compute;
  size_t numCompute;
  const StreamKernel *streams;
  size_t numStreams;
};

// Each is empty where it is compiled for another architecture.
KernelSet baselineKernels();
KernelSet avx2Kernels();
KernelSet avxVNNIKernels();
KernelSet avx512Kernels();
KernelSet avx512VNNIKernels();
KernelSet avx512BF16Kernels();
KernelSet avx512FP16Kernels();

} // namespace roofline::runtime::micro

#endif // ROOFLINE_RUNTIME_MICROKERNELS_H
