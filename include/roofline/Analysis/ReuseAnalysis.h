//===- ReuseAnalysis.h - what is touched between two uses -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From which cache level an operand comes depends on what was touched since it
// was last in use: its reuse distance (Mattson et al., 1970). A model is run
// again and again: a weight was last read a whole run ago, a result of the op
// before just now.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_ANALYSIS_REUSEANALYSIS_H
#define ROOFLINE_ANALYSIS_REUSEANALYSIS_H

#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Cost/KernelModel.h"

namespace roofline {

/// Bytes that a row touches, and when they were last touched.
struct ReuseShare {
  double bytes;
  double distance; ///< bytes touched since, its own among them
  size_t lastRow;
  bool inRunBefore; ///< `lastRow` of the run before
};

struct RowReuse {
  std::vector<ReuseShare> read, written; ///< by operand and result
  /// The kernel's code, which ops of the same kind, attributes and types share.
  std::optional<ReuseShare> code;
};

/// By row, where what it reads and writes was left by the ops before it, in a
/// run that is repeated. An op's result takes the buffer of its size that was
/// freed last, as the runtime's does (lib/Runtime/Program.cpp). Rows of unknown
/// size, or that run more than once, have none.
///
/// An op goes through all of its operands at once. Between two uses of an
/// element lie, on average, half of the other operands of the op before and
/// half of those of the op after, and all that ops in between touch.
///
/// `ownBytes` says by row what kernels touch besides operands and results,
/// which is the same memory from kernel to kernel; nothing where it is empty.
std::vector<RowReuse> reuseDistances(const CostAnalysis &costs,
                                     llvm::ArrayRef<double> ownBytes = {});

/// When the rows of a repeated run have their turn, from what they take.
class RunClock {
public:
  explicit RunClock(llvm::ArrayRef<double> seconds);
  /// A row's reuse with how long ago that was.
  KernelReuse reuseOf(const RowReuse &reuse, size_t row) const;

private:
  double since(const ReuseShare &share, size_t row) const;

  std::vector<double> middles; ///< of each row's turn
  double total = 0;
};

} // namespace roofline

#endif // ROOFLINE_ANALYSIS_REUSEANALYSIS_H
