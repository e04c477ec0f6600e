//===- FusionAnalysis.h - groups that could be one kernel -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_ANALYSIS_FUSIONANALYSIS_H
#define ROOFLINE_ANALYSIS_FUSIONANALYSIS_H

#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Analysis/PlacementAnalysis.h"
#include <string>
#include <vector>

namespace roofline {

/// Ops that could run as one kernel whose inner tensors never reach DRAM.
struct FusionGroup {
  std::vector<unsigned> rows; ///< in order of execution, two and more
  std::string
      kind; ///< "elementwise", "reduction", "softmax", "norm", "epilogue"
  /// DRAM bytes of the ops one by one, and of the group's boundary alone; all
  /// trips. Nothing where a size is unknown.
  std::optional<Expr> bytesBefore, bytesAfter;
  std::optional<double> secondsBefore, secondsAfter;
  /// What keeps the nearest neighbour out; "" where nothing is left.
  std::string blockedBy;
};

/// Maximal convex groups of bandwidth-bound (or overhead-bound) ops. Rows are
/// in at most one group. `placements` are those of `placeRows`.
std::vector<FusionGroup> markFusion(const CostAnalysis &costs,
                                    llvm::ArrayRef<Placement> placements,
                                    const Device &device,
                                    const PlacementOptions &options);

} // namespace roofline

#endif // ROOFLINE_ANALYSIS_FUSIONANALYSIS_H
