//===- LowerReduce.cpp - reductions ---------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "Rules.h"
#include "Windows.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// Sums and extremes
//===----------------------------------------------------------------------===//

namespace {
/// How a kind of reduction goes: what it starts from, what an element adds,
/// what is done to the outcome.
struct Reduction {
  using Number = Value (*)(Scalars &, Type);
  using Fold = Value (*)(Scalars &, Value x, Value acc);
  using Finish = Value (*)(Scalars &, Value acc, double count);
  Number start;
  Fold fold;
  Finish finish = nullptr;
};
} // namespace

static Value zero(Scalars &s, Type type) { return s.number(type, 0); }
static Value one(Scalars &s, Type type) { return s.number(type, 1); }

static Value addSquare(Scalars &s, Value x, Value acc) {
  return s.add(acc, s.mul(x, x));
}

static Value addElement(Scalars &s, Value x, Value acc) {
  return s.add(acc, x);
}

static const llvm::StringMap<Reduction> &reductions() {
  static const llvm::StringMap<Reduction> table = {
      {"sum", {zero, addElement}},
      {"mean",
       {zero, addElement,
        [](Scalars &s, Value acc, double count) {
          return s.div(acc, s.like(acc, count));
        }}},
      {"prod",
       {one, [](Scalars &s, Value x, Value acc) { return s.mul(acc, x); }}},
      {"max",
       {leastNumber,
        [](Scalars &s, Value x, Value acc) { return s.max(acc, x); }}},
      {"min",
       {greatestNumber,
        [](Scalars &s, Value x, Value acc) { return s.min(acc, x); }}},
      {"any",
       {leastNumber,
        [](Scalars &s, Value x, Value acc) { return s.max(acc, x); }}},
      {"all",
       {greatestNumber,
        [](Scalars &s, Value x, Value acc) { return s.min(acc, x); }}},
      {"l1",
       {zero,
        [](Scalars &s, Value x, Value acc) { return s.add(acc, s.abs(x)); }}},
      {"sum_square", {zero, addSquare}},
      {"l2",
       {zero, addSquare,
        [](Scalars &s, Value acc, double) { return s.sqrt(acc); }}},
      {"log_sum",
       {zero, addElement,
        [](Scalars &s, Value acc, double) { return s.log(acc); }}},
  };
  return table;
}

Value reduceTo(Lowering &l, Value input, ArrayRef<int64_t> axes, Type element,
               llvm::function_ref<Value(Scalars &, Type)> start,
               llvm::function_ref<Value(Scalars &, Value, Value)> fold,
               bool isUnsigned) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> kept;
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(axes, int64_t(i)))
      kept.push_back(size);
  Scalars outside(l.b, l.loc, isUnsigned);
  Value init = filledTensor(l, RankedTensorType::get(kept, element),
                            start(outside, element));
  return reduceDims(l, input, init, axes,
                    [&](OpBuilder &b, Location loc, ValueRange x) {
                      Scalars s(b, loc, isUnsigned);
                      return fold(s, widened(s, x[0], element), x[1]);
                    });
}

Value widened(Scalars &s, Value x, Type type) {
  Type from = x.getType();
  if (from == type)
    return x;
  if (isa<IntegerType>(from) && s.isUnsigned)
    from = IntegerType::get(from.getContext(), from.getIntOrFloatBitWidth(),
                            IntegerType::Unsigned);
  return s.cast(x, from, type);
}

/// Elements that a result has fewer of, for each of its own.
static double reducedCount(RankedTensorType type, ArrayRef<int64_t> axes) {
  double count = 1;
  for (int64_t axis : axes)
    count *= type.getDimSize(axis);
  return count;
}

/// log Σ exp(x), as m + log Σ exp(x − m) for the greatest x, which can't
/// overflow. Where m is infinite it is left out.
static Value logSumExp(Lowering &l, Value input, ArrayRef<int64_t> axes,
                       Type element) {
  auto type = cast<RankedTensorType>(input.getType());
  Value most = reduceTo(
      l, input, axes, element, leastNumber,
      [](Scalars &s, Value x, Value acc) { return s.max(acc, x); }, false);
  auto row = cast<RankedTensorType>(most.getType());
  most =
      mapElements(l, row, most, [](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        Value finite = s.less(s.abs(x[0]), s.like(x[0], INFINITY));
        return s.select(finite, x[0], s.like(x[0], 0));
      });
  AffineMap all = l.b.getMultiDimIdentityMap(type.getRank());
  AffineMap rows = withoutAxes(l.b, type.getRank(), axes);
  Value init = filledTensor(l, row, scalar(l.b, l.loc, element, 0));
  Value sum = generic(l, {input, most}, init, {all, rows, rows},
                      [&](OpBuilder &b, Location loc, ValueRange x) {
                        Scalars s(b, loc, false);
                        Value wide = widened(s, x[0], element);
                        return s.add(x[2], s.exp(s.sub(wide, x[1])));
                      });
  return mapElements(l, row, {sum, most},
                     [](OpBuilder &b, Location loc, ValueRange x) {
                       Scalars s(b, loc, false);
                       return s.add(s.log(x[0]), x[1]);
                     });
}

//===----------------------------------------------------------------------===//
// Positions of extremes
//===----------------------------------------------------------------------===//

Value positionOf(Lowering &l, Value input, int64_t axis, bool isUnsigned,
                 bool least, bool last) {
  auto type = cast<RankedTensorType>(input.getType());
  Type element = type.getElementType(), i64 = l.b.getI64Type();
  SmallVector<int64_t> kept(type.getShape());
  kept.erase(kept.begin() + axis);
  Scalars outside(l.b, l.loc, isUnsigned);
  Value start =
      least ? greatestNumber(outside, element) : leastNumber(outside, element);
  Value best = filledTensor(l, RankedTensorType::get(kept, element), start);
  Value at = filledTensor(l, RankedTensorType::get(kept, i64),
                          scalar(l.b, l.loc, i64, 0));
  AffineMap all = l.b.getMultiDimIdentityMap(type.getRank());
  AffineMap rows = withoutAxes(l.b, type.getRank(), axis);
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  iterators[axis] = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             l.b, l.loc, TypeRange{best.getType(), at.getType()}, input,
             ValueRange{best, at}, ArrayRef<AffineMap>{all, rows, rows},
             iterators,
             [&](OpBuilder &b, Location loc, ValueRange x) {
               Scalars s(b, loc, isUnsigned);
               Value better = least ? s.less(x[0], x[1]) : s.less(x[1], x[0]);
               if (last)
                 better =
                     arith::OrIOp::create(b, loc, better, s.equal(x[0], x[1]));
               Value here = arith::IndexCastOp::create(
                   b, loc, i64, linalg::IndexOp::create(b, loc, axis));
               linalg::YieldOp::create(
                   b, loc,
                   ValueRange{s.select(better, x[0], x[1]),
                              s.select(better, here, x[2])});
             })
      .getResult(1);
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

static FailureOr<Values> lowerReduce(Lowering &l) {
  auto op = cast<rl::ReduceOp>(l.op);
  Value input = l.operand(0);
  if (!input || l.numResults() != 1)
    return l.unsupported("a reduction of this form");
  if (l.opType() == "Col2Im")
    return lowerCol2Im(l);
  if (l.operands().size() > 1 && op->getNumOperands() > 1)
    return l.unsupported("a reduction of quantised elements");
  auto type = cast<RankedTensorType>(input.getType());
  RankedTensorType result = l.resultType();
  StringRef kind = l.kind();
  ArrayRef<int64_t> axes = op.getAxes();
  if (isa<ComplexType>(type.getElementType()))
    return l.unsupported("elements are complex");
  if (kind == "argmax" || kind == "argmin")
    return Values{reshaped(l,
                           positionOf(l, input, axes[0], l.isUnsigned(0),
                                      kind == "argmin",
                                      l.integer("select_last_index", 0)),
                           result)};
  Type element = type.getElementType();
  bool isExtreme = llvm::is_contained({"max", "min", "any", "all"}, kind);
  bool isReal = isa<FloatType>(element);
  Type wide = isExtreme ? element : accumulatorType(element, l.b);
  Value reduced;
  if (kind == "log_sum_exp" && isReal) {
    reduced = logSumExp(l, input, axes, wide);
  } else {
    auto found = reductions().find(kind);
    if (found == reductions().end() ||
        (!isReal && (kind == "l2" || kind == "log_sum")))
      return l.unsupported("a reduction of kind '" + kind + "'");
    const Reduction &reduction = found->second;
    bool isUnsigned = l.isUnsigned(0);
    reduced = reduceTo(l, input, axes, wide, reduction.start, reduction.fold,
                       isUnsigned);
    if (reduction.finish)
      reduced = mapElements(
          l, cast<RankedTensorType>(reduced.getType()), reduced,
          [&](OpBuilder &b, Location loc, ValueRange x) {
            Scalars s(b, loc, isUnsigned);
            return reduction.finish(s, x[0], reducedCount(type, axes));
          });
  }
  return Values{reshaped(
      l, castElements(l, reduced, wide, result.getElementType()), result)};
}

void addReduceRules(RuleTable &table) { table["rl.reduce"] = lowerReduce; }

} // namespace roofline::lowering
