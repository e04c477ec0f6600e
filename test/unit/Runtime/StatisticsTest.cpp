//===- StatisticsTest.cpp - quantiles and spread --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Statistics.h"
#include <gtest/gtest.h>

using namespace roofline::runtime;

namespace {

TEST(Statistics, QuantilesLieOnTheLineBetweenSamples) {
  EXPECT_EQ(quantile({}, 0.5), 0);
  EXPECT_EQ(quantile({7.0}, 0.99), 7);
  // Places 0, 1, 2, 3: a half is place 1.5, 0.95 is place 2.85.
  EXPECT_DOUBLE_EQ(quantile({1.0, 2.0, 4.0, 8.0}, 0), 1);
  EXPECT_DOUBLE_EQ(quantile({1.0, 2.0, 4.0, 8.0}, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile({1.0, 2.0, 4.0, 8.0}, 0.95), 4 + 0.85 * 4);
  EXPECT_DOUBLE_EQ(quantile({1.0, 2.0, 4.0, 8.0}, 1), 8);
}

// Of 5 the first and the last are left out, of 8 the two at each end.
TEST(Statistics, TheMiddleHalfsMean) {
  EXPECT_EQ(middleMean({}), 0);
  EXPECT_DOUBLE_EQ(middleMean({7.0}), 7);
  EXPECT_DOUBLE_EQ(middleMean({1.0, 3.0}), 2);
  EXPECT_DOUBLE_EQ(middleMean({100.0, 2.0, 1.0, 6.0, 4.0}), 4);
  EXPECT_DOUBLE_EQ(middleMean({8.0, 1.0, 2.0, 3.0, 7.0, 4.0, 5.0, 60.0}),
                   (3 + 4 + 5 + 7) / 4.0);
}

TEST(Statistics, OfSamplesInAnyOrder) {
  // 1 … 101 backwards: the quantile f is 1 + 100 f.
  std::vector<double> samples;
  for (int i = 101; i > 0; --i)
    samples.push_back(i);
  Statistics s = Statistics::of(samples);
  EXPECT_EQ(s.count, 101u);
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.max, 101);
  EXPECT_DOUBLE_EQ(s.mean, 51);
  EXPECT_DOUBLE_EQ(s.median, 51);
  EXPECT_DOUBLE_EQ(s.p95, 96);
  EXPECT_DOUBLE_EQ(s.p99, 100);
  EXPECT_DOUBLE_EQ(s.spread, 50.0 / 51.0); // (76 − 26) / 51
}

TEST(Statistics, OneOutlierMovesTheMeanOnly) {
  Statistics s = Statistics::of({2.0, 2.0, 2.0, 2.0, 1000.0});
  EXPECT_EQ(s.median, 2);
  EXPECT_EQ(s.spread, 0);
  EXPECT_DOUBLE_EQ(s.mean, 201.6);
}

TEST(Statistics, WithoutSamplesOrWithZeros) {
  EXPECT_EQ(Statistics::of({}).count, 0u);
  EXPECT_EQ(Statistics::of({}).spread, 0);
  EXPECT_EQ(Statistics::of({0.0, 0.0, 1.0}).spread, 0); // median 0
}

} // namespace
