//===- KernelSweep.cpp - what this machine's kernels take -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/KernelSweep.h"
#include "mlir/IR/MLIRContext.h"
#include "roofline/Analysis/KernelFeatures.h"
#include "roofline/Import/ONNX/Import.h"
#include "roofline/Models/Register.h"
#include "llvm/ADT/MapVector.h"
#include <cmath>

using namespace llvm;

namespace roofline::runtime {
namespace {

struct Sample {
  KernelFeatures features;
  double seconds;
};

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

class Sweep {
public:
  Sweep(HostCompiler &compiler, const SweepOptions &options)
      : compiler(compiler), options(options) {}

  Error run() {
    std::vector<std::string> models = sweepModels();
    for (auto [i, text] : enumerate(models)) {
      if (options.progress)
        options.progress(i, models.size());
      if (Error error = measureModel(text))
        return createStringError("the sweep's model '" + text +
                                 "': " + toString(std::move(error)));
    }
    return Error::success();
  }

  std::vector<Sample> samples;

private:
  Error measureModel(StringRef text) {
    mlir::DialectRegistry registry;
    registerHostDialects(registry);
    registerModels(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler(
        [](mlir::Diagnostic &) { return mlir::success(); });
    ImportOptions importing;
    importing.executable = true;
    Expected<ImportResult> imported =
        importONNX(text, "sweep.onnxtxt", importing, &context);
    if (!imported)
      return imported.takeError();
    auto function = *imported->module->getOps<mlir::func::FuncOp>().begin();
    CostAnalysis costs(function.getOperation());
    Program program = Program::build(function, compiler);
    if (Error error = program.firstError())
      return error;
    for (const Step &step : program.steps()) {
      int row = costs.rowOf(step.op);
      if (step.isView || row < 0)
        continue;
      std::optional<KernelFeatures> features =
          kernelFeatures(costs.rows()[row], compiler.vectorBits());
      if (!features)
        return createStringError("its features aren't known");
      Expected<Measurement> measured = measureStep(step, options.run);
      if (!measured)
        return measured.takeError();
      if (measured->interrupted)
        return createStringError("interrupted");
      samples.push_back({std::move(*features), measured->cpu.median});
    }
    return Error::success();
  }

  HostCompiler &compiler;
  const SweepOptions &options;
};

//===----------------------------------------------------------------------===//
// Fitting
//===----------------------------------------------------------------------===//

bool isKernel(const Sample &sample, StringRef kernel) {
  return sample.features.parts.size() == 1 &&
         sample.features.parts.front().kernel == kernel;
}

/// What a byte costs, from a map that reads and writes and a reduction that
/// reads: the first levels' costs are part of the units' own.
void fitBytes(ArrayRef<Sample> samples, KernelModel &model) {
  for (const Sample &sample : samples)
    if (isKernel(sample, "reduce:inner") &&
        sample.features.bytesWritten * 100 < sample.features.bytesRead)
      model.read.points.emplace_back(
          sample.features.workingSet(),
          std::max(0.0, sample.seconds - model.callSeconds) /
              sample.features.workingSet());
  llvm::sort(model.read.points);
  for (const Sample &sample : samples) {
    double set = sample.features.workingSet();
    if (!isKernel(sample, "map:relu"))
      continue;
    double reading = sample.features.bytesRead * model.read.at(set);
    model.write.points.emplace_back(
        set, std::max(0.0, sample.seconds - model.callSeconds - reading) /
                 sample.features.bytesWritten);
  }
  llvm::sort(model.write.points);
  for (ByteCosts *costs : {&model.read, &model.write}) {
    auto sameSet = [](auto &x, auto &y) { return x.first == y.first; };
    costs->points.erase(
        std::unique(costs->points.begin(), costs->points.end(), sameSet),
        costs->points.end());
    // A larger set is no nearer: what looks so is noise.
    for (size_t i = 1; i < costs->points.size(); ++i)
      costs->points[i].second =
          std::max(costs->points[i].second, costs->points[i - 1].second);
  }
}

/// Costs of all units at once, from the samples whose arithmetic decides.
void fitUnits(ArrayRef<Sample> samples, KernelModel &model) {
  // Units by number.
  MapVector<std::pair<StringRef, StringRef>, size_t> units;
  for (const Sample &sample : samples)
    for (const KernelFeatures::Part &part : sample.features.parts)
      for (const auto &[unit, amount] : part.amounts)
        units.insert({{part.kernel, unit}, units.size()});
  std::vector<std::vector<double>> amounts;
  std::vector<double> seconds;
  for (const Sample &sample : samples) {
    double set = sample.features.workingSet();
    double memory = sample.features.bytesRead * model.read.at(set) +
                    sample.features.bytesWritten * model.write.at(set);
    double work = sample.seconds - model.callSeconds;
    // Where memory takes all of it, it says nothing of the units.
    bool isLarge = set > 4e6;
    if (work <= 0 || (isLarge && memory > 0.8 * work))
      continue;
    amounts.emplace_back(units.size(), 0);
    for (const KernelFeatures::Part &part : sample.features.parts)
      for (const auto &[unit, amount] : part.amounts)
        amounts.back()[units[{part.kernel, unit}]] += amount;
    seconds.push_back(work);
  }
  std::vector<double> costs = fitCosts(amounts, seconds);
  for (const auto &[unit, number] : units)
    model.costs[unit.first.str()][unit.second.str()] = costs[number];
}

void findErrors(ArrayRef<Sample> samples, KernelModel &model) {
  std::map<std::string, std::vector<double>> errors;
  for (const Sample &sample : samples)
    if (std::optional<KernelTime> time = model.predict(sample.features))
      errors[sample.features.parts.back().kernel].push_back(
          std::abs(time->seconds() / sample.seconds - 1));
  for (auto &[kernel, list] : errors) {
    llvm::sort(list);
    model.fitErrors[kernel] = quantile(list, 0.9);
  }
}

} // namespace

Expected<KernelModel> sweepKernels(HostCompiler &compiler,
                                   const SweepOptions &options) {
  Sweep sweep(compiler, options);
  if (Error error = sweep.run())
    return std::move(error);
  KernelModel model;
  model.vectorBits = compiler.vectorBits();
  model.callSeconds = INFINITY;
  for (const Sample &sample : sweep.samples)
    model.callSeconds = std::min(model.callSeconds, sample.seconds);
  // The least of all has some work of its own: half is a call's.
  model.callSeconds /= 2;
  fitBytes(sweep.samples, model);
  fitUnits(sweep.samples, model);
  findErrors(sweep.samples, model);
  return model;
}

} // namespace roofline::runtime
