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
/// An element and its position in the line.
struct Element {
  Value value, place;
};

/// The k first of a line in order: a heap of those seen so far, the last of
/// them at its root, lies where the results will; it is sorted in the end
/// (Williams, Heapsort, 1964). Equal elements come by position; NaN counts as
/// larger than any number.
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

  Value comesBefore(Scalars &s, Element x, Element y) {
    Value behind = before(s, y.value, x.value);
    Value notBehind =
        arith::XOrIOp::create(s.b, s.loc, behind, s.like(behind, 1));
    Value first = arith::AndIOp::create(s.b, s.loc, notBehind,
                                        s.greater(y.place, x.place));
    return arith::OrIOp::create(s.b, s.loc, before(s, x.value, y.value), first);
  }

  SmallVector<Value> position(ValueRange line, Value along) {
    SmallVector<Value> at(line);
    at.insert(at.begin() + axis, along);
    return at;
  }

  Element load(Scalars &s, ValueRange line, ValueRange heap, Value i) {
    SmallVector<Value> at = position(line, i);
    return {elementAt(s.b, s.loc, heap[0], at),
            elementAt(s.b, s.loc, heap[1], at)};
  }

  Values store(Scalars &s, ValueRange line, ValueRange heap, Value i,
               Element x) {
    SmallVector<Value> at = position(line, i);
    return {tensor::InsertOp::create(s.b, s.loc, x.value, heap[0], at),
            tensor::InsertOp::create(s.b, s.loc, x.place, heap[1], at)};
  }

  Element inputAt(Scalars &s, ValueRange line, Value i) {
    Value place = arith::IndexCastOp::create(s.b, s.loc, s.b.getI64Type(), i);
    return {elementAt(s.b, s.loc, input, position(line, i)), place};
  }

  /// Puts x where `hole` is or, with those that come behind it moved up, below
  /// it, in a heap of `size`.
  Values sift(Scalars &s, ValueRange line, ValueRange heap, Value hole,
              Value size, Element x) {
    OpBuilder &b = s.b;
    Location loc = s.loc;
    auto loop = scf::WhileOp::create(
        b, loc,
        TypeRange{heap[0].getType(), heap[1].getType(), b.getIndexType()},
        ValueRange{heap[0], heap[1], hole},
        [&](OpBuilder &b, Location loc, ValueRange state) {
          // Of two children the later; beyond the end whatever is there.
          Scalars s(b, loc, l.isUnsigned(0));
          Value one = indexValue(b, loc, 1), last = s.sub(size, one);
          Value left = s.add(s.mul(state[2], indexValue(b, loc, 2)), one);
          Value right = arith::MinSIOp::create(b, loc, s.add(left, one), last);
          Value inside = arith::MinSIOp::create(b, loc, left, last);
          ValueRange now = state.take_front(2);
          Value rightIsLater = comesBefore(s, load(s, line, now, inside),
                                           load(s, line, now, right));
          Value child = s.select(rightIsLater, right, inside);
          Value isChild = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::slt, left, size);
          Value moves = arith::AndIOp::create(
              b, loc, isChild, comesBefore(s, x, load(s, line, now, child)));
          scf::ConditionOp::create(
              b, loc, moves,
              ValueRange{state[0], state[1], s.select(moves, child, state[2])});
        },
        [&](OpBuilder &b, Location loc, ValueRange state) {
          Scalars s(b, loc, l.isUnsigned(0));
          ValueRange now = state.take_front(2);
          Value one = indexValue(b, loc, 1);
          Value parent = arith::DivUIOp::create(b, loc, s.sub(state[2], one),
                                                indexValue(b, loc, 2));
          Values moved =
              store(s, line, now, parent, load(s, line, now, state[2]));
          scf::YieldOp::create(b, loc,
                               ValueRange{moved[0], moved[1], state[2]});
        });
    return store(s, line, loop.getResults().take_front(2), loop.getResult(2),
                 x);
  }

  /// `body(i, heap)` for i from `from` to `to`.
  Values each(OpBuilder &b, Location loc, int64_t from, int64_t to,
              ValueRange heap,
              function_ref<Values(Scalars &, Value, ValueRange)> body) {
    auto loop = scf::ForOp::create(
        b, loc, indexValue(b, loc, from), indexValue(b, loc, to),
        indexValue(b, loc, 1), heap,
        [&](OpBuilder &b, Location loc, Value i, ValueRange state) {
          Scalars s(b, loc, l.isUnsigned(0));
          scf::YieldOp::create(b, loc, body(s, i, state));
        });
    return Values(loop.getResults());
  }

  /// Takes what comes before the last of the heap in place of it.
  Values consider(Scalars &s, ValueRange line, Value i, ValueRange heap) {
    Element x = inputAt(s, line, i);
    Value root = indexValue(s.b, s.loc, 0);
    Value better = comesBefore(s, x, load(s, line, heap, root));
    auto taken = scf::IfOp::create(
        s.b, s.loc, better,
        [&](OpBuilder &b, Location loc) {
          Scalars s(b, loc, l.isUnsigned(0));
          scf::YieldOp::create(b, loc,
                               sift(s, line, heap, indexValue(b, loc, 0),
                                    indexValue(b, loc, count), x));
        },
        [&](OpBuilder &b, Location loc) {
          scf::YieldOp::create(b, loc, heap);
        });
    return Values(taken.getResults());
  }

  Values pick(OpBuilder &b, Location loc, ValueRange line, ValueRange heap) {
    int64_t size = type.getDimSize(axis);
    Values state =
        each(b, loc, 0, count, heap, [&](Scalars &s, Value i, ValueRange now) {
          return store(s, line, now, i, inputAt(s, line, i));
        });
    state = each(
        b, loc, 0, count / 2, state, [&](Scalars &s, Value i, ValueRange now) {
          Value hole = s.sub(indexValue(s.b, s.loc, count / 2 - 1), i);
          return sift(s, line, now, hole, indexValue(s.b, s.loc, count),
                      load(s, line, now, hole));
        });
    state = each(b, loc, count, size, state,
                 [&](Scalars &s, Value i, ValueRange now) {
                   return consider(s, line, i, now);
                 });
    return each(
        b, loc, 1, count, state, [&](Scalars &s, Value i, ValueRange now) {
          Value last = s.sub(indexValue(s.b, s.loc, count), i);
          Value root = indexValue(s.b, s.loc, 0);
          Element x = load(s, line, now, last);
          Values next = store(s, line, now, last, load(s, line, now, root));
          return sift(s, line, next, root, last, x);
        });
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
        return top.count == 0 ? Values(carried)
                              : top.pick(b, loc, line, carried);
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
