//===- MemoryAnalysis.h - live memory and compulsory traffic ----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_ANALYSIS_MEMORYANALYSIS_H
#define ROOFLINE_ANALYSIS_MEMORYANALYSIS_H

#include "roofline/Analysis/CostAnalysis.h"

namespace roofline {

/// The most bytes alive at once when rows run in order: all weights throughout,
/// each other tensor from its producer to its last reader (graph inputs from
/// the start, graph outputs to the end; what a loop's body reads from outside
/// until the loop ends). Views and results written in place share their
/// tensor's bytes; of a branch, only the region that is counted. Nothing where
/// a size is unknown, a dimension unbound, or branches between blocks leave the
/// order open.
std::optional<Int> peakLiveBytes(const CostAnalysis &costs);

/// What any schedule must move: weights and graph inputs once each, by the
/// union of what their readers need, and graph outputs once.
std::optional<Expr> compulsoryBytes(const CostAnalysis &costs);

} // namespace roofline

#endif // ROOFLINE_ANALYSIS_MEMORYANALYSIS_H
