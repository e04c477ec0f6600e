//===- SCF.cpp - control flow of scf --------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "Regions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace roofline::models {
namespace {

using Maybe = std::optional<Expr>;

/// A scalar that the analysis knows, or a constant.
Maybe scalarIn(const CostContext &context, OpFoldResult value) {
  if (auto known = dyn_cast<Value>(value))
    if (Maybe scalar = context.scalar(known))
      return scalar;
  return scalarOf(SymbolMap(), value);
}

struct ForControl : ControlModel<ForControl, ControlKind::Loop> {
  Maybe getTrips(Operation *op, const CostContext &context) const {
    auto loop = cast<scf::ForOp>(op);
    return countedTrips(scalarIn(context, loop.getLowerBound()),
                        scalarIn(context, loop.getUpperBound()),
                        scalarIn(context, loop.getStep()));
  }
};

struct ForSymbols : SymbolicOpInterface::FallbackModel<ForSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto loop = cast<scf::ForOp>(op);
    inferCarried(symbols, loop.getInitArgs(), loop.getRegionIterArgs(),
                 loop.getYieldedValues(), loop.getResults(), *loop.getBody());
  }
};

/// scf.forall and scf.parallel: a product of counted loops.
template <typename Op>
struct ParallelControl : ControlModel<ParallelControl<Op>, ControlKind::Loop> {
  Maybe getTrips(Operation *op, const CostContext &context) const {
    auto loop = cast<Op>(op);
    Expr trips = 1;
    for (auto [lower, upper, step] :
         llvm::zip(lowerBounds(loop), upperBounds(loop), steps(loop))) {
      Maybe each =
          countedTrips(scalarIn(context, lower), scalarIn(context, upper),
                       scalarIn(context, step));
      if (!each)
        return std::nullopt;
      trips *= *each;
    }
    return trips;
  }
  static auto lowerBounds(scf::ForallOp op) { return op.getMixedLowerBound(); }
  static auto upperBounds(scf::ForallOp op) { return op.getMixedUpperBound(); }
  static auto steps(scf::ForallOp op) { return op.getMixedStep(); }
  static auto lowerBounds(scf::ParallelOp op) { return op.getLowerBound(); }
  static auto upperBounds(scf::ParallelOp op) { return op.getUpperBound(); }
  static auto steps(scf::ParallelOp op) { return op.getStep(); }
};

/// Results and their block arguments are shaped as the outputs.
struct ForallSymbols : SymbolicOpInterface::FallbackModel<ForallSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto loop = cast<scf::ForallOp>(op);
    for (auto [output, argument, result] : llvm::zip(
             loop.getOutputs(), loop.getRegionIterArgs(), loop.getResults()))
      if (auto dims = symbols.dims(output)) {
        symbols.setDims(argument, *dims);
        symbols.setDims(result, *dims);
      }
  }
};

struct IfControl : ControlModel<IfControl, ControlKind::Branch> {
  std::optional<unsigned> getTakenRegion(Operation *op,
                                         const CostContext &context) const {
    return takenRegion(scalarIn(context, cast<scf::IfOp>(op).getCondition()));
  }
};

struct IfSymbols : SymbolicOpInterface::FallbackModel<IfSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    inferBranch(
        symbols, op,
        takenRegion(scalarOf(symbols, cast<scf::IfOp>(op).getCondition())));
  }
};

/// Region 0 is the default, the others follow the cases.
std::optional<unsigned> takenCase(scf::IndexSwitchOp op, const Maybe &index) {
  if (!index || !index->asInt64())
    return std::nullopt;
  auto cases = op.getCases();
  const auto *found = llvm::find(cases, *index->asInt64());
  return found == cases.end() ? 0 : unsigned(found - cases.begin()) + 1;
}

struct SwitchControl : ControlModel<SwitchControl, ControlKind::Branch> {
  std::optional<unsigned> getTakenRegion(Operation *op,
                                         const CostContext &context) const {
    auto choice = cast<scf::IndexSwitchOp>(op);
    return takenCase(choice, scalarIn(context, choice.getArg()));
  }
};

struct SwitchSymbols : SymbolicOpInterface::FallbackModel<SwitchSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto choice = cast<scf::IndexSwitchOp>(op);
    inferBranch(symbols, op,
                takenCase(choice, scalarOf(symbols, choice.getArg())));
  }
};

/// The parts of `while (i < n) { …; i += step }` on a carried scalar.
struct CountedWhile {
  Value start, limit, step;
  bool inclusive;
};

std::optional<CountedWhile> matchCountedWhile(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  bool strict = compare.getPredicate() == arith::CmpIPredicate::slt ||
                compare.getPredicate() == arith::CmpIPredicate::ult;
  bool inclusive = compare.getPredicate() == arith::CmpIPredicate::sle ||
                   compare.getPredicate() == arith::CmpIPredicate::ule;
  auto counter = dyn_cast<BlockArgument>(compare.getLhs());
  if (!(strict || inclusive) || !counter ||
      counter.getOwner() != loop.getBeforeBody() ||
      loop->isProperAncestor(
          compare.getRhs().getParentBlock()->getParentOp()) ||
      compare.getRhs().getParentBlock() == loop.getBeforeBody())
    return std::nullopt;

  unsigned number = counter.getArgNumber();
  auto next =
      loop.getYieldOp().getOperand(number).getDefiningOp<arith::AddIOp>();
  if (!next)
    return std::nullopt;
  // The body sees the counter as the argument that the condition passes it.
  auto isCounter = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == loop.getAfterBody() &&
           condition.getArgs()[argument.getArgNumber()] == counter;
  };
  for (unsigned side : {0u, 1u})
    if (isCounter(next->getOperand(side)))
      return CountedWhile{loop.getInits()[number], compare.getRhs(),
                          next->getOperand(1 - side), inclusive};
  return std::nullopt;
}

struct WhileControl : ControlModel<WhileControl, ControlKind::Loop> {
  Maybe getTrips(Operation *op, const CostContext &context) const {
    std::optional<CountedWhile> counted =
        matchCountedWhile(cast<scf::WhileOp>(op));
    if (!counted)
      return std::nullopt;
    Maybe limit = scalarIn(context, counted->limit);
    if (limit && counted->inclusive)
      limit = *limit + 1;
    Maybe step = scalarIn(context, counted->step);
    if (!step || !step->isConstant() || step->constant() <= 0)
      return std::nullopt;
    return countedTrips(scalarIn(context, counted->start), limit, step);
  }
};

struct WhileSymbols : SymbolicOpInterface::FallbackModel<WhileSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto loop = cast<scf::WhileOp>(op);
    // Both regions take what is carried only where they pass it straight on.
    scf::ConditionOp condition = loop.getConditionOp();
    if (!llvm::equal(condition.getArgs(), loop.getBeforeArguments()))
      return;
    inferCarried(symbols, loop.getInits(), loop.getAfterArguments(),
                 loop.getYieldOp().getOperands(), loop.getResults(),
                 *loop.getAfterBody());
    for (auto [after, before] :
         llvm::zip(loop.getAfterArguments(), loop.getBeforeArguments()))
      if (auto dims = symbols.dims(after))
        symbols.setDims(before, *dims);
  }
};

struct ScopeSymbols : SymbolicOpInterface::FallbackModel<ScopeSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    if (op->getRegion(0).hasOneBlock())
      inferBranch(symbols, op, 0);
  }
};

} // namespace

void registerSCFModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    attach<ForControl, scf::ForOp>(context);
    attach<ForSymbols, scf::ForOp>(context);
    attach<ParallelControl<scf::ForallOp>, scf::ForallOp>(context);
    attach<ForallSymbols, scf::ForallOp>(context);
    attach<ParallelControl<scf::ParallelOp>, scf::ParallelOp>(context);
    attach<IfControl, scf::IfOp>(context);
    attach<IfSymbols, scf::IfOp>(context);
    attach<SwitchControl, scf::IndexSwitchOp>(context);
    attach<SwitchSymbols, scf::IndexSwitchOp>(context);
    attach<WhileControl, scf::WhileOp>(context);
    attach<WhileSymbols, scf::WhileOp>(context);
    attach<ScopeModel, scf::ExecuteRegionOp, scf::InParallelOp>(context);
    attach<ScopeSymbols, scf::ExecuteRegionOp>(context);
  });
}

} // namespace roofline::models
