//===- InferContext.cpp - what a shape rule may do ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferContext.h"

using namespace llvm;

namespace roofline::onnx_import {

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

const MaybeDims *InferContext::dims(const Node &node, unsigned input) const {
  const Value *value = node.input(input);
  if (!value || value->type.kind != ValueType::Tensor || !value->type.ranked)
    return nullptr;
  return &value->type.dims;
}

const Constant *InferContext::constant(const Node &node, unsigned input) const {
  const Value *value = node.input(input);
  return value ? value->constant.get() : nullptr;
}

std::optional<SmallVector<int64_t, 4>>
InferContext::constantInts(const Node &node, unsigned input) const {
  const Constant *known = constant(node, input);
  if (!known)
    return std::nullopt;
  SmallVector<int64_t, 4> ints;
  ints.reserve(known->elements.size());
  for (const Scalar &element : known->elements) {
    const Expr *expr = asExpr(element);
    std::optional<int64_t> number = expr ? expr->asInt64() : std::nullopt;
    if (!number)
      return std::nullopt;
    ints.push_back(*number);
  }
  return ints;
}

std::optional<MaybeDims> InferContext::constantDims(const Node &node,
                                                    unsigned input) const {
  const Constant *known = constant(node, input);
  if (!known)
    return std::nullopt;
  MaybeDims dims;
  dims.reserve(known->elements.size());
  for (const Scalar &element : known->elements) {
    const Expr *expr = asExpr(element);
    dims.push_back(expr ? MaybeDim(*expr) : std::nullopt);
  }
  return dims;
}

int InferContext::elemOf(const Node &node, unsigned input) const {
  const Value *value = node.input(input);
  return value ? value->type.onnxElem : 0;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

void InferContext::setTensor(Node &node, unsigned output, int onnxElem,
                             ArrayRef<MaybeDim> dims) const {
  Value *value = node.output(output);
  if (!value)
    return;
  ValueType &type = value->type;
  type.kind = ValueType::Tensor;
  type.onnxElem = onnxElem;
  type.elem = elementTypeOf(onnxElem);
  type.ranked = true;
  // `dims` may be a view of this very type (a carried value seen again).
  if (dims.data() != type.dims.data())
    type.dims.assign(dims.begin(), dims.end());
}

void InferContext::setTensorLike(Node &node, unsigned output, unsigned like,
                                 ArrayRef<MaybeDim> dims) const {
  setTensor(node, output, elemOf(node, like), dims);
}

void InferContext::setUnranked(Node &node, unsigned output,
                               int onnxElem) const {
  setTensor(node, output, onnxElem, {});
  if (Value *value = node.output(output))
    value->type.ranked = false;
}

void InferContext::setDataDependent(Node &node) const {
  for (Value *output : node.outputs)
    if (output)
      output->dataDependent = true;
}

void InferContext::setConstant(Node &node, unsigned output,
                               std::vector<Scalar> elements) const {
  if (Value *value = node.output(output))
    value->constant =
        std::make_shared<const Constant>(Constant{std::move(elements)});
}

void InferContext::warn(const Node &node, const Twine &message) {
  model.warnings.push_back({std::string(node.name), message.str()});
}

//===----------------------------------------------------------------------===//
// Arithmetic on shapes
//===----------------------------------------------------------------------===//

namespace {

bool isNumber(const MaybeDim &dim) { return dim && dim->isConstant(); }
bool isOne(const MaybeDim &dim) {
  return isNumber(dim) && dim->constant() == 1;
}

/// Merges `other` into `dim`; false where the two can't broadcast.
bool broadcastDim(MaybeDim &dim, const MaybeDim &other) {
  if (isOne(other))
    return true;
  if (isOne(dim)) {
    dim = other;
    return true;
  }
  // A number other than 1 is the result whatever the other side is: that one
  // must be equal to it, or 1.
  if (!dim || !other) {
    if (isNumber(other))
      dim = other;
    else if (!isNumber(dim))
      dim = std::nullopt;
    return true;
  }
  if (dim->isConstant() && other->isConstant())
    return dim->constant() == other->constant();
  if (dim->isConstant())
    return true;
  if (other->isConstant())
    dim = other;
  else if (*dim != *other)
    dim = Expr::max(*dim, *other);
  return true;
}

} // namespace

Expected<MaybeDims>
InferContext::broadcast(const Node &node,
                        ArrayRef<const MaybeDims *> shapes) const {
  size_t rank = 0;
  for (const MaybeDims *shape : shapes)
    rank = std::max(rank, shape->size());
  MaybeDims result;
  result.assign(rank, MaybeDim(Expr(1)));
  for (const MaybeDims *shape : shapes) {
    size_t offset = rank - shape->size();
    for (auto [i, other] : enumerate(*shape)) {
      MaybeDim &dim = result[offset + i];
      if (!broadcastDim(dim, other))
        return nodeError(node, "sizes " + dim->str() + " and " + other->str() +
                                   " of dimension " + Twine(offset + i) +
                                   " don't broadcast");
    }
  }
  return result;
}

Expected<unsigned> InferContext::axis(const Node &node, int64_t axis,
                                      size_t rank) const {
  int64_t positive = axis < 0 ? axis + int64_t(rank) : axis;
  if (positive < 0 || positive >= int64_t(rank))
    return nodeError(node, "axis " + Twine(axis) +
                               " is out of range for a tensor of rank " +
                               Twine(rank));
  return unsigned(positive);
}

MaybeDim product(ArrayRef<MaybeDim> dims) {
  // A 0 decides the product even beside unknown sizes.
  bool unknown = false;
  Expr result = 1;
  for (const MaybeDim &dim : dims) {
    if (!dim)
      unknown = true;
    else if (dim->isZero())
      return Expr(0);
    else
      result *= *dim;
  }
  return unknown ? MaybeDim() : MaybeDim(result);
}

} // namespace roofline::onnx_import
