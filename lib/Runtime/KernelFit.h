//===- KernelFit.h - a time model from a sweep's samples --------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_RUNTIME_KERNELFIT_H
#define ROOFLINE_LIB_RUNTIME_KERNELFIT_H

#include "roofline/Runtime/KernelSweep.h"

namespace roofline::runtime {

struct FitOptions {
  unsigned vectorBits; ///< what kernels were compiled for
  int64_t threads = 1;
  CacheSizes caches;
  /// What others bring into shared caches; none: found from the samples.
  std::optional<double> foreignBytesPerSecond;
};

/// The model that comes nearest to the samples.
KernelModel fitKernels(llvm::ArrayRef<SweepSample> samples,
                       const FitOptions &options);

} // namespace roofline::runtime

#endif // ROOFLINE_LIB_RUNTIME_KERNELFIT_H
