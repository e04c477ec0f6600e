//===- RunModel.cpp - how long a model's kernels take ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/RunModel.h"
#include "roofline/Runtime/Compare.h"
#include "roofline/Runtime/Environment.h"
#include "roofline/Runtime/MadeUp.h"
#include "roofline/Runtime/Threads.h"

using namespace llvm;

namespace roofline::runtime {

/// Reads and writes more than the caches hold.
class CacheFlush {
public:
  CacheFlush() {
    Environment environment = Environment::read();
    const Cache *last = environment.lastDataCache();
    lines.resize(2 * size_t(last ? last->sizeBytes : 64 << 20) / 64);
  }
  void operator()() {
    for (Line &line : lines)
      line.first += 1;
  }

private:
  struct alignas(64) Line {
    volatile char first = 0;
  };
  std::vector<Line> lines;
};

static void pause(double seconds) {
  double end = seconds > 0 ? wallSeconds() + seconds : 0;
  while (end > 0 && wallSeconds() < end)
    ;
}

/// What comes before each call isn't in its time, so that batches by its time
/// would take as many seconds as there are calls in them.
static MeasureOptions oneCallASample(MeasureOptions options) {
  options.maxBatch = 1;
  return options;
}

static Measurement measureCalls(function_ref<void()> call,
                                const RunOptions &options) {
  if (!options.coldCaches && options.pauseSeconds == 0)
    return measure(call, options.measure);
  std::optional<CacheFlush> flush;
  if (options.coldCaches)
    flush.emplace();
  double clocks = timerOverheadSeconds(); // of each call
  return measureBatches(
      [&](uint64_t count) {
        Times times;
        for (uint64_t i = 0; i < count; ++i) {
          if (flush)
            (*flush)();
          pause(options.pauseSeconds);
          double wall = wallSeconds(), cpu = cpuSeconds(options.measure);
          call();
          times.cpu +=
              std::max(0.0, cpuSeconds(options.measure) - cpu - clocks);
          times.wall += std::max(0.0, wallSeconds() - wall - clocks);
        }
        return times;
      },
      oneCallASample(options.measure));
}

namespace {

/// A step's operands, made up, and room for its results.
class StepTensors {
public:
  static Expected<StepTensors> create(const Step &step, uint64_t seed) {
    StepTensors tensors;
    for (mlir::Value operand : step.operands)
      if (Error error = tensors.add(
              operand, [&](auto type) { return makeUp(type, seed++); }))
        return std::move(error);
    for (mlir::Value result : step.results)
      if (Error error = tensors.add(result, Tensor::create))
        return std::move(error);
    return tensors;
  }

  /// Null where the step has no such operand or result.
  Tensor *find(mlir::Value value) {
    auto it = llvm::find_if(
        list, [&](const auto &entry) { return entry.first == value; });
    return it == list.end() ? nullptr : &it->second;
  }
  /// As the step's own kernel takes them.
  SmallVector<void *> pointers() {
    SmallVector<void *> result;
    for (auto &[value, tensor] : list)
      result.push_back(tensor.data());
    return result;
  }

private:
  Error add(mlir::Value value,
            function_ref<Expected<Tensor>(mlir::RankedTensorType)> make) {
    auto type = dyn_cast<mlir::RankedTensorType>(value.getType());
    if (!type)
      return createStringError("an operand is no tensor");
    Expected<Tensor> tensor = make(type);
    if (!tensor)
      return tensor.takeError();
    list.emplace_back(value, std::move(*tensor));
    return Error::success();
  }

  std::vector<std::pair<mlir::Value, Tensor>> list;
};

} // namespace

Expected<Measurement> measureStep(const Step &step, const RunOptions &options) {
  std::vector<StepTensors> sets;
  std::vector<SmallVector<void *>> pointers;
  for (unsigned set = 0; set < options.rotation; ++set) {
    Expected<StepTensors> tensors = StepTensors::create(step, options.seed);
    if (!tensors)
      return tensors.takeError();
    pointers.push_back(tensors->pointers());
    sets.push_back(std::move(*tensors));
  }
  size_t set = 0;
  Measurement measured = measureCalls(
      [&] {
        step.kernel.call(pointers[set]);
        set = (set + 1) % pointers.size();
      },
      options);
  // A median of a few single calls says little.
  if (options.pauseSeconds > 0 && !measured.complete && !measured.interrupted)
    return createStringError(
        "%zu calls after pauses were measured in %g seconds, not %u",
        measured.judged().count, options.measure.maxSeconds,
        options.measure.minSamples);
  return measured;
}

/// The operands as the op has them: constants that the step's kernel holds come
/// along. `kept` owns those.
static Expected<SmallVector<void *>>
opOperands(const Step &step, StepTensors &tensors, std::vector<Tensor> &kept) {
  SmallVector<void *> pointers;
  for (mlir::Value operand : step.op->getOperands()) {
    if (Tensor *tensor = tensors.find(operand)) {
      pointers.push_back(tensor->data());
      continue;
    }
    Expected<Tensor> constant = inlineConstant(operand);
    if (!constant)
      return constant.takeError();
    pointers.push_back(constant->data());
    kept.push_back(std::move(*constant));
  }
  return pointers;
}

/// Sums in another order differ by roundings of what was summed, which the
/// largest result stands for.
static Error checkSame(ArrayRef<Tensor> found, const Step &step,
                       StepTensors &wanted, StringRef library) {
  constexpr double roundings = 1e-4, roundings16 = 1.0 / 128;
  for (auto [tensor, result] : zip(found, step.results)) {
    const Tensor &ours = *wanted.find(result);
    auto type = dyn_cast<mlir::FloatType>(ours.type().getElementType());
    double share = type && type.getWidth() == 16 ? roundings16 : roundings;
    std::string difference =
        compare(tensor, ours, {0, share * largestMagnitude(ours)});
    if (!difference.empty())
      return createStringError(library +
                               " computes something else: " + difference);
  }
  return Error::success();
}

Expected<std::optional<Measurement>>
measureByLibrary(KernelLibrary &library, const Step &step,
                 const RunOptions &options) {
  // One set of operands: a library's copies of others couldn't be taken in
  // turn.
  assert(options.rotation == 1 && "a library takes one set of operands");
  Expected<std::unique_ptr<OpKernel>> kernel = library.compile(step.op);
  if (!kernel)
    return kernel.takeError();
  if (!*kernel)
    return std::nullopt;
  Expected<StepTensors> tensors = StepTensors::create(step, options.seed);
  if (!tensors)
    return tensors.takeError();
  std::vector<Tensor> kept, results;
  Expected<SmallVector<void *>> operands = opOperands(step, *tensors, kept);
  if (!operands)
    return operands.takeError();
  SmallVector<void *> places;
  for (mlir::Value result : step.results) {
    Expected<Tensor> tensor = Tensor::create(tensors->find(result)->type());
    if (!tensor)
      return tensor.takeError();
    places.push_back(tensor->data());
    results.push_back(std::move(*tensor));
  }
  Measurement measured;
  {
    // The library starts threads of its own when it needs them, which stay
    // where this one may run.
    ThreadPool::FreeCaller free(step.kernel.threads);
    if (Error error = (*kernel)->bind(*operands, places))
      return std::move(error);
    measured = measureCalls([&] { (*kernel)->run(); }, options);
    if (Error error = (*kernel)->finish())
      return std::move(error);
  }
  step.kernel.call(tensors->pointers());
  if (Error error = checkSame(results, step, *tensors, library.name()))
    return std::move(error);
  return measured;
}

//===----------------------------------------------------------------------===//
// A whole program
//===----------------------------------------------------------------------===//

namespace {

/// The runs of a program that a sample consists of, step by step.
struct SteppedSample {
  // Of one run.
  double wall = 0;
  double threadCpu = 0; ///< of the thread that runs it, however many share it
  std::vector<double> steps;

  /// Another process had this one's CPU for a while.
  bool isDisturbed() const { return wall > 1.01 * threadCpu + 20e-6; }
};

/// What reading the wall clock twice takes: by how much a step is too long.
double wallClockSeconds() {
  std::vector<double> costs;
  for (unsigned i = 0; i < 101; ++i) {
    double start = wallSeconds();
    costs.push_back(wallSeconds() - start);
  }
  return Statistics::of(costs).median;
}

/// Steps' times of the samples that count.
std::vector<Measurement> stepTimes(ArrayRef<SteppedSample> samples,
                                   const Measurement &whole) {
  std::vector<const SteppedSample *> kept;
  for (const SteppedSample &sample : samples)
    if (!sample.isDisturbed())
      kept.push_back(&sample);
  if (kept.size() * 2 < samples.size()) {
    kept.clear();
    for (const SteppedSample &sample : samples)
      kept.push_back(&sample);
  }
  double clock = wallClockSeconds();
  std::vector<Measurement> steps(samples.empty() ? 0 : samples[0].steps.size());
  for (auto [i, step] : enumerate(steps)) {
    for (const SteppedSample *sample : kept)
      step.wallSamples.push_back(std::max(0.0, sample->steps[i] - clock));
    step.wall = Statistics::of(step.wallSamples);
    step.byWall = true; // no CPU clock is fine enough
    step.batch = whole.batch;
    step.warmUp = whole.warmUp;
    step.settled = whole.settled;
    step.complete = whole.complete;
    step.interrupted = whole.interrupted;
  }
  return steps;
}

} // namespace

Expected<ProgramTimes> measureProgram(Program &program, ArrayRef<Tensor> inputs,
                                      const WeightSource &weights,
                                      const RunOptions &options) {
  std::string problem;
  std::vector<SteppedSample> samples;
  std::optional<CacheFlush> flush;
  if (options.coldCaches)
    flush.emplace();
  auto sample = [&](uint64_t count) {
    SteppedSample taken;
    Times all;
    taken.steps.resize(program.steps().size());
    for (uint64_t i = 0; i < count && problem.empty(); ++i) {
      if (flush)
        (*flush)();
      double wall = wallSeconds(), cpu = cpuSeconds(options.measure),
             threadCpu = threadCpuSeconds();
      Expected<std::vector<Tensor>> results =
          program.run(inputs, weights, taken.steps);
      taken.threadCpu += threadCpuSeconds() - threadCpu;
      all.cpu += cpuSeconds(options.measure) - cpu;
      all.wall += wallSeconds() - wall;
      if (!results)
        problem = toString(results.takeError());
    }
    taken.wall = all.wall / double(count);
    taken.threadCpu /= double(count);
    for (double &step : taken.steps)
      step /= double(count);
    samples.push_back(std::move(taken));
    return all;
  };
  ProgramTimes result;
  result.whole = measureBatches(sample, flush ? oneCallASample(options.measure)
                                              : options.measure);
  if (!problem.empty())
    return createStringError(problem);
  result.steps =
      stepTimes(ArrayRef(samples).take_back(result.whole.cpuSamples.size()),
                result.whole);
  return result;
}

} // namespace roofline::runtime
