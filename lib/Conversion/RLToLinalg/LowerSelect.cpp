//===- LowerSelect.cpp - running sums, the largest elements ---------------===//
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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// Running sums and products
//===----------------------------------------------------------------------===//

/// Along each line: the running value so far, in the order asked for.
static FailureOr<Values> lowerCumulate(Lowering &l) {
  RankedTensorType type = l.operandType(0);
  std::optional<Ints> stated = l.constantInts(1);
  if (!type || !stated || stated->size() != 1)
    return l.unsupported("its axis isn't known");
  int64_t axis = axisOf(stated->front(), type.getRank());
  if (axis < 0)
    return l.unsupported("its axis is out of range");
  bool exclusive = l.integer("exclusive", 0), reverse = l.integer("reverse", 0);
  bool product = l.kind() == "prod";
  int64_t size = type.getDimSize(axis);
  Type element = type.getElementType(), wide = accumulatorType(element, l.b);
  Value input = l.operand(0), start = scalar(l.b, l.loc, wide, product ? 1 : 0);
  SmallVector<int64_t> lines(type.getShape());
  lines.erase(lines.begin() + axis);
  auto step = [&](OpBuilder &b, Location loc, ValueRange line, Value i,
                  ValueRange carried) -> Values {
    Scalars s(b, loc, l.isUnsigned(0));
    Value along = reverse ? s.sub(indexValue(b, loc, size - 1), i) : i;
    SmallVector<Value> at(line);
    at.insert(at.begin() + axis, along);
    Value x = s.cast(elementAt(b, loc, input, at), element, wide);
    Value next = product ? s.mul(carried[1], x) : s.add(carried[1], x);
    Value shown = s.cast(exclusive ? carried[1] : next, wide, element);
    Value put = tensor::InsertOp::create(b, loc, shown, carried[0], at);
    return {put, next};
  };
  return loopOver(
      l, lines, emptyTensor(l, type),
      [&](OpBuilder &b, Location loc, ValueRange line, ValueRange carried) {
        auto loop = scf::ForOp::create(
            b, loc, indexValue(b, loc, 0), indexValue(b, loc, size),
            indexValue(b, loc, 1), ValueRange{carried[0], start},
            [&](OpBuilder &b, Location loc, Value i, ValueRange inner) {
              scf::YieldOp::create(b, loc, step(b, loc, line, i, inner));
            });
        return Values{loop.getResult(0)};
      });
}

//===----------------------------------------------------------------------===//
// TopK
//===----------------------------------------------------------------------===//

namespace {
/// Picks the k first of a line in order, each by a pass over the line: the best
/// among those behind what was picked last. Equal ones come by position; NaN
/// counts as larger than any number.
struct TopK {
  Lowering &l;
  RankedTensorType type;
  int64_t axis, count;
  bool largest;
  Value input = l.operand(0);

  Value isNaN(Scalars &s, Value x) {
    return arith::CmpFOp::create(s.b, s.loc, arith::CmpFPredicate::UNO, x, x);
  }

  /// Whether x comes before y by value alone.
  Value before(Scalars &s, Value x, Value y) {
    if (!largest)
      std::swap(x, y);
    Value greater = s.greater(x, y);
    if (!isa<FloatType>(x.getType()))
      return greater;
    Value both =
        arith::CmpFOp::create(s.b, s.loc, arith::CmpFPredicate::ORD, y, y);
    Value nan = arith::AndIOp::create(s.b, s.loc, isNaN(s, x), both);
    return arith::OrIOp::create(s.b, s.loc, greater, nan);
  }

  Value all(Scalars &s, Value a, Value b) {
    return arith::AndIOp::create(s.b, s.loc, a, b);
  }
  Value any(Scalars &s, Value a, Value b) {
    return arith::OrIOp::create(s.b, s.loc, a, b);
  }
  Value none(Scalars &s, Value a) {
    return arith::XOrIOp::create(s.b, s.loc, a, s.like(a, 1));
  }

  SmallVector<Value> position(ValueRange line, Value along) {
    SmallVector<Value> at(line);
    at.insert(at.begin() + axis, along);
    return at;
  }

  /// One element of the line against the best so far (value, position; none
  /// yet where that is -1), given what was picked last.
  Values consider(OpBuilder &b, Location loc, ValueRange line, Value i,
                  ValueRange best, ValueRange last) {
    Scalars s(b, loc, l.isUnsigned(0));
    Value x = elementAt(b, loc, input, position(line, i));
    Value no = indexValue(b, loc, -1);
    Value behind = before(s, last[0], x);
    Value same = none(s, any(s, behind, before(s, x, last[0])));
    Value open = any(s, behind, all(s, same, s.greater(i, last[1])));
    open = any(s, open, s.equal(last[1], no));
    Value better = any(s, s.equal(best[1], no), before(s, x, best[0]));
    Value taken = all(s, open, better);
    return {s.select(taken, x, best[0]), s.select(taken, i, best[1])};
  }

  Values scan(OpBuilder &b, Location loc, ValueRange line, ValueRange last) {
    Value none = indexValue(b, loc, -1);
    Value zero = scalar(b, loc, type.getElementType(), 0);
    auto loop = scf::ForOp::create(
        b, loc, indexValue(b, loc, 0),
        indexValue(b, loc, type.getDimSize(axis)), indexValue(b, loc, 1),
        ValueRange{zero, none},
        [&](OpBuilder &b, Location loc, Value i, ValueRange best) {
          scf::YieldOp::create(b, loc, consider(b, loc, line, i, best, last));
        });
    return Values(loop.getResults());
  }

  Values pick(OpBuilder &b, Location loc, ValueRange line, ValueRange carried) {
    Value none = indexValue(b, loc, -1);
    Value zero = scalar(b, loc, type.getElementType(), 0);
    auto loop = scf::ForOp::create(
        b, loc, indexValue(b, loc, 0), indexValue(b, loc, count),
        indexValue(b, loc, 1), ValueRange{carried[0], carried[1], zero, none},
        [&](OpBuilder &b, Location loc, Value j, ValueRange state) {
          Values best = scan(b, loc, line, state.drop_front(2));
          SmallVector<Value> at = position(line, j);
          Value values =
              tensor::InsertOp::create(b, loc, best[0], state[0], at);
          Value number =
              arith::IndexCastOp::create(b, loc, b.getI64Type(), best[1]);
          Value places = tensor::InsertOp::create(b, loc, number, state[1], at);
          scf::YieldOp::create(b, loc,
                               ValueRange{values, places, best[0], best[1]});
        });
    return Values(loop.getResults().take_front(2));
  }
};
} // namespace

static FailureOr<Values> lowerTopK(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  int64_t axis = type ? axisOf(l.integer("axis", -1), type.getRank()) : -1;
  if (axis < 0 || result.getDimSize(axis) > type.getDimSize(axis))
    return l.unsupported("its axis is out of range");
  TopK top{l, type, axis, result.getDimSize(axis),
           l.integer("largest", 1) != 0};
  SmallVector<int64_t> lines(type.getShape());
  lines.erase(lines.begin() + axis);
  Value values = emptyTensor(l, withShape(type, result.getShape()));
  Value places = emptyTensor(
      l, RankedTensorType::get(result.getShape(), l.b.getI64Type()));
  Values both = loopOver(
      l, lines, {values, places},
      [&](OpBuilder &b, Location loc, ValueRange line, ValueRange carried) {
        return top.pick(b, loc, line, carried);
      });
  Values results;
  for (unsigned i = 0; i < l.numResults(); ++i)
    results.push_back(both[l.resultNumber(i) == 0 ? 0 : 1]);
  return results;
}

void addSelectRules(RuleTable &table) {
  table["rl.cumulate"] = lowerCumulate;
  table["rl.topk"] = lowerTopK;
}

} // namespace roofline::lowering
