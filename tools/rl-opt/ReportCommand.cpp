//===- ReportCommand.cpp - from input to report ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportCommand.h"
#include "Progress.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "roofline/Analysis/DeviceFromIR.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Profile/Read.h"
#include "roofline/Report/Measured.h"
#include "roofline/Transforms/BuildReport.h"
#include "roofline/Transforms/Entry.h"
#include "roofline/Transforms/Passes.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#ifdef ROOFLINE_WITH_ONNX
#include "roofline/Import/ONNX/Import.h"
#endif

using namespace mlir;

namespace roofline {

std::string displayName(const CommandLine &command) {
  return command.input == "-" ? "<stdin>" : command.input;
}

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

#ifdef ROOFLINE_WITH_ONNX
int importModel(const CommandLine &command, llvm::MemoryBufferRef buffer,
                MLIRContext &context, Input &input, Progress *progress) {
  ImportOptions options;
  options.dims = command.bindings.dims;
  options.shapes = command.bindings.shapes;
  options.values = command.bindings.values;
  options.folder =
      command.input == "-" ? "" : llvm::sys::path::parent_path(command.input);
  if (command.input != "-" && options.folder.empty())
    options.folder = ".";
  std::string name = displayName(command);
  llvm::Expected<ImportResult> result =
      importONNX(buffer.getBuffer(), name, options, &context);
  if (progress && (!result || !result->warnings.empty()))
    progress->end();
  if (!result) {
    bool isUsage = result.errorIsA<UsageError>();
    printError(name + ": " + llvm::toString(result.takeError()));
    return isUsage ? exitUsage : exitFailure;
  }
  input.module = std::move(result->module);
  for (ImportWarning &warning : result->warnings) {
    llvm::errs() << "rl-opt: " << name << ": warning: ";
    if (!warning.node.empty())
      llvm::errs() << "node '" << warning.node << "': ";
    llvm::errs() << warning.message << '\n';
    input.warnings.push_back(
        {std::move(warning.node), std::move(warning.message)});
  }
  return exitOk;
}
#endif

/// --dim and --shape as the options of rl-bind-dims.
static LogicalResult bindDims(const CommandLine &command, ModuleOp module) {
  if (command.bindings.dims.empty() && command.bindings.shapes.empty())
    return success();
  BindDimsOptions options;
  for (const auto &[name, size] : command.bindings.dims)
    options.dims.push_back(name + "=" + std::to_string(size));
  for (const auto &[name, sizes] : command.bindings.shapes) {
    std::string text = name + "=";
    for (auto [i, size] : llvm::enumerate(sizes))
      text += (i ? "x" : "") + std::to_string(size);
    options.shapes.push_back(text);
  }
  PassManager passes(module.getContext());
  passes.enableVerifier(false);
  passes.addPass(createBindDims(options));
  return passes.run(module);
}

/// Whether a function is called, so that inlining is worth its while.
static bool hasCalls(ModuleOp module) {
  unsigned functions = 0;
  for (Operation &op : *module.getBody())
    functions += isa<FunctionOpInterface>(op);
  return functions > 1;
}

int readModule(const CommandLine &command, llvm::MemoryBufferRef buffer,
               MLIRContext &context, Input &input) {
  if (!command.bindings.values.empty()) {
    printError(
        displayName(command) +
        ": --value is for ONNX models; bind sizes with --dim or --shape");
    return exitUsage;
  }
  llvm::SourceMgr sources;
  // MLIR's lexer needs the terminating 0 that a mapped file may lack.
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(
                                 buffer.getBuffer(), displayName(command)),
                             SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  context.printOpOnDiagnostic(false);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  input.module = parseSourceFile<ModuleOp>(sources, &context);
  if (!input.module)
    return exitFailure;
  PassManager passes(&context);
  if (failed(config.setupPassPipeline(passes)))
    return exitUsage;
  if (hasCalls(*input.module))
    passes.addPass(createInlinerPass());
  if (!passes.empty() && failed(passes.run(*input.module)))
    return exitFailure;
  return failed(bindDims(command, *input.module)) ? exitUsage : exitOk;
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

/// What was bound: by name, and `input[axis]` of shapes given whole.
static std::map<std::string, Int> boundDims(const CommandLine &command) {
  std::map<std::string, Int> dims;
  for (const auto &[name, sizes] : command.bindings.shapes)
    for (auto [axis, size] : llvm::enumerate(sizes))
      dims[name + "[" + std::to_string(axis) + "]"] = Int(size);
  for (const auto &[name, size] : command.bindings.dims)
    dims[name] = Int(size);
  for (const auto &[name, text] : command.bindings.values) {
    int64_t value;
    if (!StringRef(text).getAsInteger(10, value))
      dims[name] = Int(value);
  }
  return dims;
}

/// Joins the profile that --measured names to each report.
static bool addMeasurements(const CommandLine &command,
                            std::vector<Report> &reports) {
  llvm::Expected<profile::Profile> profile =
      profile::readFile(command.measured);
  if (!profile) {
    printError(llvm::toString(profile.takeError())); // which names the file
    return false;
  }
  for (Report &report : reports) {
    size_t before = report.warnings.size();
    addMeasured(report, *profile);
    // The join is the same on every device.
    if (&report == &reports.front())
      for (const Report::Warning &warning :
           llvm::ArrayRef(report.warnings).drop_front(before))
        llvm::errs() << "rl-opt: warning: " << warning.message << '\n';
  }
  return true;
}

int printProfile(const CommandLine &command) {
  if (command.format != ReportFormat::Text &&
      command.format != ReportFormat::JSON) {
    printError("--measured without a model is summed up as text or json; for "
               "the other formats give the model that ran");
    return exitUsage;
  }
  llvm::Expected<profile::Profile> profile =
      profile::readFile(command.measured);
  if (!profile) {
    printError(llvm::toString(profile.takeError()));
    return exitFailure;
  }
  llvm::Error error =
      llvm::writeToOutput(command.output, [&](llvm::raw_ostream &os) {
        if (command.format == ReportFormat::JSON)
          writeProfileJSON(*profile, os);
        else
          writeProfileText(*profile, command.writer, os);
        return llvm::Error::success();
      });
  if (error) {
    printError(llvm::toString(std::move(error)));
    return exitFailure;
  }
  return exitOk;
}

/// Something large that the end of the process takes apart for free.
template <typename T> static const T &untilExit(T *object) { return *object; }

int printReport(const CommandLine &command, Input &input, Progress &progress) {
  std::vector<std::string> names = command.devices;
  if (names.empty())
    names.emplace_back();
  std::vector<Device> devices;
  for (const std::string &name : names) {
    llvm::Expected<Device> device = chooseDevice(name, *input.module);
    if (!device) {
      printError(llvm::toString(device.takeError()));
      return exitUsage;
    }
    devices.push_back(std::move(*device));
  }
  llvm::Expected<FunctionOpInterface> func =
      findEntryNamed(*input.module, command.entry);
  if (!func) {
    printError(displayName(command) + ": " + llvm::toString(func.takeError()));
    return command.entry.empty() ? exitFailure : exitUsage;
  }
  progress.begin("counting");
  const CostAnalysis &costs = untilExit(new CostAnalysis(*func));
  ReportRequest request;
  request.options.allowTF32 = command.allowTF32;
  request.dims = boundDims(command);
  request.warnings = std::move(input.warnings);
  request.source = displayName(command);
  progress.begin("placing");
  auto *built = new std::vector<Report>(buildReports(costs, request, devices));
  const std::vector<Report> &reports = untilExit(built);
  progress.end(); // the report may go to the same terminal
  if (!command.measured.empty() && !addMeasurements(command, *built))
    return exitFailure;
  llvm::Error error =
      llvm::writeToOutput(command.output, [&](llvm::raw_ostream &os) {
        writeReports(reports, command.format, command.writer, os);
        return llvm::Error::success();
      });
  if (error) {
    printError(llvm::toString(std::move(error))); // which names the file
    return exitFailure;
  }
  return exitOk;
}

} // namespace roofline
