//===- EmitResampling.cpp - resize, grid sample, regions of interest ------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace roofline::onnx_import {

static StringRef resizeKind(StringRef mode) {
  return StringSwitch<StringRef>(mode)
      .Cases({"linear", "bilinear", "trilinear"}, "linear")
      .Cases({"cubic", "bicubic"}, "cubic")
      .Default("nearest");
}

/// How many dimensions change their size; nothing where ranks aren't known.
/// Two sizes that aren't known to agree count as different.
static std::optional<int64_t> resizedDims(const Node &node) {
  const auto *from = dimsOf(node.input(0)), *to = dimsOf(node.output(0));
  if (!from || !to || from->size() != to->size())
    return std::nullopt;
  int64_t count = 0;
  for (auto [a, b] : llvm::zip(*from, *to))
    count += !a || !b || *a != *b;
  return count;
}

/// X, roi, scales, sizes: all but X only say where and how far. A region of
/// interest crops, and its positions are data.
static void emitResize(Node &node, EmitContext &context) {
  std::optional<int64_t> dims = resizedDims(node);
  if (!dims || *dims > 16)
    return context.emitOpaque(node);
  StringRef kind = resizeKind(node.attributeString("mode", "nearest"));
  bool crops = node.attributeString("coordinate_transformation_mode", "") ==
               "tf_crop_and_resize";
  IRValues inputs = {context.value(node.input(0))};
  if (crops && node.input(1))
    inputs.push_back(context.value(node.input(1)));
  if (*dims == 0 && !crops)
    kind = "nearest"; // the same size: a copy
  context.bind(node, rl::ResizeOp::create(
                         context.builder, context.loc(node),
                         context.outputTypes(node), context.string(kind),
                         inputs, context.integer(*dims), context.unitIf(crops),
                         context.integer(1)));
}

/// X, grid.
static void emitGridSample(Node &node, EmitContext &context) {
  std::optional<int64_t> rank = rankOf(node.input(0));
  if (!rank || *rank < 3 || *rank > 18)
    return context.emitOpaque(node);
  StringRef kind = resizeKind(node.attributeString("mode", "linear"));
  context.bind(node,
               rl::ResizeOp::create(
                   context.builder, context.loc(node),
                   context.outputTypes(node), context.string(kind),
                   context.present(node.inputs), context.integer(*rank - 2),
                   context.builder.getUnitAttr(), context.integer(1)));
}

/// X, rois, batch_indices: a cell averages sampling_ratio² points; with a
/// ratio of 0 as many as the region has pixels there, which data decides: the
/// whole image at most.
static void emitRoiAlign(Node &node, EmitContext &context) {
  int64_t ratio = node.attributeInt("sampling_ratio", 0);
  int64_t height = node.attributeInt("output_height", 1);
  int64_t width = node.attributeInt("output_width", 1);
  int64_t rows = ratio, columns = ratio, samples;
  if (ratio <= 0) {
    std::optional<int64_t> h = numberOf(dimOf(node.input(0), 2));
    std::optional<int64_t> w = numberOf(dimOf(node.input(0), 3));
    if (!h || !w || *h < 1 || *w < 1 || height < 1 || width < 1)
      return context.emitOpaque(node);
    rows = (*h - 1) / height + 1;
    columns = (*w - 1) / width + 1;
  }
  if (MulOverflow(rows, columns, samples))
    return context.emitOpaque(node);
  auto op = rl::ResizeOp::create(
      context.builder, context.loc(node), context.outputTypes(node),
      context.string("linear"), context.present(node.inputs),
      context.integer(2), context.builder.getUnitAttr(),
      context.integer(samples));
  context.bind(node, op);
  if (ratio <= 0)
    op->setDiscardableAttr(rl::dataDependentAttrName,
                           context.builder.getUnitAttr());
}

void registerResamplingEmit(RuleTable &table) {
  for (StringRef domain : {StringRef(""), StringRef(microsoftNchwc)})
    table.emit("Upsample", emitResize, domain);
  table.emit("Resize", emitResize);
  table.emit("GridSample", emitGridSample);
  table.emit("GridSample", emitGridSample, microsoft);
  table.emit("RoiAlign", emitRoiAlign);
}

} // namespace roofline::onnx_import
