//===- Node.cpp - what a node says of itself ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimNames.h"
#include "Graph.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

Model::Model() = default;
Model::~Model() = default;

/// The standard domain has two spellings.
StringRef roofline::onnx_import::normalizedDomain(StringRef domain) {
  return domain == "ai.onnx" ? StringRef() : domain;
}

template <typename Attributes>
static const onnx::AttributeProto *find(const Attributes &attributes,
                                        StringRef name) {
  for (const onnx::AttributeProto &attribute : attributes)
    if (name == StringRef(attribute.name()))
      return &attribute;
  return nullptr;
}

const onnx::AttributeProto *Node::attribute(StringRef name) const {
  return boundAttributes ? find(*boundAttributes, name)
                         : find(proto->attribute(), name);
}

int64_t Node::attributeInt(StringRef name, int64_t otherwise) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? found->i() : otherwise;
}

float Node::attributeFloat(StringRef name, float otherwise) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? found->f() : otherwise;
}

StringRef Node::attributeString(StringRef name, StringRef otherwise) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? StringRef(found->s()) : otherwise;
}

std::optional<SmallVector<int64_t, 4>>
Node::attributeInts(StringRef name) const {
  const onnx::AttributeProto *found = attribute(name);
  if (!found)
    return std::nullopt;
  return SmallVector<int64_t, 4>(found->ints().begin(), found->ints().end());
}

void roofline::onnx_import::forEachGraph(Graph &graph,
                                         function_ref<void(Graph &)> visit) {
  visit(graph);
  for (std::unique_ptr<Node> &node : graph.nodes)
    for (std::unique_ptr<Graph> &subgraph : node->subgraphs)
      forEachGraph(*subgraph, visit);
}

static std::string describe(const Node &node) {
  std::string opType = " (" + node.proto->op_type() + ")";
  if (!node.name.empty())
    return "node '" + node.name.str() + "'" + opType;
  // Names are optional; a value's name finds the node as well.
  for (const Value *output : node.outputs)
    if (output)
      return "the node of '" + output->name.str() + "'" + opType;
  return "a node without a name" + opType;
}

Error roofline::onnx_import::nodeError(const Node &node, const Twine &message) {
  return createStringError(describe(node) + ": " + message);
}
