//===- Order.cpp - an order of execution ----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order.h"
#include <queue>

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

namespace {

/// Kahn's algorithm; among the nodes that are ready, the first one goes first.
class Sorter {
public:
  Sorter(Graph &graph, ArrayRef<Capture> captures)
      : graph(graph), captures(captures) {}

  Error run() {
    if (isSorted())
      return Error::success();
    collectEdges();
    std::vector<unsigned> order = sort();
    if (order.size() < graph.nodes.size())
      return cycleError(order);
    std::vector<std::unique_ptr<Node>> sorted;
    sorted.reserve(order.size());
    for (unsigned index : order) {
      sorted.push_back(std::move(graph.nodes[index]));
      sorted.back()->index = sorted.size() - 1;
    }
    graph.nodes = std::move(sorted);
    return Error::success();
  }

private:
  /// Calls `visit(producer, user, value)` for each dependency in the graph.
  template <typename Visit> void forEachEdge(Visit visit) const {
    for (const std::unique_ptr<Node> &node : graph.nodes)
      for (const Value *input : node->inputs)
        if (input && input->producer && input->graph == &graph)
          visit(input->producer->index, node->index, input);
    for (const Capture &capture : captures)
      if (capture.value->producer)
        visit(capture.value->producer->index, capture.user->index,
              capture.value);
  }

  bool isSorted() const {
    bool sorted = true;
    forEachEdge([&](unsigned producer, unsigned user, const Value *) {
      sorted &= producer < user;
    });
    return sorted;
  }

  void collectEdges() {
    // Users of each producer, packed one after the other.
    size_t count = graph.nodes.size();
    begin.assign(count + 1, 0);
    waiting.assign(count, 0);
    forEachEdge([&](unsigned producer, unsigned user, const Value *) {
      ++begin[producer + 1];
      ++waiting[user];
    });
    for (size_t i = 0; i < count; ++i)
      begin[i + 1] += begin[i];
    users.resize(begin[count]);
    std::vector<size_t> next = begin;
    forEachEdge([&](unsigned producer, unsigned user, const Value *) {
      users[next[producer]++] = user;
    });
  }

  std::vector<unsigned> sort() {
    std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
    for (unsigned i = 0; i < waiting.size(); ++i)
      if (waiting[i] == 0)
        ready.push(i);
    std::vector<unsigned> order;
    order.reserve(waiting.size());
    while (!ready.empty()) {
      unsigned node = ready.top();
      ready.pop();
      order.push_back(node);
      for (size_t i = begin[node]; i < begin[node + 1]; ++i)
        if (--waiting[users[i]] == 0)
          ready.push(users[i]);
    }
    return order;
  }

  /// Every node that is left waits for one that is left: going back along them
  /// ends in the cycle.
  Error cycleError(ArrayRef<unsigned> order) const {
    std::vector<bool> done(graph.nodes.size(), false);
    for (unsigned index : order)
      done[index] = true;
    std::vector<const Value *> waitsFor(graph.nodes.size(), nullptr);
    forEachEdge([&](unsigned producer, unsigned user, const Value *value) {
      if (!done[producer])
        waitsFor[user] = value;
    });
    unsigned at = 0;
    while (done[at])
      ++at;
    std::vector<bool> seen(graph.nodes.size(), false);
    while (!seen[at]) {
      seen[at] = true;
      at = waitsFor[at]->producer->index;
    }
    return createStringError(
        "the graph has a cycle: value '" + waitsFor[at]->name +
        "' depends on itself, so no order of execution exists");
  }

  Graph &graph;
  ArrayRef<Capture> captures;
  std::vector<size_t> begin;
  std::vector<unsigned> users;
  std::vector<unsigned> waiting; ///< dependencies that aren't done
};

} // namespace

Error roofline::onnx_import::sortNodes(Graph &graph,
                                       ArrayRef<Capture> captures) {
  return Sorter(graph, captures).run();
}
