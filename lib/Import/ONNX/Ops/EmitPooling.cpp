//===- EmitPooling.cpp - pools --------------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitWindow.h"

using namespace llvm;

namespace roofline::onnx_import {

/// The window of a pool; nothing where its taps can't be counted.
static std::optional<WindowNumbers> poolWindow(const Node &node) {
  std::optional<WindowNumbers> window = windowOf(node, node.input(0), nullptr);
  if (!window || !window->padsKnown || window->kernel.empty())
    return std::nullopt;
  return window;
}

static rl::PoolOp makePool(Node &node, EmitContext &context, StringRef kind,
                           mlir::TypeRange types, mlir::ValueRange inputs,
                           const WindowNumbers &window) {
  return rl::PoolOp::create(
      context.builder, context.loc(node), types, context.string(kind), inputs,
      context.integers(window.kernel), context.integers(window.strides),
      context.integers(window.pads), context.integers(window.dilations));
}

static void emitPool(Node &node, EmitContext &context, StringRef kind) {
  std::optional<WindowNumbers> window = poolWindow(node);
  if (!window || !node.input(0))
    return context.emitOpaque(node);
  context.bind(node, makePool(node, context, kind, context.outputTypes(node),
                              context.value(node.input(0)), *window));
}

/// All spatial dimensions at once.
static std::optional<Ints> spatialAxes(const Node &node, bool channelsLast) {
  std::optional<int64_t> rank = rankOf(node.input(0));
  if (!rank || *rank < 2)
    return std::nullopt;
  Ints axes;
  for (int64_t axis = 2; axis < *rank; ++axis)
    axes.push_back(channelsLast ? axis - 1 : axis);
  return axes;
}

static void emitGlobalPool(Node &node, EmitContext &context, StringRef kind) {
  std::optional<Ints> axes = spatialAxes(node, false);
  if (!axes)
    return context.emitOpaque(node);
  context.bind(node, rl::ReduceOp::create(
                         context.builder, context.loc(node),
                         context.outputTypes(node), context.string(kind),
                         context.value(node.input(0)), context.integers(*axes),
                         context.builder.getUnitAttr()));
}

static void emitGlobalLpPool(Node &node, EmitContext &context) {
  int64_t p = node.attributeInt("p", 2);
  if (p != 1 && p != 2)
    return context.emitOpaque(node);
  emitGlobalPool(node, context, p == 1 ? "l1" : "l2");
}

/// X, x_scale, x_zero_point, y_scale, y_zero_point: integer sums, quantised
/// again.
static void emitQLinearGlobalAveragePool(Node &node, EmitContext &context) {
  std::optional<Ints> axes =
      spatialAxes(node, node.attributeInt("channels_last", 0));
  if (!axes || !node.output(0))
    return context.emitOpaque(node);
  context.fused(node, [&] {
    mlir::Type type = context.type(*node.output(0));
    mlir::Value mean =
        rl::ReduceOp::create(
            context.builder, context.loc(node), type, context.string("mean"),
            context.present({node.input(0), node.input(1), node.input(2)}),
            context.integers(*axes), context.builder.getUnitAttr())
            ->getResult(0);
    IRValues inputs = {mean};
    append_range(inputs, context.present({node.input(3), node.input(4)}));
    return IRValues{quantizePart(node, context, "quantize", inputs, type)};
  });
}

static void emitQLinearAveragePool(Node &node, EmitContext &context) {
  std::optional<WindowNumbers> window = poolWindow(node);
  if (!window || !node.output(0) || node.attributeInt("channels_last", 0))
    return context.emitOpaque(node);
  context.fused(node, [&] {
    mlir::Type type = context.type(*node.output(0));
    mlir::Value mean =
        makePool(node, context, "average", type,
                 context.present({node.input(0), node.input(1), node.input(2)}),
                 *window)
            ->getResult(0);
    IRValues inputs = {mean};
    append_range(inputs, context.present({node.input(3), node.input(4)}));
    return IRValues{quantizePart(node, context, "quantize", inputs, type)};
  });
}

/// Values back to where their indices say, among zeros; output_shape only
/// states a shape.
static void emitMaxUnpool(Node &node, EmitContext &context) {
  emitCopy(node, context, "max_unpool",
           context.present({node.input(0), node.input(1)}));
}

void registerPoolingEmit(RuleTable &table) {
  using Rule = OpRule::Emit;
  Rule average = [](Node &n, EmitContext &c) { emitPool(n, c, "average"); };
  Rule max = [](Node &n, EmitContext &c) { emitPool(n, c, "max"); };
  Rule lp = [](Node &n, EmitContext &c) { emitPool(n, c, "lp"); };
  Rule mean = [](Node &n, EmitContext &c) { emitGlobalPool(n, c, "mean"); };
  Rule most = [](Node &n, EmitContext &c) { emitGlobalPool(n, c, "max"); };
  for (StringRef domain : {StringRef(""), StringRef(microsoftNchwc)}) {
    table.emit("AveragePool", average, domain);
    table.emit("MaxPool", max, domain);
    table.emit("GlobalAveragePool", mean, domain);
    table.emit("GlobalMaxPool", most, domain);
  }
  table.emit("LpPool", lp);
  table.emit("GlobalLpPool", emitGlobalLpPool);
  table.emit("MaxUnpool", emitMaxUnpool);
  table.emit("QLinearGlobalAveragePool", emitQLinearGlobalAveragePool,
             microsoft);
  table.emit("QLinearAveragePool", emitQLinearAveragePool, microsoft);
}

} // namespace roofline::onnx_import
