//===- InferNormalization.cpp - normalizations and softmax ----------------===//
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

/// Output `output` has the input's shape with the axes from `axis` on reduced
/// to 1: the statistics of a layer.
static Error setStatistics(Node &node, InferContext &ctx, unsigned output,
                           int64_t axis, int onnxElem) {
  if (!node.output(output))
    return Error::success();
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input) {
    ctx.setUnranked(node, output, onnxElem);
    return Error::success();
  }
  Expected<unsigned> first = ctx.axis(node, axis, input->size());
  if (!first)
    return first.takeError();
  MaybeDims dims = *input;
  for (size_t i = *first; i != dims.size(); ++i)
    dims[i] = Expr(1);
  ctx.setTensor(node, output, onnxElem, dims);
  return Error::success();
}

static int statisticsType(const Node &node) {
  return node.attributeInt("stash_type", TensorProto::FLOAT);
}

/// Y, the mean and the reciprocal deviation.
static Error inferLayerNormalization(Node &node, InferContext &ctx) {
  setLike(node, ctx, 0, 0);
  int64_t axis = node.attributeInt("axis", -1);
  for (unsigned output : {1, 2})
    if (Error error =
            setStatistics(node, ctx, output, axis, statisticsType(node)))
      return error;
  return Error::success();
}

/// RMS: Y has the type of the scale where the two differ.
static Error inferRMSNormalization(Node &node, InferContext &ctx) {
  int scale = ctx.elemOf(node, 1);
  setShapeLike(node, ctx, 0, 0, scale ? scale : ctx.elemOf(node, 0));
  return setStatistics(node, ctx, 1, node.attributeInt("axis", -1),
                       statisticsType(node));
}

/// Y, then the running or saved statistics in training.
static Error inferBatchNormalization(Node &node, InferContext &ctx) {
  setLike(node, ctx, 0, 0);
  for (unsigned i = 1; i < node.outputs.size(); ++i) {
    // Mean and variance come in pairs, and stand as operands 3 and 4.
    unsigned like = i % 2 ? 3 : 4;
    ctx.setTensorLike(node, i, like, {dimOf(ctx, node, like, 0)});
  }
  return Error::success();
}

void onnx_import::registerNormalizationInfer(RuleTable &table) {
  for (StringRef op :
       {"Softmax", "LogSoftmax", "Hardmax", "LRN", "InstanceNormalization",
        "GroupNormalization", "LpNormalization", "MeanVarianceNormalization"})
    table.infer(op, inferLike<0>);
  table.infer("LayerNormalization", inferLayerNormalization);
  table.infer("RMSNormalization", inferRMSNormalization);
  // Not in ONNX's own domain, but written there.
  for (StringRef domain : {StringRef(), StringRef(microsoft)}) {
    table.infer("SimplifiedLayerNormalization", inferRMSNormalization, nullptr,
                0, domain);
  }
  table.infer("BatchNormalization", inferBatchNormalization);
}
