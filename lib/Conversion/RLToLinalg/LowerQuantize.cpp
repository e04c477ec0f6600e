//===- LowerQuantize.cpp - to quantized elements and back -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowFloats.h"
#include "Quantized.h"
#include "Rules.h"
#include "Slices.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace roofline::lowering {

/// Where an element of the input finds its scale: one for all, one for each
/// position along the axis, or one for each block along it.
static FailureOr<AffineMap> scaleMap(Lowering &l, RankedTensorType scale,
                                     RankedTensorType input) {
  int64_t rank = input.getRank(), block = l.integer("block_size", 0);
  SmallVector<AffineExpr> dims(scale.getRank(), l.b.getAffineConstantExpr(0));
  int64_t axis = axisOf(l.integer("axis", 1), rank);
  if (scale.getNumElements() != 1) {
    if (axis < 0)
      return l.unsupported("its axis is out of range");
    if (scale.getRank() == 1 && scale.getDimSize(0) == input.getDimSize(axis)) {
      dims[0] = l.b.getAffineDimExpr(axis);
    } else if (scale.getRank() == rank && block > 0 &&
               llvm::divideCeil(input.getDimSize(axis), block) ==
                   uint64_t(scale.getDimSize(axis))) {
      for (int64_t i = 0; i < rank; ++i)
        dims[i] = l.b.getAffineDimExpr(i);
      dims[axis] = dims[axis].floorDiv(block);
    } else {
      return l.unsupported("scales of another shape");
    }
  }
  return AffineMap::get(rank, 0, dims, l.b.getContext());
}

/// Input, scale and, where it is there, zero point, elementwise.
static FailureOr<Values> mapScaled(Lowering &l, ScalarBody body) {
  RankedTensorType input = l.operandType(0);
  Values inputs = {l.operand(0), l.operand(1)};
  if (!inputs[0] || !inputs[1])
    return l.unsupported("its scale isn't there");
  if (Value zero = l.operand(2))
    inputs.push_back(zero);
  SmallVector<AffineMap> maps = {l.b.getMultiDimIdentityMap(input.getRank())};
  for (Value value : ArrayRef(inputs).drop_front()) {
    FailureOr<AffineMap> map = scaleMap(l, typeOf(value), input);
    if (failed(map))
      return failure();
    maps.push_back(*map);
  }
  return Values{mapThrough(l, l.resultType(), inputs, maps, body)};
}

//===----------------------------------------------------------------------===//
// QuantizeLinear, DequantizeLinear
//===----------------------------------------------------------------------===//

/// The type that x / scale is computed in: the scale's, or as `precision` says.
static Type divisionType(Lowering &l) {
  switch (l.integer("precision", 0)) {
  case 1:
    return l.b.getF32Type();
  case 10:
    return l.b.getF16Type();
  case 11:
    return l.b.getF64Type();
  case 16:
    return l.b.getBF16Type();
  default:
    return isa<FloatType>(l.elementType(0)) ? l.elementType(1)
                                            : Type(l.b.getF64Type());
  }
}

/// round(y) + zero, saturated; `y` of f32 or f64.
static Value toInteger(Scalars &s, Value y, Value zero, Type to) {
  unsigned width = to.getIntOrFloatBitWidth();
  bool isUnsigned = to.isUnsignedInteger();
  double low = isUnsigned ? 0 : -double(int64_t(1) << (width - 1));
  double high = double((int64_t(1) << (isUnsigned ? width : width - 1)) - 1);
  y = math::RoundEvenOp::create(s.b, s.loc, y);
  // Clamped as a float, which holds all sums that stay in range; NaN is low.
  if (zero)
    y = s.add(y, s.cast(zero, to, y.getType()));
  y = arith::MaxNumFOp::create(s.b, s.loc, y, s.like(y, low));
  y = arith::MinNumFOp::create(s.b, s.loc, y, s.like(y, high));
  return s.cast(y, y.getType(), to);
}

static FailureOr<Values> lowerQuantize(Lowering &l) {
  Type to = l.resultElement(), from = l.elementType(0);
  Type division = divisionType(l);
  bool isInteger = isa<IntegerType>(to);
  if (!isa<FloatType>(division) || isNarrowFloat(division) ||
      (isInteger && to.getIntOrFloatBitWidth() > 16))
    return l.unsupported("elements of these types");
  return mapScaled(l, [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
    Scalars s(b, loc, false);
    s.saturates = l.integer("saturate", 1) != 0;
    Type wide = division.isF64() ? division : Type(b.getF32Type());
    Value y = s.div(s.cast(x[0], from, division),
                    s.cast(x[1], l.elementType(1), division));
    y = s.cast(y, division, wide);
    if (isInteger)
      return toInteger(s, y, x.size() > 2 ? x[2] : Value(), to);
    // The zero point of floats is 0.
    return s.cast(y, wide, to);
  });
}

static FailureOr<Values> lowerDequantize(Lowering &l) {
  Type to = l.resultElement(), from = l.elementType(0);
  if (!isa<FloatType>(to))
    return l.unsupported("elements of these types");
  return mapScaled(l, [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
    Scalars s(b, loc, false);
    Type f32 = b.getF32Type();
    Value y = s.cast(x[0], from, f32);
    if (x.size() > 2 && isa<IntegerType>(from))
      y = s.sub(y, s.cast(x[2], l.elementType(2), f32));
    return s.cast(s.mul(y, s.cast(x[1], l.elementType(1), f32)), f32, to);
  });
}

//===----------------------------------------------------------------------===//
// DynamicQuantizeLinear
//===----------------------------------------------------------------------===//

/// The largest (least) element, or 0, as a tensor without dimensions.
static Value extremeOf(Lowering &l, Value input, bool largest) {
  RankedTensorType type = typeOf(input);
  auto axes = llvm::to_vector<4>(llvm::seq<int64_t>(0, type.getRank()));
  return reduceDims(l, input, zeroOf(l, withShape(type, {})), axes,
                    [&](OpBuilder &b, Location loc, ValueRange x) {
                      Scalars s(b, loc, false);
                      return largest ? s.max(x[0], x[1]) : s.min(x[0], x[1]);
                    });
}

static FailureOr<Values> lowerDynamicQuantize(Lowering &l) {
  RankedTensorType type = l.operandType(0);
  if (!type || !type.getElementType().isF32())
    return l.unsupported("elements of this type");
  Value input = l.operand(0);
  Value low = extremeOf(l, input, false), high = extremeOf(l, input, true);
  RankedTensorType one = withShape(type, {});
  Type ui8 = IntegerType::get(l.b.getContext(), 8, IntegerType::Unsigned);
  auto point = RankedTensorType::get({}, l.b.getI8Type());
  Value scale = mapElements(
      l, one, {low, high}, [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        Value range = s.sub(x[1], x[0]);
        Value isNothing = s.equal(range, s.like(range, 0));
        return s.div(s.select(isNothing, s.like(range, 1), range),
                     s.like(range, 255));
      });
  Value zero = mapElements(
      l, point, {low, scale}, [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        return toInteger(s, s.neg(s.div(x[0], x[1])), {}, ui8);
      });
  Value y =
      mapElements(l, withShape(point, type.getShape()), {input, scale, zero},
                  [&](OpBuilder &b, Location loc, ValueRange x) {
                    Scalars s(b, loc, false);
                    return toInteger(s, s.div(x[0], x[1]), x[2], ui8);
                  });
  Value all[] = {y, scale, zero};
  Values results;
  for (unsigned i = 0; i < l.numResults(); ++i)
    results.push_back(all[std::min(l.resultNumber(i), 2u)]);
  return results;
}

void addQuantizeRules(RuleTable &table) {
  table["rl.quantize:quantize"] = lowerQuantize;
  table["rl.quantize:dequantize"] = lowerDequantize;
  table["rl.quantize:dynamic"] = lowerDynamicQuantize;
}

} // namespace roofline::lowering
