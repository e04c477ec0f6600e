//===- CostAnalysis.cpp - the work of a whole function --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/CostAnalysis.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Interfaces/CostOpInterface.h"

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
  findCaches();
  for (Block &block : func.getFunctionBody())
    visitBlock(block, {});
  collectSymbols();
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
  for (Operation &op : block)
    visit(&op, position);
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
        for (Block &block : region)
          visitBlock(block, position);
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
  rowIndex[op] = allRows.size();
  allRows.push_back(std::move(row));
}

/// From the op's model, else what it states, else its bytes alone.
void CostAnalysis::countWork(CostRow &row) {
  Operation *op = row.op;
  if (auto costed = dyn_cast<CostOpInterface>(op)) {
    row.work = costed.getWork(*this);
  } else if (auto stated = op->getAttrOfType<rl::WorkAttr>(rl::workAttrName)) {
    row.work = stated.getWork();
  } else {
    row.opaque = true;
    readOperands(row.work, op);
    writeResults(row.work, op);
    row.work.flopsKnown = false;
  }
  row.work.dataDependent |= op->hasAttr(rl::dataDependentAttrName);
}

/// The name of a loop's trip count where nothing else names it.
static Expr tripSymbol(Operation *op, size_t row) {
  std::string name;
  if (auto loc = op->getLoc()->findInstanceOf<NameLoc>())
    name = loc.getName().str();
  if (name.empty())
    name = (op->getName().getStringRef() + "#" + llvm::Twine(row)).str();
  return Expr::symbol("trips(" + name + ")");
}

void CostAnalysis::visitControl(Operation *op, const Position &position) {
  auto control = cast<ControlOpInterface>(op);
  int index = allRows.size();
  rowIndex[op] = index;
  CostRow &row = allRows.emplace_back();
  row.op = op;
  row.work = Work::none();
  row.times = position.times;
  row.parent = position.parent;
  row.region = position.region;
  row.timesUpperBound = position.upperBound;

  bool isBranch = control.getControlKind() == ControlKind::Branch;
  std::optional<unsigned> taken = control.getTakenRegion(*this);
  Position inner = position;
  inner.parent = index;
  if (!isBranch) {
    std::optional<Expr> trips = control.getTrips(*this);
    inner.times *= trips ? *trips : tripSymbol(op, index);
    inner.upperBound |= control.isTripCountUpperBound();
  } else if (!taken) {
    inner.upperBound = true;
  }
  for (auto [number, region] : llvm::enumerate(op->getRegions())) {
    inner.region = number;
    Position entered = inner;
    if (isBranch && taken && *taken != number)
      entered.times = 0;
    for (Block &block : region)
      visitBlock(block, entered);
  }
  if (isBranch && !taken)
    chooseBranch(index, index + 1);
}

/// Sums of a region's rows; unknown parts count 0 here, since they can't
/// decide.
static std::pair<Expr, Expr> regionCost(ArrayRef<CostRow> rows, size_t first,
                                        int control, unsigned region) {
  Expr flops, bytes;
  bool inside = false;
  for (size_t i = first; i < rows.size(); ++i) {
    if (rows[i].parent == control)
      inside = rows[i].region == region;
    if (!inside)
      continue;
    if (std::optional<Expr> more = totalFlops(rows[i]))
      flops += *more;
    if (std::optional<Expr> more = bytesRead(rows[i]))
      bytes += *more;
    if (std::optional<Expr> more = bytesWritten(rows[i]))
      bytes += *more;
  }
  return {flops, bytes};
}

/// Where nothing says which region runs, the dearest does: the others' rows
/// run 0 times, and the control op's row keeps the cheapest one's FLOPs.
void CostAnalysis::chooseBranch(int control, size_t firstRow) {
  unsigned regions = allRows[control].op->getNumRegions();
  unsigned dearest = 0;
  std::pair<Expr, Expr> most;
  std::optional<Expr> least;
  for (unsigned region = 0; region < regions; ++region) {
    std::pair<Expr, Expr> cost = regionCost(allRows, firstRow, control, region);
    Expr more = cost.first - most.first;
    Expr moreBytes = cost.second - most.second;
    bool dearer =
        more.isConstant()
            ? more.constant() > 0 || (more.isZero() && moreBytes.isConstant() &&
                                      moreBytes.constant() > 0)
            : most.first.isZero();
    if (region == 0 || dearer) {
      dearest = region;
      most = cost;
    }
    least = least ? Expr::min(*least, cost.first) : cost.first;
  }
  allRows[control].flopsMin = least;
  bool inside = false;
  for (size_t i = firstRow; i < allRows.size(); ++i) {
    if (allRows[i].parent == control)
      inside = allRows[i].region != dearest;
    if (inside)
      allRows[i].times = 0;
  }
}

int CostAnalysis::rowOf(Operation *op) const {
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
