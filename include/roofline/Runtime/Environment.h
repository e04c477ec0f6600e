//===- Environment.h - what a measurement ran on ----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one has to know to tell whether two measurements can be compared: the
// processor and its caches, the system, who else was running. No names of
// hosts or users.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_ENVIRONMENT_H
#define ROOFLINE_RUNTIME_ENVIRONMENT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace roofline::runtime {

struct Cache {
  unsigned level = 0;
  std::string type; ///< "Data", "Unified", "Instruction"
  int64_t sizeBytes = 0;
  unsigned lineBytes = 0;         ///< 0: not known
  std::vector<unsigned> sharedBy; ///< CPUs
};

/// What the system says of itself. Everything is empty, or 0, where the system
/// doesn't say. `root` stands before /proc and /sys: for tests.
struct Environment {
  std::string cpuModel;
  std::string cpuVendor; ///< "AMD", "Intel", else as the system spells it
  std::string architecture;
  unsigned cores = 0; ///< that this process may use
  unsigned threadsPerCore = 0;
  std::vector<Cache> caches; ///< of the first usable CPU, as sysfs lists them
  int64_t memoryBytes = 0;
  int64_t availableBytes = 0;
  std::string governor;
  std::optional<double> nominalHz; ///< what sysfs or /proc/cpuinfo states
  std::string kernel;
  bool virtualMachine = false;       ///< the CPU says so
  std::optional<double> loadAverage; ///< of the last minute
  std::string hugePages;             ///< the policy in force: "madvise" …

  static Environment read(llvm::StringRef root = "");

  /// The data or unified cache of a level; null where there is none.
  const Cache *dataCache(unsigned level) const;
  /// The same of the highest level; null where none is known.
  const Cache *lastDataCache() const;
};

/// "0-3,8" as numbers; what can't be read is left out.
std::vector<unsigned> parseCpuList(llvm::StringRef text);

/// Cycles a second of the calling thread's core, from a chain of additions that
/// each wait for the one before; nothing on an architecture without one.
std::optional<double> measureClock();

/// Counters of the whole machine and of this process, in seconds of CPU time
/// since some origin.
struct LoadCounters {
  double wall = 0;
  double busy = 0;   ///< all processes on all CPUs
  double stolen = 0; ///< wanted by this machine, run by another on its host
  double own = 0;    ///< this process

  static LoadCounters read(llvm::StringRef root = "");
};

/// What else ran between two readings, in CPUs (1: one CPU all of the time).
struct Competition {
  double others = 0;
  double stolen = 0;

  static Competition between(const LoadCounters &before,
                             const LoadCounters &after);
};

/// The environment as device files and reports hold it. `competition` is that
/// of the whole run.
llvm::json::Object toJSON(const Environment &environment,
                          const Competition &competition,
                          llvm::StringRef flags);

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_ENVIRONMENT_H
