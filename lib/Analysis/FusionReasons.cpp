//===- FusionReasons.cpp - what keeps an op out of a group ----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "roofline/Interfaces/CostOpInterface.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace roofline::fusion {

/// "MatMul 'mm_3'".
std::string Reasons::called(unsigned node) {
  Operation *op = graph.nodes()[node].op;
  return (NameTable::opType(op) + " '" + names.op(op) + "'").str();
}

std::string Reasons::shape(Value value) {
  std::optional<Dims> dims = costs.dims(value);
  if (!dims)
    return "?";
  if (dims->empty())
    return "a scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      *dims, [&](const Expr &dim) { os << dim; }, [&] { os << 'x'; });
  return text;
}

/// Why an op is in no group at all.
std::string Reasons::explainOutsider(unsigned node) {
  const Node &outsider = graph.nodes()[node];
  if (isa<ControlOpInterface>(outsider.op))
    return called(node) + " is control flow";
  if (isTranspose(outsider.op))
    return called(node) + " changes the layout";
  if (outsider.row >= 0 && costs.rows()[outsider.row].opaque)
    return called(node) + " has no cost model";
  if (outsider.part == Part::None)
    return called(node) + " isn't elementwise";
  if (outsider.row >= 0 && placements[outsider.row].bound == Bound::Compute)
    return called(node) + " is compute-bound";
  return "the sizes of " + called(node) + " aren't known";
}

/// Why what feeds a contraction isn't computed in its kernel.
std::string Reasons::explainOperand(unsigned contraction) {
  bool isBound =
      placements[graph.nodes()[contraction].row].bound == Bound::Compute;
  return called(contraction) +
         (isBound ? " is compute-bound" : " reads its operands tile by tile");
}

std::string Reasons::explainCores(unsigned theirs, unsigned ours) {
  bool isTiled = graph.nodes()[theirs].part == Part::Contraction;
  if (!isTiled && graph.nodes()[ours].part != Part::Contraction)
    return "a second reduction " + called(theirs) + " would need another pass";
  if (isTiled && graph.nodes()[ours].part == Part::Contraction)
    return called(theirs) + " is a second contraction";
  if (isTiled)
    std::swap(theirs, ours);
  return called(theirs) + " needs whole rows, " + called(ours) + " makes tiles";
}

std::string Reasons::explain(const Edge &edge, unsigned neighbour) {
  const Node &outsider = graph.nodes()[neighbour];
  if (!outsider.fusable)
    return explainOutsider(neighbour);
  if (graph.nodes()[edge.to].part == Part::Contraction)
    return explainOperand(edge.to);
  std::optional<Refusal> refusal = graph.refusal(edge);
  if (!refusal)
    return "";
  // An edge of another pair of ops may be what keeps the groups apart.
  const Edge &blocking =
      refusal->edge == noEdge ? edge : graph.edges()[refusal->edge];
  switch (refusal->why) {
  case Refusal::SecondCore:
    return explainCores(
        graph.core(graph.group(neighbour)),
        graph.core(graph.group(neighbour == edge.to ? edge.from : edge.to)));
  case Refusal::IntoOperand:
    return explainOperand(blocking.to);
  case Refusal::OtherOrder:
    return called(blocking.to) + " reads '" + names.value(blocking.value) +
           "' in another order";
  case Refusal::OtherShape:
    return "the shapes differ: " + shape(blocking.value) + " and " +
           shape(graph.nodes()[blocking.to].op->getResult(0));
  case Refusal::AnotherPass:
    return called(blocking.to) +
           " needs the result of a reduction and what is reduced";
  case Refusal::LeavesAndReturns:
    return "'" + names.value(edge.value) +
           "' has another reader: " + called(refusal->node) + " outside";
  case Refusal::TooFar:
    return "what reads '" + names.value(edge.value) +
           "' outside is too much to follow";
  }
  return "";
}

} // namespace roofline::fusion
