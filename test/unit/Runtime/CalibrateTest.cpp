//===- CalibrateTest.cpp - repeating, refusing, choosing ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The samples are injected: what is tested is what is made of them.
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Calibrate.h"
#include "WorkingSets.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline;
using namespace roofline::runtime;

namespace {

CalibrationOptions withoutPauses() {
  CalibrationOptions options;
  options.pauseSeconds = 0;
  return options;
}

Attempt attemptOf(double median, double spread) {
  Attempt attempt;
  attempt.seconds.count = 30;
  attempt.seconds.median = median;
  attempt.seconds.spread = spread;
  attempt.settled = true;
  return attempt;
}

/// Lets a figure settle over tries with these spreads; the median is 1 s, 2 s …
HostFigure settled(std::vector<double> spreads, unsigned maxAttempts = 4) {
  HostFigure figure;
  CalibrationOptions options = withoutPauses();
  options.maxAttempts = maxAttempts;
  unsigned tries = 0;
  settleFigure(
      figure, /*amount=*/12,
      [&] {
        Attempt attempt = attemptOf(tries + 1, spreads[tries]);
        ++tries;
        return attempt;
      },
      options);
  EXPECT_EQ(tries, figure.attempts);
  return figure;
}

TEST(SettleFigure, OneNarrowTryIsEnough) {
  HostFigure figure = settled({0.02});
  EXPECT_EQ(figure.attempts, 1u);
  EXPECT_EQ(figure.value, 12); // 12 operations in 1 s
  EXPECT_EQ(figure.spread, 0.02);
}

TEST(SettleFigure, TriesAgainUntilItIsNarrow) {
  HostFigure figure = settled({0.5, 0.3, 0.05});
  EXPECT_EQ(figure.attempts, 3u);
  EXPECT_EQ(figure.value, 4); // the third took 3 s
}

TEST(SettleFigure, KeepsTheNarrowestOfItsTries) {
  HostFigure figure = settled({0.5, 0.2, 0.3, 0.4});
  EXPECT_EQ(figure.attempts, 4u);
  EXPECT_EQ(figure.spread, 0.2);
  EXPECT_EQ(figure.value, 6);
}

/// Two threads that took 1 s of CPU time each, but were done after 2 s: the
/// memory that they share was each one's own half of the time.
TEST(SettleFigure, ThreadsThatShareMustRunTogether) {
  auto settle = [](bool shared) {
    HostFigure figure;
    figure.threads = 2;
    figure.shared = shared;
    CalibrationOptions options = withoutPauses();
    unsigned tries = 0;
    settleFigure(
        figure, 8,
        [&] {
          Attempt attempt = attemptOf(1, 0.01);
          attempt.wallSeconds = ++tries < 3 ? 2 : 1.02;
          return attempt;
        },
        options);
    EXPECT_EQ(figure.attempts, tries);
    return figure;
  };
  EXPECT_EQ(settle(/*shared=*/true).attempts, 3u);
  EXPECT_NEAR(settle(/*shared=*/true).noise(), 0.0196, 1e-4);
  EXPECT_EQ(settle(/*shared=*/false).attempts, 1u);
  EXPECT_EQ(settle(/*shared=*/false).noise(), 0.01);
}

TEST(SettleFigure, StopsWhenInterrupted) {
  HostFigure figure;
  CalibrationOptions options = withoutPauses();
  settleFigure(
      figure, 1,
      [] {
        Attempt attempt = attemptOf(1, 0.01);
        attempt.interrupted = true;
        return attempt;
      },
      options);
  EXPECT_EQ(figure.attempts, 0u);
  EXPECT_EQ(figure.value, 0);
}

/// 0.01 s, then 0.02 s of which 0.015 s are left, then none.
TEST(SettleFigure, PausesAreBounded) {
  HostFigure figure;
  CalibrationOptions options;
  options.pauseSeconds = 0.01;
  options.maxPauseSeconds = 0.025;
  double start = wallSeconds();
  settleFigure(figure, 1, [] { return attemptOf(1, 0.5); }, options);
  EXPECT_EQ(figure.attempts, 4u);
  EXPECT_GE(wallSeconds() - start, 0.025);
  EXPECT_EQ(options.maxPauseSeconds, 0);
}

TEST(SettleFigure, ALaunchIsATime) {
  HostFigure figure;
  CalibrationOptions options = withoutPauses();
  settleFigure(figure, 0, [] { return attemptOf(3e-7, 0); }, options);
  EXPECT_EQ(figure.value, 3e-7);
}

TEST(SettleFigure, RemembersWhatDisturbedIt) {
  HostFigure figure;
  CalibrationOptions options = withoutPauses();
  settleFigure(
      figure, 1,
      [] {
        Attempt attempt = attemptOf(1, 0.3);
        attempt.clockBefore = 3e9;
        attempt.clockAfter = 2.4e9;
        attempt.competition = {1.5, 0.125};
        return attempt;
      },
      options);
  ASSERT_TRUE(figure.clockChange.has_value());
  EXPECT_DOUBLE_EQ(*figure.clockChange, -0.2);
  EXPECT_EQ(figure.competition.others, 1.5);
}

HostFigure memoryFigure(StringRef level, StringRef kind, unsigned threads,
                        double value, double spread = 0.01) {
  HostFigure figure;
  figure.group = HostFigure::Memory;
  figure.level = level.str();
  figure.kind = kind.str();
  figure.threads = threads;
  figure.how = "AVX2, 9 KiB a thread";
  figure.value = value;
  figure.spread = spread;
  figure.samples = 30;
  figure.attempts = 4;
  figure.settled = true;
  return figure;
}

TEST(Disturbances, NameTheFigureAndTheCause) {
  Calibration calibration;
  calibration.figures.push_back(memoryFigure("l1", "read", 1, 2e11));
  calibration.figures.push_back(memoryFigure("dram", "copy", 2, 2e10, 0.25));
  std::vector<std::string> lines = disturbances(calibration, 0.1);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "dram copy, 2 threads: spread 25.0 % after 4 tries; no "
                      "cause was seen");
  HostFigure &figure = calibration.figures[1];
  figure.competition = {1.52, 0.11};
  figure.clockChange = -0.2;
  figure.settled = false;
  figure.attempts = 1;
  EXPECT_EQ(disturbances(calibration, 0.1)[0],
            "dram copy, 2 threads: spread 25.0 % after 1 try; other processes "
            "used 1.5 CPUs, another virtual machine took 0.11 CPUs, the clock "
            "changed by -20 %, its times never settled");
  EXPECT_TRUE(disturbances(calibration, 0.25).empty()); // at the limit
  figure.shared = true;
  figure.together = 0.6;
  figure.competition = {};
  figure.clockChange = std::nullopt;
  figure.settled = true;
  EXPECT_EQ(disturbances(calibration, 0.25)[0],
            "dram copy, 2 threads: spread 25.0 % after 1 try; its threads ran "
            "60 % of the time, so not together");
}

HostFigure computeFigure(ComputeClass cls, ElementType type, StringRef kind,
                         unsigned threads, double value) {
  HostFigure figure = memoryFigure("", kind, threads, value);
  figure.group = HostFigure::Compute;
  figure.cls = cls;
  figure.type = type;
  figure.how = "AVX2";
  return figure;
}

/// Two cores with caches of their own, and a third level for both.
Environment twoCores() {
  Environment e;
  e.cpuModel = "Two Cores";
  e.cpuVendor = "Intel";
  e.cores = 2;
  e.threadsPerCore = 1;
  e.memoryBytes = int64_t(16) << 30;
  e.availableBytes = int64_t(8) << 30;
  e.caches = {{1, "Data", 32 << 10, 64, {0}},
              {1, "Instruction", 32 << 10, 64, {0}},
              {2, "Unified", 1 << 20, 64, {0}},
              {3, "Unified", 32 << 20, 64, {0, 1}}};
  return e;
}

Calibration sample() {
  Calibration c;
  c.environment = twoCores();
  c.figures = {
      computeFigure(ComputeClass::Special, ElementType::F32, "exp", 1, 4e9),
      computeFigure(ComputeClass::Special, ElementType::F32, "div", 1, 6e9),
      computeFigure(ComputeClass::Matmul, ElementType::F32, "fma", 1, 1e11),
      memoryFigure("l1", "read", 1, 2e11),
      memoryFigure("l3", "read", 1, 1e11),
      memoryFigure("dram", "read", 1, 2.5e10),
      memoryFigure("dram", "copy (streaming)", 1, 3.75e10),
      computeFigure(ComputeClass::Matmul, ElementType::F32, "fma", 2, 1.9e11),
      computeFigure(ComputeClass::Matmul, ElementType::I8, "dot", 2, 8e11),
  };
  HostFigure launch = memoryFigure("", "call", 1, 3e-9);
  launch.group = HostFigure::Launch;
  c.figures.push_back(launch);
  launch.threads = 2;
  launch.value = 5e-7;
  c.figures.push_back(launch);
  return c;
}

TEST(ToDevice, ARoofIsTheHighestMeasurement) {
  Device device = toDevice(sample(), "mine");
  EXPECT_EQ(device.name, "mine");
  EXPECT_EQ(device.vendor, "Intel");
  EXPECT_EQ(device.title, "Two Cores, 2 cores");
  EXPECT_EQ(device.kind, "cpu");
  ASSERT_EQ(device.compute.size(), 3u); // types that weren't measured: absent
  EXPECT_EQ(device.compute[0].cls, ComputeClass::Matmul);
  EXPECT_EQ(device.compute[0].type, ElementType::F32);
  EXPECT_EQ(device.compute[0].perSecond, 1.9e11);
  EXPECT_EQ(device.compute[0].origin, Origin::Measured);
  EXPECT_EQ(device.compute[0].source,
            "rl-run calibrate: matmul f32 fma, 2 threads (AVX2), median of 30 "
            "samples of CPU time");
  ASSERT_EQ(device.compute[0].measured.size(), 2u);
  EXPECT_EQ(device.compute[0].measured[1].threads, 2u);
  EXPECT_EQ(device.compute[1].type, ElementType::I8);
  EXPECT_EQ(device.compute[2].cls, ComputeClass::Special);
  EXPECT_EQ(device.compute[2].perSecond, 6e9); // div
  ASSERT_EQ(device.memory.size(), 3u);
  EXPECT_EQ(device.memory[0].level, "dram"); // outermost first
  EXPECT_EQ(device.memory[0].bytesPerSecond, 3.75e10);
  EXPECT_EQ(device.memory[0].capacityBytes, int64_t(16) << 30);
  EXPECT_EQ(device.memory[1].level, "l3");
  EXPECT_EQ(device.memory[1].capacityBytes, 32 << 20);
  EXPECT_EQ(device.memory[2].capacityBytes, 64 << 10); // of both cores
  EXPECT_EQ(device.launchSeconds, 5e-7);               // of the most threads
  EXPECT_EQ(device.launchMeasured.size(), 2u);
}

TEST(ToDevice, IsReadBackAsItWasWritten) {
  Device device = toDevice(sample(), "mine");
  std::string text, again;
  {
    raw_string_ostream os(text);
    device.write(os);
  }
  Expected<Device> read = Device::parse(text, "mine.json");
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  {
    raw_string_ostream os(again);
    read->write(os);
  }
  EXPECT_EQ(text, again);
  EXPECT_EQ(read->memory[0].measured[1].kind, "copy (streaming)");
  EXPECT_EQ(read->environment.getString("cpu"), StringRef("Two Cores"));
}

TEST(WorkingSets, FillTheirLevelAndNotTheOneInside) {
  // L1 32 KiB: half. L2 1 MiB: a quarter. L3 32 MiB: a quarter of a thread's
  // share. DRAM: 256 MiB in all. In whole multiples of 12 KiB.
  auto kibibytes = [](unsigned threads, bool quick) {
    std::vector<int64_t> sizes;
    for (const WorkingSet &set : workingSets(twoCores(), threads, quick))
      sizes.push_back(set.bytes / 1024);
    return sizes;
  };
  EXPECT_EQ(kibibytes(1, false), (std::vector<int64_t>{12, 252, 8184, 262140}));
  EXPECT_EQ(kibibytes(2, false), (std::vector<int64_t>{12, 252, 4092, 131064}));
  EXPECT_EQ(kibibytes(1, true), (std::vector<int64_t>{12, 252, 8184, 131064}));
  EXPECT_EQ(workingSets(twoCores(), 1, false).back().level, "dram");
}

TEST(WorkingSets, LeaveOutALevelThatCantBeToldApart) {
  Environment e = twoCores();
  e.caches[3].sizeBytes = 2 << 20; // 1 MiB a thread, as much as the L2
  std::vector<WorkingSet> sets = workingSets(e, 2, false);
  ASSERT_EQ(sets.size(), 3u);
  EXPECT_EQ(sets[1].level, "l2");
  EXPECT_EQ(sets[2].level, "dram");
}

TEST(WorkingSets, KeepToTheMemoryThereIs) {
  Environment e = twoCores();
  e.availableBytes = 64 << 20;
  for (const WorkingSet &set : workingSets(e, 2, false))
    EXPECT_LE(set.bytes, 8 << 20);
  e.caches.clear(); // a system that doesn't say
  ASSERT_EQ(workingSets(e, 1, false).size(), 1u);
}

} // namespace
