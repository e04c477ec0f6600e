//===- RunCommand.cpp - rl-run MODEL --------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures a model's kernels, and writes what was measured: for
// `rl-opt --measured=FILE`, or beside what was predicted.
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "Commands.h"
#include "ModelRun.h"
#include "Output.h"
#include "RunReport.h"
#include "Variation.h"
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
  ReportOptions reporting{category, /*hasEntry=*/false};
  cl::opt<std::string> device{
      "device", cl::init("host"), cl::cat(category),
      cl::value_desc("host|file"),
      cl::desc("This machine, as the report is to know it: host (default), "
               "which is where rl-run calibrate keeps it, or its file")};
  cl::opt<std::string> output{
      "o", cl::cat(category), cl::value_desc("file"),
      cl::desc("Write what was measured, for rl-opt --measured=FILE; with "
               "--roofline-report the report, with --vary the table")};
  cl::opt<std::string> saved{
      "save-measured", cl::cat(category), cl::value_desc("file"),
      cl::desc("Beside a report: write what was measured, too")};
  cl::opt<std::string> caches{
      "caches", cl::init("run"), cl::cat(category), cl::value_desc("state"),
      cl::desc("run (default): ops are timed within runs of the whole model; "
               "warm: each alone, operands where its last call left them; "
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
      cl::desc("Run once for each value, of a dimension or (threads=N,N...) "
               "of --threads, and write a table of results")};
  cl::opt<unsigned> threads{
      "threads", cl::init(1), cl::cat(category), cl::value_desc("n"),
      cl::desc("How many threads share a kernel (default 1); with more, times "
               "are wall times")};
  cl::opt<std::string> cache{
      "kernel-cache", cl::cat(category), cl::value_desc("folder"),
      cl::desc("Where compiled kernels are kept (default: roofline in the "
               "user's cache folder; empty: nowhere)")};
  cl::opt<std::string> cpu{
      "cpu", cl::cat(category), cl::value_desc("name"),
      cl::desc("Compile for a CPU as LLVM names it, x86-64-v3 say (default: "
               "this one)")};
  cl::list<std::string> tiers{
      "tier", cl::CommaSeparated, cl::cat(category),
      cl::value_desc("kernels,library"),
      cl::desc("Whose code is measured: kernels (default), this project's; "
               "library besides, oneDNN's for products and convolutions")};
  cl::opt<bool> allScores{
      "all-scores", cl::cat(category),
      cl::desc("Attention keeps all its scores in memory (default: a block of "
               "them at a time)")};
  cl::opt<std::string> ceilings{
      "ceilings", cl::cat(category), cl::value_desc("device"),
      cl::desc("The device, bundled or a file of rl-run calibrate, by whose "
               "bounds fusion groups are marked (default: --device's)")};
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

static ImportOptions importOptions(Bindings bindings) {
  ImportOptions result;
  result.executable = true;
  result.dims = std::move(bindings.dims);
  result.shapes = std::move(bindings.shapes);
  result.values = std::move(bindings.values);
  result.folder = sys::path::parent_path(options->model).str();
  if (result.folder.empty())
    result.folder = ".";
  return result;
}

/// Whether --device says more than that kernels run here.
static bool hasDevice() {
  return options->reporting.isAsked() || options->device != "host";
}

static Error checkDevice() {
  if (!hasDevice())
    return Error::success();
  Expected<Device> device = findDevice(options->device);
  if (!device)
    return device.takeError();
  if (device->kind.empty() || device->kind == "cpu")
    return Error::success();
  return createStringError("--device=" + options->device +
                           ": kernels run on this machine's CPU, and that is "
                           "a " +
                           device->kind + "; name host or a file of it");
}

static Error checkReport() {
  if (options->reporting.isAsked()) {
    if (options->vary.empty())
      return Error::success();
    return createStringError("--vary writes a table: it makes no report");
  }
  const cl::Option *flag = options->reporting.given();
  if (!flag && options->saved.getNumOccurrences())
    flag = &options->saved;
  if (!flag)
    return Error::success();
  return createStringError("--" + flag->ArgStr +
                           " is part of a report: add --roofline-report");
}

/// Whether a library is to be measured, too.
static bool wantsLibrary() {
  return llvm::is_contained(options->tiers, "library");
}

static Error checkTiers() {
  for (const std::string &tier : options->tiers)
    if (tier != "kernels" && tier != "library")
      return createStringError("--tier=" + tier +
                               ": one of kernels, library, or both");
  if (wantsLibrary() && !llvm::is_contained(options->tiers, "kernels"))
    return createStringError("--tier=library: it is measured beside kernels, "
                             "which its results are compared with: "
                             "--tier=kernels,library");
  if (wantsLibrary() && !options->vary.empty())
    return createStringError("--tier=library: --vary's table has no place for "
                             "a library's times");
  if (wantsLibrary() && !options->emitObjects.empty())
    return createStringError("--tier=library: --emit-objects writes this "
                             "project's kernels alone");
  return Error::success();
}

static Error checkOptions() {
  if (Error error = checkTiers())
    return error;
  if (Error error = checkReport())
    return error;
  if (Error error = checkDevice())
    return error;
  if (!is_contained({"run", "warm", "cold"}, options->caches.getValue()))
    return createStringError("--caches=" + options->caches +
                             ": one of run, warm, cold");
  if (!options->emitObjects.empty() &&
      (!options->output.empty() || !options->vary.empty() ||
       options->reporting.isAsked()))
    return createStringError("--emit-objects runs nothing: -o, --vary and "
                             "--roofline-report have nothing to write");
  if (Error error = checkThreads(options->threads,
                                 "--threads=" + Twine(options->threads)))
    return error;
  if (options->iterations < 1)
    return createStringError("--iterations=0: at least 1");
  if (!(options->maxSeconds > 0))
    return createStringError("--max-seconds: expected more than 0");
  return Error::success();
}

static Expected<ReportSettings> reportSettings(Bindings bindings) {
  ReportSettings settings;
  settings.tool = "rl-run";
  settings.input = options->model;
  if (!options->output.empty())
    settings.output = options->output;
  settings.devices = {options->device};
  settings.showsImportWarnings = false; // the run has shown them
  settings.bindings = std::move(bindings);
  if (Error error = options->reporting.fill(settings))
    return std::move(error);
  return settings;
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

/// What computes.
struct Machine {
  std::unique_ptr<HostCompiler> compiler;
  std::unique_ptr<KernelLibrary> library; ///< where one is to be measured
};

static ModelRunOptions modelRunOptions(const Machine &machine) {
  ModelRunOptions result;
  result.library = machine.library.get();
  result.groups = !options->noGroups;
  result.whole = !options->noWhole;
  // A library's code isn't part of a run: beside it kernels are alone, too.
  result.opsInRun =
      options->caches == "run" && !options->noWhole && !machine.library;
  result.ceilings = options->ceilings;
  if (result.ceilings.empty() && hasDevice())
    result.ceilings = options->device;
  RunOptions &run = result.run;
  run.measure.byWall = machine.compiler->threads() > 1;
  run.coldCaches = options->caches == "cold";
  run.seed = options->seed;
  run.measure.minSamples = options->iterations;
  run.measure.maxSamples = std::max(100u, +options->iterations);
  run.measure.maxSeconds = options->maxSeconds;
  run.measure.interrupted = [] { return interruptedBy != 0; };
  return result;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static int reportError(MemoryBufferRef file, Error error) {
  bool isUsage = error.isA<UsageError>();
  printError(file.getBufferIdentifier() + ": " + toString(std::move(error)));
  return isUsage ? exitUsage : exitFailure;
}

static int emitAll(MemoryBufferRef file, const Machine &machine,
                   const ImportOptions &importing) {
  ModelRun run(file, *machine.compiler, modelRunOptions(machine));
  if (Error error = run.import(importing))
    return reportError(file, std::move(error));
  if (Error error = run.emitObjects(options->emitObjects))
    return reportError(file, std::move(error));
  return exitOk;
}

/// Imports and runs; an exit status where that failed.
static std::optional<int> runOnce(MemoryBufferRef file, const Machine &machine,
                                  const ImportOptions &importing,
                                  RunResult &result) {
  ModelRun run(file, *machine.compiler, modelRunOptions(machine));
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

static Error save(StringRef path, StringRef text) {
  if (path.empty())
    return Error::success();
  return writeToOutput(path, [&](raw_ostream &os) {
    os << text;
    return Error::success();
  });
}

/// One run; with `report` it is held against the prediction.
static int runModel(MemoryBufferRef file, const Machine &machine,
                    const ImportOptions &importing,
                    const ReportSettings *report) {
  const HostCompiler &compiler = *machine.compiler;
  RunSettings settings{options->caches,     options->seed,
                       options->iterations, compiler.cpu().str(),
                       compiler.threads(),  compiler.threadsArePinned()};
  RunResult result;
  if (std::optional<int> status = runOnce(file, machine, importing, result))
    return *status;
  std::string measured = measuredJSON(result, settings);
  if (!report) {
    printResult(result, settings, outs());
    return finish(save(options->output, measured), result.allRan());
  }
  if (Error error = save(options->saved, measured))
    return finish(std::move(error), false);
  printFailures(result, errs());
  std::string name =
      options->saved.empty() ? "rl-run" : options->saved.getValue();
  int status = reportRun(*report, file, MemoryBufferRef(measured, name));
  return status != exitOk ? status : finish(Error::success(), result.allRan());
}

static Expected<std::unique_ptr<HostCompiler>> makeCompiler(int64_t threads) {
  HostCompilerOptions settings;
  settings.cacheFolder = cacheFolder();
  settings.cpu = options->cpu;
  settings.threads.count = threads;
  settings.attentionByBlocks = !options->allScores;
  return HostCompiler::create(settings);
}

static int runVaried(MemoryBufferRef file, Machine &machine,
                     const ImportOptions &importing, const Variation &varied) {
  std::vector<std::pair<int64_t, RunResult>> rows;
  bool allRan = true;
  for (int64_t value : varied.values) {
    ImportOptions one = importing;
    if (!varied.dim.empty()) {
      one.dims.emplace_back(varied.dim, value);
    } else {
      machine.compiler.reset(); // its threads go before others come
      auto next = makeCompiler(value);
      if (!next) {
        printError(toString(next.takeError()));
        return exitFailure;
      }
      machine.compiler = std::move(*next);
    }
    RunResult result;
    if (std::optional<int> status = runOnce(file, machine, one, result))
      return *status;
    allRan &= result.allRan();
    rows.emplace_back(value, std::move(result));
    if (interruptedBy)
      break;
  }
  std::string path = options->output.empty() ? "-" : options->output.getValue();
  return finish(writeTable(varied.title(), rows, path), allRan);
}

/// What the command line says, checked.
struct Request {
  ImportOptions importing;
  ReportSettings report;
  std::optional<Variation> varied;
};

static Expected<Request> readRequest() {
  Expected<Bindings> bindings = options->bindings.parse();
  if (!bindings)
    return bindings.takeError();
  Expected<std::optional<Variation>> varied = parseVariation(options->vary);
  Error wrong = checkOptions();
  if (!varied || wrong)
    return joinErrors(varied ? Error::success() : varied.takeError(),
                      std::move(wrong));
  if (*varied && (*varied)->dim.empty() && options->threads.getNumOccurrences())
    return createStringError("--threads: --vary=threads says how many");
  Expected<ReportSettings> report = reportSettings(*bindings);
  if (!report)
    return report.takeError();
  return Request{importOptions(std::move(*bindings)), std::move(*report),
                 std::move(*varied)};
}

static int run(MemoryBufferRef file, Machine &machine, const Request &request) {
  if (!options->emitObjects.empty())
    return emitAll(file, machine, request.importing);
  if (request.varied)
    return runVaried(file, machine, request.importing, *request.varied);
  return runModel(file, machine, request.importing,
                  options->reporting.isAsked() ? &request.report : nullptr);
}

static Expected<Machine> makeMachine() {
  Machine machine;
  auto compiler = makeCompiler(options->threads);
  if (!compiler)
    return compiler.takeError();
  machine.compiler = std::move(*compiler);
  if (!wantsLibrary())
    return machine;
  auto library = createOneDNN(options->threads);
  if (!library)
    return createStringError("--tier=library: " +
                             toString(library.takeError()));
  machine.library = std::move(*library);
  return machine;
}

int roofline::runCommand(int argc, char **argv) {
  dropForeignOption("threads");
  (void)*options;
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Lowers a model's ops to kernels for this machine, runs them and "
          "says how long\neach takes.\n\n"
          "  rl-run model.onnx --roofline-report      measured beside "
          "predicted\n"
          "  rl-run model.onnx -o measured.json       for rl-opt --measured\n",
          &errs()))
    return exitUsage;
  Expected<Request> request = readRequest();
  if (!request) {
    printError(toString(request.takeError()));
    return exitUsage;
  }
  auto file = MemoryBuffer::getFileOrSTDIN(options->model, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!file) {
    printError(options->model + ": " + file.getError().message());
    return exitFailure;
  }
  for (const std::string &path :
       {options->output.getValue(), options->saved.getValue()}) {
    if (path.empty())
      continue;
    if (Error error = checkOutput(path)) {
      printError(toString(std::move(error)));
      return exitFailure;
    }
  }
  Expected<Machine> machine = makeMachine();
  if (!machine) {
    printError(toString(machine.takeError()));
    return exitFailure;
  }
  auto onSignal = [](int signal) { interruptedBy = signal; };
  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
  MemoryBufferRef ref((*file)->getBuffer(), options->model);
  return run(ref, *machine, *request);
}
