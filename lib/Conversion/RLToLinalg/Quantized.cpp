//===- Quantized.cpp - sums of quantised elements -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantized.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace roofline::lowering {

Value alongAxis(Lowering &l, Value value, int64_t axis, int64_t rank) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() != 1 || type.getDimSize(0) == 1)
    return value;
  SmallVector<int64_t> shape(rank, 1);
  shape[axis] = type.getDimSize(0);
  return reshaped(l, value,
                  RankedTensorType::get(shape, type.getElementType()));
}

Value withoutZeroPoint(Lowering &l, unsigned i, unsigned zero, Type element,
                       int64_t axis) {
  auto type = cast<RankedTensorType>(l.operand(i).getType());
  Values inputs{l.operand(i)};
  if (Value point = l.operand(zero))
    inputs.push_back(alongAxis(l, point, axis, type.getRank()));
  return mapElements(
      l, RankedTensorType::get(type.getShape(), element), inputs,
      [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        Value value = s.cast(x[0], l.elementType(i), element);
        return x.size() == 1
                   ? value
                   : s.sub(value, s.cast(x[1], l.elementType(zero), element));
      });
}

/// The range of an integer type, as reals.
static std::pair<double, double> rangeOf(Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (type.isUnsignedInteger())
    return {0, APInt::getMaxValue(width).roundToDouble()};
  return {APInt::getSignedMinValue(width).signedRoundToDouble(),
          APInt::getSignedMaxValue(width).signedRoundToDouble()};
}

Value quantizedElement(Scalars &s, Value steps, Value zero, Type to) {
  Value y = math::RoundEvenOp::create(s.b, s.loc, steps);
  if (zero)
    y = s.add(y, zero);
  auto [low, high] = rangeOf(to);
  y = s.min(s.max(y, s.like(y, low)), s.like(y, high));
  return s.cast(y, y.getType(), to);
}

Value requantized(Lowering &l, Value sums, const Requantization &parts) {
  RankedTensorType type = l.resultType();
  Type to = l.resultElement(), f32 = l.b.getF32Type();
  Values inputs{sums, parts.a, parts.b, parts.y};
  if (parts.zero)
    inputs.push_back(parts.zero);
  return mapElements(
      l, type, inputs, [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        auto real = [&](Value value) {
          return s.cast(value, value.getType(), f32);
        };
        Value scale = s.div(s.mul(real(x[1]), real(x[2])), real(x[3]));
        return quantizedElement(s, s.mul(real(x[0]), scale),
                                parts.zero ? s.cast(x[4], to, f32) : Value(),
                                to);
      });
}

} // namespace roofline::lowering
