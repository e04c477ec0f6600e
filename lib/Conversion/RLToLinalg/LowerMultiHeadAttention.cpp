//===- LowerMultiHeadAttention.cpp - com.microsoft: attention of Q, K, V --===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerAttention.h"
#include "Rotary.h"
#include "Rules.h"
#include "Slices.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {

/// Heads `from` … `from + count − 1` of [batch, rows, heads, size].
static Heads someHeads(Lowering &l, const Heads &all, int64_t from,
                       int64_t count) {
  SmallVector<int64_t> shape(all.type().getShape());
  shape[2] = count;
  return {sliced(l, all.tensor, {0, 0, from, 0}, shape), /*rowsFirst=*/true};
}

//===----------------------------------------------------------------------===//
// MultiHeadAttention
//===----------------------------------------------------------------------===//

/// One of several tensors packed in [batch, rows, heads, several, size].
static Heads unpacked(Lowering &l, Value packed, int64_t which) {
  SmallVector<int64_t> shape(typeOf(packed).getShape());
  shape[3] = 1;
  Value one = sliced(l, packed, {0, 0, 0, which, 0}, shape);
  shape.erase(shape.begin() + 3);
  SmallVector<ReassociationIndices> groups{{0}, {1}, {2, 3}, {4}};
  return {tensor::CollapseShapeOp::create(
              l.b, l.loc, withShape(typeOf(one), shape), one, groups),
          /*rowsFirst=*/true};
}

/// A part of the bias that begins at `from` added to [batch, rows, width].
static Value withBias(Lowering &l, Value tensor, int64_t &from) {
  Value bias = l.operand(3);
  int64_t width = typeOf(tensor).getDimSize(2);
  if (!bias)
    return tensor;
  if (typeOf(bias).getRank() != 1 || from + width > typeOf(bias).getDimSize(0))
    return {};
  Value part = sliced(l, bias, {from}, {width});
  from += width;
  return mapElements(l, typeOf(tensor), {tensor, part},
                     [](OpBuilder &b, Location loc, ValueRange x) {
                       return Scalars(b, loc, false).add(x[0], x[1]);
                     });
}

static bool readHeads(Lowering &l, Attention &form) {
  Value q = l.operand(0), k = l.operand(1), v = l.operand(2);
  int64_t count = l.integer("num_heads", 0);
  auto rank = [](Value value) { return value ? typeOf(value).getRank() : 0; };
  if (rank(q) == 5 && !k && !l.operand(3) && typeOf(q).getDimSize(3) == 3) {
    form.query = unpacked(l, q, 0);
    form.key = unpacked(l, q, 1);
    form.value = unpacked(l, q, 2);
    return true;
  }
  if (rank(q) != 3)
    return false;
  if (rank(k) == 5 && !v && !l.operand(3) && typeOf(k).getDimSize(3) == 2) {
    form.query = packedHeads(l, q, count);
    form.key = unpacked(l, k, 0);
    form.value = unpacked(l, k, 1);
    return true;
  }
  if (rank(k) == 4 && rank(v) == 4 && !l.operand(3)) {
    form.query = packedHeads(l, q, count);
    form.key = {k};
    form.value = {v};
    return true;
  }
  if (rank(k) != 3 || rank(v) != 3)
    return false;
  int64_t from = 0;
  for (auto [tensor, heads] :
       {std::pair(q, &form.query), {k, &form.key}, {v, &form.value}}) {
    Value sum = withBias(l, tensor, from);
    *heads = sum ? packedHeads(l, sum, count) : Heads();
  }
  return true;
}

/// query, key, value, bias, key_padding_mask, attention_bias, past_key,
/// past_value.
static FailureOr<Values> lowerMultiHead(Lowering &l) {
  Attention form;
  if (!readHeads(l, form) || !form.query.tensor || !form.key.tensor ||
      !form.value.tensor)
    return l.unsupported("heads of " +
                         l.operandList({"query", "key", "value", "bias"}));
  if (l.operand(8) || l.integer("past_present_share_buffer", 0))
    return l.unsupported("a cache that is written to");
  Value pastKey = l.operand(6), pastValue = l.operand(7);
  if (bool(pastKey) != bool(pastValue) || !isCacheOf(pastKey, form.key) ||
      !isCacheOf(pastValue, form.value))
    return l.unsupported("a past that isn't one of these keys and values");
  if (pastKey || l.numResults() > 1) {
    form.offset = pastKey ? typeOf(pastKey).getDimSize(2) : 0;
    form.key = withPast(l, pastKey, form.key);
    form.value = withPast(l, pastValue, form.value);
  }
  readScale(l, form);
  if (l.integer("unidirectional", 0))
    form.ahead = 0;
  if (failed(readMasks(l, 4, 5, form)))
    return failure();
  return lowerWithPresent(l, form);
}

//===----------------------------------------------------------------------===//
// GroupQueryAttention
//===----------------------------------------------------------------------===//

namespace {
/// How a step of a decoder fits what its cache holds.
struct CacheState {
  Value counts; ///< [batch] of i32: keys that count, the new ones among them
  Value past;   ///< [batch, 1] of i32: those before; null where there are none
  int64_t rows; ///< of the cache
};
} // namespace

/// seqlens_k holds the number of keys less 1. The first step has as many new
/// ones as there are keys at all.
static std::optional<CacheState> readCache(Lowering &l, int64_t batch,
                                           int64_t tokens) {
  Value lengths = l.operand(5);
  std::optional<Ints> total = l.constantInts(6);
  if (!lengths || typeOf(lengths).getNumElements() != batch || !total ||
      total->size() != 1)
    return std::nullopt;
  auto of = [&](ArrayRef<int64_t> shape, int64_t more) {
    Value flat = reshaped(l, lengths, withShape(typeOf(lengths), shape));
    return mapElements(l, typeOf(flat), flat,
                       [&](OpBuilder &b, Location loc, ValueRange x) {
                         Scalars s(b, loc, false);
                         return s.add(x[0], s.like(x[0], double(more)));
                       });
  };
  int64_t before = l.operand(3) ? l.operandType(3).getDimSize(2) : 0;
  CacheState state{of({batch}, 1), {}, std::max(before, (*total)[0])};
  if (l.operand(3) && (*total)[0] != tokens)
    state.past = of({batch, 1}, 1 - tokens);
  return state;
}

/// A cache with 0 where a sample has no rows.
static Value onlyFilled(Lowering &l, Value cache, const CacheState &state) {
  MLIRContext *context = l.b.getContext();
  auto dim = [&](unsigned i) { return l.b.getAffineDimExpr(i); };
  SmallVector<AffineMap> maps{
      l.b.getMultiDimIdentityMap(4), AffineMap::get(4, 0, dim(2)),
      AffineMap::get(4, 0, {dim(0), l.b.getAffineConstantExpr(0)}, context)};
  Value places = positions(l, typeOf(cache).getDimSize(2));
  return mapThrough(l, typeOf(cache), {cache, places, state.past}, maps,
                    [](OpBuilder &b, Location loc, ValueRange x) {
                      Scalars s(b, loc, false);
                      return s.select(s.less(x[1], x[2]), x[0],
                                      s.like(x[0], 0));
                    });
}

/// What the cache holds, and the new rows behind it: for each sample where its
/// own rows end.
static Heads cached(Lowering &l, Value past, const Heads &fresh,
                    const CacheState &state) {
  int64_t rows = state.rows;
  Heads now = headsFirst(l, fresh);
  SmallVector<int64_t> shape(now.type().getShape());
  int64_t tokens = shape[2];
  shape[2] = rows;
  RankedTensorType type = withShape(now.type(), shape);
  SmallVector<int64_t> zeros(4, 0);
  if (!state.past && tokens == rows)
    return now;
  Value whole = zeroOf(l, type);
  if (!state.past)
    return {inserted(l, now.tensor, whole, zeros)};
  if (typeOf(past).getNumElements() > 0)
    whole = inserted(l, onlyFilled(l, past, state), whole, zeros);
  SmallVector<int64_t> one{1, shape[1], tokens, shape[3]};
  Value result = loopOver(
      l, {shape[0]}, whole,
      [&](OpBuilder &b, Location loc, ValueRange at, ValueRange carried) {
        Value zero = indexValue(b, loc, 0);
        Value start = elementAt(b, loc, state.past, {at[0], zero});
        start = arith::IndexCastOp::create(b, loc, b.getIndexType(), start);
        start = arith::MaxSIOp::create(b, loc, start, zero);
        start = arith::MinSIOp::create(b, loc, start,
                                       indexValue(b, loc, rows - tokens));
        SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0)),
            strides(4, b.getIndexAttr(1));
        offsets[0] = at[0];
        SmallVector<OpFoldResult> sizes =
            getAsIndexOpFoldResult(b.getContext(), one);
        Value part = tensor::ExtractSliceOp::create(
            b, loc, withShape(type, one), now.tensor, offsets, sizes, strides);
        offsets[2] = start;
        return Values{tensor::InsertSliceOp::create(b, loc, part, carried[0],
                                                    offsets, sizes, strides)};
      })[0];
  return {result};
}

/// Q, K and V, of their own or side by side in the first operand.
static bool readGroupedHeads(Lowering &l, Attention &form) {
  int64_t heads = l.integer("num_heads", 0);
  int64_t shared = l.integer("kv_num_heads", 0);
  Value query = l.operand(0);
  if (!query || heads < 1 || shared < 1)
    return false;
  if (!l.operand(1) && !l.operand(2)) {
    Heads all = packedHeads(l, query, heads + 2 * shared);
    if (!all.tensor)
      return false;
    form.query = someHeads(l, all, 0, heads);
    form.key = someHeads(l, all, heads, shared);
    form.value = someHeads(l, all, heads + shared, shared);
    return true;
  }
  if (!l.operand(1) || !l.operand(2))
    return false;
  form.query = packedHeads(l, query, heads);
  form.key = packedHeads(l, l.operand(1), shared);
  form.value = packedHeads(l, l.operand(2), shared);
  return form.query.tensor && form.key.tensor && form.value.tensor;
}

/// query, key, value, past_key, past_value, seqlens_k, total_sequence_length,
/// cos_cache, sin_cache, position_ids, attention_bias, head_sink.
static FailureOr<Values> lowerGroupQuery(Lowering &l) {
  Attention form;
  if (!readGroupedHeads(l, form))
    return l.unsupported("heads of " +
                         l.operandList({"query", "key", "value"}));
  if (l.operand(11) || l.integer("smooth_softmax", 0) == 1 || l.operand(12))
    return l.unsupported("a softmax with a sink, or a quantised cache");
  int64_t tokens = form.query.rows();
  if (!isCacheOf(l.operand(3), form.key) ||
      !isCacheOf(l.operand(4), form.value))
    return l.unsupported("a past that isn't one of these keys and values");
  std::optional<CacheState> state = readCache(l, form.query.batch(), tokens);
  if (!state || bool(l.operand(3)) != bool(l.operand(4)) ||
      state->rows < tokens)
    return l.unsupported("a cache of " +
                         l.operandList({"", "", "", "past_key", "past_value",
                                        "seqlens_k", "total_sequence_length"}));
  if (l.integer("do_rotary", 0)) {
    Rotation rotation{l.operand(7), l.operand(8),
                      l.operand(9) ? l.operand(9) : state->past,
                      l.integer("rotary_interleaved", 0) != 0};
    form.query = rotated(l, form.query, rotation);
    form.key = rotated(l, form.key, rotation);
    if (!form.query.tensor || !form.key.tensor)
      return l.unsupported("tables of a rotary embedding that don't fit");
  }
  form.key = cached(l, l.operand(3), form.key, *state);
  form.value = cached(l, l.operand(4), form.value, *state);
  readScale(l, form);
  form.softcap = l.real("softcap", 0);
  form.ahead = 0;
  form.keyCount = state->counts;
  form.alignsEnd = bool(state->past);
  if (int64_t window = l.integer("local_window_size", -1); window > 0)
    form.behind = window - 1;
  if (Value bias = l.operand(10))
    form.mask = asFourDims(l, bias);
  return lowerWithPresent(l, form);
}

void addMultiHeadAttentionRules(RuleTable &table) {
  for (StringRef op : {"rl.attention", "rl.fused"}) {
    table[(op + ":MultiHeadAttention").str()] = lowerMultiHead;
    table[(op + ":GroupQueryAttention").str()] = lowerGroupQuery;
  }
}

} // namespace roofline::lowering
