//===- NarrowFloats.cpp - floats of 8 bits and fewer ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowFloats.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// To f32
//===----------------------------------------------------------------------===//

static DenseElementsAttr valuesOf(FloatType type, Builder &b) {
  unsigned width = type.getWidth();
  SmallVector<Attribute> values;
  for (unsigned code = 0; code < 1u << width; ++code) {
    APFloat value(type.getFloatSemantics(), APInt(width, code));
    bool losesInfo;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    values.push_back(FloatAttr::get(b.getF32Type(), value));
  }
  return DenseElementsAttr::get(
      RankedTensorType::get({int64_t(1) << width}, b.getF32Type()), values);
}

Value widened(Scalars &s, Value x) {
  auto type = cast<FloatType>(x.getType());
  Value table = arith::ConstantOp::create(s.b, s.loc, valuesOf(type, s.b));
  Value code = arith::BitcastOp::create(s.b, s.loc,
                                        s.b.getIntegerType(type.getWidth()), x);
  Value index =
      arith::IndexCastUIOp::create(s.b, s.loc, s.b.getIndexType(), code);
  return elementAt(s.b, s.loc, table, index);
}

//===----------------------------------------------------------------------===//
// From f32 and f64
//===----------------------------------------------------------------------===//

namespace {
/// Arithmetic on the bits of a wide float.
struct Bits {
  Scalars &s;
  IntegerType type;

  Value number(uint64_t value) {
    return arith::ConstantOp::create(
        s.b, s.loc, IntegerAttr::get(type, APInt(type.getWidth(), value)));
  }
  Value both(Value x, Value y) {
    return arith::AndIOp::create(s.b, s.loc, x, y);
  }
  Value either(Value x, Value y) {
    return arith::OrIOp::create(s.b, s.loc, x, y);
  }
  Value right(Value x, uint64_t bits) {
    return arith::ShRUIOp::create(s.b, s.loc, x, number(bits));
  }
  Value left(Value x, uint64_t bits) {
    return arith::ShLIOp::create(s.b, s.loc, x, number(bits));
  }
  Value isSet(Value x, uint64_t mask) {
    return arith::CmpIOp::create(s.b, s.loc, arith::CmpIPredicate::ne,
                                 both(x, number(mask)), number(0));
  }
};
} // namespace

static uint64_t codeOf(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

static Value asNarrow(Bits &bits, Value code, FloatType to) {
  Scalars &s = bits.s;
  Value low = arith::TruncIOp::create(s.b, s.loc,
                                      s.b.getIntegerType(to.getWidth()), code);
  return arith::BitcastOp::create(s.b, s.loc, to, low);
}

/// The exponent alone, with the fraction rounded into it.
static Value narrowedToExponent(Scalars &s, Value x, FloatType to) {
  if (x.getType().isF64())
    x = arith::TruncFOp::create(s.b, s.loc, s.b.getF32Type(), x);
  Bits bits{s, s.b.getI32Type()};
  Value raw = arith::BitcastOp::create(s.b, s.loc, bits.type, x);
  Value exponent = bits.both(bits.right(raw, 23), bits.number(0xff));
  Value up = s.number(s.b.getI1Type(), 0);
  if (s.rounding == "up")
    up = bits.isSet(raw, 0x7fffff);
  else if (s.rounding == "nearest") // at a half: up, but for the least exponent
    up = bits.both(
        bits.isSet(raw, 0x400000),
        bits.either(bits.isSet(raw, 0x3fffff), bits.isSet(exponent, 0xff)));
  Value next = s.add(exponent, bits.number(1));
  Value limit = bits.number(s.saturates ? 0xfe : 0xff);
  next = arith::MinUIOp::create(s.b, s.loc, next, limit);
  Value rounded = s.select(up, next, exponent);
  Value isSpecial = s.equal(exponent, bits.number(0xff));
  return asNarrow(bits, s.select(isSpecial, bits.number(0xff), rounded), to);
}

Value narrowed(Scalars &s, Value x, FloatType to) {
  const llvm::fltSemantics &semantics = to.getFloatSemantics();
  if (isa<Float8E8M0FNUType>(to))
    return narrowedToExponent(s, x, to);
  auto from = cast<FloatType>(x.getType());
  const llvm::fltSemantics &wide = from.getFloatSemantics();
  unsigned fraction = APFloat::semanticsPrecision(semantics) - 1;
  int least = APFloat::semanticsMinExponent(semantics);
  unsigned wideFraction = APFloat::semanticsPrecision(wide) - 1;
  int bias = APFloat::semanticsMaxExponent(wide);
  uint64_t exponents = 2 * uint64_t(bias) + 1;

  Bits bits{s, s.b.getIntegerType(from.getWidth())};
  Value raw = arith::BitcastOp::create(s.b, s.loc, bits.type, x);
  Value sign = bits.right(raw, from.getWidth() - 1);
  Value exponent =
      bits.both(bits.right(raw, wideFraction), bits.number(exponents));
  exponent =
      arith::MaxUIOp::create(s.b, s.loc, exponent, bits.number(bias + least));
  // |x| in units of the last place at its exponent, rounded: a power of two
  // scales without loss. Carries run into the exponent by themselves.
  Value unit = s.sub(bits.number(2 * uint64_t(bias) + fraction), exponent);
  Value scale =
      arith::BitcastOp::create(s.b, s.loc, from, bits.left(unit, wideFraction));
  Value places = math::RoundEvenOp::create(s.b, s.loc, s.mul(s.abs(x), scale));
  Value limit = s.like(places, double(uint64_t(4) << fraction));
  places = arith::MinNumFOp::create(s.b, s.loc, places, limit);
  Value code = arith::FPToUIOp::create(s.b, s.loc, bits.type, places);
  Value above = s.sub(exponent, bits.number(bias + least));
  code = s.add(bits.left(above, fraction), code);

  APFloat largest = APFloat::getLargest(semantics);
  Value top = bits.number(codeOf(largest));
  Value tooLarge =
      arith::CmpIOp::create(s.b, s.loc, arith::CmpIPredicate::ugt, code, top);
  bool hasNaN = APFloat::semanticsHasNaN(semantics);
  uint64_t nan = hasNaN ? codeOf(APFloat::getNaN(semantics))
                        : uint64_t(1) << (to.getWidth() - 1);
  uint64_t beyond = codeOf(largest);
  if (!s.saturates && hasNaN)
    beyond = APFloat::semanticsHasInf(semantics)
                 ? codeOf(APFloat::getInf(semantics))
                 : nan;
  // Infinities have the greatest exponent of all.
  Value isSpecial = s.equal(exponent, bits.number(exponents));
  code = s.select(bits.either(tooLarge, isSpecial), bits.number(beyond), code);
  Value signBit = bits.left(sign, to.getWidth() - 1);
  Value isSigned = bits.either(code, signBit);
  // No negative zero: its code is NaN.
  if (nan == uint64_t(1) << (to.getWidth() - 1) && hasNaN) {
    Value keep = bits.either(s.equal(code, bits.number(0)),
                             s.equal(code, bits.number(nan)));
    isSigned = s.select(keep, code, isSigned);
  }
  Value isNaN =
      arith::CmpFOp::create(s.b, s.loc, arith::CmpFPredicate::UNO, x, x);
  return asNarrow(bits, s.select(isNaN, bits.number(nan), isSigned), to);
}

} // namespace roofline::lowering
