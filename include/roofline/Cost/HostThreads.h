//===- HostThreads.h - how kernels are shared out among threads -*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every thread runs all of a kernel's loops, one of them (of products up to
// three) over a part of its own. Only loops over results are cut, never a
// reduction, so what is added to what, and in which order, is the same for any
// number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_COST_HOSTTHREADS_H
#define ROOFLINE_COST_HOSTTHREADS_H

#include "roofline/Cost/HostTiling.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace roofline {

/// The threads a kernel may use.
struct HostThreads {
  int64_t count = 1;
  /// A thread has at least so many cycles of work, or isn't worth what it costs
  /// to start it and to wait for it.
  double leastCycles = defaultLeastCycles;

  static constexpr double defaultLeastCycles = 20000;

  /// How many of them work of so many cycles is worth; at least 1.
  int64_t worth(double cycles) const;
};

/// Part `p` of `parts` has the steps from `p·steps/parts` on.
struct LoopShare {
  unsigned loop;     ///< its number
  int64_t parts = 1; ///< at most as many as it has steps
};

/// Which of several loops to cut for `threads`, given their steps, outermost
/// first: the outermost whose largest part is at most an eighth above an even
/// share, else the one that comes nearest. Nothing where none has two steps.
std::optional<LoopShare> shareLoops(llvm::ArrayRef<int64_t> steps,
                                    int64_t threads);

/// In how many parts the loops of a product are cut.
struct ProductShares {
  int64_t batches = 1, n = 1, m = 1;

  int64_t parts() const { return batches * n * m; }
};

/// The most that one of `parts` has of `size`, in steps of `block`.
int64_t largestPart(int64_t size, int64_t block, int64_t parts);

/// The cut by which the slowest thread has the least to do, what it packs
/// counted: each packs its operands itself. The product is done `batches` times
/// in a loop that can be cut, and all of that `repeats` times. Blocks of
/// `tiling` become smaller where there are fewer of them than parts, and never
/// larger.
ProductShares shareProduct(const ProductShape &shape, int64_t batches,
                           double repeats, const HostThreads &threads,
                           ProductTiling &tiling);

} // namespace roofline

#endif // ROOFLINE_COST_HOSTTHREADS_H
