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

/// The model that comes nearest to the samples.
KernelModel fitKernels(llvm::ArrayRef<SweepSample> samples, unsigned vectorBits,
                       int64_t threads = 1);

} // namespace roofline::runtime

#endif // ROOFLINE_LIB_RUNTIME_KERNELFIT_H
