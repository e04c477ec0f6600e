//===- EmitReduction.cpp - reductions, softmax, selections ----------------===//
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
// Reductions
//===----------------------------------------------------------------------===//

/// The axes reduced, non-negative and sorted; nothing where they aren't known.
/// They are an attribute, or an operand in newer opsets; left out they are all.
static std::optional<Ints> reducedAxes(const Node &node) {
  std::optional<int64_t> rank = rankOf(node.input(0));
  std::optional<Ints> axes = node.attributeInts("axes");
  if (!axes && node.input(1)) {
    axes = foldedInts(node.input(1));
    if (!axes)
      return std::nullopt;
  }
  if (!axes || axes->empty()) {
    if (node.attributeInt("noop_with_empty_axes", 0))
      return Ints();
    if (!rank)
      return std::nullopt;
    axes = llvm::to_vector<4>(llvm::seq<int64_t>(0, *rank));
  }
  for (int64_t &axis : *axes) {
    axis = normalizeAxis(axis, rank);
    if (axis < 0)
      return std::nullopt;
  }
  llvm::sort(*axes);
  return axes;
}

static void makeReduce(Node &node, EmitContext &context, StringRef kind,
                       mlir::ValueRange inputs, ArrayRef<int64_t> axes) {
  context.bind(
      node, rl::ReduceOp::create(
                context.builder, context.loc(node), context.outputTypes(node),
                context.string(kind), inputs, context.integers(axes),
                context.unitIf(node.attributeInt("keepdims", 1) != 0)));
}

static void emitReduce(Node &node, EmitContext &context, StringRef kind) {
  std::optional<Ints> axes = reducedAxes(node);
  if (!axes || !node.input(0))
    return context.emitOpaque(node);
  makeReduce(node, context, kind, context.value(node.input(0)), *axes);
}

static void emitArg(Node &node, EmitContext &context, StringRef kind) {
  int64_t axis =
      normalizeAxis(node.attributeInt("axis", 0), rankOf(node.input(0)));
  if (axis < 0)
    return context.emitOpaque(node);
  makeReduce(node, context, kind, context.value(node.input(0)), axis);
}

/// Patches put back where they overlap: n elements added into m.
static void emitCol2Im(Node &node, EmitContext &context) {
  context.bind(node, rl::ReduceOp::create(
                         context.builder, context.loc(node),
                         context.outputTypes(node), context.string("sum"),
                         context.value(node.input(0)), context.integers({1, 2}),
                         context.builder.getUnitAttr()));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Up to opset 12 a row is all dimensions from `axis` on, then `axis` alone.
static void emitSoftmax(Node &node, EmitContext &context, StringRef kind) {
  bool flattened = node.domain().empty() && opsetOf(node) < 13;
  int64_t axis = node.attributeInt("axis", flattened ? 1 : -1);
  std::optional<int64_t> rank = rankOf(node.input(0));
  axis = normalizeAxis(axis, rank);
  if (axis < 0 || (rank && axis >= std::max<int64_t>(*rank, 1)))
    return context.emitOpaque(node);
  context.bind(node, rl::SoftmaxOp::create(
                         context.builder, context.loc(node),
                         context.outputTypes(node), context.string(kind),
                         context.value(node.input(0)), context.integer(axis),
                         context.unitIf(flattened)));
}

/// X, X_scale, X_zero_point, Y_scale, Y_zero_point.
static void emitQLinearSoftmax(Node &node, EmitContext &context) {
  int64_t axis =
      normalizeAxis(node.attributeInt("axis", -1), rankOf(node.input(0)));
  if (axis < 0 || !node.input(0) || !node.output(0))
    return context.emitOpaque(node);
  bool flattened = node.attributeInt("opset", 13) < 13;
  context.fused(node, [&] {
    mlir::Type real = withElement(context.type(*node.output(0)),
                                  context.builder.getF32Type());
    mlir::Value x = quantizePart(
        node, context, "dequantize",
        context.present({node.input(0), node.input(1), node.input(2)}), real);
    mlir::Value y =
        rl::SoftmaxOp::create(context.builder, context.loc(node), real,
                              context.string("softmax"), x,
                              context.integer(axis), context.unitIf(flattened))
            ->getResult(0);
    IRValues inputs = {y};
    append_range(inputs, context.present({node.input(3), node.input(4)}));
    return IRValues{quantizePart(node, context, "quantize", inputs,
                                 context.type(*node.output(0)))};
  });
}

//===----------------------------------------------------------------------===//
// Cumulation, selection
//===----------------------------------------------------------------------===//

static void emitTopK(Node &node, EmitContext &context) {
  int64_t axis =
      normalizeAxis(node.attributeInt("axis", -1), rankOf(node.input(0)));
  if (axis < 0)
    return context.emitOpaque(node);
  context.bind(node, rl::TopKOp::create(context.builder, context.loc(node),
                                        context.outputTypes(node),
                                        context.value(node.input(0)),
                                        context.integer(axis)));
}

void registerReductionEmit(RuleTable &table) {
#define REDUCE(OP, KIND)                                                       \
  table.emit(#OP, [](Node &n, EmitContext &c) { emitReduce(n, c, KIND); });
  REDUCE(ReduceSum, "sum")
  REDUCE(ReduceMean, "mean")
  REDUCE(ReduceMax, "max")
  REDUCE(ReduceMin, "min")
  REDUCE(ReduceProd, "prod")
  REDUCE(ReduceL1, "l1")
  REDUCE(ReduceL2, "l2")
  REDUCE(ReduceSumSquare, "sum_square")
  REDUCE(ReduceLogSum, "log_sum")
  REDUCE(ReduceLogSumExp, "log_sum_exp")
#undef REDUCE
  table.emit("ArgMax",
             [](Node &n, EmitContext &c) { emitArg(n, c, "argmax"); });
  table.emit("ArgMin",
             [](Node &n, EmitContext &c) { emitArg(n, c, "argmin"); });
  table.emit("Col2Im", emitCol2Im);
  table.emit("Softmax",
             [](Node &n, EmitContext &c) { emitSoftmax(n, c, "softmax"); });
  table.emit("LogSoftmax",
             [](Node &n, EmitContext &c) { emitSoftmax(n, c, "log_softmax"); });
  table.emit("Hardmax",
             [](Node &n, EmitContext &c) { emitSoftmax(n, c, "hardmax"); });
  table.emit("QLinearSoftmax", emitQLinearSoftmax, microsoft);
  table.emit("CumSum", [](Node &n, EmitContext &c) {
    emitKind<rl::CumulateOp>(n, c, "sum", c.value(n.input(0)));
  });
  table.emit("CumProd", [](Node &n, EmitContext &c) {
    emitKind<rl::CumulateOp>(n, c, "prod", c.value(n.input(0)));
  });
  table.emit("TopK", emitTopK);
}

} // namespace roofline::onnx_import
