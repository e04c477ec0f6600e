//===- Executable.cpp - what running a node needs beyond its cost ---------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// rl ops say what counting needs. A module that is imported to be lowered and
// run carries the rest in two discardable attributes: `rl.onnx` (the node's
// attributes and the values of operands that only state shapes) and `rl.value`
// (the elements of constants).
//
//===----------------------------------------------------------------------===//

#include "ConstantData.h"
#include "EmitContext.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;
using onnx::AttributeProto;
using onnx::TensorProto;

namespace roofline::onnx_import {

/// The type that elements are computed in: signs are for the op to say.
static mlir::Type signless(mlir::Type element) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(element))
    return mlir::IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// One element as MLIR keeps it; nothing where it isn't known or doesn't fit.
static mlir::Attribute elementAttribute(const Scalar &scalar, mlir::Type type) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type)) {
    const Expr *expr = asExpr(scalar);
    std::optional<int64_t> number = expr ? expr->asInt64() : std::nullopt;
    if (!number)
      return {};
    APInt bits(64, uint64_t(*number), /*isSigned=*/true);
    return mlir::IntegerAttr::get(type, bits.trunc(integer.getWidth()));
  }
  auto real = mlir::dyn_cast<mlir::FloatType>(type);
  if (!real)
    return {};
  if (const double *number = std::get_if<double>(&scalar))
    return mlir::FloatAttr::get(real, *number);
  return {};
}

static mlir::DenseElementsAttr fromConstant(const Constant &constant,
                                            mlir::RankedTensorType type) {
  SmallVector<mlir::Attribute> elements;
  for (const Scalar &scalar : constant.elements) {
    elements.push_back(elementAttribute(scalar, type.getElementType()));
    if (!elements.back())
      return {};
  }
  if (int64_t(elements.size()) != type.getNumElements())
    return {};
  return mlir::DenseElementsAttr::get(type, elements);
}

/// Raw little-endian data is MLIR's own form for types of whole bytes.
static mlir::DenseElementsAttr fromRaw(StringRef raw,
                                       mlir::RankedTensorType type) {
  mlir::Type element = type.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
    return {};
  size_t bytes =
      size_t(type.getNumElements()) * (element.getIntOrFloatBitWidth() / 8);
  ArrayRef<char> data(raw.data(), raw.size());
  if (raw.size() != bytes || type.getNumElements() == 0)
    return {};
  // A single element would be taken for a splat either way.
  return mlir::DenseElementsAttr::getFromRawBuffer(type, data);
}

template <typename Field>
static mlir::DenseElementsAttr fromFloats(const Field &field,
                                          mlir::RankedTensorType type) {
  if (int64_t(field.size()) != type.getNumElements() || field.empty())
    return {};
  auto real = mlir::cast<mlir::FloatType>(type.getElementType());
  SmallVector<mlir::Attribute> elements;
  for (auto element : field)
    elements.push_back(mlir::FloatAttr::get(real, double(element)));
  return mlir::DenseElementsAttr::get(type, elements);
}

static mlir::DenseElementsAttr fromTensor(const TensorProto &tensor,
                                          mlir::RankedTensorType type) {
  if (tensor.data_location() == TensorProto::EXTERNAL)
    return {};
  if (tensor.has_raw_data())
    return fromRaw(tensor.raw_data(), type);
  if (tensor.data_type() == TensorProto::FLOAT)
    return fromFloats(tensor.float_data(), type);
  if (tensor.data_type() == TensorProto::DOUBLE)
    return fromFloats(tensor.double_data(), type);
  return {};
}

mlir::DenseElementsAttr valueAttribute(const Value &value,
                                       EmitContext &context) {
  auto declared = mlir::dyn_cast<mlir::RankedTensorType>(context.type(value));
  if (!declared || !declared.hasStaticShape() ||
      !declared.getElementType().isIntOrFloat())
    return {};
  auto type = mlir::RankedTensorType::get(declared.getShape(),
                                          signless(declared.getElementType()));
  if (value.constant)
    if (auto elements = fromConstant(*value.constant, type))
      return elements;
  return value.tensor ? fromTensor(*value.tensor, type)
                      : mlir::DenseElementsAttr();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// A tensor in an attribute; small ones only are kept by the reader.
static mlir::Attribute tensorAttribute(const TensorProto &tensor,
                                       EmitContext &context) {
  Value value;
  value.tensor = &tensor;
  value.type.kind = ValueType::Tensor;
  value.type.onnxElem = tensor.data_type();
  value.type.ranked = true;
  for (int64_t dim : tensor.dims())
    value.type.dims.push_back(Expr(dim));
  value.constant = decodeTensor(tensor);
  return valueAttribute(value, context);
}

static mlir::Attribute attributeValue(const AttributeProto &attribute,
                                      EmitContext &context) {
  mlir::Builder &b = context.builder;
  switch (attribute.type()) {
  case AttributeProto::INT:
    return b.getI64IntegerAttr(attribute.i());
  case AttributeProto::FLOAT:
    return b.getF32FloatAttr(attribute.f());
  case AttributeProto::STRING:
    return b.getStringAttr(attribute.s());
  case AttributeProto::INTS:
    return b.getDenseI64ArrayAttr(
        SmallVector<int64_t>(attribute.ints().begin(), attribute.ints().end()));
  case AttributeProto::FLOATS:
    return b.getDenseF32ArrayAttr(SmallVector<float>(attribute.floats().begin(),
                                                     attribute.floats().end()));
  case AttributeProto::STRINGS: {
    SmallVector<mlir::Attribute> strings;
    for (const std::string &text : attribute.strings())
      strings.push_back(b.getStringAttr(text));
    return b.getArrayAttr(strings);
  }
  case AttributeProto::TENSOR:
    return tensorAttribute(attribute.t(), context);
  default:
    return {}; // graphs are regions
  }
}

static mlir::DictionaryAttr attributesOf(const Node &node,
                                         EmitContext &context) {
  mlir::NamedAttrList list;
  auto add = [&](const AttributeProto &attribute) {
    if (mlir::Attribute value = attributeValue(attribute, context))
      list.set(attribute.name(), value);
  };
  if (node.boundAttributes)
    for (const AttributeProto &attribute : *node.boundAttributes)
      add(attribute);
  else
    for (const AttributeProto &attribute : node.proto->attribute())
      add(attribute);
  return list.getDictionary(context.builder.getContext());
}

/// For each operand of the op the node's operand that it is, or -1.
static SmallVector<int64_t>
operandNumbers(const Node &node, mlir::Operation *op, EmitContext &context) {
  SmallVector<int64_t> numbers;
  for (mlir::Value operand : op->getOperands()) {
    int64_t number = -1;
    for (auto [i, input] : enumerate(node.inputs))
      if (number < 0 && input && !is_contained(numbers, int64_t(i)) &&
          input->emitted == operand)
        number = i;
    numbers.push_back(number);
  }
  return numbers;
}

/// For each of the node's operands which of the values that the op's region
/// uses it is, or -1.
static SmallVector<int64_t>
captureNumbers(const Node &node, mlir::Operation *op, EmitContext &context) {
  llvm::SetVector<mlir::Value> used;
  mlir::getUsedValuesDefinedAbove(op->getRegions(), used);
  SmallVector<int64_t> numbers;
  for (Value *input : node.inputs) {
    const auto *at = llvm::find(used, input ? input->emitted : mlir::Value());
    numbers.push_back(at == used.end() ? -1 : at - used.begin());
  }
  return numbers;
}

/// Whether input `i` is an operand whose producer says its elements. That of a
/// graph's input does not, though an option may (--value).
static bool carriesValue(mlir::Operation *op, ArrayRef<int64_t> operands,
                         int64_t i) {
  const auto *at = llvm::find(operands, i);
  if (at == operands.end())
    return false;
  mlir::Operation *producer =
      op->getOperand(at - operands.begin()).getDefiningOp();
  return producer && producer->hasAttr(rl::valueAttrName);
}

mlir::DictionaryAttr nodeAttribute(const Node &node, ArrayRef<Value *> outputs,
                                   mlir::Operation *op, EmitContext &context) {
  mlir::Builder &b = context.builder;
  SmallVector<int64_t> operands = operandNumbers(node, op, context), results;
  for (Value *output : outputs)
    if (output)
      results.push_back(llvm::find(node.outputs, output) -
                        node.outputs.begin());
  mlir::NamedAttrList constants;
  for (auto [i, input] : enumerate(node.inputs))
    if (input && !carriesValue(op, operands, int64_t(i)))
      if (auto elements = valueAttribute(*input, context))
        constants.set(std::to_string(i), elements);
  mlir::NamedAttrList list;
  list.set("attributes", attributesOf(node, context));
  list.set("constants", constants.getDictionary(b.getContext()));
  list.set("operands", b.getDenseI64ArrayAttr(operands));
  if (isa<rl::FusedOp>(op))
    list.set("captures",
             b.getDenseI64ArrayAttr(captureNumbers(node, op, context)));
  list.set("opset", b.getI64IntegerAttr(node.opsetVersion));
  list.set("results", b.getDenseI64ArrayAttr(results));
  return list.getDictionary(b.getContext());
}

} // namespace roofline::onnx_import
