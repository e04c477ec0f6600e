//===- ModelRun.cpp - what runs a model -----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"
#include "Objects.h"
#include "mlir/Pass/PassManager.h"
#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Analysis/MemoryAnalysis.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Models/Register.h"
#include "roofline/Runtime/Environment.h"
#include "roofline/Runtime/MadeUp.h"
#include "roofline/Runtime/ONNXTensors.h"
#include "roofline/Transforms/Passes.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::runtime;

ProgressLine::ProgressLine()
    : isTerminal(sys::Process::StandardErrIsDisplayed()) {}

void ProgressLine::show(const Twine &text) const {
  if (isTerminal)
    errs() << "\r\033[K" << text;
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

ModelRun::ModelRun(MemoryBufferRef file, HostCompiler &compiler,
                   ModelRunOptions options)
    : file(file), compiler(compiler), options(std::move(options)) {
  mlir::DialectRegistry registry;
  registerHostDialects(registry);
  registerModels(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) {
    return mlir::success(); // errors come as llvm::Error
  });
}

Error ModelRun::import(const ImportOptions &given) {
  Expected<ImportResult> result =
      importONNX(file.getBuffer(), file.getBufferIdentifier(), given, &context);
  if (!result)
    return result.takeError();
  module = std::move(result->module);
  for (const ImportWarning &warning : result->warnings)
    errs() << "rl-run: " << file.getBufferIdentifier() << ": warning: "
           << (warning.node.empty() ? "" : "node '" + warning.node + "': ")
           << warning.message << '\n';
  function = *module->getOps<mlir::func::FuncOp>().begin();
  for (mlir::Type type : function.getArgumentTypes()) {
    auto tensor = dyn_cast<mlir::RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return createStringError(
          "its inputs have open dimensions; rl-opt --roofline-report lists "
          "the --dim flags to add");
  }
  costs.emplace(function.getOperation());
  names.emplace(*costs);
  mlir::Builder builder(&context);
  for (auto [i, row] : enumerate(costs->rows()))
    row.op->setAttr(rowAttrName, builder.getI64IntegerAttr(i));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Ops and groups
//===----------------------------------------------------------------------===//

RunResult ModelRun::run() {
  RunResult result;
  result.model = file.getBufferIdentifier().str();
  if (options.library)
    result.library = options.library->name();
  ProgressLine progress;
  unsigned count = 0;
  program = Program::build(function, compiler, [&](mlir::Operation *op) {
    progress.show("compiling " + Twine(++count) + " " + NameTable::opType(op));
    return !options.interrupted();
  });
  LoadCounters before = LoadCounters::read();
  std::optional<ProgramTimes> inRun;
  if (options.whole && !options.interrupted()) {
    progress.show("measuring the whole");
    inRun = measureWhole(result);
  }
  if (options.opsInRun && inRun)
    takeOpsFromRun(result, *inRun);
  else
    measureOps(result, progress);
  if (options.groups && !options.interrupted()) {
    progress.show("fusing");
    measureGroups(result, progress);
  }
  result.competition = Competition::between(before, LoadCounters::read());
  result.interrupted = options.interrupted();
  return result;
}

void ModelRun::measureOps(RunResult &result, const ProgressLine &progress) {
  for (const Step &step : program.steps()) {
    if (step.isView || step.isConstant || options.interrupted())
      continue;
    progress.show("measuring " + Twine(result.ops.size() + 1) + " of " +
                  Twine(program.kernelCount()));
    if (!measureOne(*costs, *names, step, result.ops))
      return;
    if (options.library && result.ops.back().measured && !options.interrupted())
      addLibrary(result, result.ops.back(), step);
  }
}

void ModelRun::takeOpsFromRun(RunResult &result, const ProgramTimes &times) {
  result.opsInRun = true;
  for (auto [step, measured] : zip(program.steps(), times.steps)) {
    if (step.isView || step.isConstant)
      continue;
    OpResult op = resultOf(*costs, *names, step);
    op.measured = measured;
    result.ops.push_back(std::move(op));
  }
}

void ModelRun::addLibrary(RunResult &result, OpResult &op, const Step &step) {
  auto measured = measureByLibrary(*options.library, step, options.run);
  if (measured && *measured && !(*measured)->hasSamples())
    return; // ended before the first
  if (measured)
    op.library = std::move(*measured);
  else
    result.notes.push_back("'" + op.name +
                           "': " + toString(measured.takeError()));
}

constexpr const char *cantMark =
    "fusion groups can't be marked: is --ceilings a device?";

static bool isGroup(mlir::Operation *op) {
  return isa<rl::FusedOp>(op) && !op->hasAttr(rowAttrName);
}

/// The model with its fusion groups, as `rl-mark-fusion` marks them, in place
/// of their ops; null where they can't be marked.
mlir::OwningOpRef<mlir::ModuleOp> ModelRun::fusedModule() {
  mlir::OwningOpRef<mlir::ModuleOp> fused = module->clone();
  mlir::PassManager passes(&context);
  passes.enableVerifier(false);
  MarkFusionOptions marking;
  marking.device = options.ceilings;
  passes.addPass(createMarkFusion(marking));
  passes.addPass(createApplyFusion());
  return failed(passes.run(*fused)) ? nullptr : std::move(fused);
}

void ModelRun::measureGroups(RunResult &result, const ProgressLine &progress) {
  mlir::OwningOpRef<mlir::ModuleOp> fused = fusedModule();
  if (!fused) {
    result.notes.push_back(cantMark);
    return;
  }
  auto entry = *fused->getOps<mlir::func::FuncOp>().begin();
  Program groups = Program::build(
      entry, compiler,
      [&](mlir::Operation *) { return !options.interrupted(); }, isGroup);
  CostAnalysis fusedCosts(entry.getOperation());
  NameTable fusedNames(fusedCosts);
  for (const Step &step : groups.steps())
    if (isGroup(step.op) && !options.interrupted()) {
      progress.show("measuring group " + Twine(result.groups.size() + 1));
      (void)measureOne(fusedCosts, fusedNames, step, result.groups);
    }
}

OpResult ModelRun::resultOf(const CostAnalysis &costs, NameTable &names,
                            const Step &step) {
  OpResult op = describe(costs, names, step);
  op.compileSeconds = step.kernel.compileSeconds;
  op.error = step.error;
  return op;
}

constexpr const char *noSample =
    "--max-seconds is over before the first sample";

bool ModelRun::measureOne(const CostAnalysis &costs, NameTable &names,
                          const Step &step, std::vector<OpResult> &results) {
  OpResult op = resultOf(costs, names, step);
  if (op.error.empty()) {
    Expected<Measurement> measured = measureStep(step, options.run);
    if (!measured)
      op.error = toString(measured.takeError());
    else if (measured->hasSamples())
      op.measured = std::move(*measured);
    else if (measured->interrupted)
      return false;
    else
      op.error = "'" + op.name + "': " + noSample;
  }
  results.push_back(std::move(op));
  return true;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

std::optional<ProgramTimes> ModelRun::measureWhole(RunResult &result) {
  Expected<ProgramTimes> measured = measureProgram();
  if (!measured) {
    result.wholeError = toString(measured.takeError());
    return std::nullopt;
  }
  if (!measured->whole.hasSamples()) {
    if (!measured->whole.interrupted)
      result.wholeError = noSample;
    return std::nullopt;
  }
  result.whole = measured->whole;
  return std::move(*measured);
}

Expected<ProgramTimes> ModelRun::measureProgram() {
  if (Error error = program.firstError())
    return std::move(error);
  std::optional<Int> peak = peakLiveBytes(*costs);
  int64_t available = Environment::read().availableBytes;
  // Tensors of the run before are freed as those of the next are made.
  if (peak && available && *peak > Int(available / 10 * 9))
    return createStringError("the whole needs " + roofline::toString(*peak) +
                             " bytes, of which " + Twine(available) +
                             " are free: ops were measured one by one alone");
  std::vector<Tensor> inputs;
  uint64_t seed = options.run.seed;
  for (mlir::Type type : function.getArgumentTypes()) {
    Expected<Tensor> input = makeUp(cast<mlir::RankedTensorType>(type), seed++);
    if (!input)
      return input.takeError();
    inputs.push_back(std::move(*input));
  }
  std::unique_ptr<ONNXWeights> stored;
  if (auto read = ONNXWeights::read(
          file.getBuffer(), sys::path::parent_path(file.getBufferIdentifier())))
    stored = std::move(*read);
  else
    consumeError(read.takeError()); // too large for one parse: made up
  auto weights = [&](StringRef name,
                     mlir::RankedTensorType type) -> Expected<Tensor> {
    if (stored) {
      Expected<Tensor> tensor = stored->load(name, type);
      if (!tensor || *tensor)
        return tensor;
    }
    return makeUp(type, seed++);
  };
  return runtime::measureProgram(program, inputs, weights, options.run);
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

Error ModelRun::emitObjects(StringRef folder) {
  ObjectWriter writer(compiler, folder, outs());
  auto write = [&](mlir::func::FuncOp from,
                   function_ref<bool(mlir::Operation *)> wanted) -> Error {
    for (mlir::Operation &op : from.front())
      if (wanted(&op) && needsKernel(&op))
        if (Error error = writer.write(&op))
          return error;
    return Error::success();
  };
  if (Error error = write(function, [](mlir::Operation *) { return true; }))
    return error;
  if (!options.groups)
    return Error::success();
  mlir::OwningOpRef<mlir::ModuleOp> fused = fusedModule();
  if (!fused)
    return createStringError(cantMark);
  return write(*fused->getOps<mlir::func::FuncOp>().begin(), isGroup);
}
