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
    Type from = form.query.type().getElementType();
    return mapElements(
        l, RankedTensorType::get(form.query.type().getShape(), element),
        form.query.tensor, [&](OpBuilder &b, Location loc, ValueRange x) {
          Scalars s(b, loc, false);
          Value wide = s.cast(x[0], from, element);
          return s.mul(wide, s.like(wide, form.scale));
        });
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
    if (!form.mask && !form.hasPositions() && form.softcap == 0)
      return scores;
    Values inputs{scores};
    SmallVector<AffineMap> maps{l.b.getMultiDimIdentityMap(5)};
    if (form.mask) {
      maps.emplace_back();
      inputs.push_back(maskOfHeads(maps.back()));
    }
    unsigned at = inputs.size();
    if (form.hasPositions()) {
      inputs.push_back(positions(l, form.query.rows()));
      maps.push_back(ofDims(dim(3)));
      inputs.push_back(positions(l, form.key.rows()));
      maps.push_back(ofDims(dim(4)));
    }
    if (form.keyCount) {
      inputs.push_back(form.keyCount);
      maps.push_back(ofDims(dim(0)));
    }
    return mapThrough(
        l, type, inputs, maps, [&](OpBuilder &b, Location loc, ValueRange x) {
          Scalars s(b, loc, false);
          ScorePlace place;
          if (form.hasPositions()) {
            place.row = x[at];
            place.key = x[at + 1];
            place.offset = s.like(place.row, double(form.offset));
          }
          if (form.keyCount) {
            place.count = x[at + 2];
            if (form.alignsEnd)
              place.offset = s.sub(
                  place.count, s.like(place.row, double(form.query.rows())));
          }
          return maskedScore(s, form, x[0], form.mask ? x[1] : Value(), place);
        });
  }

  Value softmaxOf(Value scores) {
    AffineMap all = l.b.getMultiDimIdentityMap(5);
    AffineMap row = withoutAxes(l.b, 5, 4);
    Value most = reduceTo(
        l, scores, 4, element, leastScore,
        [](Scalars &s, Value x, Value acc) { return s.max(acc, x); }, false);
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
