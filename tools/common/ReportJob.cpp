//===- ReportJob.cpp - from a model to its report -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportJob.h"
#include "Progress.h"
#include "roofline/Analysis/DeviceFromIR.h"
#include "roofline/Report/Measured.h"
#include "roofline/Transforms/BuildReport.h"
#include "roofline/Transforms/Entry.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#ifdef ROOFLINE_WITH_ONNX
#include "roofline/Import/ONNX/Import.h"
#endif

using namespace llvm;

namespace roofline {

#ifdef ROOFLINE_WITH_ONNX
int importModel(const ReportSettings &settings, MemoryBufferRef buffer,
                mlir::MLIRContext &context, Input &input, Progress *progress) {
  ImportOptions options;
  options.dims = settings.bindings.dims;
  options.shapes = settings.bindings.shapes;
  options.values = settings.bindings.values;
  options.folder =
      settings.input == "-" ? "" : sys::path::parent_path(settings.input);
  if (settings.input != "-" && options.folder.empty())
    options.folder = ".";
  std::string name = settings.displayName();
  Expected<ImportResult> result =
      importONNX(buffer.getBuffer(), name, options, &context);
  bool shows = settings.showsImportWarnings;
  if (progress && (!result || (shows && !result->warnings.empty())))
    progress->end();
  if (!result) {
    bool isUsage = result.errorIsA<UsageError>();
    settings.printError(name + ": " + llvm::toString(result.takeError()));
    return isUsage ? exitUsage : exitFailure;
  }
  input.module = std::move(result->module);
  for (ImportWarning &warning : result->warnings) {
    if (shows)
      settings.printError(
          name + ": warning: " +
          (warning.node.empty() ? "" : "node '" + warning.node + "': ") +
          warning.message);
    input.warnings.push_back(
        {std::move(warning.node), std::move(warning.message)});
  }
  return exitOk;
}
#endif

/// What was bound: by name, and `input[axis]` of shapes given whole.
static std::map<std::string, Int> boundDims(const Bindings &bindings) {
  std::map<std::string, Int> dims;
  for (const auto &[name, sizes] : bindings.shapes)
    for (auto [axis, size] : enumerate(sizes))
      dims[name + "[" + std::to_string(axis) + "]"] = Int(size);
  for (const auto &[name, size] : bindings.dims)
    dims[name] = Int(size);
  for (const auto &[name, text] : bindings.values) {
    int64_t value;
    if (!StringRef(text).getAsInteger(10, value))
      dims[name] = Int(value);
  }
  return dims;
}

static void join(const ReportSettings &settings,
                 const profile::Profile &measured,
                 std::vector<Report> &reports) {
  for (Report &report : reports) {
    size_t before = report.warnings.size();
    addMeasured(report, measured);
    // The join is the same on every device.
    if (&report == &reports.front())
      for (const Report::Warning &warning :
           ArrayRef(report.warnings).drop_front(before))
        settings.printError("warning: " + warning.message);
  }
}

/// The devices that the report is to stand on; false where one is unknown.
static bool findDevices(const ReportSettings &settings, mlir::ModuleOp module,
                        std::vector<Device> &devices) {
  std::vector<std::string> names = settings.devices;
  if (names.empty())
    names.emplace_back();
  for (const std::string &name : names) {
    Expected<Device> device = chooseDevice(name, module);
    if (!device) {
      settings.printError(llvm::toString(device.takeError()));
      return false;
    }
    devices.push_back(std::move(*device));
  }
  return true;
}

/// How a profile of ours was taken, as its environment says.
static StringRef conditionOf(const profile::Profile *measured, StringRef name) {
  if (measured)
    for (const auto &[key, value] : measured->environment)
      if (key == name)
        return value;
  return "";
}

static PlacementOptions placementOptions(const ReportSettings &settings,
                                         const profile::Profile *measured) {
  PlacementOptions options;
  options.allowTF32 = settings.allowTF32;
  int64_t threads = settings.threads;
  if (threads == 0 &&
      conditionOf(measured, "threads").getAsInteger(10, threads))
    threads = 0;
  options.threads = std::max<int64_t>(threads, 1);
  options.alone = conditionOf(measured, "caches") == "warm";
  return options;
}

/// Says where a device's own kernels were fitted, but not for so many threads.
static void checkThreads(const ReportSettings &settings,
                         ArrayRef<Device> devices, int64_t threads) {
  for (const Device &device : devices)
    if (!device.kernels.empty() && !device.kernelsFor(threads))
      settings.printError("warning: device '" + device.name +
                          "' has no times of kernels that " + Twine(threads) +
                          " threads share, so the roofline's are shown: see "
                          "rl-run fit --threads=" +
                          Twine(threads));
}

int printReport(const ReportSettings &settings, Input &input,
                const profile::Profile *measured, Progress &progress,
                ReportData &data) {
  std::vector<Device> devices;
  if (!findDevices(settings, *input.module, devices))
    return exitUsage;
  Expected<mlir::FunctionOpInterface> func =
      findEntryNamed(*input.module, settings.entry);
  if (!func) {
    settings.printError(settings.displayName() + ": " +
                        llvm::toString(func.takeError()));
    return settings.entry.empty() ? exitFailure : exitUsage;
  }
  progress.begin("counting");
  data.costs.emplace(*func);
  ReportRequest request;
  request.options = placementOptions(settings, measured);
  checkThreads(settings, devices, request.options.threads);
  request.dims = boundDims(settings.bindings);
  request.warnings = std::move(input.warnings);
  request.source = settings.displayName();
  progress.begin("placing");
  data.reports = buildReports(*data.costs, request, devices);
  progress.end(); // the report may go to the same terminal
  if (measured)
    join(settings, *measured, data.reports);
  Error error = writeToOutput(settings.output, [&](raw_ostream &os) {
    writeReports(data.reports, settings.format, settings.writer, os);
    return Error::success();
  });
  if (error) {
    settings.printError(llvm::toString(std::move(error))); // names the file
    return exitFailure;
  }
  return exitOk;
}

} // namespace roofline
