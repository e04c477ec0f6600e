//===- View.h - what several writers derive from a report -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_REPORT_VIEW_H
#define ROOFLINE_LIB_REPORT_VIEW_H

#include "roofline/Report/Writers.h"
#include <array>

namespace roofline::report {

constexpr unsigned numBounds = unsigned(Bound::Unknown) + 1;

/// Bytes read and written; nothing where either is unknown.
std::optional<Int> totalBytes(const std::optional<Int> &read,
                              const std::optional<Int> &written);
inline std::optional<Int> totalBytes(const Report::Op &op) {
  return totalBytes(op.bytesRead, op.bytesWritten);
}

/// The row's name, else its first output's, else "Type #index"; printable.
std::string displayName(const Report::Op &op);
/// The path that starts every one of these names ("/model/"), else "".
std::string commonPath(llvm::ArrayRef<const Report::Op *> ops);
/// Where the row's time goes against the report's total; nothing if unknown.
std::optional<double> timeShare(const Report &report, const Report::Op &op);
/// The fraction of its compute roof that a row reaches; nothing without FLOPs.
std::optional<double> roofUse(const Report::Op &op);

/// Rows by `key`: greatest first, then the unknown, then what is nothing; ties
/// in execution order.
std::vector<const Report::Op *> sortedOps(const Report &report, SortKey key);
/// The first `top` (0: all) of those.
std::vector<const Report::Op *> topOps(const Report &report, SortKey key,
                                       unsigned top);

/// Rows that share an op type or a scope, summed.
struct OpGroup {
  std::string name;
  unsigned count = 0, uncovered = 0;
  std::optional<double> seconds;
  std::optional<Int> flops, bytes;
  std::array<double, numBounds> boundSeconds{}; ///< time by bound
};
std::vector<OpGroup> groupOps(const Report &report, GroupKey by, SortKey sort);
/// "memory 80%, compute 20%" of the time in `boundSeconds`.
std::string boundMix(const std::array<double, numBounds> &boundSeconds);
std::array<double, numBounds> boundSeconds(const Report &report);

/// Fusion groups, greatest saving first.
std::vector<const Report::FusionGroup *> sortedGroups(const Report &report);
/// Groups of one kind, size and saving: those of a model's layers.
struct AlikeGroups {
  std::vector<const Report::FusionGroup *> groups;
  std::optional<double> secondsSaved; ///< of all together
};
/// All groups, put together where alike; greatest saving first.
std::vector<AlikeGroups> alikeGroups(const Report &report);

/// The total time; unknown where only views are known.
std::optional<double> totalSeconds(const Report &report);

unsigned coveredOps(const Report &report);
/// "118 of 122 ops; opaque: Foo × 3, Bar (com.x)".
std::string coverageText(const Report &report);
std::string uncoveredText(const Report &report);
/// "batch = 1, seq = 128; unbound: past"; "none" where the model has none.
std::string dimsText(const Report &report);
/// "resnet50.onnx (IR 8; opset 12, com.microsoft 1)".
std::string sourceText(const Report &report);
std::string parametersText(const Report &report);
/// "h100-sxm (NVIDIA H100 SXM5 80 GB)".
std::string deviceText(const Device &device);
/// The ceilings that matter to this report: those of the classes and types the
/// model works in, the most work first, then the memory levels.
std::vector<const ComputeCeiling *> mainCeilings(const Report &report);
std::string ceilingsText(const Report &report);
/// The ridge of the ceiling that does the most work; empty where there is none.
std::string ridgeText(const Report &report);
/// How f32 products were counted, where that is worth a word; else empty.
std::string tf32Text(const Report &report);
/// "matmul f16 8.20 GFLOP, vector f16 10.2 MFLOP", the most first.
std::string flopsByClassText(const Report::FlopsByClass &flops);
/// "weights 14.0 GB, activations 2.00 MB".
std::string bytesByRoleText(const Report::Totals &totals);
/// "210 MB, fits in 80.0 GB".
std::string peakMemoryText(const Report &report);
/// The flags that bind what is open, in one line for a shell; empty where
/// nothing is.
std::string bindFlagsText(const Report &report);

} // namespace roofline::report

#endif // ROOFLINE_LIB_REPORT_VIEW_H
