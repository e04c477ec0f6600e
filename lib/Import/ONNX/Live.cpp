//===- Live.cpp - what the outputs depend on ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Marks the values whose data is read on the device, and the nodes that have a
// row: back from the outputs along the operands that carry data. What only
// states a shape is computed on the host and has no row. What is read as data
// runs as written, whether or not its elements are known: an op on constants,
// too, so that binding a dimension never makes an op disappear.
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

namespace {

class Marker {
public:
  /// Marks what `outputs` of a graph need. Nodes stand in an order of
  /// execution: one sweep backwards finds every reader, those in nested graphs
  /// too, before what it reads.
  void run(const Graph &graph, ArrayRef<Value *> outputs) {
    for (Value *output : outputs)
      mark(output);
    for (const std::unique_ptr<Node> &node : reverse(graph.nodes))
      if (!isConstant(*node) && any_of(node->outputs, isLive))
        markNode(*node);
  }

private:
  static bool isLive(const Value *value) { return value && value->live; }

  static bool isConstant(const Node &node) {
    return node.opType() == "Constant" && node.domain().empty();
  }

  static void mark(Value *value) {
    if (value)
      value->live = true;
  }

  void markNode(Node &node) {
    node.live = true;
    uint32_t host = hostOperands(node);
    for (auto [i, input] : enumerate(node.inputs))
      if (!hasOperand(host, i))
        mark(input);
    for (const std::unique_ptr<Graph> &subgraph : node.subgraphs)
      run(*subgraph,
          ArrayRef(subgraph->outputs)
              .drop_front(isLoop(node) && isHostCondition(*subgraph)));
  }

  static bool isLoop(const Node &node) {
    return node.opType() == "Loop" && node.domain().empty();
  }

  /// A Loop's body says first whether to go on. That is work like any other
  /// where data decides it.
  static bool isHostCondition(const Graph &body) {
    return !body.outputs.empty() &&
           (knownCondition(body.outputs[0]).has_value() ||
            (body.inputs.size() > 1 && body.outputs[0] == body.inputs[1]));
  }

  /// Operands that carry no data, as OpRule::hostOperands.
  static uint32_t hostOperands(const Node &node) {
    if (node.domain().empty()) {
      if (node.opType() == "Shape" || node.opType() == "Size")
        return ~0u;
      if (node.opType() == "If")
        return node.taken ? 1 : 0;
      if (isLoop(node)) // the trip count is the host's, a known condition, too
        return knownCondition(node.input(1)) ? 0b11 : 0b01;
    }
    const OpRule *rule = node.rule;
    return rule ? rule->hostOperands : 0;
  }
};

} // namespace

void roofline::onnx_import::markLive(Model &model) {
  Marker().run(*model.graph, model.graph->outputs);
}
