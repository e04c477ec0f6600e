//===- Live.cpp - what the outputs depend on ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Marks the values whose data is read on the device, and the nodes that have a
// row: back from the outputs along the operands that carry data. What only
// states a shape is computed on the host, or was folded.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

namespace {

class Marker {
public:
  void run(Model &model) {
    forEachGraph(*model.graph, [&](Graph &graph) { findGenerated(graph); });
    markAll(model.graph->outputs);
    while (!pending.empty())
      markProducer(*pending.pop_back_val());
  }

private:
  /// A Range makes data where its result is read as such, whether or not its
  /// bounds are numbers: bound dimensions take no rows away. So do the folded
  /// ops that work on it.
  void findGenerated(const Graph &graph) {
    for (const std::unique_ptr<Node> &node : graph.nodes)
      if (node->folded && (isRange(*node) || readsGenerated(*node)))
        generated.insert(node.get());
  }

  static bool isRange(const Node &node) {
    return node.opType() == "Range" && node.domain().empty();
  }

  bool readsGenerated(const Node &node) const {
    if (generated.empty())
      return false;
    uint32_t host = hostOperands(node);
    for (auto [i, input] : enumerate(node.inputs))
      if (!(host >> std::min<size_t>(i, 31) & 1) && input && input->producer &&
          generated.contains(input->producer))
        return true;
    return false;
  }

  void mark(Value *value) {
    if (!value || value->live)
      return;
    value->live = true;
    if (value->producer)
      pending.push_back(value->producer);
  }

  void markAll(ArrayRef<Value *> values) {
    for (Value *value : values)
      mark(value);
  }

  void markProducer(Node &node) {
    // A folded node's results are constants, as a Constant node's are.
    bool isConstant = node.opType() == "Constant" && node.domain().empty();
    if (node.live || isConstant || (node.folded && !generated.contains(&node)))
      return;
    node.live = true;
    uint32_t host = hostOperands(node);
    for (auto [i, input] : enumerate(node.inputs))
      if (!(host >> std::min<size_t>(i, 31) & 1))
        mark(input);
    bool isLoop = node.opType() == "Loop" && node.domain().empty();
    for (const std::unique_ptr<Graph> &subgraph : node.subgraphs)
      // A Loop's body says first whether to go on.
      markAll(ArrayRef(subgraph->outputs)
                  .drop_front(isLoop && !subgraph->outputs.empty()));
  }

  /// Operands that carry no data, as OpRule::hostOperands.
  static uint32_t hostOperands(const Node &node) {
    if (node.domain().empty()) {
      if (node.opType() == "Shape" || node.opType() == "Size")
        return ~0u;
      if (node.opType() == "If")
        return node.taken ? 1 : 0;
      if (node.opType() == "Loop")
        return 0b11; // trip count, condition
    }
    const OpRule *rule = findRule(node.domain(), node.opType());
    return rule ? rule->hostOperands : 0;
  }

  SmallVector<Node *, 64> pending;
  DenseSet<const Node *> generated;
};

} // namespace

void roofline::onnx_import::markLive(Model &model) { Marker().run(model); }
