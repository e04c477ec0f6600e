//===- Calibrate.h - the host's ceilings, measured --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the loops of MicroKernels.h, each long enough to be trusted, and turns
// what they give into a device. docs/calibrate.md says what each figure means.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_CALIBRATE_H
#define ROOFLINE_RUNTIME_CALIBRATE_H

#include "roofline/Cost/Device.h"
#include "roofline/Runtime/Environment.h"
#include "roofline/Runtime/Timing.h"

namespace roofline::runtime {

/// One figure: what it is of, and what was measured.
struct HostFigure {
  enum Group : uint8_t { Compute, Memory, Launch } group = Compute;
  ComputeClass cls = ComputeClass::Matmul; ///< of Compute
  ElementType type = ElementType::F32;     ///< of Compute
  std::string level;                       ///< of Memory
  std::string kind;                        ///< "fma", "read", "call" …
  unsigned threads = 1;
  std::string how; ///< "AVX-512", "256 KiB a thread"
  /// Threads share what is measured (a cache, the memory): they must run at the
  /// same time, or each has more of it than its part.
  bool shared = false;

  double value = 0; ///< operations or bytes a second; seconds of a launch
  double spread = 0;
  double together = 1; ///< CPU time over wall time: 1 where no thread waited
  size_t samples = 0;
  unsigned attempts = 0;
  bool settled = false;
  Competition competition;           ///< during the attempt that was kept
  std::optional<double> clockChange; ///< from its begin to its end; 0.1: faster

  /// "dram read, 2 threads".
  std::string name() const;
  /// By how much the figure may be off: the spread, or where threads share what
  /// is measured, the part of the time that they didn't run together.
  double noise() const;
};

/// One try at a figure.
struct Attempt {
  Statistics seconds;     ///< CPU time of one round
  double wallSeconds = 0; ///< the median's; 0: not known
  bool settled = false;
  bool interrupted = false;
  Competition competition;
  std::optional<double> clockBefore, clockAfter;
};

struct CalibrationOptions {
  std::vector<unsigned> threads; ///< empty: one, and as many as cores
  bool quick = false;            ///< smaller sets, shorter samples
  /// A figure of more noise is measured again, and in the end not trusted.
  double maxNoise = 0.1;
  unsigned maxAttempts = 4;
  double pauseSeconds = 0.25; ///< before the second attempt; then doubled
  /// All pauses together: where everything varies, waiting doesn't help.
  double maxPauseSeconds = 10;
  std::function<bool()> interrupted;
  /// Called before each figure: it, its number from 0, how many there are.
  std::function<void(const HostFigure &, size_t, size_t)> progress;
};

struct Calibration {
  Environment environment;
  std::vector<HostFigure> figures;
  Competition competition; ///< over the whole run
  std::optional<double> clockLow, clockHigh;
  bool interrupted = false; ///< the figures aren't complete
  bool pinned = true;       ///< every thread could be kept on a CPU
};

/// Tries until there is little noise, and keeps the try that has least.
/// `amount` is the work of one round; 0 for a time. Pauses are taken from
/// `options.maxPauseSeconds`.
void settleFigure(HostFigure &figure, double amount,
                  llvm::function_ref<Attempt()> attempt,
                  CalibrationOptions &options);

/// The bytes that each of `threads` threads goes through at a level.
struct WorkingSet {
  std::string level; ///< "l1" … "dram"
  int64_t bytes = 0; ///< of all arrays of a thread
};
std::vector<WorkingSet> workingSets(const Environment &environment,
                                    unsigned threads, bool quick);

Calibration calibrate(const CalibrationOptions &options);

/// A line for each figure that can't be trusted, with what disturbed it.
std::vector<std::string> disturbances(const Calibration &calibration,
                                      double maxNoise);

/// The ceilings as a device. Each is the highest of its measurements: a roof is
/// what nothing exceeds.
Device toDevice(const Calibration &calibration, llvm::StringRef name);

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_CALIBRATE_H
