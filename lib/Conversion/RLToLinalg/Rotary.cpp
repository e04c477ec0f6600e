//===- Rotary.cpp - rotary embeddings -------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rotary.h"
#include "LowerAttention.h"
#include "Rules.h"
#include "Slices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

class Rotator {
public:
  Rotator(Lowering &l, const Heads &heads, const Rotation &r)
      : l(l), heads(heads), r(r), type(heads.type()),
        pairs(typeOf(r.cosines).getDimSize(1)) {}

  Value run() {
    Value x = part(0), y = part(1);
    Value cosines = ofTokens(r.cosines), sines = ofTokens(r.sines);
    Value result = heads.tensor;
    if (2 * pairs == heads.size())
      result = emptyTensor(l, type);
    result = put(turned(x, y, cosines, sines, false), result, 0);
    return put(turned(y, x, cosines, sines, true), result, 1);
  }

private:
  /// The first (second) elements of all pairs.
  tensor::ExtractSliceOp slice(Value tensor, int64_t which) {
    SmallVector<int64_t> shape(type.getShape()), strides(4, 1), offsets(4, 0);
    shape[3] = pairs;
    strides[3] = r.interleaved ? 2 : 1;
    offsets[3] = which * (r.interleaved ? 1 : pairs);
    return sliced(l, tensor, offsets, shape, strides)
        .getDefiningOp<tensor::ExtractSliceOp>();
  }
  Value part(int64_t which) { return slice(heads.tensor, which); }
  Value put(Value half, Value into, int64_t which) {
    tensor::ExtractSliceOp place = slice(into, which);
    return tensor::InsertSliceOp::create(
        l.b, l.loc, half, into, place.getMixedOffsets(), place.getMixedSizes(),
        place.getMixedStrides());
  }

  /// A table's rows where the tokens stand: [batch or 1, tokens, pairs].
  Value ofTokens(Value table) {
    int64_t batch = r.places ? typeOf(r.places).getDimSize(0) : 1;
    bool counts =
        r.places && typeOf(r.places).getDimSize(1) == 1 && heads.rows() != 1;
    auto result = RankedTensorType::get({batch, heads.rows(), pairs},
                                        typeOf(table).getElementType());
    return fromIndices(
        l, result, [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
          Value place = at[1];
          if (r.places) {
            Value column = counts ? indexValue(b, loc, 0) : at[1];
            Value from = elementAt(b, loc, r.places, {at[0], column});
            place = arith::IndexCastOp::create(b, loc, b.getIndexType(), from);
            if (counts)
              place = arith::AddIOp::create(b, loc, place, at[1]);
          }
          int64_t rows = typeOf(table).getDimSize(0);
          return elementAt(b, loc, table,
                           {indexInto(b, loc, place, rows), at[2]});
        });
  }

  /// x·cos − y·sin, or x·cos + y·sin.
  Value turned(Value x, Value y, Value cosines, Value sines, bool adds) {
    MLIRContext *context = l.b.getContext();
    auto dim = [&](unsigned i) { return l.b.getAffineDimExpr(i); };
    bool repeats = typeOf(cosines).getDimSize(0) == 1;
    AffineMap all = l.b.getMultiDimIdentityMap(4);
    AffineMap token =
        AffineMap::get(4, 0,
                       {repeats ? l.b.getAffineConstantExpr(0) : dim(0),
                        dim(heads.rowsFirst ? 1 : 2), dim(3)},
                       context);
    Type element = type.getElementType();
    Type wide = accumulatorType(element, l.b);
    return mapThrough(
        l, typeOf(x), {x, y, cosines, sines}, {all, all, token, token},
        [&](OpBuilder &b, Location loc, ValueRange v) {
          Scalars s(b, loc, false);
          auto real = [&](Value value) {
            return s.cast(value, value.getType(), wide);
          };
          Value one = s.mul(real(v[0]), real(v[2]));
          Value other = s.mul(real(v[1]), real(v[3]));
          return s.cast(adds ? s.add(one, other) : s.sub(one, other), wide,
                        element);
        });
  }

  Lowering &l;
  const Heads &heads;
  const Rotation &r;
  RankedTensorType type;
  int64_t pairs;
};

} // namespace

Heads rotated(Lowering &l, const Heads &heads, const Rotation &rotation) {
  if (rotation.places) {
    RankedTensorType type = typeOf(rotation.places);
    auto isOneOr = [](int64_t size, int64_t other) {
      return size == 1 || size == other;
    };
    if (type.getRank() != 2 || !isOneOr(type.getDimSize(0), heads.batch()) ||
        !isOneOr(type.getDimSize(1), heads.rows()))
      return {};
  }
  auto isTable = [](Value value) {
    return value && typeOf(value).getRank() == 2;
  };
  if (!isTable(rotation.cosines) || !isTable(rotation.sines) ||
      typeOf(rotation.cosines) != typeOf(rotation.sines) ||
      2 * typeOf(rotation.cosines).getDimSize(1) > heads.size())
    return {};
  return {Rotator(l, heads, rotation).run(), heads.rowsFirst};
}

/// com.microsoft: input ([batch, tokens, heads·size] or [batch, heads, tokens,
/// size]), position_ids, cos_cache, sin_cache.
static FailureOr<Values> lowerRotary(Lowering &l) {
  if (!l.isMicrosoft())
    return l.unsupported("a rotary embedding that isn't onnxruntime's");
  Value input = l.operand(0), places = l.operand(1);
  if (!input || !places || l.attribute("scale"))
    return l.unsupported("a rotary embedding with a scale, or of " +
                         l.operandList({"input", "position_ids"}));
  Rotation rotation{l.operand(2), l.operand(3), places,
                    l.integer("interleaved", 0) != 0};
  if (!rotation.cosines || typeOf(rotation.cosines).getRank() != 2 ||
      typeOf(rotation.cosines).getDimSize(1) == 0)
    return l.unsupported("a rotary embedding without tables");
  if (typeOf(places).getRank() == 1)
    rotation.places =
        reshaped(l, places,
                 withShape(typeOf(places), {1, typeOf(places).getDimSize(0)}));
  Heads heads{input};
  if (typeOf(input).getRank() != 3 && typeOf(input).getRank() != 4)
    return l.unsupported("an input of this rank");
  if (typeOf(input).getRank() == 3) {
    int64_t rotated = l.integer("rotary_embedding_dim", 0);
    int64_t size = 2 * typeOf(rotation.cosines).getDimSize(1);
    int64_t count = rotated > 0 ? l.integer("num_heads", 0)
                                : typeOf(input).getDimSize(2) / size;
    heads = packedHeads(l, input, count);
  }
  if (heads.tensor)
    heads = rotated(l, heads, rotation);
  if (!heads.tensor)
    return l.unsupported("tables that don't fit");
  return Values{reshaped(l, heads.tensor, l.resultType())};
}

/// The standard op runs as its function body; onnxruntime's may leave a part of
/// each row as it is.
static FailureOr<Values> lowerFusedRotary(Lowering &l) {
  return l.isMicrosoft() ? lowerRotary(l)
                         : l.lowerRegion(l.op->getRegion(0), {});
}

void addRotaryRules(RuleTable &table) {
  table["rl.map:RotaryEmbedding"] = lowerRotary;
  table["rl.fused:RotaryEmbedding"] = lowerFusedRotary;
}

} // namespace roofline::lowering
