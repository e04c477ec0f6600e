//===- InferMicrosoftAttention.cpp - com.microsoft: attention -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferSupport.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

static MaybeDim heads(const Node &node, StringRef attribute) {
  int64_t count = node.attributeInt(attribute, 0);
  return count > 0 ? MaybeDim(Expr(count)) : std::nullopt;
}

/// The width of a value row: from an attribute, else a third of what the
/// weights or the bias produce for queries, keys and values together.
static MaybeDim valueWidth(const InferContext &ctx, const Node &node) {
  auto sizes = node.attributeInts("qkv_hidden_sizes");
  if (sizes && sizes->size() == 3)
    return Expr((*sizes)[2]);
  MaybeDim packed = better(dimOf(ctx, node, 1, 1), dimOf(ctx, node, 2, 0));
  return quotient(packed, Expr(3));
}

/// Sets `output` to [2, batch, heads, past + length, size].
static void setPresent(Node &node, InferContext &ctx, unsigned output,
                       unsigned past, const MaybeDim &width) {
  if (has(node, past) && node.attributeInt("past_present_share_buffer", 0)) {
    setLike(node, ctx, output, past);
    return;
  }
  MaybeDim count = heads(node, "num_heads");
  MaybeDim total = dimOf(ctx, node, 0, 1);
  if (has(node, past))
    total = plus(dimOf(ctx, node, past, 3), total);
  int elem = ctx.elemOf(node, past);
  if (!elem && node.output(0))
    elem = node.output(0)->type.onnxElem;
  ctx.setTensor(
      node, output, elem,
      {Expr(2), dimOf(ctx, node, 0, 0), count, total, quotient(width, count)});
}

/// Input [batch, length, features], weights of all three projections.
static Error inferAttention(Node &node, InferContext &ctx) {
  if (differ(dimOf(ctx, node, 0, 2), dimOf(ctx, node, 1, 0)))
    return nodeError(node, "inner dimensions " + str(dimOf(ctx, node, 0, 2)) +
                               " and " + str(dimOf(ctx, node, 1, 0)) +
                               " differ");
  MaybeDim width = valueWidth(ctx, node);
  ctx.setTensorLike(node, 0, 0,
                    {dimOf(ctx, node, 0, 0), dimOf(ctx, node, 0, 1), width});
  setPresent(node, ctx, 1, 4, width);
  return Error::success();
}

/// The same with integer operands; the scale of the input has the result's
/// type.
static Error inferQAttention(Node &node, InferContext &ctx) {
  MaybeDim width = quotient(dimOf(ctx, node, 1, 1), Expr(3));
  ctx.setTensor(node, 0, ctx.elemOf(node, 3),
                {dimOf(ctx, node, 0, 0), dimOf(ctx, node, 0, 1), width});
  setPresent(node, ctx, 1, 8, width);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// MultiHeadAttention
//===----------------------------------------------------------------------===//

/// Queries [b, s, h] or packed [b, s, heads, 3, size]; keys and values of their
/// own [b, l, h], packed keys [b, l, heads, 2, size], or past ones
/// [b, heads, l, size].
static Error inferMultiHeadAttention(Node &node, InferContext &ctx) {
  const MaybeDims *query = ctx.dims(node, 0);
  if (!query || query->size() < 3) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  MaybeDim count = heads(node, "num_heads");
  MaybeDim batch = (*query)[0], length = (*query)[1];
  MaybeDim size, width, keyLength = length;
  const MaybeDims *key = ctx.dims(node, 1), *value = ctx.dims(node, 2);
  if (query->size() == 5) {
    size = (*query)[4];
    width = times(count, size);
  } else {
    size = quotient((*query)[2], count);
    width = (*query)[2];
    if (value)
      width =
          value->size() == 4 ? times((*value)[1], (*value)[3]) : value->back();
    else if (has(node, 2))
      width = std::nullopt;
    if (key)
      keyLength = key->size() == 4 ? (*key)[2] : (*key)[1];
    else if (has(node, 1))
      keyLength = std::nullopt;
  }
  ctx.setTensorLike(node, 0, 0, {batch, length, width});
  MaybeDim total = keyLength;
  bool shares = node.attributeInt("past_present_share_buffer", 0);
  if (has(node, 6))
    total = shares ? dimOf(ctx, node, 6, 2)
                   : plus(dimOf(ctx, node, 6, 2), keyLength);
  ctx.setTensorLike(node, 1, 0, {batch, count, total, size});
  ctx.setTensorLike(node, 2, 0, {batch, count, total, quotient(width, count)});
  ctx.setTensorLike(node, 3, 0, {batch, count, length, total});
  return Error::success();
}

//===----------------------------------------------------------------------===//
// GroupQueryAttention
//===----------------------------------------------------------------------===//

/// Without key and value operands the query has all three side by side.
static Error inferGroupQueryAttention(Node &node, InferContext &ctx) {
  MaybeDim queryHeads = heads(node, "num_heads");
  MaybeDim cacheHeads = heads(node, "kv_num_heads");
  MaybeDim batch = dimOf(ctx, node, 0, 0), length = dimOf(ctx, node, 0, 1);
  MaybeDim hidden = dimOf(ctx, node, 0, 2), size;
  if (has(node, 1))
    size = quotient(hidden, queryHeads);
  else
    size = quotient(hidden, plus(queryHeads, times(cacheHeads, Expr(2))));
  ctx.setTensorLike(node, 0, 0, {batch, length, times(queryHeads, size)});
  // A cache either grows by the new rows or is a buffer that holds them all.
  MaybeDim past = has(node, 3) ? dimOf(ctx, node, 3, 2) : MaybeDim(Expr(0));
  MaybeDim total = scalarDim(ctx, node, 6);
  MaybeDim present;
  if (total)
    present = combine(past, total, Expr::max);
  else
    present = plus(past, length);
  for (unsigned i : {1, 2}) {
    int elem = ctx.elemOf(node, 2 + i);
    ctx.setTensor(node, i, elem ? elem : ctx.elemOf(node, 0),
                  {batch, cacheHeads, present, size});
  }
  ctx.setTensorLike(node, 3, 0, {batch, queryHeads, length, present});
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Packed tokens
//===----------------------------------------------------------------------===//

/// [tokens, features] of all sequences, one after the other.
static Error inferPackedAttention(Node &node, InferContext &ctx) {
  ctx.setTensorLike(node, 0, 0,
                    {dimOf(ctx, node, 0, 0), valueWidth(ctx, node)});
  return Error::success();
}

/// Input [batch, length, features]: the tokens that aren't padding, their
/// offsets, the sequences' ends, the longest one.
static Error inferRemovePadding(Node &node, InferContext &ctx) {
  MaybeDim batch = dimOf(ctx, node, 0, 0), length = dimOf(ctx, node, 0, 1);
  ctx.setTensorLike(node, 0, 0, {times(batch, length), dimOf(ctx, node, 0, 2)});
  ctx.setTensor(node, 1, TensorProto::INT32, {batch, length});
  ctx.setTensor(node, 2, TensorProto::INT32, {plus(batch, Expr(1))});
  ctx.setTensor(node, 3, TensorProto::INT32, {Expr(1)});
  if (Value *tokens = node.output(0))
    tokens->dataDependent = true;
  return Error::success();
}

static Error inferRestorePadding(Node &node, InferContext &ctx) {
  ctx.setTensorLike(
      node, 0, 0,
      {dimOf(ctx, node, 1, 0), dimOf(ctx, node, 1, 1), dimOf(ctx, node, 0, 1)});
  return Error::success();
}

/// A table [buckets, heads] and two lengths: [1, heads, query, key].
static Error inferRelativePositionBias(Node &node, InferContext &ctx) {
  ctx.setTensorLike(node, 0, 0,
                    {Expr(1), dimOf(ctx, node, 0, 1), scalarDim(ctx, node, 1),
                     scalarDim(ctx, node, 2)});
  return Error::success();
}

void onnx_import::registerMicrosoftAttentionInfer(RuleTable &table) {
  auto add = [&](StringRef op, OpRule::Infer infer, uint32_t host = 0) {
    table.infer(op, infer, nullptr, host, microsoft);
  };
  add("Attention", inferAttention);
  add("QAttention", inferQAttention);
  add("LongformerAttention", inferLike<0>);
  add("MultiHeadAttention", inferMultiHeadAttention);
  add("GroupQueryAttention", inferGroupQueryAttention, hostOperands(6));
  add("RotaryEmbedding", inferLike<0>);
  add("PackedAttention", inferPackedAttention);
  add("RemovePadding", inferRemovePadding);
  add("RestorePadding", inferRestorePadding);
  add("RelativePositionBias", inferRelativePositionBias, hostOperands(1, 2));
}
