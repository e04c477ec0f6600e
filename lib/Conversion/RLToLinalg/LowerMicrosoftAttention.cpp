//===- LowerMicrosoftAttention.cpp - com.microsoft: attention -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contract.h"
#include "LowerAttention.h"
#include "Slices.h"

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// mask_index: integers that say which keys count, [batch, keys] or
/// [batch, queries, keys], or how many, [batch]. As floats that are added to
/// scores; null for other forms.
static Value addedMask(Lowering &l, Value mask, const Attention &form) {
  RankedTensorType type = typeOf(mask);
  int64_t keys = form.key.rows(), batch = form.query.batch();
  Type element = scoreType(l, form);
  double filter = l.real("mask_filter_value", -10000);
  ArrayRef<int64_t> shape = type.getShape();
  auto added = [&](Scalars &s, Value counts) {
    return s.select(counts, s.number(element, 0), s.number(element, filter));
  };
  if (shape.size() == 1 && shape[0] == batch) {
    auto result = RankedTensorType::get({batch, 1, 1, keys}, element);
    MLIRContext *context = l.b.getContext();
    SmallVector<AffineMap> maps{
        AffineMap::get(4, 0, l.b.getAffineDimExpr(0)),
        AffineMap::get(4, 0, {l.b.getAffineDimExpr(3)}, context)};
    return mapThrough(l, result, {mask, positions(l, keys)}, maps,
                      [&](OpBuilder &b, Location loc, ValueRange x) {
                        Scalars s(b, loc, false);
                        return added(s, s.less(x[1], x[0]));
                      });
  }
  if ((shape.size() != 2 && shape.size() != 3) || shape.back() != keys ||
      shape[0] != batch)
    return {};
  SmallVector<int64_t> four{batch, 1, shape.size() == 3 ? shape[1] : 1, keys};
  Value wide = reshaped(l, mask, withShape(type, four));
  return mapElements(l, RankedTensorType::get(four, element), wide,
                     [&](OpBuilder &b, Location loc, ValueRange x) {
                       Scalars s(b, loc, false);
                       return added(s, s.greater(x[0], s.like(x[0], 0)));
                     });
}

/// The sum of two masks, either of which may be null.
static Value bothMasks(Lowering &l, Value one, Value other, Type element) {
  if (!one || !other)
    return one ? one : other;
  SmallVector<int64_t> shape;
  for (auto [x, y] :
       llvm::zip(typeOf(one).getShape(), typeOf(other).getShape()))
    shape.push_back(std::max(x, y));
  Type from = typeOf(other).getElementType();
  return mapElements(l, RankedTensorType::get(shape, element), {one, other},
                     [&](OpBuilder &b, Location loc, ValueRange x) {
                       Scalars s(b, loc, false);
                       return s.add(x[0], s.cast(x[1], from, element));
                     });
}

LogicalResult readMasks(Lowering &l, unsigned index, unsigned bias,
                        Attention &form) {
  Value mask;
  if (Value given = l.operand(index)) {
    mask = addedMask(l, given, form);
    if (!mask)
      return l.unsupported("a mask of another form: " +
                           described("mask", given));
  }
  Value added = l.operand(bias);
  if (added)
    added = asFourDims(l, added);
  if (added && typeOf(added).getRank() != 4)
    return l.unsupported("a bias of more than four dimensions: " +
                         described("attention_bias", added));
  form.mask = bothMasks(l, mask, added, scoreType(l, form));
  return success();
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// input · weight + bias for columns `from` … `from + width − 1` of the weight.
static Value projected(Lowering &l, int64_t from, int64_t width) {
  Value input = l.operand(0), weight = l.operand(1), bias = l.operand(2);
  ArrayRef<int64_t> shape = typeOf(input).getShape();
  Type element = typeOf(input).getElementType();
  Type wide = accumulatorType(element, l.b);
  Value columns = sliced(l, weight, {0, from}, {shape[2], width});
  auto type = RankedTensorType::get({shape[0], shape[1], width}, wide);
  Value product =
      contraction(l, {{input, "bsi"}, {columns, "io"}}, "bso", type);
  Values inputs{product};
  if (bias)
    inputs.push_back(sliced(l, bias, {from}, {width}));
  return mapElements(l, withShape(typeOf(input), type.getShape()), inputs,
                     [&](OpBuilder &b, Location loc, ValueRange x) {
                       Scalars s(b, loc, false);
                       Value sum = x[0];
                       if (bias)
                         sum = s.add(sum, s.cast(x[1], element, wide));
                       return s.cast(sum, wide, element);
                     });
}

/// One of the two halves of [2, batch, heads, rows, size].
static Value halfOf(Lowering &l, Value past, int64_t which) {
  if (!past)
    return {};
  SmallVector<int64_t> shape(typeOf(past).getShape());
  shape[0] = 1;
  Value half = sliced(l, past, {which, 0, 0, 0, 0}, shape);
  return reshaped(l, half,
                  withShape(typeOf(half), ArrayRef(shape).drop_front()));
}

/// Keys and values as the cache has them.
static Value asCache(Lowering &l, const Attention &form,
                     RankedTensorType type) {
  SmallVector<int64_t> shape(form.key.type().getShape());
  shape.insert(shape.begin(), 1);
  RankedTensorType half = withShape(type, shape);
  return joined(l, type,
                {reshaped(l, form.key.tensor, half),
                 reshaped(l, form.value.tensor, half)},
                0);
}

/// input, weights, bias, mask_index, past, attention_bias.
FailureOr<Values> lowerMicrosoftAttention(Lowering &l) {
  Value input = l.operand(0), weight = l.operand(1), past = l.operand(4);
  int64_t heads = l.integer("num_heads", 0);
  if (!input || !weight || typeOf(input).getRank() != 3 ||
      typeOf(weight).getRank() != 2 || heads < 1 ||
      typeOf(weight).getElementType() != typeOf(input).getElementType() ||
      typeOf(weight).getDimSize(0) != typeOf(input).getDimSize(2) ||
      (l.operand(2) &&
       l.operandType(2).getShape() != ArrayRef(typeOf(weight).getDimSize(1))))
    return l.unsupported("a projection of " +
                         l.operandList({"input", "weights", "bias"}));
  if (l.integer("do_rotary", 0) || l.integer("past_present_share_buffer", 0))
    return l.unsupported("a rotary embedding, or a cache that is written to");
  int64_t all = typeOf(weight).getDimSize(1);
  Ints widths =
      l.integers("qkv_hidden_sizes").value_or(Ints{all / 3, all / 3, all / 3});
  if (widths.size() != 3 || widths[0] + widths[1] + widths[2] != all)
    return l.unsupported("weights whose columns aren't those of Q, K and V: " +
                         described("weights", weight));
  Attention form;
  form.query = packedHeads(l, projected(l, 0, widths[0]), heads);
  form.key = packedHeads(l, projected(l, widths[0], widths[1]), heads);
  form.value =
      packedHeads(l, projected(l, widths[0] + widths[1], widths[2]), heads);
  if (!form.query.tensor || !form.key.tensor || !form.value.tensor)
    return l.unsupported("widths that aren't so many heads'");
  if (past && (typeOf(past).getRank() != 5 || typeOf(past).getDimSize(0) != 2 ||
               !isCacheOf(halfOf(l, past, 0), form.key) ||
               !isCacheOf(halfOf(l, past, 1), form.value)))
    return l.unsupported("a past that isn't one of these keys and values");
  if (past || l.numResults() > 1) {
    form.key = withPast(l, halfOf(l, past, 0), form.key);
    form.value = withPast(l, halfOf(l, past, 1), form.value);
    form.offset = past ? typeOf(past).getDimSize(3) : 0;
  }
  readScale(l, form);
  if (l.integer("unidirectional", 0))
    form.ahead = 0;
  if (failed(readMasks(l, 3, 5, form)))
    return failure();
  FailureOr<Value> y = lowerAttention(l, form);
  if (failed(y))
    return failure();
  Values results{reshaped(l, *y, l.resultType())};
  if (l.numResults() > 1)
    results.push_back(asCache(l, form, l.resultType(1)));
  return results;
}

} // namespace roofline::lowering
