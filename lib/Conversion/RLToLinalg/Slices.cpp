//===- Slices.cpp - parts of tensors, and loops over them -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {

RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

RankedTensorType withShape(RankedTensorType type, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, type.getElementType());
}

//===----------------------------------------------------------------------===//
// Affine reads
//===----------------------------------------------------------------------===//

Value mapThrough(Lowering &l, RankedTensorType result, ValueRange inputs,
                 ArrayRef<AffineMap> maps, ScalarBody body) {
  SmallVector<AffineMap> all(maps);
  all.push_back(l.b.getMultiDimIdentityMap(result.getRank()));
  return generic(l, inputs, emptyTensor(l, result), all,
                 [&](OpBuilder &b, Location loc, ValueRange arguments) {
                   return body(b, loc, arguments.drop_back());
                 });
}

Value readThrough(Lowering &l, RankedTensorType result, Value input,
                  AffineMap map) {
  return mapThrough(l, result, input, map,
                    [](OpBuilder &, Location, ValueRange x) { return x[0]; });
}

Value transposed(Lowering &l, Value input, ArrayRef<int64_t> permutation) {
  RankedTensorType type = typeOf(input);
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> dims(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation)) {
    shape.push_back(type.getDimSize(from));
    dims[from] = l.b.getAffineDimExpr(to);
  }
  return readThrough(l, withShape(type, shape), input,
                     AffineMap::get(dims.size(), 0, dims, l.b.getContext()));
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

static SmallVector<OpFoldResult> folded(Lowering &l, ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(l.b.getContext(), values);
}

Value sliced(Lowering &l, Value input, ArrayRef<int64_t> offsets,
             ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> ones(shape.size(), 1);
  if (strides.empty())
    strides = ones;
  return tensor::ExtractSliceOp::create(
      l.b, l.loc, withShape(typeOf(input), shape), input, folded(l, offsets),
      folded(l, shape), folded(l, strides));
}

Value inserted(Lowering &l, Value part, Value into, ArrayRef<int64_t> offsets,
               ArrayRef<int64_t> strides) {
  SmallVector<int64_t> ones(offsets.size(), 1);
  return tensor::InsertSliceOp::create(
      l.b, l.loc, part, into, folded(l, offsets),
      folded(l, typeOf(part).getShape()),
      folded(l, strides.empty() ? ArrayRef(ones) : strides));
}

Value joined(Lowering &l, RankedTensorType result, ValueRange parts,
             int64_t axis) {
  Value whole = emptyTensor(l, result);
  SmallVector<int64_t> offsets(result.getRank(), 0);
  for (Value part : parts) {
    int64_t size = typeOf(part).getDimSize(axis);
    if (typeOf(part).getNumElements() > 0)
      whole = inserted(l, part, whole, offsets);
    offsets[axis] += size;
  }
  return whole;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value zeroOf(Lowering &l, RankedTensorType type) {
  return filledTensor(l, type, scalar(l.b, l.loc, type.getElementType(), 0));
}

Value onlyElement(Lowering &l, Value tensor) {
  SmallVector<Value> zeros(typeOf(tensor).getRank(), indexValue(l.b, l.loc, 0));
  return elementAt(l.b, l.loc, tensor, zeros);
}

Value indexInto(OpBuilder &b, Location loc, Value index, int64_t size) {
  if (!index.getType().isIndex())
    index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
  Value zero = indexValue(b, loc, 0), end = indexValue(b, loc, size);
  Value isNegative =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index, zero);
  Value fromEnd = arith::AddIOp::create(b, loc, index, end);
  index = arith::SelectOp::create(b, loc, isNegative, fromEnd, index);
  index = arith::MaxSIOp::create(b, loc, index, zero);
  return arith::MinSIOp::create(
      b, loc, index, indexValue(b, loc, std::max<int64_t>(size, 1) - 1));
}

Values loopOver(Lowering &l, ArrayRef<int64_t> shape, ValueRange carried,
                LoopBody body) {
  if (shape.empty()) {
    // No loop: the body once.
    return body(l.b, l.loc, {}, carried);
  }
  SmallVector<Value> from(shape.size(), indexValue(l.b, l.loc, 0)),
      step(shape.size(), indexValue(l.b, l.loc, 1)), to;
  for (int64_t size : shape)
    to.push_back(indexValue(l.b, l.loc, size));
  scf::LoopNest nest = scf::buildLoopNest(
      l.b, l.loc, from, to, step, carried,
      [&](OpBuilder &b, Location loc, ValueRange indices, ValueRange inner) {
        return scf::ValueVector(body(b, loc, indices, inner));
      });
  return Values(nest.results.begin(), nest.results.end());
}

Value carriedOn(Lowering &l, Value next, Value now) {
  Operation *producer = next.getDefiningOp();
  if (next == now || isa_and_nonnull<tensor::InsertSliceOp>(producer))
    return next; // in place already
  return bufferization::MaterializeInDestinationOp::create(l.b, l.loc, next,
                                                           now)
      .getResult();
}

int64_t axisOf(int64_t axis, int64_t rank) {
  if (axis < 0)
    axis += rank;
  return axis >= 0 && axis < rank ? axis : -1;
}

} // namespace roofline::lowering
