//===- AttentionBlocks.cpp - attention a block of scores at a time --------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a block of queries, block after block of keys: their scores S, the rows'
// greatest scores so far m, the weights exp(S − m), their sums and the weighted
// sum of the values. Where m has grown, what was summed before is scaled by
// exp(m_before − m). (Dao, Fu, Ermon, Rudra, Ré: FlashAttention, 2022; Milakov,
// Gimelshein: Online normalizer calculation for softmax, 2018.)
//
// Where there are as many queries as a vector has lanes, scores lie as
// [keys, queries]: maxima and sums of rows are then vectors, nothing is reduced
// across lanes, and both products read their operands as they lie.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "Contract.h"
#include "Slices.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

constexpr int64_t mostQueries = 64, mostKeys = 128;
/// Fewer queries lie beside the keys.
constexpr int64_t fewQueries = 16;

/// A block of queries of one head.
struct QueryBlock {
  Value sample, head, keyHead; ///< which, as indices
  Value start;                 ///< its first row
  int64_t rows;
  Value query;         ///< scaled; [size, rows], or [rows, size] for few
  Value count, offset; ///< see ScorePlace
};

class Blocks {
public:
  Blocks(Lowering &l, const Attention &form)
      : l(l), b(l.b), form(form), element(scoreType(l, form)),
        queries(form.query.rows()), keys(form.key.rows()),
        size(form.query.size()), valueSize(form.value.size()),
        lanesAreQueries(queries >= fewQueries) {}

  Value run() {
    Value result =
        emptyTensor(l, RankedTensorType::get(
                           resultShape(), form.query.type().getElementType()));
    int64_t count = form.query.batch() * form.query.heads();
    return forEach(count, result, [&](Value i, Value all) {
      QueryBlock block{};
      int64_t heads = form.query.heads();
      bool isOne = form.query.batch() == 1;
      block.sample = isOne ? index(0) : div(i, heads);
      block.head =
          isOne ? i : b.createOrFold<arith::RemUIOp>(l.loc, i, index(heads));
      block.keyHead = div(block.head, form.sharing());
      placeSample(block);
      Box box = boxOf(form.query.rowsFirst, block.sample, block.head, index(0),
                      queries, valueSize);
      return std::pair(oneHead(block, slice(all, box, {queries, valueSize})),
                       box);
    });
  }

private:
  struct Box {
    SmallVector<OpFoldResult> offsets, sizes, strides;
  };

  /// The sums of a block of queries so far.
  struct State {
    Value sum;   ///< of weighted values; [value size, rows] or [rows, …]
    Value most;  ///< the greatest score of each row
    Value total; ///< the sum of each row's weights
  };

  //===--------------------------------------------------------------------===//
  // Indices and loops
  //===--------------------------------------------------------------------===//

  Value index(int64_t value) { return indexValue(b, l.loc, value); }
  Value add(Value x, Value y) {
    return b.createOrFold<arith::AddIOp>(l.loc, x, y);
  }
  Value mul(Value x, int64_t factor) {
    return b.createOrFold<arith::MulIOp>(l.loc, x, index(factor));
  }
  Value div(Value x, int64_t by) {
    return b.createOrFold<arith::DivUIOp>(l.loc, x, index(by));
  }
  Value asInteger(Value index) {
    return b.createOrFold<arith::IndexCastOp>(l.loc, b.getI32Type(), index);
  }

  /// What `body` computes for each index, put where it says. No index needs
  /// what another does: threads may share them.
  Value forEach(int64_t count, Value result,
                llvm::function_ref<std::pair<Value, Box>(Value, Value)> body) {
    if (count == 1) {
      auto [part, box] = body(index(0), result);
      return tensor::InsertSliceOp::create(b, l.loc, part, result, box.offsets,
                                           box.sizes, box.strides);
    }
    auto loop = scf::ForallOp::create(
        b, l.loc, ArrayRef<OpFoldResult>{b.getIndexAttr(count)},
        ValueRange(result), std::nullopt);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getTerminator());
    Value all = loop.getRegionIterArgs()[0];
    auto [part, box] = body(loop.getInductionVar(0), all);
    b.setInsertionPointToStart(loop.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(b, l.loc, part, all, box.offsets,
                                          box.sizes, box.strides);
    return loop.getResult(0);
  }

  Value loop(int64_t count, Value carried,
             llvm::function_ref<Value(Value, Value)> body) {
    if (count == 1)
      return body(index(0), carried);
    return loopOver(l, {count}, carried,
                    [&](OpBuilder &, Location, ValueRange at, ValueRange now) {
                      return Values{body(at[0], now[0])};
                    })[0];
  }

  //===--------------------------------------------------------------------===//
  // Boxes of the operands
  //===--------------------------------------------------------------------===//

  SmallVector<int64_t> resultShape() const {
    SmallVector<int64_t> shape(form.query.type().getShape());
    shape.back() = valueSize;
    return shape;
  }

  /// `rows` rows of one head.
  Box boxOf(bool rowsFirst, Value sample, Value head, Value start, int64_t rows,
            int64_t size) {
    Box box;
    box.offsets = {getAsOpFoldResult(sample), getAsOpFoldResult(head),
                   getAsOpFoldResult(start), b.getIndexAttr(0)};
    box.sizes = {b.getIndexAttr(1), b.getIndexAttr(1), b.getIndexAttr(rows),
                 b.getIndexAttr(size)};
    box.strides.assign(4, b.getIndexAttr(1));
    if (rowsFirst) {
      std::swap(box.offsets[1], box.offsets[2]);
      std::swap(box.sizes[1], box.sizes[2]);
    }
    return box;
  }
  Value slice(Value tensor, const Box &box, ArrayRef<int64_t> shape) {
    return tensor::ExtractSliceOp::create(
        b, l.loc, withShape(typeOf(tensor), shape), tensor, box.offsets,
        box.sizes, box.strides);
  }
  Value rowsOf(const Heads &heads, Value sample, Value head, Value start,
               int64_t rows) {
    return slice(
        heads.tensor,
        boxOf(heads.rowsFirst, sample, head, start, rows, heads.size()),
        {rows, heads.size()});
  }

  //===--------------------------------------------------------------------===//
  // Queries
  //===--------------------------------------------------------------------===//

  /// How many of the sample's keys count, and where its queries begin.
  void placeSample(QueryBlock &block) {
    block.offset = scalar(b, l.loc, b.getI32Type(), double(form.offset));
    if (!form.keyCount)
      return;
    block.count = elementAt(b, l.loc, form.keyCount, block.sample);
    if (form.alignsEnd)
      block.offset = arith::SubIOp::create(
          b, l.loc, block.count,
          scalar(b, l.loc, b.getI32Type(), double(queries)));
  }

  Value oneHead(QueryBlock block, Value result) {
    int64_t rows = std::min(queries, mostQueries), whole = queries / rows;
    result = loop(whole, result, [&](Value i, Value inner) {
      block.start = mul(i, rows);
      block.rows = rows;
      return oneBlock(block, inner);
    });
    if (whole * rows == queries)
      return result;
    block.start = index(whole * rows);
    block.rows = queries - whole * rows;
    return oneBlock(block, result);
  }

  /// The maps from the dimensions of a tile, [queries, other] or the other way
  /// round, to a number of each.
  AffineMap ofQuery() {
    return AffineMap::get(2, 0, b.getAffineDimExpr(lanesAreQueries ? 1 : 0));
  }
  AffineMap ofOther() {
    return AffineMap::get(2, 0, b.getAffineDimExpr(lanesAreQueries ? 0 : 1));
  }
  AffineMap ofTile() { return b.getMultiDimIdentityMap(2); }
  /// From a tile to [queries, other].
  AffineMap ofRows() {
    AffineExpr first = b.getAffineDimExpr(0), second = b.getAffineDimExpr(1);
    return lanesAreQueries
               ? AffineMap::get(2, 0, {second, first}, b.getContext())
               : ofTile();
  }
  RankedTensorType tileType(int64_t rows, int64_t others) {
    SmallVector<int64_t> shape{rows, others};
    if (lanesAreQueries)
      std::swap(shape[0], shape[1]);
    return RankedTensorType::get(shape, element);
  }
  RankedTensorType rowType(int64_t rows) {
    return RankedTensorType::get({rows}, element);
  }

  /// Queries times the scale, as the tiles have them.
  Value scaledQuery(const QueryBlock &block) {
    Value rows =
        rowsOf(form.query, block.sample, block.head, block.start, block.rows);
    return scaledQueries(l, form, rows, tileType(block.rows, size).getShape(),
                         ofRows());
  }

  Value oneBlock(QueryBlock block, Value result) {
    block.query = scaledQuery(block);
    Scalars s(b, l.loc, false);
    RankedTensorType row = rowType(block.rows);
    State state{zeroOf(l, tileType(block.rows, valueSize)),
                filledTensor(l, row, leastScore(s, element)), zeroOf(l, row)};
    state = overKeys(block, state);
    return insertResult(block, state, result);
  }

  /// sum / total, 0 where no key counted, put where the block's rows lie among
  /// the head's.
  Value insertResult(const QueryBlock &block, const State &state,
                     Value result) {
    Box box{{getAsOpFoldResult(block.start), b.getIndexAttr(0)},
            {b.getIndexAttr(block.rows), b.getIndexAttr(valueSize)},
            {b.getIndexAttr(1), b.getIndexAttr(1)}};
    Value target = slice(result, box, {block.rows, valueSize});
    Type to = typeOf(result).getElementType();
    Value factor = reciprocals(l, state.total);
    AffineMap tile = ofTile(), row = b.getMultiDimIdentityMap(2);
    AffineMap query = AffineMap::get(2, 0, b.getAffineDimExpr(0));
    if (lanesAreQueries)
      tile = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0},
                                          b.getContext());
    Value part = generic(l, {state.sum, factor}, target, {tile, query, row},
                         [&](OpBuilder &b, Location loc, ValueRange x) {
                           Scalars s(b, loc, false);
                           return s.cast(s.mul(x[0], x[1]), element, to);
                         });
    return tensor::InsertSliceOp::create(b, l.loc, part, result, box.offsets,
                                         box.sizes, box.strides);
  }

  //===--------------------------------------------------------------------===//
  // Keys
  //===--------------------------------------------------------------------===//

  /// The blocks of keys that a block of queries may see: from, to.
  std::pair<Value, Value> range(const QueryBlock &block, int64_t step,
                                int64_t whole) {
    Value from = index(0), to = index(whole);
    if (!form.ahead && !form.behind)
      return {from, to};
    Value first =
        add(block.start, arith::IndexCastOp::create(b, l.loc, b.getIndexType(),
                                                    block.offset));
    auto clamped = [&](Value x) -> Value {
      x = arith::MaxSIOp::create(b, l.loc, x, index(0));
      return arith::MinSIOp::create(b, l.loc, x, index(whole));
    };
    if (form.ahead) {
      Value end = add(first, index(block.rows + *form.ahead));
      to = clamped(arith::CeilDivSIOp::create(b, l.loc, end, index(step)));
    }
    if (form.behind) {
      Value begin = add(first, index(-*form.behind));
      from = clamped(arith::FloorDivSIOp::create(b, l.loc, begin, index(step)));
    }
    return {from, to};
  }

  State overKeys(const QueryBlock &block, State state) {
    int64_t step = std::min(keys, mostKeys), whole = keys / step;
    auto [from, to] = range(block, step, whole);
    scf::ForOp loop = scf::ForOp::create(
        b, l.loc, from, to, index(1),
        ValueRange{state.sum, state.most, state.total},
        [&](OpBuilder &, Location, Value i, ValueRange now) {
          State before{now[0], now[1], now[2]};
          State next = oneTile(block, before, mul(i, step), step);
          SmallVector<Value> carried{carriedOn(l, next.sum, before.sum),
                                     carriedOn(l, next.most, before.most),
                                     carriedOn(l, next.total, before.total)};
          scf::YieldOp::create(b, l.loc, carried);
        });
    state = {loop.getResult(0), loop.getResult(1), loop.getResult(2)};
    if (whole * step == keys)
      return state;
    return oneTile(block, state, index(whole * step), keys - whole * step);
  }

  State oneTile(const QueryBlock &block, const State &before, Value start,
                int64_t count) {
    Value scores = scoresOf(block, start, count);
    int64_t axis = lanesAreQueries ? 0 : 1;
    State next;
    next.most =
        reduceDims(l, scores, before.most, axis,
                   [](OpBuilder &b, Location loc, ValueRange x) {
                     return Scalars(b, loc, false).maxNumber(x[0], x[1]);
                   });
    Value weights = generic(l, next.most, scores, {ofQuery(), ofTile()},
                            [](OpBuilder &b, Location loc, ValueRange x) {
                              Scalars s(b, loc, false);
                              return s.exp(s.sub(x[1], x[0]));
                            });
    Value fade = mapElements(l, rowType(block.rows), {before.most, next.most},
                             [](OpBuilder &b, Location loc, ValueRange x) {
                               Scalars s(b, loc, false);
                               return s.exp(s.sub(x[0], x[1]));
                             });
    AffineMap row = b.getMultiDimIdentityMap(1);
    next.total =
        reduceDims(l, weights, scaledBy(before.total, fade, {row, row}), axis,
                   [](OpBuilder &b, Location loc, ValueRange x) {
                     return Scalars(b, loc, false).add(x[0], x[1]);
                   });
    Value values =
        rowsOf(form.value, block.sample, block.keyHead, start, count);
    SmallVector<Factor> factors{{values, "kv"},
                                {weights, lanesAreQueries ? "kq" : "qk"}};
    next.sum = contraction(l, factors, lanesAreQueries ? "vq" : "qv",
                           tileType(block.rows, valueSize),
                           scaledBy(before.sum, fade, {ofQuery(), ofTile()}));
    return next;
  }

  /// A sum so far times what the greatest score's growth makes of it.
  Value scaledBy(Value sum, Value fade, ArrayRef<AffineMap> maps) {
    return generic(l, fade, sum, maps,
                   [](OpBuilder &b, Location loc, ValueRange x) {
                     return Scalars(b, loc, false).mul(x[0], x[1]);
                   });
  }

  //===--------------------------------------------------------------------===//
  // Scores
  //===--------------------------------------------------------------------===//

  Value scoresOf(const QueryBlock &block, Value start, int64_t count) {
    Value rows = rowsOf(form.key, block.sample, block.keyHead, start, count);
    SmallVector<Factor> factors{{rows, "kd"},
                                {block.query, lanesAreQueries ? "dq" : "qd"}};
    RankedTensorType type = tileType(block.rows, count);
    Value scores = contraction(l, factors, lanesAreQueries ? "kq" : "qk", type);
    ScoreReads reads{ofQuery(), ofOther(), block.rows, count, {}, {}, {}, {}};
    if (form.mask) {
      reads.mask = maskTile(block, start, count);
      reads.maskMap = ofMask(reads.mask);
    }
    Value firstRow = asInteger(block.start), firstKey = asInteger(start);
    return maskedScores(
        l, form, scores, reads, [&](Scalars &s, ScorePlace &place) {
          place = {s.add(place.row, firstRow), s.add(place.key, firstKey),
                   block.count, block.offset};
        });
  }

  /// From a tile to [1, 1, queries or 1, keys].
  AffineMap ofMask(Value mask) {
    AffineExpr zero = b.getAffineConstantExpr(0);
    AffineExpr query = b.getAffineDimExpr(lanesAreQueries ? 1 : 0);
    AffineExpr key = b.getAffineDimExpr(lanesAreQueries ? 0 : 1);
    bool repeats = typeOf(mask).getDimSize(2) == 1;
    return AffineMap::get(2, 0, {zero, zero, repeats ? zero : query, key},
                          b.getContext());
  }

  Value maskTile(const QueryBlock &block, Value start, int64_t count) {
    ArrayRef<int64_t> shape = typeOf(form.mask).getShape();
    Value zero = index(0);
    Box box = boxOf(false, shape[0] == 1 ? zero : block.sample,
                    shape[1] == 1 ? zero : block.head,
                    shape[2] == 1 ? zero : block.start,
                    shape[2] == 1 ? 1 : block.rows, count);
    box.offsets[3] = getAsOpFoldResult(start);
    Value tile =
        slice(form.mask, box, {1, 1, shape[2] == 1 ? 1 : block.rows, count});
    if (!typeOf(tile).getElementType().isInteger(1))
      return tile;
    // Bools aren't taken by vectors; what they add to the scores is.
    return mapElements(
        l, RankedTensorType::get(typeOf(tile).getShape(), element), tile,
        [&](OpBuilder &b, Location loc, ValueRange x) {
          Scalars s(b, loc, false);
          return s.select(x[0], s.number(element, 0), noScore(s, element));
        });
  }

  Lowering &l;
  OpBuilder &b;
  const Attention &form;
  Type element;
  int64_t queries, keys, size, valueSize;
  bool lanesAreQueries;
};

} // namespace

Value attendByBlocks(Lowering &l, const Attention &form) {
  return Blocks(l, form).run();
}

} // namespace roofline::lowering
