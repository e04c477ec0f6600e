//===- FusionTraffic.cpp - what a fused group moves and takes -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unfused, a group moves what its rows move. Fused, each distinct tensor from
// outside is read once, and a result is written once unless the group's ops are
// its only readers. Every part of the latter sum is a part of the former, so
// the fused figures are never greater.
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace roofline::fusion {

namespace {
class Boundary {
public:
  Boundary(const FusionGroup &group, const CostAnalysis &costs) : costs(costs) {
    for (unsigned row : group.rows)
      members.insert(costs.rows()[row].op);
  }

  /// Of one execution; nothing where a size is unknown.
  std::optional<Expr> bytes(ArrayRef<unsigned> rows) {
    llvm::MapVector<Value, Expr> reads;
    Expr total;
    for (unsigned row : rows) {
      Operation *op = costs.rows()[row].op;
      for (const Traffic &traffic : costs.rows()[row].work.traffic) {
        if (!traffic.bytes)
          return std::nullopt;
        if (traffic.index < 0)
          total += *traffic.bytes;
        else if (traffic.direction == Traffic::Write)
          total += staysInside(op->getResult(traffic.index)) ? Expr(0)
                                                             : *traffic.bytes;
        else
          read(reads, op->getOperand(traffic.index), *traffic.bytes);
      }
    }
    for (auto &[value, bytes] : reads)
      total += bytes;
    return total;
  }

private:
  void read(llvm::MapVector<Value, Expr> &reads, Value operand,
            const Expr &bytes) {
    Value value = costs.viewedValue(operand);
    if (Operation *definition = value.getDefiningOp())
      if (members.contains(definition))
        return;
    auto [it, isNew] = reads.insert({value, bytes});
    if (!isNew && it->second != bytes)
      it->second = Expr::max(it->second, bytes);
  }

  /// Whether a result has readers and all of them are members.
  bool staysInside(Value result) {
    SmallVector<Value> pending{result};
    bool isRead = false;
    while (!pending.empty()) {
      for (Operation *user : pending.pop_back_val().getUsers()) {
        if (CostAnalysis::isView(user)) {
          llvm::append_range(pending, user->getResults());
          continue;
        }
        if (!members.contains(user))
          return false;
        isRead = true;
      }
    }
    return isRead;
  }

  const CostAnalysis &costs;
  llvm::SmallPtrSet<Operation *, 16> members;
};
} // namespace

/// The work of all rows in one kernel that moves `bytes`.
static std::optional<BoundWork> mergedWork(ArrayRef<unsigned> rows,
                                           const CostAnalysis &costs,
                                           const Expr &bytes) {
  BoundWork merged;
  for (unsigned number : rows) {
    std::optional<BoundWork> work = boundWork(costs.rows()[number]);
    if (!work)
      return std::nullopt;
    for (const BoundWork::Term &term : work->flops) {
      auto *it = llvm::find_if(merged.flops, [&](const BoundWork::Term &other) {
        return other.cls == term.cls && other.type == term.type;
      });
      if (it == merged.flops.end())
        merged.flops.push_back(term);
      else
        it->count += term.count;
    }
    merged.launches = std::max(merged.launches, work->launches);
    merged.times = work->times;
  }
  if (!bytes.isConstant())
    return std::nullopt;
  merged.bytes = toDouble(bytes.constant());
  return merged;
}

void measure(FusionGroup &group, const CostAnalysis &costs,
             ArrayRef<Placement> placements, const Device &device,
             const PlacementOptions &options) {
  ArrayRef<unsigned> rows = group.rows;
  const Expr &times = costs.rows()[rows.front()].times;
  Expr before;
  double seconds = 0;
  bool bytesKnown = true, secondsKnown = true;
  for (unsigned row : rows) {
    for (const Traffic &traffic : costs.rows()[row].work.traffic) {
      bytesKnown &= traffic.bytes.has_value();
      if (traffic.bytes)
        before += *traffic.bytes;
    }
    secondsKnown &= placements[row].seconds.has_value();
    seconds += placements[row].seconds.value_or(0);
  }
  std::optional<Expr> after = Boundary(group, costs).bytes(rows);
  if (!bytesKnown || !after)
    return;
  group.bytesBefore = before * times;
  group.bytesAfter = *after * times;
  if (!secondsKnown)
    return;
  std::optional<BoundWork> merged = mergedWork(rows, costs, *after);
  if (!merged)
    return;
  Placement placement = place(*merged, device, options);
  if (!placement.seconds)
    return;
  group.secondsBefore = seconds;
  group.secondsAfter = std::min(*placement.seconds, seconds);
}

} // namespace roofline::fusion
