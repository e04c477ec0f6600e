//===- Infer.cpp - types, constants, branches and trip counts -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Visits the nodes of a graph once, in their order of execution. Sizes and
// small integer tensors are exact formulas throughout, so shape arithmetic
// folds as it is met.
//
// Upper bounds: a rule that takes a size at its upper bound, since data decides
// it, marks its outputs. From there the mark spreads to every output of every
// node that reads a marked value, except for one that has a single element of
// unknown value (a loss, a count): its size can't depend on the data. That
// marks too much rather than too little.
//
//===----------------------------------------------------------------------===//

#include "ConstantData.h"
#include "InferSteps.h"
#include "SchemaInference.h"

using namespace llvm;

namespace roofline::onnx_import {
namespace {

//===----------------------------------------------------------------------===//
// Stored tensors
//===----------------------------------------------------------------------===//

void inferStored(Value &value, InferContext &ctx) {
  const onnx::TensorProto &tensor = *value.tensor;
  ValueType &type = value.type;
  type.kind = ValueType::Tensor;
  type.onnxElem = tensor.data_type();
  type.elem = elementTypeOf(type.onnxElem);
  type.ranked = true;
  type.dims.clear();
  for (int64_t dim : tensor.dims())
    type.dims.push_back(dim >= 0 ? MaybeDim(dim) : std::nullopt);
  value.constant = decodeTensor(tensor);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// A body is visited again with less known of its inputs.
void forgetOutputs(Node &node) {
  for (Value *output : node.outputs) {
    if (!output)
      continue;
    output->type = ValueType();
    output->constant = nullptr;
    output->dataDependent = false;
  }
  node.taken.reset();
  node.trips.reset();
  node.tripsUpperBound = false;
}

Error inferTypes(Node &node, const OpRule *rule, InferContext &ctx) {
  if (rule && rule->infer)
    return rule->infer(node, ctx);
  if (!node.subgraphs.empty())
    return inferControlFlow(node, ctx);
  if (inferSequence(node, ctx))
    return Error::success();
  return inferBySchema(node, ctx);
}

/// Whether a value has few enough elements to be folded. Shapes and positions
/// are integers; floats matter as scales and bounds only.
bool isSmall(const Value &value) {
  if (value.type.kind != ValueType::Tensor || !value.type.ranked)
    return false;
  int64_t limit = kind(value.type.elem) == ElementKind::Float
                      ? InferContext::maxFoldedFloats
                      : InferContext::maxFoldedElements;
  int64_t count = 1;
  for (const MaybeDim &dim : value.type.dims) {
    std::optional<int64_t> size = dim ? dim->asInt64() : std::nullopt;
    if (!size || *size < 0 || *size > limit)
      return false;
    count *= *size;
    if (count > limit)
      return false;
  }
  return true;
}

bool areSmall(ArrayRef<Value *> values) {
  return all_of(values,
                [](const Value *value) { return !value || isSmall(*value); });
}

/// Drops constants of which no element is known. One without elements is known.
void dropUnknownConstants(Node &node) {
  for (Value *output : node.outputs) {
    if (!output || !output->constant)
      continue;
    const std::vector<Scalar> &elements = output->constant->elements;
    if (!elements.empty() && none_of(elements, isKnown))
      output->constant = nullptr;
  }
}

bool isSingle(const Value &value) {
  return value.type.kind == ValueType::Tensor && value.type.ranked &&
         all_of(value.type.dims,
                [](const MaybeDim &dim) { return dim == MaybeDim(Expr(1)); });
}

void spreadUpperBounds(Node &node) {
  bool reads = any_of(node.inputs, [](const Value *value) {
    return value && value->dataDependent;
  });
  if (!reads)
    return;
  for (Value *output : node.outputs)
    if (output && (output->constant || !isSingle(*output)))
      output->dataDependent = true;
}

/// A Constant node, whose output was inferred with the stored tensors.
bool isStored(const Node &node) {
  const Value *output = node.output(0);
  return output && output->tensor && output->origin == Value::ConstantNode;
}

/// A size below nothing follows from a bad operand: it isn't known.
void forgetNegativeSizes(Value &value) {
  for (MaybeDim &dim : value.type.dims)
    if (dim && dim->isConstant() && dim->constant() < 0)
      dim.reset();
}

/// Whether an operand is missing that some version of the op requires.
bool mayLackOperand(const Node &node, const OpRule *rule) {
  unsigned required = rule ? rule->requiredOperands : 1;
  if (required == OpRule::all)
    return node.inputs.empty() || is_contained(node.inputs, nullptr);
  for (unsigned i = 0; i < required; ++i)
    if (!node.input(i))
      return true;
  return false;
}

Error inferNode(Node &node, InferContext &ctx) {
  ++ctx.visits;
  if (isStored(node))
    return Error::success();
  forgetOutputs(node);
  const OpRule *rule = node.rule;
  if (mayLackOperand(node, rule))
    if (Error error = checkOperands(node))
      return error;
  if (Error error = inferTypes(node, rule, ctx))
    return error;
  for (Value *output : node.outputs) {
    if (!output)
      continue;
    forgetNegativeSizes(*output);
    applyDeclared(*output, ctx);
  }
  // Whatever folds has a first operand; a rule needn't ask.
  if (rule && rule->fold && node.input(0) && areSmall(node.outputs))
    rule->fold(node, ctx);
  dropUnknownConstants(node);
  spreadUpperBounds(node);
  return Error::success();
}

uint64_t countNodes(const Graph &graph) {
  uint64_t count = graph.nodes.size();
  for (const auto &node : graph.nodes)
    for (const auto &subgraph : node->subgraphs)
      count += countNodes(*subgraph);
  return count;
}

} // namespace

Error inferGraph(Graph &graph, InferContext &ctx) {
  for (Value &value : graph.values)
    if (value.tensor && value.type.kind == ValueType::Unknown)
      inferStored(value, ctx);
  for (const auto &node : graph.nodes)
    if (Error error = inferNode(*node, ctx))
      return error;
  return Error::success();
}

Error infer(Model &model, const ImportOptions &options) {
  InferContext ctx(model, options);
  ctx.visitLimit = 10000 + 8 * countNodes(*model.graph);
  if (Error error = inferInputs(*model.graph, ctx))
    return error;
  if (Error error = inferGraph(*model.graph, ctx))
    return error;
  warnOfDisagreements(ctx);
  return Error::success();
}

} // namespace roofline::onnx_import
