//===- main.cpp - a compiler that embeds Roofline -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Dialect/RL/RL.h"
#include "roofline/Models/Register.h"
#include "roofline/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static constexpr llvm::StringLiteral source = R"mlir(
  func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>,
                  %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
                       outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
    return %0 : tensor<8x32xf32>
  }
)mlir";

int main() {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, linalg::LinalgDialect,
                  tensor::TensorDialect, roofline::rl::RLDialect>();
  roofline::registerModels(registry);
  MLIRContext context(registry);

  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return 1;
  PassManager passes(&context);
  passes.addPass(roofline::createCountCost());
  if (failed(passes.run(*module)))
    return 1;

  module->walk([](linalg::LinalgOp op) {
    llvm::outs() << op->getName() << " "
                 << op->getAttr(roofline::rl::workAttrName) << "\n";
  });
  return 0;
}
