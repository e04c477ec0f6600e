//===- FitCommand.cpp - rl-run fit ----------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Output.h"
#include "Variation.h"
#include "roofline/Cost/Device.h"
#include "roofline/Runtime/Environment.h"
#include "roofline/Runtime/KernelSweep.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace llvm;
using namespace roofline;
using namespace roofline::runtime;

static cl::SubCommand subcommand("fit", "measure what this machine's kernels "
                                        "take and add it to a device file");

namespace {
struct Options {
  cl::opt<std::string> device{cl::Positional, cl::Required,
                              cl::desc("DEVICE.json | host"),
                              cl::sub(subcommand)};
  cl::opt<std::string> output{
      "o", cl::sub(subcommand), cl::value_desc("file"),
      cl::desc("Where to write the device, whole or not at all (default: the "
               "file it was read from)")};
  cl::opt<std::string> samples{
      "samples", cl::sub(subcommand), cl::value_desc("file"),
      cl::desc(
          "Also write the sweep's kernels, measured and predicted (JSON)")};
  cl::opt<unsigned> threads{
      "threads", cl::init(1), cl::sub(subcommand), cl::value_desc("n"),
      cl::desc("How many threads share a kernel (default 1); what was fitted "
               "for other numbers stays in the file")};
  cl::opt<std::string> cache{
      "kernel-cache", cl::sub(subcommand), cl::value_desc("folder"),
      cl::desc("Where compiled kernels are kept (default: nowhere)")};
};
} // namespace

static ManagedStatic<Options> options;
static volatile std::sig_atomic_t interruptedBy = 0;

static int fail(const Twine &message) {
  errs() << "rl-run fit: " << message << '\n';
  return interruptedBy ? 128 + interruptedBy : exitFailure;
}

/// One core's, as the system has them; the device file says how much all cores
/// have together.
static CacheSizes cacheSizes() {
  CacheSizes sizes;
  Environment environment = Environment::read();
  auto take = [](const Cache *cache, double &bytes) {
    constexpr int64_t leastBytes = 64 << 10; // else it is none
    if (cache && cache->sizeBytes >= leastBytes)
      bytes = double(cache->sizeBytes);
  };
  take(environment.dataCache(2), sizes.second);
  const Cache *last = environment.lastDataCache();
  if (last && last->level > 2)
    take(last, sizes.last);
  return sizes;
}

int roofline::fitCommand(int argc, char **argv) {
  (void)*options;
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Runs a sweep of small kernels on this machine, and adds what their "
          "units of work\ncost to a device file of rl-run calibrate: rl-opt "
          "then predicts what this project's\nkernels take, not only what the "
          "roofs allow.\n",
          &errs()))
    return exitUsage;
  Expected<Device> device = findDevice(options->device);
  if (!device)
    return fail(toString(device.takeError()));
  std::string path = !options->output.empty()    ? options->output
                     : options->device == "host" ? hostDevicePath()
                                                 : options->device;
  if (options->output.empty() && !sys::fs::exists(path)) {
    fail("'" + path + "' is a bundled device: say with -o where to write");
    return exitUsage;
  }
  for (const std::string &file : {path, options->samples.getValue()})
    if (Error wrong = file.empty() ? Error::success() : checkOutput(file))
      return fail(toString(std::move(wrong)));
  HostCompilerOptions settings;
  settings.cacheFolder = options->cache;
  if (Error error = checkThreads(options->threads,
                                 "--threads=" + Twine(options->threads)))
    return fail(toString(std::move(error)));
  settings.threads.count = options->threads;
  Expected<std::unique_ptr<HostCompiler>> compiler =
      HostCompiler::create(settings);
  if (!compiler)
    return fail(toString(compiler.takeError()));
  auto onSignal = [](int signal) { interruptedBy = signal; };
  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
  SweepOptions sweep;
  sweep.caches = cacheSizes();
  sweep.run.measure.targetSeconds = 0.05;
  sweep.run.measure.byWall = options->threads > 1;
  if (options->threads > 1) {
    const KernelModel *ofOne = device->kernelsFor(1);
    sweep.foreignBytesPerSecond = ofOne ? ofOne->foreignBytesPerSecond : 0;
    if (!ofOne)
      errs() << "rl-run fit: warning: without a fit for one thread what others "
                "bring into shared caches is taken for 0: run it first\n";
  }
  sweep.run.measure.interrupted = [] { return interruptedBy != 0; };
  bool isTerminal = sys::Process::StandardErrIsDisplayed();
  sweep.progress = [&](size_t number, size_t count) {
    if (isTerminal)
      errs() << formatv("\r\033[K[{0}/{1}]", number + 1, count);
  };
  Expected<SweepResult> swept = sweepKernels(**compiler, sweep);
  if (isTerminal)
    errs() << "\r\033[K";
  if (!swept)
    return fail(toString(swept.takeError()));
  if (!options->samples.empty())
    if (Error error = writeToOutput(options->samples, [&](raw_ostream &os) {
          swept->writeSamples(os);
          return Error::success();
        }))
      return fail(toString(std::move(error)));
  std::map<std::string, double> fitErrors = swept->model.fitErrors;
  device->addKernels(std::move(swept->model));
  if (Error error = writeToOutput(path, [&](raw_ostream &os) {
        device->write(os);
        return Error::success();
      }))
    return fail(toString(std::move(error)));
  constexpr double poorFit = 0.25;
  for (const auto &[kernel, error] : fitErrors)
    if (error > poorFit)
      outs() << formatv("poor at {0}: one in ten of the sweep's own kernels is "
                        "off by {1:f0} % and more\n",
                        kernel, error * 100);
  outs().flush();
  return exitOk;
}
