//===- MemoryAnalysis.cpp - live memory and compulsory traffic ------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/MemoryAnalysis.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Interfaces/CostOpInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace roofline {

/// The tensor whose bytes a value is: through views, and through the init that
/// a result overwrites.
static Value storageOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (CostAnalysis::isView(op)) {
      value = op->getOperand(0);
      continue;
    }
    auto destination = dyn_cast<DestinationStyleOpInterface>(op);
    if (!destination)
      break;
    OpOperand *init = destination.getTiedOpOperand(cast<OpResult>(value));
    if (!init || !init->get().hasOneUse() ||
        !isa<RankedTensorType>(init->get().getType()))
      break;
    value = init->get();
  }
  return value;
}

static bool isStored(Value value) {
  return isa<ShapedType>(value.getType()) ||
         isa<rl::SequenceType, rl::OptionalType>(value.getType());
}

static bool isConstantData(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<rl::WeightOp>(op) || op->hasTrait<OpTrait::ConstantLike>());
}

//===----------------------------------------------------------------------===//
// Peak live memory
//===----------------------------------------------------------------------===//

namespace {
/// From the row that makes a tensor to the last that reads it.
struct Interval {
  size_t first, last;
};

class Liveness {
public:
  explicit Liveness(const CostAnalysis &costs) : costs(costs) {}

  std::optional<Int> peak() {
    findRegionEnds();
    for (BlockArgument argument : costs.function().getArguments())
      if (isStored(argument))
        define(argument, 0);
    for (size_t i = 0; i < costs.rows().size(); ++i)
      visit(i);
    Operation *terminator =
        costs.function().getFunctionBody().back().getTerminator();
    for (Value value : terminator->getOperands())
      use(value, costs.rows().size());
    return sweep();
  }

private:
  /// The row after the last one inside each control row.
  void findRegionEnds() {
    ends.resize(costs.rows().size());
    for (size_t i = costs.rows().size(); i-- > 0;) {
      ends[i] = std::max(ends[i], i);
      if (int parent = costs.rows()[i].parent; parent >= 0)
        ends[parent] = std::max(ends[parent], ends[i]);
    }
  }

  void define(Value value, size_t row) {
    intervals.insert({storageOf(value), Interval{row, row}});
  }

  void use(Value value, size_t row) {
    Value storage = storageOf(value);
    if (!isStored(storage))
      return;
    auto it = intervals.insert({storage, Interval{row, row}}).first;
    it->second.last = std::max(it->second.last, row);
  }

  /// What a loop reads from outside its body is needed until it ends.
  size_t lastRowOfUse(Value value, size_t row) {
    Region *home = storageOf(value).getParentRegion();
    size_t last = row;
    for (int parent = costs.rows()[row].parent; parent >= 0;
         parent = costs.rows()[parent].parent) {
      Operation *control = costs.rows()[parent].op;
      if (control->isAncestor(home->getParentOp()))
        break;
      last = ends[parent];
    }
    return last;
  }

  void visit(size_t i) {
    Operation *op = costs.rows()[i].op;
    if (isa<ControlOpInterface>(op)) {
      for (Value operand : op->getOperands())
        use(operand, ends[i]);
      for (Region &region : op->getRegions())
        if (!region.empty())
          for (Value operand : region.back().getTerminator()->getOperands())
            if (isStored(operand))
              use(operand, ends[i]);
      for (Value result : op->getResults())
        if (isStored(result))
          define(result, ends[i]);
      return;
    }
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (isStored(operand) &&
            (inner == op ||
             !op->isAncestor(operand.getParentRegion()->getParentOp())))
          use(operand, lastRowOfUse(operand, i));
    });
    for (Value result : op->getResults())
      if (isStored(result))
        define(result, i);
  }

  std::optional<Int> sweep() {
    std::vector<Int> change(costs.rows().size() + 2);
    Int constants(0);
    for (auto &[value, interval] : intervals) {
      std::optional<Expr> bytes = costs.bytes(value);
      // A region's argument is its init's or slice's storage; a tensor.empty
      // that nothing fills yet has its own bytes from its first use on.
      if (auto argument = dyn_cast<BlockArgument>(value))
        if (argument.getOwner()->getParentOp() != costs.function())
          continue;
      if (!bytes || !bytes->isConstant())
        return std::nullopt;
      if (isConstantData(value)) {
        constants += bytes->constant();
        continue;
      }
      change[interval.first] += bytes->constant();
      change[interval.last + 1] -= bytes->constant();
    }
    Int live(0), most(0);
    for (const Int &step : change) {
      live += step;
      most = std::max(most, live);
    }
    return most + constants;
  }

  const CostAnalysis &costs;
  std::vector<size_t> ends;
  llvm::MapVector<Value, Interval> intervals;
};
} // namespace

std::optional<Int> peakLiveBytes(const CostAnalysis &costs) {
  if (!costs.function())
    return std::nullopt;
  return Liveness(costs).peak();
}

//===----------------------------------------------------------------------===//
// Compulsory traffic
//===----------------------------------------------------------------------===//

/// The tensor a row's traffic entry moves.
static Value trafficValue(Operation *op, const Traffic &traffic) {
  if (traffic.index < 0)
    return {};
  return traffic.direction == Traffic::Read
             ? op->getOperand(traffic.index)
             : Value(op->getResult(traffic.index));
}

std::optional<Expr> compulsoryBytes(const CostAnalysis &costs) {
  FunctionOpInterface func = costs.function();
  if (!func)
    return std::nullopt;
  // What the readers of each weight and graph input ask for, all in all.
  llvm::MapVector<Value, std::optional<Expr>> asked;
  Expr captured, total;
  auto isSource = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return isConstantData(value) ||
           (argument && argument.getOwner()->getParentOp() == func);
  };
  auto ask = [&](Value value, const std::optional<Expr> &bytes) {
    value = costs.viewedValue(value);
    if (!isSource(value))
      return;
    auto [it, isNew] = asked.insert({value, bytes});
    if (!isNew && it->second)
      it->second = bytes ? std::optional(*it->second + *bytes) : std::nullopt;
  };
  for (const CostRow &row : costs.rows()) {
    if (row.times.isZero())
      continue;
    for (const Traffic &traffic : row.work.traffic)
      if (traffic.direction == Traffic::Read)
        if (Value value = trafficValue(row.op, traffic))
          ask(value, traffic.bytes ? std::optional(*traffic.bytes * row.times)
                                   : std::nullopt);
    // A kernel with a region reads what the region captures, in full at most.
    if (row.op->getNumRegions() && !isa<ControlOpInterface>(row.op))
      row.op->walk([&](Operation *inner) {
        if (inner == row.op)
          return;
        for (Value operand : inner->getOperands())
          if (isStored(operand) &&
              !row.op->isAncestor(operand.getParentRegion()->getParentOp()))
            ask(operand, costs.bytes(operand));
      });
  }
  for (auto &[value, bytes] : asked) {
    std::optional<Expr> whole = costs.bytes(value);
    if (!bytes || !whole)
      return std::nullopt;
    total += Expr::min(*bytes, *whole);
  }
  llvm::DenseSet<Value> written;
  for (Value output :
       func.getFunctionBody().back().getTerminator()->getOperands()) {
    Value value = costs.viewedValue(output);
    if (!isStored(value) || isSource(value) || !written.insert(value).second)
      continue;
    std::optional<Expr> bytes = costs.bytes(value);
    // In place, only the update is written.
    if (Operation *op = value.getDefiningOp())
      if (int index = costs.rowOf(op); index >= 0)
        for (const Traffic &traffic : costs.rows()[index].work.traffic)
          if (traffic.direction == Traffic::Write &&
              trafficValue(op, traffic) == value)
            bytes = traffic.bytes;
    if (!bytes)
      return std::nullopt;
    total += *bytes;
  }
  return total;
}

} // namespace roofline
