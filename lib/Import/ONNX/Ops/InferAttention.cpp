//===- InferAttention.cpp - attention and rotary embeddings ---------------===//
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

namespace {
/// One of Q, K, V as [batch, heads, length, size].
struct Heads {
  MaybeDim batch, count, length, size;
};
} // namespace

/// A 4-D operand states its heads, a 3-D one has them packed and an attribute
/// counts them.
static Heads readHeads(const InferContext &ctx, const Node &node,
                       unsigned input, StringRef countAttribute) {
  const MaybeDims *dims = ctx.dims(node, input);
  if (!dims)
    return {};
  if (dims->size() == 4)
    return {(*dims)[0], (*dims)[1], (*dims)[2], (*dims)[3]};
  if (dims->size() != 3)
    return {};
  int64_t count = node.attributeInt(countAttribute, 0);
  if (count <= 0)
    return {(*dims)[0], std::nullopt, (*dims)[1], std::nullopt};
  return {(*dims)[0], Expr(count), (*dims)[1],
          quotient((*dims)[2], Expr(count))};
}

static Error inferAttention(Node &node, InferContext &ctx) {
  for (unsigned input : {0, 1, 2})
    if (const MaybeDims *dims = ctx.dims(node, input);
        dims && dims->size() != 3 && dims->size() != 4)
      return nodeError(node, "an operand has rank " + Twine(dims->size()) +
                                 ", 3 or 4 is needed");
  Heads q = readHeads(ctx, node, 0, "q_num_heads");
  Heads k = readHeads(ctx, node, 1, "kv_num_heads");
  Heads v = readHeads(ctx, node, 2, "kv_num_heads");
  if (differ(q.size, k.size))
    return nodeError(node, "queries of size " + str(q.size) +
                               " and keys of size " + str(k.size));
  const MaybeDims *query = ctx.dims(node, 0);
  if (!query)
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
  else if (query->size() == 4)
    ctx.setTensorLike(node, 0, 0, {q.batch, q.count, q.length, v.size});
  else
    ctx.setTensorLike(node, 0, 0, {q.batch, q.length, times(q.count, v.size)});
  MaybeDim total = k.length;
  if (has(node, 4))
    total = plus(dimOf(ctx, node, 4, 2), k.length);
  ctx.setTensorLike(node, 1, 1, {k.batch, k.count, total, k.size});
  ctx.setTensorLike(node, 2, 2, {v.batch, v.count, total, v.size});
  ctx.setTensorLike(node, 3, 0, {q.batch, q.count, q.length, total});
  return Error::success();
}

/// Queries by keys and values with [d_k, d_v] of state a head.
static Error inferLinearAttention(Node &node, InferContext &ctx) {
  Heads q = readHeads(ctx, node, 0, "q_num_heads");
  Heads k = readHeads(ctx, node, 1, "kv_num_heads");
  Heads v = readHeads(ctx, node, 2, "kv_num_heads");
  ctx.setTensorLike(node, 0, 0, {q.batch, q.length, times(q.count, v.size)});
  ctx.setTensorLike(node, 1, has(node, 3) ? 3 : 0,
                    {q.batch, k.count, k.size, v.size});
  return Error::success();
}

void onnx_import::registerAttentionInfer(RuleTable &table) {
  table.infer("Attention", inferAttention);
  table.infer("FlexAttention", inferAttention, nullptr, 0, "ai.onnx.preview");
  table.infer("LinearAttention", inferLinearAttention);
  table.infer("RotaryEmbedding", inferLike<0>);
}
