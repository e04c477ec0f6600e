//===- VectorPlan.cpp - which loop of a nest is taken by vectors ----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorPlan.h"
#include "Emit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace roofline::host {
namespace {

/// Lanes of the widest element that is loaded or computed.
int64_t lanesOf(Nest &nest, unsigned vectorBits) {
  unsigned widest = 8;
  auto look = [&](Type type) {
    if (type.isIntOrFloat())
      widest = std::max(widest, type.getIntOrFloatBitWidth());
  };
  for (const Access &access : nest.accesses)
    look(access.element());
  for (Operation &op : nest.body())
    for (Type type : op.getResultTypes())
      look(type);
  return std::max<int64_t>(1, vectorBits / widest);
}

/// Loads of a vector that one costs whose elements are `stride` apart.
double loadCost(int64_t stride, int64_t lanes) {
  switch (stride) {
  case 0:
    return 0.25; // one element for all lanes, often the same as before
  case 1:
    return 1;
  case 2:
    return 3; // two side by side, and their even lanes
  default:
    return double(lanes);
  }
}

/// The loop over results along which an operand's elements lie side by side
/// that lie apart along loop `l`; nothing where they are gathered.
std::optional<unsigned> turnedLoop(const Nest &nest, unsigned l,
                                   int64_t lanes) {
  // A square of vectors is straight code.
  constexpr int64_t mostLanes = 16;
  if (nest.loops[l].isReduction || lanes < 2 || lanes > mostLanes)
    return std::nullopt;
  for (const Loop &loop : nest.loops) // a reduction runs inside of results
    if (loop.isReduction)
      return std::nullopt;
  for (unsigned i = 0; i < nest.numInputs(); ++i) {
    const Access &access = nest.accesses[i];
    if (access.strides[l] <= 2)
      continue;
    for (auto [other, loop] : llvm::enumerate(nest.loops))
      if (other != l && access.strides[other] == 1 && loop.size >= lanes / 2)
        return unsigned(other);
  }
  return std::nullopt;
}

/// Results lie side by side; those that nothing else reads meanwhile may lie
/// apart. Of a reduction they are one.
bool canStore(const Nest &nest, const Access &result, unsigned l) {
  int64_t stride = result.strides[l];
  if (nest.loops[l].isReduction)
    return stride == 0;
  bool reduces = llvm::any_of(
      nest.loops, [](const Loop &loop) { return loop.isReduction; });
  return stride == 1 || (stride > 1 && !reduces);
}

/// What a step along the loop costs, in loads of a vector; nothing where it
/// can't be taken by vectors.
std::optional<double> stepCost(const Nest &nest, unsigned l, int64_t lanes) {
  double cost = 0;
  std::optional<unsigned> turned = turnedLoop(nest, l, lanes);
  for (auto [i, access] : llvm::enumerate(nest.accesses)) {
    int64_t stride = access.strides[l];
    if (i >= nest.numInputs() && !canStore(nest, access, l))
      return std::nullopt;
    // A vector of a square is loaded and shuffled a few times.
    bool isTurned = turned && stride > 2 && access.strides[*turned] == 1;
    cost += isTurned ? 1 + double(llvm::Log2_64_Ceil(lanes))
                     : loadCost(stride, lanes);
  }
  // The lanes of a reduced vector are combined in the end, half by half.
  if (nest.loops[l].isReduction)
    cost += 2 * double(llvm::Log2_64_Ceil(lanes)) /
            double(llvm::divideCeil(nest.loops[l].size, lanes));
  // A vector that is only partly filled costs as much as a full one.
  double filled = double(nest.loops[l].size) /
                  double(llvm::alignTo(nest.loops[l].size, lanes));
  return cost / filled;
}

/// The kind of `y = y ∘ f(x)`, for reductions that can be done in any order.
std::optional<vector::CombiningKind> combinerOf(Nest &nest) {
  if (nest.numOutputs() != 1)
    return std::nullopt;
  Block &body = nest.body();
  Value accumulator = body.getArguments().back();
  Operation *combine = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!combine || combine->getBlock() != &body ||
      combine->getNumOperands() != 2 || !accumulator.hasOneUse() ||
      *accumulator.getUsers().begin() != combine)
    return std::nullopt;
  using vector::CombiningKind;
  return llvm::TypeSwitch<Operation *, std::optional<CombiningKind>>(combine)
      .Case<arith::AddFOp, arith::AddIOp>(
          [](auto) { return CombiningKind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>(
          [](auto) { return CombiningKind::MUL; })
      .Case<arith::MaximumFOp>([](auto) { return CombiningKind::MAXIMUMF; })
      .Case<arith::MinimumFOp>([](auto) { return CombiningKind::MINIMUMF; })
      .Case<arith::MaxNumFOp>([](auto) { return CombiningKind::MAXNUMF; })
      .Case<arith::MinNumFOp>([](auto) { return CombiningKind::MINNUMF; })
      .Case<arith::MaxSIOp>([](auto) { return CombiningKind::MAXSI; })
      .Case<arith::MinSIOp>([](auto) { return CombiningKind::MINSI; })
      .Case<arith::MaxUIOp>([](auto) { return CombiningKind::MAXUI; })
      .Case<arith::MinUIOp>([](auto) { return CombiningKind::MINUI; })
      .Case<arith::AndIOp>([](auto) { return CombiningKind::AND; })
      .Case<arith::OrIOp>([](auto) { return CombiningKind::OR; })
      .Default(std::nullopt);
}

/// Short rows are read one after the other, as memory fetches ahead along them:
/// several at once then end too soon (rows of 1 KiB in memory 10 GB/s instead
/// of 30, of 8 KiB the same, of 16 KiB 29 instead of 24).
constexpr int64_t leastRowBytes = 12 << 10;

std::optional<unsigned> findRowLoop(const Nest &nest, unsigned vectorLoop) {
  const Loop &along = nest.loops[vectorLoop];
  int64_t bits = nest.accesses.front().element().getIntOrFloatBitWidth();
  if (!along.isReduction || along.size * bits / 8 < leastRowBytes)
    return std::nullopt;
  const Access &result = nest.output(0);
  std::optional<unsigned> innermost;
  for (auto [l, loop] : llvm::enumerate(nest.loops))
    if (!loop.isReduction && loop.size > 1 &&
        (!innermost || result.strides[l] <= result.strides[*innermost]))
      innermost = unsigned(l);
  if (!innermost)
    return std::nullopt;
  bool isShared = false, isOwn = false;
  for (unsigned i = 0; i < nest.numInputs(); ++i) {
    const Access &access = nest.accesses[i];
    if (access.strides[vectorLoop] != 0)
      (access.strides[*innermost] == 0 ? isShared : isOwn) = true;
  }
  return isShared && isOwn ? innermost : std::nullopt;
}

} // namespace

VectorPlan choose(Nest &nest, unsigned vectorBits) {
  VectorPlan plan;
  if (!isVectorizable(nest))
    return plan;
  int64_t lanes = lanesOf(nest, vectorBits);
  std::optional<vector::CombiningKind> combiner = combinerOf(nest);
  double best = double(lanes) * double(nest.accesses.size());
  for (auto [l, loop] : llvm::enumerate(nest.loops)) {
    if (loop.isReduction && !combiner)
      continue;
    std::optional<double> cost = stepCost(nest, l, lanes);
    if (!cost || *cost >= best)
      continue;
    best = *cost;
    plan.vectorLoop = l;
    plan.lanes = lanes;
    plan.combiner = loop.isReduction ? combiner : std::nullopt;
  }
  if (plan.vectorLoop) {
    plan.rowLoop = findRowLoop(nest, *plan.vectorLoop);
    plan.turnedLoop = turnedLoop(nest, *plan.vectorLoop, plan.lanes);
  }
  return plan;
}

void orderLoops(Nest &nest, VectorPlan &plan) {
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, nest.loops.size()));
  const Access &result = nest.output(0), &operand = nest.accesses.front();
  auto key = [&](unsigned l) {
    bool isVector = plan.vectorLoop == l, isTurned = plan.turnedLoop == l;
    const Access &by = nest.loops[l].isReduction ? operand : result;
    return std::tuple(nest.loops[l].isReduction, isVector, isTurned,
                      -by.strides[l], l);
  };
  llvm::sort(order, [&](unsigned x, unsigned y) { return key(x) < key(y); });
  nest.permute(order);
  for (std::optional<unsigned> *loop :
       {&plan.vectorLoop, &plan.rowLoop, &plan.turnedLoop})
    if (*loop)
      *loop = unsigned(llvm::find(order, **loop) - order.begin());
}

/// A load, a store or an operation on a vector a cycle.
double cyclesOf(Nest &nest, unsigned vectorBits) {
  double steps = 1;
  for (const Loop &loop : nest.loops)
    steps *= double(loop.size);
  VectorPlan plan = choose(nest, vectorBits);
  auto accesses = double(nest.accesses.size());
  if (plan.vectorLoop)
    accesses = *stepCost(nest, *plan.vectorLoop, plan.lanes);
  auto operations = double(llvm::range_size(nest.body().without_terminator()));
  return steps / double(plan.lanes) * (accesses + operations);
}

bool isWithinRow(Nest &nest, unsigned loop, unsigned vectorBits) {
  VectorPlan plan = choose(nest, vectorBits);
  return plan.vectorLoop == loop || plan.rowLoop == loop;
}

} // namespace roofline::host
