//===- Models.cpp - what the models of all dialects share -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "roofline/Cost/Formulas.h"

using namespace mlir;

namespace roofline::models {

bool isShaped(Type type) { return isa<TensorType, BaseMemRefType>(type); }

bool isIntegerScalar(Type type) { return type.isIntOrIndex(); }

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

Work CopyModel::getWork(Operation *op, const CostContext &context) const {
  Work work;
  context.readOperands(work, op);
  context.writeResults(work, op);
  return work;
}

Work GatherModel::getWork(Operation *op, const CostContext &context) const {
  Work work;
  context.readOperand(work, op, 0,
                      gatherBytes(context.bytes(op->getResult(0)),
                                  context.bytes(op->getOperand(0))));
  context.readOperand(work, op, 1);
  context.writeResults(work, op);
  return work;
}

Work StateWriteModel::getWork(Operation *op, const CostContext &context) const {
  Work work;
  context.readOperand(work, op, 0);
  work.write(-1, context.bytes(op->getOperand(0)));
  return work;
}

static std::optional<Expr> elementBytes(Value buffer) {
  return packedBytes(1, elementType(buffer.getType()));
}

Work ElementLoadModel::getWork(Operation *op,
                               const CostContext &context) const {
  Work work;
  work.launches = 0;
  context.readOperand(work, op, 0, elementBytes(op->getOperand(0)));
  return work;
}

Work ElementStoreModel::getWork(Operation *op,
                                const CostContext &context) const {
  Value target = op->getOperand(1);
  Work work;
  work.launches = 0;
  work.write(-1, elementBytes(target), context.role(target));
  work.flopsKnown = !isComputed(op->getOperand(0));
  return work;
}

void addScalarCost(Work &work, const ScalarCost &cost, const Expr &count) {
  if (cost.vector)
    work.addFlops(ComputeClass::Vector, cost.type, count * Expr(cost.vector));
  if (cost.special)
    work.addFlops(ComputeClass::Special, cost.type, count * Expr(cost.special));
}

Work ElementwiseModel::getWork(Operation *op,
                               const CostContext &context) const {
  if (op->getNumResults() == 0 || !isShaped(op->getResult(0).getType()))
    return Work::none();
  Work work;
  std::optional<ScalarCost> cost = scalarCost(op);
  std::optional<Expr> count = context.numElements(op->getResult(0));
  if (cost && count)
    addScalarCost(work, *cost, *count);
  else
    work.flopsKnown = false;
  context.readOperands(work, op);
  context.writeResults(work, op);
  return work;
}

/// Whether a value is what a loop carries and nothing else reads: one trip may
/// overwrite what the one before left.
static bool isCarried(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.hasOneUse() &&
         isa<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
}

bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  return op && !value.getType().isIntOrIndex() &&
         (isa<arith::ArithDialect>(op->getDialect()) ||
          isa<math::MathDialect>(op->getDialect())) &&
         !op->hasTrait<OpTrait::ConstantLike>();
}

void addInsertion(Work &work, const CostContext &context, Operation *op,
                  unsigned sourceIndex, unsigned targetIndex) {
  Value source = op->getOperand(sourceIndex),
        target = op->getOperand(targetIndex);
  std::optional<Expr> part = context.bytes(source);
  context.readOperand(work, op, sourceIndex);
  bool inPlace = target.getDefiningOp<tensor::EmptyOp>() || isCarried(target) ||
                 context.isOverwritable(target);
  if (inPlace || op->getNumResults() == 0) {
    work.write(op->getNumResults() ? 0 : -1, part, context.role(target));
    return;
  }
  std::optional<Expr> whole = context.bytes(target), rest;
  if (whole && part)
    rest = *whole - *part;
  context.readOperand(work, op, targetIndex, rest);
  context.writeResults(work, op);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value lookThroughViews(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp, tensor::ReshapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool isFillOrEmpty(Value value) {
  value = lookThroughViews(value);
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tensor::EmptyOp, tensor::SplatOp, linalg::FillOp>(op))
    return true;
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return !alloc.getCopy();
  SplatElementsAttr splat;
  return matchPattern(value, m_Constant(&splat));
}

bool isZeroConstant(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

void SameShapeModel::inferSymbols(Operation *op, SymbolMap &symbols) const {
  Value operand = op->getOperand(0), result = op->getResult(0);
  if (std::optional<SymbolMap::MaybeDims> dims = symbols.dims(operand))
    if (isShaped(result.getType()))
      symbols.setDims(result, *dims);
  if (std::optional<Expr> scalar = symbols.scalar(operand))
    symbols.setScalar(result, *scalar);
  if (auto elements = symbols.elements(operand)) {
    // The map may grow under its own reference.
    SmallVector<std::optional<Expr>, 4> copy(*elements);
    symbols.setElements(result, copy);
  }
}

static std::optional<Expr> valueOf(Attribute attribute) {
  if (auto boolean = dyn_cast_or_null<BoolAttr>(attribute))
    return Expr(boolean.getValue() ? 1 : 0);
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  if (!integer || integer.getValue().getSignificantBits() > 64)
    return std::nullopt;
  if (integer.getType().isUnsignedInteger())
    return Expr(int64_t(integer.getValue().getZExtValue()));
  return Expr(integer.getValue().getSExtValue());
}

std::optional<Expr> scalarOf(const SymbolMap &symbols, Value value) {
  if (std::optional<Expr> known = symbols.scalar(value))
    return known;
  Attribute constant;
  if (isIntegerScalar(value.getType()) &&
      matchPattern(value, m_Constant(&constant)))
    return valueOf(constant);
  return std::nullopt;
}

std::optional<Expr> scalarOf(const SymbolMap &symbols, OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return valueOf(attribute);
  return scalarOf(symbols, cast<Value>(value));
}

std::optional<SmallVector<std::optional<Expr>, 4>>
constantElements(Attribute attribute) {
  constexpr int64_t longestShape = 1024;
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attribute);
  if (!dense || dense.getNumElements() > longestShape)
    return std::nullopt;
  bool isBool = dense.getElementType().isInteger(1);
  SmallVector<std::optional<Expr>, 4> elements;
  for (const APInt &value : dense.getValues<APInt>()) {
    if (value.getSignificantBits() > 64)
      elements.push_back(std::nullopt);
    else
      elements.push_back(
          Expr(isBool ? int64_t(value.getZExtValue()) : value.getSExtValue()));
  }
  return elements;
}

} // namespace roofline::models
