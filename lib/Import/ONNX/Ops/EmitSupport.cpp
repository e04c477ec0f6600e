//===- EmitSupport.cpp - what emission rules share ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace roofline::onnx_import {

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

const SmallVector<MaybeDim, 4> *dimsOf(const Value *value) {
  if (!value || value->type.kind != ValueType::Tensor || !value->type.ranked)
    return nullptr;
  return &value->type.dims;
}

std::optional<int64_t> rankOf(const Value *value) {
  if (const SmallVector<MaybeDim, 4> *dims = dimsOf(value))
    return static_cast<int64_t>(dims->size());
  return std::nullopt;
}

MaybeDim dimOf(const Value *value, int64_t axis) {
  const SmallVector<MaybeDim, 4> *dims = dimsOf(value);
  if (!dims)
    return std::nullopt;
  int64_t rank = dims->size();
  if (axis < 0)
    axis += rank;
  if (axis < 0 || axis >= rank)
    return std::nullopt;
  return (*dims)[axis];
}

MaybeDim dividedBy(const MaybeDim &a, const MaybeDim &b) {
  return b && b->isZero() ? std::nullopt : quotient(a, b);
}

MaybeDim productOf(ArrayRef<MaybeDim> dims) {
  MaybeDim product = Expr(1);
  for (const MaybeDim &dim : dims)
    product = times(product, dim);
  return product;
}

std::optional<int64_t> numberOf(const MaybeDim &dim) {
  return dim ? dim->asInt64() : std::nullopt;
}

std::optional<Ints> foldedInts(const Value *value) {
  if (!value || !value->constant)
    return std::nullopt;
  Ints result;
  for (const Scalar &element : value->constant->elements) {
    const Expr *expr = asExpr(element);
    std::optional<int64_t> number = expr ? expr->asInt64() : std::nullopt;
    if (!number)
      return std::nullopt;
    result.push_back(*number);
  }
  return result;
}

MaybeDim foldedScalar(const Value *value) {
  if (!value || !value->constant || value->constant->elements.size() != 1)
    return std::nullopt;
  if (const Expr *expr = asExpr(value->constant->elements.front()))
    return *expr;
  return std::nullopt;
}

int64_t normalizeAxis(int64_t axis, std::optional<int64_t> rank) {
  return axis < 0 && rank ? axis + *rank : axis;
}

//===----------------------------------------------------------------------===//
// Elementwise functions
//===----------------------------------------------------------------------===//

ElementCost elementCost(StringRef kind) {
  static const StringMap<ElementCost> costs = {
#define ROOFLINE_ELEMENTWISE(NAME, VECTOR, SPECIAL) {NAME, {VECTOR, SPECIAL}},
#include "roofline/Cost/ElementwiseOps.def"
  };
  return costs.lookup(kind);
}

StringRef activationKind(StringRef onnxName) {
  return StringSwitch<StringRef>(onnxName)
      .CaseLower("relu", "relu")
      .CaseLower("tanh", "tanh")
      .CaseLower("sigmoid", "sigmoid")
      .CaseLower("leakyrelu", "leaky_relu")
      .CaseLower("clip", "clip")
      .CaseLower("hardsigmoid", "hard_sigmoid")
      .CaseLower("hardswish", "hard_swish")
      .CaseLower("elu", "elu")
      .CaseLower("softplus", "softplus")
      .CaseLower("gelu", "gelu")
      .CaseLower("silu", "silu")
      .CaseLower("swish", "swish")
      .Default("");
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void emitMap(Node &node, EmitContext &context, StringRef kind,
             mlir::ValueRange inputs, rl::BodyAttr body) {
  context.bind(node, rl::MapOp::create(context.builder, context.loc(node),
                                       context.outputTypes(node),
                                       context.string(kind), inputs, body));
}

void emitView(Node &node, EmitContext &context, StringRef kind) {
  if (!node.input(0))
    return context.emitOpaque(node);
  emitKind<rl::ViewOp>(node, context, kind, context.value(node.input(0)));
}

void emitCopy(Node &node, EmitContext &context, StringRef kind,
              mlir::ValueRange inputs, bool picks,
              std::optional<int64_t> axis) {
  context.bind(node,
               rl::CopyOp::create(
                   context.builder, context.loc(node),
                   context.outputTypes(node), context.string(kind), inputs,
                   context.unitIf(picks), mlir::DenseI64ArrayAttr(),
                   axis ? context.integer(*axis) : mlir::IntegerAttr()));
}

mlir::Value mapPart(Node &node, EmitContext &context, StringRef kind,
                    mlir::ValueRange inputs, mlir::Type type,
                    rl::BodyAttr body) {
  return rl::MapOp::create(context.builder, context.loc(node), type,
                           context.string(kind), inputs, body)
      ->getResult(0);
}

mlir::Value quantizePart(Node &node, EmitContext &context, StringRef kind,
                         mlir::ValueRange inputs, mlir::Type type) {
  return rl::QuantizeOp::create(context.builder, context.loc(node), type,
                                context.string(kind), inputs)
      ->getResult(0);
}

mlir::Type elementOf(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value);
}

mlir::Type withElement(mlir::Type like, mlir::Type element) {
  if (auto ranked = mlir::dyn_cast<mlir::RankedTensorType>(like))
    return mlir::RankedTensorType::get(ranked.getShape(), element,
                                       ranked.getEncoding());
  return mlir::UnrankedTensorType::get(element);
}

} // namespace roofline::onnx_import
