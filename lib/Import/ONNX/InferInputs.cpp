//===- InferInputs.cpp - types and values of a model's inputs -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the inputs' types from what the file declares with the options applied
// (DimNames.h), and the values of small inputs from `--value`. An integer
// scalar that has no value stands for itself: what depends on it becomes a
// formula in its name.
//
//===----------------------------------------------------------------------===//

#include "DimNames.h"
#include "InferSteps.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace roofline::onnx_import {
namespace {

//===----------------------------------------------------------------------===//
// --value
//===----------------------------------------------------------------------===//

std::optional<Scalar> parseInteger(StringRef text) {
  APInt number;
  bool negative = text.consume_front("-");
  if (text.empty() || text.getAsInteger(10, number))
    return std::nullopt;
  Int value(number.zext(number.getBitWidth() + 1));
  return Scalar(Expr(negative ? -value : value));
}

std::optional<Scalar> parseBool(StringRef text) {
  if (text == "1" || text.equals_insensitive("true"))
    return Scalar(Expr(1));
  if (text == "0" || text.equals_insensitive("false"))
    return Scalar(Expr(0));
  return std::nullopt;
}

std::optional<Scalar> parseFloat(StringRef text) {
  double number;
  if (text.getAsDouble(number))
    return std::nullopt;
  return Scalar(number);
}

std::optional<Scalar> parseScalar(StringRef text, ElementKind kind) {
  switch (kind) {
  case ElementKind::Integer:
    return parseInteger(text);
  case ElementKind::Bool:
    return parseBool(text);
  case ElementKind::Float:
    return parseFloat(text);
  case ElementKind::Complex:
  case ElementKind::Other:
    return std::nullopt;
  }
  return std::nullopt;
}

/// The values must be as many as the input has elements; a list of unknown
/// length takes its length from them.
Error checkCount(Value &input, size_t count, const std::string &option) {
  ValueType &type = input.type;
  if (!type.ranked) {
    type.ranked = true;
    type.dims.clear();
    if (count != 1)
      type.dims.push_back(Expr(int64_t(count)));
    return Error::success();
  }
  if (type.dims.size() == 1 && (!type.dims[0] || !type.dims[0]->isConstant())) {
    type.dims[0] = Expr(int64_t(count));
    return Error::success();
  }
  MaybeDim elements = product(type.dims);
  std::optional<int64_t> number = elements ? elements->asInt64() : std::nullopt;
  if (!number)
    return make_error<UsageError>(
        option + ": the input's shape isn't known; give it with --shape");
  if (*number != int64_t(count))
    return make_error<UsageError>(
        option + ": the input has " + std::to_string(*number) +
        (*number == 1 ? " element" : " elements") + ", the option gives " +
        std::to_string(count) + (count == 1 ? " value" : " values"));
  return Error::success();
}

Error applyValueOption(Value &input, StringRef text) {
  std::string option = ("--value " + input.name + "=" + text).str();
  if (input.type.kind != ValueType::Tensor)
    return make_error<UsageError>(option + ": the input is no tensor");
  ElementKind elementKind = kind(input.type.elem);
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  std::vector<Scalar> elements;
  for (StringRef part : parts) {
    std::optional<Scalar> scalar = parseScalar(part.trim(), elementKind);
    if (!scalar)
      return make_error<UsageError>((Twine(option) + ": '" + part.trim() +
                                     "' is no value of type " +
                                     name(input.type.elem))
                                        .str());
    elements.push_back(std::move(*scalar));
  }
  if (elements.size() > size_t(InferContext::maxFoldedElements))
    return make_error<UsageError>(
        "--value " + std::string(input.name) + ": at most " +
        std::to_string(InferContext::maxFoldedElements) +
        " values can be given");
  if (Error error = checkCount(input, elements.size(), option))
    return error;
  input.constant =
      std::make_shared<const Constant>(Constant{std::move(elements)});
  return Error::success();
}

/// An integer scalar without a value stands for itself. A list without elements
/// has no other value than that.
void standForItself(Value &input, DimNames &names) {
  const ValueType &type = input.type;
  if (input.constant || type.kind != ValueType::Tensor || !type.ranked ||
      kind(type.elem) != ElementKind::Integer || input.name.empty())
    return;
  if (MaybeDim count = product(type.dims); count && count->isZero()) {
    input.constant = std::make_shared<const Constant>();
    return;
  }
  bool isScalar = type.dims.empty() ||
                  (type.dims.size() == 1 && type.dims[0] == MaybeDim(Expr(1)));
  if (isScalar)
    input.constant = std::make_shared<const Constant>(
        Constant{{Scalar(names.named(input.name))}});
}

/// The type the file and the options give an input.
ValueType inputType(const onnx::ValueInfoProto &proto, DimNames &names) {
  ValueType type = declaredType(proto.type());
  if (type.kind != ValueType::Tensor)
    return type;
  std::optional<MaybeDims> dims = names.inputDims(proto);
  type.ranked = dims.has_value();
  type.dims = dims.value_or(MaybeDims());
  return type;
}

} // namespace

Error inferInputs(Graph &graph, InferContext &ctx) {
  DimNames &names = *ctx.model.dimNames;
  StringMap<Value *> inputs;
  for (Value *input : graph.inputs)
    inputs[input->name] = input;
  for (const onnx::ValueInfoProto &proto : ctx.model.proto->graph().input())
    if (Value *input = inputs.lookup(proto.name()))
      input->type = inputType(proto, names);
  // Names were checked when the options were read.
  for (const auto &[name, text] : ctx.options.values)
    if (Value *input = inputs.lookup(name))
      if (Error error = applyValueOption(*input, text))
        return error;
  for (Value *input : graph.inputs)
    standForItself(*input, names);
  return Error::success();
}

} // namespace roofline::onnx_import
