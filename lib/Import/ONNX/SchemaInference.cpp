//===- SchemaInference.cpp - inference by ONNX's own schemas --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemaInference.h"
#include "InferSteps.h"
#include "SchemaTable.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace roofline::onnx_import {
namespace {

//===----------------------------------------------------------------------===//
// Types to and from ONNX's form
//===----------------------------------------------------------------------===//

void toDimProto(const MaybeDim &dim, onnx::TensorShapeProto::Dimension &proto) {
  if (!dim)
    return;
  if (std::optional<int64_t> number = dim->asInt64())
    proto.set_dim_value(*number);
  else
    proto.set_dim_param(dim->str());
}

void toTensorProto(const ValueType &type, onnx::TypeProto::Tensor &proto) {
  proto.set_elem_type(type.onnxElem);
  if (!type.ranked)
    return;
  onnx::TensorShapeProto *shape = proto.mutable_shape();
  for (const MaybeDim &dim : type.dims)
    toDimProto(dim, *shape->add_dim());
}

using Formulas = StringMap<Expr>;

MaybeDim fromDimProto(const onnx::TensorShapeProto::Dimension &proto,
                      const Formulas &formulas) {
  if (proto.has_dim_value())
    return proto.dim_value() >= 0 ? MaybeDim(proto.dim_value()) : std::nullopt;
  if (!proto.has_dim_param())
    return std::nullopt;
  auto it = formulas.find(proto.dim_param());
  return it != formulas.end() ? MaybeDim(it->second) : std::nullopt;
}

ValueType fromTypeProto(const onnx::TypeProto &proto,
                        const Formulas &formulas) {
  ValueType type = declaredType(proto);
  const onnx::TypeProto *element = &proto;
  while (!element->has_tensor_type()) {
    if (element->has_sequence_type())
      element = &element->sequence_type().elem_type();
    else if (element->has_optional_type())
      element = &element->optional_type().elem_type();
    else
      return type;
  }
  if (type.ranked)
    for (auto [dim, dimProto] :
         zip(type.dims, element->tensor_type().shape().dim()))
      dim = fromDimProto(dimProto, formulas);
  return type;
}

//===----------------------------------------------------------------------===//
// Constants in ONNX's form
//===----------------------------------------------------------------------===//

/// Appends one element; false where it can't be stored in that type.
bool addElement(const Scalar &scalar, onnx::TensorProto &tensor) {
  using onnx::TensorProto;
  if (const double *number = std::get_if<double>(&scalar)) {
    if (tensor.data_type() == TensorProto::FLOAT)
      tensor.add_float_data(float(*number));
    else if (tensor.data_type() == TensorProto::DOUBLE)
      tensor.add_double_data(*number);
    else
      return false;
    return true;
  }
  const Expr *expr = asExpr(scalar);
  std::optional<int64_t> number = expr ? expr->asInt64() : std::nullopt;
  if (!number)
    return false;
  switch (tensor.data_type()) {
  case TensorProto::INT64:
    tensor.add_int64_data(*number);
    return true;
  case TensorProto::UINT32:
  case TensorProto::UINT64:
    tensor.add_uint64_data(uint64_t(*number));
    return true;
  case TensorProto::INT32:
  case TensorProto::INT16:
  case TensorProto::INT8:
  case TensorProto::UINT16:
  case TensorProto::UINT8:
  case TensorProto::BOOL:
    tensor.add_int32_data(int32_t(*number));
    return true;
  default:
    return false;
  }
}

/// A wholly known constant; nothing where an element isn't a number.
std::optional<onnx::TensorProto> toTensor(const Value &value) {
  if (!value.constant || value.type.kind != ValueType::Tensor ||
      !value.type.ranked)
    return std::nullopt;
  onnx::TensorProto tensor;
  tensor.set_data_type(value.type.onnxElem);
  for (const MaybeDim &dim : value.type.dims) {
    std::optional<int64_t> number = dim ? dim->asInt64() : std::nullopt;
    if (!number)
      return std::nullopt;
    tensor.add_dims(*number);
  }
  for (const Scalar &element : value.constant->elements)
    if (!addElement(element, tensor))
      return std::nullopt;
  return tensor;
}

/// A list of integers of which some are formulas or unknown.
std::optional<onnx::TensorShapeProto> toSymbolicShape(const Value &value) {
  if (!value.constant || value.type.kind != ValueType::Tensor ||
      value.type.dims.size() != 1)
    return std::nullopt;
  onnx::TensorShapeProto shape;
  for (const Scalar &element : value.constant->elements) {
    if (std::holds_alternative<double>(element))
      return std::nullopt;
    const Expr *expr = asExpr(element);
    toDimProto(expr ? MaybeDim(*expr) : std::nullopt, *shape.add_dim());
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// The context an inference function sees
//===----------------------------------------------------------------------===//

class SchemaContext final : public onnx::InferenceContext {
public:
  explicit SchemaContext(const Node &node)
      : node(node), inputs(node.inputs.size()), outputs(node.outputs.size()) {
    for (auto [input, value] : zip(inputs, node.inputs))
      if (value)
        toTypeProto(value->type, input.type);
  }

  const onnx::AttributeProto *
  getAttribute(const std::string &name) const override {
    return node.attribute(name);
  }
  size_t getNumInputs() const override { return inputs.size(); }
  bool hasInput(size_t index) const override {
    return index < inputs.size() && node.inputs[index];
  }
  /// Null for an operand that was left out only: many inference functions
  /// look at a required one's type without asking whether it is there.
  const onnx::TypeProto *getInputType(size_t index) const override {
    const Input &input = at(index);
    return node.inputs[index] ? &input.type : nullptr;
  }
  const onnx::TensorProto *getInputData(size_t index) const override {
    Input &input = at(index);
    if (!input.askedForData) {
      input.askedForData = true;
      if (node.inputs[index])
        input.data = toTensor(*node.inputs[index]);
    }
    return input.data ? &*input.data : nullptr;
  }
  const onnx::SparseTensorProto *getInputSparseData(size_t) const override {
    return nullptr;
  }
  const onnx::TensorShapeProto *getSymbolicInput(size_t index) const override {
    Input &input = at(index);
    if (!input.symbolic && node.inputs[index])
      input.symbolic = toSymbolicShape(*node.inputs[index]);
    return input.symbolic ? &*input.symbolic : nullptr;
  }
  size_t getNumOutputs() const override { return outputs.size(); }
  bool hasOutput(size_t index) override {
    return index < outputs.size() && node.outputs[index];
  }
  onnx::TypeProto *getOutputType(size_t index) override {
    if (index >= outputs.size())
      throw std::out_of_range("output " + std::to_string(index) +
                              " isn't there");
    return &outputs[index];
  }
  onnx::GraphInferencer *
  getGraphAttributeInferencer(const std::string &name) override {
    throw onnx::InferenceError("attribute '" + name + "' holds a graph");
  }

  /// The formulas that the inputs' dims and elements spell.
  Formulas formulas() const {
    Formulas result;
    auto add = [&](const Expr &expr) {
      if (!expr.isConstant())
        result.try_emplace(expr.str(), expr);
    };
    for (const Value *value : node.inputs) {
      if (!value)
        continue;
      for (const MaybeDim &dim : value->type.dims)
        if (dim)
          add(*dim);
      if (value->constant)
        for (const Scalar &element : value->constant->elements)
          if (const Expr *expr = asExpr(element))
            add(*expr);
    }
    return result;
  }

  const onnx::TypeProto &output(size_t index) const { return outputs[index]; }

private:
  struct Input {
    onnx::TypeProto type;
    std::optional<onnx::TensorProto> data;
    std::optional<onnx::TensorShapeProto> symbolic;
    bool askedForData = false;
  };
  Input &at(size_t index) const {
    if (index >= inputs.size())
      throw std::out_of_range("input " + std::to_string(index) +
                              " isn't there");
    return inputs[index];
  }

  const Node &node;
  mutable std::vector<Input> inputs; // data is made when it is asked for
  std::vector<onnx::TypeProto> outputs;
};

/// Whether the inputs leave no doubt, so that a complaint is a contradiction in
/// the model and not in our knowledge of it.
bool inputsAreNumbers(const Node &node) {
  return all_of(node.inputs, [](const Value *value) {
    return !value ||
           (value->type.kind == ValueType::Tensor && value->type.ranked &&
            all_of(value->type.dims, [](const MaybeDim &dim) {
              return dim && dim->isConstant();
            }));
  });
}

/// Whether enough is known of the inputs that a complaint is worth repeating.
bool inputsAreTyped(const Node &node) {
  return all_of(node.inputs, [](const Value *value) {
    return !value || (value->type.kind != ValueType::Unknown &&
                      value->type.onnxElem && value->type.ranked);
  });
}

/// ONNX's text without its tags and context lines.
std::string cleanMessage(StringRef text, bool &isShapeError) {
  isShapeError = text.consume_front("[ShapeInferenceError] ");
  text.consume_front("[TypeInferenceError] ");
  return text.split("\n").first.rtrim(". ").str();
}

/// An output's element type, where the inference function didn't say, by the
/// schema's type constraints: that of an input under the same constraint.
int elementTypeBySchema(const onnx::OpSchema &schema, const Node &node,
                        size_t output) {
  if (schema.outputs().empty() || schema.inputs().empty())
    return 0;
  const auto &formal =
      schema.outputs()[std::min(output, schema.outputs().size() - 1)];
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Value *value = node.inputs[i];
    const auto &input =
        schema.inputs()[std::min(i, schema.inputs().size() - 1)];
    if (value && value->type.kind == ValueType::Tensor &&
        input.GetTypeStr() == formal.GetTypeStr() && input.GetIsHomogeneous())
      return value->type.onnxElem;
  }
  return 0;
}

void readOutputs(const onnx::OpSchema &schema, Node &node,
                 const SchemaContext &context) {
  Formulas formulas = context.formulas();
  for (auto [i, value] : enumerate(node.outputs)) {
    if (!value)
      continue;
    value->type = fromTypeProto(context.output(i), formulas);
    if (value->type.kind == ValueType::Unknown || value->type.onnxElem)
      continue;
    value->type.onnxElem = elementTypeBySchema(schema, node, i);
    value->type.elem = elementTypeOf(value->type.onnxElem);
  }
}

/// The name of a required operand that was left out, which ONNX's functions
/// don't expect; empty where there is none.
std::string missingOperand(const onnx::OpSchema &schema, const Node &node) {
  using Schema = onnx::OpSchema;
  size_t formals = schema.inputs().size();
  for (auto [i, formal] : enumerate(schema.inputs()))
    if (formal.GetOption() == Schema::Single && !node.input(unsigned(i)))
      return formal.GetName();
  if (formals && schema.inputs().back().GetOption() == Schema::Variadic)
    for (size_t i = formals - 1; i < node.inputs.size(); ++i)
      if (!node.inputs[i])
        return schema.inputs().back().GetName();
  if (node.inputs.empty() && schema.min_input() > 0)
    return schema.inputs().front().GetName();
  return "";
}

Error checkOperands(const onnx::OpSchema &schema, const Node &node) {
  std::string name = missingOperand(schema, node);
  return name.empty() ? Error::success()
                      : nodeError(node, "its required operand '" + name +
                                            "' is missing");
}

Error inferWith(const onnx::OpSchema &schema, Node &node, InferContext &ctx) {
  if (Error error = checkOperands(schema, node))
    return error;
  std::string complaint;
  bool isShapeError = false;
  try {
    SchemaContext context(node);
    schema.GetTypeAndShapeInferenceFunction()(context);
    readOutputs(schema, node, context);
    return Error::success();
  } catch (const onnx::InferenceError &e) {
    complaint = cleanMessage(e.what(), isShapeError);
  } catch (const std::exception &e) {
    complaint = cleanMessage(e.what(), isShapeError);
    isShapeError = false;
  }
  if (isShapeError && inputsAreNumbers(node))
    return nodeError(node, complaint);
  if (inputsAreTyped(node))
    ctx.warn(node, "its output shapes are unknown: " + complaint);
  return Error::success();
}

} // namespace

bool toTypeProto(const ValueType &type, onnx::TypeProto &proto) {
  switch (type.kind) {
  case ValueType::Tensor:
    toTensorProto(type, *proto.mutable_tensor_type());
    return true;
  case ValueType::Sequence:
    toTensorProto(type, *proto.mutable_sequence_type()
                             ->mutable_elem_type()
                             ->mutable_tensor_type());
    return true;
  case ValueType::Optional:
    toTensorProto(type, *proto.mutable_optional_type()
                             ->mutable_elem_type()
                             ->mutable_tensor_type());
    return true;
  case ValueType::Unknown:
    return false;
  }
  return false;
}

Error inferBySchema(Node &node, InferContext &ctx) {
  const onnx::OpSchema *schema =
      findSchema(node.domain(), node.opType(), node.opsetVersion);
  return schema ? inferWith(*schema, node, ctx) : Error::success();
}

Error checkOperands(const Node &node) {
  const onnx::OpSchema *schema =
      findSchema(node.domain(), node.opType(), node.opsetVersion);
  return schema ? checkOperands(*schema, node) : Error::success();
}

} // namespace roofline::onnx_import
