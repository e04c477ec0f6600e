//===- WorkControl.cpp - control flow and fused kernels -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Details.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

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

namespace {
/// What a fused kernel reads of one value from outside.
struct OutsideRead {
  std::optional<Expr> bytes;
  Role role;
};
using OutsideReads = llvm::MapVector<Value, OutsideRead>;
} // namespace

static const Traffic *find(const Work &work, Traffic::Direction direction,
                           unsigned index) {
  for (const Traffic &traffic : work.traffic)
    if (traffic.direction == direction &&
        traffic.index == static_cast<int>(index))
      return &traffic;
  return nullptr;
}

/// Adds what `inner` reads from outside `region`: as much as it says (a gather
/// the rows it picks), the whole of what it says nothing of. A value read by
/// several is read once, as far as the one that needs most of it.
static void addReads(OutsideReads &reads, Operation &inner, const Work *work,
                     Region &region, const CostContext &context) {
  auto isOutside = [&](Value value) {
    return !region.isAncestor(value.getParentRegion());
  };
  auto add = [&](Value value, const OutsideRead &read) {
    auto [entry, isNew] = reads.insert({value, read});
    if (isNew)
      return;
    std::optional<Expr> &known = entry->second.bytes;
    if (known && read.bytes)
      known = Expr::max(*known, *read.bytes);
    else
      known = std::nullopt;
  };
  llvm::SmallPtrSet<Value, 8> seen; // an operand twice there is read once
  for (OpOperand &operand : inner.getOpOperands()) {
    Value value = operand.get();
    if (!isOutside(value) || !seen.insert(value).second)
      continue;
    const Traffic *traffic =
        work ? find(*work, Traffic::Read, operand.getOperandNumber()) : nullptr;
    add(value, traffic
                   ? OutsideRead{traffic->bytes, traffic->role}
                   : OutsideRead{context.bytes(value), context.role(value)});
  }
  for (Region &nested : inner.getRegions())
    nested.walk([&](Operation *op) {
      for (Value value : op->getOperands())
        if (isOutside(value))
          add(value, {context.bytes(value), context.role(value)});
    });
}

/// Writes the results, each in the role that the op that makes it gives it.
static void writeFused(FusedOp fused, Work &work,
                       const llvm::DenseMap<Operation *, Work> &parts,
                       const CostContext &context) {
  context.writeResults(work, fused);
  Operation *yield = fused.getBody().front().getTerminator();
  for (Traffic &traffic : work.traffic) {
    if (traffic.direction != Traffic::Write || traffic.index < 0 ||
        static_cast<unsigned>(traffic.index) >= yield->getNumOperands())
      continue;
    auto made = dyn_cast<OpResult>(yield->getOperand(traffic.index));
    auto part = made ? parts.find(made.getOwner()) : parts.end();
    if (part == parts.end())
      continue;
    if (const Traffic *inner =
            find(part->second, Traffic::Write, made.getResultNumber());
        inner && inner->role == Role::KVCache)
      traffic.role = inner->role;
  }
}

static Work regionWork(Region &region, const CostContext &context);

/// What an op inside a kernel computes: its own work, a loop's body times its
/// trips, the branch taken, or else the dearest (only numbers compare).
static Work innerWork(Operation &op, const CostContext &context) {
  if (auto costed = dyn_cast<CostOpInterface>(op))
    return costed.getWork(context);
  Work work;
  if (isa<YieldOp, WeightOp>(op))
    return work;
  auto control = dyn_cast<ControlOpInterface>(op);
  work.flopsKnown = false;
  if (!control)
    return work;
  if (control.getControlKind() == ControlKind::Loop) {
    std::optional<Expr> trips = control.getTrips(context);
    if (!trips || op.getNumRegions() != 1)
      return work;
    work = regionWork(op.getRegion(0), context);
    for (Flops &flops : work.flops)
      flops.count *= *trips;
    work.dataDependent |= control.isTripCountUpperBound();
    return work;
  }
  if (std::optional<unsigned> taken = control.getTakenRegion(context))
    return regionWork(op.getRegion(*taken), context);
  std::optional<Int> most;
  Work dearest;
  for (Region &region : op.getRegions()) {
    Work branch = regionWork(region, context);
    std::optional<Expr> total = branch.totalFlops();
    if (!total || !total->isConstant())
      return work; // still unknown
    if (!most || total->constant() > *most) {
      most = total->constant();
      dearest = std::move(branch);
    }
  }
  dearest.dataDependent = true;
  return dearest;
}

/// The operations of a region's ops; their bytes stay inside the kernel.
static Work regionWork(Region &region, const CostContext &context) {
  Work work;
  for (Block &block : region)
    for (Operation &op : block) {
      Work part = innerWork(op, context);
      work.flopsKnown &= part.flopsKnown;
      work.dataDependent |= part.dataDependent;
      for (const Flops &flops : part.flops)
        work.addFlops(flops.cls, flops.type, flops.count);
    }
  return work;
}

Work FusedOp::getWork(const CostContext &context) {
  Work work;
  OutsideReads reads;
  llvm::DenseMap<Operation *, Work> parts;
  Expr savedByMask;
  bool causal = false;
  for (Operation &inner : getBody().front()) {
    Work part = innerWork(inner, context);
    work.flopsKnown &= part.flopsKnown;
    work.dataDependent |= part.dataDependent;
    for (const Flops &flops : part.flops)
      work.addFlops(flops.cls, flops.type, flops.count);
    if (part.flopsCausal && part.flopsKnown) {
      causal = true;
      savedByMask += *part.totalFlops() - *part.flopsCausal;
    }
    addReads(reads, inner, isa<CostOpInterface>(inner) ? &part : nullptr,
             getBody(), context);
    parts[&inner] = std::move(part);
  }
  for (auto &[value, read] : reads)
    work.read(-1, read.bytes, read.role);
  writeFused(*this, work, parts, context);
  if (causal && work.flopsKnown)
    work.flopsCausal = *work.totalFlops() - savedByMask;
  return work;
}

} // namespace roofline::rl
