//===- EmitConvolution.cpp - convolutions ---------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitWindow.h"

using namespace llvm;

namespace roofline::onnx_import {

/// What of the node is what of the convolution.
struct ConvParts {
  Value *input, *filter;
  SmallVector<Value *> aux;
  ElementCost epilogue;
  bool transposed = false;
};

static void emitConvolution(Node &node, EmitContext &context,
                            const ConvParts &parts) {
  std::optional<WindowNumbers> window =
      windowOf(node, parts.input, parts.filter);
  int64_t group = node.attributeInt("group", 1);
  if (!window || group < 1 || !parts.input || !parts.filter)
    return context.emitOpaque(node);
  mlir::Value input = context.value(parts.input);
  mlir::Value filter = context.value(parts.filter);
  IRValues aux = context.present(parts.aux);
  context.bind(
      node,
      rl::ConvOp::create(
          context.builder, context.loc(node), context.outputTypes(node), input,
          filter, aux, context.integers(window->strides),
          context.integers(window->pads), context.integers(window->dilations),
          context.integer(group), context.unitIf(parts.transposed),
          context.optionalBody(parts.epilogue.vector, parts.epilogue.special)));
}

/// X, W, B.
static void emitConv(Node &node, EmitContext &context) {
  ConvParts parts{node.input(0), node.input(1), {node.input(2)}, {}};
  parts.epilogue.vector = node.input(2) != nullptr;
  emitConvolution(node, context, parts);
}

static void emitConvTranspose(Node &node, EmitContext &context) {
  ConvParts parts{node.input(0), node.input(1), {node.input(2)}, {}, true};
  parts.epilogue.vector = node.input(2) != nullptr;
  emitConvolution(node, context, parts);
}

/// X, W, B and a tensor that is added, then an activation.
static void emitFusedConv(Node &node, EmitContext &context) {
  ConvParts parts{
      node.input(0), node.input(1), {node.input(2), node.input(3)}, {}};
  parts.epilogue.vector =
      (node.input(2) != nullptr) + (node.input(3) != nullptr);
  parts.epilogue =
      parts.epilogue +
      elementCost(activationKind(node.attributeString("activation", "")));
  emitConvolution(node, context, parts);
}

/// x, w, x_zero_point, w_zero_point: integer sums; kernels fold zero points
/// into them.
static void emitConvInteger(Node &node, EmitContext &context) {
  emitConvolution(
      node, context,
      {node.input(0), node.input(1), {node.input(2), node.input(3)}, {}});
}

/// x, x_scale, x_zero_point, w, w_scale, w_zero_point, y_scale, y_zero_point,
/// B: the sums are quantised, a bias comes before.
static void emitQLinearConv(Node &node, EmitContext &context) {
  if (node.attributeInt("channels_last", 0))
    return context.emitOpaque(node);
  ConvParts parts{node.input(0), node.input(3), {}, requantize};
  for (unsigned i : {1, 2, 4, 5, 6, 7, 8})
    parts.aux.push_back(node.input(i));
  parts.epilogue.vector += node.input(8) != nullptr;
  emitConvolution(node, context, parts);
}

//===----------------------------------------------------------------------===//
// Deformable convolution
//===----------------------------------------------------------------------===//

static mlir::Value viewPart(Node &node, EmitContext &context, mlir::Value input,
                            mlir::Type type) {
  return rl::ViewOp::create(context.builder, context.loc(node), type,
                            context.string("reshape"), input)
      ->getResult(0);
}

/// X, W, offset, B, mask: each tap samples the input between its points
/// (linear), a mask scales the sample, then the products of a convolution.
static void emitDeformConv(Node &node, EmitContext &context) {
  const Value *x = node.input(0), *w = node.input(1), *y = node.output(0);
  std::optional<int64_t> rank = rankOf(x);
  if (!rank || *rank < 3 || rankOf(w) != rank || rankOf(y) != rank ||
      node.attributeInt("group", 1) != 1)
    return context.emitOpaque(node);
  MaybeDim taps = productOf(ArrayRef(*dimsOf(w)).drop_front(2));
  MaybeDim points = productOf(ArrayRef(*dimsOf(y)).drop_front(2));
  MaybeDim batch = dimOf(x, 0), in = dimOf(x, 1), out = dimOf(w, 0);
  mlir::Type element = context.elementType(x->type.onnxElem);
  context.fused(node, [&] {
    mlir::OpBuilder &b = context.builder;
    mlir::Type sampledType =
        context.tensorType(element, {batch, in, taps, points});
    mlir::Value sampled =
        rl::ResizeOp::create(b, context.loc(node), sampledType,
                             context.string("linear"),
                             context.present({node.input(0), node.input(2)}),
                             context.integer(*rank - 2), b.getUnitAttr())
            ->getResult(0);
    if (node.input(4))
      sampled = mapPart(node, context, "mul",
                        {sampled, context.value(node.input(4))}, sampledType);
    mlir::Value filter = viewPart(node, context, context.value(node.input(1)),
                                  context.tensorType(element, {out, in, taps}));
    auto product = rl::ContractOp::create(
        b, context.loc(node), context.tensorType(element, {batch, out, points}),
        mlir::TypeRange(), context.string("bcts,oct->bos"),
        mlir::ValueRange{sampled, filter}, context.present({node.input(3)}),
        rl::BodyAttr(), context.optionalBody(node.input(3) ? 1 : 0),
        mlir::ArrayAttr());
    return IRValues{
        viewPart(node, context, product.getOutput(), context.type(*y))};
  });
}

void registerConvolutionEmit(RuleTable &table) {
  table.emit("Conv", emitConv);
  table.emit("ConvTranspose", emitConvTranspose);
  table.emit("ConvInteger", emitConvInteger);
  table.emit("QLinearConv", emitQLinearConv);
  table.emit("QLinearConv", emitQLinearConv, microsoft);
  table.emit("FusedConv", emitFusedConv, microsoft);
  table.emit("Conv", emitFusedConv, microsoftNchwc);
  table.emit("DeformConv", emitDeformConv);
}

} // namespace roofline::onnx_import
