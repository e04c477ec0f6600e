//===- Calibrate.cpp - the host's ceilings, measured ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Calibrate.h"
#include "Buffers.h"
#include "Kernels.h"
#include "WorkingSets.h"
#include "roofline/Runtime/Threads.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace roofline;
using namespace roofline::runtime;

std::string HostFigure::name() const {
  std::string what;
  if (group == Compute)
    what = (roofline::name(cls) + " " + roofline::name(type) + " ").str();
  else if (group == Memory)
    what = level + " ";
  else
    what = "launch ";
  return what + kind + ", " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}

double HostFigure::noise() const {
  return shared && threads > 1 ? std::max(spread, 1 - together) : spread;
}

//===----------------------------------------------------------------------===//
// One figure
//===----------------------------------------------------------------------===//

static HostFigure with(HostFigure figure, double amount,
                       const Attempt &attempt) {
  const Statistics &seconds = attempt.seconds;
  figure.value = amount == 0 ? seconds.median : amount / seconds.median;
  figure.spread = seconds.spread;
  figure.together = attempt.wallSeconds > seconds.median
                        ? seconds.median / attempt.wallSeconds
                        : 1;
  figure.samples = seconds.count;
  figure.settled = attempt.settled;
  figure.competition = attempt.competition;
  figure.clockChange = std::nullopt;
  if (attempt.clockBefore && attempt.clockAfter && *attempt.clockBefore > 0)
    figure.clockChange = *attempt.clockAfter / *attempt.clockBefore - 1;
  return figure;
}

/// Sleeps in parts, so that an interruption is heeded.
static void pauseFor(double seconds, const CalibrationOptions &options) {
  double end = wallSeconds() + seconds;
  while (wallSeconds() < end && !(options.interrupted && options.interrupted()))
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void roofline::runtime::settleFigure(HostFigure &figure, double amount,
                                     function_ref<Attempt()> attempt,
                                     CalibrationOptions &options) {
  double pause = options.pauseSeconds;
  unsigned attempts = 0;
  while (attempts < std::max(1u, options.maxAttempts)) {
    if (attempts > 0) {
      double allowed = std::min(pause, options.maxPauseSeconds);
      pauseFor(allowed, options);
      options.maxPauseSeconds -= allowed;
      pause *= 2;
    }
    Attempt tried = attempt();
    if (tried.interrupted || tried.seconds.median <= 0)
      return;
    HostFigure measured = with(figure, amount, tried);
    if (++attempts == 1 || measured.noise() < figure.noise())
      figure = std::move(measured);
    figure.attempts = attempts;
    if (figure.noise() <= options.maxNoise)
      return;
  }
}

//===----------------------------------------------------------------------===//
// All figures
//===----------------------------------------------------------------------===//

namespace {

/// A figure, and how a number of rounds is run on one thread of the pool.
struct Experiment {
  HostFigure figure;
  double amount = 0; ///< of one round, over all threads; 0 for a launch
  std::function<void(unsigned thread, uint64_t rounds)> run;
};

class Calibrator {
public:
  explicit Calibrator(const CalibrationOptions &options) : options(options) {
    result.environment = Environment::read();
    kernels = micro::chooseKernels(micro::hostHas);
    measuring.interrupted = options.interrupted;
    measuring.minSampleSeconds = options.quick ? 0.3e-3 : 1e-3;
    measuring.maxSamples = options.quick ? 30 : 100;
  }

  Calibration run() {
    std::vector<unsigned> threads = options.threads;
    if (threads.empty())
      threads = {1, result.environment.cores};
    llvm::sort(threads);
    threads.erase(llvm::unique(threads), threads.end());
    for (unsigned count : threads)
      planned += plan(count).size();
    LoadCounters before = LoadCounters::read();
    for (unsigned count : threads)
      runWith(count);
    result.competition = Competition::between(before, LoadCounters::read());
    return std::move(result);
  }

private:
  bool stop() {
    if (options.interrupted && options.interrupted())
      result.interrupted = true;
    return result.interrupted;
  }

  //===--------------------------------------------------------------------===//
  // What is measured
  //===--------------------------------------------------------------------===//

  /// The experiments with so many threads. They refer to `buffers`.
  std::vector<Experiment> plan(unsigned threads) {
    std::vector<Experiment> experiments;
    for (unsigned cls = 0; cls < numComputeClasses; ++cls)
      for (const micro::ChosenCompute &chosen : kernels.compute)
        if (name(static_cast<ComputeClass>(cls)) == chosen.kernel->cls)
          experiments.push_back(computeExperiment(chosen, threads));
    for (const WorkingSet &set :
         workingSets(result.environment, threads, options.quick))
      for (const micro::StreamKernel &kernel : kernels.streams)
        // Stores that bypass the caches run at DRAM's speed whatever the set.
        if (set.level == "dram" || !kernel.bypassesCaches)
          experiments.push_back(
              streamExperiment(set, kernel, threads, Pages::Large));
    WorkingSet dram =
        workingSets(result.environment, threads, options.quick).back();
    for (const micro::StreamKernel &kernel : kernels.streams)
      if (!kernel.bypassesCaches)
        experiments.push_back(
            streamExperiment(dram, kernel, threads, Pages::Small));
    experiments.emplace_back().figure = figureOf(HostFigure::Launch, threads);
    experiments.back().figure.kind = "call";
    // A caller that waits for a thread that doesn't run lets others run, and
    // its CPU time is then too short.
    experiments.back().figure.shared = true;
    experiments.back().figure.how = "an empty function on a waiting pool";
    return experiments;
  }

  static HostFigure figureOf(HostFigure::Group group, unsigned threads) {
    HostFigure figure;
    figure.group = group;
    figure.threads = threads;
    return figure;
  }

  static Experiment computeExperiment(const micro::ChosenCompute &chosen,
                                      unsigned threads) {
    Experiment experiment;
    HostFigure &figure = experiment.figure;
    figure = figureOf(HostFigure::Compute, threads);
    figure.cls = *parseComputeClass(chosen.kernel->cls);
    figure.type = *parseElementType(chosen.kernel->type);
    figure.kind = chosen.kernel->kind;
    figure.how = chosen.set->title;
    experiment.amount = double(chosen.kernel->operations) * threads;
    experiment.run = [kernel = chosen.kernel](unsigned, uint64_t rounds) {
      kernel->run(rounds);
    };
    return experiment;
  }

  Experiment streamExperiment(const WorkingSet &set,
                              const micro::StreamKernel &kernel,
                              unsigned threads, Pages pages) {
    Experiment experiment;
    HostFigure &figure = experiment.figure;
    figure = figureOf(HostFigure::Memory, threads);
    figure.level = set.level;
    figure.kind = kernel.kind;
    if (pages == Pages::Small)
      figure.kind += " (small pages)";
    figure.shared = isShared(set.level);
    figure.how = std::string(kernels.streamSet->title) + ", " +
                 std::to_string(set.bytes / 1024) + " KiB a thread";
    size_t each = set.bytes / kernel.arrays;
    experiment.amount = double(each) * kernel.arrays * threads;
    experiment.run = [this, each, pages, run = kernel.run](unsigned thread,
                                                           uint64_t rounds) {
      // Not a multiple of a page apart, or loads would wait for stores to
      // addresses that look the same in their low bits.
      std::vector<Buffer> &of = pages == Pages::Large ? buffers : smallPages;
      char *first = of[thread].data();
      size_t apart = each + arrayPadding;
      run(first, first + apart, first + 2 * apart, each, rounds);
    };
    return experiment;
  }

  bool isShared(StringRef level) const {
    for (const Cache &cache : result.environment.caches)
      if (level == "l" + std::to_string(cache.level) &&
          coresSharing(result.environment, cache) == 1)
        return false;
    return true;
  }

  //===--------------------------------------------------------------------===//
  // How
  //===--------------------------------------------------------------------===//

  void runWith(unsigned threads) {
    if (stop())
      return;
    ThreadPool pool(threads);
    result.pinned &= pool.isPinned();
    if (!makeBuffers(pool))
      return;
    for (Experiment &experiment : plan(threads)) {
      if (stop())
        return;
      if (options.progress)
        options.progress(experiment.figure, done, planned);
      ++done;
      settleFigure(
          experiment.figure, experiment.amount,
          [&] { return attempt(experiment, pool); }, options);
      if (experiment.figure.value > 0)
        result.figures.push_back(std::move(experiment.figure));
    }
  }

  /// Gives each thread memory for the largest set, touched by itself.
  bool makeBuffers(ThreadPool &pool) {
    int64_t bytes = 0;
    for (const WorkingSet &set :
         workingSets(result.environment, pool.size(), options.quick))
      bytes = std::max(bytes, set.bytes);
    bytes += 3 * arrayPadding;
    buffers.clear();
    smallPages.clear();
    for (unsigned i = 0; i < pool.size(); ++i) {
      buffers.emplace_back(bytes, Pages::Large);
      smallPages.emplace_back(bytes, Pages::Small);
      if (!buffers.back().data() || !smallPages.back().data())
        return false;
    }
    // Not zero: a value that no loop is faster, or slower, with.
    pool.run([&](unsigned thread, unsigned) {
      std::memset(buffers[thread].data(), 0x3c, bytes);
      std::memset(smallPages[thread].data(), 0x3c, bytes);
    });
    return true;
  }

  std::optional<double> clock() {
    std::optional<double> hertz = measureClock();
    if (hertz) {
      result.clockLow = std::min(result.clockLow.value_or(*hertz), *hertz);
      result.clockHigh = std::max(result.clockHigh.value_or(*hertz), *hertz);
    }
    return hertz;
  }

  Attempt attempt(const Experiment &experiment, ThreadPool &pool) {
    Attempt tried;
    LoadCounters before = LoadCounters::read();
    tried.clockBefore = clock();
    Measurement measurement =
        experiment.run ? measureKernel(experiment, pool) : measureLaunch(pool);
    tried.clockAfter = clock();
    tried.competition = Competition::between(before, LoadCounters::read());
    tried.seconds = measurement.cpu;
    tried.wallSeconds = measurement.wall.median;
    tried.settled = measurement.settled && measurement.complete;
    tried.interrupted = measurement.interrupted;
    result.interrupted |= measurement.interrupted;
    return tried;
  }

  Measurement measureKernel(const Experiment &experiment, ThreadPool &pool) {
    return measureBatches(
        [&](uint64_t rounds) {
          return pool.runTimed([&](unsigned thread, unsigned) {
            experiment.run(thread, rounds);
          });
        },
        measuring);
  }

  /// By the caller's CPU time: it waits for the others without sleeping.
  Measurement measureLaunch(ThreadPool &pool) {
    static void (*volatile target)(unsigned) = [](unsigned) {};
    return measure(
        [&] { pool.run([](unsigned thread, unsigned) { target(thread); }); },
        measuring);
  }

  static constexpr int64_t arrayPadding = 17 * 64;

  CalibrationOptions options;
  MeasureOptions measuring;
  micro::Kernels kernels;
  std::vector<Buffer> buffers, smallPages; ///< one a thread
  Calibration result;
  size_t done = 0, planned = 0;
};

} // namespace

Calibration roofline::runtime::calibrate(const CalibrationOptions &options) {
  return Calibrator(options).run();
}
