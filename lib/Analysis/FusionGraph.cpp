//===- FusionGraph.cpp - merging ops into convex groups -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops are visited in order; each tries to join the groups of its producers,
// the latest first. Groups are sets of a union-find; with the edges between
// them they form a graph that must stay free of cycles, which is what makes
// each group convex and all of them executable together. Merging A and B makes
// a cycle exactly where a path leads from one to the other through a third
// group. That is searched for from A forward; a search that meets more than
// `searchLimit` edges is given up and tried from B backward, and where that is
// given up too, the groups stay apart. So the time is at most linear in the
// edges, times that limit; in chains and the like, each search is one step.
// Edges that have come to lie inside a group are unlinked when next met.
//
// A merge that was refused for such a path can become legal when what stood
// between joins later, so it is tried once more at the end.
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace roofline::fusion {

static constexpr unsigned searchLimit = 128;

//===----------------------------------------------------------------------===//
// Nodes and edges
//===----------------------------------------------------------------------===//

Graph::Graph(Block &block, const CostAnalysis &costs,
             ArrayRef<Placement> placements)
    : costs(costs), placements(placements) {
  for (Operation &op : block) {
    if (Operation *next = op.getNextNode())
      LLVM_PREFETCH(next, /*rw=*/0, /*locality=*/3);
    if (CostAnalysis::isView(&op))
      addView(&op);
    else if (op.getNumOperands() || op.getNumRegions())
      addNode(&op);
  }
  seen.resize(groups.size());
}

int Graph::nodeOf(Operation *op) const {
  auto it = numbers.find(op);
  return it == numbers.end() ? -1 : int(it->second);
}

unsigned Graph::intern(const std::optional<Expr> &count) {
  if (!count)
    return 0;
  return counts.insert({*count, counts.size() + 1}).first->second;
}

static bool bytesKnown(const Work &work) {
  return llvm::all_of(work.traffic,
                      [](const Traffic &traffic) { return !!traffic.bytes; });
}

void Graph::addNode(Operation *op) {
  unsigned number = allNodes.size();
  numbers[op] = number;
  groups.push_back({number, noEdge, number});
  Node &node = allNodes.emplace_back();
  node.op = op;
  node.row = costs.rowOf(op, lastRow);
  if (node.row >= 0) {
    lastRow = node.row;
    const CostRow &row = costs.rows()[node.row];
    node.part = classify(row);
    if (node.part != Part::None) {
      node.countOut = intern(costs.numElements(op->getResult(0)));
      node.countIn = node.part == Part::Reduction
                         ? intern(costs.numElements(op->getOperand(0)))
                         : node.countOut;
      Bound bound = placements[node.row].bound;
      // An unbound size leaves the bound unknown, but elementwise ops and
      // their like are below the ridge of any device.
      node.fusable =
          !row.times.isZero() && bytesKnown(row.work) && node.countIn &&
          node.countOut && bound != Bound::None &&
          (bound != Bound::Compute || node.part == Part::Contraction);
    }
    if (node.part > Part::Elementwise)
      groups[number].core = number;
  }
  node.reduced = node.part == Part::Reduction;
  node.firstEdge = allEdges.size();
  for (OpOperand &operand : op->getOpOperands())
    addUse(operand.get(), number,
           node.part != Part::None &&
               readsInOrder(op, operand.getOperandNumber()));
  // What regions use from outside must be there before the op.
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isProperAncestor(operand.getParentBlock()->getParentOp()) &&
            operand.getParentBlock()->getParentOp() != op)
          addUse(operand, number, false);
    });
  node.endEdge = allEdges.size();
}

/// A view's readers read what it views. Its other operands (a shape) only have
/// to be there first; then the view is a node that stands for that order.
void Graph::addView(Operation *op) {
  View view{op->getOperand(0)};
  if (auto it = views.find(view.base); it != views.end())
    view = it->second;
  bool hasOrder = view.order >= 0;
  for (Value operand : op->getOperands().drop_front())
    if (Operation *definition = operand.getDefiningOp())
      hasOrder |= numbers.contains(definition) || views.contains(operand);
  if (hasOrder) {
    unsigned number = allNodes.size();
    numbers[op] = number;
    groups.push_back({number, noEdge, number});
    allNodes.emplace_back().op = op;
    allNodes.back().firstEdge = allEdges.size();
    if (view.order >= 0)
      addEdge(view.order, number, false, {});
    for (Value operand : op->getOperands().drop_front())
      addUse(operand, number, false);
    allNodes.back().endEdge = allEdges.size();
    view.order = number;
  }
  for (Value result : op->getResults())
    views[result] = view;
}

void Graph::addUse(Value value, unsigned user, bool inOrder) {
  if (auto it = views.find(value); it != views.end()) {
    if (it->second.order >= 0)
      addEdge(it->second.order, user, false, {});
    value = it->second.base;
  }
  Operation *definition = value.getDefiningOp();
  if (!definition)
    return;
  auto it = numbers.find(definition);
  if (it != numbers.end() && it->second != user)
    addEdge(it->second, user, inOrder, value);
}

void Graph::addEdge(unsigned from, unsigned to, bool inOrder, Value value) {
  Edge &edge = allEdges.emplace_back();
  edge.from = from;
  edge.to = to;
  edge.inOrder = inOrder;
  edge.value = value;
  const Node &maker = allNodes[from];
  if (value && maker.fusable)
    edge.count = value == maker.op->getResult(0)
                     ? maker.countOut
                     : intern(costs.numElements(value));
}

/// Puts an edge into the lists of its ends. Done as nodes are visited, so that
/// no search runs into what comes later.
void Graph::link(unsigned number) {
  Edge &edge = allEdges[number];
  auto append = [&](unsigned &first, unsigned &last, unsigned Edge::*next) {
    if (first == noEdge)
      first = number;
    else
      allEdges[last].*next = number;
    last = number;
  };
  Group &from = groups[group(edge.from)], &to = groups[group(edge.to)];
  append(from.firstOut, from.lastOut, &Edge::nextOut);
  append(to.firstIn, to.lastIn, &Edge::nextIn);
}

unsigned Graph::group(unsigned node) {
  while (groups[node].parent != node) {
    groups[node].parent = groups[groups[node].parent].parent;
    node = groups[node].parent;
  }
  return node;
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

/// Looks for a path from one group to the other (backward: the other way round)
/// through a third. `direct` collects the edges from one to the other; it has
/// them all unless the search is given up. `through` is the first node outside
/// on the path that is found.
template <bool Forward>
Graph::Search Graph::search(unsigned from, unsigned to, unsigned &through,
                            SmallVectorImpl<unsigned> &direct) {
  struct Item {
    unsigned group, through;
  };
  SmallVector<Item> pending{{from, noEdge}};
  direct.clear();
  ++searches;
  seen[from] = searches;
  unsigned steps = 0;
  while (!pending.empty()) {
    Item item = pending.pop_back_val();
    Group &g = groups[item.group];
    unsigned *link = Forward ? &g.firstOut : &g.firstIn;
    unsigned previous = noEdge;
    while (*link != noEdge) {
      unsigned number = *link;
      Edge &edge = allEdges[number];
      unsigned node = Forward ? edge.to : edge.from;
      unsigned next = group(node);
      if (next == item.group) { // has come to lie inside: unlink
        *link = Forward ? edge.nextOut : edge.nextIn;
        if (*link == noEdge)
          (Forward ? g.lastOut : g.lastIn) = previous;
        continue;
      }
      if (++steps > searchLimit)
        return Search::GaveUp;
      if (next == to) {
        if (item.group != from) {
          through = item.through;
          return Search::Found;
        }
        direct.push_back(number);
      } else if (seen[next] != searches) {
        seen[next] = searches;
        pending.push_back({next, item.group == from ? node : item.through});
      }
      previous = number;
      link = Forward ? &edge.nextOut : &edge.nextIn;
    }
  }
  return Search::Clear;
}

std::optional<Refusal> Graph::checkPaths(unsigned a, unsigned b,
                                         SmallVectorImpl<unsigned> &direct) {
  unsigned through = 0;
  Search result = search<true>(a, b, through, direct);
  if (result == Search::GaveUp) {
    result = search<false>(b, a, through, direct);
    if (result == Search::Found)
      return Refusal{Refusal::LeavesAndReturns, noEdge, through};
  }
  if (result == Search::Found)
    return Refusal{Refusal::LeavesAndReturns, noEdge, through};
  if (result == Search::GaveUp)
    return Refusal{Refusal::TooFar};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// Whether the values on the edges from `a` to `b` can stay in the kernel.
/// `reduced` says on which side of a reduction the group without it is.
std::optional<Refusal> Graph::checkEdges(unsigned a, unsigned b,
                                         ArrayRef<unsigned> direct,
                                         std::optional<bool> &reduced) {
  auto hasReduction = [&](unsigned g) {
    return core(g) != noEdge && allNodes[core(g)].part == Part::Reduction;
  };
  for (unsigned number : direct) {
    const Edge &edge = allEdges[number];
    const Node &from = allNodes[edge.from], &to = allNodes[edge.to];
    if (to.part == Part::Contraction)
      return Refusal{Refusal::IntoOperand, number};
    if (!edge.inOrder)
      return Refusal{Refusal::OtherOrder, number};
    std::optional<bool> side;
    if (hasReduction(a))
      side = from.reduced;
    else if (hasReduction(b))
      side = to.part == Part::Reduction ? false : to.reduced;
    if (side && reduced && *side != *reduced)
      return Refusal{Refusal::AnotherPass, number};
    if (edge.count != to.countIn || edge.count != from.countOut)
      return Refusal{Refusal::OtherShape, number};
    if (side)
      reduced = side;
  }
  return std::nullopt;
}

/// Whether groups `a` and `b` can be one; on success nothing, and on which side
/// of its reduction the other group is.
std::optional<Refusal> Graph::check(unsigned a, unsigned b,
                                    std::optional<bool> &reduced) {
  if (core(a) != noEdge && core(b) != noEdge)
    return Refusal{Refusal::SecondCore};
  SmallVector<unsigned> forward, backward;
  if (auto refusal = checkPaths(a, b, forward))
    return refusal;
  if (auto refusal = checkPaths(b, a, backward))
    return refusal;
  if (auto refusal = checkEdges(a, b, forward, reduced))
    return refusal;
  return checkEdges(b, a, backward, reduced);
}

std::optional<Refusal> Graph::refusal(const Edge &edge) {
  std::optional<bool> reduced;
  std::optional<Refusal> refusal =
      check(group(edge.from), group(edge.to), reduced);
  return refusal;
}

void Graph::merge(unsigned a, unsigned b, std::optional<bool> reduced) {
  if (reduced && *reduced) {
    unsigned outside = core(a) == noEdge ? a : b;
    for (unsigned n = outside; n != noEdge; n = allNodes[n].nextMember)
      allNodes[n].reduced = true;
  }
  // The lists of b are put behind those of a. Members start at the root.
  Group &into = groups[a], &from = groups[b];
  allNodes[into.lastMember].nextMember = b;
  into.lastMember = from.lastMember;
  auto splice = [&](unsigned &first, unsigned &last, unsigned first2,
                    unsigned last2, unsigned Edge::*next) {
    if (first2 == noEdge)
      return;
    if (first == noEdge)
      first = first2;
    else
      allEdges[last].*next = first2;
    last = last2;
  };
  splice(into.firstOut, into.lastOut, from.firstOut, from.lastOut,
         &Edge::nextOut);
  splice(into.firstIn, into.lastIn, from.firstIn, from.lastIn, &Edge::nextIn);
  from.parent = a;
  if (from.core != noEdge)
    into.core = from.core;
}

bool Graph::growFrom(unsigned node) {
  if (!allNodes[node].fusable)
    return false;
  SmallVector<unsigned> producers;
  for (unsigned e = allNodes[node].firstEdge; e < allNodes[node].endEdge; ++e) {
    // An edge that can't lie inside a group is refused without a search.
    const Edge &edge = allEdges[e];
    const Node &from = allNodes[edge.from], &to = allNodes[node];
    if (from.fusable && to.part != Part::Contraction && edge.inOrder &&
        edge.count == to.countIn && edge.count == from.countOut)
      producers.push_back(edge.from);
  }
  llvm::sort(producers, std::greater<unsigned>());
  bool mayRetry = false;
  for (unsigned producer : producers) {
    unsigned a = group(producer), b = group(node);
    if (a == b)
      continue;
    std::optional<bool> reduced;
    std::optional<Refusal> refusal = check(a, b, reduced);
    if (!refusal)
      merge(a, b, reduced);
    else
      mayRetry |= refusal->why == Refusal::LeavesAndReturns ||
                  refusal->why == Refusal::TooFar;
  }
  return mayRetry;
}

void Graph::grow() {
  std::vector<unsigned> retries;
  for (unsigned node = 0; node < allNodes.size(); ++node) {
    for (unsigned e = allNodes[node].firstEdge; e < allNodes[node].endEdge; ++e)
      link(e);
    if (growFrom(node))
      retries.push_back(node);
  }
  for (unsigned node : retries)
    growFrom(node);
}

} // namespace roofline::fusion
