//===- Arithmetic.cpp - arithmetic on folded elements --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "InferSupport.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool arith::isFloat(int onnxElem) {
  return kind(elementTypeOf(onnxElem)) == ElementKind::Float;
}

static double roundThrough(double value, const fltSemantics &semantics) {
  APFloat number(value);
  bool losesInfo;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

static double roundTo(double value, int onnxElem) {
  switch (onnxElem) {
  case TensorProto::FLOAT:
    return static_cast<float>(value);
  case TensorProto::FLOAT16:
    return roundThrough(value, APFloat::IEEEhalf());
  case TensorProto::BFLOAT16:
    return roundThrough(value, APFloat::BFloat());
  default:
    return value;
  }
}

static bool fitsInteger(const Int &value, int onnxElem) {
  ElementType type = elementTypeOf(onnxElem);
  std::optional<unsigned> bits = bitWidth(type);
  if (kind(type) != ElementKind::Integer || !bits)
    return true; // bool: 0 or 1 by construction
  bool isSigned = name(type).front() != 'u';
  Int half = Int(int64_t(1) << (std::min(*bits, 32u) - 1));
  if (*bits == 64)
    half *= Int(int64_t(1) << 32);
  if (isSigned)
    return value >= -half && value < half;
  return value >= 0 && value < half * Int(2);
}

Scalar arith::fit(Scalar value, int onnxElem) {
  if (const double *number = std::get_if<double>(&value))
    return roundTo(*number, onnxElem);
  const Expr *expr = asExpr(value);
  if (!expr || !expr->isConstant())
    return value;
  if (isFloat(onnxElem))
    return roundTo(toDouble(expr->constant()), onnxElem);
  if (onnxElem == TensorProto::INT64 && expr->asInt64())
    return value; // nearly all of what is folded
  return fitsInteger(expr->constant(), onnxElem) ? value : unknown;
}

std::optional<double> arith::toReal(const Scalar &value) {
  if (const double *number = std::get_if<double>(&value))
    return *number;
  if (const Expr *expr = asExpr(value); expr && expr->isConstant())
    return toDouble(expr->constant());
  return std::nullopt;
}

std::optional<Expr> arith::toInteger(const Scalar &value) {
  if (const Expr *expr = asExpr(value))
    return *expr;
  const double *number = std::get_if<double>(&value);
  // Beyond 2^53 doubles aren't exact integers any more.
  if (!number || !(std::fabs(*number) <= 9007199254740992.0) ||
      std::trunc(*number) != *number)
    return std::nullopt;
  return Expr(static_cast<int64_t>(*number));
}

bool arith::equal(const Scalar &a, const Scalar &b) {
  return isKnown(a) && a == b;
}

std::optional<bool> arith::toBool(const Scalar &value) {
  if (const double *number = std::get_if<double>(&value))
    return *number != 0;
  const Expr *expr = asExpr(value);
  if (!expr)
    return std::nullopt;
  if (expr->isConstant())
    return !expr->isZero();
  if (atLeast(*expr, Expr(1)) || atLeast(-*expr, Expr(1)))
    return true;
  return std::nullopt;
}

static Scalar boolean(std::optional<bool> value) {
  return value ? Scalar(Expr(*value)) : arith::unknown;
}

Scalar arith::cast(const Scalar &value, int from, int to) {
  if (!isKnown(value) || to == TensorProto::STRING ||
      from == TensorProto::STRING)
    return unknown;
  if (to == TensorProto::BOOL)
    return boolean(toBool(value));
  if (isFloat(to))
    return fit(value, to);
  if (kind(elementTypeOf(to)) != ElementKind::Integer)
    return unknown;
  const double *number = std::get_if<double>(&value);
  if (!number)
    return fit(value, to);
  std::optional<Expr> truncated = toInteger(std::trunc(*number));
  return truncated ? fit(*truncated, to) : unknown;
}

std::optional<std::pair<int64_t, int64_t>>
arith::toFraction(double value, int64_t maxDivisor) {
  if (!(value > 0) || value > 1e6)
    return std::nullopt;
  for (int64_t divisor = 1; divisor <= maxDivisor; ++divisor) {
    double numerator = std::nearbyint(value * divisor);
    if (numerator > 0 &&
        static_cast<float>(numerator / divisor) == static_cast<float>(value))
      return std::pair(static_cast<int64_t>(numerator), divisor);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Binary arithmetic
//===----------------------------------------------------------------------===//

/// Numbers by `real` in a float type, integers (symbolic ones too) by `exact`.
template <typename Exact, typename Real>
static Scalar compute(const Scalar &a, const Scalar &b, int onnxElem,
                      Exact exact, Real real) {
  if (arith::isFloat(onnxElem)) {
    std::optional<double> x = arith::toReal(a), y = arith::toReal(b);
    if (x && y)
      return arith::fit(real(*x, *y), onnxElem);
  }
  std::optional<Expr> x = arith::toInteger(a), y = arith::toInteger(b);
  if (!x || !y)
    return arith::unknown;
  std::optional<Expr> result = exact(*x, *y);
  return result ? arith::fit(*result, onnxElem) : arith::unknown;
}

using MaybeExpr = std::optional<Expr>;

Scalar arith::add(const Scalar &a, const Scalar &b, int onnxElem) {
  return compute(
      a, b, onnxElem,
      [](const Expr &x, const Expr &y) -> MaybeExpr { return x + y; },
      [](double x, double y) { return x + y; });
}

Scalar arith::subtract(const Scalar &a, const Scalar &b, int onnxElem) {
  return compute(
      a, b, onnxElem,
      [](const Expr &x, const Expr &y) -> MaybeExpr { return x - y; },
      [](double x, double y) { return x - y; });
}

Scalar arith::multiply(const Scalar &a, const Scalar &b, int onnxElem) {
  // Zero times an unknown integer is zero.
  if (!isFloat(onnxElem))
    for (const Scalar *s : {&a, &b})
      if (const Expr *expr = asExpr(*s); expr && expr->isZero())
        return *s;
  return compute(
      a, b, onnxElem,
      [](const Expr &x, const Expr &y) -> MaybeExpr { return x * y; },
      [](double x, double y) { return x * y; });
}

/// Integer division truncates; a formula's rounding down is the same where
/// neither side can be negative.
static MaybeExpr truncatedQuotient(const Expr &a, const Expr &b) {
  if (b.isZero())
    return std::nullopt;
  if (MaybeExpr exact = Expr::exactQuotient(a, b))
    return exact;
  if (a.isConstant() && b.isConstant()) {
    const Int &x = a.constant(), &y = b.constant();
    bool negative = (x < 0) != (y < 0);
    Expr size = Expr::floorDiv(Expr(x < 0 ? -x : x), Expr(y < 0 ? -y : y));
    return negative ? -size : size;
  }
  if (atLeast(a, Expr(0)) && atLeast(b, Expr(0)))
    return Expr::floorDiv(a, b);
  return std::nullopt;
}

Scalar arith::divide(const Scalar &a, const Scalar &b, int onnxElem) {
  if (isFloat(onnxElem))
    return compute(
        a, b, onnxElem,
        [](const Expr &x, const Expr &y) -> MaybeExpr {
          return Expr::exactQuotient(x, y);
        },
        [](double x, double y) { return x / y; });
  return compute(a, b, onnxElem, truncatedQuotient,
                 [](double x, double y) { return x / y; });
}

static MaybeExpr integerPower(const Expr &a, const Expr &b) {
  std::optional<int64_t> exponent = b.asInt64();
  if (!exponent || *exponent < 0 || *exponent > 64)
    return std::nullopt;
  Expr result = 1;
  for (int64_t i = 0; i != *exponent; ++i)
    result *= a;
  return result;
}

Scalar arith::power(const Scalar &a, const Scalar &b, int onnxElem) {
  return compute(a, b, onnxElem, integerPower,
                 [](double x, double y) { return std::pow(x, y); });
}

Scalar arith::minimum(const Scalar &a, const Scalar &b, int onnxElem) {
  return compute(
      a, b, onnxElem,
      [](const Expr &x, const Expr &y) -> MaybeExpr { return Expr::min(x, y); },
      [](double x, double y) { return std::isnan(x) || x < y ? x : y; });
}

Scalar arith::maximum(const Scalar &a, const Scalar &b, int onnxElem) {
  return compute(
      a, b, onnxElem,
      [](const Expr &x, const Expr &y) -> MaybeExpr { return Expr::max(x, y); },
      [](double x, double y) { return std::isnan(x) || x > y ? x : y; });
}

Scalar arith::floorMod(const Scalar &a, const Scalar &b, int onnxElem) {
  return compute(
      a, b, onnxElem,
      [](const Expr &x, const Expr &y) -> MaybeExpr {
        if (y.isZero())
          return std::nullopt;
        return Expr::mod(x, y);
      },
      [](double x, double y) { return x - y * std::floor(x / y); });
}

Scalar arith::truncMod(const Scalar &a, const Scalar &b, int onnxElem) {
  return compute(
      a, b, onnxElem,
      [](const Expr &x, const Expr &y) -> MaybeExpr {
        MaybeExpr size = truncatedQuotient(x, y);
        return size ? MaybeExpr(x - *size * y) : std::nullopt;
      },
      [](double x, double y) { return std::fmod(x, y); });
}

//===----------------------------------------------------------------------===//
// Comparisons and logic
//===----------------------------------------------------------------------===//

/// Numbers by `real`, formulas by what holds for all sizes.
template <typename Real, typename Always>
static Scalar decide(const Scalar &a, const Scalar &b, Real real,
                     Always always) {
  std::optional<Expr> x = arith::toInteger(a), y = arith::toInteger(b);
  if (x && y)
    return boolean(always(*x, *y));
  std::optional<double> u = arith::toReal(a), v = arith::toReal(b);
  if (u && v)
    return boolean(real(*u, *v));
  return arith::unknown;
}

static std::optional<bool> alwaysLess(const Expr &a, const Expr &b) {
  if (atLeast(b, a + Expr(1)))
    return true;
  if (atLeast(a, b))
    return false;
  return std::nullopt;
}

static std::optional<bool> alwaysEqual(const Expr &a, const Expr &b) {
  if (a == b)
    return true;
  if (atLeast(a, b + Expr(1)) || atLeast(b, a + Expr(1)))
    return false;
  return std::nullopt;
}

static std::optional<bool> inverted(std::optional<bool> value) {
  return value ? std::optional(!*value) : std::nullopt;
}

Scalar arith::isEqual(const Scalar &a, const Scalar &b, int) {
  return decide(a, b, [](double x, double y) { return x == y; }, alwaysEqual);
}

Scalar arith::isLess(const Scalar &a, const Scalar &b, int) {
  return decide(a, b, [](double x, double y) { return x < y; }, alwaysLess);
}

Scalar arith::isGreater(const Scalar &a, const Scalar &b, int onnxElem) {
  return isLess(b, a, onnxElem);
}

Scalar arith::isLessOrEqual(const Scalar &a, const Scalar &b, int) {
  return decide(
      a, b, [](double x, double y) { return x <= y; },
      [](const Expr &x, const Expr &y) { return inverted(alwaysLess(y, x)); });
}

Scalar arith::isGreaterOrEqual(const Scalar &a, const Scalar &b, int onnxElem) {
  return isLessOrEqual(b, a, onnxElem);
}

Scalar arith::logicalAnd(const Scalar &a, const Scalar &b, int) {
  std::optional<bool> x = toBool(a), y = toBool(b);
  if ((x && !*x) || (y && !*y))
    return Expr(0);
  return x && y ? Scalar(Expr(1)) : unknown;
}

Scalar arith::logicalOr(const Scalar &a, const Scalar &b, int) {
  std::optional<bool> x = toBool(a), y = toBool(b);
  if ((x && *x) || (y && *y))
    return Expr(1);
  return x && y ? Scalar(Expr(0)) : unknown;
}

Scalar arith::logicalXor(const Scalar &a, const Scalar &b, int) {
  std::optional<bool> x = toBool(a), y = toBool(b);
  return x && y ? Scalar(Expr(*x != *y)) : unknown;
}

Scalar arith::logicalNot(const Scalar &a, int) {
  return boolean(inverted(toBool(a)));
}

//===----------------------------------------------------------------------===//
// Unary arithmetic
//===----------------------------------------------------------------------===//

template <typename Real>
static Scalar computeReal(const Scalar &a, int onnxElem, Real real) {
  std::optional<double> value = arith::toReal(a);
  if (!value || !arith::isFloat(onnxElem))
    return arith::unknown;
  return arith::fit(real(*value), onnxElem);
}

Scalar arith::negate(const Scalar &a, int onnxElem) {
  if (const double *number = std::get_if<double>(&a))
    return -*number; // keeps the sign of a zero
  return subtract(Expr(0), a, onnxElem);
}

Scalar arith::absolute(const Scalar &a, int onnxElem) {
  if (const double *number = std::get_if<double>(&a))
    return std::fabs(*number);
  const Expr *expr = asExpr(a);
  if (expr && atLeast(*expr, Expr(0)))
    return a;
  if (expr && atLeast(-*expr, Expr(0)))
    return fit(-*expr, onnxElem);
  return unknown;
}

Scalar arith::sign(const Scalar &a, int onnxElem) {
  if (const double *number = std::get_if<double>(&a))
    return std::isnan(*number) ? *number
                               : double((*number > 0) - (*number < 0));
  const Expr *expr = asExpr(a);
  if (!expr)
    return unknown;
  if (expr->isZero())
    return a;
  if (atLeast(*expr, Expr(1)))
    return fit(Expr(1), onnxElem);
  if (atLeast(-*expr, Expr(1)))
    return fit(Expr(-1), onnxElem);
  return unknown;
}

Scalar arith::relu(const Scalar &a, int onnxElem) {
  return maximum(a, fit(Expr(0), onnxElem), onnxElem);
}

Scalar arith::floor(const Scalar &a, int onnxElem) {
  return asExpr(a)
             ? a
             : computeReal(a, onnxElem, [](double x) { return std::floor(x); });
}

Scalar arith::ceil(const Scalar &a, int onnxElem) {
  return asExpr(a)
             ? a
             : computeReal(a, onnxElem, [](double x) { return std::ceil(x); });
}

Scalar arith::round(const Scalar &a, int onnxElem) {
  return asExpr(a) ? a : computeReal(a, onnxElem, [](double x) {
    return std::nearbyint(x);
  });
}

Scalar arith::squareRoot(const Scalar &a, int onnxElem) {
  return computeReal(a, onnxElem, [](double x) { return std::sqrt(x); });
}

Scalar arith::exponential(const Scalar &a, int onnxElem) {
  return computeReal(a, onnxElem, [](double x) { return std::exp(x); });
}

Scalar arith::logarithm(const Scalar &a, int onnxElem) {
  return computeReal(a, onnxElem, [](double x) { return std::log(x); });
}

Scalar arith::reciprocal(const Scalar &a, int onnxElem) {
  return computeReal(a, onnxElem, [](double x) { return 1 / x; });
}

Scalar arith::isNaN(const Scalar &a, int) {
  if (asExpr(a))
    return Expr(0);
  std::optional<double> value = toReal(a);
  return boolean(value ? std::optional(bool(std::isnan(*value)))
                       : std::nullopt);
}
