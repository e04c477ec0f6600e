//===- PlacementAnalysis.h - a function's ops on a device -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_ANALYSIS_PLACEMENTANALYSIS_H
#define ROOFLINE_ANALYSIS_PLACEMENTANALYSIS_H

#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Cost/Placement.h"
#include <string>
#include <vector>

namespace roofline {

/// A row's numbers; nothing where one is unknown or a dimension is unbound.
std::optional<BoundWork> boundWork(const CostRow &row);

/// Where each row lands on a device, by row number.
std::vector<Placement> placeRows(const CostAnalysis &costs,
                                 const Device &device,
                                 const PlacementOptions &options);

/// One plain sentence that names a row's bound and why.
std::string explain(const CostRow &row, const Placement &placement,
                    const Device &device, const PlacementOptions &options);

} // namespace roofline

#endif // ROOFLINE_ANALYSIS_PLACEMENTANALYSIS_H
