//===- InferMicrosoft.cpp - com.microsoft: fused pointwise ops and products
//-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Normalizations
//===----------------------------------------------------------------------===//

/// Output, the statistics, and the sum of input, skip and bias.
static Error inferSkipNormalization(Node &node, InferContext &ctx) {
  setLike(node, ctx, 0, 0);
  setLike(node, ctx, 3, 0);
  if (const MaybeDims *input = ctx.dims(node, 0); input && !input->empty()) {
    MaybeDims dims = *input;
    dims.back() = Expr(1);
    ctx.setTensor(node, 1, TensorProto::FLOAT, dims);
    ctx.setTensor(node, 2, TensorProto::FLOAT, dims);
  }
  return Error::success();
}

static Error inferSkipGroupNorm(Node &node, InferContext &ctx) {
  setLike(node, ctx, 0, 0);
  setLike(node, ctx, 1, 0);
  return Error::success();
}

/// Token and segment ids [batch, length], the table of word embeddings.
/// Outputs: embeddings, lengths of the sequences, the sum before normalization.
static Error inferEmbedNormalization(Node &node, InferContext &ctx) {
  MaybeDim batch = dimOf(ctx, node, 0, 0), length = dimOf(ctx, node, 0, 1);
  MaybeDims dims = {batch, length, dimOf(ctx, node, 2, 1)};
  ctx.setTensorLike(node, 0, 2, dims);
  ctx.setTensor(node, 1, TensorProto::INT32, {batch});
  ctx.setTensorLike(node, 2, 2, dims);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Pointwise
//===----------------------------------------------------------------------===//

/// Half of the last dimension gates the other half.
static Error inferBiasSplitGelu(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input || input->empty()) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  MaybeDims dims = *input;
  dims.back() = quotient(dims.back(), Expr(2));
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// transBatchX moves the first dimension to stand before the last.
static Error inferFusedMatMul(Node &node, InferContext &ctx) {
  int elem = ctx.elemOf(node, 0);
  bool batchA = node.attributeInt("transBatchA", 0);
  bool batchB = node.attributeInt("transBatchB", 0);
  bool transA = node.attributeInt("transA", 0);
  bool transB = node.attributeInt("transB", 0);
  if (!batchA && !batchB)
    return setMatrixProduct(node, ctx, 0, 1, elem, transA, transB);
  const MaybeDims *a = ctx.dims(node, 0), *b = ctx.dims(node, 1);
  if (!a || !b || a->size() < 3 || b->size() < 3) {
    ctx.setUnranked(node, 0, elem);
    return Error::success();
  }
  auto settled = [](MaybeDims dims, bool batch, bool transposed) {
    if (batch)
      std::rotate(dims.begin(), dims.begin() + 1, dims.end() - 1);
    if (transposed)
      std::swap(dims[dims.size() - 2], dims.back());
    return dims;
  };
  MaybeDims left = settled(*a, batchA, transA);
  MaybeDims right = settled(*b, batchB, transB);
  if (differ(left.back(), right[right.size() - 2]))
    return nodeError(node, "inner dimensions " + str(left.back()) + " and " +
                               str(right[right.size() - 2]) + " differ");
  MaybeDim rows = left[left.size() - 2], columns = right.back();
  left.truncate(left.size() - 2);
  right.truncate(right.size() - 2);
  Expected<MaybeDims> dims = ctx.broadcast(node, {&left, &right});
  if (!dims)
    return dims.takeError();
  dims->append({rows, columns});
  ctx.setTensor(node, 0, elem, *dims);
  return Error::success();
}

static Error inferMatMulLike(Node &node, InferContext &ctx) {
  return setMatrixProduct(node, ctx, 0, 1, ctx.elemOf(node, 0));
}

static Error inferFusedGemm(Node &node, InferContext &ctx) {
  return setGemm(node, ctx, 0, 1, ctx.elemOf(node, 0));
}

/// Packed weights of K by N, which attributes state.
static Error inferPackedMatMul(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input || input->empty()) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  Expr inner = node.attributeInt("K", 0);
  if (differ(input->back(), inner))
    return nodeError(node, "inner dimensions " + str(input->back()) + " and " +
                               inner.str() + " differ");
  MaybeDims dims = *input;
  dims.back() = Expr(node.attributeInt("N", 0));
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

static Error inferFusedConv(Node &node, InferContext &ctx) {
  return setConvolution(node, ctx, 0, 1, ctx.elemOf(node, 0));
}

/// Distances between the rows of two matrices.
static Error inferCDist(Node &node, InferContext &ctx) {
  ctx.setTensorLike(node, 0, 0,
                    {dimOf(ctx, node, 0, 0), dimOf(ctx, node, 1, 0)});
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Gather of block-quantized rows
//===----------------------------------------------------------------------===//

static Error inferGatherBlockQuantized(Node &node, InferContext &ctx) {
  const MaybeDims *data = ctx.dims(node, 0), *indices = ctx.dims(node, 1);
  int elem = ctx.elemOf(node, 2);
  if (!data || !indices || data->empty()) {
    ctx.setUnranked(node, 0, elem);
    return Error::success();
  }
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("gather_axis", 0), data->size());
  if (!axis)
    return axis.takeError();
  MaybeDims table = *data;
  // Bytes hold several values each, along the last axis.
  int64_t bits = node.attributeInt("bits", 4);
  if (ctx.elemOf(node, 0) == TensorProto::UINT8 && bits > 0 && bits < 8)
    table.back() = times(table.back(), Expr(8 / bits));
  MaybeDims dims(table.begin(), table.begin() + *axis);
  dims.append(indices->begin(), indices->end());
  dims.append(table.begin() + *axis + 1, table.end());
  ctx.setTensor(node, 0, elem, dims);
  return Error::success();
}

void onnx_import::registerMicrosoftInfer(RuleTable &table) {
  auto add = [&](StringRef op, OpRule::Infer infer, uint32_t host = 0) {
    table.infer(op, infer, nullptr, host, microsoft);
  };
  for (StringRef op : {"BiasGelu", "FastGelu", "QuickGelu", "Gelu", "BiasAdd",
                       "GroupNorm", "Inverse", "MoE", "QMoE"})
    add(op, inferLike<0>);
  add("Trilu", inferLike<0>, hostOperands(1));
  add("BiasSplitGelu", inferBiasSplitGelu);
  add("SkipLayerNormalization", inferSkipNormalization);
  add("SkipSimplifiedLayerNormalization", inferSkipNormalization);
  add("SkipGroupNorm", inferSkipGroupNorm);
  add("EmbedLayerNormalization", inferEmbedNormalization);
  add("FusedMatMul", inferFusedMatMul);
  add("TransposeMatMul", inferFusedMatMul);
  add("GemmFastGelu", inferMatMulLike);
  add("FusedGemm", inferFusedGemm);
  add("MatMulNBits", inferPackedMatMul);
  add("MatMulBnb4", inferPackedMatMul);
  add("FusedConv", inferFusedConv);
  add("CDist", inferCDist);
  add("GatherBlockQuantized", inferGatherBlockQuantized);
}
