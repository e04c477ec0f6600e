//===- LowerMap.cpp - maps over elements ----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Activations.h"
#include "Rules.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

/// What a function of elements is given.
struct Element : Scalars {
  Element(Lowering &l, OpBuilder &b, Location loc, ValueRange x)
      : Scalars(b, loc, l.isUnsigned(0)), l(l), x(x) {}
  Lowering &l;
  ValueRange x; ///< of the operands that are there
};

using Body = Value (*)(Element &);

template <typename Op> Value unary(Element &e) {
  return inF32(e, e.x[0],
               [&](Value x) -> Value { return Op::create(e.b, e.loc, x); });
}

/// Folds all operands from the left.
template <Value (Scalars::*function)(Value, Value)> Value folded(Element &e) {
  Value result = e.x[0];
  for (Value x : e.x.drop_front())
    result = (e.*function)(result, x);
  return result;
}

Value mean(Element &e) {
  Value sum = folded<&Scalars::add>(e);
  return e.div(sum, e.like(sum, e.x.size()));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value sign(Element &e) {
  Value x = e.x[0], zero = e.like(x, 0);
  Value positive = e.select(e.greater(x, zero), e.like(x, 1), zero);
  if (e.isUnsigned)
    return positive;
  Value result = e.select(e.less(x, zero), e.like(x, -1), positive);
  // NaN stays.
  return isa<FloatType>(x.getType()) ? e.select(e.equal(x, x), result, x)
                                     : result;
}

Value reciprocal(Element &e) { return e.div(e.like(e.x[0], 1), e.x[0]); }

/// The power's type is the base's. The second and the third are products; LLVM
/// knows some others (lib/Analysis/KernelFeatures.cpp counts them as it does).
Value power(Element &e) {
  Value x = e.x[0], y = e.x[1];
  Type type = x.getType();
  std::optional<double> exponent = rl::splatNumber(e.l.constant(1));
  if (isa<FloatType>(type) && (exponent == 2 || exponent == 3))
    return inF32(e, x, [&](Value wide) {
      Value square = e.mul(wide, wide);
      return exponent == 2 ? square : e.mul(square, wide);
    });
  if (!isa<FloatType>(type)) {
    // By way of f64, as NumPy's result cast back.
    Type f64 = e.b.getF64Type();
    Value wide =
        math::PowFOp::create(e.b, e.loc, e.cast(x, e.l.elementType(0), f64),
                             e.cast(y, e.l.elementType(1), f64));
    return e.cast(wide, f64, e.l.elementType(0));
  }
  Type wide = type.isF64() ? type : Type(e.b.getF32Type());
  Value result = math::PowFOp::create(e.b, e.loc, e.cast(x, type, wide),
                                      e.cast(y, e.l.elementType(1), wide));
  return e.cast(result, wide, type);
}

/// fmod keeps the dividend's sign, the other the divisor's.
Value modulo(Element &e) {
  Value x = e.x[0], y = e.x[1];
  bool real = isa<FloatType>(x.getType());
  Value zero = e.like(x, 0);
  Value rest;
  if (real)
    rest = arith::RemFOp::create(e.b, e.loc, x, y);
  else
    rest = e.sub(x, e.mul(e.div(x, y), y));
  if (e.l.integer("fmod", 0) || (!real && e.isUnsigned))
    return rest;
  Value apart =
      arith::XOrIOp::create(e.b, e.loc, e.less(rest, zero), e.less(y, zero));
  Value isZero = e.equal(rest, zero);
  return e.select(isZero, rest, e.select(apart, e.add(rest, y), rest));
}

/// Bounds are operands (1, 2) or attributes.
Value clip(Element &e) {
  Value x = e.x[0];
  unsigned next = 1;
  Value low = e.l.operand(1) ? e.x[next++] : Value();
  Value high = e.l.operand(2) ? e.x[next++] : Value();
  if (!low && e.l.attribute("min"))
    low = e.like(x, e.l.real("min", 0));
  if (!high && e.l.attribute("max"))
    high = e.like(x, e.l.real("max", 0));
  if (low)
    x = e.max(x, low);
  return high ? e.min(x, high) : x;
}

Value castElement(Element &e) {
  e.saturates = e.l.integer("saturate", 1) != 0;
  e.rounding = e.l.text("round_mode", "up");
  return e.cast(e.x[0], e.l.elementType(0), e.l.resultElement());
}

//===----------------------------------------------------------------------===//
// Comparison, logic, selection
//===----------------------------------------------------------------------===//

Value lessOrEqual(Element &e) {
  Value less = e.less(e.x[0], e.x[1]), equal = e.equal(e.x[0], e.x[1]);
  return arith::OrIOp::create(e.b, e.loc, less, equal);
}

Value greaterOrEqual(Element &e) {
  Value more = e.greater(e.x[0], e.x[1]), equal = e.equal(e.x[0], e.x[1]);
  return arith::OrIOp::create(e.b, e.loc, more, equal);
}

Value less(Element &e) { return e.less(e.x[0], e.x[1]); }
Value greater(Element &e) { return e.greater(e.x[0], e.x[1]); }
Value equal(Element &e) { return e.equal(e.x[0], e.x[1]); }

Value isNaN(Element &e) {
  return arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::UNO, e.x[0],
                               e.x[0]);
}

Value isInf(Element &e) {
  Value x = e.x[0];
  Value no = e.number(e.b.getI1Type(), 0);
  Value up = e.equal(x, e.like(x, INFINITY)),
        down = e.equal(x, e.like(x, -INFINITY));
  return arith::OrIOp::create(e.b, e.loc,
                              e.l.integer("detect_positive", 1) ? up : no,
                              e.l.integer("detect_negative", 1) ? down : no);
}

template <typename Op> Value binary(Element &e) {
  return Op::create(e.b, e.loc, e.x[0], e.x[1]);
}

Value complement(Element &e) {
  return arith::XOrIOp::create(e.b, e.loc, e.x[0], e.like(e.x[0], -1));
}

/// To the right, keeping the sign; by all bits or more it is all there is.
Value shiftedSigned(Element &e) {
  Value x = e.x[0], y = e.x[1];
  Value most = e.like(y, x.getType().getIntOrFloatBitWidth() - 1);
  Value by = arith::MinUIOp::create(e.b, e.loc, y, most);
  return arith::ShRSIOp::create(e.b, e.loc, x, by);
}

/// By as many bits as there are or more, which a negative number counts as: 0.
Value bitShift(Element &e) {
  Value x = e.x[0], y = e.x[1];
  Value result;
  if (e.l.text("direction", "LEFT") == "LEFT")
    result = arith::ShLIOp::create(e.b, e.loc, x, y);
  else if (e.isUnsigned)
    result = arith::ShRUIOp::create(e.b, e.loc, x, y);
  else
    return shiftedSigned(e);
  Value bits = e.like(y, x.getType().getIntOrFloatBitWidth());
  Value fewer =
      arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::ult, y, bits);
  return e.select(fewer, result, e.like(x, 0));
}

Value where(Element &e) { return e.select(e.x[0], e.x[1], e.x[2]); }

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

Value relu(Element &e) { return reluOf(e, e.x[0]); }

Value leakyRelu(Element &e) {
  Value x = e.x[0];
  return scaledBelowZero(e, x, e.like(x, e.l.real("alpha", 0.01)));
}

Value prelu(Element &e) { return scaledBelowZero(e, e.x[0], e.x[1]); }

Value thresholdedRelu(Element &e) {
  return thresholdedReluOf(e, e.x[0], e.l.real("alpha", 1));
}

Value sigmoid(Element &e) {
  return inF32(e, e.x[0], [&](Value x) { return e.sigmoid(x); });
}

Value hardSigmoid(Element &e) {
  return hardSigmoidOf(e, e.x[0], e.l.real("alpha", 0.2),
                       e.l.real("beta", 0.5));
}

Value hardSwish(Element &e) {
  return e.mul(e.x[0], hardSigmoidOf(e, e.x[0], 1.0 / 6, 0.5));
}

Value elu(Element &e) { return eluOf(e, e.x[0], e.l.real("alpha", 1)); }

Value selu(Element &e) {
  Value x = e.x[0];
  Value inner = eluOf(e, x, e.l.real("alpha", 1.67326319217681884765625));
  return e.mul(e.like(x, e.l.real("gamma", 1.05070102214813232421875)), inner);
}

/// max(0, x) + min(0, alpha·(exp(x/alpha) − 1))
Value celu(Element &e) {
  Value x = e.x[0], zero = e.like(x, 0);
  Value alpha = e.like(x, e.l.real("alpha", 1));
  Value below = e.mul(alpha, e.sub(e.exp(e.div(x, alpha)), e.like(x, 1)));
  return e.add(e.max(zero, x), e.min(zero, below));
}

Value softplus(Element &e) { return softplusOf(e, e.x[0]); }

Value softsign(Element &e) { return softsignOf(e, e.x[0]); }

Value mish(Element &e) { return e.mul(e.x[0], e.tanh(softplusOf(e, e.x[0]))); }

Value shrink(Element &e) {
  Value x = e.x[0];
  Value bias = e.like(x, e.l.real("bias", 0));
  double lambda = e.l.real("lambd", 0.5);
  Value above = e.greater(x, e.like(x, lambda));
  Value below = e.less(x, e.like(x, -lambda));
  return e.select(above, e.sub(x, bias),
                  e.select(below, e.add(x, bias), e.like(x, 0)));
}

/// x · sigmoid(alpha·x), in one division
Value swish(Element &e) {
  Value x = e.x[0];
  double alpha = e.l.kind() == "quick_gelu" ? e.l.real("alpha", 1.702)
                                            : e.l.real("alpha", 1);
  Value scaled = alpha == 1 ? x : e.mul(x, e.like(x, alpha));
  return e.div(x, e.add(e.like(x, 1), e.exp(e.neg(scaled))));
}

/// 0.5·x·(1 + erf(x/√2))
Value geluOf(Scalars &s, Value x) {
  Value half = s.mul(s.like(x, 0.5), x);
  Value scaled = s.mul(x, s.like(x, 0.70710678118654752440));
  return s.fma(half, s.erf(scaled), half);
}

Value gelu(Element &e) { return geluOf(e, e.x[0]); }
Value biasGelu(Element &e) { return geluOf(e, e.add(e.x[0], e.x[1])); }

/// 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))
Value geluTanh(Element &e) {
  Value x = e.x.size() > 1 ? e.add(e.x[0], e.x[1]) : e.x[0];
  Value cube = e.mul(e.mul(x, x), x);
  Value inner = e.mul(e.like(x, 0.79788456080286535588),
                      e.add(x, e.mul(e.like(x, 0.044715), cube)));
  return e.mul(e.mul(e.like(x, 0.5), x), e.add(e.like(x, 1), e.tanh(inner)));
}

const llvm::StringMap<Body> &bodies() {
  static const llvm::StringMap<Body> table = {
      {"add", folded<&Scalars::add>},
      {"sub", folded<&Scalars::sub>},
      {"mul", folded<&Scalars::mul>},
      {"div", folded<&Scalars::div>},
      {"sum", folded<&Scalars::add>},
      {"max", folded<&Scalars::max>},
      {"min", folded<&Scalars::min>},
      {"mean", mean},
      {"pow", power},
      {"mod", modulo},
      {"neg", [](Element &e) { return e.neg(e.x[0]); }},
      {"abs", [](Element &e) { return e.abs(e.x[0]); }},
      {"sign", sign},
      {"floor", unary<math::FloorOp>},
      {"ceil", unary<math::CeilOp>},
      {"round", unary<math::RoundEvenOp>},
      {"reciprocal", reciprocal},
      {"sqrt", unary<math::SqrtOp>},
      {"rsqrt", unary<math::RsqrtOp>},
      {"exp", unary<math::ExpOp>},
      {"log", unary<math::LogOp>},
      {"erf", unary<math::ErfOp>},
      {"sin", unary<math::SinOp>},
      {"cos", unary<math::CosOp>},
      {"tan", unary<math::TanOp>},
      {"asin", unary<math::AsinOp>},
      {"acos", unary<math::AcosOp>},
      {"atan", unary<math::AtanOp>},
      {"sinh", unary<math::SinhOp>},
      {"cosh", unary<math::CoshOp>},
      {"tanh", unary<math::TanhOp>},
      {"asinh", unary<math::AsinhOp>},
      {"acosh", unary<math::AcoshOp>},
      {"atanh", unary<math::AtanhOp>},
      {"cast", castElement},
      {"clip", clip},
      {"equal", equal},
      {"greater", greater},
      {"less", less},
      {"greater_or_equal", greaterOrEqual},
      {"less_or_equal", lessOrEqual},
      {"is_nan", isNaN},
      {"is_inf", isInf},
      {"and", binary<arith::AndIOp>},
      {"or", binary<arith::OrIOp>},
      {"xor", binary<arith::XOrIOp>},
      {"not", complement},
      {"bitwise_and", binary<arith::AndIOp>},
      {"bitwise_or", binary<arith::OrIOp>},
      {"bitwise_xor", binary<arith::XOrIOp>},
      {"bitwise_not", complement},
      {"bit_shift", bitShift},
      {"where", where},
      {"relu", relu},
      {"leaky_relu", leakyRelu},
      {"prelu", prelu},
      {"thresholded_relu", thresholdedRelu},
      {"sigmoid", sigmoid},
      {"hard_sigmoid", hardSigmoid},
      {"hard_swish", hardSwish},
      {"elu", elu},
      {"selu", selu},
      {"celu", celu},
      {"softplus", softplus},
      {"softsign", softsign},
      {"mish", mish},
      {"shrink", shrink},
      {"silu", swish},
      {"swish", swish},
      {"quick_gelu", swish},
      {"gelu", gelu},
      {"bias_gelu", biasGelu},
      {"gelu_tanh", geluTanh},
      {"fast_gelu", geluTanh},
  };
  return table;
}

} // namespace

/// Kinds whose operands may be of several types; the others' are one.
static bool mixesTypes(StringRef kind) {
  return kind == "cast" || kind == "where" || kind == "pow" ||
         kind == "bit_shift";
}

/// Elements that several steps of a function would round more than once.
static bool isNarrow(Value tensor) {
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
}

static FailureOr<Values> lowerMap(Lowering &l) {
  Body body = bodies().lookup(l.kind());
  Values inputs = l.operands();
  if (!body || inputs.empty())
    return l.unsupported("no elementwise function '" + l.kind() + "'");
  for (Value input : inputs) {
    auto type = cast<RankedTensorType>(input.getType());
    if (isa<ComplexType>(type.getElementType()))
      return l.unsupported("elements are complex");
    if (!mixesTypes(l.kind()) &&
        type.getElementType() !=
            cast<RankedTensorType>(inputs[0].getType()).getElementType())
      return l.unsupported("operands of several types");
  }
  bool inF32 = isNarrow(inputs[0]) && !mixesTypes(l.kind());
  return Values{mapElements(
      l, l.resultType(), inputs, [&](OpBuilder &b, Location loc, ValueRange x) {
        Values wide(x);
        Scalars s(b, loc, false);
        if (inF32)
          for (Value &one : wide)
            one = s.cast(one, one.getType(), b.getF32Type());
        Element element(l, b, loc, wide);
        Value y = body(element);
        return inF32 && isa<FloatType>(y.getType())
                   ? s.cast(y, y.getType(), l.resultElement())
                   : y;
      })};
}

void addMapRules(RuleTable &table) { table["rl.map"] = lowerMap; }

} // namespace roofline::lowering
