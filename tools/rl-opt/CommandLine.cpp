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
  cl::opt<bool> report{"roofline-report", cl::cat(category),
                       cl::desc("Print the roofline report instead of IR")};
  cl::opt<std::string> format{
      "report-format", cl::init("text"), cl::cat(category),
      cl::value_desc("format"),
      cl::desc("text (default), json, csv, markdown or svg; asks for the "
               "report by itself")};
  cl::list<std::string> devices{
      "device", cl::CommaSeparated, cl::cat(category),
      cl::value_desc("name|file"),
      cl::desc("A device or a device file; several stand side by side "
               "(default h100-sxm)")};
  cl::opt<bool> listDevices{"list-devices", cl::cat(category),
                            cl::desc("List the bundled devices")};
  BindingOptions bindings{category};
  cl::opt<unsigned> top{
      "top", cl::init(20), cl::cat(category), cl::value_desc("n"),
      cl::desc("Rows shown by text and Markdown reports (0: all; default 20)")};
  cl::opt<std::string> sort{
      "sort", cl::init("time"), cl::cat(category), cl::value_desc("key"),
      cl::desc("time (default), flops, bytes, intensity or order")};
  cl::opt<std::string> groupBy{"group-by", cl::init("none"), cl::cat(category),
                               cl::value_desc("key"),
                               cl::desc("none (default), op_type or scope")};
  cl::opt<bool> allowTF32{"allow-tf32", cl::cat(category),
                          cl::desc("f32 products use the tf32 ceiling")};
  cl::opt<std::string> measured{
      "measured", cl::cat(category), cl::value_desc("profile"),
      cl::desc("Join a profile to the report (onnxruntime, PyTorch, Nsight, "
               "rl-run); without a model, sum it up")};
  cl::opt<std::string> entry{
      "entry", cl::cat(category), cl::value_desc("function"),
      cl::desc("The function to report on (default: the public one)")};
};
} // namespace

static ManagedStatic<Options> options;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void printError(const Twine &message) {
  errs() << "rl-opt: " << message << '\n';
}

/// One of `choices` by name; else says what there is.
template <typename T>
static bool choose(StringRef option, StringRef text,
                   ArrayRef<std::pair<StringRef, T>> choices, T &chosen) {
  SmallVector<StringRef> names;
  for (const auto &[name, value] : choices) {
    if (name == text) {
      chosen = value;
      return true;
    }
    names.push_back(name);
  }
  std::vector<std::string> near = nearMatches(text, names);
  printError("--" + option + ": unknown value '" + text + "'" +
             (near.empty() ? "" : "; did you mean " + near.front() + "?") +
             " (one of " + join(names, ", ") + ")");
  return false;
}

/// Puts what was parsed into place; prints what is wrong.
template <typename T> static bool take(Expected<T> parsed, T &place) {
  if (parsed)
    place = std::move(*parsed);
  else
    printError(toString(parsed.takeError()));
  return bool(parsed);
}

static unsigned terminalWidth() {
  unsigned width = 0;
  if (std::optional<std::string> columns = sys::Process::GetEnv("COLUMNS"))
    if (!StringRef(*columns).getAsInteger(10, width) && width)
      return width;
  return sys::Process::StandardOutColumns();
}

/// Flags that only a report heeds are refused without one: left unheeded, they
/// would make another answer look like the one asked for.
static bool checkReportFlags() {
  // cl::list has an operator & of its own.
  const cl::Option *flags[] = {std::addressof<cl::Option>(options->devices),
                               &options->top,
                               &options->sort,
                               &options->groupBy,
                               &options->entry,
                               &options->measured,
                               &options->allowTF32};
  for (const cl::Option *flag : flags)
    if (flag->getNumOccurrences()) {
      printError("--" + flag->ArgStr +
                 " is part of a report: add --roofline-report");
      return false;
    }
  return true;
}

static bool fill(CommandLine &command) {
  command.input = options->input;
  command.hasInput = options->input.getNumOccurrences() > 0;
  command.output = options->output;
  command.measured = options->measured;
  if (options->measured.getNumOccurrences() && command.measured.empty()) {
    printError("--measured: empty name; give the profile's file");
    return false;
  }
  bool isAlone = !command.measured.empty() && !command.hasInput;
  command.report =
      isAlone || options->report || options->format.getNumOccurrences() > 0;
  if (!command.report && !checkReportFlags())
    return false;
  if (llvm::is_contained(options->devices, "")) {
    printError("--device: empty name; --list-devices lists those there are");
    return false;
  }
  command.listDevices = options->listDevices;
  command.devices.assign(options->devices.begin(), options->devices.end());
  command.allowTF32 = options->allowTF32;
  command.entry = options->entry;
  command.writer.top = options->top;
  bool toTerminal =
      command.output == "-" && sys::Process::StandardOutIsDisplayed();
  command.writer.width = terminalWidth();
  command.writer.color = toTerminal && sys::Process::StandardOutHasColors() &&
                         !sys::Process::GetEnv("NO_COLOR");
  return choose<ReportFormat>("report-format", options->format,
                              {{"text", ReportFormat::Text},
                               {"json", ReportFormat::JSON},
                               {"csv", ReportFormat::CSV},
                               {"markdown", ReportFormat::Markdown},
                               {"svg", ReportFormat::SVG}},
                              command.format) &&
         choose<SortKey>("sort", options->sort,
                         {{"time", SortKey::Time},
                          {"flops", SortKey::Flops},
                          {"bytes", SortKey::Bytes},
                          {"intensity", SortKey::Intensity},
                          {"order", SortKey::Order}},
                         command.writer.sort) &&
         choose<GroupKey>("group-by", options->groupBy,
                          {{"none", GroupKey::None},
                           {"op_type", GroupKey::OpType},
                           {"scope", GroupKey::Scope}},
                          command.writer.groupBy) &&
         take(options->bindings.parse(), command.bindings);
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
