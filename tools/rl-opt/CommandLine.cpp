//===- CommandLine.cpp - what rl-opt is asked to do -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace roofline {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

// Help sorts its categories by name: this one is to come first.
static cl::OptionCategory category("Analysis options");

namespace {
struct Options {
  cl::opt<std::string> input{
      cl::Positional, cl::init("-"), cl::cat(category),
      cl::desc("<model.onnx | model.onnxtxt | file.mlir | ->")};
  cl::opt<std::string> output{"o", cl::init("-"), cl::cat(category),
                              cl::value_desc("file"),
                              cl::desc("Where to write, whole or not at all")};
  ReportOptions reporting{category};
  cl::list<std::string> devices{
      "device", cl::CommaSeparated, cl::cat(category),
      cl::value_desc("name|file"),
      cl::desc("A device or a device file; several stand side by side "
               "(default h100-sxm)")};
  cl::opt<bool> listDevices{"list-devices", cl::cat(category),
                            cl::desc("List the bundled devices")};
  BindingOptions bindings{category};
  cl::opt<unsigned> threads{
      "threads", cl::cat(category), cl::value_desc("n"),
      cl::desc("How many threads share a kernel, on a device that rl-run fit "
               "knows so many of (default: as --measured, else 1)")};
  cl::opt<std::string> measured{
      "measured", cl::cat(category), cl::value_desc("profile"),
      cl::desc("Join a profile to the report (onnxruntime, PyTorch, Nsight, "
               "rl-run); without a model, sum it up")};
};
} // namespace

static ManagedStatic<Options> options;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void printError(const Twine &message) {
  errs() << "rl-opt: " << message << '\n';
}

/// Flags that only a report heeds are refused without one: left unheeded, they
/// would make another answer look like the one asked for.
static bool checkReportFlags() {
  const cl::Option *flag = options->reporting.given();
  if (options->measured.getNumOccurrences())
    flag = &options->measured;
  if (options->threads.getNumOccurrences())
    flag = &options->threads;
  if (options->devices.getNumOccurrences())
    flag = std::addressof<cl::Option>(options->devices); // it has its own &
  if (flag)
    printError("--" + flag->ArgStr +
               " is part of a report: add --roofline-report");
  return !flag;
}

static bool fill(CommandLine &command) {
  command.tool = "rl-opt";
  command.input = options->input;
  command.hasInput = options->input.getNumOccurrences() > 0;
  command.output = options->output;
  command.measured = options->measured;
  if (options->measured.getNumOccurrences() && command.measured.empty()) {
    printError("--measured: empty name; give the profile's file");
    return false;
  }
  bool isAlone = !command.measured.empty() && !command.hasInput;
  command.report = isAlone || options->reporting.isAsked();
  if (!command.report && !checkReportFlags())
    return false;
  if (llvm::is_contained(options->devices, "")) {
    printError("--device: empty name; --list-devices lists those there are");
    return false;
  }
  command.listDevices = options->listDevices;
  command.threads = options->threads;
  command.devices.assign(options->devices.begin(), options->devices.end());
  Expected<Bindings> bindings = options->bindings.parse();
  Error error = options->reporting.fill(command);
  if (!bindings || error) {
    printError(toString(joinErrors(
        bindings ? Error::success() : bindings.takeError(), std::move(error))));
    return false;
  }
  command.bindings = std::move(*bindings);
  return true;
}

/// LLVM's libraries bring options of code generators and optimisers, which do
/// nothing here: out of help and of "did you mean" with them.
static void hideLibraryOptions() {
  for (auto &entry : cl::getRegisteredOptions()) {
    cl::Option *option = entry.second;
    bool isGeneric =
        llvm::any_of(option->Categories, [](cl::OptionCategory *its) {
          return its->getName() == "Generic Options"; // --help, --version
        });
    if (!isGeneric)
      option->setHiddenFlag(cl::ReallyHidden);
  }
}

static void printVersion(raw_ostream &os) {
  os << "Roofline " ROOFLINE_VERSION " (MLIR " LLVM_VERSION_STRING ")\n";
}

std::optional<CommandLine> parseCommandLine(int argc, char **argv,
                                            mlir::DialectRegistry &registry) {
  hideLibraryOptions(); // before any that count are registered
  dropForeignOption("threads");
  cl::SetVersionPrinter(printVersion);
  (void)*options; // registers ours
  mlir::MlirOptMainConfig::registerCLOptions(registry);
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  const char *overview =
      "Roofline: where a model's time goes on a device, before it runs.\n\n"
      "  rl-opt model.onnx --roofline-report --device=a100-80gb --dim=batch=8\n"
      "  rl-opt file.mlir --roofline-report\n"
      "  rl-opt model.onnx                      prints the model as rl IR\n";
  std::string problems;
  raw_string_ostream os(problems);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &os)) {
    StringRef text = StringRef(problems).trim();
    // "rl-opt: …" is what each line begins with already, by argv[0].
    errs() << text << '\n';
    return std::nullopt;
  }
  CommandLine command;
  if (!fill(command))
    return std::nullopt;
  return command;
}

} // namespace roofline
