//===- Timing.cpp - clocks, and how a time is taken -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Timing.h"
#include <algorithm>
#include <cmath>
#include <ctime>

using namespace llvm;
using namespace roofline::runtime;

static double read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

double roofline::runtime::wallSeconds() { return read(CLOCK_MONOTONIC); }
double roofline::runtime::threadCpuSeconds() {
  return read(CLOCK_THREAD_CPUTIME_ID);
}
double roofline::runtime::processCpuSeconds() {
  return read(CLOCK_PROCESS_CPUTIME_ID);
}

double roofline::runtime::cpuSeconds(const MeasureOptions &options) {
  return options.byWall ? processCpuSeconds() : threadCpuSeconds();
}

double roofline::runtime::timerOverheadSeconds() {
  static const double overhead = [] {
    std::vector<double> samples;
    for (unsigned i = 0; i < 201; ++i) {
      double start = threadCpuSeconds();
      (void)wallSeconds();
      samples.push_back(threadCpuSeconds() - start);
    }
    return Statistics::of(samples).median;
  }();
  return overhead;
}

namespace {

class Measurer {
public:
  Measurer(function_ref<Times(uint64_t)> sample, const MeasureOptions &options)
      : sample(sample), options(options),
        shortest(
            std::max(options.minSampleSeconds, 1000 * timerOverheadSeconds())) {
    result.byWall = options.byWall;
  }

  Measurement run() {
    chooseBatch();
    warmUp();
    takeSamples();
    result.wall = Statistics::of(result.wallSamples);
    result.cpu = Statistics::of(result.cpuSamples);
    result.complete = result.cpuSamples.size() >= options.minSamples;
    return std::move(result);
  }

private:
  bool stop() {
    if (options.interrupted && options.interrupted())
      result.interrupted = true;
    return result.interrupted;
  }

  double judged(const Times &times) const {
    return options.byWall ? times.wall : times.cpu;
  }

  /// The times of one call, from a batch of them.
  Times perCall() {
    Times times = sample(result.batch);
    auto calls = static_cast<double>(result.batch);
    return {times.wall / calls, times.cpu / calls};
  }

  /// Grows the batch until it takes long enough to be timed.
  void chooseBatch() {
    while (!stop() && result.batch < options.maxBatch) {
      double taken = judged(sample(result.batch));
      ++result.warmUp;
      if (taken >= shortest)
        return;
      // A little more than needed; at most tenfold, as a first call is slow.
      double factor = taken > 0 ? 1.2 * shortest / taken : 10;
      auto larger = static_cast<uint64_t>(std::ceil(
          static_cast<double>(result.batch) * std::clamp(factor, 1.2, 10.0)));
      result.batch = std::min(larger, options.maxBatch);
    }
  }

  void warmUp() {
    size_t window = std::max(1u, options.window);
    std::vector<double> times;
    double end = wallSeconds() + options.maxWarmUpSeconds;
    auto medianFrom = [&](size_t first) {
      return Statistics::of(ArrayRef(times).slice(first, window)).median;
    };
    while (times.size() < options.maxWarmUp && wallSeconds() < end && !stop()) {
      times.push_back(judged(perCall()));
      ++result.warmUp;
      if (times.size() < 2 * window)
        continue;
      double last = medianFrom(times.size() - window);
      double before = medianFrom(times.size() - 2 * window);
      if (std::abs(last - before) < options.settledChange * before) {
        result.settled = true;
        return;
      }
    }
  }

  void takeSamples() {
    double start = wallSeconds();
    while (result.cpuSamples.size() < options.maxSamples && !stop()) {
      double taken = wallSeconds() - start;
      bool enough = result.cpuSamples.size() >= options.minSamples;
      if (taken > (enough ? options.targetSeconds : options.maxSeconds))
        return;
      Times times = perCall();
      result.wallSamples.push_back(times.wall);
      result.cpuSamples.push_back(times.cpu);
    }
  }

  function_ref<Times(uint64_t)> sample;
  const MeasureOptions &options;
  const double shortest;
  Measurement result;
};

} // namespace

Measurement
roofline::runtime::measureBatches(function_ref<Times(uint64_t)> sample,
                                  const MeasureOptions &options) {
  return Measurer(sample, options).run();
}

Measurement roofline::runtime::measure(function_ref<void()> fn,
                                       const MeasureOptions &options) {
  return measureBatches(
      [&](uint64_t calls) {
        double wall = wallSeconds(), cpu = cpuSeconds(options);
        for (uint64_t i = 0; i < calls; ++i)
          fn();
        double cpuEnd = cpuSeconds(options);
        return Times{wallSeconds() - wall, cpuEnd - cpu};
      },
      options);
}
