//===- MemoryAnalysis.cpp - live memory and compulsory traffic ------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/MemoryAnalysis.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Interfaces/CostOpInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace roofline {

/// The tensor whose bytes a value has without owning them: what it is a view
/// of, or the init that it overwrites. Null where it owns them.
static Value nextStorage(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (CostAnalysis::isView(op))
    return op->getOperand(0);
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (!destination)
    return {};
  OpOperand *init = destination.getTiedOpOperand(cast<OpResult>(value));
  if (!init || !init->get().hasOneUse() ||
      !isa<RankedTensorType>(init->get().getType()))
    return {};
  return init->get();
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
    for (Value value : costs.returned())
      use(value, costs.rows().size());
    return sweep();
  }

private:
  /// The last row inside each control row.
  void findRegionEnds() {
    ends.resize(costs.rows().size());
    for (size_t i = costs.rows().size(); i-- > 0;) {
      ends[i] = std::max(ends[i], i);
      if (int parent = costs.rows()[i].parent; parent >= 0)
        ends[parent] = std::max(ends[parent], ends[i]);
    }
  }

  /// What the region of a branch or loop yields for a result that has its size:
  /// the same tensor, handed on. Null for others, as those that grow with the
  /// trips.
  Value handedOn(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !isa<ControlOpInterface>(op))
      return {};
    int index = costs.rowOf(op);
    if (index < 0)
      return {};
    for (Region &region : llvm::reverse(op->getRegions())) {
      if (region.empty() || !region.back().mightHaveTerminator() ||
          !runs(region, costs.rows()[index]))
        continue;
      OperandRange yielded = region.back().getTerminator()->getOperands();
      if (yielded.size() != op->getNumResults())
        return {};
      Value next = yielded[cast<OpResult>(value).getResultNumber()];
      auto argument = dyn_cast<BlockArgument>(next);
      bool isCarried = argument && argument.getOwner()->getParentOp() == op;
      return !isCarried && costs.bytes(next) == costs.bytes(value) ? next
                                                                   : Value();
    }
    return {};
  }

  /// The tensor that owns a value's bytes. What was found is kept: a chain of
  /// views is walked once, not once a reader.
  Value storage(Value value) {
    SmallVector<Value> chain;
    auto known = storages.find(value);
    while (known == storages.end()) {
      Value below = nextStorage(value);
      if (!below)
        below = handedOn(value);
      if (!below)
        break;
      chain.push_back(value);
      value = below;
      known = storages.find(value);
    }
    if (known != storages.end())
      value = known->second;
    for (Value above : chain)
      storages[above] = value;
    return value;
  }

  void define(Value value, size_t row) {
    auto it = intervals.insert({storage(value), Interval{row, row}}).first;
    it->second.first = std::min(it->second.first, row);
  }

  void use(Value value, size_t row) {
    Value stored = storage(value);
    if (!isStored(stored))
      return;
    auto it = intervals.insert({stored, Interval{row, row}}).first;
    it->second.last = std::max(it->second.last, row);
  }

  /// What a loop reads from outside its body is needed until it ends.
  size_t lastRowOfUse(Value value, size_t row) {
    Region *home = storage(value).getParentRegion();
    size_t last = row;
    for (int parent = costs.rows()[row].parent; parent >= 0;
         parent = costs.rows()[parent].parent) {
      Operation *control = costs.rows()[parent].op;
      if (control->isAncestor(home->getParentOp()))
        break;
      if (cast<ControlOpInterface>(control).getControlKind() ==
          ControlKind::Loop)
        last = ends[parent];
    }
    return last;
  }

  /// A branch that isn't taken holds nothing but its weights.
  bool runs(Region &region, const CostRow &control) {
    return !control.taken || *control.taken == region.getRegionNumber();
  }

  void visitControl(size_t i) {
    const CostRow &row = costs.rows()[i];
    for (Value operand : row.op->getOperands())
      use(operand, ends[i]);
    for (Region &region : row.op->getRegions())
      if (!region.empty() && region.back().mightHaveTerminator() &&
          runs(region, row))
        for (Value operand : region.back().getTerminator()->getOperands())
          if (isStored(operand))
            use(operand, ends[i]);
    // A result that isn't handed on grows with the trips: from the start on.
    for (Value result : row.op->getResults())
      if (isStored(result))
        define(result, storage(result) == result ? i : ends[i]);
  }

  void visit(size_t i) {
    const CostRow &row = costs.rows()[i];
    Operation *op = row.op;
    if (row.times.isZero()) {
      for (Value operand : op->getOperands())
        if (isConstantData(storage(operand)))
          use(operand, i);
      return;
    }
    if (row.isControl)
      return visitControl(i);
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
      // A region's argument is its init's or slice's storage; a tensor.empty
      // that nothing fills yet has its own bytes from its first use on.
      if (auto argument = dyn_cast<BlockArgument>(value))
        if (argument.getOwner()->getParentOp() != costs.function())
          continue;
      std::optional<Expr> bytes = costs.bytes(value);
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
  llvm::DenseMap<Value, Value> storages;
  llvm::MapVector<Value, Interval> intervals;
};
} // namespace

std::optional<Int> peakLiveBytes(const CostAnalysis &costs) {
  // Rows run in order in one block alone.
  if (!costs.function() || !costs.function().getFunctionBody().hasOneBlock())
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

namespace {
/// What the readers of each weight and graph input ask for, all in all.
class Sources {
public:
  explicit Sources(const CostAnalysis &costs) : costs(costs) {}

  bool isSource(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    return isConstantData(value) ||
           (argument &&
            argument.getOwner()->getParentOp() == costs.function() &&
            argument.getOwner()->isEntryBlock());
  }

  void visit(const CostRow &row) {
    bool hasUnnamed = false;
    for (const Traffic &traffic : row.work.traffic) {
      if (traffic.direction != Traffic::Read)
        continue;
      if (Value value = trafficValue(row.op, traffic))
        ask(value, traffic.bytes ? std::optional(*traffic.bytes * row.times)
                                 : std::nullopt);
      else
        hasUnnamed = true;
    }
    if (row.isControl)
      visitInits(row.op);
    else if (hasUnnamed || row.op->getNumRegions())
      visitUnnamed(row);
  }

  /// Each source once, whole at most.
  std::optional<Expr> total() const {
    Expr sum;
    for (auto &[value, bytes] : asked) {
      std::optional<Expr> whole = costs.bytes(value);
      if (!bytes || !whole)
        return std::nullopt;
      sum += Expr::min(*bytes, *whole);
    }
    return sum;
  }

private:
  void ask(Value value, const std::optional<Expr> &bytes) {
    value = costs.viewedValue(value);
    if (!isSource(value))
      return;
    auto [it, isNew] = asked.insert({value, bytes});
    if (!isNew && it->second)
      it->second = bytes ? std::optional(*it->second + *bytes) : std::nullopt;
  }

  /// What a loop carries or scans is read by its body under another name.
  void visitInits(Operation *op) {
    if (cast<ControlOpInterface>(op).getControlKind() != ControlKind::Loop)
      return;
    auto loop = dyn_cast<rl::LoopOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      bool isUnread = loop && loop.getBody()
                                  .getArgument(operand.getOperandNumber() + 1)
                                  .use_empty();
      if (!isUnread && isStored(operand.get()))
        ask(operand.get(), costs.bytes(operand.get()));
    }
  }

  /// A kernel with a region reads what the region captures, and a stated work
  /// doesn't say what of: each source whole at most, and no more than the row
  /// reads in total.
  void visitUnnamed(const CostRow &row) {
    std::optional<Expr> most = bytesRead(row);
    bool isStated = !isa<CostOpInterface>(row.op);
    row.op->walk([&](Operation *inner) {
      if (inner == row.op && !isStated)
        return;
      for (Value operand : inner->getOperands()) {
        if (!isStored(operand) ||
            row.op->isAncestor(operand.getParentRegion()->getParentOp()))
          continue;
        std::optional<Expr> bytes = costs.bytes(operand);
        ask(operand, bytes && most ? Expr::min(*bytes, *most) : bytes);
      }
    });
  }

  const CostAnalysis &costs;
  llvm::MapVector<Value, std::optional<Expr>> asked;
};
} // namespace

/// The bytes of one output: in place, only the update is written.
static std::optional<Expr> outputBytes(const CostAnalysis &costs, Value value) {
  Operation *op = value.getDefiningOp();
  int index = op ? costs.rowOf(op) : -1;
  if (index >= 0)
    for (const Traffic &traffic : costs.rows()[index].work.traffic)
      if (traffic.direction == Traffic::Write &&
          trafficValue(op, traffic) == value)
        return traffic.bytes;
  return costs.bytes(value);
}

/// What the caller sees written: results, and memrefs written into.
static SmallVector<Value> outputs(const CostAnalysis &costs) {
  SmallVector<Value> values = costs.returned();
  for (const CostRow &row : costs.rows()) {
    auto destination = dyn_cast<DestinationStyleOpInterface>(row.op);
    if (!destination || row.op->getNumResults() || row.times.isZero())
      continue;
    for (Value init : destination.getDpsInits())
      if (isa<BaseMemRefType>(init.getType()))
        values.push_back(init);
  }
  return values;
}

std::optional<Expr> compulsoryBytes(const CostAnalysis &costs) {
  if (!costs.function())
    return std::nullopt;
  Sources sources(costs);
  for (const CostRow &row : costs.rows())
    if (!row.times.isZero())
      sources.visit(row);
  std::optional<Expr> total = sources.total();
  llvm::DenseSet<Value> written;
  for (Value output : outputs(costs)) {
    Value value = costs.viewedValue(output);
    // A source is written only in place; a memref made inside isn't seen.
    bool isMemRef = isa<BaseMemRefType>(value.getType());
    if (!isStored(value) || sources.isSource(value) != isMemRef ||
        !written.insert(value).second)
      continue;
    std::optional<Expr> bytes = outputBytes(costs, value);
    if (!total || !bytes)
      return std::nullopt;
    *total += *bytes;
  }
  return total;
}

} // namespace roofline
