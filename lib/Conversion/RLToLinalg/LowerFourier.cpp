//===- LowerFourier.cpp - discrete Fourier transforms ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By their definition: every frequency sums over all samples. Right, not fast.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "Scalars.h"
#include "Slices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <cmath>

using namespace mlir;

namespace roofline::lowering {
namespace {

/// A transform of real or complex samples: the last dimension holds the parts.
struct Transform {
  Lowering &l;
  Value input;
  int64_t axis;
  int64_t length; ///< of the transform
  bool inverse;   ///< sign of the angle, and a factor 1 / length
  bool mirrors;   ///< the input is the half of what is symmetric
  RankedTensorType result;

  /// cos or sin of 2πi/length for all i, of the sums' type.
  Value wave(bool sine, Type type) {
    SmallVector<Attribute> values;
    constexpr double turn = 6.283185307179586476925;
    for (int64_t i = 0; i < length; ++i) {
      double angle = turn * double(i) / double(length);
      values.push_back(
          FloatAttr::get(type, sine ? std::sin(angle) : std::cos(angle)));
    }
    auto tensor = RankedTensorType::get({length}, type);
    return constantTensor(l, DenseElementsAttr::get(tensor, values));
  }

  /// One part (0: real, 1: imaginary) of sample `at`; null where it is 0.
  Value sample(Scalars &s, SmallVector<Value> at, Value index, unsigned part,
               Type wide) {
    RankedTensorType type = typeOf(input);
    if (part >= type.getShape().back())
      return {};
    int64_t size = type.getDimSize(axis);
    Value there = index, sign;
    if (mirrors) { // x[length − i] is x[i] with the other sign
      Value turned = s.sub(indexValue(s.b, s.loc, length), index);
      Value isSecond = s.greater(index, indexValue(s.b, s.loc, length / 2));
      there = s.select(isSecond, turned, index);
      sign = isSecond;
    }
    Value isInside = s.less(there, indexValue(s.b, s.loc, size));
    at[axis] = indexInto(s.b, s.loc, there, size);
    at.back() = indexValue(s.b, s.loc, part);
    Value x =
        s.cast(elementAt(s.b, s.loc, input, at), type.getElementType(), wide);
    if (sign && part == 1)
      x = s.select(sign, s.neg(x), x);
    return s.select(isInside, x, s.like(x, 0));
  }

  /// What sample `index` adds to a part of frequency `at[axis]`.
  Value term(Scalars &s, ArrayRef<Value> at, Value index, unsigned part,
             Value cosines, Value sines, Type wide) {
    Value turns = arith::RemUIOp::create(s.b, s.loc, s.mul(at[axis], index),
                                         indexValue(s.b, s.loc, length));
    Value c = elementAt(s.b, s.loc, cosines, turns);
    Value d = elementAt(s.b, s.loc, sines, turns);
    if (!inverse)
      d = s.neg(d);
    // (re + i·im)·(c + i·d)
    SmallVector<Value> where(at);
    Value re = sample(s, where, index, 0, wide);
    Value im = sample(s, where, index, 1, wide);
    Value sum = s.mul(re, part == 0 ? c : d);
    if (!im)
      return sum;
    Value other = s.mul(im, part == 0 ? d : c);
    return part == 0 ? s.sub(sum, other) : s.add(sum, other);
  }

  /// One part of the result, a tensor whose last dimension is 1.
  Value part(unsigned number) {
    Type element = result.getElementType();
    // Frequencies that cancel out show what f32 loses.
    Type wide = l.b.getF64Type();
    Value cosines = wave(false, wide), sines = wave(true, wide);
    SmallVector<int64_t> shape(result.getShape());
    shape.back() = 1;
    auto sums = RankedTensorType::get(shape, wide);
    int64_t rank = sums.getRank();
    // The loops over the result, and the last over the samples; what bounds
    // that is a tensor of their number.
    Value samples =
        emptyTensor(l, RankedTensorType::get({length}, l.b.getI1Type()));
    AffineMap maps[] = {
        AffineMap::get(rank + 1, 0, l.b.getAffineDimExpr(rank)),
        AffineMap::getMultiDimIdentityMap(rank + 1, l.b.getContext())
            .dropResult(rank)};
    Value total = generic(l, samples, zeroOf(l, sums), maps,
                          [&](OpBuilder &b, Location loc, ValueRange x) {
                            Scalars s(b, loc, false);
                            SmallVector<Value> at;
                            for (int64_t i = 0; i < rank; ++i)
                              at.push_back(linalg::IndexOp::create(b, loc, i));
                            Value index = linalg::IndexOp::create(b, loc, rank);
                            return s.add(x.back(), term(s, at, index, number,
                                                        cosines, sines, wide));
                          });
    return mapElements(l, RankedTensorType::get(shape, element), total,
                       [&](OpBuilder &b, Location loc, ValueRange x) {
                         Scalars s(b, loc, false);
                         Value y = x[0];
                         if (inverse)
                           y = s.mul(y, s.like(y, 1.0 / double(length)));
                         return s.cast(y, wide, element);
                       });
  }

  Value run() {
    int64_t parts = result.getShape().back();
    if (parts == 1)
      return part(0);
    return joined(l, result, {part(0), part(1)}, result.getRank() - 1);
  }
};

bool isSignal(RankedTensorType type) {
  return type && isa<FloatType>(type.getElementType()) && type.getRank() >= 2 &&
         (type.getShape().back() == 1 || type.getShape().back() == 2);
}

} // namespace

static FailureOr<Values> lowerDFT(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  if (!isSignal(type) || !isSignal(result))
    return l.unsupported("no signal");
  std::optional<Ints> stated = l.constantInts(2);
  int64_t axis = l.integer("axis", l.opset() < 20 ? 1 : -2);
  if (stated && stated->size() == 1)
    axis = stated->front();
  else if (l.operand(2))
    return l.unsupported("its axis isn't known");
  axis = axisOf(axis, type.getRank());
  if (axis < 0 || axis == type.getRank() - 1)
    return l.unsupported("its axis is out of range");
  bool inverse = l.integer("inverse", 0), onesided = l.integer("onesided", 0);
  bool mirrors = inverse && onesided;
  int64_t length =
      mirrors ? 2 * (type.getDimSize(axis) - 1) : type.getDimSize(axis);
  if (std::optional<Ints> given = l.constantInts(1);
      given && given->size() == 1)
    length = given->front();
  else if (l.operand(1))
    return l.unsupported("its length isn't known");
  if (length < 1)
    return l.unsupported("a transform of no samples");
  Transform transform{l, l.operand(0), axis, length, inverse, mirrors, result};
  return Values{transform.run()};
}

/// Frames of the signal (batch, frame, sample, part), weighted by the window.
static FailureOr<Value> framesOf(Lowering &l, int64_t step, int64_t length) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  auto shape = withShape(type, {type.getDimSize(0), result.getDimSize(1),
                                length, type.getDimSize(2)});
  if ((result.getDimSize(1) - 1) * step + length > type.getDimSize(1))
    return l.unsupported("frames beyond the signal");
  auto dim = [&](unsigned i) { return l.b.getAffineDimExpr(i); };
  AffineMap maps[] = {AffineMap::get(4, 0,
                                     {dim(0), dim(1) * step + dim(2), dim(3)},
                                     l.b.getContext()),
                      AffineMap::get(4, 0, dim(2))};
  Values inputs = {l.operand(0)};
  if (Value window = l.operand(2))
    inputs.push_back(window);
  return mapThrough(l, shape, inputs, ArrayRef(maps).take_front(inputs.size()),
                    [](OpBuilder &b, Location loc, ValueRange x) {
                      return x.size() == 1
                                 ? x[0]
                                 : Scalars(b, loc, false).mul(x[0], x[1]);
                    });
}

static FailureOr<Values> lowerSTFT(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  if (!isSignal(type) || type.getRank() != 3 || result.getRank() != 4)
    return l.unsupported("no signal");
  std::optional<Ints> step = l.constantInts(1), stated = l.constantInts(3);
  RankedTensorType window = l.operandType(2);
  if (!step || step->size() != 1 || step->front() < 1 ||
      (l.operand(3) && !stated))
    return l.unsupported("its step or its length isn't known");
  int64_t length = stated && stated->size() == 1 ? stated->front()
                   : window                      ? window.getDimSize(0)
                                                 : type.getDimSize(1);
  if (length < 1 || (window && window.getShape() != ArrayRef(length)))
    return l.unsupported("a window of another length");
  FailureOr<Value> frames = framesOf(l, step->front(), length);
  if (failed(frames))
    return failure();
  Transform transform{l, *frames, 2, length, false, false, result};
  return Values{transform.run()};
}

void addFourierRules(RuleTable &table) {
  table["rl.fft:dft"] = lowerDFT;
  table["rl.fft:stft"] = lowerSTFT;
}

} // namespace roofline::lowering
