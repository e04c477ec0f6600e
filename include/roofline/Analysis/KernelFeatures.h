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
#include "roofline/Cost/HostThreads.h"
#include "roofline/Cost/KernelModel.h"

namespace roofline {

/// The kernels of an rl op and their amounts of work, for registers of
/// `vectorBits`; nothing for ops and shapes that the model knows nothing of.
/// Units:
///
///   product, conv  multiply (cycles of vector multiply-adds, see tileCycles),
///                  pack_a, pack_b (elements copied), turn_b (elements in
///                  squares that are turned), gather_b (elements), store
///                  (vectors of results)
///   map:KIND, norm:KIND, softmax:KIND, copy:KIND, gather, pad,
///   reduce:sum:inner, reduce:max:inner, matvec:dot
///                  row (runs of elements that lie side by side), vector (whole
///                  ones in them), tail (what is left of a row); copy:scattered
///                  stores its elements apart
///   reduce:sum:outer, reduce:max:outer, matvec
///                  the same of rows whose columns are summed
///   pool:KIND, depthwise
///                  row, vector (taps, by vectors of results); apart for
///                  windows two apart (":even") and planes beyond the first
///                  level of the caches (":l2")
///   transpose      row (strips of squares), square
///   transpose:gathered, transpose:scattered
///                  row, element or vector
///   resize:nearest row, vector, tail of lines whose elements are repeated
///   resize:KIND:picked
///                  element
///   recurrent:KIND step, vector (of a step's hidden state), beside products
///   attention      block (of queries by keys), row, score (vectors), multiply
///                  (vectors), pack (elements)
///   topk           row, element, move (down a level of the heap)
///
/// Where `threads` share the kernel, amounts are those of the one that has the
/// most to do.
std::optional<KernelFeatures> kernelFeatures(const CostRow &row,
                                             unsigned vectorBits,
                                             const HostThreads &threads = {});

} // namespace roofline

#endif // ROOFLINE_ANALYSIS_KERNELFEATURES_H
