//===- Build.cpp - the shapes lowered ops come in -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value emptyTensor(Lowering &l, RankedTensorType type) {
  return tensor::EmptyOp::create(l.b, l.loc, type.getShape(),
                                 type.getElementType());
}

Value filledTensor(Lowering &l, RankedTensorType type, Value scalar) {
  return linalg::FillOp::create(l.b, l.loc, scalar, emptyTensor(l, type))
      .getResult(0);
}

Value constantTensor(Lowering &l, DenseElementsAttr elements) {
  return arith::ConstantOp::create(l.b, l.loc, elements);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value scalar(OpBuilder &b, Location loc, Type type, double value) {
  if (auto real = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(b, loc, FloatAttr::get(real, value));
  return arith::ConstantOp::create(b, loc,
                                   b.getIntegerAttr(type, int64_t(value)));
}

Value indexValue(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// From the result's dimensions to an input's: right-aligned, size 1 stays 0.
static AffineMap broadcastMap(Builder &b, ArrayRef<int64_t> from,
                              ArrayRef<int64_t> to) {
  SmallVector<AffineExpr> dims;
  size_t offset = to.size() - from.size();
  for (auto [i, size] : llvm::enumerate(from)) {
    bool repeats = size == 1 && to[offset + i] != 1;
    dims.push_back(repeats ? b.getAffineConstantExpr(0)
                           : b.getAffineDimExpr(offset + i));
  }
  return AffineMap::get(to.size(), 0, dims, b.getContext());
}

static SmallVector<utils::IteratorType> parallel(size_t rank) {
  return SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel);
}

static bool hasNoElements(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getNumElements() == 0;
}

Value mapElements(Lowering &l, RankedTensorType result, ValueRange inputs,
                  ScalarBody body) {
  if (result.getNumElements() == 0)
    return emptyTensor(l, result);
  SmallVector<AffineMap> maps;
  for (Value input : inputs)
    maps.push_back(
        broadcastMap(l.b, cast<RankedTensorType>(input.getType()).getShape(),
                     result.getShape()));
  maps.push_back(l.b.getMultiDimIdentityMap(result.getRank()));
  return linalg::GenericOp::create(
             l.b, l.loc, result, inputs, emptyTensor(l, result), maps,
             parallel(result.getRank()),
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(b, loc,
                                       body(b, loc, arguments.drop_back()));
             })
      .getResult(0);
}

Value fromIndices(Lowering &l, RankedTensorType result, ScalarBody body) {
  if (result.getNumElements() == 0)
    return emptyTensor(l, result);
  return linalg::GenericOp::create(
             l.b, l.loc, result, ValueRange(), emptyTensor(l, result),
             l.b.getMultiDimIdentityMap(result.getRank()),
             parallel(result.getRank()),
             [&](OpBuilder &b, Location loc, ValueRange) {
               SmallVector<Value> indices;
               for (int64_t i = 0; i < result.getRank(); ++i)
                 indices.push_back(linalg::IndexOp::create(b, loc, i));
               linalg::YieldOp::create(b, loc, body(b, loc, indices));
             })
      .getResult(0);
}

Value elementAt(OpBuilder &b, Location loc, Value source, ValueRange indices) {
  return tensor::ExtractOp::create(b, loc, source, indices);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value reduceDims(Lowering &l, ValueRange inputs, Value init,
                 ArrayRef<int64_t> axes, ScalarBody body) {
  auto type = cast<RankedTensorType>(inputs.front().getType());
  int64_t rank = type.getRank();
  SmallVector<AffineMap> maps(inputs.size(), l.b.getMultiDimIdentityMap(rank));
  maps.push_back(withoutAxes(l.b, rank, axes));
  return generic(l, inputs, init, maps, body);
}

Type accumulatorType(Type element, Builder &b) {
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
    return b.getF32Type();
  if (element.isInteger() && element.getIntOrFloatBitWidth() < 32)
    return b.getI32Type();
  return element;
}

AffineMap withoutAxes(Builder &b, int64_t rank, ArrayRef<int64_t> axes) {
  SmallVector<AffineExpr> kept;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(axes, i))
      kept.push_back(b.getAffineDimExpr(i));
  return AffineMap::get(rank, 0, kept, b.getContext());
}

Value generic(Lowering &l, ValueRange inputs, Value init,
              ArrayRef<AffineMap> maps, ScalarBody body) {
  if (llvm::any_of(inputs, hasNoElements))
    return init; // nothing is folded into it
  SmallVector<utils::IteratorType> iterators(maps.back().getNumDims(),
                                             utils::IteratorType::reduction);
  for (AffineExpr expr : maps.back().getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      iterators[dim.getPosition()] = utils::IteratorType::parallel;
  return linalg::GenericOp::create(
             l.b, l.loc, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(b, loc, body(b, loc, arguments));
             })
      .getResult(0);
}

Value paddedTensor(Lowering &l, Value tensor, ArrayRef<int64_t> before,
                   ArrayRef<int64_t> after, Value element) {
  auto isZero = [](int64_t count) { return count == 0; };
  if (llvm::all_of(before, isZero) && llvm::all_of(after, isZero))
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> low, high;
  for (size_t i = 0; i < shape.size(); ++i) {
    shape[i] += before[i] + after[i];
    low.push_back(l.b.getIndexAttr(before[i]));
    high.push_back(l.b.getIndexAttr(after[i]));
  }
  return tensor::PadOp::create(
      l.b, l.loc, RankedTensorType::get(shape, type.getElementType()), tensor,
      low, high, element);
}

Value paddedTensor(Lowering &l, Value tensor, int64_t axis, int64_t before,
                   int64_t after, Value element) {
  size_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<int64_t> low(rank), high(rank);
  low[axis] = before;
  high[axis] = after;
  return paddedTensor(l, tensor, low, high, element);
}

Value reshaped(Lowering &l, Value input, RankedTensorType type) {
  auto from = cast<RankedTensorType>(input.getType());
  if (from == type)
    return input;
  // Through one dimension: both sides are row-major.
  auto flat =
      RankedTensorType::get({from.getNumElements()}, from.getElementType());
  auto all = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank)));
    return groups;
  };
  // A tensor without elements has nothing to keep, and can't be flattened.
  if (from.getNumElements() == 0)
    return emptyTensor(l, type);
  Value line = input;
  if (from.getRank() == 0)
    line = tensor::ExpandShapeOp::create(l.b, l.loc, flat, line,
                                         ArrayRef<ReassociationIndices>());
  else if (from.getRank() > 1)
    line = tensor::CollapseShapeOp::create(l.b, l.loc, flat, line,
                                           all(from.getRank()));
  if (type.getRank() == 0)
    return tensor::CollapseShapeOp::create(l.b, l.loc, type, line,
                                           ArrayRef<ReassociationIndices>());
  if (type.getRank() == 1)
    return line;
  return tensor::ExpandShapeOp::create(l.b, l.loc, type, line,
                                       all(type.getRank()));
}

} // namespace roofline::lowering
