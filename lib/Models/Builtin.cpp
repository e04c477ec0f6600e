//===- Builtin.cpp - cost models for builtin ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace roofline::models {
namespace {

/// Whether one value becomes one other of the same shape and stored size.
bool isRelabelling(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  return isShaped(from) && isShaped(to) &&
         succeeded(verifyCompatibleShape(from, to)) &&
         bitWidth(elementType(from)) == bitWidth(elementType(to));
}

/// What dialects disagree on is a type's name, as a rule; where the data
/// differ, nobody knows what the conversion will do.
struct CastModel : CostOpInterface::FallbackModel<CastModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    if (isRelabelling(op))
      return Work::none();
    Work work;
    work.flopsKnown = false;
    context.readOperands(work, op);
    context.writeResults(work, op);
    return work;
  }
};

struct CastSymbols : SymbolicOpInterface::FallbackModel<CastSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    if (isRelabelling(op))
      SameShapeModel().inferSymbols(op, symbols);
  }
};

} // namespace

void registerBuiltinModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, BuiltinDialect *) {
    attach<CastModel, UnrealizedConversionCastOp>(context);
    attach<CastSymbols, UnrealizedConversionCastOp>(context);
  });
}

} // namespace roofline::models
