//===- ThreadsTest.cpp - the pool of threads ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Threads.h"
#include <gtest/gtest.h>

using namespace roofline::runtime;

namespace {

TEST(Cpus, ThereIsOneAtLeast) {
  EXPECT_FALSE(usableCpus().empty());
  EXPECT_GE(usableCores(), 1u);
  EXPECT_LE(usableCores(), usableCpus().size());
}

TEST(ThreadPool, OfOneCallsStraightThrough) {
  ThreadPool pool(1);
  EXPECT_EQ(pool.size(), 1u);
  std::thread::id caller;
  pool.run([&](unsigned thread, unsigned count) {
    caller = std::this_thread::get_id();
    EXPECT_EQ(thread, 0u);
    EXPECT_EQ(count, 1u);
    pool.barrier();
  });
  EXPECT_EQ(caller, std::this_thread::get_id());
  EXPECT_EQ(ThreadPool(0).size(), 1u);
}

/// Also with more threads than there are CPUs.
TEST(ThreadPool, RunsOnEachThreadOnce) {
  constexpr unsigned threads = 5, runs = 50;
  ThreadPool pool(threads);
  std::atomic<unsigned> calls[threads] = {};
  for (unsigned i = 0; i < runs; ++i)
    pool.run([&](unsigned thread, unsigned count) {
      EXPECT_EQ(count, threads);
      ++calls[thread];
    });
  for (auto &count : calls)
    EXPECT_EQ(count.load(), runs);
}

TEST(ThreadPool, WakesThreadsThatSleep) {
  ThreadPool pool(2);
  std::atomic<unsigned> calls{0};
  for (unsigned i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    pool.run([&](unsigned, unsigned) { ++calls; });
  }
  EXPECT_EQ(calls.load(), 6u);
}

TEST(ThreadPool, BarrierHoldsUntilAllHaveCome) {
  constexpr unsigned threads = 3, rounds = 50;
  ThreadPool pool(threads);
  std::atomic<unsigned> arrived{0};
  std::atomic<bool> early{false};
  pool.run([&](unsigned, unsigned) {
    for (unsigned round = 1; round <= rounds; ++round) {
      ++arrived;
      pool.barrier();
      if (arrived.load() < round * threads)
        early = true;
      pool.barrier();
    }
  });
  EXPECT_FALSE(early.load());
  EXPECT_EQ(arrived.load(), threads * rounds);
}

// A pool keeps its caller on one CPU, and lets go of it for a while.
TEST(ThreadPool, FreesItsCaller) {
  size_t all = usableCpus().size();
  if (all < 2)
    GTEST_SKIP() << "there is one CPU alone";
  ThreadPool pool(2);
  ASSERT_TRUE(pool.isPinned());
  EXPECT_EQ(usableCpus().size(), 1u);
  {
    ThreadPool::FreeCaller free(&pool);
    EXPECT_EQ(usableCpus().size(), all);
    size_t started = 0;
    std::thread([&] { started = usableCpus().size(); }).join();
    EXPECT_EQ(started, all);
  }
  EXPECT_EQ(usableCpus().size(), 1u);
  {
    ThreadPool::FreeCaller none(nullptr);
  }
  EXPECT_EQ(usableCpus().size(), 1u);
}

TEST(ThreadPool, TimesTheThreadThatTakesMost) {
  ThreadPool pool(2);
  double own[2] = {};
  Times times = pool.runTimed([&](unsigned thread, unsigned) {
    double start = threadCpuSeconds();
    volatile unsigned x = 0;
    for (unsigned i = 0; i < (thread == 1 ? 4000000u : 1000u); ++i)
      x = x + i;
    own[thread] = threadCpuSeconds() - start;
  });
  EXPECT_GE(times.cpu, own[1]);
  EXPECT_GT(own[1], own[0]);
  EXPECT_GT(times.wall, 0);
}

} // namespace
