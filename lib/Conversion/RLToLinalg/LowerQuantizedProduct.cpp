//===- LowerQuantizedProduct.cpp - products of quantised tensors ----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contract.h"
#include "Quantized.h"
#include "Reduce.h"
#include "Slices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

/// Where a product's operands stand among the node's.
struct Form {
  unsigned left, leftZero, right, rightZero;
  int leftScale = -1, rightScale = -1, bias = -1, resultScale = -1;
};

Value operandOf(Lowering &l, int i) { return i >= 0 ? l.operand(i) : Value(); }

/// Sums in i32 of elements less their zero points: one for all, one a row
/// (left) or one a column (right).
FailureOr<Value> integerSums(Lowering &l, const Form &form) {
  auto op = cast<rl::ContractOp>(l.op);
  auto [factors, result] = op.getEquation().split("->");
  auto [left, right] = factors.split(',');
  RankedTensorType a = l.operandType(form.left), b = l.operandType(form.right);
  if (!a || !b || !a.getElementType().isInteger() ||
      !b.getElementType().isInteger() || a.getRank() != int64_t(left.size()) ||
      b.getRank() != int64_t(right.size()))
    return l.unsupported("a product of quantised elements as " +
                         op.getEquation() + " of " +
                         described("A", l.operand(form.left)) + ", " +
                         described("B", l.operand(form.right)));
  Type i32 = l.b.getI32Type();
  int64_t row = left.find('m'), column = right.find('n');
  Factor factorsOf[] = {
      {withoutZeroPoint(l, form.left, form.leftZero, i32, row < 0 ? 0 : row),
       left.str()},
      {withoutZeroPoint(l, form.right, form.rightZero, i32,
                        column < 0 ? 0 : column),
       right.str()}};
  return contraction(l, factorsOf, result,
                     RankedTensorType::get(l.resultType().getShape(), i32));
}

FailureOr<Values> lowerMatMulInteger(Lowering &l) {
  FailureOr<Value> sums = integerSums(l, {0, 2, 1, 3});
  return failed(sums) ? FailureOr<Values>() : Values{*sums};
}

/// A scale of the left factor's rows (right: columns) as the result has them.
Value scaleOf(Lowering &l, int i, bool ofRows) {
  int64_t rank = l.resultType().getRank();
  return alongAxis(l, l.operand(i),
                   ofRows ? std::max<int64_t>(rank - 2, 0) : rank - 1, rank);
}

FailureOr<Values> rescaled(Lowering &l, const Form &form) {
  FailureOr<Value> sums = integerSums(l, form);
  if (failed(sums))
    return failure();
  Value a = scaleOf(l, form.leftScale, true),
        b = scaleOf(l, form.rightScale, false);
  return Values{requantized(
      l, *sums,
      {a, b, l.operand(form.resultScale), operandOf(l, form.resultScale + 1)})};
}

/// a, a_scale, a_zero_point, b, b_scale, b_zero_point, y_scale, y_zero_point.
FailureOr<Values> lowerQLinearMatMul(Lowering &l) {
  if (!l.resultType().getElementType().isInteger() || !l.operand(6))
    return l.unsupported("a product that isn't quantised again: " +
                         l.operandList({"", "", "", "", "", "", "y_scale"}));
  return rescaled(l, {0, 2, 3, 5, 1, 4, -1, 6});
}

/// Sums times the product of the scales, with a bias of the result's type.
FailureOr<Values> toReal(Lowering &l, const Form &form) {
  FailureOr<Value> sums = integerSums(l, form);
  if (failed(sums))
    return failure();
  Values inputs{*sums, scaleOf(l, form.leftScale, true),
                scaleOf(l, form.rightScale, false)};
  if (Value bias = operandOf(l, form.bias))
    inputs.push_back(bias);
  RankedTensorType type = l.resultType();
  Type f32 = l.b.getF32Type();
  return Values{mapElements(
      l, type, inputs, [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        auto real = [&](Value value) {
          return s.cast(value, value.getType(), f32);
        };
        Value y = s.mul(real(x[0]), s.mul(real(x[1]), real(x[2])));
        if (x.size() > 3)
          y = s.add(y, real(x[3]));
        return s.cast(y, f32, type.getElementType());
      })};
}

/// The sums plus a bias of the same scale.
Value withBias(Lowering &l, Value sums, Value bias) {
  if (!bias)
    return sums;
  return mapElements(l, cast<RankedTensorType>(sums.getType()), {sums, bias},
                     [](OpBuilder &b, Location loc, ValueRange x) {
                       return Scalars(b, loc, false).add(x[0], x[1]);
                     });
}

/// `scale` times a number that is an attribute.
Value scaledBy(Lowering &l, Value scale, double factor) {
  if (factor == 1)
    return scale;
  return mapElements(l, cast<RankedTensorType>(scale.getType()), scale,
                     [&](OpBuilder &b, Location loc, ValueRange x) {
                       Scalars s(b, loc, false);
                       return s.mul(x[0], s.like(x[0], factor));
                     });
}

/// A, a_scale, a_zero_point, B, b_scale, b_zero_point, C, y_scale,
/// y_zero_point: floats where there is no scale of the result.
FailureOr<Values> lowerQGemm(Lowering &l) {
  Form form{0, 2, 3, 5, 1, 4};
  if (!l.operand(1) || !l.operand(4))
    return l.unsupported("a product without scales");
  FailureOr<Value> product = integerSums(l, form);
  if (failed(product))
    return failure();
  Value sums = withBias(l, *product, l.operand(6));
  Value a = scaledBy(l, l.operand(1), l.real("alpha", 1));
  Value b = scaleOf(l, form.rightScale, false);
  if (l.operand(7))
    return Values{requantized(l, sums, {a, b, l.operand(7), l.operand(8)})};
  Type f32 = l.b.getF32Type();
  return Values{mapElements(l, l.resultType(), {sums, a, b},
                            [&](OpBuilder &b, Location loc, ValueRange x) {
                              Scalars s(b, loc, false);
                              return s.mul(s.cast(x[0], x[0].getType(), f32),
                                           s.mul(x[1], x[2]));
                            })};
}

/// A, B, a_scale, b_scale, a_zero_point, b_zero_point, bias.
FailureOr<Values> lowerMatMulIntegerToFloat(Lowering &l) {
  if (!l.operand(2) || !l.operand(3))
    return l.unsupported("a product without scales");
  return toReal(l, {0, 4, 1, 5, 2, 3, 6});
}

//===----------------------------------------------------------------------===//
// Weights packed in blocks
//===----------------------------------------------------------------------===//

/// Value `number` of those of `bits` bits packed in bytes along the last of
/// `leading` + 1 dimensions, as i32.
Value packedAt(Scalars &s, Value bytes, ValueRange leading, Value number,
               int64_t bits) {
  OpBuilder &b = s.b;
  int64_t perByte = 8 / bits;
  Value count = indexValue(b, s.loc, perByte);
  SmallVector<Value> indices(leading);
  indices.push_back(arith::DivUIOp::create(b, s.loc, number, count));
  Type i32 = b.getI32Type();
  Value byte = arith::ExtUIOp::create(b, s.loc, i32,
                                      elementAt(b, s.loc, bytes, indices));
  Value place = arith::IndexCastOp::create(
      b, s.loc, i32, arith::RemUIOp::create(b, s.loc, number, count));
  Value shift = s.mul(place, s.like(place, double(bits)));
  Value moved = arith::ShRUIOp::create(b, s.loc, byte, shift);
  return arith::AndIOp::create(b, s.loc, moved,
                               s.like(moved, double((1 << bits) - 1)));
}

/// N x K weights: (value − zero point) · scale, each block of a row with its
/// own.
FailureOr<Value> unpackedWeights(Lowering &l, int64_t n, int64_t k,
                                 Type element) {
  int64_t bits = l.integer("bits", 4), block = l.integer("block_size", 32);
  Value packed = l.operand(1), scales = l.operand(2), zeros = l.operand(3);
  if ((bits != 2 && bits != 4 && bits != 8) || block < 1 || !scales ||
      l.operand(4) || !l.operandType(1).getElementType().isInteger(8))
    return l.unsupported("weights packed in this way");
  int64_t blocks = (k + block - 1) / block, perByte = 8 / bits;
  int64_t bytes = (block * bits + 7) / 8;
  if (l.operandType(1).getNumElements() != n * blocks * bytes ||
      l.operandType(2).getNumElements() != n * blocks)
    return l.unsupported("packed weights of this size");
  auto shaped = [&](Value tensor, ArrayRef<int64_t> shape) {
    return reshaped(l, tensor, withShape(typeOf(tensor), shape));
  };
  packed = shaped(packed, {n, blocks, bytes});
  scales = shaped(scales, {n, blocks});
  bool packedZeros = zeros && typeOf(zeros).getElementType().isInteger(8);
  if (zeros) {
    int64_t width = packedZeros ? (blocks + perByte - 1) / perByte : blocks;
    if (typeOf(zeros).getNumElements() != n * width)
      return l.unsupported("zero points of this size");
    zeros = shaped(zeros, {n, width});
  }
  return fromIndices(
      l, RankedTensorType::get({n, k}, element),
      [&](OpBuilder &b, Location loc, ValueRange at) {
        Scalars s(b, loc, false);
        Value size = indexValue(b, loc, block);
        Value group = arith::DivUIOp::create(b, loc, at[1], size);
        Value inside = arith::RemUIOp::create(b, loc, at[1], size);
        auto real = [&](Value value) {
          return s.cast(value, value.getType(), element);
        };
        Value value = real(packedAt(s, packed, {at[0], group}, inside, bits));
        Value zero = s.number(element, double(1 << (bits - 1)));
        if (packedZeros)
          zero = real(packedAt(s, zeros, at[0], group, bits));
        else if (zeros)
          zero = real(elementAt(b, loc, zeros, {at[0], group}));
        Value scale = real(elementAt(b, loc, scales, {at[0], group}));
        return s.mul(s.sub(value, zero), scale);
      });
}

/// A, B, scales, zero_points, g_idx, bias.
FailureOr<Values> lowerMatMulNBits(Lowering &l) {
  auto op = cast<rl::ContractOp>(l.op);
  int64_t k = l.integer("K", 0), n = l.integer("N", 0);
  RankedTensorType type = l.resultType();
  Type element = accumulatorType(type.getElementType(), l.b);
  auto [factors, result] = op.getEquation().split("->");
  auto [left, right] = factors.split(',');
  if (!l.operand(0) || !l.operand(1) || right != "nk")
    return l.unsupported("a product of packed weights as " + op.getEquation() +
                         " of " + l.operandList({"A", "B"}));
  FailureOr<Value> weights = unpackedWeights(l, n, k, element);
  if (failed(weights))
    return failure();
  Factor both[] = {{l.operand(0), left.str()}, {*weights, right.str()}};
  Value sums = contraction(l, both, result,
                           RankedTensorType::get(type.getShape(), element));
  Values inputs{sums};
  if (Value bias = l.operand(5))
    inputs.push_back(bias);
  if (inputs.size() == 1 && sums.getType() == type)
    return Values{sums};
  return Values{mapElements(l, type, inputs,
                            [&](OpBuilder &b, Location loc, ValueRange x) {
                              Scalars s(b, loc, false);
                              Value y = x[0];
                              if (x.size() > 1)
                                y = s.add(y, widened(s, x[1], element));
                              return s.cast(y, element, type.getElementType());
                            })};
}

} // namespace

Rule quantizedProduct(StringRef opType) {
  return llvm::StringSwitch<Rule>(opType)
      .Case("MatMulInteger", lowerMatMulInteger)
      .Case("QLinearMatMul", lowerQLinearMatMul)
      .Case("MatMulIntegerToFloat", lowerMatMulIntegerToFloat)
      .Case("MatMulNBits", lowerMatMulNBits)
      .Case("QGemm", lowerQGemm)
      .Default(nullptr);
}

} // namespace roofline::lowering
