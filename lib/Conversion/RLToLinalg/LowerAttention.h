//===- LowerAttention.h - what rules of attention share ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_LOWERATTENTION_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_LOWERATTENTION_H

#include "Attention.h"

namespace roofline::lowering {

/// [batch, rows, count·size] as heads; none where that doesn't divide.
Heads packedHeads(Lowering &l, mlir::Value tensor, int64_t count);
/// The same as [batch, heads, rows, size].
Heads headsFirst(Lowering &l, const Heads &heads);
/// Whether a cache may be null or holds rows of such heads.
bool isCacheOf(mlir::Value past, const Heads &heads);
/// Behind what a cache holds, if there is one; heads first.
Heads withPast(Lowering &l, mlir::Value past, const Heads &heads);

/// A mask of up to four dimensions, the missing ones in front; one of more as
/// it is.
mlir::Value asFourDims(Lowering &l, mlir::Value mask);

/// com.microsoft: which keys count (operand `index`) and what is added to the
/// scores (operand `bias`), as the form's mask (LowerMicrosoftAttention.cpp).
mlir::LogicalResult readMasks(Lowering &l, unsigned index, unsigned bias,
                              Attention &form);

/// By blocks, or all at once where the options or the shapes ask for that.
llvm::FailureOr<mlir::Value> lowerAttention(Lowering &l, Attention form);

/// Y, then the keys and values with what the cache holds, as far as they are
/// results.
llvm::FailureOr<Values> lowerWithPresent(Lowering &l, const Attention &form);

/// com.microsoft: the factor on the scores, 1 / √size for 0.
void readScale(Lowering &l, Attention &form);

/// com.microsoft's op (LowerMicrosoftAttention.cpp).
llvm::FailureOr<Values> lowerMicrosoftAttention(Lowering &l);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_LOWERATTENTION_H
