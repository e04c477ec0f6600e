//===- DeclaredTypes.cpp - the types that a model file states -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be derived wins over what a file declares: a declared size is taken
// where inference has none, and a contradiction is reported.
//
//===----------------------------------------------------------------------===//

#include "DimNames.h"
#include "InferSteps.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace roofline::onnx_import {
namespace {

using ShapeProto = onnx::TensorShapeProto;

/// Contradictions listed one by one; there may be one a node.
constexpr unsigned maxListed = 10;

/// The tensor type a TypeProto holds or consists of; null for maps and the
/// like.
const onnx::TypeProto::Tensor *tensorIn(const onnx::TypeProto &proto) {
  // An optional of a sequence of tensors is the deepest that ONNX has.
  const onnx::TypeProto *type = &proto;
  for (unsigned depth = 0; depth < 4; ++depth) {
    if (type->has_tensor_type())
      return &type->tensor_type();
    if (type->has_sequence_type())
      type = &type->sequence_type().elem_type();
    else if (type->has_optional_type())
      type = &type->optional_type().elem_type();
    else
      return nullptr;
  }
  return nullptr;
}

ValueType::Kind kindOf(const onnx::TypeProto &proto) {
  if (proto.has_tensor_type())
    return ValueType::Tensor;
  if (proto.has_sequence_type())
    return ValueType::Sequence;
  if (!proto.has_optional_type())
    return ValueType::Unknown;
  // An optional sequence is treated as a sequence: neither has known bytes.
  return proto.optional_type().elem_type().has_sequence_type()
             ? ValueType::Sequence
             : ValueType::Optional;
}

std::string shapeText(ArrayRef<MaybeDim> dims) {
  std::string text = "[";
  for (auto [i, dim] : enumerate(dims))
    text += (i ? ", " : "") + (dim ? dim->str() : std::string("?"));
  return text + "]";
}

std::string shapeText(const ShapeProto &shape) {
  std::string text = "[";
  for (auto [i, dim] : enumerate(shape.dim()))
    text += (i ? ", " : "") +
            (dim.has_dim_value()
                 ? std::to_string(dim.dim_value())
                 : (dim.has_dim_param() ? dim.dim_param() : std::string("?")));
  return text + "]";
}

bool contradicts(const MaybeDim &derived, const ShapeProto::Dimension &proto) {
  return derived && derived->isConstant() && proto.has_dim_value() &&
         proto.dim_value() >= 0 && derived->constant() != proto.dim_value();
}

/// A declared size that may stand in for an unknown one. Exporters write 0 and
/// -1 for sizes they don't know.
MaybeDim declaredDim(const ShapeProto::Dimension &proto,
                     const InferContext &ctx) {
  if (proto.has_dim_value())
    return proto.dim_value() > 0 ? MaybeDim(proto.dim_value()) : std::nullopt;
  if (!proto.has_dim_param())
    return std::nullopt;
  return ctx.model.dimNames->dim(proto);
}

/// Takes the declared sizes that inference lacks; false where the two
/// contradict each other.
bool applyShape(ValueType &type, const ShapeProto &shape, InferContext &ctx) {
  if (!type.ranked) {
    type.ranked = true;
    type.dims.assign(shape.dim_size(), std::nullopt);
  }
  if (int(type.dims.size()) != shape.dim_size())
    return false;
  bool agree = true;
  for (auto [dim, proto] : zip(type.dims, shape.dim())) {
    if (!dim)
      dim = declaredDim(proto, ctx);
    else
      agree &= !contradicts(dim, proto);
  }
  return agree;
}

void noteDisagreement(const Value &value, const ShapeProto &shape,
                      InferContext &ctx) {
  ctx.disagreements[&value] =
      ("value '" + value.name + "' is declared " + shapeText(shape) +
       ", but follows as " + shapeText(value.type.dims) + ", which is used")
          .str();
}

} // namespace

ValueType declaredType(const onnx::TypeProto &proto) {
  ValueType type;
  const onnx::TypeProto::Tensor *tensor = tensorIn(proto);
  if (!tensor)
    return type;
  type.kind = kindOf(proto);
  type.onnxElem = tensor->elem_type();
  type.elem = elementTypeOf(type.onnxElem);
  type.ranked = tensor->has_shape();
  for (const ShapeProto::Dimension &dim : tensor->shape().dim())
    type.dims.push_back(dim.has_dim_value() && dim.dim_value() >= 0
                            ? MaybeDim(dim.dim_value())
                            : std::nullopt);
  return type;
}

void applyDeclared(Value &value, InferContext &ctx) {
  if (!value.declared)
    return;
  ValueType &type = value.type;
  if (type.kind == ValueType::Unknown) {
    type = declaredType(*value.declared);
    type.dims.clear();
    type.ranked = false;
  }
  const onnx::TypeProto::Tensor *tensor = tensorIn(*value.declared);
  if (!tensor || type.kind != kindOf(*value.declared))
    return;
  if (!type.onnxElem) {
    type.onnxElem = tensor->elem_type();
    type.elem = elementTypeOf(type.onnxElem);
  }
  if (!tensor->has_shape())
    return;
  if (!ctx.disagreements.empty())
    if (auto noted = ctx.disagreements.find(&value);
        noted != ctx.disagreements.end())
      noted->second.clear();
  if (!applyShape(type, tensor->shape(), ctx) && ctx.unneededDepth == 0)
    noteDisagreement(value, tensor->shape(), ctx);
}

void warnOfDisagreements(InferContext &ctx) {
  unsigned count = 0;
  for (const auto &[value, text] : ctx.disagreements) {
    if (text.empty() || ++count > maxListed)
      continue;
    std::string node = value->producer ? value->producer->name.str() : "";
    ctx.model.warnings.push_back({node, text});
  }
  if (count > maxListed)
    ctx.model.warnings.push_back(
        {"", std::to_string(count - maxListed) +
                 " more values are declared with other shapes than follow"});
}

} // namespace roofline::onnx_import
