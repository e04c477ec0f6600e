//===- Attention.cpp - attention with all scores in memory ----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "Contract.h"
#include "Reduce.h"
#include "Slices.h"

using namespace mlir;

namespace roofline::lowering {

Type scoreType(Lowering &l, const Attention &form) {
  return accumulatorType(form.query.type().getElementType(), l.b);
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value noScore(Scalars &s, Type type) {
  return s.number(type, -std::numeric_limits<double>::infinity());
}

Value leastScore(Scalars &s, Type type) {
  APFloat least = APFloat::getLargest(cast<FloatType>(type).getFloatSemantics(),
                                      /*Negative=*/true);
  return arith::ConstantOp::create(s.b, s.loc, FloatAttr::get(type, least));
}

/// The score where `condition` holds.
static Value keptIf(Scalars &s, Value condition, Value score) {
  return s.select(condition, score, noScore(s, score.getType()));
}

static Value compare(Scalars &s, arith::CmpIPredicate predicate, Value x,
                     Value y) {
  return arith::CmpIOp::create(s.b, s.loc, predicate, x, y);
}

Value maskedScore(Scalars &s, const Attention &form, Value score, Value mask,
                  const ScorePlace &place) {
  Type type = score.getType();
  if (form.softcap != 0)
    score = s.mul(s.tanh(s.mul(score, s.number(type, 1 / form.softcap))),
                  s.number(type, form.softcap));
  if (mask && mask.getType().isInteger(1)) {
    score = keptIf(s, mask, score);
  } else if (mask) {
    // Whatever the score was: ∞ − ∞ is no number.
    Value term = s.cast(mask, mask.getType(), type);
    score = s.select(s.equal(term, noScore(s, type)), term, s.add(score, term));
  }
  if (form.ahead || form.behind) {
    Value apart = s.sub(s.sub(place.key, place.row), place.offset);
    if (form.ahead)
      score = keptIf(s,
                     compare(s, arith::CmpIPredicate::sle, apart,
                             s.like(apart, double(*form.ahead))),
                     score);
    if (form.behind)
      score = keptIf(s,
                     compare(s, arith::CmpIPredicate::sge, apart,
                             s.like(apart, double(-*form.behind))),
                     score);
  }
  if (form.keyCount)
    score =
        keptIf(s, compare(s, arith::CmpIPredicate::slt, place.key, place.count),
               score);
  return score;
}

Value maskedScores(Lowering &l, const Attention &form, Value scores,
                   const ScoreReads &reads,
                   llvm::function_ref<void(Scalars &, ScorePlace &)> placed) {
  if (!reads.mask && !form.hasPositions() && form.softcap == 0)
    return scores;
  RankedTensorType type = typeOf(scores);
  Values inputs;
  SmallVector<AffineMap> maps;
  auto read = [&](Value tensor, AffineMap map) {
    inputs.push_back(tensor);
    maps.push_back(map);
    return inputs.size() - 1;
  };
  read(scores, l.b.getMultiDimIdentityMap(type.getRank()));
  size_t rowAt = 0, keyAt = 0, maskAt = 0, countAt = 0;
  if (form.hasPositions()) {
    rowAt = read(positions(l, reads.rows), reads.row);
    keyAt = read(positions(l, reads.keys), reads.key);
  }
  if (reads.mask)
    maskAt = read(reads.mask, reads.maskMap);
  if (reads.counts)
    countAt = read(reads.counts, reads.countMap);
  return mapThrough(
      l, type, inputs, maps, [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        ScorePlace place;
        if (countAt)
          place.count = x[countAt];
        if (rowAt) {
          place.row = x[rowAt];
          place.key = x[keyAt];
          placed(s, place);
        }
        return maskedScore(s, form, x[0], maskAt ? x[maskAt] : Value(), place);
      });
}

Value scaledQueries(Lowering &l, const Attention &form, Value rows,
                    ArrayRef<int64_t> shape, AffineMap map) {
  Type from = typeOf(rows).getElementType(), to = scoreType(l, form);
  return mapThrough(l, RankedTensorType::get(shape, to), rows, map,
                    [&](OpBuilder &b, Location loc, ValueRange x) {
                      Scalars s(b, loc, false);
                      Value wide = s.cast(x[0], from, to);
                      return s.mul(wide, s.like(wide, form.scale));
                    });
}

Value positions(Lowering &l, int64_t count) {
  SmallVector<int32_t> numbers =
      llvm::to_vector(llvm::seq<int32_t>(0, int32_t(count)));
  auto type = RankedTensorType::get({count}, l.b.getI32Type());
  return constantTensor(l, DenseElementsAttr::get(type, ArrayRef(numbers)));
}

Value reciprocals(Lowering &l, Value totals) {
  return mapElements(l, typeOf(totals), totals,
                     [](OpBuilder &b, Location loc, ValueRange x) {
                       Scalars s(b, loc, false);
                       Value zero = s.like(x[0], 0);
                       return s.select(s.equal(x[0], zero), zero,
                                       s.div(s.like(x[0], 1), x[0]));
                     });
}

//===----------------------------------------------------------------------===//
// All at once
//===----------------------------------------------------------------------===//

namespace {
/// Scores as [batch, heads of K, heads of Q that share it, queries, keys].
class AllScores {
public:
  AllScores(Lowering &l, const Attention &form)
      : l(l), form(form), element(scoreType(l, form)),
        type(RankedTensorType::get({form.query.batch(), form.key.heads(),
                                    form.sharing(), form.query.rows(),
                                    form.key.rows()},
                                   element)) {}

  Value run() {
    SmallVector<Factor> factors{
        {sharedHeads(scaledQuery(), form.query.size()),
         form.query.rowsFirst ? "bqhgd" : "bhgqd"},
        {form.key.tensor, form.key.rowsFirst ? "bkhd" : "bhkd"}};
    Value scores = masked(contraction(l, factors, "bhgqk", type));
    factors = {{softmaxOf(scores), "bhgqk"},
               {form.value.tensor, form.value.rowsFirst ? "bkhd" : "bhkd"}};
    return asResult(contraction(
        l, factors, form.query.rowsFirst ? "bqhgd" : "bhgqd",
        RankedTensorType::get(sharedShape(form.value.size()), element)));
  }

private:
  SmallVector<int64_t> sharedShape(int64_t size) const {
    ArrayRef<int64_t> t = type.getShape();
    if (form.query.rowsFirst)
      return {t[0], t[3], t[1], t[2], size};
    return {t[0], t[1], t[2], t[3], size};
  }
  Value sharedHeads(Value tensor, int64_t size) {
    return reshaped(l, tensor, withShape(typeOf(tensor), sharedShape(size)));
  }
  Value asResult(Value product) {
    SmallVector<int64_t> shape(form.query.type().getShape());
    shape.back() = form.value.size();
    Value whole = reshaped(l, product, RankedTensorType::get(shape, element));
    return castElements(l, whole, element, form.query.type().getElementType());
  }

  Value scaledQuery() {
    return scaledQueries(l, form, form.query.tensor,
                         form.query.type().getShape(),
                         l.b.getMultiDimIdentityMap(4));
  }

  AffineMap ofDims(ArrayRef<AffineExpr> dims) {
    return AffineMap::get(5, 0, dims, l.b.getContext());
  }
  AffineExpr dim(unsigned i) { return l.b.getAffineDimExpr(i); }

  /// The mask with the heads as the scores have them.
  Value maskOfHeads(AffineMap &map) {
    ArrayRef<int64_t> shape = typeOf(form.mask).getShape();
    bool perHead = shape[1] != 1;
    ArrayRef<int64_t> t = type.getShape();
    SmallVector<int64_t> split{shape[0], perHead ? t[1] : 1, perHead ? t[2] : 1,
                               shape[2], shape[3]};
    SmallVector<AffineExpr> dims;
    for (auto [i, size] : llvm::enumerate(split))
      dims.push_back(size == 1 ? l.b.getAffineConstantExpr(0) : dim(i));
    map = ofDims(dims);
    return reshaped(l, form.mask, withShape(typeOf(form.mask), split));
  }

  Value masked(Value scores) {
    ScoreReads reads{ofDims(dim(3)),
                     ofDims(dim(4)),
                     form.query.rows(),
                     form.key.rows(),
                     {},
                     {},
                     form.keyCount,
                     ofDims(dim(0))};
    if (form.mask)
      reads.mask = maskOfHeads(reads.maskMap);
    return maskedScores(
        l, form, scores, reads, [&](Scalars &s, ScorePlace &place) {
          place.offset =
              form.alignsEnd
                  ? s.sub(place.count,
                          s.like(place.row, double(form.query.rows())))
                  : s.like(place.row, double(form.offset));
        });
  }

  Value softmaxOf(Value scores) {
    AffineMap all = l.b.getMultiDimIdentityMap(5);
    AffineMap row = withoutAxes(l.b, 5, 4);
    Value most = reduceTo(
        l, scores, 4, element, leastScore,
        [](Scalars &s, Value x, Value acc) { return s.maxNumber(acc, x); },
        false);
    Value weights = mapThrough(l, type, {scores, most}, {all, row},
                               [](OpBuilder &b, Location loc, ValueRange x) {
                                 Scalars s(b, loc, false);
                                 return s.exp(s.sub(x[0], x[1]));
                               });
    Value total = reduceTo(
        l, weights, 4, element,
        [](Scalars &s, Type type) { return s.number(type, 0); },
        [](Scalars &s, Value x, Value acc) { return s.add(acc, x); }, false);
    return mapThrough(l, type, {weights, reciprocals(l, total)}, {all, row},
                      [](OpBuilder &b, Location loc, ValueRange x) {
                        return Scalars(b, loc, false).mul(x[0], x[1]);
                      });
  }

  Lowering &l;
  const Attention &form;
  Type element;
  RankedTensorType type;
};
} // namespace

Value attend(Lowering &l, const Attention &form) {
  return AllScores(l, form).run();
}

} // namespace roofline::lowering
