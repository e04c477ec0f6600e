//===- RunModel.h - how long a model's kernels take -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_RUNMODEL_H
#define ROOFLINE_RUNTIME_RUNMODEL_H

#include "roofline/Runtime/OpKernel.h"
#include "roofline/Runtime/Program.h"
#include "roofline/Runtime/Timing.h"

namespace roofline::runtime {

struct RunOptions {
  MeasureOptions measure;
  /// What the caches hold is driven out before each call, outside of its time.
  bool coldCaches = false;
  uint64_t seed = 1; ///< of made-up operands
  /// A step alone has so many sets of operands, taken in turn: what it touches
  /// was last touched that many calls ago.
  unsigned rotation = 1;
  /// Before each call nothing is done for so long: what others do to the caches
  /// meanwhile is in its time. Then, as with cold caches, a sample is one call;
  /// too few of them are an error.
  double pauseSeconds = 0;
};

/// A step alone on made-up operands: what it takes whatever stands around it.
llvm::Expected<Measurement> measureStep(const Step &step,
                                        const RunOptions &options);

/// The same op on the same operands by a library; nothing where that has no
/// kernel for it. An error where it computes something else. Without rotation.
llvm::Expected<std::optional<Measurement>>
measureByLibrary(KernelLibrary &library, const Step &step,
                 const RunOptions &options);

/// A whole program, and its steps as they are in it.
struct ProgramTimes {
  Measurement whole;
  /// By step, wall times: of the runs that no other process interrupted, where
  /// those are at least half.
  std::vector<Measurement> steps;
};

/// The whole program, one run after the other. A step's caches are as the steps
/// before left them.
llvm::Expected<ProgramTimes> measureProgram(Program &program,
                                            llvm::ArrayRef<Tensor> inputs,
                                            const WeightSource &weights,
                                            const RunOptions &options);

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_RUNMODEL_H
