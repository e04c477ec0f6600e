//===- EmitAttention.cpp - attention held in one op -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"

using namespace llvm;

namespace roofline::onnx_import {

namespace {
/// An attention op being put together from a node.
struct AttentionForm {
  MaybeDim batch, queryHeads, keyHeads, queries, keys, headSize, valueHeadSize;
  std::optional<SmallVector<MaybeDim, 3>> projection; ///< rows, in, out
  bool causal = false, masked = false, softcap = false;
  SmallVector<Value *> cacheOperands, cacheResults;
  ElementCost epilogue;
};
} // namespace

/// Where `values` stand among the values of `all` that are present.
static Ints positions(ArrayRef<Value *> all, ArrayRef<Value *> values) {
  Ints result;
  int64_t position = 0;
  for (Value *value : all) {
    if (!value)
      continue;
    if (llvm::is_contained(values, value))
      result.push_back(position);
    ++position;
  }
  return result;
}

static rl::AttentionOp makeAttention(Node &node, EmitContext &context,
                                     mlir::ValueRange inputs,
                                     const AttentionForm &form) {
  MaybeDim extents[] = {form.batch,        form.queryHeads, form.keyHeads,
                        form.queries,      form.keys,       form.headSize,
                        form.valueHeadSize};
  Ints operands = positions(node.inputs, form.cacheOperands);
  Ints results = positions(node.outputs, form.cacheResults);
  auto indices = [&](const Ints &values) {
    return values.empty() ? mlir::DenseI64ArrayAttr()
                          : context.integers(values);
  };
  return rl::AttentionOp::create(
      context.builder, context.loc(node), context.outputTypes(node), inputs,
      context.dims(extents),
      form.projection ? context.dims(*form.projection) : rl::DimsAttr(),
      context.unitIf(form.causal), context.unitIf(form.masked),
      context.unitIf(form.softcap), indices(operands), indices(results),
      context.optionalBody(form.epilogue.vector, form.epilogue.special));
}

static void emitAttentionOp(Node &node, EmitContext &context,
                            const AttentionForm &form) {
  context.bind(
      node, makeAttention(node, context, context.present(node.inputs), form));
}

/// The dimension that is known of two that are the same.
static MaybeDim either(const MaybeDim &a, const MaybeDim &b) {
  return a ? a : b;
}

//===----------------------------------------------------------------------===//
// ONNX Attention
//===----------------------------------------------------------------------===//

/// Q, K, V, attn_mask, past_key, past_value, nonpad_kv_seqlen; 4-D as batch,
/// heads, sequence, head size, or 3-D with the heads in the last dimension.
static void emitONNXAttention(Node &node, EmitContext &context) {
  const Value *q = node.input(0), *k = node.input(1), *v = node.input(2);
  std::optional<int64_t> rank = rankOf(q);
  if (!rank || !k || !v || (*rank != 3 && *rank != 4))
    return context.emitOpaque(node);
  AttentionForm form;
  form.batch = dimOf(q, 0);
  if (*rank == 4) {
    form.queryHeads = dimOf(q, 1);
    form.keyHeads = either(dimOf(k, 1), dimOf(v, 1));
    form.headSize = either(dimOf(q, 3), dimOf(k, 3));
    form.valueHeadSize = dimOf(v, 3);
  } else {
    form.queryHeads = Expr(node.attributeInt("q_num_heads", 1));
    form.keyHeads = Expr(node.attributeInt("kv_num_heads", 1));
    form.headSize = dividedBy(dimOf(q, 2), form.queryHeads);
    form.valueHeadSize = dividedBy(dimOf(v, 2), form.keyHeads);
  }
  form.queries = dimOf(q, -2);
  form.keys = either(dimOf(k, -2), dimOf(v, -2));
  if (node.input(4))
    form.keys = plus(form.keys, dimOf(node.input(4), 2));
  form.causal = node.attributeInt("is_causal", 0);
  form.masked = node.input(3);
  form.softcap = node.attributeFloat("softcap", 0) != 0;
  form.cacheOperands = {node.input(4), node.input(5)};
  form.cacheResults = {node.output(1), node.output(2)};
  emitAttentionOp(node, context, form);
}

//===----------------------------------------------------------------------===//
// com.microsoft: Attention, QAttention
//===----------------------------------------------------------------------===//

/// The hidden sizes of Q, K and V: stated, else a third of the weight each.
static void setProjection(const Node &node, const Value *input,
                          const Value *weight, AttentionForm &form,
                          std::array<MaybeDim, 3> &hidden) {
  if (std::optional<Ints> sizes = node.attributeInts("qkv_hidden_sizes");
      sizes && sizes->size() == 3) {
    for (size_t i = 0; i < 3; ++i)
      hidden[i] = Expr((*sizes)[i]);
  } else {
    hidden.fill(dividedBy(dimOf(weight, 1), Expr(3)));
  }
  form.projection = {times(dimOf(input, 0), dimOf(input, 1)), dimOf(input, 2),
                     plus(plus(hidden[0], hidden[1]), hidden[2])};
}

/// input (batch, sequence, hidden), weight (hidden, Q + K + V), bias; `past` is
/// 2 x batch x heads x past x head size. A bias is added to Q, K and V: where
/// they are as wide as the result, 3 for each of its elements.
static void emitProjected(Node &node, EmitContext &context, Value *bias,
                          Value *past, bool masked) {
  const Value *input = node.input(0);
  int64_t heads = node.attributeInt("num_heads", 0);
  if (heads < 1 || !rankOf(input))
    return context.emitOpaque(node);
  AttentionForm form;
  std::array<MaybeDim, 3> hidden;
  setProjection(node, input, node.input(1), form, hidden);
  form.batch = dimOf(input, 0);
  form.queryHeads = form.keyHeads = Expr(heads);
  form.queries = form.keys = dimOf(input, 1);
  if (past)
    form.keys = plus(form.keys, dimOf(past, 3));
  form.headSize = dividedBy(hidden[0], Expr(heads));
  form.valueHeadSize = dividedBy(hidden[2], Expr(heads));
  form.causal = node.attributeInt("unidirectional", 0);
  form.masked = masked;
  form.cacheOperands = {past};
  form.cacheResults = {node.output(1)};
  if (!bias ||
      (hidden[0] && hidden[0] == hidden[1] && hidden[1] == hidden[2])) {
    form.epilogue.vector = bias ? 3 : 0;
    return emitAttentionOp(node, context, form);
  }
  // Of different widths: the bias is added to a tensor of its own shape.
  context.fused(node, [&] {
    mlir::Type projected = context.tensorType(
        context.elementType(input->type.onnxElem),
        {form.batch, dimOf(input, 1), (*form.projection)[2]});
    mlir::Value sum =
        mapPart(node, context, "add", context.present({node.input(0), bias}),
                projected);
    IRValues inputs = context.present(node.inputs);
    inputs.push_back(sum);
    rl::AttentionOp op = makeAttention(node, context, inputs, form);
    return IRValues(op->result_begin(), op->result_end());
  });
}

/// input, weights, bias, mask_index, past, attention_bias,
/// past_sequence_length.
static void emitMicrosoftAttention(Node &node, EmitContext &context) {
  emitProjected(node, context, node.input(2), node.input(4),
                node.input(3) || node.input(5));
}

/// input, weight, bias, input_scale, weight_scale, mask_index,
/// input_zero_point, weight_zero_point, past.
static void emitQAttention(Node &node, EmitContext &context) {
  emitProjected(node, context, node.input(2), node.input(8), node.input(5));
}

//===----------------------------------------------------------------------===//
// com.microsoft: MultiHeadAttention, GroupQueryAttention
//===----------------------------------------------------------------------===//

/// Adds 1 for each element of a tensor of `dims`, inside a fused kernel: the
/// result stands for the tensor after it.
static mlir::Value elementwisePart(Node &node, EmitContext &context,
                                   StringRef kind, mlir::ValueRange inputs,
                                   int onnxElem, ArrayRef<MaybeDim> dims) {
  return mapPart(node, context, kind, inputs,
                 context.tensorType(context.elementType(onnxElem), dims));
}

/// What is done to Q, K and V before, as maps over `widths` elements a row.
static void emitWithMaps(Node &node, EmitContext &context,
                         const AttentionForm &form, StringRef kind,
                         ArrayRef<std::pair<MaybeDim, MaybeDim>> rowsAndWidths,
                         ArrayRef<Value *> read) {
  int onnxElem = node.input(0)->type.onnxElem;
  context.fused(node, [&] {
    IRValues inputs = context.present(node.inputs);
    IRValues operands = context.present(read);
    for (const auto &[rows, width] : rowsAndWidths)
      inputs.push_back(elementwisePart(node, context, kind, operands, onnxElem,
                                       {form.batch, rows, width}));
    rl::AttentionOp op = makeAttention(node, context, inputs, form);
    return IRValues(op->result_begin(), op->result_end());
  });
}

/// query, key, value, bias, key_padding_mask, attention_bias, past_key,
/// past_value, …. Query is (batch, sequence, hidden), or all of Q, K and V
/// packed (5-D: batch, sequence, heads, 3, head size); key is (batch, keys,
/// hidden), K and V packed (5-D with 2), or 4-D (batch, heads, keys, head
/// size).
static void emitMultiHeadAttention(Node &node, EmitContext &context) {
  const Value *q = node.input(0), *k = node.input(1), *v = node.input(2);
  std::optional<int64_t> rank = rankOf(q);
  int64_t heads = node.attributeInt("num_heads", 0);
  if (!rank || (*rank != 3 && *rank != 5) || heads < 1)
    return context.emitOpaque(node);
  AttentionForm form;
  form.batch = dimOf(q, 0);
  form.queries = dimOf(q, 1);
  form.queryHeads = form.keyHeads = Expr(heads);
  form.headSize =
      *rank == 5 ? dimOf(q, 4) : dividedBy(dimOf(q, 2), Expr(heads));
  form.valueHeadSize = form.headSize;
  form.keys = form.queries;
  if (k)
    form.keys = dimOf(k, rankOf(k) == 4 ? 2 : 1);
  if (v)
    form.valueHeadSize =
        rankOf(v) == 4 ? dimOf(v, 3) : dividedBy(dimOf(v, 2), Expr(heads));
  MaybeDim newKeys = form.keys;
  if (node.input(6))
    form.keys = plus(form.keys, dimOf(node.input(6), 2));
  form.causal = node.attributeInt("unidirectional", 0);
  form.masked = node.input(4) || node.input(5);
  form.cacheOperands = {node.input(6), node.input(7)};
  form.cacheResults = {node.output(1), node.output(2)};
  if (!node.input(3))
    return emitAttentionOp(node, context, form);
  // A bias is added to Q, K and V.
  MaybeDim width = times(form.headSize, Expr(heads));
  MaybeDim valueWidth = times(form.valueHeadSize, Expr(heads));
  if (newKeys && newKeys == form.queries && width && width == valueWidth) {
    form.epilogue.vector = 3;
    return emitAttentionOp(node, context, form);
  }
  emitWithMaps(node, context, form, "add",
               {{form.queries, width}, {newKeys, width}, {newKeys, valueWidth}},
               {node.input(0), node.input(3)});
}

/// query, key, value, past_key, past_value, seqlens_k, total_sequence_length,
/// cos_cache, sin_cache, …, attention_bias (10). Without key and value, query
/// packs all three. The caches are batch x key heads x length x head size.
static void emitGroupQueryAttention(Node &node, EmitContext &context) {
  const Value *q = node.input(0), *k = node.input(1), *past = node.input(3);
  int64_t heads = node.attributeInt("num_heads", 0);
  int64_t keyHeads = node.attributeInt("kv_num_heads", 0);
  if (!rankOf(q) || heads < 1 || keyHeads < 1)
    return context.emitOpaque(node);
  AttentionForm form;
  form.batch = dimOf(q, 0);
  form.queries = dimOf(q, 1);
  form.queryHeads = Expr(heads);
  form.keyHeads = Expr(keyHeads);
  form.headSize = k ? dividedBy(dimOf(q, 2), Expr(heads))
                    : dividedBy(dimOf(q, 2), Expr(heads + 2 * keyHeads));
  form.valueHeadSize = form.headSize;
  // The new cache holds past and present.
  form.keys = dimOf(node.output(1), 2);
  if (!form.keys)
    form.keys = past ? plus(dimOf(past, 2), form.queries) : form.queries;
  form.causal = true;
  form.masked = node.input(10);
  form.softcap = node.attributeFloat("softcap", 0) != 0;
  form.cacheOperands = {node.input(3), node.input(4)};
  form.cacheResults = {node.output(1), node.output(2)};
  if (!node.attributeInt("do_rotary", 0))
    return emitAttentionOp(node, context, form);
  emitWithMaps(node, context, form, "rotary_embedding",
               {{form.queries, times(form.headSize, form.queryHeads)},
                {form.queries, times(form.headSize, form.keyHeads)}},
               {node.input(0), node.input(7), node.input(8)});
}

void registerAttentionEmit(RuleTable &table) {
  table.emit("Attention", emitONNXAttention);
  table.emit("Attention", emitMicrosoftAttention, microsoft);
  table.emit("QAttention", emitQAttention, microsoft);
  table.emit("MultiHeadAttention", emitMultiHeadAttention, microsoft);
  table.emit("GroupQueryAttention", emitGroupQueryAttention, microsoft);
}

} // namespace roofline::onnx_import
