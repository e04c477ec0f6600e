//===- InferElementwise.cpp - elementwise ops ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldSupport.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The broadcast shape of all operands, the element type of the first.
static Error inferVariadic(Node &node, InferContext &ctx) {
  SmallVector<unsigned, 4> inputs;
  for (unsigned i = 0; i != node.inputs.size(); ++i)
    inputs.push_back(i);
  return setBroadcast(node, ctx, 0, inputs, ctx.elemOf(node, 0));
}

static Error inferComparison(Node &node, InferContext &ctx) {
  return setBroadcast(node, ctx, 0, {0, 1}, TensorProto::BOOL);
}

/// IsNaN, Not …
static Error inferPredicate(Node &node, InferContext &ctx) {
  setShapeLike(node, ctx, 0, 0, TensorProto::BOOL);
  return Error::success();
}

static Error inferCast(Node &node, InferContext &ctx) {
  setShapeLike(node, ctx, 0, 0, node.attributeInt("to", 0));
  return Error::success();
}

static Error inferCastLike(Node &node, InferContext &ctx) {
  setShapeLike(node, ctx, 0, 0, ctx.elemOf(node, 1));
  return Error::success();
}

static Error inferWhere(Node &node, InferContext &ctx) {
  int elem = ctx.elemOf(node, 1);
  return setBroadcast(node, ctx, 0, {0, 1, 2},
                      elem ? elem : ctx.elemOf(node, 2));
}

/// The mask of old opsets has the type of the data.
static Error inferDropout(Node &node, InferContext &ctx) {
  setLike(node, ctx, 0, 0);
  setShapeLike(node, ctx, 1, 0,
               node.opsetVersion < 10 ? ctx.elemOf(node, 0)
                                      : int(TensorProto::BOOL));
  return Error::success();
}

/// Optionals and sequences pass as they are.
static Error inferIdentity(Node &node, InferContext &ctx) {
  Value *input = node.input(0), *output = node.output(0);
  if (!input || !output)
    return Error::success();
  output->type = input->type;
  output->dataDependent |= input->dataDependent;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

static void foldMod(Node &node, InferContext &ctx) {
  foldVariadicWith(node, ctx,
                   node.attributeInt("fmod", 0) ? arith::truncMod
                                                : arith::floorMod);
}

/// Bit 0 of a condition chooses; where both sides are the same it needn't be
/// known.
static void foldWhere(Node &node, InferContext &ctx) {
  std::optional<Folded> condition = foldedInput(ctx, node, 0);
  std::optional<Folded> x = foldedInput(ctx, node, 1);
  std::optional<Folded> y = foldedInput(ctx, node, 2);
  if ((!x && !y) || (!condition && !(x && y)))
    return;
  auto side = [](const std::optional<Folded> &operand, Index index) {
    return operand ? broadcastAt(*operand, index) : arith::unknown;
  };
  foldEach(node, ctx, [&](Index index) {
    std::optional<bool> decided;
    if (condition)
      decided = arith::toBool(broadcastAt(*condition, index));
    if (decided)
      return side(*decided ? x : y, index);
    Scalar a = side(x, index);
    return arith::equal(a, side(y, index)) ? a : arith::unknown;
  });
}

static Scalar clamp(Scalar value, const std::optional<Scalar> &low,
                    const std::optional<Scalar> &high, int onnxElem) {
  if (low)
    value = arith::maximum(value, *low, onnxElem);
  if (high)
    value = arith::minimum(value, *high, onnxElem);
  return value;
}

/// Bounds are attributes before opset 11, operands since.
static void foldClip(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  if (!input)
    return;
  std::optional<Scalar> bounds[2];
  for (unsigned i = 0; i != 2; ++i) {
    StringRef name = i ? "max" : "min";
    if (node.attribute(name)) {
      bounds[i] = Scalar(double(node.attributeFloat(name, 0)));
    } else if (has(node, 1 + i)) {
      std::optional<Folded> bound = foldedInput(ctx, node, 1 + i);
      bounds[i] = bound && bound->elements.size() == 1 ? bound->elements[0]
                                                       : arith::unknown;
    }
  }
  foldEach(node, ctx, [&](Index index) {
    return clamp(input->at(index), bounds[0], bounds[1], input->onnxElem);
  });
}

static void foldMean(Node &node, InferContext &ctx) {
  double count = node.inputs.size();
  std::optional<SmallVector<Folded, 2>> operands = foldedInputs(ctx, node);
  if (!operands || operands->empty())
    return;
  int elem = operands->front().onnxElem;
  foldEach(node, ctx, [&](Index index) {
    Scalar sum = broadcastAt(operands->front(), index);
    for (const Folded &operand : ArrayRef(*operands).drop_front())
      sum = arith::add(sum, broadcastAt(operand, index), elem);
    return arith::divide(sum, count, elem);
  });
}

static Scalar shiftLeft(const Scalar &a, const Scalar &b, int onnxElem) {
  Scalar factor = arith::power(Expr(2), b, TensorProto::INT64);
  return arith::multiply(a, factor, onnxElem);
}

/// A shift beyond the width leaves the sign alone, as one of 64 does.
static Scalar shiftRight(const Scalar &a, const Scalar &b, int onnxElem) {
  std::optional<Expr> value = arith::toInteger(a), count = arith::toInteger(b);
  std::optional<int64_t> bits = count ? count->asInt64() : std::nullopt;
  if (!value || !bits || *bits < 0)
    return arith::unknown;
  Expr divisor = 1;
  for (int64_t i = 0; i != std::min<int64_t>(*bits, 64); ++i)
    divisor *= Expr(2);
  return arith::fit(Expr::floorDiv(*value, divisor), onnxElem);
}

static void foldBitShift(Node &node, InferContext &ctx) {
  bool left = node.attributeString("direction", "") == "LEFT";
  foldVariadicWith(node, ctx, left ? shiftLeft : shiftRight);
}

static void foldIsInf(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  if (!input)
    return;
  bool positive = node.attributeInt("detect_positive", 1);
  bool negative = node.attributeInt("detect_negative", 1);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  foldEach(node, ctx, [&](Index index) -> Scalar {
    std::optional<double> value = arith::toReal(input->at(index));
    if (!value)
      return asExpr(input->at(index)) ? Scalar(Expr(0)) : arith::unknown;
    return Expr((positive && *value == infinity) ||
                (negative && *value == -infinity));
  });
}

/// At inference the data passes; the mask isn't folded.
static void foldDropout(Node &node, InferContext &ctx) {
  const Constant *training = ctx.constant(node, 2);
  bool passes =
      !has(node, 2) || (training && training->elements.size() == 1 &&
                        arith::toBool(training->elements.front()) == false);
  if (passes)
    foldSameElements(node, ctx);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

namespace {
/// A float product or quotient of sizes and numbers, which no element can hold
/// while the sizes are formulas. Rounded it is a formula again: ⌊size · p / q⌋
/// where the number is close to the fraction p/q.
class ScaledSizes {
public:
  /// What an operand of a rounding op was computed from.
  static std::optional<ScaledSizes> behind(const Node &node,
                                           const InferContext &ctx) {
    const Value *input = node.input(0);
    const Node *producer = input ? input->producer : nullptr;
    if (!producer || !producer->domain().empty())
      return std::nullopt;
    bool isQuotient = producer->opType() == "Div";
    if (!isQuotient && producer->opType() != "Mul")
      return std::nullopt;
    std::optional<Folded> a = foldedInput(ctx, *producer, 0);
    std::optional<Folded> b = foldedInput(ctx, *producer, 1);
    if (!a || !b)
      return std::nullopt;
    return ScaledSizes(std::move(*a), std::move(*b), isQuotient);
  }

  /// Numerator and divisor of an element.
  std::optional<std::pair<Expr, Expr>> at(Index index) const {
    Scalar size = broadcastAt(a, index), factor = broadcastAt(b, index);
    if (!isQuotient && asExpr(factor))
      std::swap(size, factor);
    const Expr *expr = asExpr(size);
    const double *number = std::get_if<double>(&factor);
    constexpr int64_t maxDivisor = 1024;
    if (!expr || !number)
      return std::nullopt;
    auto fraction = arith::toFraction(*number, maxDivisor);
    if (!fraction)
      return std::nullopt;
    auto [p, q] = *fraction;
    if (isQuotient)
      std::swap(p, q);
    return std::pair(*expr * Expr(p), Expr(q));
  }

private:
  ScaledSizes(Folded a, Folded b, bool isQuotient)
      : a(std::move(a)), b(std::move(b)), isQuotient(isQuotient) {}

  Folded a, b;
  bool isQuotient;
};
} // namespace

/// Rounds known elements with `known`, scaled sizes with `divide`.
static void
foldRoundingWith(Node &node, InferContext &ctx,
                 function_ref<Scalar(const Scalar &, int)> known,
                 function_ref<Scalar(const Expr &, const Expr &)> divide) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  std::optional<ScaledSizes> scaled = ScaledSizes::behind(node, ctx);
  if (!input && !scaled)
    return;
  int elem = ctx.elemOf(node, 0);
  foldEach(node, ctx, [&](Index index) -> Scalar {
    if (input && isKnown(input->at(index)))
      return known(input->at(index), elem);
    if (scaled)
      if (auto parts = scaled->at(index))
        return divide(parts->first, parts->second);
    return arith::unknown;
  });
}

template <arith::Unary fn, Expr (*divide)(const Expr &, const Expr &)>
static void foldRounding(Node &node, InferContext &ctx) {
  foldRoundingWith(node, ctx, fn, divide);
}

static void foldCast(Node &node, InferContext &ctx) {
  const Value *output = node.output(0);
  if (!output)
    return;
  int to = output->type.onnxElem;
  bool truncates = arith::isFloat(ctx.elemOf(node, 0)) &&
                   kind(output->type.elem) == ElementKind::Integer;
  foldRoundingWith(
      node, ctx,
      [&](const Scalar &element, int from) {
        return arith::cast(element, from, to);
      },
      [&](const Expr &size, const Expr &divisor) -> Scalar {
        if (!truncates || !atLeast(size, Expr(0)))
          return arith::unknown;
        return Expr::floorDiv(size, divisor);
      });
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static void registerUnary(RuleTable &table) {
  for (StringRef op : {"Acos",  "Acosh",       "Asin",       "Asinh",
                       "Atan",  "Atanh",       "BitwiseNot", "Celu",
                       "Cos",   "Cosh",        "Elu",        "Erf",
                       "Gelu",  "HardSigmoid", "HardSwish",  "LeakyRelu",
                       "Mish",  "Selu",        "Shrink",     "Sigmoid",
                       "Sin",   "Sinh",        "Softplus",   "Softsign",
                       "Swish", "Tan",         "Tanh",       "ThresholdedRelu",
                       "PRelu", "SwiGLU"})
    table.infer(op, inferLike<0>);
  table.infer("Abs", inferLike<0>, foldUnary<arith::absolute>);
  table.infer("Neg", inferLike<0>, foldUnary<arith::negate>);
  table.infer("Sign", inferLike<0>, foldUnary<arith::sign>);
  table.infer("Relu", inferLike<0>, foldUnary<arith::relu>);
  table.infer("Floor", inferLike<0>,
              foldRounding<arith::floor, Expr::floorDiv>);
  table.infer("Ceil", inferLike<0>, foldRounding<arith::ceil, Expr::ceilDiv>);
  table.infer("Round", inferLike<0>, foldUnary<arith::round>);
  table.infer("Sqrt", inferLike<0>, foldUnary<arith::squareRoot>);
  table.infer("Exp", inferLike<0>, foldUnary<arith::exponential>);
  table.infer("Log", inferLike<0>, foldUnary<arith::logarithm>);
  table.infer("Reciprocal", inferLike<0>, foldUnary<arith::reciprocal>);
  table.infer("Not", inferPredicate, foldUnary<arith::logicalNot>);
  table.infer("IsNaN", inferPredicate, foldUnary<arith::isNaN>);
  table.infer("IsInf", inferPredicate, foldIsInf);
  table.infer("Clip", inferLike<0>, foldClip);
}

static void registerBinary(RuleTable &table) {
  table.infer("Add", inferVariadic, foldVariadic<arith::add>);
  table.infer("Sub", inferVariadic, foldVariadic<arith::subtract>);
  table.infer("Mul", inferVariadic, foldVariadic<arith::multiply>);
  table.infer("Div", inferVariadic, foldVariadic<arith::divide>);
  table.infer("Pow", inferVariadic, foldVariadic<arith::power>);
  table.infer("Mod", inferVariadic, foldMod);
  table.infer("BitShift", inferVariadic, foldBitShift);
  for (StringRef op : {"BitwiseAnd", "BitwiseOr", "BitwiseXor"})
    table.infer(op, inferVariadic);
  table.infer("Equal", inferComparison, foldVariadic<arith::isEqual>);
  table.infer("Greater", inferComparison, foldVariadic<arith::isGreater>);
  table.infer("Less", inferComparison, foldVariadic<arith::isLess>);
  table.infer("GreaterOrEqual", inferComparison,
              foldVariadic<arith::isGreaterOrEqual>);
  table.infer("LessOrEqual", inferComparison,
              foldVariadic<arith::isLessOrEqual>);
  table.infer("And", inferComparison, foldVariadic<arith::logicalAnd>);
  table.infer("Or", inferComparison, foldVariadic<arith::logicalOr>);
  table.infer("Xor", inferComparison, foldVariadic<arith::logicalXor>);
}

void onnx_import::registerElementwiseInfer(RuleTable &table) {
  registerUnary(table);
  registerBinary(table);
  table.infer("Min", inferVariadic, foldVariadic<arith::minimum>);
  table.infer("Max", inferVariadic, foldVariadic<arith::maximum>);
  table.infer("Sum", inferVariadic, foldVariadic<arith::add>);
  table.infer("Mean", inferVariadic, foldMean);
  table.infer("Where", inferWhere, foldWhere);
  table.infer("Cast", inferCast, foldCast);
  table.infer("CastLike", inferCastLike, foldCast, hostOperands(1));
  table.infer("BitCast", inferCast);
  table.infer("StringConcat", inferVariadic);
  table.infer("Identity", inferIdentity, foldSameElements);
  table.infer("Dropout", inferDropout, foldDropout, hostOperands(1, 2));
}
