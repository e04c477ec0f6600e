//===- Integers.cpp - integer arithmetic on symbols -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"

using namespace mlir;

namespace roofline::models {

bool isNonNegative(const Expr &expr) {
  if (expr.isConstant())
    return expr.constant() >= 0;
  // Expressions are canonical: a maximum that is provably its operand is it.
  return expr.asSymbol() || Expr::max(expr, 0) == expr;
}

std::optional<bool> decideLess(const Expr &a, const Expr &b) {
  if (isNonNegative(a - b))
    return false;
  if (isNonNegative(b - a - 1))
    return true;
  return std::nullopt;
}

std::optional<bool> decideEqual(const Expr &a, const Expr &b) {
  if (a == b)
    return true;
  if (isNonNegative(a - b - 1) || isNonNegative(b - a - 1))
    return false;
  return std::nullopt;
}

Expr truncatingDiv(const Expr &a, const Expr &b) {
  if (a.isConstant() && b.isConstant() &&
      (a.constant() < 0) != (b.constant() < 0))
    return -Expr::floorDiv(a.constant() < 0 ? -a : a,
                           b.constant() < 0 ? -b : b);
  return Expr::floorDiv(a, b);
}

Expr truncatingRem(const Expr &a, const Expr &b) {
  if (a.isConstant() && b.isConstant())
    return a - b * truncatingDiv(a, b);
  return Expr::mod(a, b);
}

void inferBinary(
    Operation *op, SymbolMap &symbols,
    llvm::function_ref<std::optional<Expr>(const Expr &, const Expr &)>
        evaluate) {
  Value left = op->getOperand(0), right = op->getOperand(1);
  Value result = op->getResult(0);
  if (!isShaped(result.getType())) {
    std::optional<Expr> a = scalarOf(symbols, left),
                        b = scalarOf(symbols, right);
    if (a && b)
      if (std::optional<Expr> value = evaluate(*a, *b))
        symbols.setScalar(result, *value);
    return;
  }
  if (auto dims = symbols.dims(left))
    symbols.setDims(result, *dims);
  auto a = symbols.elements(left), b = symbols.elements(right);
  if (!a || !b || a->size() != b->size())
    return;
  SmallVector<std::optional<Expr>, 4> elements(a->size());
  for (size_t i = 0; i != a->size(); ++i)
    if ((*a)[i] && (*b)[i])
      elements[i] = evaluate(*(*a)[i], *(*b)[i]);
  symbols.setElements(result, elements);
}

} // namespace roofline::models
