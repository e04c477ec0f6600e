//===- Sequences.cpp - types of sequences and optionals -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sequence's type holds what its elements have in common. Where the elements
// are known one by one (made by SplitToSequence or SequenceConstruct), their
// types are kept beside it, so that SequenceAt finds the one it picks.
//
// An optional of a tensor has the tensor's dims; an optional of a sequence is
// treated as that sequence.
//
//===----------------------------------------------------------------------===//

#include "InferSteps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace roofline::onnx_import {
namespace {

using Elements = std::vector<ValueType>;
constexpr size_t maxListedElements = 4096;
constexpr uint64_t maxListedInAll = 1 << 18;

const Elements *elementsOf(const Node &node, unsigned input,
                           const InferContext &ctx) {
  auto it = ctx.sequenceElements.find(node.input(input));
  return it != ctx.sequenceElements.end() ? &it->second : nullptr;
}

const ValueType *sequenceType(const Node &node, unsigned input) {
  const Value *value = node.input(input);
  return value && value->type.kind == ValueType::Sequence ? &value->type
                                                          : nullptr;
}

ValueType asTensor(ValueType type) {
  type.kind = ValueType::Tensor;
  type.length.reset();
  return type;
}

ValueType sequenceOf(const ValueType &element, std::optional<Expr> length) {
  ValueType type = element;
  type.kind = ValueType::Sequence;
  type.length = std::move(length);
  return type;
}

/// Sets a sequence whose elements are all known.
void setElements(Value &output, Elements elements, InferContext &ctx) {
  ValueType common;
  common.kind = ValueType::Tensor;
  if (!elements.empty())
    common = elements.front();
  bool differ = false;
  for (const ValueType &element : elements)
    common = commonType(common, element, differ);
  output.type = sequenceOf(common, Expr(int64_t(elements.size())));
  ctx.listedElements += elements.size();
  if (elements.size() <= maxListedElements &&
      ctx.listedElements <= maxListedInAll)
    ctx.sequenceElements[&output] = std::move(elements);
}

std::optional<int64_t> knownInt(const Node &node, unsigned input) {
  const Scalar *scalar = scalarConstant(node.input(input));
  const Expr *expr = scalar ? asExpr(*scalar) : nullptr;
  return expr ? expr->asInt64() : std::nullopt;
}

void sequenceConstruct(Node &node, InferContext &ctx) {
  Elements elements;
  for (const Value *input : node.inputs)
    elements.push_back(input ? input->type : ValueType());
  setElements(*node.outputs[0], std::move(elements), ctx);
}

void sequenceEmpty(Node &node, InferContext &ctx) {
  setElements(*node.outputs[0], {}, ctx);
  ValueType &type = node.outputs[0]->type;
  type.onnxElem = int(node.attributeInt("dtype", onnx::TensorProto::FLOAT));
  type.elem = elementTypeOf(type.onnxElem);
}

void sequenceLength(Node &node, InferContext &ctx) {
  ctx.setTensor(node, 0, onnx::TensorProto::INT64, {});
  const ValueType *type = sequenceType(node, 0);
  if (type && type->length)
    ctx.setConstant(node, 0, {*type->length});
}

void sequenceAt(Node &node, InferContext &ctx) {
  const ValueType *type = sequenceType(node, 0);
  if (!type)
    return;
  node.outputs[0]->type = asTensor(*type);
  const Elements *elements = elementsOf(node, 0, ctx);
  std::optional<int64_t> position = knownInt(node, 1);
  if (!elements || !position)
    return;
  int64_t size = int64_t(elements->size());
  int64_t index = *position < 0 ? *position + size : *position;
  if (index >= 0 && index < size)
    node.outputs[0]->type = asTensor((*elements)[index]);
}

/// SequenceInsert and SequenceErase where the elements are known one by one;
/// false where they, or the position, aren't.
bool editElements(Node &node, InferContext &ctx, unsigned positionInput,
                  const ValueType *inserted) {
  const Elements *elements = elementsOf(node, 0, ctx);
  if (!elements)
    return false;
  Elements edited = *elements;
  int64_t size = int64_t(edited.size());
  int64_t index = inserted ? size : size - 1;
  if (node.input(positionInput)) {
    std::optional<int64_t> position = knownInt(node, positionInput);
    if (!position)
      return false;
    index = *position < 0 ? *position + size : *position;
  }
  if (index < 0 || index > size || (!inserted && index == size))
    return false;
  if (inserted)
    edited.insert(edited.begin() + index, *inserted);
  else
    edited.erase(edited.begin() + index);
  setElements(*node.outputs[0], std::move(edited), ctx);
  return true;
}

void sequenceInsert(Node &node, InferContext &ctx) {
  const ValueType *type = sequenceType(node, 0);
  const Value *tensor = node.input(1);
  if (!type || !tensor || editElements(node, ctx, 2, &tensor->type))
    return;
  bool differ = false;
  bool wasEmpty = type->length && type->length->isZero();
  ValueType common = wasEmpty
                         ? tensor->type
                         : commonType(asTensor(*type), tensor->type, differ);
  std::optional<Expr> length = type->length;
  if (length)
    *length += 1;
  node.outputs[0]->type = sequenceOf(common, length);
}

void sequenceErase(Node &node, InferContext &ctx) {
  const ValueType *type = sequenceType(node, 0);
  if (!type || editElements(node, ctx, 1, nullptr))
    return;
  std::optional<Expr> length = type->length;
  if (length)
    *length -= 1;
  node.outputs[0]->type = sequenceOf(asTensor(*type), length);
}

/// The sizes of the parts a split makes; nothing where they aren't known one by
/// one.
std::optional<MaybeDims> partSizes(const Node &node, const InferContext &ctx,
                                   const MaybeDim &size) {
  const Value *split = node.input(1);
  if (split && split->type.kind == ValueType::Tensor && split->type.ranked &&
      split->type.dims.size() == 1)
    return ctx.constantDims(node, 1);
  std::optional<int64_t> chunk = split ? knownInt(node, 1) : 1;
  std::optional<int64_t> total = size ? size->asInt64() : std::nullopt;
  if (!chunk || *chunk <= 0 || !total ||
      *total / *chunk >= int64_t(maxListedElements))
    return std::nullopt;
  MaybeDims sizes(*total / *chunk, MaybeDim(*chunk));
  if (*total % *chunk)
    sizes.push_back(Expr(*total % *chunk));
  return sizes;
}

void splitToSequence(Node &node, InferContext &ctx) {
  const Value *input = node.input(0);
  if (!input || input->type.kind != ValueType::Tensor)
    return;
  ValueType part = input->type;
  Value &output = *node.outputs[0];
  output.type = sequenceOf(part, std::nullopt);
  if (!part.ranked || part.dims.empty())
    return;
  int64_t rank = int64_t(part.dims.size());
  int64_t axis = node.attributeInt("axis", 0);
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis >= rank)
    return;
  // Without a split each part has size 1, and the axis may be dropped.
  bool dropAxis = !node.input(1) && node.attributeInt("keepdims", 1) == 0;
  auto withSize = [&](MaybeDim size) {
    ValueType type = part;
    if (dropAxis)
      type.dims.erase(type.dims.begin() + axis);
    else
      type.dims[axis] = std::move(size);
    return type;
  };
  const MaybeDim &size = part.dims[axis];
  if (std::optional<MaybeDims> sizes = partSizes(node, ctx, size)) {
    Elements elements;
    for (const MaybeDim &each : *sizes)
      elements.push_back(withSize(each));
    setElements(output, std::move(elements), ctx);
    return;
  }
  std::optional<int64_t> chunk = node.input(1) ? knownInt(node, 1) : 1;
  if (!chunk || *chunk <= 0) {
    output.type = sequenceOf(withSize(std::nullopt), std::nullopt);
    return;
  }
  // A formula, or very many parts: all are alike where the chunk divides.
  bool divides = size && Expr::mod(*size, *chunk).isZero();
  std::optional<Expr> length;
  if (size)
    length = Expr::ceilDiv(*size, *chunk);
  output.type =
      sequenceOf(withSize(divides ? MaybeDim(*chunk) : std::nullopt), length);
}

/// The size along the joined axis: the parts' sum.
MaybeDim joinedSize(const Node &node, const ValueType &type, int64_t axis,
                    const InferContext &ctx) {
  if (const Elements *elements = elementsOf(node, 0, ctx)) {
    Expr sum = 0;
    for (const ValueType &element : *elements) {
      if (!element.ranked || axis >= int64_t(element.dims.size()) ||
          !element.dims[axis])
        return std::nullopt;
      sum += *element.dims[axis];
    }
    return sum;
  }
  if (!type.length || !type.dims[axis])
    return std::nullopt;
  return *type.length * *type.dims[axis];
}

void concatFromSequence(Node &node, InferContext &ctx) {
  const ValueType *type = sequenceType(node, 0);
  if (!type)
    return;
  ValueType result = asTensor(*type);
  int64_t rank = int64_t(type->dims.size());
  bool newAxis = node.attributeInt("new_axis", 0) != 0;
  int64_t axis = node.attributeInt("axis", 0);
  if (axis < 0)
    axis += rank + (newAxis ? 1 : 0);
  bool inRange = axis >= 0 && axis < rank + (newAxis ? 1 : 0);
  if (type->ranked && inRange && newAxis)
    result.dims.insert(result.dims.begin() + axis, type->length);
  else if (type->ranked && inRange)
    result.dims[axis] = joinedSize(node, *type, axis, ctx);
  else {
    result.ranked = false;
    result.dims.clear();
  }
  node.outputs[0]->type = result;
}

/// Optional: wraps its input, or makes an empty one of a declared type.
void makeOptional(Node &node, InferContext &ctx) {
  ValueType &type = node.outputs[0]->type;
  if (const Value *input = node.input(0))
    type = input->type;
  else if (const onnx::AttributeProto *attribute = node.attribute("type"))
    type = declaredType(attribute->tp());
  if (type.kind == ValueType::Tensor)
    type.kind = ValueType::Optional;
}

void optionalGetElement(Node &node, InferContext &ctx) {
  const Value *input = node.input(0);
  if (!input)
    return;
  ValueType &type = node.outputs[0]->type;
  type = input->type;
  if (type.kind == ValueType::Optional)
    type.kind = ValueType::Tensor;
  node.outputs[0]->constant = input->constant;
}

void optionalHasElement(Node &node, InferContext &ctx) {
  ctx.setTensor(node, 0, onnx::TensorProto::BOOL, {});
  const Value *input = node.input(0);
  std::optional<bool> has;
  if (!input)
    has = false;
  else if (input->producer && input->producer->opType() == "Optional")
    has = input->producer->input(0) != nullptr;
  else if (input->type.kind == ValueType::Tensor)
    has = true;
  if (has)
    ctx.setConstant(node, 0, {Expr(int64_t(*has))});
}

using Infer = void (*)(Node &, InferContext &);

Infer findSequenceOp(StringRef opType) {
  return StringSwitch<Infer>(opType)
      .Case("SequenceConstruct", sequenceConstruct)
      .Case("SequenceEmpty", sequenceEmpty)
      .Case("SequenceLength", sequenceLength)
      .Case("SequenceAt", sequenceAt)
      .Case("SequenceInsert", sequenceInsert)
      .Case("SequenceErase", sequenceErase)
      .Case("SplitToSequence", splitToSequence)
      .Case("ConcatFromSequence", concatFromSequence)
      .Case("Optional", makeOptional)
      .Case("OptionalGetElement", optionalGetElement)
      .Case("OptionalHasElement", optionalHasElement)
      .Default(nullptr);
}

} // namespace

bool inferSequence(Node &node, InferContext &ctx) {
  if (!node.domain().empty())
    return false;
  Infer infer = findSequenceOp(node.opType());
  if (!infer)
    return false;
  if (node.output(0)) {
    ctx.sequenceElements.erase(node.output(0));
    infer(node, ctx);
  }
  return true;
}

} // namespace roofline::onnx_import
