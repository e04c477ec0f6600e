//===- TableMath.cpp - functions from tables in registers -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A core takes one multiplication or multiply-add of a 512-bit vector a cycle
// or two, so their number decides. A register of AVX-512 holds a table of 16
// numbers, which `vpermps` reads on other pipes: with one, a polynomial need
// only be right over a sixteenth of the range.
//
// exp(x) = 2^floor(n) · 2^(j/16) · e^r for n = x·log2(e) rounded to sixteenths,
// j = 16·(n − floor(n)), r = x − n·ln 2, so |r| <= ln(2)/32:
//
//   t = x·log2(e) + 1.5·2^19   whose last place is 1/16: t's low bits are j
//   n = t − 1.5·2^19
//   r = x − n·ln2High − n·ln2Low         ln2High of 12 bits, so n·ln2High of 24
//   q = r·(c1 + r·(c2 + r·c3))           e^r − 1, to 2^-32
//   exp(x) = scalef(T[j] + T[j]·q, n)    scalef takes the floor
//
// Seven multiply-adds. The error is below 1.1 units in the last place, where
// the result is subnormal 1 of its units. scalef gives 0, subnormal numbers and
// infinity where they are due, and NaN for NaN. For x so large that n has no
// sixteenths r is anything, so it is cut to a range that holds all that count.
//
// erf(x) of a = min(|x|, 3.875) is a polynomial of degree 5 around the next
// multiple of 1/4; each coefficient is a table. Six table reads, five
// multiply-adds; the sign comes back with a bit operation. The error is below
// 2.5 units in the last place, near 0 as well: there the constant is 0 and the
// others keep the relative error small. From 3.875 on the result is ±1.
//
// gelu(x) = x/2·(1 + erf(x/√2)) is max(x, 0) − a/2·erfc(a/√2), where a = |x|.
// The second, which is soon nothing, is a polynomial of degree 5 around the
// next multiple of 1/2 of min(a, 7.5): no sign to put back. Six table reads,
// five multiply-adds; what is only added, the pieces' middles and the maximum,
// takes pipes that have little else to do. The error is below 1.75 units of x's
// last place; from -7.5 down, -infinity among it, the
// result is -2.4e-13.
//
// Coefficients interpolate at Chebyshev's nodes, which costs about a bit
// against the best there are.
//
//===----------------------------------------------------------------------===//

#include "TableMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include <array>
#include <cmath>

using namespace mlir;

namespace roofline::host {
namespace {

constexpr int64_t lanes = 16;
using Table = std::array<float, lanes>;

//===----------------------------------------------------------------------===//
// Coefficients
//===----------------------------------------------------------------------===//

/// The polynomial through f at Chebyshev's nodes of an interval, from the
/// constant upwards.
template <unsigned degree>
std::array<double, degree + 1>
interpolate(double low, double high, llvm::function_ref<double(double)> f) {
  constexpr unsigned count = degree + 1;
  constexpr double pi = 3.14159265358979323846;
  std::array<double, count> nodes, divided, result{};
  for (unsigned i = 0; i < count; ++i) {
    double place = std::cos((2 * i + 1) * pi / (2 * count));
    nodes[i] = (low + high) / 2 + (high - low) / 2 * place;
    divided[i] = f(nodes[i]);
  }
  for (unsigned order = 1; order < count; ++order)
    for (unsigned i = count - 1; i >= order; --i)
      divided[i] =
          (divided[i] - divided[i - 1]) / (nodes[i] - nodes[i - order]);
  // Newton's form to powers: result·(x − node) + divided.
  for (unsigned i = count; i-- > 0;) {
    for (unsigned power = count - 1; power > 0; --power)
      result[power] = result[power - 1] - nodes[i] * result[power];
    result[0] = divided[i] - nodes[i] * result[0];
  }
  return result;
}

Table powersOfTwo() {
  Table table;
  for (unsigned j = 0; j < lanes; ++j)
    table[j] = float(std::exp2(double(j) / lanes));
  return table;
}

constexpr unsigned erfDegree = 5;
constexpr double erfStep = 0.25, erfEnd = (lanes - 0.5) * erfStep;

std::array<Table, erfDegree + 1> erfTables() {
  constexpr double half = erfStep / 2;
  std::array<Table, erfDegree + 1> tables;
  // Around 0 relative to x. Odd, so one side is enough.
  auto first = interpolate<erfDegree - 1>(
      0, half, [](double x) { return std::erf(x) / x; });
  tables[0][0] = 0;
  for (unsigned power = 1; power <= erfDegree; ++power)
    tables[power][0] = float(first[power - 1]);
  for (unsigned i = 1; i < lanes; ++i) {
    auto around = interpolate<erfDegree>(-half, half, [&](double r) {
      double y = std::erf(i * erfStep + r);
      // The last piece rises to 1 at its end, less than a unit more than erf.
      return i < lanes - 1 ? y : y + std::erfc(erfEnd) * (r + half) / erfStep;
    });
    for (unsigned power = 0; power <= erfDegree; ++power)
      tables[power][i] = float(around[power]);
  }
  return tables;
}

/// What gelu is less than max(x, 0), by pieces of a = |x|.
struct GeluTables {
  static constexpr unsigned degree = 5;
  static constexpr double step = 0.5, end = (lanes - 1) * step;
  std::array<Table, degree + 1> coefficients{};

  GeluTables() {
    constexpr double half = step / 2, root = 0.70710678118654752440;
    auto lacking = [](double a) { return -a / 2 * std::erfc(a * root); };
    // Around 0 relative to a.
    auto first = interpolate<degree - 1>(
        0, half, [&](double a) { return lacking(a) / a; });
    for (unsigned power = 1; power <= degree; ++power)
      coefficients[power][0] = float(first[power - 1]);
    for (unsigned i = 1; i < lanes; ++i) {
      auto around = interpolate<degree>(
          -half, half, [&](double r) { return lacking(i * step + r); });
      for (unsigned power = 0; power <= degree; ++power)
        coefficients[power][i] = float(around[power]);
    }
  }
};

//===----------------------------------------------------------------------===//
// Vectors of 16
//===----------------------------------------------------------------------===//

/// Builds code on vectors of 16 f32.
class Vectors {
public:
  Vectors(OpBuilder &b, Location loc)
      : b(b), loc(loc), reals(VectorType::get({lanes}, b.getF32Type())),
        bits(VectorType::get({lanes}, b.getI32Type())) {}

  Value number(float value) {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(reals, ArrayRef<float>(value)));
  }
  Value number(uint32_t value) {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(bits, ArrayRef<uint32_t>(value)));
  }
  Value table(const Table &values) {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(reals, ArrayRef<float>(values)));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, loc, x, y, z);
  }
  Value asBits(Value x) { return arith::BitcastOp::create(b, loc, bits, x); }
  Value asReals(Value x) { return arith::BitcastOp::create(b, loc, reals, x); }
  Value bitAnd(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value bitOr(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }

  /// x but at most `most`; NaN stays.
  Value atMost(Value x, float most) {
    Value bound = number(most);
    Value isAbove =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, bound, x);
    return arith::SelectOp::create(b, loc, isAbove, bound, x);
  }

  /// x but at least `least`; NaN stays.
  Value atLeast(Value x, float least) {
    Value bound = number(least);
    Value isBelow =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, bound, x);
    return arith::SelectOp::create(b, loc, isBelow, bound, x);
  }

  /// table[i] for the low four bits of `at`.
  Value lookUp(const Table &values, Value at) {
    return call("llvm.x86.avx512.permvar.sf.512", {table(values), at});
  }

  /// x·2^floor(n); 0 or infinity where n is infinite.
  Value scale(Value x, Value n) {
    return call("llvm.x86.avx512.mask.scalef.ps.512",
                {x, n, x, allLanes(), currentRounding()});
  }

  /// x with a magnitude of at most `most`, and that for NaN.
  Value within(Value x, float most) { return range(x, most, 0); }

  /// |x|, but at most `most`, which it is for NaN.
  Value magnitude(Value x, float most) {
    constexpr int32_t noSign = 2 << 2;
    return range(x, most, noSign);
  }

private:
  /// Of two numbers the smaller magnitude, with the sign of the first or as
  /// `sign` says.
  Value range(Value x, float most, int32_t sign) {
    constexpr int32_t leastMagnitude = 2;
    return call("llvm.x86.avx512.mask.range.ps.512",
                {x, number(most), integer(leastMagnitude | sign), x, allLanes(),
                 currentRounding()});
  }
  Value integer(int32_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }
  Value currentRounding() { return integer(4); }
  Value allLanes() {
    return arith::ConstantOp::create(b, loc, b.getI16IntegerAttr(-1));
  }
  Value call(StringRef intrinsic, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(b, loc, reals,
                                         b.getStringAttr(intrinsic), operands)
        .getResult(0);
  }

  OpBuilder &b;
  Location loc;
  VectorType reals, bits;
};

Value emitExp(Vectors &v, Value x) {
  static const Table powers = powersOfTwo();
  constexpr double ln2 = 0.69314718055994530942;
  constexpr float magic = 1.5F * (1 << 19), log2e = float(1 / ln2);
  constexpr float ln2High = 2839.0F / 4096; // of 12 bits
  constexpr double half = ln2 / (2 * lanes);
  static const auto c = interpolate<2>(
      -half, half, [](double r) { return r == 0 ? 1 : std::expm1(r) / r; });
  Value t = v.fma(x, v.number(log2e), v.number(magic));
  Value n = v.sub(t, v.number(magic));
  Value r = v.fma(n, v.number(-ln2High), x);
  r = v.fma(n, v.number(float(ln2High - ln2)), r);
  r = v.within(r, float(1.5 * half));
  Value q = v.fma(r, v.number(float(c[2])), v.number(float(c[1])));
  q = v.mul(r, v.fma(q, r, v.number(float(c[0]))));
  Value power = v.lookUp(powers, v.asBits(t));
  return v.scale(v.fma(power, q, power), n);
}

/// A polynomial of r whose coefficients, from the constant upwards, are those
/// of the piece that the low bits of `at` say.
Value emitPolynomial(Vectors &v, ArrayRef<Table> coefficients, Value at,
                     Value r) {
  Value y = v.lookUp(coefficients.back(), at);
  for (const Table &coefficient : llvm::reverse(coefficients.drop_back()))
    y = v.fma(y, r, v.lookUp(coefficient, at));
  return y;
}

Value emitErf(Vectors &v, Value x) {
  static const auto tables = erfTables();
  constexpr float magic = 1.5F * (1 << 21); // its last place is the step
  constexpr uint32_t sign = 0x80000000;
  Value bits = v.asBits(x);
  Value a = v.asReals(v.bitAnd(bits, v.number(~sign)));
  // The end itself would be rounded to a piece behind the last.
  a = v.atMost(a, std::nextafter(float(erfEnd), 0.0F));
  Value t = v.add(a, v.number(magic));
  Value r = v.sub(a, v.sub(t, v.number(magic)));
  Value y = emitPolynomial(v, tables, v.asBits(t), r);
  return v.asReals(v.bitOr(v.asBits(y), v.bitAnd(bits, v.number(sign))));
}

Value emitGelu(Vectors &v, Value x) {
  static const GeluTables tables;
  constexpr float magic = 1.5F * (1 << 22); // its last place is the step
  Value a = v.magnitude(x, float(tables.end));
  Value t = v.add(a, v.number(magic));
  Value r = v.sub(a, v.sub(t, v.number(magic)));
  Value lacking = emitPolynomial(v, tables.coefficients, v.asBits(t), r);
  return v.add(v.atLeast(x, 0), lacking);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Vectors of 16 f32, or of several times as many.
bool isSupported(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable() &&
         vector.getElementType().isF32() && vector.getDimSize(0) % lanes == 0;
}

/// A function of x, 16 lanes at a time, at an op.
Value byLanes(PatternRewriter &rewriter, Operation *op, Value x,
              Value (*emit)(Vectors &, Value)) {
  Location loc = op->getLoc();
  Vectors vectors(rewriter, loc);
  int64_t size = cast<VectorType>(x.getType()).getDimSize(0);
  if (size == lanes)
    return emit(vectors, x);
  Value result = x;
  for (int64_t at = 0; at < size; at += lanes) {
    Value part =
        vector::ExtractStridedSliceOp::create(rewriter, loc, x, at, lanes, 1);
    result = vector::InsertStridedSliceOp::create(
        rewriter, loc, emit(vectors, part), result, at, 1);
  }
  return result;
}

/// An op of one operand.
template <typename Op, Value (*emit)(Vectors &, Value)>
class FromTables : public OpRewritePattern<Op> {
public:
  explicit FromTables(MLIRContext *context)
      : OpRewritePattern<Op>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isSupported(op.getType()))
      return failure();
    rewriter.replaceOp(op, byLanes(rewriter, op, op.getOperand(), emit));
    return success();
  }
};

/// The number that all lanes are, where that is known.
std::optional<float> splatNumber(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    value = broadcast.getSource();
  FloatAttr number;
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&number)) && number.getType().isF32())
    return number.getValue().convertToFloat();
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
      elements.getElementType().isF32())
    return elements.getSplatValue<float>();
  return std::nullopt;
}

/// The other factor of a product with a number.
Value factorBeside(Value product, float number) {
  if (auto multiply = product.getDefiningOp<arith::MulFOp>())
    for (unsigned i : {0, 1})
      if (splatNumber(multiply->getOperand(i)) == number)
        return multiply->getOperand(1 - i);
  return {};
}

/// half·erf(x·√½) + half for half = x/2.
class GeluFromTables : public OpRewritePattern<math::FmaOp> {
public:
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    auto erf = op.getB().getDefiningOp<math::ErfOp>();
    if (!isSupported(op.getType()) || !erf || op.getA() != op.getC())
      return failure();
    Value x = factorBeside(op.getA(), 0.5F);
    if (!x || factorBeside(erf.getOperand(), float(M_SQRT1_2)) != x)
      return failure();
    rewriter.replaceOp(op, byLanes(rewriter, op, x, emitGelu));
    return success();
  }
};

} // namespace

void populateTableGeluPatterns(RewritePatternSet &patterns) {
  patterns.add<GeluFromTables>(patterns.getContext());
}

void populateTableMathPatterns(RewritePatternSet &patterns) {
  patterns
      .add<FromTables<math::ExpOp, emitExp>, FromTables<math::ErfOp, emitErf>>(
          patterns.getContext());
}

} // namespace roofline::host
