//===- FoldSupport.cpp - what folding rules share ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldSupport.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

/// What stands outside of a tensor. Indices come from the shapes that a model
/// declares, which may be wrong.
static const Scalar &outside() {
  static const Scalar none;
  return none;
}

const Scalar &Folded::at(Index index) const {
  if (index.size() != shape.size())
    return outside();
  for (auto [i, size] : zip(index, shape))
    if (i < 0 || i >= size)
      return outside();
  return elements[positionOf(index, shape)];
}

int64_t onnx_import::elementsOf(Index shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// Whether the shape is one of at most maxFoldedElements elements.
static bool isSmall(Index shape) {
  if (is_contained(shape, 0))
    return true;
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size < 0 || size > InferContext::maxFoldedElements)
      return false;
    count *= size;
    if (count > InferContext::maxFoldedElements)
      return false;
  }
  return true;
}

std::optional<Folded> onnx_import::foldedInput(const InferContext &ctx,
                                               const Node &node,
                                               unsigned input) {
  const Constant *constant = ctx.constant(node, input);
  const MaybeDims *dims = ctx.dims(node, input);
  if (!constant || !dims)
    return std::nullopt;
  std::optional<SmallVector<int64_t, 4>> shape = asInts(*dims);
  if (!shape || !isSmall(*shape) ||
      elementsOf(*shape) != int64_t(constant->elements.size()))
    return std::nullopt;
  return Folded{constant->elements, std::move(*shape), ctx.elemOf(node, input)};
}

std::optional<SmallVector<Folded, 2>>
onnx_import::foldedInputs(const InferContext &ctx, const Node &node) {
  SmallVector<Folded, 2> operands;
  for (unsigned i = 0; i != node.inputs.size(); ++i) {
    std::optional<Folded> operand = foldedInput(ctx, node, i);
    if (!operand)
      return std::nullopt;
    operands.push_back(std::move(*operand));
  }
  return operands;
}

std::optional<Shape> onnx_import::foldableOutput(const Node &node,
                                                 unsigned output) {
  const Value *value = node.output(output);
  if (!value || value->type.kind != ValueType::Tensor || !value->type.ranked)
    return std::nullopt;
  std::optional<Shape> shape = asInts(value->type.dims);
  if (!shape || !isSmall(*shape))
    return std::nullopt;
  return shape;
}

int64_t onnx_import::positionOf(Index index, Index shape) {
  int64_t position = 0;
  for (size_t i = 0; i != shape.size(); ++i)
    position = position * shape[i] + index[i];
  return position;
}

void onnx_import::forEachIndex(Index shape, function_ref<void(Index)> body) {
  if (is_contained(shape, 0))
    return;
  Shape index(shape.size(), 0);
  while (true) {
    body(index);
    size_t axis = shape.size();
    while (axis && ++index[axis - 1] == shape[axis - 1])
      index[--axis] = 0;
    if (!axis)
      return;
  }
}

void onnx_import::foldEach(Node &node, InferContext &ctx,
                           function_ref<Scalar(Index)> element) {
  std::optional<Shape> shape = foldableOutput(node, 0);
  if (!shape)
    return;
  std::vector<Scalar> elements;
  elements.reserve(elementsOf(*shape));
  forEachIndex(*shape,
               [&](Index index) { elements.push_back(element(index)); });
  ctx.setConstant(node, 0, std::move(elements));
}

void onnx_import::foldSameElements(Node &node, InferContext &ctx) {
  const Constant *constant = ctx.constant(node, 0);
  std::optional<Shape> shape = foldableOutput(node, 0);
  if (constant && shape &&
      elementsOf(*shape) == int64_t(constant->elements.size()))
    ctx.setConstant(node, 0, constant->elements);
}

const Scalar &onnx_import::broadcastAt(const Folded &operand, Index index) {
  if (operand.shape.size() > index.size())
    return outside();
  int64_t position = 0;
  for (auto [i, size] :
       zip(index.take_back(operand.shape.size()), operand.shape)) {
    if (size != 1 && i >= size)
      return outside();
    position = position * size + (size == 1 ? 0 : i);
  }
  return operand.elements[position];
}

void onnx_import::foldUnaryWith(Node &node, InferContext &ctx,
                                arith::Unary fn) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  if (!input)
    return;
  foldEach(node, ctx,
           [&](Index index) { return fn(input->at(index), input->onnxElem); });
}

void onnx_import::foldVariadicWith(Node &node, InferContext &ctx,
                                   arith::Binary fn) {
  std::optional<SmallVector<Folded, 2>> operands = foldedInputs(ctx, node);
  if (!operands || operands->empty())
    return;
  int elem = operands->front().onnxElem;
  foldEach(node, ctx, [&](Index index) {
    Scalar result = broadcastAt(operands->front(), index);
    for (const Folded &operand : ArrayRef(*operands).drop_front())
      result = fn(result, broadcastAt(operand, index), elem);
    return result;
  });
}
