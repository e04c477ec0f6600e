//===- KernelSweep.cpp - what this machine's kernels take -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/KernelSweep.h"
#include "KernelFit.h"
#include "mlir/IR/MLIRContext.h"
#include "roofline/Analysis/KernelFeatures.h"
#include "roofline/Analysis/ReuseAnalysis.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Import/ONNX/Import.h"
#include "roofline/Models/Register.h"
#include "roofline/Runtime/MadeUp.h"

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
    return model.isRun ? measureRun(model, function, costs, program)
                       : measureSteps(model, costs, program);
  }

  /// An op of a run: its type and its operands'.
  static std::string describe(mlir::Operation *op) {
    std::string text;
    raw_string_ostream os(text);
    if (auto type = op->getAttrOfType<mlir::StringAttr>(rl::opTypeAttrName))
      os << type.getValue();
    llvm::interleaveComma(op->getOperandTypes(), os << " (");
    os << ") of a run";
    return text;
  }

  Expected<KernelFeatures> featuresOf(const CostRow &row) const {
    if (auto features =
            kernelFeatures(row, compiler.vectorBits(), {compiler.threads()}))
      return std::move(*features);
    return createStringError("its features aren't known");
  }

  /// Threads wait for each other, which CPU time doesn't tell.
  double timeOf(const Measurement &measured) const {
    return (compiler.threads() > 1 ? measured.wall : measured.cpu).median;
  }

  using Visit =
      function_ref<Error(const Step &step, int row, KernelFeatures &&features)>;

  /// Calls `visit` on each step that is a kernel.
  Error forEachKernel(const CostAnalysis &costs, const Program &program,
                      Visit visit) const {
    for (const Step &step : program.steps()) {
      int row = costs.rowOf(step.op);
      if (step.isView || row < 0)
        continue;
      Expected<KernelFeatures> features = featuresOf(costs.rows()[row]);
      if (!features)
        return features.takeError();
      if (Error error = visit(step, row, std::move(*features)))
        return error;
    }
    return Error::success();
  }

  /// Each alone.
  Error measureSteps(const SweepModel &model, const CostAnalysis &costs,
                     const Program &program) {
    auto measure = [&](const Step &step, int,
                       KernelFeatures &&features) -> Error {
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
        double distance = model.rotation * features.workingSet();
        reuse.read = {{features.bytesRead, distance}};
        reuse.written = {{features.bytesWritten, distance}};
      }
      StringRef text = model.text;
      samples.push_back({text.substr(text.find('\n') + 1).trim().str(),
                         std::move(features), std::move(reuse),
                         model.pauseSeconds, timeOf(*measured)});
      return Error::success();
    };
    return forEachKernel(costs, program, measure);
  }

  /// Each as it is among the others.
  Error measureRun(const SweepModel &model, mlir::func::FuncOp function,
                   const CostAnalysis &costs, Program &program) {
    std::vector<Tensor> inputs;
    uint64_t seed = options.run.seed;
    auto make = [&](StringRef, mlir::RankedTensorType type) {
      return makeUp(type, seed++);
    };
    for (mlir::BlockArgument argument : function.getArguments()) {
      Expected<Tensor> input =
          make("", cast<mlir::RankedTensorType>(argument.getType()));
      if (!input)
        return input.takeError();
      inputs.push_back(std::move(*input));
    }
    Expected<ProgramTimes> times =
        measureProgram(program, inputs, make, options.run);
    if (!times)
      return times.takeError();
    if (times->whole.interrupted)
      return createStringError("interrupted");
    std::vector<double> seconds(costs.rows().size(), 0);
    for (auto [step, measured] : zip(program.steps(), times->steps))
      if (int row = costs.rowOf(step.op); row >= 0)
        seconds[row] = measured.wall.median;
    RunClock clock(seconds);
    std::vector<RowReuse> reuse = reuseDistances(costs);
    auto add = [&](const Step &step, int row,
                   KernelFeatures &&features) -> Error {
      samples.push_back({describe(step.op), std::move(features),
                         clock.reuseOf(reuse[row], row), 0, seconds[row],
                         true});
      return Error::success();
    };
    return forEachKernel(costs, program, add);
  }

  HostCompiler &compiler;
  const SweepOptions &options;
};

} // namespace

void SweepResult::writeSamples(raw_ostream &os) const {
  json::OStream writer(os, 1);
  writer.array([&] {
    for (const SweepSample &sample : samples)
      writer.object([&] {
        writer.attribute("op", sample.op);
        writer.attribute("bytes_read", sample.features.bytesRead);
        writer.attribute("bytes_written", sample.features.bytesWritten);
        if (sample.reuse.code)
          writer.attribute("code_distance", sample.reuse.code->distance);
        writer.attributeArray("parts", [&] {
          for (const KernelFeatures::Part &part : sample.features.parts)
            writer.object([&] {
              writer.attribute("kernel", part.kernel);
              for (const auto &[unit, amount] : part.amounts)
                writer.attribute(unit, amount);
            });
        });
        writer.attribute("measured_seconds", sample.seconds);
        writer.attribute("in_run", sample.inRun);
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
  result.samples = std::move(sweep.samples);
  result.model =
      fitKernels(result.samples, compiler.vectorBits(),
                 int64_t(compiler.threads()), options.foreignBytesPerSecond);
  return result;
}

} // namespace roofline::runtime
