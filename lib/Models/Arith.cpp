//===- Arith.cpp - cost models for arith ----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "Integers.h"
#include "Models.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace roofline::models {
namespace {

using Maybe = std::optional<Expr>;

struct ConstantSymbols : SymbolicOpInterface::FallbackModel<ConstantSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto constant = cast<arith::ConstantOp>(op);
    if (auto elements = constantElements(constant.getValue()))
      symbols.setElements(constant, *elements);
    else if (Maybe value = scalarOf(symbols, constant.getResult()))
      symbols.setScalar(constant, *value);
  }
};

struct BinarySymbols : SymbolicOpInterface::FallbackModel<BinarySymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    inferBinary(op, symbols, [&](const Expr &a, const Expr &b) {
      return evaluate(op, a, b);
    });
  }

  static Maybe evaluate(Operation *op, const Expr &a, const Expr &b) {
    if (isa<arith::AddIOp>(op))
      return a + b;
    if (isa<arith::SubIOp>(op))
      return a - b;
    if (isa<arith::MulIOp>(op))
      return a * b;
    if (isa<arith::DivSIOp, arith::DivUIOp>(op))
      return truncatingDiv(a, b);
    if (isa<arith::FloorDivSIOp>(op))
      return Expr::floorDiv(a, b);
    if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
      return Expr::ceilDiv(a, b);
    if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      return truncatingRem(a, b);
    if (isa<arith::MinSIOp, arith::MinUIOp>(op))
      return Expr::min(a, b);
    if (isa<arith::MaxSIOp, arith::MaxUIOp>(op))
      return Expr::max(a, b);
    if (isa<arith::ShLIOp>(op))
      return shiftLeft(a, b);
    return logic(op, a, b);
  }

  /// On truth values, 0 or 1.
  static Maybe logic(Operation *op, const Expr &a, const Expr &b) {
    if (!op->getResult(0).getType().isInteger(1))
      return std::nullopt;
    if (isa<arith::AndIOp>(op))
      return a * b;
    if (isa<arith::OrIOp>(op))
      return a + b - a * b;
    if (isa<arith::XOrIOp>(op))
      return a + b - a * b * 2;
    return std::nullopt;
  }
};

/// One known side may settle `and` and `or`.
struct LogicSymbols : SymbolicOpInterface::FallbackModel<LogicSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    if (op->getResult(0).getType().isInteger(1)) {
      Expr deciding = isa<arith::AndIOp>(op) ? 0 : 1;
      for (Value operand : op->getOperands())
        if (scalarOf(symbols, operand) == deciding)
          return symbols.setScalar(op->getResult(0), deciding);
    }
    BinarySymbols().inferSymbols(op, symbols);
  }
};

struct CompareSymbols : SymbolicOpInterface::FallbackModel<CompareSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto compare = cast<arith::CmpIOp>(op);
    inferBinary(op, symbols, [&](const Expr &a, const Expr &b) -> Maybe {
      if (std::optional<bool> truth = decide(compare.getPredicate(), a, b))
        return Expr(*truth ? 1 : 0);
      return std::nullopt;
    });
  }

  static std::optional<bool> decide(arith::CmpIPredicate predicate,
                                    const Expr &a, const Expr &b) {
    auto negate = [](std::optional<bool> truth) -> std::optional<bool> {
      if (!truth)
        return std::nullopt;
      return !*truth;
    };
    switch (predicate) {
    case arith::CmpIPredicate::eq:
      return decideEqual(a, b);
    case arith::CmpIPredicate::ne:
      return negate(decideEqual(a, b));
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::ult:
      return decideLess(a, b);
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::ugt:
      return decideLess(b, a);
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::ule:
      return negate(decideLess(b, a));
    case arith::CmpIPredicate::sge:
    case arith::CmpIPredicate::uge:
      return negate(decideLess(a, b));
    }
    return std::nullopt;
  }
};

struct SelectSymbols : SymbolicOpInterface::FallbackModel<SelectSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto select = cast<arith::SelectOp>(op);
    Value result = select.getResult();
    if (isShaped(result.getType())) {
      if (auto dims = symbols.dims(select.getTrueValue()))
        symbols.setDims(result, *dims);
      return;
    }
    Maybe yes = scalarOf(symbols, select.getTrueValue());
    Maybe no = scalarOf(symbols, select.getFalseValue());
    Maybe condition = scalarOf(symbols, select.getCondition());
    if (condition && condition->isConstant()) {
      if (const Maybe &taken = condition->isZero() ? no : yes)
        symbols.setScalar(result, *taken);
    } else if (yes && no && *yes == *no) {
      symbols.setScalar(result, *yes);
    } else if (Maybe extremum = minOrMax(select, symbols, yes, no)) {
      symbols.setScalar(result, *extremum);
    }
  }

  /// The lesser or the greater of two, spelled as a comparison and a choice.
  static Maybe minOrMax(arith::SelectOp select, const SymbolMap &symbols,
                        const Maybe &yes, const Maybe &no) {
    auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || !yes || !no)
      return std::nullopt;
    Maybe left = scalarOf(symbols, compare.getLhs());
    Maybe right = scalarOf(symbols, compare.getRhs());
    bool same = left == yes && right == no;
    if (!same && !(left == no && right == yes))
      return std::nullopt;
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::ult:
    case arith::CmpIPredicate::ule:
      return same ? Expr::min(*yes, *no) : Expr::max(*yes, *no);
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::sge:
    case arith::CmpIPredicate::ugt:
    case arith::CmpIPredicate::uge:
      return same ? Expr::max(*yes, *no) : Expr::min(*yes, *no);
    default:
      return std::nullopt;
    }
  }
};

/// A signed extension of a truth value is 0 or -1.
struct ExtSSymbols : SymbolicOpInterface::FallbackModel<ExtSSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    Value operand = op->getOperand(0);
    Maybe value = scalarOf(symbols, operand);
    if (value && operand.getType().isInteger(1))
      return symbols.setScalar(op->getResult(0), -*value);
    SameShapeModel().inferSymbols(op, symbols);
  }
};

} // namespace

void registerArithModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (name.getDialectNamespace() == "arith" &&
          name.getStringRef() != arith::ConstantOp::getOperationName())
        name.attachInterface<ElementwiseModel>();
    attach<FreeModel, arith::ConstantOp>(context);

    attach<ConstantSymbols, arith::ConstantOp>(context);
    attach<BinarySymbols, arith::AddIOp, arith::SubIOp, arith::MulIOp,
           arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
           arith::CeilDivSIOp, arith::CeilDivUIOp, arith::RemSIOp,
           arith::RemUIOp, arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp,
           arith::MaxUIOp, arith::ShLIOp, arith::XOrIOp>(context);
    attach<LogicSymbols, arith::AndIOp, arith::OrIOp>(context);
    attach<CompareSymbols, arith::CmpIOp>(context);
    attach<SelectSymbols, arith::SelectOp>(context);
    attach<ExtSSymbols, arith::ExtSIOp>(context);
    attach<SameShapeModel, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
           arith::IndexCastUIOp, arith::AddFOp, arith::SubFOp, arith::MulFOp,
           arith::DivFOp, arith::RemFOp, arith::NegFOp, arith::MaximumFOp,
           arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp, arith::CmpFOp,
           arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
           arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp>(context);
  });
}

} // namespace roofline::models
