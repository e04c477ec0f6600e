//===- TransposedPhasesTest.cpp - parts of transposed convolutions --------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/TransposedPhases.h"
#include <gtest/gtest.h>

using namespace roofline;

namespace {

// 3 taps, 2 apart in the results, of which there are 7: taps 0 and 2 reach the
// even ones from one element before, tap 1 the odd ones.
TEST(TransposedPhases, OfThreeTaps) {
  TransposedDim dim{3, 2, 1, 0, 7};
  std::vector<TransposedPhase> phases = transposedPhases(dim);
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(phases[0].first, 0);
  EXPECT_EQ(phases[0].count, 4);
  EXPECT_EQ(phases[0].taps, 2);
  EXPECT_EQ(phases[0].step, 2);
  EXPECT_EQ(phases[0].begin, -1);
  EXPECT_EQ(phases[0].reach(), 5);
  EXPECT_EQ(phases[1].first, 1);
  EXPECT_EQ(phases[1].count, 3);
  EXPECT_EQ(phases[1].taps, 1);
  EXPECT_EQ(phases[1].begin, 0);
  EXPECT_TRUE(reachAllResults({dim}));
}

// A dilation of 2 by a stride of 2 reaches every other result only.
TEST(TransposedPhases, LeaveResultsOut) {
  TransposedDim dim{3, 2, 2, 0, 9};
  EXPECT_EQ(transposedPhases(dim).size(), 1u);
  EXPECT_EQ(transposedPhases(dim)[0].dilation, 2 / 2);
  EXPECT_FALSE(reachAllResults({dim}));
}

// A wide stride makes no more phases than there are taps, whatever lies
// between.
TEST(TransposedPhases, OfAWideStride) {
  TransposedDim dim{2, int64_t(1) << 40, 1, 0, int64_t(1) << 41};
  EXPECT_EQ(transposedPhases(dim).size(), 2u);
  EXPECT_TRUE(hasFewPhases({dim, dim}));
  EXPECT_FALSE(reachAllResults({dim}));
  TransposedDim many{int64_t(1) << 30, int64_t(1) << 40, 1, 0, 1};
  EXPECT_FALSE(hasFewPhases({many}));
}

} // namespace
