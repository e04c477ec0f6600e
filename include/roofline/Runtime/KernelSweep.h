//===- KernelSweep.h - what this machine's kernels take ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A sweep over small models of one op each, and over some of several ops, of
// shapes made for it: compiled, measured, and fitted to the units of
// KernelFeatures.h.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_KERNELSWEEP_H
#define ROOFLINE_RUNTIME_KERNELSWEEP_H

#include "roofline/Cost/KernelModel.h"
#include "roofline/Runtime/RunModel.h"

namespace roofline::runtime {

/// A model of the sweep.
struct SweepModel {
  std::string text;        ///< in ONNX's text form
  unsigned rotation = 1;   ///< of its operands (RunOptions)
  double pauseSeconds = 0; ///< before each call
};
/// Those of one op, which is measured alone.
std::vector<SweepModel> sweepModels();
/// Those of several ops, each of which finds its operands where others left
/// them.
std::vector<SweepModel> sweepRuns();

/// Bytes of the second level of a core's caches, and of the last, which it may
/// share; common ones where they aren't known.
struct CacheSizes {
  double second = 1 << 20, last = 32 << 20;
};

struct SweepOptions {
  RunOptions run;
  CacheSizes caches;
  /// What others bring into shared caches, where that is known: threads that
  /// slept take time to wake, which pauses can't be told from.
  std::optional<double> foreignBytesPerSecond;
  /// Told each model before its turn.
  std::function<void(size_t number, size_t count)> progress;
};

/// One kernel of the sweep.
struct SweepSample {
  std::string op; ///< alone a model in ONNX's text form
  KernelFeatures features;
  KernelReuse reuse;       ///< empty of one that is called on the same operands
  double pauseSeconds = 0; ///< before each call
  double seconds;          ///< measured, the median
  bool inRun = false;      ///< among other ops
};

struct SweepResult {
  KernelModel model;
  std::vector<SweepSample> samples;

  /// The samples with what the model predicts of them.
  void writeSamples(llvm::raw_ostream &os) const;
};

/// Measures the sweep and fits a model to it. An error where a model of the
/// sweep doesn't compile, or the sweep was interrupted.
llvm::Expected<SweepResult> sweepKernels(HostCompiler &compiler,
                                         const SweepOptions &options);

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_KERNELSWEEP_H
