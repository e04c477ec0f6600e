//===- Affine.cpp - models for affine -------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "Shapes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace roofline::models {
namespace {

using ScalarFn = llvm::function_ref<MaybeExpr(Value)>;

/// Each result of a map on operands: dimensions first, then symbols.
MaybeDims applyMap(AffineMap map, ValueRange operands, ScalarFn scalar) {
  MaybeDims dims, symbols, results;
  for (Value operand : operands.take_front(map.getNumDims()))
    dims.push_back(scalar(operand));
  for (Value operand : operands.drop_front(map.getNumDims()))
    symbols.push_back(scalar(operand));
  for (AffineExpr expr : map.getResults())
    results.push_back(evaluate(expr, dims, symbols));
  return results;
}

/// The one result, the least or the greatest.
template <typename Op>
struct MapSymbols : SymbolicOpInterface::FallbackModel<MapSymbols<Op>> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto apply = cast<Op>(op);
    MaybeDims values =
        applyMap(apply.getMap(), op->getOperands(),
                 [&](Value value) { return scalarOf(symbols, value); });
    MaybeExpr result = values.empty() ? std::nullopt : values.front();
    for (const MaybeExpr &value : values) {
      if (!value)
        return;
      result = std::is_same_v<Op, affine::AffineMaxOp>
                   ? Expr::max(*result, *value)
                   : Expr::min(*result, *value);
    }
    if (result)
      symbols.setScalar(op->getResult(0), *result);
  }
};

struct ForControl : ControlModel<ForControl, ControlKind::Loop> {
  std::optional<Expr> getTrips(Operation *op,
                               const CostContext &context) const {
    auto loop = cast<affine::AffineForOp>(op);
    auto scalar = [&](Value value) -> MaybeExpr {
      if (MaybeExpr known = context.scalar(value))
        return known;
      return scalarOf(SymbolMap(), value);
    };
    MaybeDims lower =
        applyMap(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), scalar);
    MaybeDims upper =
        applyMap(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), scalar);
    if (lower.size() != 1 || upper.size() != 1)
      return std::nullopt;
    return countedTrips(lower[0], upper[0], Expr(loop.getStepAsInt()));
  }
};

struct ForSymbols : SymbolicOpInterface::FallbackModel<ForSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto loop = cast<affine::AffineForOp>(op);
    inferCarried(symbols, loop.getInits(), loop.getRegionIterArgs(),
                 loop.getYieldedValues(), loop.getResults(), *loop.getBody());
  }
};

} // namespace

void registerAffineModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, affine::AffineDialect *) {
    attach<MapSymbols<affine::AffineApplyOp>, affine::AffineApplyOp>(context);
    attach<MapSymbols<affine::AffineMinOp>, affine::AffineMinOp>(context);
    attach<MapSymbols<affine::AffineMaxOp>, affine::AffineMaxOp>(context);
    attach<ForControl, affine::AffineForOp>(context);
    attach<ForSymbols, affine::AffineForOp>(context);
    attach<ElementLoadModel, affine::AffineLoadOp>(context);
    attach<ElementStoreModel, affine::AffineStoreOp>(context);
  });
}

} // namespace roofline::models
