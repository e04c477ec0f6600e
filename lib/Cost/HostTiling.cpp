//===- HostTiling.cpp - how products are cut for a CPU --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/HostTiling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace roofline {

double tileCycles(int64_t m, int64_t n, int64_t rows, int64_t vectors,
                  int64_t lanes, int64_t lone) {
  n -= lone;
  auto one = [](int64_t r, double v) {
    // A broadcast or a load takes one of two ports for a cycle.
    return std::max({double(r) * v, 4.0, 0.5 * (double(r) + std::ceil(v))});
  };
  int64_t columns = lanes * vectors;
  int64_t fullRows = m / rows, restRows = m % rows;
  int64_t fullColumns = n / columns;
  // What fills half of the last vector at most is a tile of half a vector.
  int64_t rest = n % columns, wholeVectors = rest / lanes;
  bool isHalf = rest % lanes != 0 && lanes >= 4 && 2 * (rest % lanes) <= lanes;
  if (rest % lanes != 0 && !isHalf)
    ++wholeVectors;
  double cycles = double(m * lone) / double(lanes);
  auto add = [&](int64_t tiles, double v) {
    if (tiles == 0 || v == 0)
      return;
    cycles += double(tiles) * double(fullRows) * one(rows, v);
    if (restRows)
      cycles += double(tiles) * one(restRows, v);
  };
  add(fullColumns, double(vectors));
  add(1, double(wholeVectors));
  add(1, isHalf ? 0.5 : 0);
  return cycles;
}

/// Whether A is worth a copy, for tiles of so many columns: what is used once
/// or twice isn't.
static bool packsA(const ProductShape &shape, int64_t columns) {
  return shape.n() > 2 * columns || !shape.directA;
}

/// The same of B, for tiles of so many rows.
static bool packsB(const ProductShape &shape, int64_t rows) {
  return shape.lines > 1 || !shape.directB || shape.m > 2 * rows;
}

static int64_t loneColumns(const ProductShape &shape, int64_t rows,
                           int64_t vectors, int64_t lanes) {
  constexpr int64_t few = 2, leastLanes = 8;
  int64_t lone = shape.n() % lanes;
  bool isWorthIt = lone <= few && shape.n() > lanes && lanes >= leastLanes;
  return isWorthIt && shape.linesOfA && !packsA(shape, lanes * vectors) &&
                 packsB(shape, rows)
             ? lone
             : 0;
}

static void chooseTile(const ProductShape &shape, unsigned vectorBits,
                       ProductTiling &t) {
  int64_t registers = vectorBits == 512 ? 32 : 16;
  double best = INFINITY;
  for (int64_t vectors = 1; vectors <= 4; ++vectors)
    for (int64_t rows = 1; rows <= 14 && rows <= shape.m; ++rows) {
      // Results, a row of B, and an element of A.
      if (rows * vectors + vectors + 1 > registers)
        continue;
      int64_t lone = loneColumns(shape, rows, vectors, t.lanes);
      // A large tile reads its operands less often.
      int64_t filled =
          std::min<int64_t>(vectors, divideCeil(shape.n() - lone, t.lanes));
      double cycles =
          tileCycles(shape.m, shape.n(), rows, vectors, t.lanes, lone) *
          (1 + 0.05 / double(rows) + 0.05 / double(filled));
      if (cycles >= best)
        continue;
      best = cycles;
      t.rows = rows;
      t.vectors = vectors;
      t.lone = lone;
    }
}

/// Blocks of the same size, as few as `most` allows, in multiples of `unit`.
static int64_t evenBlocks(int64_t size, int64_t most, int64_t unit) {
  int64_t blocks = divideCeil(size, std::max(most, unit));
  return alignTo(divideCeil(size, blocks), unit);
}

ProductTiling chooseTiling(const ProductShape &shape, unsigned vectorBits) {
  ProductTiling t;
  t.lanes = std::max<int64_t>(1, vectorBits / shape.bits);
  chooseTile(shape, vectorBits, t);
  int64_t bytes = shape.bits / 8;
  // A block of A and a tile of B lie in the second level of the caches, a block
  // of B in the third.
  constexpr int64_t secondLevel = 1 << 20, thirdLevel = 4 << 20, deepest = 384;
  int64_t mostSteps = std::max<int64_t>(1, deepest / shape.innerK);
  t.blockK = evenBlocks(shape.outerK, mostSteps, 1);
  int64_t depth = t.blockK * shape.innerK;
  t.blockM = evenBlocks(shape.m, secondLevel / 2 / (depth * bytes), t.rows);
  t.panels = shape.lines == 1;
  if (t.panels) {
    t.blockN =
        evenBlocks(shape.width, thirdLevel / (depth * bytes), t.columns());
  } else {
    constexpr int64_t mostColumns = 512;
    int64_t mostLines = std::max<int64_t>(1, mostColumns / shape.width);
    t.blockN = evenBlocks(shape.lines, mostLines, 1) * shape.width;
  }
  t.packB = packsB(shape, t.rows);
  t.packA = packsA(shape, t.columns());
  if (t.blockN < shape.n())
    t.lone = 0;
  return t;
}

} // namespace roofline
