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
#include "roofline/Runtime/Statistics.h"

using namespace llvm;

namespace roofline::runtime {
namespace {

using Sample = SweepSample;

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// A model of the sweep, compiled.
struct Compiled {
  explicit Compiled(const mlir::DialectRegistry &registry)
      : context(registry, mlir::MLIRContext::Threading::DISABLED) {}

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  std::optional<CostAnalysis> costs;
  std::optional<Program> program;
};

/// A run, which is measured in rounds: what shared caches do changes within
/// seconds.
struct Run {
  std::unique_ptr<Compiled> compiled;
  std::vector<Tensor> inputs;
  std::vector<std::vector<double>> seconds; ///< by row, one of each round
};

class Sweep {
public:
  Sweep(HostCompiler &compiler, const SweepOptions &options)
      : compiler(compiler), options(options) {}

  /// Runs have their turns between models of one op.
  Error run() {
    constexpr size_t rounds = 6;
    std::vector<SweepModel> models = sweepModels(), runModels = sweepRuns();
    count = models.size() + rounds * runModels.size();
    for (const SweepModel &model : runModels) {
      const auto &interrupted = options.run.measure.interrupted;
      if (interrupted && interrupted())
        return createStringError("interrupted");
      if (Error error = named(model, addRun(model)))
        return error;
    }
    for (size_t round = 0, next = 0; round < rounds; ++round) {
      for (size_t end = models.size() * (round + 1) / rounds; next < end;
           ++next)
        if (Error error = named(models[next], measureModel(models[next])))
          return error;
      for (auto [model, run] : zip(runModels, runs))
        if (Error error = named(model, measureRun(run)))
          return error;
    }
    for (auto [model, run] : zip(runModels, runs))
      if (Error error = named(model, addSamples(run)))
        return error;
    return Error::success();
  }

  std::vector<Sample> samples;

private:
  static Error named(const SweepModel &model, Error error) {
    if (!error)
      return Error::success();
    return createStringError("the sweep's model '" + model.text +
                             "': " + toString(std::move(error)));
  }

  void tellProgress() {
    if (options.progress)
      options.progress(done, count);
    ++done;
  }

  Expected<std::unique_ptr<Compiled>> compile(const SweepModel &model) {
    mlir::DialectRegistry registry;
    registerHostDialects(registry);
    registerModels(registry);
    auto compiled = std::make_unique<Compiled>(registry);
    compiled->context.loadAllAvailableDialects();
    compiled->context.getDiagEngine().registerHandler(
        [](mlir::Diagnostic &) { return mlir::success(); });
    ImportOptions importing;
    importing.executable = true;
    Expected<ImportResult> imported =
        importONNX(model.text, "sweep.onnxtxt", importing, &compiled->context);
    if (!imported)
      return imported.takeError();
    compiled->module = std::move(imported->module);
    compiled->function =
        *compiled->module->getOps<mlir::func::FuncOp>().begin();
    compiled->costs.emplace(compiled->function.getOperation());
    compiled->program.emplace(Program::build(compiled->function, compiler));
    if (Error error = compiled->program->firstError())
      return error;
    return std::move(compiled);
  }

  Error measureModel(const SweepModel &model) {
    tellProgress();
    Expected<std::unique_ptr<Compiled>> compiled = compile(model);
    if (!compiled)
      return compiled.takeError();
    return measureSteps(model, *(*compiled)->costs, *(*compiled)->program);
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

  Error addRun(const SweepModel &model) {
    Expected<std::unique_ptr<Compiled>> compiled = compile(model);
    if (!compiled)
      return compiled.takeError();
    Run run{std::move(*compiled), {}, {}};
    run.seconds.resize(run.compiled->costs->rows().size());
    for (mlir::BlockArgument argument : run.compiled->function.getArguments()) {
      Expected<Tensor> input =
          makeUp(cast<mlir::RankedTensorType>(argument.getType()), seed++);
      if (!input)
        return input.takeError();
      run.inputs.push_back(std::move(*input));
    }
    runs.push_back(std::move(run));
    return Error::success();
  }

  /// Each op as it is among the others.
  Error measureRun(Run &run) {
    tellProgress();
    auto make = [&](StringRef, mlir::RankedTensorType type) {
      return makeUp(type, seed++);
    };
    Program &program = *run.compiled->program;
    Expected<ProgramTimes> times =
        measureProgram(program, run.inputs, make, options.run);
    if (!times)
      return times.takeError();
    if (times->whole.interrupted)
      return createStringError("interrupted");
    for (auto [step, measured] : zip(program.steps(), times->steps))
      if (int row = run.compiled->costs->rowOf(step.op); row >= 0)
        run.seconds[row].push_back(measured.wall.median);
    return Error::success();
  }

  Error addSamples(const Run &run) {
    const CostAnalysis &costs = *run.compiled->costs;
    std::vector<double> seconds, ownBytes(costs.rows().size(), 0);
    for (ArrayRef<double> rounds : run.seconds)
      seconds.push_back(middleMean(rounds));
    size_t first = samples.size();
    std::vector<int> rows; // of the samples from there on
    auto add = [&](const Step &step, int row,
                   KernelFeatures &&features) -> Error {
      ownBytes[row] = features.ownBytes();
      rows.push_back(row);
      samples.push_back({describe(step.op), std::move(features), KernelReuse(),
                         0, seconds[row], true});
      return Error::success();
    };
    if (Error error = forEachKernel(costs, *run.compiled->program, add))
      return error;
    RunClock clock(seconds);
    std::vector<RowReuse> reuse = reuseDistances(costs, ownBytes);
    for (auto [sample, row] :
         zip(MutableArrayRef(samples).drop_front(first), rows))
      sample.reuse = clock.reuseOf(reuse[row], row);
    return Error::success();
  }

  HostCompiler &compiler;
  const SweepOptions &options;
  std::vector<Run> runs;
  uint64_t seed = options.run.seed; ///< of what is made up next
  size_t done = 0, count = 0;       ///< what is measured
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
  result.model = fitKernels(result.samples,
                            {compiler.vectorBits(), int64_t(compiler.threads()),
                             options.caches, options.foreignBytesPerSecond});
  return result;
}

} // namespace roofline::runtime
