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
#include <map>

using namespace llvm;

namespace roofline::runtime {
namespace {

using Sample = SweepSample;

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

class Sweep {
public:
  Sweep(HostCompiler &compiler, const SweepOptions &options)
      : compiler(compiler), options(options) {}

  Error run() {
    std::vector<SweepModel> models = sweepModels();
    for (auto [i, model] : enumerate(models)) {
      if (options.progress)
        options.progress(i, models.size());
      if (Error error = measureModel(model))
        return createStringError("the sweep's model '" + model.text +
                                 "': " + toString(std::move(error)));
    }
    return Error::success();
  }

  std::vector<Sample> samples;

private:
  Error measureModel(const SweepModel &model) {
    StringRef text = model.text;
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
      RunOptions run = options.run;
      run.rotation = model.rotation;
      run.pauseSeconds = model.pauseSeconds;
      Expected<Measurement> measured = measureStep(step, run);
      if (!measured)
        return measured.takeError();
      if (measured->interrupted)
        return createStringError("interrupted");
      KernelReuse reuse;
      if (model.rotation > 1) {
        double distance = model.rotation * features->workingSet();
        reuse.read = {{features->bytesRead, distance}};
        reuse.written = {{features->bytesWritten, distance}};
      }
      samples.push_back({text.str(), std::move(*features), std::move(reuse),
                         model.pauseSeconds, measured->cpu.median});
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

/// By bytes, each with the median of what was found. A larger set is no nearer:
/// what looks so is noise, which is shared out among the points in question
/// (pool adjacent violators).
void sortPoints(std::vector<std::pair<double, double>> &points) {
  std::map<double, std::vector<double>> costs;
  for (const auto &[bytes, cost] : points)
    costs[bytes].push_back(cost);
  points.clear();
  for (const auto &[bytes, found] : costs)
    points.emplace_back(bytes, Statistics::of(found).median);
  struct Pool {
    double sum;
    size_t count;
    double mean() const { return sum / double(count); }
  };
  std::vector<Pool> pools;
  for (const auto &[bytes, cost] : points) {
    pools.push_back({cost, 1});
    while (pools.size() > 1 && pools.end()[-2].mean() > pools.back().mean()) {
      Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  auto point = points.begin();
  for (const Pool &pool : pools)
    for (size_t i = 0; i < pool.count; ++i, ++point)
      point->second = pool.mean();
}

/// How many bytes are touched between two uses of one.
double distanceOf(const Sample &sample) {
  return sample.reuse.read.empty() ? sample.features.workingSet()
                                   : sample.reuse.read.front().distance;
}

double workSeconds(const Sample &sample, const KernelModel &model) {
  return std::max(0.0, sample.seconds - model.callSeconds);
}

/// What a byte costs, from a reduction that reads and a map that writes, too:
/// the first levels' costs are part of the units' own.
void fitBytes(ArrayRef<Sample> samples, KernelModel &model) {
  std::vector<double> streamed;
  for (const Sample &sample : samples)
    if (isKernel(sample, "reduce:sum:inner") &&
        sample.features.bytesWritten * 1000 < sample.features.bytesRead)
      model.read.points.emplace_back(distanceOf(sample),
                                     workSeconds(sample, model) /
                                         sample.features.workingSet());
  sortPoints(model.read.points);
  for (const Sample &sample : samples) {
    if (!isKernel(sample, "map:relu"))
      continue;
    double distance = distanceOf(sample);
    double reading = sample.features.bytesRead * model.read.at(distance);
    double writing = std::max(0.0, workSeconds(sample, model) - reading) /
                     sample.features.bytesWritten;
    if (sample.features.streams)
      streamed.push_back(writing);
    else
      model.write.points.emplace_back(distance, writing);
  }
  sortPoints(model.write.points);
  model.streamedWriteSeconds = Statistics::of(streamed).median;
}

/// Bytes a second that others bring into shared caches: what a set that was
/// left alone for a while takes says how many came in between. And what a call
/// takes whose code isn't near.
void fitPauses(ArrayRef<Sample> samples, KernelModel &model) {
  std::vector<double> rates, calls;
  for (const Sample &sample : samples) {
    double set = sample.features.workingSet();
    if (isKernel(sample, "map:relu")) { // has hardly any work
      calls.push_back(sample.seconds);
      continue;
    }
    double distance = model.read.distanceAt(workSeconds(sample, model) / set);
    rates.push_back(std::max(0.0, distance - set) / sample.pauseSeconds);
  }
  model.foreignBytesPerSecond = Statistics::of(rates).median;
  model.farCallSeconds =
      std::max(model.callSeconds, Statistics::of(calls).median);
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
    double distance = distanceOf(sample), work = workSeconds(sample, model);
    double memory = sample.features.bytesRead * model.read.at(distance) +
                    sample.features.bytesWritten * model.write.at(distance);
    // Where memory takes all of it, it says nothing of the units.
    bool isLarge = distance > 4e6;
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
    if (std::optional<KernelTime> time =
            model.predict(sample.features, sample.reuse))
      errors[sample.features.parts.back().kernel].push_back(
          std::abs(time->seconds() / sample.seconds - 1));
  for (auto &[kernel, list] : errors) {
    llvm::sort(list);
    model.fitErrors[kernel] = quantile(list, 0.9);
  }
}

} // namespace

void SweepResult::writeSamples(raw_ostream &os) const {
  json::OStream writer(os, 1);
  writer.array([&] {
    for (const SweepSample &sample : samples)
      writer.object([&] {
        StringRef text = sample.model;
        writer.attribute("op", text.substr(text.find('\n') + 1).trim());
        writer.attribute("bytes_read", sample.features.bytesRead);
        writer.attribute("bytes_written", sample.features.bytesWritten);
        writer.attributeArray("parts", [&] {
          for (const KernelFeatures::Part &part : sample.features.parts)
            writer.object([&] {
              writer.attribute("kernel", part.kernel);
              for (const auto &[unit, amount] : part.amounts)
                writer.attribute(unit, amount);
            });
        });
        writer.attribute("measured_seconds", sample.seconds);
        if (std::optional<KernelTime> time =
                model.predict(sample.features, sample.reuse))
          writer.attribute("predicted_seconds", time->seconds());
      });
  });
  os << '\n';
}

Expected<SweepResult> sweepKernels(HostCompiler &compiler,
                                   const SweepOptions &options) {
  Sweep sweep(compiler, options);
  if (Error error = sweep.run())
    return std::move(error);
  SweepResult result;
  KernelModel &model = result.model;
  model.vectorBits = compiler.vectorBits();
  model.callSeconds = INFINITY;
  for (const Sample &sample : sweep.samples)
    model.callSeconds = std::min(model.callSeconds, sample.seconds);
  // The least of all has some work of its own: half is a call's.
  model.callSeconds /= 2;
  std::vector<Sample> paused, steady;
  for (Sample &sample : sweep.samples)
    (sample.pauseSeconds > 0 ? paused : steady).push_back(std::move(sample));
  sweep.samples = std::move(steady);
  fitBytes(sweep.samples, model);
  fitPauses(paused, model);
  fitUnits(sweep.samples, model);
  findErrors(sweep.samples, model);
  result.samples = std::move(sweep.samples);
  return result;
}

} // namespace roofline::runtime
