//===- HostThreads.cpp - how kernels are shared out among threads ---------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/HostThreads.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace roofline {

int64_t HostThreads::worth(double cycles) const {
  if (count <= 1 || leastCycles <= 0)
    return std::max<int64_t>(count, 1);
  double most = cycles / leastCycles;
  return most >= double(count) ? count : std::max<int64_t>(1, int64_t(most));
}

std::optional<LoopShare> shareLoops(ArrayRef<int64_t> steps, int64_t threads) {
  if (threads <= 1)
    return std::nullopt;
  std::optional<LoopShare> best;
  double least = 1; // the largest part, of the loop
  for (auto [loop, count] : enumerate(steps)) {
    int64_t parts = std::min(count, threads);
    if (parts <= 1)
      continue;
    double largest = double(divideCeil(count, parts)) / double(count);
    if (largest >= least)
      continue;
    best = {unsigned(loop), parts};
    least = largest;
    if (largest * double(threads) <= 1.125)
      break;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Blocks of the same size, a number that `parts` divides where there are
/// enough steps of `unit`.
static int64_t dividedBlock(int64_t size, int64_t block, int64_t unit,
                            int64_t parts) {
  if (parts == 1)
    return block;
  int64_t blocks = alignTo(divideCeil(size, block), parts);
  return std::min(block, int64_t(alignTo(divideCeil(size, blocks), unit)));
}

int64_t largestPart(int64_t size, int64_t block, int64_t parts) {
  return std::min<int64_t>(size,
                           divideCeil(divideCeil(size, block), parts) * block);
}

/// Cycles of the thread that has the most to do.
static double slowest(const ProductShape &shape, int64_t batches,
                      const ProductTiling &t, const ProductShares &shares) {
  int64_t m = largestPart(shape.m, t.blockM, shares.m);
  int64_t n = largestPart(shape.n(), t.blockN, shares.n);
  auto k = double(shape.k());
  int64_t lone = n == shape.n() ? t.lone : 0;
  double cycles = k * tileCycles(m, n, t.rows, t.vectors, t.lanes, lone);
  // A load and a store each: of A an element at a time, of B a vector where its
  // elements lie side by side.
  if (t.packA)
    cycles += double(m) * k * double(divideCeil(n, t.blockN));
  if (t.packB)
    cycles += double(n) * k / (shape.directB ? double(t.lanes) : 1.0);
  return double(divideCeil(batches, shares.batches)) * cycles;
}

static ProductTiling divided(const ProductShape &shape, ProductTiling t,
                             const ProductShares &shares) {
  t.blockM = dividedBlock(shape.m, t.blockM, t.rows, shares.m);
  t.blockN = dividedBlock(shape.n(), t.blockN,
                          t.panels ? t.columns() : shape.width, shares.n);
  if (t.blockN < shape.n()) // no block has all columns
    t.lone = 0;
  return t;
}

ProductShares shareProduct(const ProductShape &shape, int64_t batches,
                           double repeats, const HostThreads &threads,
                           ProductTiling &tiling) {
  ProductShares best;
  double least = slowest(shape, batches, tiling, best);
  int64_t count = threads.worth(repeats * least);
  // Lone columns are summed in another order, which mustn't depend on threads.
  int64_t mostOfN = tiling.lone > 0 ? 1 : count;
  for (int64_t outer = std::min(count, batches); outer >= 1; --outer)
    for (int64_t n = 1; n <= mostOfN && outer * n <= count; ++n) {
      ProductShares shares{outer, n, count / (outer * n)};
      ProductTiling cut = divided(shape, tiling, shares);
      double cycles = slowest(shape, batches, cut, shares);
      if (cycles >= least)
        continue;
      least = cycles;
      best = shares;
    }
  tiling = divided(shape, tiling, best);
  return best;
}

} // namespace roofline
