//===- LowerIndexing.cpp - gathers and scatters ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "Scalars.h"
#include "Slices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// The same by rows that lie side by side: all that is behind the axis.
static Values gatherWholeRows(Lowering &l, int64_t axis) {
  RankedTensorType data = l.operandType(0), picks = l.operandType(1),
                   result = l.resultType();
  int64_t pickRank = picks.getRank();
  ArrayRef<int64_t> loops = result.getShape().take_front(axis + pickRank);
  Value source = l.operand(0), indices = l.operand(1);
  return loopOver(
      l, loops, emptyTensor(l, result),
      [&](OpBuilder &b, Location loc, ValueRange at, ValueRange carried) {
        auto fixed = [&](int64_t i) { return b.getIndexAttr(i); };
        Value pick = indexInto(
            b, loc, elementAt(b, loc, indices, at.slice(axis, pickRank)),
            data.getDimSize(axis));
        SmallVector<OpFoldResult> from(at.take_front(axis)), to(at);
        SmallVector<OpFoldResult> fromSizes(axis + 1, fixed(1));
        SmallVector<OpFoldResult> toSizes(at.size(), fixed(1));
        SmallVector<int64_t> row;
        from.push_back(pick);
        for (int64_t size : data.getShape().drop_front(axis + 1)) {
          row.push_back(size);
          for (auto *list : {&from, &to})
            list->push_back(fixed(0));
          for (auto *list : {&fromSizes, &toSizes})
            list->push_back(fixed(size));
        }
        SmallVector<OpFoldResult> ones(from.size(), fixed(1));
        Value line = tensor::ExtractSliceOp::create(
            b, loc, withShape(data, row), source, from, fromSizes, ones);
        ones.assign(to.size(), fixed(1));
        Value put = tensor::InsertSliceOp::create(b, loc, line, carried[0], to,
                                                  toSizes, ones);
        return Values{put};
      });
}

/// `data[before…, indices[at…], after…]`
static FailureOr<Values> lowerGatherRows(Lowering &l) {
  RankedTensorType data = l.operandType(0), picks = l.operandType(1),
                   result = l.resultType();
  if (!data || !picks)
    return l.unsupported("its indices aren't there");
  int64_t axis = axisOf(l.integer("axis", 0), data.getRank());
  if (axis < 0 || result.getRank() != data.getRank() - 1 + picks.getRank())
    return l.unsupported("its axis is out of range");
  constexpr int64_t leastRow = 16; // elements that are worth a loop of copies
  int64_t row = 1;
  for (int64_t size : data.getShape().drop_front(axis + 1))
    row *= size;
  if (row >= leastRow && result.getNumElements() > 0)
    return gatherWholeRows(l, axis);
  SmallVector<AffineExpr> dims;
  for (int64_t i = 0; i < picks.getRank(); ++i)
    dims.push_back(l.b.getAffineDimExpr(axis + i));
  AffineMap map = AffineMap::get(result.getRank(), 0, dims, l.b.getContext());
  Value source = l.operand(0);
  return Values{mapThrough(
      l, result, l.operand(1), map,
      [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
        SmallVector<Value> at;
        for (int64_t i = 0; i < data.getRank(); ++i) {
          int64_t dim = i <= axis ? i : i + picks.getRank() - 1;
          at.push_back(i == axis
                           ? indexInto(b, loc, x[0], data.getDimSize(axis))
                           : Value(linalg::IndexOp::create(b, loc, dim)));
        }
        return elementAt(b, loc, source, at);
      })};
}

static FailureOr<Values> lowerGatherElements(Lowering &l) {
  RankedTensorType data = l.operandType(0), result = l.resultType();
  int64_t axis =
      data ? axisOf(l.integer("axis", 0), data.getRank()) : int64_t(-1);
  if (axis < 0 || !l.operand(1))
    return l.unsupported("its axis is out of range");
  Value source = l.operand(0);
  return Values{mapElements(
      l, result, l.operand(1),
      [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
        SmallVector<Value> at;
        for (int64_t i = 0; i < data.getRank(); ++i)
          at.push_back(i == axis
                           ? indexInto(b, loc, x[0], data.getDimSize(axis))
                           : Value(linalg::IndexOp::create(b, loc, i)));
        return elementAt(b, loc, source, at);
      })};
}

/// The last dimension of the indices holds positions: of the dimensions of the
/// data from `first` on.
static SmallVector<Value> positions(OpBuilder &b, Location loc, Value indices,
                                    ValueRange prefix, RankedTensorType data,
                                    int64_t first) {
  SmallVector<Value> result, at(prefix);
  int64_t count = typeOf(indices).getShape().back();
  at.emplace_back();
  for (int64_t i = 0; i < count; ++i) {
    at.back() = indexValue(b, loc, i);
    result.push_back(indexInto(b, loc, elementAt(b, loc, indices, at),
                               data.getDimSize(first + i)));
  }
  return result;
}

static FailureOr<Values> lowerGatherND(Lowering &l) {
  RankedTensorType data = l.operandType(0), picks = l.operandType(1);
  int64_t batch = l.integer("batch_dims", 0);
  if (!data || !picks || picks.getRank() == 0 || batch < 0 ||
      batch >= picks.getRank() ||
      picks.getShape().back() + batch > data.getRank())
    return l.unsupported("its indices have another shape");
  Value source = l.operand(0), indices = l.operand(1);
  int64_t prefix = picks.getRank() - 1;
  return Values{fromIndices(
      l, l.resultType(),
      [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
        SmallVector<Value> from(at.take_front(batch));
        llvm::append_range(from, positions(b, loc, indices,
                                           at.take_front(prefix), data, batch));
        llvm::append_range(from, at.drop_front(prefix));
        return elementAt(b, loc, source, from);
      })};
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

/// What an update does to the element that is there.
static Value combined(Scalars &s, StringRef reduction, Value old,
                      Value update) {
  if (reduction == "add" || reduction == "mul")
    return inF32(s, old, [&](Value x) {
      Value y = s.cast(update, update.getType(), x.getType());
      return reduction == "add" ? s.add(x, y) : s.mul(x, y);
    });
  if (reduction == "min")
    return s.min(old, update);
  if (reduction == "max")
    return s.max(old, update);
  return update;
}

static Value put(Lowering &l, OpBuilder &b, Location loc, Value into,
                 ValueRange at, Value update) {
  Scalars s(b, loc, l.isUnsigned(0));
  StringRef reduction = l.kind();
  Value value =
      reduction == "none"
          ? update
          : combined(s, reduction, elementAt(b, loc, into, at), update);
  return tensor::InsertOp::create(b, loc, value, into, at);
}

static Values scatterElements(Lowering &l, int64_t axis) {
  RankedTensorType data = l.operandType(0);
  Value indices = l.operand(1), updates = l.operand(2);
  return loopOver(
      l, typeOf(updates).getShape(), l.operand(0),
      [&](OpBuilder &b, Location loc, ValueRange from, ValueRange carried) {
        SmallVector<Value> at(from);
        at[axis] = indexInto(b, loc, elementAt(b, loc, indices, from),
                             data.getDimSize(axis));
        return Values{
            put(l, b, loc, carried[0], at, elementAt(b, loc, updates, from))};
      });
}

static Values scatterND(Lowering &l) {
  RankedTensorType data = l.operandType(0);
  Value indices = l.operand(1), updates = l.operand(2);
  int64_t prefix = typeOf(indices).getRank() - 1;
  return loopOver(
      l, typeOf(updates).getShape(), l.operand(0),
      [&](OpBuilder &b, Location loc, ValueRange from, ValueRange carried) {
        SmallVector<Value> at =
            positions(b, loc, indices, from.take_front(prefix), data, 0);
        llvm::append_range(at, from.drop_front(prefix));
        return Values{
            put(l, b, loc, carried[0], at, elementAt(b, loc, updates, from))};
      });
}

/// The update's sequence stands at the batch row's own position, round the end
/// where the cache is circular.
static FailureOr<Values> lowerTensorScatter(Lowering &l) {
  RankedTensorType cache = l.operandType(0), update = l.operandType(1);
  int64_t axis = cache ? axisOf(l.integer("axis", -2), cache.getRank()) : -1;
  if (axis < 1 || !update)
    return l.unsupported("its axis is out of range");
  bool circular = l.text("mode", "linear") == "circular";
  Value updates = l.operand(1), starts = l.operand(2);
  int64_t size = cache.getDimSize(axis);
  return loopOver(
      l, update.getShape(), l.operand(0),
      [&](OpBuilder &b, Location loc, ValueRange from, ValueRange carried) {
        SmallVector<Value> at(from);
        if (starts) {
          Value start = arith::IndexCastOp::create(
              b, loc, b.getIndexType(), elementAt(b, loc, starts, from[0]));
          at[axis] = arith::AddIOp::create(b, loc, start, at[axis]);
        }
        if (circular)
          at[axis] = arith::RemSIOp::create(b, loc, at[axis],
                                            indexValue(b, loc, size));
        at[axis] = indexInto(b, loc, at[axis], size);
        Value put = tensor::InsertOp::create(
            b, loc, elementAt(b, loc, updates, from), carried[0], at);
        return Values{put};
      });
}

static FailureOr<Values> lowerScatter(Lowering &l) {
  if (l.opType() == "TensorScatter")
    return lowerTensorScatter(l);
  RankedTensorType data = l.operandType(0), indices = l.operandType(1),
                   updates = l.operandType(2);
  if (!data || !indices || !updates)
    return l.unsupported("it lacks an operand");
  if (!llvm::is_contained({"none", "add", "mul", "min", "max"}, l.kind()))
    return l.unsupported("reduction '" + l.kind() + "'");
  if (l.opType() == "ScatterND") {
    int64_t prefix = indices.getRank() - 1;
    if (prefix < 0 || indices.getShape().back() > data.getRank() ||
        updates.getRank() !=
            prefix + data.getRank() - indices.getShape().back())
      return l.unsupported("its indices have another shape");
    return scatterND(l);
  }
  int64_t axis = axisOf(l.integer("axis", 0), data.getRank());
  if (axis < 0 || indices.getShape() != updates.getShape() ||
      indices.getRank() != data.getRank())
    return l.unsupported("its updates have another shape");
  return scatterElements(l, axis);
}

void addIndexingRules(RuleTable &table) {
  table["rl.gather:rows"] = lowerGatherRows;
  table["rl.gather:elements"] = lowerGatherElements;
  table["rl.gather:nd"] = lowerGatherND;
  table["rl.scatter"] = lowerScatter;
}

} // namespace roofline::lowering
