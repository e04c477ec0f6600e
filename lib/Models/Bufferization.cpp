//===- Bufferization.cpp - cost models for bufferization ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "Models.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace roofline::models {
namespace {

/// Free, unless it starts as a copy.
struct AllocTensorModel : CostOpInterface::FallbackModel<AllocTensorModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Value copy = cast<bufferization::AllocTensorOp>(op).getCopy();
    if (!copy)
      return Work::none();
    Work work;
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() == copy)
        context.readOperand(work, op, operand.getOperandNumber());
    context.writeResults(work, op);
    return work;
  }
};

struct AllocTensorSymbols
    : SymbolicOpInterface::FallbackModel<AllocTensorSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto alloc = cast<bufferization::AllocTensorOp>(op);
    if (Value copy = alloc.getCopy()) {
      if (auto dims = symbols.dims(copy))
        symbols.setDims(alloc, *dims);
      return;
    }
    SymbolMap::MaybeDims dims(alloc.getType().getRank());
    auto next = alloc.getDynamicSizes().begin();
    for (int64_t axis = 0; axis != alloc.getType().getRank(); ++axis)
      if (alloc.isDynamicDim(axis))
        dims[axis] = scalarOf(symbols, *next++);
    symbols.setDims(alloc, dims);
  }
};

/// source to destination.
struct MaterializeModel : CostOpInterface::FallbackModel<MaterializeModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work;
    context.readOperand(work, op, 0);
    work.write(op->getNumResults() ? 0 : -1, context.bytes(op->getOperand(0)),
               context.role(op->getOperand(1)));
    return work;
  }
};

struct IntoSymbols : SymbolicOpInterface::FallbackModel<IntoSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    if (op->getNumResults())
      if (auto dims = symbols.dims(op->getOperand(1)))
        symbols.setDims(op->getResult(0), *dims);
  }
};

} // namespace

void registerBufferizationModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context,
                            bufferization::BufferizationDialect *) {
    attach<AllocTensorModel, bufferization::AllocTensorOp>(context);
    attach<AllocTensorSymbols, bufferization::AllocTensorOp>(context);
    attach<FreeModel, bufferization::ToTensorOp, bufferization::ToBufferOp,
           bufferization::DeallocTensorOp, bufferization::DeallocOp>(context);
    attach<CopyModel, bufferization::CloneOp>(context);
    attach<SameShapeModel, bufferization::ToTensorOp, bufferization::ToBufferOp,
           bufferization::CloneOp>(context);
    attach<MaterializeModel, bufferization::MaterializeInDestinationOp>(
        context);
    attach<IntoSymbols, bufferization::MaterializeInDestinationOp>(context);
  });
}

} // namespace roofline::models
