//===- MemRef.cpp - cost models for memref --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "Models.h"
#include "TensorSymbols.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace roofline::models {
namespace {

struct MemRefCopyModel : CostOpInterface::FallbackModel<MemRefCopyModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto copy = cast<memref::CopyOp>(op);
    Work work;
    context.readOperand(work, op, 0);
    work.write(-1, context.bytes(copy.getSource()),
               context.role(copy.getTarget()));
    return work;
  }
};

std::optional<Expr> elementBytes(Value memref) {
  return packedBytes(1, elementType(memref.getType()));
}

/// One element, inside whatever kernel the surrounding loops are.
struct LoadModel : CostOpInterface::FallbackModel<LoadModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work;
    work.launches = 0;
    context.readOperand(work, op, 0, elementBytes(op->getOperand(0)));
    return work;
  }
};

/// Likewise; what scalar code computed is unknown.
struct StoreModel : CostOpInterface::FallbackModel<StoreModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Value target = cast<memref::StoreOp>(op).getMemRef();
    Work work;
    work.launches = 0;
    work.write(-1, elementBytes(target), context.role(target));
    work.flopsKnown = !isComputed(op->getOperand(0));
    return work;
  }
};

} // namespace

void registerMemRefModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    attach<FreeModel, memref::AllocOp, memref::AllocaOp, memref::DeallocOp,
           memref::DimOp, memref::RankOp, memref::CastOp, memref::SubViewOp,
           memref::ExpandShapeOp, memref::CollapseShapeOp, memref::ReshapeOp,
           memref::ReinterpretCastOp, memref::TransposeOp, memref::ViewOp,
           memref::GetGlobalOp, memref::GlobalOp, memref::MemorySpaceCastOp,
           memref::AssumeAlignmentOp, memref::ExtractStridedMetadataOp,
           memref::ExtractAlignedPointerAsIndexOp>(context);
    attach<MemRefCopyModel, memref::CopyOp>(context);
    attach<LoadModel, memref::LoadOp>(context);
    attach<StoreModel, memref::StoreOp>(context);
    attachMemRefSymbols(context);
  });
}

} // namespace roofline::models
