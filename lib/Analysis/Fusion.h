//===- Fusion.h - the parts of the fusion analysis --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FusionRoles.cpp says what part an op can play in a kernel, FusionGraph.cpp
// merges ops into groups, FusionTraffic.cpp counts what a group moves and how
// long it takes, FusionReasons.cpp says what keeps a neighbour out.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_ANALYSIS_FUSION_H
#define ROOFLINE_LIB_ANALYSIS_FUSION_H

#include "roofline/Analysis/FusionAnalysis.h"
#include "roofline/Analysis/Names.h"
#include <unordered_map>

namespace roofline::fusion {

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// What part an op can play in one kernel. A group has any number of
/// elementwise ops and at most one of the others, its core.
enum class Part : uint8_t {
  None,        ///< stays a kernel of its own
  Elementwise, ///< each element from the operands' elements at its place
  Reduction,   ///< takes a group's elements in, gives fewer out
  Softmax,     ///< rows in, rows out
  Norm,        ///< rows in, rows out
  Contraction ///< its elements come out one by one, its operands don't go in so
};

/// By the op's name, attributes and work alone: no dialect but rl is linked.
Part classify(const CostRow &row);

/// Whether an op only changes the order of elements.
bool isTranspose(mlir::Operation *op);

/// Whether the operand's elements are met in the order of the result's.
bool readsInOrder(mlir::Operation *op, unsigned operand);

//===----------------------------------------------------------------------===//
// The graph of one block
//===----------------------------------------------------------------------===//

constexpr unsigned noEdge = ~0u;

/// One op of the block; views and constants have no node of their own.
struct Node {
  mlir::Operation *op;
  int row = -1;
  Part part = Part::None;
  /// Whether it may be in a group: it has a part, runs, its sizes are known,
  /// and it isn't bound by compute (a contraction may be).
  bool fusable = false;
  /// Elements that go in and come out, as numbers of distinct counts; 0
  /// unknown.
  unsigned countIn = 0, countOut = 0;
  /// In a group with a reduction: works on what is reduced.
  bool reduced = false;
  unsigned nextMember = noEdge;
  unsigned firstEdge = 0, endEdge = 0; ///< the edges that end here
};

/// `to` uses a value that `from` makes.
struct Edge {
  unsigned from, to;
  unsigned nextOut = noEdge, nextIn = noEdge;
  unsigned count = 0; ///< elements of the value
  bool inOrder = false;
  mlir::Value value; ///< null for an order that no tensor makes
};

/// Why two groups can't be one.
struct Refusal {
  enum Why {
    SecondCore,       ///< each has a core
    IntoOperand,      ///< the edge ends at a contraction
    OtherOrder,       ///< the edge's value is read in another order
    OtherShape,       ///< the edge's value has another number of elements
    AnotherPass,      ///< both what is reduced and the result are needed
    LeavesAndReturns, ///< a path through `node` would make a cycle
    TooFar            ///< the search for such a path gave up
  } why;
  unsigned edge = noEdge;
  unsigned node = 0;
};

/// The ops of one block, in groups: at first each op is one.
class Graph {
public:
  Graph(mlir::Block &block, const CostAnalysis &costs,
        llvm::ArrayRef<Placement> placements);

  /// Merges groups along edges as long as that is legal.
  void grow();

  llvm::ArrayRef<Node> nodes() const { return allNodes; }
  llvm::ArrayRef<Edge> edges() const { return allEdges; }
  /// The group a node is in, named by one of its nodes.
  unsigned group(unsigned node);
  /// The group's core; noEdge where it has none.
  unsigned core(unsigned group) const { return groups[group].core; }
  int nodeOf(mlir::Operation *op) const;

  /// Why the groups of an edge's ends aren't one; nothing if they could be.
  std::optional<Refusal> refusal(const Edge &edge);

private:
  struct Group {
    unsigned parent, core = noEdge, lastMember;
    unsigned firstOut = noEdge, lastOut = noEdge;
    unsigned firstIn = noEdge, lastIn = noEdge;
  };
  enum class Search { Clear, Found, GaveUp };
  struct View {
    mlir::Value base;
    int order = -1; ///< a node that must run before the view can be read
  };

  void addNode(mlir::Operation *op);
  void addView(mlir::Operation *op);
  void addUse(mlir::Value value, unsigned user, bool inOrder);
  void addEdge(unsigned from, unsigned to, bool inOrder, mlir::Value value);
  void link(unsigned edge);
  unsigned intern(const std::optional<Expr> &count);
  std::optional<Refusal> check(unsigned a, unsigned b,
                               std::optional<bool> &reduced);
  std::optional<Refusal> checkEdges(unsigned a, unsigned b,
                                    llvm::ArrayRef<unsigned> direct,
                                    std::optional<bool> &reduced);
  std::optional<Refusal> checkPaths(unsigned a, unsigned b,
                                    llvm::SmallVectorImpl<unsigned> &direct);
  template <bool Forward>
  Search search(unsigned from, unsigned to, unsigned &through,
                llvm::SmallVectorImpl<unsigned> &direct);
  void merge(unsigned a, unsigned b, std::optional<bool> reduced);
  /// Tells whether a refusal may lapse as other groups grow.
  bool growFrom(unsigned node);

  const CostAnalysis &costs;
  llvm::ArrayRef<Placement> placements;
  std::vector<Node> allNodes;
  std::vector<Edge> allEdges;
  std::vector<Group> groups;
  int lastRow = -1; ///< of the node that was added last
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::DenseMap<mlir::Value, View> views;
  struct ExprHash {
    size_t operator()(const Expr &expr) const { return hash_value(expr); }
  };
  std::unordered_map<Expr, unsigned, ExprHash> counts;
  std::vector<unsigned> seen; ///< by group: the last search that met it
  unsigned searches = 0;
};

//===----------------------------------------------------------------------===//
// Figures and reasons
//===----------------------------------------------------------------------===//

/// Fills in what the rows of `group` move and take, one by one and as one.
void measure(FusionGroup &group, const CostAnalysis &costs,
             llvm::ArrayRef<Placement> placements, const Device &device,
             const PlacementOptions &options);

/// What keeps a neighbour out, by neighbour. One phrase each, for reports.
class Reasons {
public:
  Reasons(Graph &graph, const CostAnalysis &costs,
          llvm::ArrayRef<Placement> placements, NameTable &names)
      : graph(graph), costs(costs), placements(placements), names(names) {}

  /// Why the op at the other end of an edge that leaves a group isn't in it.
  std::string explain(const Edge &edge, unsigned neighbour);

private:
  std::string called(unsigned node);
  std::string explainOutsider(unsigned node);
  std::string explainOperand(unsigned contraction);
  std::string explainCores(unsigned theirs, unsigned ours);
  std::string shape(mlir::Value value);

  Graph &graph;
  const CostAnalysis &costs;
  llvm::ArrayRef<Placement> placements;
  NameTable &names;
};

} // namespace roofline::fusion

#endif // ROOFLINE_LIB_ANALYSIS_FUSION_H
