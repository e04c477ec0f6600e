//===- ImportFuzzer.cpp - any bytes as a model ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the bytes, the importer gives a module or an error; a module
// verifies, and counting, placing and marking it don't crash.
//
//===----------------------------------------------------------------------===//

#include "roofline/Dialect/RL/RL.h"
#include "roofline/Import/ONNX/Import.h"
#include "roofline/Models/Register.h"
#include "roofline/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  // ONNX's text form begins with `<` or a name, the binary form with a tag.
  bool isText = bytes.starts_with("<");

  // A new one each time: a context keeps every attribute it ever saw.
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, roofline::rl::RLDialect>();
  roofline::registerModels(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler quiet(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });

  llvm::Expected<roofline::ImportResult> result = roofline::importONNX(
      bytes, isText ? "fuzz.onnxtxt" : "fuzz.onnx", {}, &context);
  if (!result) {
    llvm::consumeError(result.takeError());
    return 0;
  }
  if (mlir::failed(mlir::verify(*result->module)))
    std::abort();

  mlir::PassManager passes(&context);
  passes.addPass(roofline::createCountCost());
  passes.addPass(roofline::createPlace());
  passes.addPass(roofline::createMarkFusion());
  (void)passes.run(*result->module);
  return 0;
}
