//===- LowerGenerate.cpp - tensors made from indices ----------------------===//
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
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace roofline::lowering {

/// An index as a number of `type`.
static Value asNumber(Scalars &s, Value index, Type type) {
  Value wide = arith::IndexCastOp::create(s.b, s.loc, s.b.getI64Type(), index);
  return s.cast(wide, s.b.getI64Type(), type);
}

/// The one element of a constant operand as a number of `type`.
static Value constantNumber(Lowering &l, unsigned i, Type type) {
  if (std::optional<Ints> values = l.constantInts(i);
      values && values->size() == 1 && type.isInteger())
    return arith::ConstantOp::create(l.b, l.loc,
                                     l.b.getIntegerAttr(type, values->front()));
  if (auto values = l.constantReals(i);
      values && values->size() == 1 && isa<FloatType>(type))
    return scalar(l.b, l.loc, type, values->front());
  return {};
}

/// start + i·delta; narrow floats in between as f32, or as `stash_type` says.
static FailureOr<Values> lowerRange(Lowering &l) {
  RankedTensorType type = l.resultType();
  Type element = type.getElementType(), wide = element;
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
    wide = l.integer("stash_type", 1) == 11 ? Type(l.b.getF64Type())
                                            : Type(l.b.getF32Type());
  Value start = constantNumber(l, 0, wide), delta = constantNumber(l, 2, wide);
  if (!start || (!delta && l.numOperands() > 2))
    return l.unsupported("where it starts isn't known");
  if (!delta)
    delta = scalar(l.b, l.loc, wide, 1);
  return Values{fromIndices(
      l, type, [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
        Scalars s(b, loc, false);
        Value value = s.add(start, s.mul(asNumber(s, at[0], wide), delta));
        return s.cast(value, wide, element);
      })};
}

static FailureOr<Values> lowerEyeLike(Lowering &l) {
  RankedTensorType type = l.resultType();
  if (type.getRank() != 2)
    return l.unsupported("no matrix");
  int64_t shift = l.integer("k", 0);
  return Values{fromIndices(
      l, type, [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
        Scalars s(b, loc, false);
        Value there = s.equal(s.add(at[0], indexValue(b, loc, shift)), at[1]);
        Type element = type.getElementType();
        return s.select(there, scalar(b, loc, element, 1),
                        scalar(b, loc, element, 0));
      })};
}

/// Off and on (operand 2) by where the index along the new axis is the one that
/// the indices name; a negative one counts from the end, one out of range names
/// none.
static FailureOr<Values> lowerOneHot(Lowering &l) {
  RankedTensorType type = l.resultType(), indices = l.operandType(0);
  Value values = l.operand(2);
  int64_t axis = axisOf(l.integer("axis", -1), type.getRank());
  if (axis < 0 || !indices || !values || typeOf(values).getNumElements() != 2)
    return l.unsupported("its axis or its values aren't known");
  SmallVector<AffineExpr> dims;
  for (int64_t i = 0; i < indices.getRank(); ++i)
    dims.push_back(l.b.getAffineDimExpr(i < axis ? i : i + 1));
  AffineMap map = AffineMap::get(type.getRank(), 0, dims, l.b.getContext());
  int64_t depth = type.getDimSize(axis);
  Type from = l.elementType(0), i64 = l.b.getI64Type();
  return Values{
      mapThrough(l, type, l.operand(0), map,
                 [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
                   Scalars s(b, loc, false);
                   Value wanted = s.cast(x[0], from, i64);
                   Value fromEnd = s.add(wanted, scalar(b, loc, i64, depth));
                   wanted = s.select(s.less(wanted, scalar(b, loc, i64, 0)),
                                     fromEnd, wanted);
                   Value here = arith::IndexCastOp::create(
                       b, loc, i64, linalg::IndexOp::create(b, loc, axis));
                   Value off = elementAt(b, loc, values, indexValue(b, loc, 0));
                   Value on = elementAt(b, loc, values, indexValue(b, loc, 1));
                   return s.select(s.equal(wanted, here), on, off);
                 })};
}

/// c0 + c1·cos(2πi/N) + c2·cos(4πi/N)
static FailureOr<Values> lowerWindow(Lowering &l) {
  RankedTensorType type = l.resultType();
  double c[3] = {0.5, -0.5, 0};
  if (l.opType() == "HammingWindow") {
    c[0] = 25.0 / 46;
    c[1] = -21.0 / 46;
  } else if (l.opType() == "BlackmanWindow") {
    c[0] = 0.42;
    c[2] = 0.08;
  } else if (l.opType() != "HannWindow")
    return l.unsupported("a window of this kind");
  int64_t length = type.getNumElements() - (l.integer("periodic", 1) ? 0 : 1);
  Type f64 = l.b.getF64Type();
  return Values{fromIndices(
      l, type, [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
        Scalars s(b, loc, false);
        constexpr double turn = 6.283185307179586476925;
        Value angle = s.mul(asNumber(s, at[0], f64),
                            s.number(f64, turn / double(length)));
        Value value = s.number(f64, c[0]);
        for (int k = 1; k <= 2; ++k) {
          if (c[k] == 0)
            continue;
          Value cosine =
              math::CosOp::create(b, loc, s.mul(angle, s.number(f64, k)));
          value = s.add(value, s.mul(cosine, s.number(f64, c[k])));
        }
        return s.cast(value, f64, l.resultElement());
      })};
}

void addGenerateRules(RuleTable &table) {
  table["rl.generate:range"] = lowerRange;
  table["rl.generate:eye_like"] = lowerEyeLike;
  table["rl.generate:one_hot"] = lowerOneHot;
  table["rl.generate:window"] = lowerWindow;
}

} // namespace roofline::lowering
