//===- RunCommand.cpp - rl-run MODEL --------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Lowers and compiles every op of a model, measures each alone, then the whole,
// and writes what was measured for `rl-opt --measured=FILE`.
//
//===----------------------------------------------------------------------===//

#include "Assignments.h"
#include "Commands.h"
#include "Objects.h"
#include "Output.h"
#include "Results.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Analysis/MemoryAnalysis.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Import/ONNX/Import.h"
#include "roofline/Models/Register.h"
#include "roofline/Runtime/Environment.h"
#include "roofline/Runtime/MadeUp.h"
#include "roofline/Runtime/ONNXTensors.h"
#include "roofline/Runtime/RunModel.h"
#include "roofline/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace llvm;
using namespace roofline;
using namespace roofline::runtime;

namespace {
struct Options {
  cl::OptionCategory category{"Options of a run"};
  cl::opt<std::string> model{cl::Positional, cl::Required, cl::desc("MODEL"),
                             cl::cat(category)};
  cl::list<std::string> dims{"dim", cl::cat(category), cl::value_desc("NAME=N"),
                             cl::desc("Bind a dimension (repeatable)")};
  cl::list<std::string> shapes{
      "shape", cl::cat(category), cl::value_desc("INPUT=AxBxC"),
      cl::desc("Give an input its shape (repeatable)")};
  cl::list<std::string> values{
      "value", cl::cat(category), cl::value_desc("INPUT=v[,v...]"),
      cl::desc("Give a small input its value, for shapes, branches and trip "
               "counts that depend on it (repeatable)")};
  cl::opt<std::string> device{
      "device", cl::init("host"), cl::cat(category), cl::value_desc("host"),
      cl::desc("Where to run: host, which is this machine")};
  cl::opt<std::string> output{
      "o", cl::cat(category), cl::value_desc("file"),
      cl::desc("Write what was measured, for rl-opt --measured=FILE")};
  cl::opt<std::string> caches{
      "caches", cl::init("warm"), cl::cat(category), cl::value_desc("state"),
      cl::desc("warm (default): operands are where the last call left them; "
               "cold: the caches are emptied before each call")};
  cl::opt<unsigned> iterations{
      "iterations", cl::init(30), cl::cat(category), cl::value_desc("n"),
      cl::desc("Samples of each kernel, at least (default 30)")};
  cl::opt<double> maxSeconds{
      "max-seconds", cl::init(5), cl::cat(category), cl::value_desc("s"),
      cl::desc("Sampling of a kernel ends then, with fewer samples "
               "(default 5)")};
  cl::opt<unsigned> seed{"seed", cl::init(1), cl::cat(category),
                         cl::value_desc("n"),
                         cl::desc("Of made-up inputs and weights (default 1)")};
  cl::list<std::string> vary{
      "vary", cl::cat(category), cl::value_desc("dim:NAME=N,N..."),
      cl::desc("Run once for each value, and write a table of results")};
  cl::opt<std::string> cache{
      "kernel-cache", cl::cat(category), cl::value_desc("folder"),
      cl::desc("Where compiled kernels are kept (default: roofline in the "
               "user's cache folder; empty: nowhere)")};
  cl::opt<std::string> cpu{
      "cpu", cl::cat(category), cl::value_desc("name"),
      cl::desc("Compile for a CPU as LLVM names it, x86-64-v3 say (default: "
               "this one)")};
  cl::opt<std::string> ceilings{
      "ceilings", cl::cat(category), cl::value_desc("device"),
      cl::desc("The device, bundled or a file of rl-run calibrate, by whose "
               "bounds fusion groups are marked")};
  cl::opt<std::string> emitObjects{
      "emit-objects", cl::cat(category), cl::value_desc("folder"),
      cl::desc("Run nothing: write each kernel as an object file, and list "
               "them with the bytes of the buffers they take "
               "(docs/checks.md)")};
  cl::opt<bool> noGroups{"no-groups", cl::cat(category),
                         cl::desc("Don't measure fusion groups")};
  cl::opt<bool> noWhole{"no-whole", cl::cat(category),
                        cl::desc("Measure ops one by one alone")};
};
} // namespace

static ManagedStatic<Options> options;
static volatile std::sig_atomic_t interruptedBy = 0;

static void printError(const Twine &message) {
  errs() << "rl-run: " << message << '\n';
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static Expected<ImportOptions> importOptions() {
  ImportOptions result;
  result.executable = true;
  Expected<std::vector<DimOption>> dims = parseDims(options->dims);
  if (!dims)
    return dims.takeError();
  Expected<std::vector<ShapeOption>> shapes = parseShapes(options->shapes);
  if (!shapes)
    return shapes.takeError();
  Expected<std::vector<Assignment>> values = parseValues(options->values);
  if (!values)
    return values.takeError();
  result.dims = std::move(*dims);
  result.shapes = std::move(*shapes);
  result.values = std::move(*values);
  result.folder = sys::path::parent_path(options->model).str();
  if (result.folder.empty())
    result.folder = ".";
  return result;
}

static Error checkOptions() {
  if (options->device != "host")
    return createStringError("--device=" + options->device +
                             ": only host can run kernels so far");
  if (options->caches != "warm" && options->caches != "cold")
    return createStringError("--caches=" + options->caches +
                             ": one of warm, cold");
  if (!options->emitObjects.empty() &&
      (!options->output.empty() || !options->vary.empty()))
    return createStringError("--emit-objects runs nothing: -o and --vary have "
                             "nothing to write");
  if (options->iterations < 1)
    return createStringError("--iterations=0: at least 1");
  if (!(options->maxSeconds > 0))
    return createStringError("--max-seconds: expected more than 0");
  return Error::success();
}

static std::string cacheFolder() {
  if (options->cache.getNumOccurrences())
    return options->cache;
  SmallString<128> folder;
  if (!sys::path::cache_directory(folder))
    return "";
  sys::path::append(folder, "roofline", "kernels");
  return std::string(folder);
}

static RunOptions runOptions() {
  RunOptions run;
  run.coldCaches = options->caches == "cold";
  run.seed = options->seed;
  run.measure.minSamples = options->iterations;
  run.measure.maxSamples = std::max(100u, +options->iterations);
  run.measure.maxSeconds = options->maxSeconds;
  run.measure.interrupted = [] { return interruptedBy != 0; };
  return run;
}

//===----------------------------------------------------------------------===//
// One run
//===----------------------------------------------------------------------===//

namespace {

/// A line on standard error, on a terminal only.
class ProgressLine {
public:
  ~ProgressLine() { show(""); }
  void show(const Twine &text) {
    if (isTerminal)
      errs() << "\r\033[K" << text;
  }

private:
  const bool isTerminal = sys::Process::StandardErrIsDisplayed();
};

class ModelRun {
public:
  ModelRun(MemoryBufferRef file, HostCompiler &compiler)
      : file(file), compiler(compiler) {
    mlir::DialectRegistry registry;
    registerHostDialects(registry);
    registerModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([](mlir::Diagnostic &) {
      return mlir::success(); // errors come as llvm::Error
    });
  }

  Error import(const ImportOptions &given) {
    Expected<ImportResult> result = importONNX(
        file.getBuffer(), file.getBufferIdentifier(), given, &context);
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
    mlir::Builder builder(&context);
    for (auto [i, row] : enumerate(costs->rows()))
      row.op->setAttr(rowAttrName, builder.getI64IntegerAttr(i));
    return Error::success();
  }

  RunResult run() {
    RunResult result;
    result.model = file.getBufferIdentifier().str();
    ProgressLine progress;
    unsigned count = 0;
    program = Program::build(function, compiler, [&](mlir::Operation *op) {
      progress.show("compiling " + Twine(++count) + " " +
                    NameTable::opType(op));
      return interruptedBy == 0;
    });
    RunOptions settings = runOptions();
    LoadCounters before = LoadCounters::read();
    for (const Step &step : program.steps())
      if (!step.isView && interruptedBy == 0) {
        progress.show("measuring " + Twine(result.ops.size() + 1) + " of " +
                      Twine(program.kernelCount()));
        result.ops.push_back(measureOne(*costs, names(), step, settings));
      }
    if (!options->noGroups && interruptedBy == 0) {
      progress.show("fusing");
      measureGroups(result, settings, progress);
    }
    if (!options->noWhole && interruptedBy == 0) {
      progress.show("measuring the whole");
      measureWholeModel(result, settings);
    }
    result.competition = Competition::between(before, LoadCounters::read());
    result.interrupted = interruptedBy != 0;
    return result;
  }

  /// Every op's kernel, then every group's, as object files.
  Error emitObjects(StringRef folder) {
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
    if (options->noGroups)
      return Error::success();
    mlir::OwningOpRef<mlir::ModuleOp> fused = fusedModule();
    if (!fused)
      return createStringError(cantMark);
    return write(*fused->getOps<mlir::func::FuncOp>().begin(), isGroup);
  }

private:
  static constexpr const char *cantMark =
      "fusion groups can't be marked: is --ceilings a device?";

  /// The model with its fusion groups, as `rl-mark-fusion` marks them, in place
  /// of their ops; null where they can't be marked.
  mlir::OwningOpRef<mlir::ModuleOp> fusedModule() {
    mlir::OwningOpRef<mlir::ModuleOp> fused = module->clone();
    mlir::PassManager passes(&context);
    passes.enableVerifier(false);
    MarkFusionOptions marking;
    marking.device = options->ceilings;
    passes.addPass(createMarkFusion(marking));
    passes.addPass(createApplyFusion());
    return failed(passes.run(*fused)) ? nullptr : std::move(fused);
  }

  static bool isGroup(mlir::Operation *op) {
    return isa<rl::FusedOp>(op) && !op->hasAttr(rowAttrName);
  }

  void measureGroups(RunResult &result, const RunOptions &settings,
                     ProgressLine &progress) {
    mlir::OwningOpRef<mlir::ModuleOp> fused = fusedModule();
    if (!fused) {
      result.notes.push_back(cantMark);
      return;
    }
    auto entry = *fused->getOps<mlir::func::FuncOp>().begin();
    Program groups = Program::build(
        entry, compiler, [](mlir::Operation *) { return interruptedBy == 0; },
        isGroup);
    CostAnalysis fusedCosts(entry.getOperation());
    NameTable fusedNames(fusedCosts);
    for (const Step &step : groups.steps())
      if (isGroup(step.op) && interruptedBy == 0) {
        progress.show("measuring group " + Twine(result.groups.size() + 1));
        result.groups.push_back(
            measureOne(fusedCosts, fusedNames, step, settings));
      }
  }

  OpResult measureOne(const CostAnalysis &costs, NameTable &names,
                      const Step &step, const RunOptions &settings) {
    OpResult op = describe(costs, names, step);
    op.compileSeconds = step.kernel.compileSeconds;
    if (!step.error.empty()) {
      op.error = step.error;
      return op;
    }
    Expected<Measurement> measured = measureStep(step, settings);
    if (measured)
      op.measured = std::move(*measured);
    else
      op.error = toString(measured.takeError());
    return op;
  }

  void measureWholeModel(RunResult &result, const RunOptions &settings) {
    if (Error error = program.firstError()) {
      result.wholeError = toString(std::move(error));
      return;
    }
    std::optional<Int> peak = peakLiveBytes(*costs);
    int64_t available = Environment::read().availableBytes;
    // Tensors of the run before are freed as those of the next are made.
    if (peak && available && *peak > Int(available / 10 * 9)) {
      result.wholeError = "the whole needs " + roofline::toString(*peak) +
                          " bytes, of which " + std::to_string(available) +
                          " are free: ops were measured one by one alone";
      return;
    }
    std::vector<Tensor> inputs;
    uint64_t seed = settings.seed;
    for (mlir::Type type : function.getArgumentTypes()) {
      Expected<Tensor> input =
          makeUp(cast<mlir::RankedTensorType>(type), seed++);
      if (!input) {
        result.wholeError = toString(input.takeError());
        return;
      }
      inputs.push_back(std::move(*input));
    }
    std::unique_ptr<ONNXWeights> stored;
    if (auto read = ONNXWeights::read(file.getBuffer(),
                                      sys::path::parent_path(options->model)))
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
    Expected<Measurement> measured =
        measureWhole(program, inputs, weights, settings);
    if (measured)
      result.whole = std::move(*measured);
    else
      result.wholeError = toString(measured.takeError());
  }

  NameTable &names() {
    if (!nameTable)
      nameTable.emplace(*costs);
    return *nameTable;
  }

  MemoryBufferRef file;
  HostCompiler &compiler;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  std::optional<CostAnalysis> costs;
  std::optional<NameTable> nameTable;
  Program program;
};

//===----------------------------------------------------------------------===//
// Variations
//===----------------------------------------------------------------------===//

/// `dim:NAME=1,2,4`.
struct Variation {
  std::string dim;
  std::vector<int64_t> sizes;
};

} // namespace

static Expected<std::optional<Variation>> variation() {
  if (options->vary.empty())
    return std::nullopt;
  StringRef text = options->vary.front();
  if (options->vary.size() > 1)
    return createStringError("--vary: one variable a run");
  StringRef rest = text;
  auto [name, list] = rest.rsplit('=');
  if (!name.consume_front("dim:") || name.empty() || list.empty())
    return createStringError("--vary=" + text + ": expected dim:NAME=N,N...");
  Variation result{name.str(), {}};
  SmallVector<StringRef> parts;
  list.split(parts, ',');
  for (StringRef part : parts) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0)
      return createStringError("--vary=" + text + ": '" + part +
                               "' is not a size");
    result.sizes.push_back(size);
  }
  return std::optional(result);
}

static int reportError(MemoryBufferRef file, Error error) {
  bool isUsage = error.isA<UsageError>();
  printError(file.getBufferIdentifier() + ": " + toString(std::move(error)));
  return isUsage ? exitUsage : exitFailure;
}

static int emitAll(MemoryBufferRef file, HostCompiler &compiler,
                   const ImportOptions &importing) {
  ModelRun run(file, compiler);
  if (Error error = run.import(importing))
    return reportError(file, std::move(error));
  if (Error error = run.emitObjects(options->emitObjects))
    return reportError(file, std::move(error));
  return exitOk;
}

/// Imports and runs; an exit status where that failed.
static std::optional<int> runOnce(MemoryBufferRef file, HostCompiler &compiler,
                                  const ImportOptions &importing,
                                  RunResult &result) {
  ModelRun run(file, compiler);
  if (Error error = run.import(importing))
    return reportError(file, std::move(error));
  result = run.run();
  return std::nullopt;
}

static int finish(Error error, bool allRan) {
  if (error) {
    printError(toString(std::move(error)));
    return exitFailure;
  }
  outs().flush();
  if (interruptedBy)
    return 128 + interruptedBy;
  return allRan ? exitOk : exitFailure;
}

static int runAll(MemoryBufferRef file, HostCompiler &compiler,
                  const ImportOptions &importing,
                  const std::optional<Variation> &varied) {
  RunSettings settings{options->caches, options->seed, options->iterations,
                       compiler.cpu().str()};
  if (!varied) {
    RunResult result;
    if (std::optional<int> status = runOnce(file, compiler, importing, result))
      return *status;
    printResult(result, outs());
    Error error = options->output.empty()
                      ? Error::success()
                      : writeMeasured(result, settings, options->output);
    return finish(std::move(error), result.allRan());
  }
  std::vector<std::pair<int64_t, RunResult>> rows;
  bool allRan = true;
  for (int64_t size : varied->sizes) {
    ImportOptions one = importing;
    one.dims.emplace_back(varied->dim, size);
    RunResult result;
    if (std::optional<int> status = runOnce(file, compiler, one, result))
      return *status;
    allRan &= result.allRan();
    rows.emplace_back(size, std::move(result));
    if (interruptedBy)
      break;
  }
  std::string path = options->output.empty() ? "-" : options->output.getValue();
  return finish(writeTable(varied->dim, rows, path), allRan);
}

int roofline::runCommand(int argc, char **argv) {
  (void)*options;
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Lowers a model's ops to kernels for this machine, runs them and "
          "says how long\neach takes.\n\n"
          "  rl-run model.onnx -o measured.json\n"
          "  rl-opt model.onnx --roofline-report --device=host.json "
          "--measured=measured.json\n",
          &errs()))
    return exitUsage;
  Expected<ImportOptions> importing = importOptions();
  if (!importing) {
    printError(toString(importing.takeError()));
    return exitUsage;
  }
  Expected<std::optional<Variation>> varied = variation();
  Error wrong = checkOptions();
  if (!varied || wrong) {
    printError(toString(joinErrors(
        varied ? Error::success() : varied.takeError(), std::move(wrong))));
    return exitUsage;
  }
  auto file = MemoryBuffer::getFileOrSTDIN(options->model, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!file) {
    printError(options->model + ": " + file.getError().message());
    return exitFailure;
  }
  if (!options->output.empty())
    if (Error error = checkOutput(options->output)) {
      printError(toString(std::move(error)));
      return exitFailure;
    }
  HostCompilerOptions settings;
  settings.cacheFolder = cacheFolder();
  settings.cpu = options->cpu;
  Expected<std::unique_ptr<HostCompiler>> compiler =
      HostCompiler::create(settings);
  if (!compiler) {
    printError(toString(compiler.takeError()));
    return exitFailure;
  }
  auto onSignal = [](int signal) { interruptedBy = signal; };
  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
  MemoryBufferRef ref((*file)->getBuffer(), options->model);
  if (!options->emitObjects.empty())
    return emitAll(ref, **compiler, *importing);
  return runAll(ref, **compiler, *importing, *varied);
}
