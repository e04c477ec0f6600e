//===- Results.h - what a run found -----------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_RUN_RESULTS_H
#define ROOFLINE_TOOLS_RL_RUN_RESULTS_H

#include "roofline/Analysis/Names.h"
#include "roofline/Runtime/Environment.h"
#include "roofline/Runtime/RunModel.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace roofline {

struct OpResult {
  std::vector<unsigned> rows; ///< of the report; several of a group
  std::string name, opType;
  std::vector<std::string> outputs;
  /// Shapes and element types; plain data, which outlives the model's context.
  std::vector<std::pair<std::vector<int64_t>, std::string>> inputs;
  std::optional<double> flops, bytes;
  double compileSeconds = 0; ///< 0: the kernel was kept from before
  std::optional<runtime::Measurement> measured;
  std::string error; ///< why it wasn't
  /// The same by a library, where that has a kernel for it.
  std::optional<runtime::Measurement> library;
};

struct RunResult {
  std::string model;
  std::vector<OpResult> ops;    ///< views have none
  std::vector<OpResult> groups; ///< fused, each one kernel
  bool opsInRun = false;        ///< `ops` were timed in runs of the whole
  std::optional<runtime::Measurement> whole;
  std::string wholeError;
  std::vector<std::string> notes; ///< what else went wrong
  std::string library;            ///< measured beside; "" where none was
  runtime::Competition competition;
  bool interrupted = false;

  /// Every op has a measurement.
  bool allRan() const;
};

struct RunSettings {
  std::string caches;
  unsigned seed, iterations;
  std::string cpu; ///< that kernels are compiled for
  unsigned threads = 1;
  bool pinned = true; ///< each thread on a CPU of its own
};

/// On an op that is to run: the report's row.
constexpr llvm::StringLiteral rowAttrName = "rl.row";

/// A step's row, names and predicted work.
OpResult describe(const CostAnalysis &costs, NameTable &names,
                  const runtime::Step &step);

/// What couldn't be run, and why, a line each.
void printFailures(const RunResult &result, llvm::raw_ostream &os);

/// For people: the slowest ops first.
void printResult(const RunResult &result, const RunSettings &settings,
                 llvm::raw_ostream &os);

/// As docs/profiles.md has it (roofline-measured/1).
std::string measuredJSON(const RunResult &result, const RunSettings &settings);

/// One line of CSV for each op and value: what --vary found.
llvm::Error writeTable(llvm::StringRef varied,
                       llvm::ArrayRef<std::pair<int64_t, RunResult>> rows,
                       llvm::StringRef path);

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_RUN_RESULTS_H
