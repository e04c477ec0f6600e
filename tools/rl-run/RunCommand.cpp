//===- RunCommand.cpp - rl-run MODEL --------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures a model's kernels, and writes what was measured for
// `rl-opt --measured=FILE`.
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "Commands.h"
#include "ModelRun.h"
#include "Output.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
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
  BindingOptions bindings{category};
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
  cl::opt<bool> allScores{
      "all-scores", cl::cat(category),
      cl::desc("Attention keeps all its scores in memory (default: a block of "
               "them at a time)")};
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
  Expected<Bindings> bindings = options->bindings.parse();
  if (!bindings)
    return bindings.takeError();
  result.dims = std::move(bindings->dims);
  result.shapes = std::move(bindings->shapes);
  result.values = std::move(bindings->values);
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

static ModelRunOptions modelRunOptions() {
  ModelRunOptions result;
  result.groups = !options->noGroups;
  result.whole = !options->noWhole;
  result.ceilings = options->ceilings;
  RunOptions &run = result.run;
  run.coldCaches = options->caches == "cold";
  run.seed = options->seed;
  run.measure.minSamples = options->iterations;
  run.measure.maxSamples = std::max(100u, +options->iterations);
  run.measure.maxSeconds = options->maxSeconds;
  run.measure.interrupted = [] { return interruptedBy != 0; };
  return result;
}

//===----------------------------------------------------------------------===//
// Variations
//===----------------------------------------------------------------------===//

namespace {
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
  ModelRun run(file, compiler, modelRunOptions());
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
  ModelRun run(file, compiler, modelRunOptions());
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
  settings.attentionByBlocks = !options->allScores;
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
