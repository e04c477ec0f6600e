//===- LowerSoftmax.cpp - softmax, log-softmax, hardmax -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "Rules.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace roofline::lowering {

namespace {
/// Rows of a tensor: what is folded, and how rows and elements are addressed.
struct Rows {
  Rows(Lowering &l, RankedTensorType type, ArrayRef<int64_t> axes)
      : axes(axes), all(l.b.getMultiDimIdentityMap(type.getRank())),
        row(withoutAxes(l.b, type.getRank(), axes)) {}
  ArrayRef<int64_t> axes;
  AffineMap all, row;
};
} // namespace

/// A map over all elements that also reads a number of their row.
static Value mapRows(Lowering &l, RankedTensorType result, const Rows &rows,
                     Value elements, ArrayRef<Value> ofRows, ScalarBody body) {
  Values inputs{elements};
  SmallVector<AffineMap> maps{rows.all};
  for (Value value : ofRows) {
    inputs.push_back(value);
    maps.push_back(rows.row);
  }
  maps.push_back(rows.all);
  return generic(l, inputs, emptyTensor(l, result), maps,
                 [&](OpBuilder &b, Location loc, ValueRange x) {
                   return body(b, loc, x.drop_back());
                 });
}

static Value sumRows(Lowering &l, Value input, const Rows &rows, Type element,
                     llvm::function_ref<Value(Scalars &, Value)> term) {
  return reduceTo(
      l, input, rows.axes, element,
      [](Scalars &s, Type type) { return s.number(type, 0); },
      [&](Scalars &s, Value x, Value acc) { return s.add(acc, term(s, x)); },
      false);
}

/// exp(x − m) / Σ exp(x − m), or (x − m) − log Σ exp(x − m), for the row's
/// greatest element m: neither overflows.
static Value softmaxOf(Lowering &l, Value input, ArrayRef<int64_t> axes,
                       bool logarithm) {
  auto type = cast<RankedTensorType>(input.getType());
  Type element = accumulatorType(type.getElementType(), l.b);
  auto wide = RankedTensorType::get(type.getShape(), element);
  Rows rows(l, type, axes);
  Value most = reduceTo(
      l, input, axes, element, leastNumber,
      [](Scalars &s, Value x, Value acc) { return s.maxNumber(acc, x); },
      false);
  Value shifted = mapRows(l, wide, rows, input, most,
                          [&](OpBuilder &b, Location loc, ValueRange x) {
                            Scalars s(b, loc, false);
                            Value apart =
                                s.sub(widened(s, x[0], element), x[1]);
                            return logarithm ? apart : s.exp(apart);
                          });
  Value sum = sumRows(l, shifted, rows, element, [&](Scalars &s, Value x) {
    return logarithm ? s.exp(x) : x;
  });
  // Once a row: a division takes as long as ten multiplications.
  Value ofRow = mapElements(l, cast<RankedTensorType>(sum.getType()), sum,
                            [&](OpBuilder &b, Location loc, ValueRange x) {
                              Scalars s(b, loc, false);
                              return logarithm ? s.log(x[0])
                                               : s.div(s.like(x[0], 1), x[0]);
                            });
  return mapRows(l, type, rows, shifted, ofRow,
                 [&](OpBuilder &b, Location loc, ValueRange x) {
                   Scalars s(b, loc, false);
                   Value y = logarithm ? s.sub(x[0], x[1]) : s.mul(x[0], x[1]);
                   return s.cast(y, element, type.getElementType());
                 });
}

/// 1 at the first of a row's greatest elements, else 0.
static Value hardmaxOf(Lowering &l, Value input, int64_t axis) {
  auto type = cast<RankedTensorType>(input.getType());
  Value at = positionOf(l, input, axis, false, false, false);
  return mapRows(
      l, type, Rows(l, type, axis), input, at,
      [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        Value here = arith::IndexCastOp::create(
            b, loc, b.getI64Type(), linalg::IndexOp::create(b, loc, axis));
        return s.select(s.equal(here, x[1]), s.like(x[0], 1), s.like(x[0], 0));
      });
}

static FailureOr<Values> lowerSoftmax(Lowering &l) {
  auto op = cast<rl::SoftmaxOp>(l.op);
  Value input = l.operand(0);
  if (!input || l.numResults() != 1 || input.getType() != l.resultType() ||
      !isa<FloatType>(l.resultType().getElementType()))
    return l.unsupported("a softmax of this form");
  RankedTensorType type = l.resultType();
  int64_t rank = type.getRank(), axis = op.getAxis();
  if (rank == 0) { // one row of one element
    type = RankedTensorType::get({1}, type.getElementType());
    input = reshaped(l, input, type);
    rank = 1;
  }
  Ints axes{axis};
  if (op.getFlattened())
    axes = llvm::to_vector<4>(llvm::seq<int64_t>(axis, rank));
  if (l.kind() == "hardmax" && axes.size() > 1) {
    // The first of a row is the first in row-major order.
    int64_t inner = 1;
    for (int64_t size : type.getShape().drop_front(axis))
      inner *= size;
    if (inner == 0)
      return Values{input};
    auto flat = RankedTensorType::get({type.getNumElements() / inner, inner},
                                      type.getElementType());
    return Values{reshaped(l, hardmaxOf(l, reshaped(l, input, flat), 1), type)};
  }
  Value result;
  if (l.kind() == "hardmax")
    result = hardmaxOf(l, input, axis);
  else
    result = softmaxOf(l, input, axes, l.kind() == "log_softmax");
  return Values{reshaped(l, result, l.resultType())};
}

void addSoftmaxRules(RuleTable &table) { table["rl.softmax"] = lowerSoftmax; }

} // namespace roofline::lowering
