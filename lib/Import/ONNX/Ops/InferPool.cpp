//===- InferPool.cpp - pools ----------------------------------------------===//
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

Error onnx_import::setPool(Node &node, InferContext &ctx, unsigned input,
                           int onnxElem, bool channelsLast) {
  const MaybeDims *dims = ctx.dims(node, input);
  if (!dims) {
    ctx.setUnranked(node, 0, onnxElem);
    return Error::success();
  }
  if (dims->size() < 3)
    return nodeError(node,
                     "the input " + str(*dims) + " has no spatial dimension");
  size_t rank = dims->size() - 2, first = channelsLast ? 1 : 2;
  Expected<Window> window = readWindow(node, rank, {});
  if (!window)
    return window.takeError();
  bool ceilMode = node.attributeInt("ceil_mode", 0);
  MaybeDims result = *dims;
  for (size_t i = 0; i != rank; ++i) {
    Expected<MaybeDim> positions =
        windowPositions(node, *window, i, (*dims)[first + i], ceilMode);
    if (!positions)
      return positions.takeError();
    result[first + i] = *positions;
  }
  ctx.setTensor(node, 0, onnxElem, result);
  return Error::success();
}

static Error inferPool(Node &node, InferContext &ctx) {
  return setPool(node, ctx, 0, ctx.elemOf(node, 0));
}

static Error inferMaxPool(Node &node, InferContext &ctx) {
  if (Error error = inferPool(node, ctx))
    return error;
  // The positions of the maxima.
  if (const Value *first = node.output(0)) {
    if (first->type.ranked)
      ctx.setTensor(node, 1, TensorProto::INT64, first->type.dims);
    else
      ctx.setUnranked(node, 1, TensorProto::INT64);
  }
  return Error::success();
}

Error onnx_import::setGlobalPool(Node &node, InferContext &ctx, unsigned input,
                                 int onnxElem, bool channelsLast) {
  const MaybeDims *dims = ctx.dims(node, input);
  if (!dims) {
    ctx.setUnranked(node, 0, onnxElem);
    return Error::success();
  }
  MaybeDims result = *dims;
  size_t channels = channelsLast ? result.size() - 1 : 1;
  for (size_t i = 1; i < result.size(); ++i)
    if (i != channels)
      result[i] = Expr(1);
  ctx.setTensor(node, 0, onnxElem, result);
  return Error::success();
}

static Error inferGlobalPool(Node &node, InferContext &ctx) {
  return setGlobalPool(node, ctx, 0, ctx.elemOf(node, 0));
}

/// The inverse of MaxPool, unless the operand states another shape.
static Error inferMaxUnpool(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (has(node, 2)) {
    if (std::optional<MaybeDims> dims = ctx.constantDims(node, 2))
      ctx.setTensorLike(node, 0, 0, *dims);
    else if (input)
      ctx.setTensorLike(node, 0, 0, unknownDims(input->size()));
    else
      ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  if (!input || input->size() < 3) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  size_t rank = input->size() - 2;
  Expected<Window> window = readWindow(node, rank, {});
  if (!window)
    return window.takeError();
  MaybeDims dims = *input;
  for (size_t i = 0; i != rank; ++i) {
    Expr pads = Expr(window->padsBegin[i]) + Expr(window->padsEnd[i]);
    MaybeDim &size = dims[2 + i];
    size = minus(plus(times(minus(size, Expr(1)), Expr(window->strides[i])),
                      window->kernel[i]),
                 pads);
  }
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

/// [batch, channels, height, width] and [regions, 5].
static Error inferMaxRoiPool(Node &node, InferContext &ctx) {
  MaybeDims dims = {dimOf(ctx, node, 1, 0), dimOf(ctx, node, 0, 1)};
  auto pooled = node.attributeInts("pooled_shape");
  for (unsigned i = 0; i != 2; ++i)
    dims.push_back(pooled && i < pooled->size() ? MaybeDim(Expr((*pooled)[i]))
                                                : std::nullopt);
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

static Error inferRoiAlign(Node &node, InferContext &ctx) {
  ctx.setTensorLike(node, 0, 0,
                    {dimOf(ctx, node, 1, 0), dimOf(ctx, node, 0, 1),
                     Expr(node.attributeInt("output_height", 1)),
                     Expr(node.attributeInt("output_width", 1))});
  return Error::success();
}

void onnx_import::registerPoolInfer(RuleTable &table) {
  table.infer("AveragePool", inferPool);
  table.infer("LpPool", inferPool);
  table.infer("MaxPool", inferMaxPool);
  for (StringRef op : {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"})
    table.infer(op, inferGlobalPool);
  table.infer("MaxUnpool", inferMaxUnpool, nullptr, hostOperands(2));
  table.infer("MaxRoiPool", inferMaxRoiPool);
  table.infer("RoiAlign", inferRoiAlign);
}
