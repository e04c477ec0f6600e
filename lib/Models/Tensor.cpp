//===- Tensor.cpp - cost models for tensor --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "Models.h"
#include "TensorSymbols.h"
#include "mlir/IR/DialectRegistry.h"
#include "roofline/Cost/Formulas.h"

using namespace mlir;

namespace roofline::models {
namespace {

/// The source is read, the padded result written.
struct PadModel : CostOpInterface::FallbackModel<PadModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work;
    context.readOperand(work, op, 0);
    context.writeResults(work, op);
    return work;
  }
};

/// insert_slice and parallel_insert_slice.
struct InsertModel : CostOpInterface::FallbackModel<InsertModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work;
    addInsertion(work, context, op, /*sourceIndex=*/0, /*targetIndex=*/1);
    return work;
  }
};

/// One scalar, on the host unless scalar code computed it.
struct InsertScalarModel : CostOpInterface::FallbackModel<InsertScalarModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work = Work::none();
    work.flopsKnown = !isComputed(op->getOperand(0));
    return work;
  }
};

struct ScatterModel : CostOpInterface::FallbackModel<ScatterModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work;
    addInsertion(work, context, op, /*sourceIndex=*/0, /*targetIndex=*/1);
    context.readOperand(work, op, 2);
    return work;
  }
};

/// Writes values that its body makes from indices and captured tensors.
struct GenerateModel : CostOpInterface::FallbackModel<GenerateModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work;
    std::optional<Expr> count = context.numElements(op->getResult(0));
    for (Operation &inner : op->getRegion(0).front().without_terminator())
      countOperation(work, context, &inner, count);
    context.writeResults(work, op);
    return work;
  }

  static void countOperation(Work &work, const CostContext &context,
                             Operation *inner,
                             const std::optional<Expr> &count) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner))
      return countPicks(work, context, extract.getTensor(), count);
    if (isa<tensor::TensorDialect>(inner->getDialect()))
      return;
    std::optional<ScalarCost> cost = scalarCost(inner);
    if (cost && count)
      addScalarCost(work, *cost, *count);
    else if (!cost || cost->vector || cost->special)
      work.flopsKnown = false;
  }

  static void countPicks(Work &work, const CostContext &context, Value tensor,
                         const std::optional<Expr> &count) {
    std::optional<Expr> bytes;
    if (count)
      bytes = packedBytes(*count, elementType(tensor.getType()));
    work.read(-1, gatherBytes(bytes, context.bytes(tensor)),
              context.role(tensor));
  }
};

struct SplatModel : CostOpInterface::FallbackModel<SplatModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work;
    context.writeResults(work, op);
    return work;
  }
};

} // namespace

void registerTensorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attach<FreeModel, tensor::EmptyOp, tensor::DimOp, tensor::RankOp,
           tensor::CastOp, tensor::BitcastOp, tensor::ReshapeOp,
           tensor::ExpandShapeOp, tensor::CollapseShapeOp,
           tensor::ExtractSliceOp, tensor::ExtractOp, tensor::FromElementsOp>(
        context);
    attach<InsertScalarModel, tensor::InsertOp>(context);
    attach<CopyModel, tensor::ConcatOp>(context);
    attach<PadModel, tensor::PadOp>(context);
    attach<InsertModel, tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(
        context);
    attach<GatherModel, tensor::GatherOp>(context);
    attach<ScatterModel, tensor::ScatterOp>(context);
    attach<GenerateModel, tensor::GenerateOp>(context);
    attach<SplatModel, tensor::SplatOp>(context);
    attachTensorSymbols(context);
  });
}

} // namespace roofline::models
