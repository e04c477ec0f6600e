//===- LowerEmbedding.cpp - rows of tables, added and normalised ----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Norm.h"
#include "Reduce.h"
#include "Rules.h"
#include "Slices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace roofline::lowering {

namespace {
/// A table [rows, width] and which rows are picked, [batch, tokens]; null for
/// those of the tokens' positions.
struct Table {
  Value rows, picks;
};
} // namespace

/// The sum of the rows that each token picks: [batch, tokens, width].
static Value summedRows(Lowering &l, ArrayRef<Table> tables,
                        RankedTensorType type) {
  MLIRContext *context = l.b.getContext();
  AffineExpr batch = l.b.getAffineDimExpr(0), token = l.b.getAffineDimExpr(1);
  Values picks;
  SmallVector<AffineMap> maps;
  for (const Table &table : tables) {
    if (!table.picks)
      continue;
    picks.push_back(table.picks);
    // Position ids may be the same for the whole batch.
    bool repeats = typeOf(table.picks).getDimSize(0) == 1;
    maps.push_back(AffineMap::get(
        3, 0, {repeats ? l.b.getAffineConstantExpr(0) : batch, token},
        context));
  }
  Type element = accumulatorType(type.getElementType(), l.b);
  return mapThrough(
      l, type, picks, maps, [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        Value column = linalg::IndexOp::create(b, loc, 2), sum;
        unsigned next = 0;
        for (const Table &table : tables) {
          Value row = table.picks ? x[next++]
                                  : Value(linalg::IndexOp::create(b, loc, 1));
          int64_t count = typeOf(table.rows).getDimSize(0);
          Value term =
              widened(s,
                      elementAt(b, loc, table.rows,
                                {indexInto(b, loc, row, count), column}),
                      element);
          sum = sum ? s.add(sum, term) : term;
        }
        return s.cast(sum, element, type.getElementType());
      });
}

/// How many of each row of a mask are set; 0 where there is none.
static Value countOfMask(Lowering &l, RankedTensorType type) {
  Value mask = l.operand(7);
  if (!mask)
    return zeroOf(l, type);
  return reduceTo(
      l, mask, 1, type.getElementType(),
      [](Scalars &s, Type type) { return s.number(type, 0); },
      [](Scalars &s, Value x, Value acc) { return s.add(acc, x); }, false);
}

/// Whether a table's rows are as wide as the result and picks, if there are
/// any, are an integer for each token.
static bool fits(const Table &table, RankedTensorType type) {
  if (typeOf(table.rows).getRank() != 2 ||
      typeOf(table.rows).getDimSize(1) != type.getDimSize(2))
    return false;
  if (!table.picks)
    return true;
  RankedTensorType picks = typeOf(table.picks);
  return picks.getElementType().isInteger() && picks.getRank() == 2 &&
         picks.getDimSize(1) == type.getDimSize(1) &&
         (picks.getDimSize(0) == 1 ||
          picks.getDimSize(0) == type.getDimSize(0));
}

/// input_ids, segment_ids, word, position and segment embeddings, gamma, beta,
/// mask, position_ids.
static FailureOr<Values> lowerEmbedLayerNorm(Lowering &l) {
  RankedTensorType type = l.resultType();
  Value ids = l.operand(0), segments = l.operand(1);
  if (!ids || !l.operand(2) || !l.operand(3) || type.getRank() != 3 ||
      (segments && !l.operand(4)))
    return l.unsupported(
        "an embedding of " +
        l.operandList({"input_ids", "segment_ids", "word_embedding",
                       "position_embedding", "segment_embedding"}));
  // A mask holds 0 and 1, as integers.
  if (Value mask = l.operand(7);
      mask && (!typeOf(mask).getElementType().isInteger() ||
               typeOf(mask).getShape() != type.getShape().drop_back()))
    return l.unsupported("a mask that isn't an integer for each token: " +
                         described("mask", mask));
  SmallVector<Table> tables{{l.operand(2), ids}, {l.operand(3), l.operand(8)}};
  if (segments)
    tables.push_back({l.operand(4), segments});
  if (!llvm::all_of(tables,
                    [&](const Table &table) { return fits(table, type); }))
    return l.unsupported(
        "tables that don't fit: " +
        l.operandList({"input_ids", "segment_ids", "word_embedding",
                       "position_embedding", "segment_embedding", "", "", "",
                       "position_ids"}));
  for (unsigned i : {5, 6})
    if (l.operand(i) &&
        l.operandType(i).getShape() != ArrayRef(type.getDimSize(2)))
      return l.unsupported("a scale or a bias of another width");
  Value sum = summedRows(l, tables, type);
  Values results;
  for (unsigned i = 0; i < l.numResults(); ++i) {
    unsigned number = l.resultNumber(i);
    results.push_back(number == 0
                          ? layerNorm(l, sum, l.operand(5), l.operand(6),
                                      l.real("epsilon", 1e-12))
                      : number == 1 ? countOfMask(l, l.resultType(i))
                                    : sum);
  }
  return results;
}

void addEmbeddingRules(RuleTable &table) {
  table["rl.fused:EmbedLayerNormalization"] = lowerEmbedLayerNorm;
}

} // namespace roofline::lowering
