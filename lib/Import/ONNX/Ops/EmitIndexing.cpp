//===- EmitIndexing.cpp - gathers, scatters, picks that data decides ------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"

using namespace llvm;

namespace roofline::onnx_import {

//===----------------------------------------------------------------------===//
// Gather, scatter
//===----------------------------------------------------------------------===//

static void emitGather(Node &node, EmitContext &context, StringRef kind) {
  int64_t axis =
      normalizeAxis(node.attributeInt("axis", 0), rankOf(node.input(0)));
  context.bind(node, rl::GatherOp::create(
                         context.builder, context.loc(node),
                         context.outputTypes(node), context.string(kind),
                         context.present({node.input(0), node.input(1)}),
                         context.integer(axis)));
}

/// data, indices, updates.
static void emitScatter(Node &node, EmitContext &context) {
  if (!node.input(0) || !node.input(1) || !node.input(2))
    return context.emitOpaque(node);
  emitKind<rl::ScatterOp>(node, context,
                          node.attributeString("reduction", "none"),
                          context.present(node.inputs));
}

/// past_cache, update, write_indices (one a batch, 0 where left out).
static void emitTensorScatter(Node &node, EmitContext &context) {
  if (!node.input(0) || !node.input(1))
    return context.emitOpaque(node);
  emitKind<rl::ScatterOp>(
      node, context, "none",
      context.present({node.input(0), node.input(2), node.input(1)}));
}

/// indices, depth, values: zeros and ones written by index, no arithmetic.
static void emitOneHot(Node &node, EmitContext &context) {
  context.bind(node, rl::GenerateOp::create(
                         context.builder, context.loc(node),
                         context.outputTypes(node), context.string("one_hot"),
                         context.present({node.input(0), node.input(2)}),
                         rl::BodyAttr()));
}

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

static void emitFilter(Node &node, EmitContext &context, StringRef kind,
                       ArrayRef<Value *> inputs) {
  emitKind<rl::FilterOp>(node, context, kind, context.present(inputs));
}

void registerIndexingEmit(RuleTable &table) {
  table.emit("Gather",
             [](Node &n, EmitContext &c) { emitGather(n, c, "rows"); });
  table.emit("GatherElements",
             [](Node &n, EmitContext &c) { emitGather(n, c, "elements"); });
  table.emit("GatherND",
             [](Node &n, EmitContext &c) { emitGather(n, c, "nd"); });
  table.emit(
      "GatherND", [](Node &n, EmitContext &c) { emitGather(n, c, "nd"); },
      microsoft);
  for (StringRef op : {"Scatter", "ScatterElements", "ScatterND"})
    table.emit(op, emitScatter);
  table.emit("TensorScatter", emitTensorScatter);
  table.emit("OneHot", emitOneHot);

  table.emit("NonZero", [](Node &n, EmitContext &c) {
    emitFilter(n, c, "nonzero", n.input(0));
  });
  table.emit("Compress", [](Node &n, EmitContext &c) {
    emitFilter(n, c, "compress", n.inputs);
  });
  table.emit("Unique", [](Node &n, EmitContext &c) {
    emitFilter(n, c, "unique", n.input(0));
  });
  // boxes, scores; the limits behind them are scalars of the host.
  table.emit("NonMaxSuppression", [](Node &n, EmitContext &c) {
    emitFilter(n, c, "nms", {n.input(0), n.input(1)});
  });
}

} // namespace roofline::onnx_import
