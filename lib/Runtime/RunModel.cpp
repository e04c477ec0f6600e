//===- RunModel.cpp - how long a model's kernels take ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/RunModel.h"
#include "roofline/Runtime/Environment.h"
#include "roofline/Runtime/MadeUp.h"

using namespace llvm;

namespace roofline::runtime {

/// Reads and writes more than the caches hold.
class CacheFlush {
public:
  CacheFlush() {
    const Cache *last = nullptr;
    Environment environment = Environment::read();
    for (unsigned level = 1; level <= 4; ++level)
      if (const Cache *cache = environment.dataCache(level))
        last = cache;
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

static Measurement measureCalls(function_ref<void()> call,
                                const RunOptions &options) {
  if (!options.coldCaches)
    return measure(call, options.measure);
  CacheFlush flush;
  return measureBatches(
      [&](uint64_t count) {
        Times times;
        for (uint64_t i = 0; i < count; ++i) {
          flush();
          double wall = wallSeconds(), cpu = cpuSeconds(options.measure);
          call();
          times.cpu += cpuSeconds(options.measure) - cpu;
          times.wall += wallSeconds() - wall;
        }
        return times;
      },
      options.measure);
}

Expected<Measurement> measureStep(const Step &step, const RunOptions &options) {
  std::vector<Tensor> tensors;
  SmallVector<void *> pointers;
  uint64_t seed = options.seed;
  auto add = [&](mlir::Value value, bool isResult) -> Error {
    auto type = dyn_cast<mlir::RankedTensorType>(value.getType());
    if (!type)
      return createStringError("an operand is no tensor");
    Expected<Tensor> tensor =
        isResult ? Tensor::create(type) : makeUp(type, seed++);
    if (!tensor)
      return tensor.takeError();
    pointers.push_back(tensor->data());
    tensors.push_back(std::move(*tensor));
    return Error::success();
  };
  for (mlir::Value operand : step.operands)
    if (Error error = add(operand, false))
      return std::move(error);
  for (mlir::Value result : step.results)
    if (Error error = add(result, true))
      return std::move(error);
  return measureCalls([&] { step.kernel.call(pointers); }, options);
}

Expected<Measurement> measureWhole(Program &program, ArrayRef<Tensor> inputs,
                                   const WeightSource &weights,
                                   const RunOptions &options) {
  std::string problem;
  Measurement result = measureCalls(
      [&] {
        if (!problem.empty())
          return;
        Expected<std::vector<Tensor>> results = program.run(inputs, weights);
        if (!results)
          problem = toString(results.takeError());
      },
      options);
  if (!problem.empty())
    return createStringError(problem);
  return result;
}

} // namespace roofline::runtime
