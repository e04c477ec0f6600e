//===- Kernels.cpp - the loops that this CPU can run ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace roofline::runtime::micro;

ArrayRef<KernelSet> roofline::runtime::micro::allKernelSets() {
  static const KernelSet sets[] = {
      baselineKernels(),   avx2Kernels(),       avxVNNIKernels(),
      avx512Kernels(),     avx512VNNIKernels(), avx512BF16Kernels(),
      avx512FP16Kernels(),
  };
  return sets;
}

bool roofline::runtime::micro::hostHas(StringRef feature) {
  static const StringMap<bool> features = sys::getHostCPUFeatures();
  return features.lookup(feature);
}

bool roofline::runtime::micro::hasAll(StringRef features,
                                      function_ref<bool(StringRef)> has) {
  return all_of(split(features, ','), [&](StringRef feature) {
    return feature.empty() || has(feature);
  });
}

Kernels
roofline::runtime::micro::chooseKernels(function_ref<bool(StringRef)> has) {
  Kernels chosen{{}, nullptr, {}};
  for (const KernelSet &set : allKernelSets()) {
    if (!set.title || !hasAll(set.features, has))
      continue;
    for (const ComputeKernel &kernel : ArrayRef(set.compute, set.numCompute)) {
      auto same = find_if(chosen.compute, [&](const ChosenCompute &other) {
        return StringRef(other.kernel->cls) == kernel.cls &&
               StringRef(other.kernel->type) == kernel.type &&
               StringRef(other.kernel->kind) == kernel.kind;
      });
      if (same == chosen.compute.end())
        chosen.compute.push_back({&kernel, &set});
      else
        *same = {&kernel, &set};
    }
    if (set.numStreams) {
      chosen.streamSet = &set;
      chosen.streams = ArrayRef(set.streams, set.numStreams);
    }
  }
  return chosen;
}
