//===- TosaMovement.cpp - what tosa moves without arithmetic --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tosa.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "roofline/Cost/Formulas.h"

using namespace mlir;

namespace roofline::models {
namespace {

using Maybe = std::optional<Expr>;

struct MoveModel : CostOpInterface::FallbackModel<MoveModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    return moveTensors(op, context);
  }
};

/// Reads what it keeps.
struct SliceModel : CostOpInterface::FallbackModel<SliceModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work;
    context.readOperand(work, op, 0, context.bytes(op->getResult(0)));
    context.writeResults(work, op);
    return work;
  }
};

struct ScatterModel : CostOpInterface::FallbackModel<ScatterModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work;
    addInsertion(work, context, op, /*sourceIndex=*/2, /*targetIndex=*/0);
    context.readOperand(work, op, 1);
    return work;
  }
};

/// A look-up of 8 bits; one of 16 interpolates between two entries (subtract,
/// multiply, add).
struct TableModel : CostOpInterface::FallbackModel<TableModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto table = cast<tosa::TableOp>(op);
    Work work;
    context.readOperand(work, op, 0);
    Maybe count = context.numElements(table.getOutput()), picked;
    ElementType type = elementType(table.getTable().getType());
    if (count)
      picked = packedBytes(*count, type);
    context.readOperand(work, op, 1,
                        gatherBytes(picked, context.bytes(table.getTable())));
    context.writeResults(work, op);
    if (elementType(table.getInput1().getType()) != ElementType::I16)
      return work;
    if (count)
      work.addFlops(ComputeClass::Vector, ElementType::I32, *count * 3);
    else
      work.flopsKnown = false;
    return work;
  }
};

/// Nearest picks; linear takes 2·2^d per result for d axes that change.
struct ResizeModel : CostOpInterface::FallbackModel<ResizeModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto resize = cast<tosa::ResizeOp>(op);
    Work work = moveTensors(op, context);
    if (resize.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR)
      return work;
    std::optional<Dims> from = context.dims(resize.getInput());
    std::optional<Dims> to = context.dims(resize.getOutput());
    if (!from || !to) {
      work.flopsKnown = false;
      return work;
    }
    int64_t perElement = 2;
    unsigned axes = 0;
    for (unsigned axis : {1u, 2u})
      if ((*from)[axis] != (*to)[axis])
        perElement *= 2, ++axes;
    if (axes)
      work.addFlops(ComputeClass::Vector, elementType(resize.getType()),
                    numElements(*to) * Expr(perElement));
    return work;
  }
};

} // namespace

void attachTosaMovement(MLIRContext *context) {
  attach<MoveModel, tosa::ConcatOp, tosa::PadOp, tosa::ReverseOp, tosa::TileOp,
         tosa::TransposeOp>(context);
  attach<SliceModel, tosa::SliceOp>(context);
  attach<GatherModel, tosa::GatherOp>(context);
  attach<ScatterModel, tosa::ScatterOp>(context);
  attach<TableModel, tosa::TableOp>(context);
  attach<ResizeModel, tosa::ResizeOp>(context);
  attach<StateWriteModel, tosa::VariableWriteOp>(context);
  // A read names the variable's memory; its readers pay for reading it.
  attach<FreeModel, tosa::ConstOp, tosa::ConstShapeOp, tosa::IdentityOp,
         tosa::ReshapeOp, tosa::VariableOp, tosa::VariableReadOp, tosa::DimOp,
         tosa::AddShapeOp, tosa::ConcatShapeOp, tosa::DivCeilShapeOp,
         tosa::DivFloorShapeOp, tosa::Exp2ShapeOp, tosa::Log2CeilShapeOp,
         tosa::Log2FloorShapeOp, tosa::MaxShapeOp, tosa::MinShapeOp,
         tosa::ModShapeOp, tosa::MulShapeOp, tosa::SliceShapeOp,
         tosa::SubShapeOp>(context);
}

} // namespace roofline::models
