//===- Scalars.cpp - elementwise functions of scalars ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"
#include "NarrowFloats.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;

namespace roofline::lowering {

static bool isReal(Value x) { return isa<FloatType>(x.getType()); }

Value Scalars::number(Type type, double value) {
  return scalar(b, loc, type, value);
}

Value Scalars::add(Value x, Value y) {
  if (isReal(x))
    return arith::AddFOp::create(b, loc, x, y);
  return arith::AddIOp::create(b, loc, x, y);
}

Value Scalars::sub(Value x, Value y) {
  if (isReal(x))
    return arith::SubFOp::create(b, loc, x, y);
  return arith::SubIOp::create(b, loc, x, y);
}

Value Scalars::mul(Value x, Value y) {
  if (isReal(x))
    return arith::MulFOp::create(b, loc, x, y);
  return arith::MulIOp::create(b, loc, x, y);
}

Value Scalars::div(Value x, Value y) {
  if (isReal(x))
    return arith::DivFOp::create(b, loc, x, y);
  Value zero = like(y, 0), one = like(y, 1);
  Value isZero = equal(y, zero);
  Value safe = select(isZero, one, y);
  if (isUnsigned)
    return select(isZero, zero, arith::DivUIOp::create(b, loc, x, safe));
  // The one quotient that doesn't fit wraps, as it does in NumPy.
  Value minusOne = equal(y, like(y, -1));
  Value quotient =
      arith::DivSIOp::create(b, loc, x, select(minusOne, one, safe));
  return select(isZero, zero, select(minusOne, neg(x), quotient));
}

Value Scalars::max(Value x, Value y) {
  if (isReal(x))
    return arith::MaximumFOp::create(b, loc, x, y);
  if (isUnsigned)
    return arith::MaxUIOp::create(b, loc, x, y);
  return arith::MaxSIOp::create(b, loc, x, y);
}

Value Scalars::maxNumber(Value x, Value y) {
  return isReal(x) ? arith::MaxNumFOp::create(b, loc, x, y) : max(x, y);
}

Value Scalars::min(Value x, Value y) {
  if (isReal(x))
    return arith::MinimumFOp::create(b, loc, x, y);
  if (isUnsigned)
    return arith::MinUIOp::create(b, loc, x, y);
  return arith::MinSIOp::create(b, loc, x, y);
}

Value Scalars::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(b, loc, x, y, z);
}

Value Scalars::abs(Value x) {
  if (isReal(x))
    return math::AbsFOp::create(b, loc, x);
  return isUnsigned ? x : Value(math::AbsIOp::create(b, loc, x));
}

Value Scalars::exp(Value x) { return math::ExpOp::create(b, loc, x); }
Value Scalars::log(Value x) { return math::LogOp::create(b, loc, x); }
Value Scalars::tanh(Value x) { return math::TanhOp::create(b, loc, x); }
Value Scalars::erf(Value x) { return math::ErfOp::create(b, loc, x); }
Value Scalars::sqrt(Value x) { return math::SqrtOp::create(b, loc, x); }
Value Scalars::pow(Value x, Value y) {
  return math::PowFOp::create(b, loc, x, y);
}

Value Scalars::sigmoid(Value x) {
  Value one = like(x, 1);
  return div(one, add(one, exp(neg(x))));
}

Value Scalars::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, loc, condition, x, y);
}

Value Scalars::less(Value x, Value y) {
  if (isReal(x))
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, y);
  return arith::CmpIOp::create(
      b, loc,
      isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, x, y);
}

Value Scalars::equal(Value x, Value y) {
  if (isReal(x))
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, y);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
}

/// Between floats: through f32 where neither holds the other (f16 and bf16).
static Value castReal(Scalars &s, Value x, FloatType to) {
  auto from = ::cast<FloatType>(x.getType());
  if (from == to)
    return x;
  if (isNarrowFloat(from))
    return castReal(s, widened(s, x), to);
  if (isNarrowFloat(to))
    return narrowed(
        s, from.getWidth() < 32 ? castReal(s, x, s.b.getF32Type()) : x, to);
  if (from.getWidth() == to.getWidth()) {
    Value wide = arith::ExtFOp::create(s.b, s.loc, s.b.getF32Type(), x);
    return arith::TruncFOp::create(s.b, s.loc, to, wide);
  }
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(s.b, s.loc, to, x);
  return arith::TruncFOp::create(s.b, s.loc, to, x);
}

static Value castInteger(Scalars &s, Value x, IntegerType to,
                         bool fromUnsigned) {
  auto from = ::cast<IntegerType>(x.getType());
  if (from.getWidth() == to.getWidth())
    return x;
  if (from.getWidth() > to.getWidth())
    return arith::TruncIOp::create(s.b, s.loc, to, x);
  if (fromUnsigned)
    return arith::ExtUIOp::create(s.b, s.loc, to, x);
  return arith::ExtSIOp::create(s.b, s.loc, to, x);
}

Value Scalars::cast(Value x, Type from, Type to) {
  Type target = loweredElement(to);
  bool fromUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  if (isNarrowFloat(x.getType()) && !isa<FloatType>(target))
    return cast(widened(*this, x), b.getF32Type(), to);
  if (isNarrowFloat(target) && !isReal(x))
    return cast(cast(x, from, b.getF32Type()), b.getF32Type(), to);
  if (to.isInteger(1)) {
    if (from.isInteger(1))
      return x;
    if (isReal(x)) // NaN is true
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, x,
                                   like(x, 0));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x,
                                 like(x, 0));
  }
  if (auto real = dyn_cast<FloatType>(target)) {
    if (isReal(x))
      return castReal(*this, x, real);
    if (fromUnsigned)
      return arith::UIToFPOp::create(b, loc, real, x);
    return arith::SIToFPOp::create(b, loc, real, x);
  }
  auto integer = ::cast<IntegerType>(target);
  if (!isReal(x))
    return castInteger(*this, x, integer, fromUnsigned);
  // By way of 64 bits: out of range wraps as C++ on this machine does.
  if (integer.getWidth() < 64) {
    Value wide = arith::FPToSIOp::create(b, loc, b.getI64Type(), x);
    return arith::TruncIOp::create(b, loc, integer, wide);
  }
  if (to.isUnsignedInteger())
    return arith::FPToUIOp::create(b, loc, integer, x);
  return arith::FPToSIOp::create(b, loc, integer, x);
}

Value castElements(Lowering &l, Value tensor, Type from, Type to) {
  auto type = ::cast<RankedTensorType>(tensor.getType());
  auto result = RankedTensorType::get(type.getShape(), loweredElement(to));
  if (result == type && !to.isInteger(1))
    return tensor;
  return mapElements(l, result, tensor,
                     [&](OpBuilder &b, Location loc, ValueRange x) {
                       return Scalars(b, loc, false).cast(x[0], from, to);
                     });
}

/// The integer all of whose bits (but the sign's) are `ones`.
static Value extreme(Scalars &s, Type type, bool ones) {
  unsigned width = type.getIntOrFloatBitWidth();
  APInt value =
      s.isUnsigned || width == 1
          ? (ones ? APInt::getMaxValue(width) : APInt::getMinValue(width))
          : (ones ? APInt::getSignedMaxValue(width)
                  : APInt::getSignedMinValue(width));
  return arith::ConstantOp::create(s.b, s.loc, s.b.getIntegerAttr(type, value));
}

Value leastNumber(Scalars &s, Type type) {
  return isa<FloatType>(type) ? s.number(type, -INFINITY)
                              : extreme(s, type, false);
}

Value greatestNumber(Scalars &s, Type type) {
  return isa<FloatType>(type) ? s.number(type, INFINITY)
                              : extreme(s, type, true);
}

Value inF32(Scalars &s, Value x, llvm::function_ref<Value(Value)> body) {
  Type type = x.getType();
  Type f32 = s.b.getF32Type();
  if (!isa<FloatType>(type) || type.getIntOrFloatBitWidth() >= 32)
    return body(x);
  return s.cast(body(s.cast(x, type, f32)), f32, type);
}

} // namespace roofline::lowering
