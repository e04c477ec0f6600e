//===- InferMicrosoftLayout.cpp - com.microsoft: other tensor layouts -----===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NHWC ops keep the channels last. The NCHWc ops of com.microsoft.nchwc work on
// blocks of channels: shapes are written as in NCHW, with the channels rounded
// up to whole blocks.
//
//===----------------------------------------------------------------------===//

#include "Window.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

constexpr StringLiteral nchwc = "com.microsoft.nchwc";

//===----------------------------------------------------------------------===//
// NHWC
//===----------------------------------------------------------------------===//

static Error inferNhwcMaxPool(Node &node, InferContext &ctx) {
  return setPool(node, ctx, 0, ctx.elemOf(node, 0), /*channelsLast=*/true);
}

/// Input [n, spatial…, c], filter [m, kernel…, c / groups].
static Error inferNhwcConv(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0), *filter = ctx.dims(node, 1);
  if (!input || !filter || input->size() < 3 ||
      input->size() != filter->size()) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  size_t rank = input->size() - 2;
  Expected<Window> window =
      readWindow(node, rank, ArrayRef(*filter).slice(1, rank));
  if (!window)
    return window.takeError();
  MaybeDims dims = {input->front()};
  for (size_t i = 0; i != rank; ++i) {
    Expected<MaybeDim> positions =
        windowPositions(node, *window, i, (*input)[1 + i]);
    if (!positions)
      return positions.takeError();
    dims.push_back(*positions);
  }
  dims.push_back(filter->front());
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// NCHWc
//===----------------------------------------------------------------------===//

static Error inferNchwcConv(Node &node, InferContext &ctx) {
  return setConvolution(node, ctx, 0, 1, ctx.elemOf(node, 0),
                        /*channelsMatch=*/false);
}

static Error inferNchwcPool(Node &node, InferContext &ctx) {
  return setPool(node, ctx, 0, ctx.elemOf(node, 0));
}

static Error inferNchwcGlobalPool(Node &node, InferContext &ctx) {
  return setGlobalPool(node, ctx, 0, ctx.elemOf(node, 0));
}

/// How many channels a block has (8 or 16) is the machine's choice, so only
/// whole blocks of 16 have a size that is known.
static Error inferReorderInput(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input || input->size() < 3) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  MaybeDims dims = *input;
  if (node.attributeInt("channels_last", 0))
    std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
  std::optional<int64_t> channels = asInt(dims[1]);
  if (!channels || *channels % 16 != 0)
    dims[1] = std::nullopt;
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

static Error inferReorderOutput(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input || input->size() < 3) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  MaybeDims dims = *input;
  dims[1] = node.attribute("channels")
                ? MaybeDim(Expr(node.attributeInt("channels", 0)))
                : std::nullopt;
  if (node.attributeInt("channels_last", 0))
    std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

/// Whole scales of height and width.
static Error inferNchwcUpsample(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  auto scales = node.attributeInts("scales");
  if (!input || !scales || scales->size() != input->size()) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  MaybeDims dims;
  for (auto [dim, scale] : zip(*input, *scales))
    dims.push_back(times(dim, Expr(scale)));
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

void onnx_import::registerMicrosoftLayoutInfer(RuleTable &table) {
  table.infer("NhwcMaxPool", inferNhwcMaxPool, nullptr, 0, microsoft);
  table.infer("NhwcConv", inferNhwcConv, nullptr, 0, microsoft);
  table.infer("NhwcFusedConv", inferNhwcConv, nullptr, 0, microsoft);
  auto add = [&](StringRef op, OpRule::Infer infer) {
    table.infer(op, infer, nullptr, 0, nchwc);
  };
  add("Conv", inferNchwcConv);
  for (StringRef op : {"MaxPool", "AveragePool"})
    add(op, inferNchwcPool);
  for (StringRef op : {"GlobalMaxPool", "GlobalAveragePool"})
    add(op, inferNchwcGlobalPool);
  add("ReorderInput", inferReorderInput);
  add("ReorderOutput", inferReorderOutput);
  add("Upsample", inferNchwcUpsample);
}
