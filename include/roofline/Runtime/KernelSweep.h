//===- KernelSweep.h - what this machine's kernels take ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A sweep over small models of one op each, of shapes made for it: compiled,
// measured, and fitted to the units of KernelFeatures.h.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_KERNELSWEEP_H
#define ROOFLINE_RUNTIME_KERNELSWEEP_H

#include "roofline/Cost/KernelModel.h"
#include "roofline/Runtime/RunModel.h"

namespace roofline::runtime {

/// The sweep's models, in ONNX's text form.
std::vector<std::string> sweepModels();

struct SweepOptions {
  RunOptions run;
  /// Told each model before its turn.
  std::function<void(size_t number, size_t count)> progress;
};

/// Measures the sweep and fits a model to it. An error where a model of the
/// sweep doesn't compile, or the sweep was interrupted.
llvm::Expected<KernelModel> sweepKernels(HostCompiler &compiler,
                                         const SweepOptions &options);

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_KERNELSWEEP_H
