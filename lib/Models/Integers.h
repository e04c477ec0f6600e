//===- Integers.h - integer arithmetic on symbols ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_MODELS_INTEGERS_H
#define ROOFLINE_LIB_MODELS_INTEGERS_H

#include "Models.h"

namespace roofline::models {

/// a << b for a known b.
inline std::optional<Expr> shiftLeft(const Expr &a, const Expr &b) {
  std::optional<int64_t> bits = b.asInt64();
  if (!bits || *bits < 0 || *bits > 62)
    return std::nullopt;
  return a * Expr(int64_t(1) << *bits);
}

/// Whether `expr` is at least 0 for all sizes, as far as can be seen.
bool isNonNegative(const Expr &expr);
std::optional<bool> decideLess(const Expr &a, const Expr &b);
std::optional<bool> decideEqual(const Expr &a, const Expr &b);

/// ⌊a / b⌋ rounded towards zero where both are known numbers; sizes are never
/// negative, so that for them it is the floor.
Expr truncatingDiv(const Expr &a, const Expr &b);
Expr truncatingRem(const Expr &a, const Expr &b);

/// Applies `evaluate` to two known scalars; on tensors, takes the shape over
/// and evaluates element by element where both are known.
void inferBinary(
    mlir::Operation *op, SymbolMap &symbols,
    llvm::function_ref<std::optional<Expr>(const Expr &, const Expr &)>
        evaluate);

} // namespace roofline::models

#endif // ROOFLINE_LIB_MODELS_INTEGERS_H
