//===- PrintReport.cpp - print the roofline report ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/DeviceFromIR.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Models/Register.h"
#include "roofline/Report/Writers.h"
#include "roofline/Transforms/BuildReport.h"
#include "roofline/Transforms/Entry.h"
#include "roofline/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace roofline {
#define GEN_PASS_DEF_PRINTREPORT
#include "roofline/Transforms/Passes.h.inc"

namespace {
std::optional<ReportFormat> parseFormat(StringRef text) {
  return llvm::StringSwitch<std::optional<ReportFormat>>(text)
      .Case("text", ReportFormat::Text)
      .Case("json", ReportFormat::JSON)
      .Case("csv", ReportFormat::CSV)
      .Case("markdown", ReportFormat::Markdown)
      .Case("svg", ReportFormat::SVG)
      .Default(std::nullopt);
}

class PrintReportPass : public impl::PrintReportBase<PrintReportPass> {
public:
  using PrintReportBase::PrintReportBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    PrintReportBase::getDependentDialects(registry);
    registerModels(registry);
  }

  void runOnOperation() override {
    if (llvm::Error error = print()) {
      emitError(getOperation().getLoc()) << llvm::toString(std::move(error));
      signalPassFailure();
    }
    markAllAnalysesPreserved();
  }

private:
  llvm::Error print() {
    std::optional<ReportFormat> chosen = parseFormat(format);
    if (!chosen)
      return llvm::createStringError("unknown report format '" + format +
                                     "': text, json, csv, markdown or svg");
    llvm::Expected<FunctionOpInterface> func =
        findEntryNamed(getOperation(), entry);
    if (!func)
      return func.takeError();
    ReportRequest request;
    request.options.allowTF32 = allowTF32;
    std::vector<std::string> names(devices.begin(), devices.end());
    if (names.empty())
      names.emplace_back();
    std::vector<Device> chosenDevices;
    for (const std::string &name : names) {
      llvm::Expected<Device> device = chooseDevice(name, getOperation());
      if (!device)
        return device.takeError();
      chosenDevices.push_back(std::move(*device));
    }
    CostAnalysis costs(*func);
    std::vector<Report> reports = buildReports(costs, request, chosenDevices);
    return llvm::writeToOutput(output, [&](llvm::raw_ostream &os) {
      writeReports(reports, *chosen, WriterOptions(), os);
      return llvm::Error::success();
    });
  }
};
} // namespace
} // namespace roofline
