//===- MLProgram.cpp - cost models for ml_program -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "Models.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace roofline::models {
namespace {

/// State is written where it stands.
struct StoreModel : CostOpInterface::FallbackModel<StoreModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work;
    context.readOperand(work, op, 0);
    work.write(-1, context.bytes(op->getOperand(0)));
    return work;
  }
};

} // namespace

void registerMLProgramModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, ml_program::MLProgramDialect *) {
        // A load names the global's memory; its readers pay for reading it.
        attach<FreeModel, ml_program::GlobalOp, ml_program::GlobalLoadOp,
               ml_program::GlobalLoadConstOp, ml_program::GlobalLoadGraphOp,
               ml_program::TokenOp>(context);
        attach<StoreModel, ml_program::GlobalStoreOp,
               ml_program::GlobalStoreGraphOp>(context);
      });
}

} // namespace roofline::models
