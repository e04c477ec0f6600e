//===- EmitMovement.cpp - views and copies --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"

using namespace llvm;

namespace roofline::onnx_import {

/// A copy of the first input; other operands only say how.
static void copyFirst(Node &node, EmitContext &context, StringRef kind,
                      bool picks = false) {
  emitCopy(node, context, kind, context.value(node.input(0)), picks);
}

/// Whether training may draw at random what is dropped: operands 1 and 2 are
/// the ratio and whether it is training.
static bool mayDrop(const Node &node) {
  auto isZero = [](const Value *value) {
    if (!value->constant || value->constant->elements.size() != 1)
      return false;
    const Scalar &scalar = value->constant->elements.front();
    if (const double *number = std::get_if<double>(&scalar))
      return *number == 0;
    const Expr *expr = asExpr(scalar);
    return expr && expr->isZero();
  };
  const Value *ratio = node.input(1), *training = node.input(2);
  return training && !isZero(training) && !(ratio && isZero(ratio));
}

/// Inference: the input as it is. A mask, where one is asked for, is constant.
static void emitDropout(Node &node, EmitContext &context) {
  if (context.executable && mayDrop(node))
    return context.emitOpaque(node);
  if (node.output(0)) {
    auto view = rl::ViewOp::create(
        context.builder, context.loc(node), context.type(*node.output(0)),
        context.string("dropout"), context.value(node.input(0)));
    context.bind(node, node.output(0), view);
  }
  if (Value *mask = node.output(1); mask && mask->live)
    context.bind(node, mask,
                 rl::FillOp::create(context.builder, context.loc(node),
                                    context.type(*mask)));
}

static void emitTranspose(Node &node, EmitContext &context) {
  std::optional<Ints> permutation = node.attributeInts("perm");
  std::optional<int64_t> rank = rankOf(node.input(0));
  if (!permutation && rank)
    permutation = llvm::to_vector<4>(
        llvm::reverse(llvm::to_vector(llvm::seq<int64_t>(0, *rank))));
  context.bind(node, rl::CopyOp::create(
                         context.builder, context.loc(node),
                         context.outputTypes(node), context.string("transpose"),
                         context.value(node.input(0)), mlir::UnitAttr(),
                         permutation ? context.integers(*permutation)
                                     : mlir::DenseI64ArrayAttr(),
                         mlir::IntegerAttr()));
}

static void emitConcat(Node &node, EmitContext &context) {
  int64_t axis =
      normalizeAxis(node.attributeInt("axis", 0), rankOf(node.output(0)));
  emitCopy(node, context, "concat", context.present(node.inputs), false, axis);
}

static void emitSplit(Node &node, EmitContext &context) {
  int64_t axis =
      normalizeAxis(node.attributeInt("axis", 0), rankOf(node.input(0)));
  emitCopy(node, context, "split", context.value(node.input(0)), true, axis);
}

/// data, pads, constant_value, axes: the value is read.
static void emitPad(Node &node, EmitContext &context) {
  emitCopy(node, context, "pad",
           context.present({node.input(0), node.input(2)}));
}

/// What a shape computation that is used as data leaves: a few numbers that the
/// host knows.
static void emitShape(Node &node, EmitContext &context) {
  context.bind(node, rl::FillOp::create(context.builder, context.loc(node),
                                        context.outputTypes(node)));
}

void registerMovementEmit(RuleTable &table) {
#define VIEW(OP, KIND)                                                         \
  table.emit(#OP, [](Node &n, EmitContext &c) { emitView(n, c, KIND); });
  VIEW(Reshape, "reshape")
  VIEW(Squeeze, "squeeze")
  VIEW(Unsqueeze, "unsqueeze")
  VIEW(Flatten, "flatten")
  VIEW(Identity, "identity")
  VIEW(BitCast, "bitcast")
#undef VIEW
  table.emit("Dropout", emitDropout);
  table.emit("Shape", emitShape);
  table.emit("Size", emitShape);
  table.emit("ConstantOfShape", emitShape);

#define COPY(OP, KIND, PICKS)                                                  \
  table.emit(#OP,                                                              \
             [](Node &n, EmitContext &c) { copyFirst(n, c, KIND, PICKS); });
  COPY(Slice, "slice", true)
  COPY(Expand, "expand", false)
  COPY(Tile, "tile", false)
  COPY(DepthToSpace, "depth_to_space", false)
  COPY(SpaceToDepth, "space_to_depth", false)
  COPY(Trilu, "trilu", false)
  COPY(CenterCropPad, "center_crop_pad", true)
#undef COPY
  table.emit("Transpose", emitTranspose);
  table.emit("Concat", emitConcat);
  table.emit("Split", emitSplit);
  table.emit("Pad", emitPad);
  table.emit("ReverseSequence", [](Node &n, EmitContext &c) {
    emitCopy(n, c, "reverse_sequence", c.present(n.inputs));
  });
  for (StringRef op : {"ReorderInput", "ReorderOutput"})
    table.emit(
        op, [](Node &n, EmitContext &c) { copyFirst(n, c, "reorder"); },
        microsoftNchwc);
}

} // namespace roofline::onnx_import
