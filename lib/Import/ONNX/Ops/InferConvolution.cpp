//===- InferConvolution.cpp - convolutions --------------------------------===//
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

static Expected<int64_t> readGroup(const Node &node) {
  int64_t group = node.attributeInt("group", 1);
  if (group <= 0)
    return nodeError(node, "attribute group has the value " + Twine(group));
  return group;
}

/// Both operands' ranks agree and are 3 at least.
static Error checkRanks(const Node &node, const MaybeDims *input,
                        const MaybeDims *filter) {
  for (const MaybeDims *dims : {input, filter})
    if (dims && dims->size() < 3)
      return nodeError(node, "an operand has rank " + Twine(dims->size()) +
                                 " (" + str(*dims) +
                                 "), a convolution needs 3 at least");
  if (input && filter && input->size() != filter->size())
    return nodeError(node, "the input " + str(*input) + " and the filter " +
                               str(*filter) + " differ in rank");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Conv
//===----------------------------------------------------------------------===//

static Error checkChannels(const Node &node, const MaybeDim &channels,
                           const MaybeDims &filter, int64_t group) {
  MaybeDim taken = times(filter[1], Expr(group));
  if (differ(channels, taken))
    return nodeError(node, "the input has " + str(channels) +
                               " channels, the filter takes " + str(taken) +
                               " (" + str(filter[1]) + " in each of " +
                               Twine(group) + " groups)");
  if (std::optional<int64_t> count = asInt(filter[0]);
      count && *count % group != 0)
    return nodeError(node, Twine(*count) +
                               " output channels can't be split into " +
                               Twine(group) + " groups");
  return Error::success();
}

Error onnx_import::setConvolution(Node &node, InferContext &ctx,
                                  unsigned inputIndex, unsigned filterIndex,
                                  int onnxElem, bool channelsMatch) {
  const MaybeDims *input = ctx.dims(node, inputIndex);
  const MaybeDims *filter = ctx.dims(node, filterIndex);
  if (Error error = checkRanks(node, input, filter))
    return error;
  Expected<int64_t> group = readGroup(node);
  if (!group)
    return group.takeError();
  if (!filter && !input) {
    ctx.setUnranked(node, 0, onnxElem);
    return Error::success();
  }
  size_t rank = (input ? input : filter)->size() - 2;
  MaybeDims kernel =
      filter ? MaybeDims(ArrayRef(*filter).drop_front(2)) : unknownDims(rank);
  Expected<Window> window = readWindow(node, rank, kernel);
  if (!window)
    return window.takeError();
  if (input && filter && channelsMatch)
    if (Error error = checkChannels(node, (*input)[1], *filter, *group))
      return error;
  MaybeDims dims = {input ? (*input)[0] : std::nullopt,
                    filter ? (*filter)[0] : std::nullopt};
  for (size_t i = 0; i != rank; ++i) {
    MaybeDim size = input ? (*input)[2 + i] : std::nullopt;
    Expected<MaybeDim> positions = windowPositions(node, *window, i, size);
    if (!positions)
      return positions.takeError();
    dims.push_back(*positions);
  }
  ctx.setTensor(node, 0, onnxElem, dims);
  return Error::success();
}

static Error inferConv(Node &node, InferContext &ctx) {
  return setConvolution(node, ctx, 0, 1, ctx.elemOf(node, 0));
}

static Error inferConvInteger(Node &node, InferContext &ctx) {
  return setConvolution(node, ctx, 0, 1, TensorProto::INT32);
}

/// x, its scale and zero point, w, its scale and zero point, the result's.
static Error inferQLinearConv(Node &node, InferContext &ctx) {
  int elem = ctx.elemOf(node, 7);
  return setConvolution(node, ctx, 0, 3, elem ? elem : ctx.elemOf(node, 0));
}

/// A depthwise convolution over the past rows, whose last k - 1 are handed on.
static Error inferCausalConv(Node &node, InferContext &ctx) {
  setLike(node, ctx, 0, 0);
  MaybeDim state = minus(dimOf(ctx, node, 1, 2), Expr(1));
  ctx.setTensorLike(node, 1, 0,
                    {dimOf(ctx, node, 0, 0), dimOf(ctx, node, 0, 1), state});
  return Error::success();
}

//===----------------------------------------------------------------------===//
// ConvTranspose
//===----------------------------------------------------------------------===//

static Expected<MaybeDim> transposedSize(const Node &node, const Window &window,
                                         size_t axis, const MaybeDim &size,
                                         int64_t outputPadding) {
  if (!size)
    return MaybeDim();
  Expr stride = window.strides[axis];
  if (window.padding == Window::Same)
    return MaybeDim(*size * stride);
  MaybeDim extent = window.extent(axis);
  if (!extent)
    return MaybeDim();
  Expr pads = Expr(window.padsBegin[axis]) + Expr(window.padsEnd[axis]);
  MaybeDim result =
      stride * (*size - Expr(1)) + Expr(outputPadding) + *extent - pads;
  if (Error error = checkSize(node, result,
                              "the output along spatial axis " + Twine(axis)))
    return std::move(error);
  return result;
}

static Error inferConvTranspose(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0), *filter = ctx.dims(node, 1);
  int elem = ctx.elemOf(node, 0);
  if (Error error = checkRanks(node, input, filter))
    return error;
  Expected<int64_t> group = readGroup(node);
  if (!group)
    return group.takeError();
  if (!input || !filter) {
    ctx.setUnranked(node, 0, elem);
    return Error::success();
  }
  if (differ((*input)[1], (*filter)[0]))
    return nodeError(node, "the input has " + str((*input)[1]) +
                               " channels, the filter takes " +
                               str((*filter)[0]));
  size_t rank = input->size() - 2;
  Expected<Window> window =
      readWindow(node, rank, ArrayRef(*filter).drop_front(2));
  if (!window)
    return window.takeError();
  auto outputPadding = node.attributeInts("output_padding");
  auto outputShape = node.attributeInts("output_shape");
  for (const auto &ints : {outputPadding, outputShape})
    if (ints && !ints->empty() && ints->size() < rank)
      return nodeError(node, "output_padding or output_shape has " +
                                 Twine(ints->size()) + " values, " +
                                 Twine(rank) + " are needed");
  MaybeDims dims = {(*input)[0], times((*filter)[1], Expr(*group))};
  for (size_t i = 0; i != rank; ++i) {
    if (outputShape && !outputShape->empty()) {
      // Some exporters list the batch and the channels, too.
      dims.push_back(Expr((*outputShape)[outputShape->size() - rank + i]));
      continue;
    }
    int64_t padding =
        outputPadding && !outputPadding->empty() ? (*outputPadding)[i] : 0;
    Expected<MaybeDim> size =
        transposedSize(node, *window, i, (*input)[2 + i], padding);
    if (!size)
      return size.takeError();
    dims.push_back(*size);
  }
  ctx.setTensor(node, 0, elem, dims);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Col2Im
//===----------------------------------------------------------------------===//

static Error inferCol2Im(Node &node, InferContext &ctx) {
  if (const MaybeDims *input = ctx.dims(node, 0); input && input->size() != 3)
    return nodeError(node, "its input has rank " + Twine(input->size()) +
                               ", not 3 (batch, channels times block, "
                               "blocks)");
  std::optional<MaybeDims> image = ctx.constantDims(node, 1);
  std::optional<MaybeDims> block = ctx.constantDims(node, 2);
  if (!image) {
    std::optional<int64_t> rank = asInt(dimOf(ctx, node, 1, 0));
    if (!rank || *rank < 0 || *rank > int64_t(maxRank)) {
      ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
      return Error::success();
    }
    image = unknownDims(*rank);
  }
  MaybeDims dims = {dimOf(ctx, node, 0, 0)};
  dims.push_back(block ? quotient(dimOf(ctx, node, 0, 1), product(*block))
                       : std::nullopt);
  dims.append(image->begin(), image->end());
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

void onnx_import::registerConvolutionInfer(RuleTable &table) {
  table.infer("Conv", inferConv);
  table.infer("DeformConv", inferConv);
  table.infer("ConvInteger", inferConvInteger);
  table.infer("QLinearConv", inferQLinearConv);
  table.infer("ConvTranspose", inferConvTranspose);
  table.infer("CausalConvWithState", inferCausalConv);
  table.infer("Col2Im", inferCol2Im, nullptr, hostOperands(1, 2));
}
