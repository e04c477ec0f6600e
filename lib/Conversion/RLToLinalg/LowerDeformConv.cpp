//===- LowerDeformConv.cpp - convolutions whose taps move -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each tap of each window reads the input where an offset, which is data, moves
// it, between four elements; those outside are 0. What is read, times a mask,
// is multiplied with the filter as any convolution's windows are.
//
//===----------------------------------------------------------------------===//

#include "Contract.h"
#include "Reduce.h"
#include "Rules.h"
#include "Slices.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

class DeformConv {
public:
  DeformConv(Lowering &l)
      : l(l), input(l.operandType(0)), filter(l.operandType(1)),
        result(l.resultType()),
        wide(accumulatorType(result.getElementType(), l.b)) {
    auto numbers = [&](StringRef name, int64_t otherwise, size_t count) {
      return l.integers(name).value_or(Ints(count, otherwise));
    };
    strides = numbers("strides", 1, 2);
    dilations = numbers("dilations", 1, 2);
    pads = numbers("pads", 0, 4);
    groups = l.integer("offset_group", 1);
  }

  /// Whether the operands are those of two spatial dimensions.
  bool fits() const {
    RankedTensorType offset = l.operandType(2);
    if (!input || !filter || !offset || result.getRank() != 4 ||
        input.getRank() != 4 || filter.getRank() != 4 ||
        offset.getRank() != 4 || groups < 1 || strides.size() != 2 ||
        dilations.size() != 2 || pads.size() != 4 ||
        !isa<FloatType>(result.getElementType()))
      return false;
    int64_t taps = filter.getDimSize(2) * filter.getDimSize(3);
    auto isOfTaps = [&](RankedTensorType type, int64_t numbers) {
      int64_t wanted[] = {input.getDimSize(0), numbers * groups * taps,
                          result.getDimSize(2), result.getDimSize(3)};
      return type.getShape() == ArrayRef(wanted);
    };
    return input.getDimSize(1) % groups == 0 &&
           filter.getDimSize(1) == input.getDimSize(1) && isOfTaps(offset, 2) &&
           (!l.operand(3) ||
            l.operandType(3).getNumElements() == filter.getDimSize(0)) &&
           (!l.operand(4) || isOfTaps(l.operandType(4), 1));
  }

  Value run() {
    auto type = RankedTensorType::get(result.getShape(), wide);
    Value sum = contraction(l, {{sampled(), "nijcyx"}, {l.operand(1), "ocij"}},
                            "noyx", type);
    Values inputs{sum};
    if (Value bias = l.operand(3))
      inputs.push_back(reshaped(
          l, bias,
          withShape(typeOf(bias), {typeOf(bias).getNumElements(), 1, 1})));
    return mapElements(l, result, inputs,
                       [&](OpBuilder &b, Location loc, ValueRange x) {
                         Scalars s(b, loc, false);
                         Value y = x[0];
                         if (x.size() > 1)
                           y = s.add(y, widened(s, x[1], wide));
                         return s.cast(y, wide, result.getElementType());
                       });
  }

private:
  /// [batch, tap's row, tap's column, channel, row, column]
  Value sampled() {
    SmallVector<int64_t> shape{input.getDimSize(0),  filter.getDimSize(2),
                               filter.getDimSize(3), input.getDimSize(1),
                               result.getDimSize(2), result.getDimSize(3)};
    return fromIndices(l, RankedTensorType::get(shape, wide),
                       [&](OpBuilder &b, Location loc, ValueRange at) {
                         return sampleAt(b, loc, at);
                       });
  }

  Value sampleAt(OpBuilder &b, Location loc, ValueRange at) {
    Scalars s(b, loc, false);
    // Which of its groups' taps, and where in the tensors of offsets and masks.
    Value group = arith::DivUIOp::create(
        b, loc, at[3], indexValue(b, loc, input.getDimSize(1) / groups));
    auto step = [&](Value x, int64_t factor, Value y) -> Value {
      return s.add(s.mul(x, indexValue(b, loc, factor)), y);
    };
    Value tap = step(step(group, filter.getDimSize(2), at[1]),
                     filter.getDimSize(3), at[2]);
    Value place[2];
    for (unsigned i : {0, 1}) {
      Value number = step(tap, 2, indexValue(b, loc, i));
      Value moved =
          elementAt(b, loc, l.operand(2), {at[0], number, at[4], at[5]});
      Value start = step(at[4 + i], strides[i],
                         s.mul(at[1 + i], indexValue(b, loc, dilations[i])));
      start = s.sub(start, indexValue(b, loc, pads[i]));
      place[i] = s.add(asReal(b, loc, start), widened(s, moved, wide));
    }
    Value y = between(b, loc, at, place[0], place[1]);
    if (Value mask = l.operand(4))
      y = s.mul(y,
                widened(s, elementAt(b, loc, mask, {at[0], tap, at[4], at[5]}),
                        wide));
    return y;
  }

  Value asReal(OpBuilder &b, Location loc, Value index) {
    Value number = arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
    return arith::SIToFPOp::create(b, loc, wide, number);
  }

  /// The four elements around a place, weighed by how near they are.
  Value between(OpBuilder &b, Location loc, ValueRange at, Value row,
                Value column) {
    Scalars s(b, loc, false);
    Value one = s.number(wide, 1), sum;
    Value low[] = {math::FloorOp::create(b, loc, row),
                   math::FloorOp::create(b, loc, column)};
    Value part[] = {s.sub(row, low[0]), s.sub(column, low[1])};
    for (int i : {0, 1})
      for (int j : {0, 1}) {
        Value weight = s.mul(i ? part[0] : s.sub(one, part[0]),
                             j ? part[1] : s.sub(one, part[1]));
        Value term = s.mul(
            weight, elementOrZero(b, loc, at, s.add(low[0], s.number(wide, i)),
                                  s.add(low[1], s.number(wide, j))));
        sum = sum ? s.add(sum, term) : term;
      }
    return sum;
  }

  static Value isAtMost(OpBuilder &b, Location loc, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE, x, y);
  }

  Value elementOrZero(OpBuilder &b, Location loc, ValueRange at, Value row,
                      Value column) {
    Scalars s(b, loc, false);
    Value isInside, places[] = {row, column};
    for (auto [i, place] : llvm::enumerate(places)) {
      int64_t size = input.getDimSize(2 + i);
      Value first = s.number(wide, 0), last = s.number(wide, double(size - 1));
      // A place that is no number is outside too: neither comparison holds.
      Value isIn = arith::AndIOp::create(b, loc, isAtMost(b, loc, first, place),
                                         isAtMost(b, loc, place, last));
      isInside = isInside ? Value(arith::AndIOp::create(b, loc, isInside, isIn))
                          : isIn;
      // What isn't read must lie inside all the same.
      Value read = s.select(isIn, place, first);
      Value number = arith::FPToSIOp::create(b, loc, b.getI32Type(), read);
      place = indexInto(b, loc, number, size);
    }
    Value element = widened(
        s,
        elementAt(b, loc, l.operand(0), {at[0], at[3], places[0], places[1]}),
        wide);
    return s.select(isInside, element, s.number(wide, 0));
  }

  Lowering &l;
  RankedTensorType input, filter, result;
  Type wide;
  Ints strides, dilations, pads;
  int64_t groups;
};

} // namespace

/// X, W, offset, B, mask.
static FailureOr<Values> lowerDeformConv(Lowering &l) {
  DeformConv conv(l);
  if (!conv.fits())
    return l.unsupported("a deformable convolution of these shapes");
  return Values{conv.run()};
}

void addDeformConvRules(RuleTable &table) {
  table["rl.fused:DeformConv"] = lowerDeformConv;
}

} // namespace roofline::lowering
