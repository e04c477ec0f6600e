//===- Math.cpp - cost models for math ------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "Models.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace roofline::models {

namespace {
/// Every result has the first operand's dimensions.
struct MathSymbols : SymbolicOpInterface::FallbackModel<MathSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    std::optional<SymbolMap::MaybeDims> dims = symbols.dims(op->getOperand(0));
    if (dims)
      for (Value result : op->getResults())
        symbols.setDims(result, *dims);
  }
};
} // namespace

void registerMathModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    for (RegisteredOperationName name : context->getRegisteredOperations()) {
      if (name.getDialectNamespace() != "math")
        continue;
      name.attachInterface<ElementwiseModel>();
      name.attachInterface<MathSymbols>();
    }
  });
}

} // namespace roofline::models
