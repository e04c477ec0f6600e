//===- EmitContext.cpp - what an emission rule may do ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitContext.h"

using namespace llvm;

namespace roofline::onnx_import {

EmitContext::EmitContext(Model &model, bool executable,
                         mlir::MLIRContext *context)
    : model(model), executable(executable), builder(context),
      file(mlir::FileLineColLoc::get(
          context, model.name.empty() ? StringRef("-") : StringRef(model.name),
          0, 0)) {
  opTypeName = string(rl::opTypeAttrName);
  domainName = string(rl::domainAttrName);
  scopeName = string(rl::scopeAttrName);
  dataDependentName = string(rl::dataDependentAttrName);

  using onnx::TensorProto;
  elementTypes.resize(TensorProto::DataType_MAX + 1,
                      rl::UnknownType::get(context));
  auto integerType = [&](unsigned bits, bool isUnsigned = false) {
    return mlir::IntegerType::get(context, bits,
                                  isUnsigned ? mlir::IntegerType::Unsigned
                                             : mlir::IntegerType::Signless);
  };
  auto set = [&](int onnxElem, mlir::Type type) {
    elementTypes[onnxElem] = type;
  };
  set(TensorProto::FLOAT, builder.getF32Type());
  set(TensorProto::DOUBLE, builder.getF64Type());
  set(TensorProto::FLOAT16, builder.getF16Type());
  set(TensorProto::BFLOAT16, builder.getBF16Type());
  set(TensorProto::FLOAT8E4M3FN, mlir::Float8E4M3FNType::get(context));
  set(TensorProto::FLOAT8E4M3FNUZ, mlir::Float8E4M3FNUZType::get(context));
  set(TensorProto::FLOAT8E5M2, mlir::Float8E5M2Type::get(context));
  set(TensorProto::FLOAT8E5M2FNUZ, mlir::Float8E5M2FNUZType::get(context));
  set(TensorProto::FLOAT8E8M0, mlir::Float8E8M0FNUType::get(context));
  set(TensorProto::FLOAT4E2M1, mlir::Float4E2M1FNType::get(context));
  set(TensorProto::BOOL, integerType(1));
  set(TensorProto::INT2, integerType(2));
  set(TensorProto::INT4, integerType(4));
  set(TensorProto::INT8, integerType(8));
  set(TensorProto::INT16, integerType(16));
  set(TensorProto::INT32, integerType(32));
  set(TensorProto::INT64, integerType(64));
  set(TensorProto::UINT2, integerType(2, true));
  set(TensorProto::UINT4, integerType(4, true));
  set(TensorProto::UINT8, integerType(8, true));
  set(TensorProto::UINT16, integerType(16, true));
  set(TensorProto::UINT32, integerType(32, true));
  set(TensorProto::UINT64, integerType(64, true));
  set(TensorProto::COMPLEX64, mlir::ComplexType::get(builder.getF32Type()));
  set(TensorProto::COMPLEX128, mlir::ComplexType::get(builder.getF64Type()));
  set(TensorProto::STRING, rl::StringType::get(context));
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

mlir::Type EmitContext::elementType(int onnxElem) const {
  bool known = onnxElem >= 0 && size_t(onnxElem) < elementTypes.size();
  return elementTypes[known ? onnxElem : 0];
}

rl::DimsAttr EmitContext::dims(ArrayRef<MaybeDim> dims) {
  return rl::DimsAttr::get(builder.getContext(), dims);
}

rl::BodyAttr EmitContext::body(int64_t vector, int64_t special) {
  return rl::BodyAttr::get(builder.getContext(), vector, special);
}

rl::BodyAttr EmitContext::optionalBody(int64_t vector, int64_t special) {
  return vector || special ? body(vector, special) : rl::BodyAttr();
}

mlir::Type EmitContext::tensorType(mlir::Type element,
                                   ArrayRef<MaybeDim> sizes) {
  SmallVector<int64_t, 4> shape;
  bool allNumbers = true;
  for (const MaybeDim &size : sizes) {
    std::optional<int64_t> number = size ? size->asInt64() : std::nullopt;
    bool isNumber = number && *number >= 0;
    shape.push_back(isNumber ? *number : mlir::ShapedType::kDynamic);
    allNumbers &= isNumber;
  }
  mlir::Attribute encoding;
  if (!allNumbers)
    encoding = dims(sizes);
  return mlir::RankedTensorType::get(shape, element, encoding);
}

/// What `Kind` says, around the type of the tensors.
mlir::Type EmitContext::type(const Value &value) {
  const ValueType &type = value.type;
  mlir::Type element = elementType(type.onnxElem);
  mlir::Type tensor = type.ranked
                          ? mlir::Type(tensorType(element, type.dims))
                          : mlir::Type(mlir::UnrankedTensorType::get(element));
  switch (type.kind) {
  case ValueType::Sequence:
    return rl::SequenceType::get(builder.getContext(), tensor);
  case ValueType::Optional:
    return rl::OptionalType::get(builder.getContext(), tensor);
  case ValueType::Tensor:
  case ValueType::Unknown:
    break;
  }
  return tensor;
}

SmallVector<mlir::Type> EmitContext::outputTypes(const Node &node) {
  SmallVector<mlir::Type> types;
  for (const Value *output : node.outputs)
    if (output)
      types.push_back(type(*output));
  return types;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Nodes without a name go by their first output's.
static StringRef displayName(const Node &node) {
  if (!node.name.empty())
    return node.name;
  for (const Value *output : node.outputs)
    if (output)
      return output->name;
  return node.opType();
}

mlir::Location EmitContext::loc(const Node &node) {
  if (lastLocated.first != &node)
    lastLocated = {&node, loc(node, node.outputs)};
  return lastLocated.second;
}

mlir::Location EmitContext::loc(const Node &node, ArrayRef<Value *> outputs) {
  SmallVector<StringRef, 2> results;
  for (const Value *output : outputs)
    if (output)
      results.push_back(output->name);
  return rl::NodeLoc::get(builder.getContext(), displayName(node), results,
                          node.position, file);
}

mlir::Value EmitContext::value(Value *value) {
  return value->emitted ? value->emitted : materialize(value);
}

/// A single number that is known says what a kernel does: x to the power of 2
/// is a product.
static bool isKnownNumber(const Value &value) {
  return value.constant && value.constant->elements.size() == 1;
}

mlir::Value EmitContext::materialize(Value *value) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  if (lastWeight)
    builder.setInsertionPointAfter(lastWeight);
  else
    builder.setInsertionPointToStart(entry);
  // What is neither stored nor folded comes of a shape computation on the
  // host: it is there for its readers, as a constant is.
  bool stored = value->origin == Value::Initializer ||
                value->origin == Value::ConstantNode || value->constant;
  if (stored)
    lastWeight = rl::WeightOp::create(builder, file, type(*value), value->name);
  else
    lastWeight = rl::FillOp::create(
        builder,
        rl::NodeLoc::get(builder.getContext(), value->name, value->name,
                         /*position=*/std::nullopt, file),
        type(*value));
  if (executable || isKnownNumber(*value))
    if (mlir::DenseElementsAttr elements = valueAttribute(*value, *this))
      lastWeight->setDiscardableAttr(rl::valueAttrName, elements);
  return value->emitted = lastWeight->getResult(0);
}

SmallVector<mlir::Value> EmitContext::present(ArrayRef<Value *> list) {
  SmallVector<mlir::Value> result;
  for (Value *one : list)
    if (one)
      result.push_back(value(one));
  return result;
}

SmallVector<mlir::Value> EmitContext::dataInputs(const Node &node) {
  const OpRule *rule = node.rule;
  uint32_t host = rule ? rule->hostOperands : 0;
  SmallVector<mlir::Value> result;
  for (auto [i, input] : llvm::enumerate(node.inputs))
    if (input && !hasOperand(host, i))
      result.push_back(value(input));
  return result;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void EmitContext::bind(const Node &node, mlir::Operation *op) {
  op->setLoc(loc(node));
  bindResults(node, node.outputs, op);
}

void EmitContext::bind(const Node &node, ArrayRef<Value *> outputs,
                       mlir::Operation *op) {
  op->setLoc(loc(node, outputs));
  bindResults(node, outputs, op);
}

void EmitContext::bindResults(const Node &node, ArrayRef<Value *> outputs,
                              mlir::Operation *op) {
  unsigned bound = 0;
  bool dataDependent = false;
  for (Value *output : outputs) {
    if (!output)
      continue;
    if (bound < op->getNumResults())
      output->emitted = op->getResult(bound++);
    dataDependent |= output->dataDependent;
  }
  // In alphabetical order, so that nothing needs sorting.
  SmallVector<mlir::NamedAttribute, 5> attributes;
  auto add = [&](mlir::StringAttr name, mlir::Attribute attribute) {
    attributes.push_back(mlir::NamedAttribute(name, attribute));
  };
  if (dataDependent)
    add(dataDependentName, builder.getUnitAttr());
  if (!node.domain().empty())
    add(domainName, string(node.domain()));
  if (executable)
    add(string(rl::onnxAttrName), nodeAttribute(node, outputs, op, *this));
  // Op types are few and asked for often.
  mlir::StringAttr &opType = opTypes[node.opType()];
  if (!opType)
    opType = string(node.opType());
  add(opTypeName, opType);
  if (!node.scope.empty())
    add(scopeName, string(node.scope));
  if (executable && mlir::isa<rl::FillOp>(op) && outputs.front())
    if (mlir::DenseElementsAttr elements =
            valueAttribute(*outputs.front(), *this))
      add(string(rl::valueAttrName), elements);
  op->setDiscardableAttrs(
      mlir::DictionaryAttr::getWithSorted(builder.getContext(), attributes));
}

void EmitContext::fused(const Node &node,
                        function_ref<SmallVector<mlir::Value>()> build) {
  auto op = rl::FusedOp::create(builder, loc(node), outputTypes(node));
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&op.getBody());
  SmallVector<mlir::Value> results = build();
  rl::YieldOp::create(builder, loc(node), results);
  bind(node, op);
}

} // namespace roofline::onnx_import
