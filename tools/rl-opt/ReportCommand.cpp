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
#include "roofline/Profile/Read.h"
#include "roofline/Transforms/Passes.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace roofline {

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

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
        command.displayName() +
        ": --value is for ONNX models; bind sizes with --dim or --shape");
    return exitUsage;
  }
  llvm::SourceMgr sources;
  // MLIR's lexer needs the terminating 0 that a mapped file may lack.
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(
                                 buffer.getBuffer(), command.displayName()),
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

int printReport(const CommandLine &command, Input &input, Progress &progress) {
  std::optional<profile::Profile> measured;
  if (!command.measured.empty()) {
    llvm::Expected<profile::Profile> read = profile::readFile(command.measured);
    if (!read) {
      progress.end();
      printError(llvm::toString(read.takeError())); // which names the file
      return exitFailure;
    }
    measured = std::move(*read);
  }
  // Large, and taken apart for free by the end of the process.
  auto *data = new ReportData;
  return printReport(command, input, measured ? &*measured : nullptr, progress,
                     *data);
}

} // namespace roofline
