//===- HostTilingTest.cpp - how products are cut --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/HostTiling.h"
#include <gtest/gtest.h>

using namespace roofline;

namespace {

// Tiles of 3 rows and 2 vectors of 16 over 7 × 40: 2 whole ones of 6 cycles;
// below them one of 1 row, which takes the 4 of the latency; to the right 2 of
// 3 rows and one vector, 4 each; in the corner one of 4.
TEST(TileCycles, CountsTheEdges) {
  EXPECT_EQ(tileCycles(7, 40, 3, 2, 16), 2 * 6 + 4 + 2 * 4 + 4);
}

// The last of 49 columns is a product of 7 rows with a vector of k: a vector of
// each for 16 steps. Else tiles of half a vector, of 3, 3 and 1 row, 4 cycles
// each.
TEST(TileCycles, ALoneColumn) {
  EXPECT_EQ(tileCycles(7, 49, 3, 3, 16, 1), 2 * 9 + 4 + 7.0 / 16);
  EXPECT_EQ(tileCycles(7, 49, 3, 3, 16), 2 * 9 + 4 + 3 * 4);
}

TEST(TileCycles, WholeTilesHaveNoEdges) {
  EXPECT_EQ(tileCycles(12, 96, 6, 2, 16), 2 * 3 * 12);
}

// One row and 14 vectors: broadcasts and loads, 15 on two ports, take less than
// the multiply-adds. A tile is never faster than the latency of 4.
TEST(TileCycles, ATileTakesItsLatencyAtLeast) {
  EXPECT_EQ(tileCycles(1, 14 * 16, 1, 14, 16), 14);
  EXPECT_EQ(tileCycles(1, 16, 1, 1, 16), 4);
}

// 32 registers: 6 · 4 results, 4 of B and one of A. 512 = 85 · 6 + 2 rows and 8
// tiles of columns: 8 · (85 · 24 + 8) = 16384 cycles, as with any tile that
// leaves nothing idle; a larger one has fewer loads. Blocks of k: 512 are two
// of 256, since 384 are the most. Of A 2^19 / (256 · 4) = 512 rows at once,
// which is all, in tiles of 6: 86 · 6 = 516. Of B 2^22 / (256 · 4) = 4096
// columns: all.
TEST(ChooseTiling, ALargeSquare) {
  ProductShape shape;
  shape.m = shape.width = shape.outerK = 512;
  ProductTiling t = chooseTiling(shape, 512);
  EXPECT_EQ(t.lanes, 16);
  EXPECT_EQ(t.rows, 6);
  EXPECT_EQ(t.vectors, 4);
  EXPECT_EQ(t.blockK, 256);
  EXPECT_EQ(t.blockM, 516);
  EXPECT_EQ(t.blockN, 512);
  EXPECT_TRUE(t.packA);
  EXPECT_TRUE(t.packB);
  EXPECT_TRUE(t.panels);
}

// 16 registers: 4 · 3 results, 3 of B and one of A are all of them.
TEST(ChooseTiling, FewerRegisters) {
  ProductShape shape;
  shape.m = shape.width = shape.outerK = 512;
  ProductTiling t = chooseTiling(shape, 256);
  EXPECT_EQ(t.lanes, 8);
  EXPECT_EQ(t.rows, 4);
  EXPECT_EQ(t.vectors, 3);
  EXPECT_EQ(t.blockN, 528); // 22 tiles of 24 columns
}

TEST(ChooseTiling, WideElementsHaveHalfTheLanes) {
  ProductShape shape;
  shape.m = shape.width = shape.outerK = 512;
  shape.bits = 64;
  ProductTiling t = chooseTiling(shape, 512);
  EXPECT_EQ(t.lanes, 8);
  EXPECT_EQ(t.blockM, 258); // 2^19 / (256 · 8) = 256 at once: 43 · 6
}

// One row: tiles of 1 × 4 hide the latency. B is read once, so it stays where
// it is, unless its columns don't lie side by side. 700 steps are 2 blocks of
// 350.
TEST(ChooseTiling, OneRow) {
  ProductShape shape;
  shape.width = 1000;
  shape.outerK = 700;
  ProductTiling t = chooseTiling(shape, 512);
  EXPECT_EQ(t.rows, 1);
  EXPECT_EQ(t.vectors, 4);
  EXPECT_EQ(t.blockK, 350);
  EXPECT_EQ(t.blockN, 1024); // 16 tiles of 64
  EXPECT_FALSE(t.packB);
  shape.directB = false;
  EXPECT_TRUE(chooseTiling(shape, 512).packB);
}

// 7 lines of 7 are 49 columns: 3 vectors of 16 and a lone one, which takes 160
// / 16 cycles. In 9 rows by 3 vectors 160 rows take 17 · 27 + 21 = 480 cycles,
// in 6 rows as many, 26 · 18 + 12, but more loads. Two tiles' width hold all
// columns, so A is not packed, and B line by line. 100 channels of 9 taps: 384
// / 9 = 42 at most, 3 blocks of 34. Where A's elements don't lie side by side
// along k, or A is packed, half a vector is a tile of its own.
TEST(ChooseTiling, AnImage) {
  ProductShape shape;
  shape.m = 160;
  shape.lines = shape.width = 7;
  shape.outerK = 100;
  shape.innerK = 9;
  ProductTiling t = chooseTiling(shape, 512);
  EXPECT_EQ(t.rows, 9);
  EXPECT_EQ(t.vectors, 3);
  EXPECT_EQ(t.lone, 1);
  EXPECT_EQ(t.blockK, 34);
  EXPECT_EQ(t.blockN, 49);
  EXPECT_FALSE(t.panels);
  EXPECT_TRUE(t.packB);
  EXPECT_FALSE(t.packA);
  shape.linesOfA = false;
  EXPECT_EQ(chooseTiling(shape, 512).lone, 0);
  shape.linesOfA = true;
  shape.directA = false; // to be widened once, not in each step
  EXPECT_TRUE(chooseTiling(shape, 512).packA);
  EXPECT_EQ(chooseTiling(shape, 512).lone, 0);
}

} // namespace
