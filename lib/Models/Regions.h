//===- Regions.h - shapes through control flow ------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_MODELS_REGIONS_H
#define ROOFLINE_LIB_MODELS_REGIONS_H

#include "Models.h"

namespace roofline::models {

/// Infers what a block's ops say, in order.
void inferBlock(mlir::Block &block, SymbolMap &symbols);

/// Values carried around a loop: each starts as `inits`, is `arguments` inside
/// and `yielded` by one trip, and leaves as `results`. Those whose dimensions a
/// trip doesn't change have their start's; others stay unknown.
void inferCarried(SymbolMap &symbols, mlir::ValueRange inits,
                  mlir::ValueRange arguments, mlir::ValueRange yielded,
                  mlir::ValueRange results, mlir::Block &body);

/// The results of a branch: those of the region that runs, else what both agree
/// on.
void inferBranch(SymbolMap &symbols, mlir::Operation *op,
                 std::optional<unsigned> taken);

/// The region that a branch takes: the first where the condition holds, the
/// second where it doesn't.
std::optional<unsigned> takenRegion(const std::optional<Expr> &condition);

/// How often a counted loop runs: ⌈(upper - lower) / step⌉, never negative.
std::optional<Expr> countedTrips(const std::optional<Expr> &lower,
                                 const std::optional<Expr> &upper,
                                 const std::optional<Expr> &step);

/// Loop or Branch that neither counts nor knows; models override what they do.
template <typename Model, ControlKind kind>
struct ControlModel : ControlOpInterface::FallbackModel<Model> {
  ControlKind getControlKind(mlir::Operation *) const { return kind; }
  std::optional<Expr> getTrips(mlir::Operation *, const CostContext &) const {
    return std::nullopt;
  }
  std::optional<unsigned> getTakenRegion(mlir::Operation *,
                                         const CostContext &) const {
    return std::nullopt;
  }
  bool isTripCountUpperBound(mlir::Operation *) const { return false; }
};

/// A scope that runs once.
struct ScopeModel : ControlModel<ScopeModel, ControlKind::Loop> {
  std::optional<Expr> getTrips(mlir::Operation *, const CostContext &) const {
    return Expr(1);
  }
};

/// A loop whose trips nothing tells.
struct UnknownLoopModel : ControlModel<UnknownLoopModel, ControlKind::Loop> {};

} // namespace roofline::models

#endif // ROOFLINE_LIB_MODELS_REGIONS_H
