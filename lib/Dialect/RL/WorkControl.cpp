//===- WorkControl.cpp - control flow and fused kernels -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Details.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace roofline::rl {

ControlKind IfOp::getControlKind() { return ControlKind::Branch; }
std::optional<Expr> IfOp::getTrips(const CostContext &) { return Expr(1); }
std::optional<unsigned> IfOp::getTakenRegion(const CostContext &) {
  if (std::optional<uint64_t> taken = getTaken())
    return static_cast<unsigned>(*taken);
  return std::nullopt;
}

ControlKind LoopOp::getControlKind() { return ControlKind::Loop; }
std::optional<Expr> LoopOp::getTrips(const CostContext &) {
  return getTripsAttr().getSizes().front();
}
std::optional<unsigned> LoopOp::getTakenRegion(const CostContext &) {
  return std::nullopt;
}
bool LoopOp::isTripCountUpperBound() { return getUpperBound(); }

/// The values from outside that a region uses, in order of first use.
static llvm::SetVector<Value> capturedValues(Region &region) {
  llvm::SetVector<Value> captured;
  region.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!region.isAncestor(operand.getParentRegion()))
        captured.insert(operand);
  });
  return captured;
}

Work FusedOp::getWork(const CostContext &context) {
  Work work;
  for (Operation &inner : getBody().front()) {
    auto costed = dyn_cast<CostOpInterface>(inner);
    if (!costed) {
      if (!isa<YieldOp, WeightOp>(inner))
        work.flopsKnown = false;
      continue;
    }
    Work part = costed.getWork(context);
    work.flopsKnown &= part.flopsKnown;
    work.dataDependent |= part.dataDependent;
    for (const Flops &flops : part.flops)
      work.addFlops(flops.cls, flops.type, flops.count);
  }
  for (Value value : capturedValues(getBody()))
    work.read(-1, context.bytes(value), context.role(value));
  context.writeResults(work, *this);
  return work;
}

} // namespace roofline::rl
