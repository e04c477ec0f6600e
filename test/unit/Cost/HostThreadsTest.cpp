//===- HostThreadsTest.cpp - how kernels are shared out -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/HostThreads.h"
#include <gtest/gtest.h>

using namespace roofline;

namespace {

TEST(HostThreads, EachHasEnoughToDo) {
  HostThreads threads{4, 100};
  EXPECT_EQ(threads.worth(99), 1);
  EXPECT_EQ(threads.worth(399), 3);
  EXPECT_EQ(threads.worth(1e30), 4);
  EXPECT_EQ(threads.worth(0), 1);
  EXPECT_EQ((HostThreads{4, 0}).worth(0), 4); // whatever there is
  EXPECT_EQ((HostThreads{1, 0}).worth(1e9), 1);
}

TEST(ShareLoops, TheOutermostThatIsEven) {
  std::optional<LoopShare> share = shareLoops({64, 64}, 2);
  ASSERT_TRUE(share);
  EXPECT_EQ(share->loop, 0u);
  EXPECT_EQ(share->parts, 2);
  // 9 steps: 5 of them are a ninth more than half.
  EXPECT_EQ(shareLoops({9, 64}, 2)->loop, 0u);
}

// Of 3 steps one has two thirds, a third more than half; of 7 one has 4, a
// seventh more.
TEST(ShareLoops, ElseTheMostEven) {
  EXPECT_EQ(shareLoops({3, 100}, 2)->loop, 1u);
  EXPECT_EQ(shareLoops({3, 7}, 2)->loop, 1u);
  EXPECT_EQ(shareLoops({7, 3}, 2)->loop, 0u);
}

// 4 threads: 2 steps are 2 parts, a half each; of 7 steps 2 are the most.
TEST(ShareLoops, NoMorePartsThanSteps) {
  EXPECT_EQ(shareLoops({2}, 4)->parts, 2);
  std::optional<LoopShare> share = shareLoops({2, 7}, 4);
  ASSERT_TRUE(share);
  EXPECT_EQ(share->loop, 1u);
  EXPECT_EQ(share->parts, 4);
}

TEST(ShareLoops, NothingToShare) {
  EXPECT_FALSE(shareLoops({}, 2));
  EXPECT_FALSE(shareLoops({1, 1}, 2));
  EXPECT_FALSE(shareLoops({0}, 2));
  EXPECT_FALSE(shareLoops({64}, 1));
}

ProductShape square(int64_t size) {
  ProductShape shape;
  shape.m = shape.width = shape.outerK = size;
  return shape;
}

// 512 · 512 in tiles of 6 · 64 (HostTilingTest). Half of m is 258 rows, whole
// tiles: 43 · 8 tiles of 24 cycles for each of 512 k, 4227072, and packing of
// 258 · 512 elements of A and 512 · 512 / 16 vectors of B: 4375552. Half of n
// are 85 whole tiles and 2 rows times 4: 4 · (85 · 24 + 8) · 512 = 4194304,
// with all of A, 262144, and half of B, 8192, 4464640: more.
TEST(ShareProduct, ByWhatTheSlowestHas) {
  ProductShape shape = square(512);
  ProductTiling tiling = chooseTiling(shape, 512);
  ProductShares shares = shareProduct(shape, 1, 1, {2}, tiling);
  EXPECT_EQ(shares.batches, 1);
  EXPECT_EQ(shares.n, 1);
  EXPECT_EQ(shares.m, 2);
  EXPECT_EQ(tiling.blockM, 258);
  EXPECT_EQ(tiling.blockN, 512);
  EXPECT_EQ(tiling.blockK, 256);
}

// 4 · (8388608 + 262144 + 16384) = 34668544 are fewer than 8 · 4375552.
TEST(ShareProduct, BatchesPackNothingTwice) {
  ProductShape shape = square(512);
  ProductTiling tiling = chooseTiling(shape, 512);
  ProductShares shares = shareProduct(shape, 8, 1, {2}, tiling);
  EXPECT_EQ(shares.batches, 2);
  EXPECT_EQ(shares.n, 1);
  EXPECT_EQ(shares.m, 1);
  EXPECT_EQ(tiling.blockM, 516); // as for one thread
}

// The last of 49 columns is summed in an order of its own, with threads or
// without: they share the rows.
TEST(ShareProduct, LoneColumnsStayWithTheOthers) {
  ProductShape shape;
  shape.m = 40;
  shape.lines = shape.width = 7;
  shape.outerK = 128;
  shape.innerK = 9;
  ProductTiling tiling = chooseTiling(shape, 512);
  ASSERT_EQ(tiling.lone, 1);
  ProductShares shares = shareProduct(shape, 1, 1, {2}, tiling);
  EXPECT_EQ(shares.n, 1);
  EXPECT_EQ(tiling.lone, 1);
  EXPECT_EQ(tiling.blockN, 49);
}

// One row has no other way than by columns.
TEST(ShareProduct, ARowByItsColumns) {
  ProductShape shape = square(4096);
  shape.m = 1;
  ProductTiling tiling = chooseTiling(shape, 512);
  EXPECT_EQ(shareProduct(shape, 1, 1, {2}, tiling).n, 2);
  EXPECT_LE(tiling.blockN, 2048);
}

// 16³ takes some hundreds of cycles; a thousand times that is worth two
// threads, but no loop of the product is: one tile.
TEST(ShareProduct, SmallOnesStayWhole) {
  ProductShape shape = square(16);
  ProductTiling tiling = chooseTiling(shape, 512);
  EXPECT_EQ(shareProduct(shape, 1, 1, {2}, tiling).parts(), 1);
  EXPECT_EQ(shareProduct(shape, 1000, 1, {2}, tiling).batches, 2);
}

} // namespace
