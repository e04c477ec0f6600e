//===- Regions.cpp - shapes through control flow --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

using namespace mlir;

namespace roofline::models {

void inferBlock(Block &block, SymbolMap &symbols) {
  for (Operation &op : block)
    if (auto symbolic = dyn_cast<SymbolicOpInterface>(&op))
      symbolic.inferSymbols(symbols);
}

static bool isDynamic(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && !(type.hasRank() && type.hasStaticShape());
}

void inferCarried(SymbolMap &symbols, ValueRange inits, ValueRange arguments,
                  ValueRange yielded, ValueRange results, Block &body) {
  if (llvm::none_of(arguments, isDynamic))
    return;
  // Suppose that nothing changes, try one trip, keep what held.
  SymbolMap trial = SymbolMap::over(symbols);
  for (auto [init, argument] : llvm::zip(inits, arguments))
    if (auto dims = symbols.dims(init))
      trial.setDims(argument, *dims);
  inferBlock(body, trial);
  for (auto [init, argument, next, result] :
       llvm::zip(inits, arguments, yielded, results)) {
    auto before = symbols.dims(init), after = trial.dims(next);
    if (!before || !after || before->size() != after->size())
      continue;
    for (size_t axis = 0; axis != before->size(); ++axis)
      if ((*before)[axis] != (*after)[axis])
        (*before)[axis] = std::nullopt;
    symbols.setDims(argument, *before);
    symbols.setDims(result, *before);
  }
}

void inferBranch(SymbolMap &symbols, Operation *op,
                 std::optional<unsigned> taken) {
  if (llvm::none_of(op->getResults(), [](Value result) {
        return isDynamic(result) || isIntegerScalar(result.getType());
      }))
    return;
  SymbolMap trial = SymbolMap::over(symbols);
  SmallVector<Operation *, 2> yields;
  for (Region &region : op->getRegions()) {
    if (region.empty() || (taken && region.getRegionNumber() != *taken))
      continue;
    inferBlock(region.front(), trial);
    yields.push_back(region.front().getTerminator());
  }
  if (yields.empty())
    return;
  for (OpResult result : op->getResults()) {
    unsigned number = result.getResultNumber();
    auto dims = trial.dims(yields[0]->getOperand(number));
    auto scalar = scalarOf(trial, yields[0]->getOperand(number));
    for (Operation *other : ArrayRef(yields).drop_front()) {
      auto otherDims = trial.dims(other->getOperand(number));
      if (!dims || !otherDims || dims->size() != otherDims->size())
        dims = std::nullopt;
      else
        for (size_t axis = 0; axis != dims->size(); ++axis)
          if ((*dims)[axis] != (*otherDims)[axis])
            (*dims)[axis] = std::nullopt;
      if (scalar != scalarOf(trial, other->getOperand(number)))
        scalar = std::nullopt;
    }
    if (dims)
      symbols.setDims(result, *dims);
    if (scalar)
      symbols.setScalar(result, *scalar);
  }
}

std::optional<unsigned> takenRegion(const std::optional<Expr> &condition) {
  if (!condition || !condition->isConstant())
    return std::nullopt;
  return condition->isZero() ? 1 : 0;
}

std::optional<Expr> countedTrips(const std::optional<Expr> &lower,
                                 const std::optional<Expr> &upper,
                                 const std::optional<Expr> &step) {
  if (!lower || !upper || !step || step->isZero())
    return std::nullopt;
  return Expr::max(Expr::ceilDiv(*upper - *lower, *step), 0);
}

} // namespace roofline::models
