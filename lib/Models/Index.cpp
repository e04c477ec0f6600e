//===- Index.cpp - integers of the index dialect --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "Models.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace roofline::models {
namespace {

struct IndexSymbols : SymbolicOpInterface::FallbackModel<IndexSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    inferBinary(op, symbols, [&](const Expr &a, const Expr &b) {
      return evaluate(op, a, b);
    });
  }

  static std::optional<Expr> evaluate(Operation *op, const Expr &a,
                                      const Expr &b) {
    if (isa<index::AddOp>(op))
      return a + b;
    if (isa<index::SubOp>(op))
      return a - b;
    if (isa<index::MulOp>(op))
      return a * b;
    if (isa<index::DivSOp, index::DivUOp>(op))
      return truncatingDiv(a, b);
    if (isa<index::FloorDivSOp>(op))
      return Expr::floorDiv(a, b);
    if (isa<index::CeilDivSOp, index::CeilDivUOp>(op))
      return Expr::ceilDiv(a, b);
    if (isa<index::RemSOp, index::RemUOp>(op))
      return truncatingRem(a, b);
    if (isa<index::MaxSOp, index::MaxUOp>(op))
      return Expr::max(a, b);
    if (isa<index::MinSOp, index::MinUOp>(op))
      return Expr::min(a, b);
    if (isa<index::ShlOp>(op))
      return shiftLeft(a, b);
    return std::nullopt;
  }
};

struct ConstantSymbols : SymbolicOpInterface::FallbackModel<ConstantSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    if (std::optional<Expr> value = scalarOf(symbols, op->getResult(0)))
      symbols.setScalar(op->getResult(0), *value);
  }
};

} // namespace

void registerIndexModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, index::IndexDialect *) {
    attach<IndexSymbols, index::AddOp, index::SubOp, index::MulOp,
           index::DivSOp, index::DivUOp, index::FloorDivSOp, index::CeilDivSOp,
           index::CeilDivUOp, index::RemSOp, index::RemUOp, index::MaxSOp,
           index::MaxUOp, index::MinSOp, index::MinUOp, index::ShlOp>(context);
    attach<ConstantSymbols, index::ConstantOp, index::BoolConstantOp>(context);
    attach<SameShapeModel, index::CastSOp, index::CastUOp>(context);
  });
}

} // namespace roofline::models
