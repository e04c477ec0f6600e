//===- Timing.h - clocks, and how a time is taken ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is judged is CPU time: on a shared machine wall time holds the time that
// others ran, and is up to twice too long. Where several threads work on one
// call it is wall time all the same. docs/calibrate.md says how a figure comes
// about.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_TIMING_H
#define ROOFLINE_RUNTIME_TIMING_H

#include "roofline/Runtime/Statistics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <functional>
#include <vector>

namespace roofline::runtime {

double wallSeconds();       ///< monotonic, from any origin
double threadCpuSeconds();  ///< CPU time of the calling thread
double processCpuSeconds(); ///< CPU time of all threads of this process

/// What one reading of the wall and the thread's CPU clock costs (the median of
/// many), and so by how much a sample is too long.
double timerOverheadSeconds();

/// One sample: with several threads the CPU time of the thread that took most.
struct Times {
  double wall = 0;
  double cpu = 0;
};

struct MeasureOptions {
  /// Wall time is judged, and CPU time is that of all of the process's threads:
  /// for functions that use several.
  bool byWall = false;
  unsigned minSamples = 30; ///< after the warm-up
  unsigned maxSamples = 100;
  /// Sampling ends after so many seconds, once there are `minSamples`.
  double targetSeconds = 0.2;
  /// Sampling ends after so many seconds even with fewer samples.
  double maxSeconds = 10;
  /// Short functions run several times a sample, so that it takes this long.
  /// Never below 1000 times what reading the clocks costs.
  double minSampleSeconds = 0.5e-3;
  /// A sample is at most so many calls, however short.
  uint64_t maxBatch = uint64_t(1) << 40;
  /// Warm-up ends when the median of `window` samples differs from that of the
  /// `window` before by less than `settledChange`.
  unsigned window = 5;
  double settledChange = 0.02;
  unsigned maxWarmUp = 100;
  double maxWarmUpSeconds = 2;
  /// Asked between samples; true ends the measurement, which keeps its samples.
  std::function<bool()> interrupted;
};

/// Times of one call, in seconds.
struct Measurement {
  std::vector<double> wallSamples;
  std::vector<double> cpuSamples; ///< none where only wall time was taken
  Statistics wall;
  Statistics cpu;
  bool byWall = false;   ///< what is judged: else CPU time
  uint64_t batch = 1;    ///< calls a sample
  unsigned warmUp = 0;   ///< samples thrown away
  bool settled = false;  ///< the warm-up reached a steady time
  bool complete = false; ///< at least `minSamples` samples
  bool interrupted = false;

  const Statistics &judged() const { return byWall ? wall : cpu; }
  /// Not where it ended before the first.
  bool hasSamples() const { return judged().count > 0; }
};

/// CPU time so far, as the options have it.
double cpuSeconds(const MeasureOptions &options);

/// Measures what `sample(n)` times: n calls of something, as `Times` of all n.
Measurement measureBatches(llvm::function_ref<Times(uint64_t)> sample,
                           const MeasureOptions &options = {});

/// Measures a call of `fn` on the calling thread, and those that it uses.
Measurement measure(llvm::function_ref<void()> fn,
                    const MeasureOptions &options = {});

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_TIMING_H
