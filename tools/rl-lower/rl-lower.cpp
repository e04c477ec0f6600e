//===- rl-lower.cpp - runs the passes of the lowering ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// For tests: reads IR, or a model that it imports for execution, and runs
// passes over it.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "roofline/Conversion/Passes.h"
#include "roofline/Import/ONNX/Import.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace roofline;

static cl::opt<std::string> input(cl::Positional, cl::init("-"),
                                  cl::desc("FILE (.mlir, or an ONNX model)"));

static mlir::OwningOpRef<mlir::ModuleOp> read(mlir::MLIRContext &context) {
  std::string message;
  std::unique_ptr<MemoryBuffer> file =
      mlir::openInputFile(input.getValue(), &message);
  if (!file) {
    errs() << "rl-lower: " << message << '\n';
    return {};
  }
  if (StringRef(input).ends_with(".mlir"))
    return mlir::parseSourceString<mlir::ModuleOp>(file->getBuffer(), &context);
  ImportOptions options;
  options.executable = true;
  Expected<ImportResult> imported =
      importONNX(file->getBuffer(), input.getValue(), options, &context);
  if (!imported) {
    errs() << "rl-lower: " << toString(imported.takeError()) << '\n';
    return {};
  }
  return std::move(imported->module);
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  registerRooflineConversionPasses();
  mlir::registerTransformsPasses();
  // What rl-run does with a kernel; --mlir-print-ir-after-all shows its steps.
  mlir::PassPipelineRegistration<> whole(
      "rl-host-pipeline", "From linalg on tensors to LLVM, for the host",
      [](mlir::OpPassManager &passes) { buildHostPipeline(passes, {}); });
  mlir::registerPassManagerCLOptions();
  mlir::PassPipelineCLParser pipeline("", "Passes to run, in order");
  cl::ParseCommandLineOptions(argc, argv, "Lowers rl step by step\n");

  mlir::DialectRegistry registry;
  registerConversionDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  mlir::OwningOpRef<mlir::ModuleOp> module = read(context);
  if (!module)
    return 1;
  mlir::PassManager passes(&context);
  if (failed(mlir::applyPassManagerCLOptions(passes)))
    return 1;
  auto error = [](const Twine &text) {
    errs() << "rl-lower: " << text << '\n';
    return mlir::failure();
  };
  if (failed(pipeline.addToPipeline(passes, error)) ||
      failed(passes.run(*module)))
    return 1;
  module->print(outs());
  return 0;
}
