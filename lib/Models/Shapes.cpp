//===- Shapes.cpp - symbolic shape arithmetic -----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"

using namespace mlir;

namespace roofline::models {

void copyDims(SymbolMap &symbols, Value from, Value to) {
  if (std::optional<MaybeDims> dims = symbols.dims(from))
    symbols.setDims(to, *dims);
}

MaybeDims sizesOf(const SymbolMap &symbols, ArrayRef<OpFoldResult> sizes) {
  MaybeDims dims;
  for (OpFoldResult size : sizes)
    dims.push_back(scalarOf(symbols, size));
  return dims;
}

MaybeExpr product(ArrayRef<MaybeExpr> dims) {
  Expr result = 1;
  for (const MaybeExpr &dim : dims) {
    if (!dim)
      return std::nullopt;
    result *= *dim;
  }
  return result;
}

Expr quotient(const Expr &total, const Expr &known) {
  if (std::optional<Expr> exact = Expr::exactQuotient(total, known))
    return *exact;
  return Expr::floorDiv(total, known);
}

MaybeDims reshapedDims(const MaybeDims &source, ArrayRef<MaybeExpr> target) {
  MaybeDims dims(target.begin(), target.end());
  std::optional<unsigned> inferred;
  Expr known = 1;
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    if (dim && *dim != Expr(-1)) {
      known *= *dim;
      continue;
    }
    if (inferred) { // two that aren't known: nothing follows
      for (MaybeExpr &each : dims)
        if (each && *each == Expr(-1))
          each = std::nullopt;
      return dims;
    }
    inferred = axis;
  }
  if (inferred) {
    MaybeExpr total = product(source);
    dims[*inferred] = total ? MaybeExpr(quotient(*total, known)) : std::nullopt;
  }
  return dims;
}

/// One dimension of two that are equal, or of which one is 1.
static MaybeExpr broadcastDim(const MaybeExpr &a, const MaybeExpr &b) {
  if (a && a->isConstant() && *a != Expr(1))
    return a;
  if (b && b->isConstant() && *b != Expr(1))
    return b;
  if (a && *a == Expr(1))
    return b;
  if (b && *b == Expr(1))
    return a;
  if (a && b && *a == *b)
    return a;
  return std::nullopt;
}

MaybeDims broadcastDims(const MaybeDims &a, const MaybeDims &b) {
  MaybeDims dims(std::max(a.size(), b.size()));
  for (size_t i = 0; i != dims.size(); ++i) {
    MaybeExpr one(1);
    const MaybeExpr &left = i < a.size() ? a[a.size() - 1 - i] : one;
    const MaybeExpr &right = i < b.size() ? b[b.size() - 1 - i] : one;
    dims[dims.size() - 1 - i] = broadcastDim(left, right);
  }
  return dims;
}

MaybeExpr evaluate(AffineExpr expr, ArrayRef<MaybeExpr> dims,
                   ArrayRef<MaybeExpr> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Expr(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  MaybeExpr a = evaluate(binary.getLHS(), dims, symbols);
  MaybeExpr b = evaluate(binary.getRHS(), dims, symbols);
  if (!a || !b)
    return std::nullopt;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return *a + *b;
  case AffineExprKind::Mul:
    return *a * *b;
  case AffineExprKind::FloorDiv:
    return Expr::floorDiv(*a, *b);
  case AffineExprKind::CeilDiv:
    return Expr::ceilDiv(*a, *b);
  case AffineExprKind::Mod:
    return Expr::mod(*a, *b);
  default:
    return std::nullopt;
  }
}

MaybeDims collapsedDims(const MaybeDims &source,
                        ArrayRef<SmallVector<int64_t, 2>> groups) {
  MaybeDims dims;
  for (ArrayRef<int64_t> group : groups) {
    MaybeDims factors;
    for (int64_t axis : group)
      factors.push_back(source[axis]);
    dims.push_back(product(factors));
  }
  return dims;
}

} // namespace roofline::models
