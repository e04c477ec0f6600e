//===- KernelFeatures.h - what the time model asks of an op -----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_ANALYSIS_KERNELFEATURES_H
#define ROOFLINE_ANALYSIS_KERNELFEATURES_H

#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Cost/KernelModel.h"

namespace roofline {

/// The kernels of an rl op and their amounts of work, for registers of
/// `vectorBits`; nothing for ops and shapes that the model knows nothing of.
/// Units:
///
///   product, conv  multiply (cycles of vector multiply-adds, see tileCycles),
///                  pack_a, pack_b, gather_b (elements copied), store (vectors
///                  of results)
///   map:KIND, norm:KIND, softmax:KIND, copy:KIND, gather, pad,
///   reduce:sum:inner, reduce:max:inner, matvec:dot
///                  row (runs of elements that lie side by side), vector (whole
///                  ones in them), tail (what is left of a row)
///   reduce:sum:outer, reduce:max:outer, matvec
///                  the same of rows whose columns are summed
///   pool:KIND, depthwise
///                  row, vector (taps, by vectors of results); apart for
///                  windows two apart (":even") and planes beyond the first
///                  level of the caches (":l2")
///   transpose      row, element
std::optional<KernelFeatures> kernelFeatures(const CostRow &row,
                                             unsigned vectorBits);

} // namespace roofline

#endif // ROOFLINE_ANALYSIS_KERNELFEATURES_H
