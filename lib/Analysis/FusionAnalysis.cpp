//===- FusionAnalysis.cpp - groups that could be one kernel ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/FusionAnalysis.h"
#include "Fusion.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace roofline {

using namespace fusion;

static const char *kindOf(Graph &graph, unsigned group) {
  unsigned core = graph.core(group);
  if (core == noEdge)
    return "elementwise";
  switch (graph.nodes()[core].part) {
  case Part::Reduction:
    return "reduction";
  case Part::Softmax:
    return "softmax";
  case Part::Norm:
    return "norm";
  case Part::Contraction:
    return "epilogue";
  case Part::None:
  case Part::Elementwise:
    break;
  }
  return "elementwise";
}

namespace {
/// The groups of one block that save something.
class BlockGroups {
public:
  BlockGroups(Block &block, const CostAnalysis &costs,
              ArrayRef<Placement> placements, NameTable &names)
      : graph(block, costs, placements), costs(costs),
        reasons(graph, costs, placements, names) {
    graph.grow();
    for (unsigned node = 0; node < graph.nodes().size(); ++node)
      if (graph.nodes()[node].fusable)
        members[graph.group(node)].push_back(node);
    findNeighbours();
  }

  void append(std::vector<FusionGroup> &groups, ArrayRef<Placement> placements,
              const Device &device, const PlacementOptions &options) {
    for (auto &[root, nodes] : members) {
      if (nodes.size() < 2)
        continue;
      FusionGroup group;
      group.kind = kindOf(graph, root);
      for (unsigned node : nodes)
        group.rows.push_back(graph.nodes()[node].row);
      measure(group, costs, placements, device, options);
      if (!savesBytes(group))
        continue;
      if (auto it = neighbours.find(root); it != neighbours.end())
        group.blockedBy =
            reasons.explain(graph.edges()[it->second.edge], it->second.node);
      groups.push_back(std::move(group));
    }
  }

private:
  /// The neighbour that shares the greatest tensor with a group.
  struct Neighbour {
    unsigned edge, node;
    Expr bytes;
  };

  static bool savesBytes(const FusionGroup &group) {
    if (!group.bytesBefore || !group.bytesAfter)
      return true;
    Expr saved = *group.bytesBefore - *group.bytesAfter;
    return !saved.isConstant() || saved.constant() > 0;
  }

  void findNeighbours() {
    for (unsigned e = 0; e < graph.edges().size(); ++e) {
      const Edge &edge = graph.edges()[e];
      if (!edge.value || !isa<ShapedType>(edge.value.getType()))
        continue;
      unsigned from = graph.group(edge.from), to = graph.group(edge.to);
      if (from == to)
        continue;
      std::optional<Expr> bytes;
      for (auto [root, neighbour] :
           {std::pair(from, edge.to), std::pair(to, edge.from)}) {
        auto it = members.find(root);
        if (it == members.end() || it->second.size() < 2 || !works(neighbour))
          continue;
        // What feeds a group's own contraction is expected to stay outside.
        if (root == to && graph.nodes()[edge.to].part == Part::Contraction)
          continue;
        if (!bytes)
          bytes = costs.bytes(edge.value);
        if (bytes)
          offer(root, {e, neighbour, *bytes});
      }
    }
  }

  /// Constants in disguise and returns are no neighbours.
  bool works(unsigned node) const {
    int row = graph.nodes()[node].row;
    return row >= 0 && (!costs.rows()[row].work.isZero() ||
                        isa<ControlOpInterface>(graph.nodes()[node].op));
  }

  void offer(unsigned root, const Neighbour &neighbour) {
    auto [it, isNew] = neighbours.insert({root, neighbour});
    if (isNew)
      return;
    Expr more = neighbour.bytes - it->second.bytes;
    if (more.isConstant() && more.constant() > 0)
      it->second = neighbour;
  }

  Graph graph;
  const CostAnalysis &costs;
  Reasons reasons;
  llvm::MapVector<unsigned, std::vector<unsigned>> members;
  llvm::DenseMap<unsigned, Neighbour> neighbours;
};
} // namespace

std::vector<FusionGroup> markFusion(const CostAnalysis &costs,
                                    ArrayRef<Placement> placements,
                                    const Device &device,
                                    const PlacementOptions &options) {
  NameTable names(costs);
  std::vector<FusionGroup> groups;
  llvm::SmallPtrSet<Block *, 8> visited;
  for (const CostRow &row : costs.rows())
    if (visited.insert(row.op->getBlock()).second && !row.times.isZero())
      BlockGroups(*row.op->getBlock(), costs, placements, names)
          .append(groups, placements, device, options);
  llvm::sort(groups, [](const FusionGroup &a, const FusionGroup &b) {
    return a.rows.front() < b.rows.front();
  });
  return groups;
}

} // namespace roofline
