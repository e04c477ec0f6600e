//===- ResolveNodes.cpp - operands, attributes and subgraphs of nodes -----===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resolver.h"
#include "Rules.h"
#include "Signatures.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

Error Resolver::addNodes(Scope &scope, const Nodes &nodes, unsigned nesting) {
  // Nodes may stand in any order: all names first.
  std::vector<Value *> outputs;
  outputs.reserve(nodes.size());
  for (const onnx::NodeProto &proto : nodes)
    if (Error error = defineOutputs(scope, proto, outputs))
      return error;
  scope.graph->nodes.reserve(scope.graph->nodes.size() + nodes.size());
  ArrayRef<Value *> rest = outputs;
  for (const onnx::NodeProto &proto : nodes) {
    if (Error error = addNode(scope, proto,
                              rest.take_front(proto.output_size()), nesting))
      return error;
    rest = rest.drop_front(proto.output_size());
  }
  return Error::success();
}

Error Resolver::defineOutputs(Scope &scope, const onnx::NodeProto &proto,
                              std::vector<Value *> &outputs) {
  for (const std::string &name : proto.output()) {
    outputs.push_back(nullptr);
    if (name.empty())
      continue;
    Expected<Value *> value = define(scope, name);
    if (!value)
      return value.takeError();
    outputs.back() = *value;
  }
  return Error::success();
}

Error Resolver::addNode(Scope &scope, const onnx::NodeProto &proto,
                        ArrayRef<Value *> outputs, unsigned nesting) {
  if (const onnx::FunctionProto *function = functions.find(proto))
    return expand(scope, proto, *function, nesting);
  Node &node = appendNode(scope, proto);
  // Outputs first, so that an error can name the node by one.
  node.outputs.assign(outputs.begin(), outputs.end());
  for (Value *output : outputs)
    if (output)
      output->producer = &node;
  if (Error error = connect(scope, node))
    return error;
  if (Error error = setVersion(scope, node))
    return error;
  if (Error error = bindAttributes(scope, node))
    return error;
  if (Error error = addSubgraphs(scope, node, nesting))
    return error;
  if (Error error = checkSignature(node))
    return error;
  markConstant(node);
  return Error::success();
}

Node &Resolver::appendNode(Scope &scope, const onnx::NodeProto &proto) {
  auto node = std::make_unique<Node>();
  node->proto = &proto;
  StringRef domain = normalizedDomain(proto.domain());
  node->rule = findRule(domain, proto.op_type());
  node->names = node->rule ? node->rule->names
                           : OpNames{domain, StringRef(proto.op_type())};
  node->name = scoped(scope, proto.name());
  if (scope.call)
    node->scope = scope.call->prefix;
  node->graph = scope.graph;
  node->index = scope.graph->nodes.size();
  if (model.nodeCount)
    node->position = (*model.nodeCount)++;
  scope.graph->nodes.push_back(std::move(node));
  return *scope.graph->nodes.back();
}

Error Resolver::connect(Scope &scope, Node &node) {
  for (const std::string &name : node.proto->input()) {
    std::optional<Value *> value = name.empty() ? nullptr : use(scope, name);
    if (!value)
      return nodeError(node, "input '" + name +
                                 "' is not produced by any node, and is no "
                                 "graph input or initializer");
    node.inputs.push_back(*value);
  }
  return Error::success();
}

Error Resolver::setVersion(const Scope &scope, Node &node) const {
  StringRef domain = node.domain();
  if (scope.call)
    if (auto found = scope.call->opsets.find(domain);
        found != scope.call->opsets.end()) {
      node.opsetVersion = found->second;
      return Error::success();
    }
  if (auto found = opsets.find(domain); found != opsets.end())
    node.opsetVersion = found->second;
  else if (domain.empty())
    return nodeError(node, "the model imports no opset of the standard "
                           "operators, so this op's meaning isn't known");
  return Error::success();
}

/// What an attribute stands for: inside a function it may name one of the
/// function's attributes, whose value the caller gives.
Argument Resolver::argument(const Scope &scope,
                            const onnx::AttributeProto &attribute) const {
  if (attribute.ref_attr_name().empty())
    return {&attribute, &scope};
  if (!scope.call)
    return {};
  return scope.call->arguments.lookup(attribute.ref_attr_name());
}

Error Resolver::bindAttributes(const Scope &scope, Node &node) {
  if (none_of(node.proto->attribute(), [](const onnx::AttributeProto &a) {
        return !a.ref_attr_name().empty();
      }))
    return Error::success();
  auto bound = std::make_shared<std::vector<onnx::AttributeProto>>();
  for (const onnx::AttributeProto &attribute : node.proto->attribute()) {
    const onnx::AttributeProto *source = argument(scope, attribute).attribute;
    // Graphs are in Node::subgraphs; left out by the caller: left out here.
    if (!source || source->has_g() || source->graphs_size() > 0)
      continue;
    copiedBytes += source->ByteSizeLong();
    bound->push_back(*source);
    bound->back().set_name(attribute.name());
  }
  node.boundAttributes = std::move(bound);
  return checkCopies();
}

Error Resolver::addSubgraphs(const Scope &scope, Node &node, unsigned nesting) {
  auto add = [&](const onnx::GraphProto &proto,
                 const Argument &argument) -> Error {
    Expected<std::unique_ptr<Graph>> subgraph = resolveGraph(
        proto, argument.scope, &node, argument.scope->call, nesting + 1);
    if (!subgraph)
      return subgraph.takeError();
    node.subgraphs.push_back(std::move(*subgraph));
    return Error::success();
  };
  SmallVector<Argument, 2> withGraphs;
  for (const onnx::AttributeProto &attribute : node.proto->attribute()) {
    Argument found = argument(scope, attribute);
    if (!found.attribute ||
        !(found.attribute->has_g() || found.attribute->graphs_size() > 0))
      continue;
    // The then branch comes first, in whatever order they are written.
    bool first = StringRef(attribute.name()) == "then_branch";
    withGraphs.insert(first ? withGraphs.begin() : withGraphs.end(), found);
  }
  for (const Argument &found : withGraphs) {
    if (found.attribute->has_g())
      if (Error error = add(found.attribute->g(), found))
        return error;
    for (const onnx::GraphProto &proto : found.attribute->graphs())
      if (Error error = add(proto, found))
        return error;
  }
  if (!node.domain().empty())
    return Error::success();
  size_t needed = StringSwitch<size_t>(node.opType())
                      .Case("If", 2)
                      .Cases({"Loop", "Scan", "SequenceMap"}, 1)
                      .Default(0);
  if (node.subgraphs.size() < needed)
    return nodeError(node, needed == 2 ? "it needs two branches, and has " +
                                             Twine(node.subgraphs.size())
                                       : Twine("it has no body"));
  return Error::success();
}

// --- Constant nodes ----------------------------------------------------------

void Resolver::markConstant(Node &node) {
  if (node.opType() != "Constant" || !node.domain().empty() || !node.output(0))
    return;
  node.output(0)->origin = Value::ConstantNode;
  node.output(0)->tensor = constantTensor(node);
}

/// Scalars and lists in attributes, as a tensor.
static bool fillTensor(const onnx::AttributeProto &attribute,
                       onnx::TensorProto &tensor) {
  StringRef name = attribute.name();
  if (name == "value_float" || name == "value_floats") {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    *tensor.mutable_float_data() = attribute.floats();
    if (name == "value_float")
      tensor.add_float_data(attribute.f());
    else
      tensor.add_dims(attribute.floats_size());
    return true;
  }
  if (name == "value_int" || name == "value_ints") {
    tensor.set_data_type(onnx::TensorProto::INT64);
    *tensor.mutable_int64_data() = attribute.ints();
    if (name == "value_int")
      tensor.add_int64_data(attribute.i());
    else
      tensor.add_dims(attribute.ints_size());
    return true;
  }
  if (name == "value_string" || name == "value_strings") {
    tensor.set_data_type(onnx::TensorProto::STRING);
    if (name == "value_strings")
      tensor.add_dims(attribute.strings_size());
    return true;
  }
  if (name == "sparse_value") {
    tensor.set_data_type(attribute.sparse_tensor().values().data_type());
    *tensor.mutable_dims() = attribute.sparse_tensor().dims();
    return true;
  }
  return false;
}

const onnx::TensorProto *Resolver::constantTensor(const Node &node) {
  if (const onnx::AttributeProto *value = node.attribute("value");
      value && value->has_t())
    return &value->t();
  for (const onnx::AttributeProto &attribute : node.proto->attribute()) {
    // The same attribute gives different values where a function's caller does.
    bool shared = attribute.ref_attr_name().empty();
    const onnx::AttributeProto *value = node.attribute(attribute.name());
    if (!value)
      continue;
    if (const onnx::TensorProto *known = made.lookup(&attribute))
      return known;
    onnx::TensorProto tensor;
    if (!fillTensor(*value, tensor))
      continue;
    model.madeTensors.push_back(std::move(tensor));
    if (shared)
      made[&attribute] = &model.madeTensors.back();
    return &model.madeTensors.back();
  }
  return nullptr;
}
