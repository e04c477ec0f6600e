//===- MemRef.cpp - cost models for memref --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
    attach<ElementLoadModel, memref::LoadOp>(context);
    attach<ElementStoreModel, memref::StoreOp>(context);
    attachMemRefSymbols(context);
  });
}

} // namespace roofline::models
