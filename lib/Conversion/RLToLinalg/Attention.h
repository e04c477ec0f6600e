//===- Attention.h - attention, all at once or by blocks --------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kinds of attention that models have come down to, and the two ways
// to compute it: all scores in memory, or a block of them at a time.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_ATTENTION_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_ATTENTION_H

#include "Scalars.h"

namespace roofline::lowering {

/// The rows of several heads: [batch, heads, rows, size], or
/// [batch, rows, heads, size].
struct Heads {
  mlir::Value tensor;
  bool rowsFirst = false;

  mlir::RankedTensorType type() const {
    return mlir::cast<mlir::RankedTensorType>(tensor.getType());
  }
  int64_t batch() const { return type().getDimSize(0); }
  int64_t heads() const { return type().getDimSize(rowsFirst ? 2 : 1); }
  int64_t rows() const { return type().getDimSize(rowsFirst ? 1 : 2); }
  int64_t size() const { return type().getDimSize(3); }
};

/// softmax(cap(scale·Q·Kᵀ) + mask)·V, for each head; several heads of Q may
/// share one of K and V.
struct Attention {
  Heads query, key, value;
  double scale = 1;
  double softcap = 0; ///< 0 for none
  /// [batch or 1, heads or 1, queries or 1, keys]: floats that are added, or
  /// bools that say which keys count. May be null.
  mlir::Value mask;
  /// Query i stands at position `offset + i` among the keys and sees those from
  /// `behind` before it to `ahead` after it.
  std::optional<int64_t> ahead, behind;
  int64_t offset = 0;
  /// [batch] of i32: how many keys count; null for all of them. With
  /// `alignsEnd` the last query stands at the last one that does.
  mlir::Value keyCount;
  bool alignsEnd = false;

  int64_t sharing() const { return query.heads() / key.heads(); }
  bool hasPositions() const { return ahead || behind || keyCount; }
};

/// Scores are summed in this.
mlir::Type scoreType(Lowering &l, const Attention &form);

/// Where a score stands, as i32: the query's row and the key, the sample's
/// number of keys that count and where its first query stands.
struct ScorePlace {
  mlir::Value row, key, count, offset;
};

/// A score as the softmax takes it: capped, masked; −∞ where the key doesn't
/// count. `mask` is null or the mask's element.
mlir::Value maskedScore(Scalars &s, const Attention &form, mlir::Value score,
                        mlir::Value mask, const ScorePlace &place);

/// −∞: the score of a key that doesn't count.
mlir::Value noScore(Scalars &s, mlir::Type type);

/// What maxima of scores start from. Not −∞: a difference of two of them is no
/// number.
mlir::Value leastScore(Scalars &s, mlir::Type type);

/// Where the loops over some scores read what decides about them.
struct ScoreReads {
  mlir::AffineMap row, key; ///< to the row and the key among those of the loops
  int64_t rows, keys;       ///< how many those are
  mlir::Value mask;         ///< null, or a tensor read through
  mlir::AffineMap maskMap;  ///< this map
  mlir::Value counts;       ///< null, or `ScorePlace::count`s read through
  mlir::AffineMap countMap; ///< this one
};

/// Scores through `maskedScore`. `placed` is given the row and the key as the
/// loops count them, and the count where one is read.
mlir::Value
maskedScores(Lowering &l, const Attention &form, mlir::Value scores,
             const ScoreReads &reads,
             llvm::function_ref<void(Scalars &, ScorePlace &)> placed);

/// Queries times the scale, in the scores' type: a tensor of `shape` that reads
/// them through `map`.
mlir::Value scaledQueries(Lowering &l, const Attention &form, mlir::Value rows,
                          llvm::ArrayRef<int64_t> shape, mlir::AffineMap map);

/// 0, 1, … as i32.
mlir::Value positions(Lowering &l, int64_t count);

/// 1 / x for the sums of rows, once a row, since a division takes as long as
/// ten multiplications; 0 for that of a row without keys.
mlir::Value reciprocals(Lowering &l, mlir::Value totals);

/// All scores at once. The result has the query's layout and elements; a row
/// that sees no key is 0.
mlir::Value attend(Lowering &l, const Attention &form);

/// The same by blocks of queries and keys with a running maximum and sum of
/// each row (Dao et al., FlashAttention, 2022): memory for one block of scores.
mlir::Value attendByBlocks(Lowering &l, const Attention &form);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_ATTENTION_H
