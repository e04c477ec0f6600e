//===- CostAnalysis.cpp - the work of a whole function --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/CostAnalysis.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Interfaces/CostOpInterface.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;

namespace roofline {

//===----------------------------------------------------------------------===//
// Entry and arguments
//===----------------------------------------------------------------------===//

FunctionOpInterface CostAnalysis::findEntry(Operation *root) {
  if (auto function = dyn_cast<FunctionOpInterface>(root))
    return function;
  FunctionOpInterface entry;
  for (Region &region : root->getRegions())
    for (Operation &op : region.getOps()) {
      auto function = dyn_cast<FunctionOpInterface>(op);
      if (!function || function.isExternal() || !function.isPublic())
        continue;
      if (entry)
        return {};
      entry = function;
    }
  return entry;
}

CostAnalysis::CostAnalysis(Operation *root) : func(findEntry(root)) {
  if (!func || func.getFunctionBody().empty())
    return;
  nameArguments();
  // Rows are large to move.
  allRows.reserve(findCaches());
  visitRegion(func.getFunctionBody(), {});
  collectSymbols();
}

SmallVector<Value> CostAnalysis::returned() const {
  SmallVector<Value> values;
  FunctionOpInterface owner = func; // its methods aren't const
  for (Block &block : owner.getFunctionBody())
    if (block.mightHaveTerminator() && block.getTerminator() &&
        block.getTerminator()->getNumSuccessors() == 0)
      llvm::append_range(values, block.getTerminator()->getOperands());
  return values;
}

/// Gives arguments the dimensions of their `rl.dims`, and a name of the form
/// `arg0[1]` to each dimension that neither it nor the type knows.
void CostAnalysis::nameArguments() {
  for (BlockArgument argument : func.getArguments()) {
    unsigned number = argument.getArgNumber();
    std::optional<SymbolMap::MaybeDims> dims =
        SymbolMap::dimsOfType(argument.getType());
    if (!dims)
      continue;
    if (auto given =
            func.getArgAttrOfType<rl::DimsAttr>(number, rl::dimsAttrName))
      for (auto [dim, size] : llvm::zip(*dims, given.getSizes()))
        if (!dim)
          dim = size;
    auto name = func.getArgAttrOfType<StringAttr>(number, rl::nameAttrName);
    std::string prefix = name ? name.str() : "arg" + std::to_string(number);
    for (auto [axis, dim] : llvm::enumerate(*dims))
      if (!dim)
        dim = Expr::symbol(prefix + "[" + std::to_string(axis) + "]");
    map.setDims(argument, *dims);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<Dims> CostAnalysis::dims(Value value) const {
  std::optional<SymbolMap::MaybeDims> known = map.dims(value);
  if (!known)
    return std::nullopt;
  Dims dims;
  for (std::optional<Expr> &dim : *known) {
    if (!dim)
      return std::nullopt;
    dims.push_back(std::move(*dim));
  }
  return dims;
}

std::optional<Expr> CostAnalysis::dim(Value value, unsigned axis) const {
  return map.dim(value, axis);
}

std::optional<Expr> CostAnalysis::scalar(Value value) const {
  return map.scalar(value);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static bool isShaped(Value value) {
  return isa<ShapedType>(value.getType()) ||
         value.getType().getDialect().getNamespace() == "rl";
}

namespace {
/// Whether a report shows an op.
enum class RowRule { Never, IfItHasWork, Always };
} // namespace

/// Ops from tensors to tensors have a row, views included; those that touch one
/// at an end only (a load, a splat, a variable's write) where that costs
/// something. Constants, terminators and arithmetic on sizes have none.
static RowRule rowRule(Operation *op) {
  if (isa<rl::WeightOp, rl::YieldOp>(op) ||
      op->hasTrait<OpTrait::IsTerminator>() ||
      op->hasTrait<OpTrait::ConstantLike>())
    return RowRule::Never;
  if (op->getName().getDialectNamespace() == "rl" ||
      op->hasAttr(rl::workAttrName) || isa<ControlOpInterface>(op))
    return RowRule::Always;
  bool reads = llvm::any_of(op->getOperands(), isShaped);
  bool makes = llvm::any_of(op->getResults(), isShaped);
  bool touchesMemory = llvm::any_of(op->getOperands(), [](Value value) {
    return isa<BaseMemRefType>(value.getType());
  });
  if (reads && (makes || (touchesMemory && op->getNumResults() == 0)))
    return RowRule::Always;
  return isa<CostOpInterface>(op) && (reads || makes) ? RowRule::IfItHasWork
                                                      : RowRule::Never;
}

/// The results of an op that writes into its init operands have their shapes.
static void inferDestinations(Operation *op, SymbolMap &map) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (!destination)
    return;
  for (OpResult result : op->getResults())
    if (OpOperand *init = destination.getTiedOpOperand(result))
      if (auto dims = map.dims(init->get()))
        map.setDims(result, *dims);
}

void CostAnalysis::visitBlock(Block &block, const Position &position) {
  for (Operation &op : block) {
    // A list of a million ops isn't in the order that hardware fetches ahead.
    if (Operation *next = op.getNextNode())
      LLVM_PREFETCH(next, /*rw=*/0, /*locality=*/3);
    visit(&op, position);
  }
}

/// Of several blocks, those that a branch may leave out run once at most; those
/// on a cycle run as often as only data can tell; unreachable ones never do.
void CostAnalysis::visitRegion(Region &region, const Position &position) {
  if (region.empty())
    return;
  if (region.hasOneBlock())
    return visitBlock(region.front(), position);
  llvm::DenseMap<Block *, unsigned> numbers;
  for (auto [number, block] : llvm::enumerate(region))
    numbers[&block] = number;
  llvm::DenseMap<Block *, Expr> times;
  Region *graph = &region;
  for (auto scc = llvm::scc_begin(graph); !scc.isAtEnd(); ++scc) {
    Expr trips = 1;
    if (scc.hasCycle()) {
      Block *head = *llvm::min_element(*scc, [&](Block *a, Block *b) {
        return numbers.lookup(a) < numbers.lookup(b);
      });
      trips = openTrips(head->getTerminator(),
                        "^bb" + std::to_string(numbers.lookup(head)));
    }
    for (Block *block : *scc)
      times[block] = trips;
  }
  PostDominanceInfo postDominance(region.getParentOp());
  for (Block &block : region) {
    Position inner = position;
    inner.times *= times.lookup(&block); // 0 where nothing leads there
    inner.upperBound |= !postDominance.postDominates(&block, &region.front());
    visitBlock(block, inner);
  }
}

void CostAnalysis::visit(Operation *op, const Position &position) {
  if (auto symbolic = dyn_cast<SymbolicOpInterface>(op))
    symbolic.inferSymbols(map);
  else
    inferDestinations(op, map);
  inferRole(op);
  RowRule rule = rowRule(op);
  if (rule == RowRule::Never) {
    // A terminator may hold ops of its own (scf.forall.in_parallel).
    if (op->hasTrait<OpTrait::IsTerminator>())
      for (Region &region : op->getRegions())
        visitRegion(region, position);
    return;
  }
  if (isa<ControlOpInterface>(op))
    return visitControl(op, position);

  CostRow row;
  row.op = op;
  row.times = position.times;
  row.parent = position.parent;
  row.region = position.region;
  row.timesUpperBound = position.upperBound;
  countWork(row);
  if (rule == RowRule::IfItHasWork && row.work.isZero())
    return;
  allRows.push_back(std::move(row));
}

/// From the op's model, else what it states, else its bytes alone.
void CostAnalysis::countWork(CostRow &row) {
  Operation *op = row.op;
  if (auto costed = dyn_cast<CostOpInterface>(op)) {
    row.work = costed.getWork(*this);
  } else if (auto stated = op->getAttrOfType<rl::WorkAttr>(rl::workAttrName)) {
    row.work = stated.getWork();
    row.opaque = !row.work.flopsKnown; // as an earlier count left it
  } else {
    row.opaque = true;
    readOperands(row.work, op);
    writeResults(row.work, op);
    row.work.flopsKnown = false;
  }
  row.work.dataDependent |= op->hasAttr(rl::dataDependentAttrName);
}

/// What `rl.trips` binds, else a symbol called `trips(name)`.
Expr CostAnalysis::openTrips(Operation *op, const std::string &name) {
  if (auto given = op->getAttrOfType<rl::DimsAttr>(rl::tripsAttrName))
    if (given.getSizes().size() == 1 && given.getSizes().front())
      return *given.getSizes().front();
  tripSymbols.emplace_back("trips(" + name + ")", op);
  return Expr::symbol(tripSymbols.back().first);
}

/// What a loop is called where nothing else names its trip count.
static std::string loopName(Operation *op, size_t row) {
  if (StringRef name = rl::nodeName(op->getLoc()); !name.empty())
    return name.str();
  return (op->getName().getStringRef() + "#" + llvm::Twine(row)).str();
}

void CostAnalysis::visitControl(Operation *op, const Position &position) {
  auto control = cast<ControlOpInterface>(op);
  int index = allRows.size();
  CostRow row;
  row.op = op;
  row.work = Work::none();
  row.isControl = true;
  row.times = position.times;
  row.parent = position.parent;
  row.region = position.region;
  row.timesUpperBound = position.upperBound;
  bool isBranch = control.getControlKind() == ControlKind::Branch;
  if (isBranch)
    row.taken = control.getTakenRegion(*this);
  std::optional<unsigned> taken = row.taken;
  allRows.push_back(std::move(row));

  Position inner = position;
  inner.parent = index;
  if (!isBranch) {
    std::optional<Expr> trips = control.getTrips(*this);
    inner.times *= trips ? *trips : openTrips(op, loopName(op, index));
    inner.upperBound |= control.isTripCountUpperBound();
  } else if (!taken) {
    inner.upperBound = true;
  }
  for (auto [number, region] : llvm::enumerate(op->getRegions())) {
    inner.region = number;
    Position entered = inner;
    if (isBranch && taken && *taken != number)
      entered.times = 0;
    visitRegion(region, entered);
  }
  if (isBranch && !taken)
    chooseBranch(index);
}

namespace {
/// What the rows of one region of a branch come to. Unknown parts count 0:
/// they can't decide.
struct RegionCost {
  Expr flops, bytes;
  Expr least; ///< FLOPs with nested branches at their cheapest

  bool isDearerThan(const RegionCost &other) const {
    if (flops == other.flops)
      return isAbove(bytes, other.bytes);
    return isAbove(flops, other.flops);
  }

private:
  /// Formulas that can't be compared aren't.
  static bool isAbove(const Expr &a, const Expr &b) {
    return a != b && Expr::max(a, b) == a;
  }
};
} // namespace

/// Where nothing says which region runs, the dearest does: the others' rows
/// run 0 times, and the control op's row keeps the cheapest one's FLOPs.
void CostAnalysis::chooseBranch(int control) {
  // Rows stand depth first: what follows a row of a region, up to the next of
  // the same parent, is nested in it; what a row holds has no smaller parent.
  SmallVector<RegionCost> regions(allRows[control].op->getNumRegions());
  unsigned region = 0;
  int nestedBranch = -1;
  for (int i = control + 1, e = allRows.size(); i < e; ++i) {
    const CostRow &row = allRows[i];
    if (row.parent == control)
      region = row.region;
    if (row.parent < nestedBranch)
      nestedBranch = -1;
    RegionCost &sum = regions[region];
    Expr flops = totalFlops(row).value_or(0);
    sum.flops += flops;
    sum.bytes += bytesRead(row).value_or(0) + bytesWritten(row).value_or(0);
    if (nestedBranch >= 0)
      continue;
    sum.least += row.flopsMin.value_or(flops);
    if (row.flopsMin)
      nestedBranch = i;
  }
  if (regions.empty())
    return;
  unsigned dearest = 0;
  Expr least = regions.front().least;
  for (unsigned i = 1; i < regions.size(); ++i) {
    if (regions[i].isDearerThan(regions[dearest]))
      dearest = i;
    least = Expr::min(least, regions[i].least);
  }
  allRows[control].flopsMin = least;
  allRows[control].taken = dearest;
  for (size_t i = control + 1; i < allRows.size(); ++i) {
    if (allRows[i].parent == control)
      region = allRows[i].region;
    if (region == dearest)
      continue;
    allRows[i].times = 0;
    allRows[i].flopsMin = std::nullopt;
  }
}

int CostAnalysis::rowOf(Operation *op, int before) const {
  int next = before + 1;
  if (next < int(allRows.size()) && allRows[next].op == op)
    return next;
  if (rowIndex.empty()) {
    rowIndex.reserve(allRows.size());
    for (auto [i, row] : llvm::enumerate(allRows))
      rowIndex[row.op] = i;
  }
  auto it = rowIndex.find(op);
  return it == rowIndex.end() ? -1 : it->second;
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

static std::optional<Expr> scaled(std::optional<Expr> amount,
                                  const Expr &times) {
  if (times.isZero())
    return Expr(0);
  if (amount && times != Expr(1))
    *amount *= times;
  return amount;
}

std::optional<Expr> totalFlops(const CostRow &row) {
  return scaled(row.work.totalFlops(), row.times);
}
std::optional<Expr> bytesRead(const CostRow &row) {
  return scaled(row.work.bytesRead(), row.times);
}
std::optional<Expr> bytesWritten(const CostRow &row) {
  return scaled(row.work.bytesWritten(), row.times);
}

void CostAnalysis::collectSymbols() {
  auto add = [&](const Expr &expr) {
    if (!expr.isConstant())
      expr.collectSymbols(symbols);
  };
  for (BlockArgument argument : func.getArguments())
    if (std::optional<SymbolMap::MaybeDims> dims = map.dims(argument))
      for (const std::optional<Expr> &dim : *dims)
        if (dim)
          add(*dim);
  for (const CostRow &row : allRows) {
    if (row.times.isZero())
      continue;
    add(row.times);
    add(row.work.launches);
    for (const Flops &flops : row.work.flops)
      add(flops.count);
    for (const Traffic &traffic : row.work.traffic)
      if (traffic.bytes)
        add(*traffic.bytes);
  }
}

} // namespace roofline
