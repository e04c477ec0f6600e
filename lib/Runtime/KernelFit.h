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

/// The model that comes nearest to the samples; what others bring into the
/// caches is found from them where it isn't given.
KernelModel fitKernels(llvm::ArrayRef<SweepSample> samples, unsigned vectorBits,
                       int64_t threads = 1,
                       std::optional<double> foreignBytesPerSecond = {});

} // namespace roofline::runtime

#endif // ROOFLINE_LIB_RUNTIME_KERNELFIT_H
