//===- CalibrateCommand.cpp - rl-run calibrate ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Output.h"
#include "Variation.h"
#include "roofline/Runtime/Calibrate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace llvm;
using namespace roofline;
using namespace roofline::runtime;

// Options of a subcommand have names of their own: LLVM's libraries, of which
// the shared build has all, bring a --threads too.
static cl::SubCommand subcommand("calibrate",
                                 "measure the host's ceilings and write a "
                                 "device file");
static cl::OptionCategory category("Calibration options");

namespace {
struct Options {
  cl::opt<std::string> output{
      "o", cl::sub(subcommand), cl::cat(category), cl::value_desc("file"),
      cl::desc("Where to write the device, whole or not at all; -: standard "
               "output (default: where --device=host looks for it)")};
  cl::list<unsigned> threads{
      "threads",
      cl::CommaSeparated,
      cl::sub(subcommand),
      cl::cat(category),
      cl::value_desc("n,..."),
      cl::desc("How many threads to measure with (default: 1, and one for each "
               "core)")};
  cl::opt<bool> quick{"quick", cl::sub(subcommand), cl::cat(category),
                      cl::desc("Smaller sets and shorter samples: seconds, "
                               "for a first look")};
  cl::opt<unsigned> maxNoise{
      "max-noise",
      cl::sub(subcommand),
      cl::cat(category),
      cl::init(10),
      cl::value_desc("percent"),
      cl::desc("How far apart the middle half of a figure's samples may lie, "
               "and how much of the time its threads may not run together "
               "(default 10)")};
  cl::opt<unsigned> tries{
      "tries",
      cl::sub(subcommand),
      cl::cat(category),
      cl::init(4),
      cl::value_desc("n"),
      cl::desc("How often a figure that varies more is measured (default 4)")};
  cl::opt<bool> allowNoise{
      "allow-noise", cl::sub(subcommand), cl::cat(category),
      cl::desc("Write the device even where figures vary too much; their "
               "spread stands beside them")};
};

/// A line on standard error: rewritten in place on a terminal, else one a
/// group of figures.
class ProgressLine {
public:
  ProgressLine() : isTerminal(sys::Process::StandardErrIsDisplayed()) {}

  void show(const HostFigure &figure, size_t number, size_t count) {
    if (isTerminal) {
      errs() << formatv("\r\033[K[{0}/{1}] {2}", number + 1, count,
                        figure.name());
      return;
    }
    std::string group = groupOf(figure);
    if (group != last)
      errs() << formatv("[{0}/{1}] {2}\n", number + 1, count, group);
    last = group;
  }

  void end() const {
    if (isTerminal)
      errs() << "\r\033[K";
  }

private:
  static std::string groupOf(const HostFigure &figure) {
    StringRef what = figure.group == HostFigure::Compute ? name(figure.cls)
                     : figure.group == HostFigure::Memory
                         ? StringRef(figure.level)
                         : StringRef("launch");
    return formatv("{0}, {1} {2}", what, figure.threads,
                   figure.threads == 1 ? "thread" : "threads");
  }

  const bool isTerminal;
  std::string last;
};
} // namespace

static ManagedStatic<Options> options;
static volatile std::sig_atomic_t interruptedBy = 0;

static void printError(const Twine &message) {
  errs() << "rl-run calibrate: " << message << '\n';
}

static bool parse(int argc, char **argv) {
  (void)*options;
  std::string problems;
  raw_string_ostream os(problems);
  bool parsed = cl::ParseCommandLineOptions(
      argc, argv,
      "Measures what this machine's cores and memory reach, and writes it as "
      "a device\nfile, which --device=host names.\n",
      &os);
  errs() << StringRef(problems).ltrim(); // each line begins with our name
  return parsed;
}

static bool checkThreadCounts() {
  for (unsigned count : options->threads)
    if (Error error = checkThreads(count, "--threads=" + Twine(count))) {
      printError(toString(std::move(error)));
      return false;
    }
  return true;
}

/// The name that --device would take the file by.
static std::string deviceName(StringRef path) {
  return path == "-" ? "host" : sys::path::stem(path).str();
}

/// Where to write: what was given, else the user's own place, whose folder is
/// made.
static Expected<std::string> outputPath() {
  if (options->output.getNumOccurrences()) {
    if (Error wrong = checkOutput(options->output))
      return std::move(wrong);
    return options->output;
  }
  std::string path = hostDevicePath();
  if (path.empty())
    return createStringError("neither XDG_CONFIG_HOME nor HOME says where to "
                             "write: add -o FILE");
  StringRef folder = sys::path::parent_path(path);
  if (std::error_code error = sys::fs::create_directories(folder))
    return createStringError(folder + ": cannot make this folder: " +
                             error.message() + "; -o FILE writes elsewhere");
  return path;
}

/// Says what is not to be trusted, `lines` and more; false where nothing is to
/// be written.
static bool judge(const Calibration &calibration, ArrayRef<std::string> lines) {
  if (calibration.interrupted) {
    printError("interrupted: nothing is written");
    return false;
  }
  if (calibration.figures.empty()) {
    printError("nothing could be measured: there are no loops for this "
               "architecture, or no memory for them");
    return false;
  }
  // Others that use memory steadily make figures low, not wide.
  constexpr double muchCompetition = 0.25;
  if (calibration.competition.others > muchCompetition)
    printError(formatv("warning: other processes used {0:f1} CPUs meanwhile: "
                       "figures of shared caches and memory may be low",
                       calibration.competition.others));
  if (!calibration.pinned)
    printError("warning: the system didn't let threads be kept on a core each");
  if (lines.empty())
    return true;
  printError(
      Twine(options->allowNoise ? "warning" : "nothing is written") + ": " +
      Twine(lines.size()) + " of " + Twine(calibration.figures.size()) +
      " figures have more noise than " + Twine(options->maxNoise) + " %");
  for (const std::string &line : lines)
    errs() << "  " << line << '\n';
  if (!options->allowNoise)
    errs() << "  Run it again when less else runs, or write it with "
              "--allow-noise.\n";
  return options->allowNoise;
}

int roofline::calibrateCommand(int argc, char **argv) {
  if (!parse(argc, argv) || !checkThreadCounts())
    return exitUsage;
  Expected<std::string> path = outputPath();
  if (!path) {
    printError(toString(path.takeError()));
    return exitFailure;
  }

  auto onSignal = [](int signal) { interruptedBy = signal; };
  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
  ProgressLine progress;
  CalibrationOptions settings;
  settings.threads.assign(options->threads.begin(), options->threads.end());
  settings.quick = options->quick;
  settings.maxNoise = options->maxNoise / 100.0;
  settings.maxAttempts = options->tries;
  settings.interrupted = [] { return interruptedBy != 0; };
  settings.progress = [&](const HostFigure &figure, size_t number,
                          size_t count) {
    progress.show(figure, number, count);
  };
  Calibration calibration = calibrate(settings);
  progress.end();
  std::vector<std::string> lines =
      disturbances(calibration, options->maxNoise / 100.0);
  if (!judge(calibration, lines))
    return interruptedBy ? 128 + interruptedBy : exitFailure;

  Device device = toDevice(calibration, deviceName(*path));
  if (!lines.empty())
    device.environment["disturbed"] = json::Array(lines);
  Error error = writeToOutput(*path, [&](raw_ostream &os) {
    device.write(os);
    return Error::success();
  });
  outs().flush();
  if (error) {
    printError(toString(std::move(error)));
    return exitFailure;
  }
  if (outs().has_error()) {
    printError("standard output: " + outs().error().message());
    outs().clear_error();
    return exitFailure;
  }
  if (!options->output.getNumOccurrences())
    errs() << "rl-run calibrate: wrote '" << *path
           << "', which --device=host names\n";
  return exitOk;
}
