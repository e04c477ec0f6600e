//===- LowerQuantizedMap.cpp - functions of quantised elements ------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// onnxruntime's ops that take integers with a scale and a zero point each, do
// something to the numbers these stand for, and give integers again.
//
//===----------------------------------------------------------------------===//

#include "Activations.h"
#include "Quantized.h"
#include "Reduce.h"
#include "Rules.h"
#include "Slices.h"

using namespace mlir;

namespace roofline::lowering {

namespace {
/// Operands `first` … `first` + 2: integers, their scale, their zero point.
struct Triple {
  unsigned first;
};
} // namespace

/// The numbers that quantised elements stand for, in f32.
static Value realElements(Lowering &l, Triple at) {
  Type f32 = l.b.getF32Type();
  Value apart = withoutZeroPoint(l, at.first, at.first + 2, f32, 0);
  return mapElements(l, typeOf(apart), {apart, l.operand(at.first + 1)},
                     [](OpBuilder &b, Location loc, ValueRange x) {
                       return Scalars(b, loc, false).mul(x[0], x[1]);
                     });
}

/// Whether operand `scale`, and the zero point behind it if there is one, are
/// of one element.
static bool hasOneScale(Lowering &l, unsigned scale) {
  return l.operand(scale) && l.operandType(scale).getNumElements() == 1 &&
         (!l.operand(scale + 1) ||
          l.operandType(scale + 1).getNumElements() == 1);
}

static bool isThere(Lowering &l, Triple at) {
  return l.operand(at.first) && hasOneScale(l, at.first + 1) &&
         l.operandType(at.first).getElementType().isInteger();
}

/// The function of real numbers, quantised with the scale `scale` and the zero
/// point behind it.
static FailureOr<Values>
lowerThroughReals(Lowering &l, ArrayRef<Triple> triples, unsigned scale,
                  llvm::function_ref<Value(Scalars &, ValueRange)> function) {
  Values inputs;
  for (Triple at : triples) {
    if (!isThere(l, at))
      return l.unsupported("quantised elements without one scale");
    inputs.push_back(realElements(l, at));
  }
  if (!hasOneScale(l, scale))
    return l.unsupported("a result without one scale");
  inputs.push_back(l.operand(scale));
  Value zero = l.operand(scale + 1);
  if (zero)
    inputs.push_back(zero);
  Type to = l.resultElement(), f32 = l.b.getF32Type();
  return Values{mapElements(
      l, l.resultType(), inputs, [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        Value y = function(s, x.take_front(triples.size()));
        return quantizedElement(s, s.div(y, x[triples.size()]),
                                zero ? s.cast(x.back(), to, f32) : Value(), to);
      })};
}

/// A, A_scale, A_zero_point, B, B_scale, B_zero_point, C_scale, C_zero_point.
static FailureOr<Values> lowerQLinearAdd(Lowering &l) {
  return lowerThroughReals(l, {{0}, {3}}, 6, [](Scalars &s, ValueRange x) {
    return s.add(x[0], x[1]);
  });
}

static FailureOr<Values> lowerQLinearMul(Lowering &l) {
  return lowerThroughReals(l, {{0}, {3}}, 6, [](Scalars &s, ValueRange x) {
    return s.mul(x[0], x[1]);
  });
}

/// X, X_scale, X_zero_point, Y_scale, Y_zero_point.
static FailureOr<Values> lowerQLinearSigmoid(Lowering &l) {
  return lowerThroughReals(
      l, {{0}}, 3, [](Scalars &s, ValueRange x) { return s.sigmoid(x[0]); });
}

static FailureOr<Values> lowerQLinearLeakyRelu(Lowering &l) {
  return lowerThroughReals(l, {{0}}, 3, [&](Scalars &s, ValueRange x) {
    return scaledBelowZero(s, x[0], s.like(x[0], l.real("alpha", 0.01)));
  });
}

/// X, x_scale, x_zero_point, y_scale, y_zero_point: sums in i32 over all but
/// batch and channel.
static FailureOr<Values> lowerQLinearGlobalAveragePool(Lowering &l) {
  if (!isThere(l, {0}) || l.operandType(0).getRank() < 3)
    return l.unsupported("elements that aren't quantised with one scale, or of "
                         "fewer than three dimensions: " +
                         l.operandList({"X", "x_scale", "x_zero_point"}));
  if (!hasOneScale(l, 3))
    return l.unsupported("a result without one scale");
  RankedTensorType type = l.operandType(0);
  Ints axes;
  double count = 1;
  for (int64_t axis = 2; axis < type.getRank(); ++axis) {
    axes.push_back(axis - (l.integer("channels_last", 0) ? 1 : 0));
    count *= double(type.getDimSize(axes.back()));
  }
  Type i32 = l.b.getI32Type(), f32 = l.b.getF32Type();
  Value sums = reduceTo(
      l, withoutZeroPoint(l, 0, 2, i32, 0), axes, i32,
      [](Scalars &s, Type type) { return s.number(type, 0); },
      [](Scalars &s, Value x, Value acc) { return s.add(acc, x); }, false);
  sums =
      reshaped(l, sums, RankedTensorType::get(l.resultType().getShape(), i32));
  Value share = filledTensor(l, RankedTensorType::get({}, f32),
                             scalar(l.b, l.loc, f32, 1 / count));
  return Values{
      requantized(l, sums, {l.operand(1), share, l.operand(3), l.operand(4)})};
}

void addQuantizedMapRules(RuleTable &table) {
  table["rl.map:QLinearAdd"] = lowerQLinearAdd;
  table["rl.map:QLinearMul"] = lowerQLinearMul;
  table["rl.map:QLinearSigmoid"] = lowerQLinearSigmoid;
  table["rl.map:QLinearLeakyRelu"] = lowerQLinearLeakyRelu;
  table["rl.fused:QLinearGlobalAveragePool"] = lowerQLinearGlobalAveragePool;
}

} // namespace roofline::lowering
