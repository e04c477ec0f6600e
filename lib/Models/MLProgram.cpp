//===- MLProgram.cpp - cost models for ml_program -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "Models.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace roofline::models {

void registerMLProgramModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, ml_program::MLProgramDialect *) {
        // A load names the global's memory; its readers pay for reading it.
        attach<FreeModel, ml_program::GlobalOp, ml_program::GlobalLoadOp,
               ml_program::GlobalLoadConstOp, ml_program::GlobalLoadGraphOp,
               ml_program::TokenOp>(context);
        attach<StateWriteModel, ml_program::GlobalStoreOp,
               ml_program::GlobalStoreGraphOp>(context);
      });
}

} // namespace roofline::models
