//===- TimingTest.cpp - warm-up, batches and interruption -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The times are injected: what is tested is what is made of them.
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Timing.h"
#include <gtest/gtest.h>

using namespace roofline::runtime;

namespace {

/// Samples of 1 ms a call are long enough by themselves.
MeasureOptions quickly() {
  MeasureOptions options;
  options.minSampleSeconds = 1e-6;
  options.maxSamples = 40;
  options.targetSeconds = 1e9;
  return options;
}

TEST(Clocks, RunForwards) {
  double wall = wallSeconds(), thread = threadCpuSeconds(),
         process = processCpuSeconds();
  volatile unsigned x = 0;
  for (unsigned i = 0; i < 1000000; ++i)
    x = x + i;
  EXPECT_GT(wallSeconds(), wall);
  EXPECT_GT(threadCpuSeconds(), thread);
  EXPECT_GT(processCpuSeconds(), process);
  EXPECT_GE(timerOverheadSeconds(), 0);
  EXPECT_LT(timerOverheadSeconds(), 1e-3);
}

TEST(Measure, SteadyTimesSettleAtOnce) {
  Measurement m = measureBatches(
      [](uint64_t n) { return Times{2e-3 * double(n), 1e-3 * double(n)}; },
      quickly());
  EXPECT_TRUE(m.settled);
  EXPECT_TRUE(m.complete);
  EXPECT_FALSE(m.interrupted);
  EXPECT_EQ(m.cpu.count, 40u);
  EXPECT_EQ(m.warmUp, 11u); // one for the batch, two windows of five
  EXPECT_DOUBLE_EQ(m.cpu.median, 1e-3);
  EXPECT_DOUBLE_EQ(m.wall.median, 2e-3);
}

TEST(Measure, FallingTimesAreWarmUp) {
  // 100, 90, 81 … percent more than 1 ms: windows of five differ by more than
  // 2 % until the excess has died away.
  double excess = 1e-3;
  Measurement m = measureBatches(
      [&](uint64_t n) {
        excess *= 0.9;
        return Times{0, (1e-3 + excess) * double(n)};
      },
      quickly());
  EXPECT_TRUE(m.settled);
  EXPECT_GT(m.warmUp, 20u);
  EXPECT_LT(m.cpu.max, 1.05e-3);
}

TEST(Measure, SaysWhereTimesNeverSettle) {
  double time = 1e-3;
  MeasureOptions options = quickly();
  options.maxWarmUp = 50;
  Measurement m = measureBatches(
      [&](uint64_t n) {
        time *= 1.05;
        return Times{0, time * double(n)};
      },
      options);
  EXPECT_FALSE(m.settled);
  EXPECT_TRUE(m.complete); // and still measured
  EXPECT_EQ(m.warmUp, 51u);
}

TEST(Measure, ShortCallsAreBatched) {
  MeasureOptions options = quickly();
  options.minSampleSeconds = 1e-2;
  Measurement m = measureBatches(
      [&](uint64_t n) { return Times{0, 1e-9 * double(n)}; }, options);
  EXPECT_GE(double(m.batch) * 1e-9, 1e-2);
  EXPECT_LE(double(m.batch) * 1e-9, 1e-1);
  EXPECT_DOUBLE_EQ(m.cpu.median, 1e-9);
}

TEST(Measure, BatchesHaveALimit) {
  MeasureOptions options = quickly();
  options.minSampleSeconds = 1e-2;
  for (uint64_t most : {1, 7}) {
    options.maxBatch = most;
    uint64_t largest = 0;
    Measurement m = measureBatches(
        [&](uint64_t n) {
          largest = std::max(largest, n);
          return Times{0, 1e-9 * double(n)};
        },
        options);
    EXPECT_EQ(m.batch, most);
    EXPECT_EQ(largest, most);
    EXPECT_EQ(m.cpu.count, 40u);
    EXPECT_DOUBLE_EQ(m.cpu.median, 1e-9);
  }
}

TEST(Measure, AFunctionThatTakesNoTimeEnds) {
  MeasureOptions options = quickly();
  options.maxWarmUp = 5;
  Measurement m = measureBatches([](uint64_t) { return Times{0, 0}; }, options);
  EXPECT_EQ(m.cpu.median, 0);
  EXPECT_FALSE(m.settled);
}

TEST(Measure, SlowCallsStopAtTheLimitOfTime) {
  MeasureOptions options = quickly();
  options.maxSeconds = -1; // over before the first
  Measurement m = measureBatches([](uint64_t) { return Times{0, 1}; }, options);
  EXPECT_FALSE(m.complete);
  EXPECT_FALSE(m.hasSamples());
  EXPECT_FALSE(m.interrupted);
}

TEST(Measure, KeepsWhatItHasWhenInterrupted) {
  unsigned calls = 0;
  MeasureOptions options = quickly();
  options.interrupted = [&] { return calls >= 20; };
  Measurement m = measureBatches(
      [&](uint64_t n) {
        ++calls;
        return Times{0, 1e-3 * double(n)};
      },
      options);
  EXPECT_TRUE(m.interrupted);
  EXPECT_FALSE(m.complete);
  EXPECT_EQ(m.cpu.count, 9u); // 11 were warm-up
  EXPECT_DOUBLE_EQ(m.cpu.median, 1e-3);
}

TEST(Measure, CallsTheFunction) {
  uint64_t calls = 0;
  MeasureOptions options;
  options.maxSamples = 30;
  Measurement m = measure(
      [&] {
        ++calls;
        asm volatile("" : "+r"(calls));
      },
      options);
  EXPECT_GE(calls, 30 * m.batch);
  EXPECT_GT(m.batch, 1u);
  EXPECT_GT(m.cpu.median, 0);
}

} // namespace
