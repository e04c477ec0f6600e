//===- Kernels.h - the loops that this CPU can run --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_KERNELS_H
#define ROOFLINE_RUNTIME_KERNELS_H

#include "MicroKernels.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace roofline::runtime::micro {

struct ChosenCompute {
  const ComputeKernel *kernel;
  const KernelSet *set;
};

struct Kernels {
  std::vector<ChosenCompute> compute; ///< one for each class, type and kind
  const KernelSet *streamSet;         ///< null where there is none
  llvm::ArrayRef<StreamKernel> streams;
};

/// All sets, the preferred ones last.
llvm::ArrayRef<KernelSet> allKernelSets();

/// Of the sets whose features `has` knows, the last that has each loop.
Kernels chooseKernels(llvm::function_ref<bool(llvm::StringRef)> has);

/// Whether this CPU, and its system, has a feature by LLVM's name.
bool hostHas(llvm::StringRef feature);

/// Whether all of a comma-separated list is there.
bool hasAll(llvm::StringRef features,
            llvm::function_ref<bool(llvm::StringRef)> has);

} // namespace roofline::runtime::micro

#endif // ROOFLINE_RUNTIME_KERNELS_H
