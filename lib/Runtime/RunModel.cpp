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
          double wall = wallSeconds(), cpu = threadCpuSeconds();
          call();
          times.cpu += threadCpuSeconds() - cpu;
          times.wall += wallSeconds() - wall;
        }
        return times;
      },
      options.measure);
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
  Expected<StepTensors> tensors = StepTensors::create(step, options.seed);
  if (!tensors)
    return tensors.takeError();
  SmallVector<void *> pointers = tensors->pointers();
  return measureCalls([&] { step.kernel.call(pointers); }, options);
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
    double relative = type && type.getWidth() == 16 ? roundings16 : roundings;
    std::string difference =
        compare(tensor, ours, {relative, relative * largestMagnitude(ours)});
    if (!difference.empty())
      return createStringError(library +
                               " computes something else: " + difference);
  }
  return Error::success();
}

Expected<std::optional<Measurement>>
measureByLibrary(KernelLibrary &library, const Step &step,
                 const RunOptions &options) {
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
  if (Error error = (*kernel)->bind(*operands, places))
    return std::move(error);
  Measurement measured = measureCalls([&] { (*kernel)->run(); }, options);
  if (Error error = (*kernel)->finish())
    return std::move(error);
  step.kernel.call(tensors->pointers());
  if (Error error = checkSame(results, step, *tensors, library.name()))
    return std::move(error);
  return measured;
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
