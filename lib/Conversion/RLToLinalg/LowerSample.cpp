//===- LowerSample.cpp - images read where data says ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "Scalars.h"
#include "Slices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {

/// A coordinate, whole, as an index. What no image reaches, NaN too, is far
/// outside instead of undefined.
static Value wholeIndex(Scalars &s, Value x) {
  x = arith::MaxNumFOp::create(s.b, s.loc, x, s.like(x, -1e9));
  x = arith::MinNumFOp::create(s.b, s.loc, x, s.like(x, 1e9));
  Value whole = arith::FPToSIOp::create(s.b, s.loc, s.b.getI64Type(), x);
  return arith::IndexCastOp::create(s.b, s.loc, s.b.getIndexType(), whole);
}

static Value floorOf(Scalars &s, Value x) {
  return math::FloorOp::create(s.b, s.loc, x);
}

//===----------------------------------------------------------------------===//
// GridSample
//===----------------------------------------------------------------------===//

namespace {
struct GridSample {
  Lowering &l;
  RankedTensorType type;
  Type wide; ///< of coordinates and sums
  StringRef mode, padding;
  bool alignsCorners;
  Value image = l.operand(0), grid = l.operand(1);

  /// One dimension's neighbours: their indices, whether they lie inside (null
  /// where they always do), and their weights.
  struct Tap {
    Value index, inside, weight;
  };
  using Taps = SmallVector<Tap, 4>;

  std::pair<double, double> border(int64_t size) const {
    return alignsCorners ? std::pair(0.0, double(size) - 1)
                         : std::pair(-0.5, double(size) - 0.5);
  }

  /// −1…1 as a coordinate of the image.
  Value coordinate(Scalars &s, Value x, int64_t size) {
    Value up = s.add(x, s.like(x, 1));
    if (alignsCorners)
      return s.mul(s.mul(up, s.like(x, 0.5)), s.like(x, double(size) - 1));
    Value scaled = s.mul(up, s.like(x, double(size)));
    return s.mul(s.sub(scaled, s.like(x, 1)), s.like(x, 0.5));
  }

  /// Reflected at the borders until it lies between them.
  Value reflected(Scalars &s, Value x, int64_t size) {
    auto [low, high] = border(size);
    if (high <= low)
      return s.like(x, low);
    Value range = s.like(x, high - low), period = s.like(x, 2 * (high - low));
    Value distance = s.abs(s.sub(x, s.like(x, low)));
    Value turns = floorOf(s, s.div(distance, period));
    Value rest = s.sub(distance, s.mul(turns, period));
    Value back = s.sub(period, rest);
    return s.add(s.like(x, low), s.select(s.greater(rest, range), back, rest));
  }

  /// What a coordinate outside the borders becomes.
  Value padded(Scalars &s, Value x, int64_t size) {
    if (padding == "zeros")
      return x;
    auto [low, high] = border(size);
    Value isOutside = arith::OrIOp::create(
        s.b, s.loc, s.less(x, s.like(x, low)), s.greater(x, s.like(x, high)));
    Value inside =
        padding == "border"
            ? s.max(s.like(x, 0), s.min(s.like(x, double(size) - 1), x))
            : reflected(s, x, size);
    return s.select(isOutside, inside, x);
  }

  /// One neighbour at a whole coordinate.
  Tap tap(Scalars &s, Value x, Value weight, int64_t size) {
    Tap result{{}, {}, weight};
    if (padding == "reflection") {
      auto [low, high] = border(size);
      Value isOutside = arith::OrIOp::create(
          s.b, s.loc, s.less(x, s.like(x, low)), s.greater(x, s.like(x, high)));
      x = s.select(isOutside, reflected(s, x, size), x);
    }
    Value index = wholeIndex(s, x);
    Value zero = indexValue(s.b, s.loc, 0);
    Value last = indexValue(s.b, s.loc, size - 1);
    result.index = s.max(zero, s.min(last, index));
    if (padding == "zeros")
      result.inside = s.equal(result.index, index);
    return result;
  }

  SmallVector<Value, 4> weights(Scalars &s, Value ratio) {
    Value one = s.like(ratio, 1), rest = s.sub(one, ratio);
    if (mode == "linear")
      return {rest, ratio};
    auto near = [&](Value x) { // (1.25·x − 2.25)·x² + 1
      Value line = s.sub(s.mul(s.like(x, 1.25), x), s.like(x, 2.25));
      return s.add(s.mul(s.mul(line, x), x), one);
    };
    auto far = [&](Value x) { // ((−0.75·x + 3.75)·x − 6)·x + 3, at x + 1
      Value y = s.add(x, one);
      Value line = s.add(s.mul(s.like(x, -0.75), y), s.like(x, 3.75));
      Value square = s.sub(s.mul(line, y), s.like(x, 6));
      return s.add(s.mul(square, y), s.like(x, 3));
    };
    return {far(ratio), near(ratio), near(rest), far(rest)};
  }

  Taps tapsOf(Scalars &s, Value x, int64_t size) {
    x = coordinate(s, x, size);
    if (mode == "nearest") {
      x = padded(s, math::RoundEvenOp::create(s.b, s.loc, x), size);
      x = math::TruncOp::create(s.b, s.loc, x);
      return {tap(s, x, {}, size)};
    }
    x = padded(s, x, size);
    Value left = floorOf(s, x);
    SmallVector<Value, 4> all = weights(s, s.sub(x, left));
    Taps taps;
    auto first = 1 - int64_t(all.size() / 2);
    for (auto [i, weight] : llvm::enumerate(all)) {
      auto offset = double(first + int64_t(i));
      taps.push_back(tap(s, s.add(left, s.like(left, offset)), weight, size));
    }
    return taps;
  }

  /// The sum over the taps of the dimensions from `dim` on.
  Value sum(Scalars &s, ArrayRef<Taps> dims, SmallVector<Value> &at,
            Value inside) {
    if (dims.empty()) {
      Value x =
          s.cast(elementAt(s.b, s.loc, image, at), type.getElementType(), wide);
      return inside ? s.select(inside, x, s.like(x, 0)) : x;
    }
    Value total;
    for (const Tap &tap : dims.front()) {
      at.push_back(tap.index);
      Value both = inside;
      if (tap.inside)
        both =
            inside
                ? Value(arith::AndIOp::create(s.b, s.loc, inside, tap.inside))
                : tap.inside;
      Value x = sum(s, dims.drop_front(), at, both);
      at.pop_back();
      if (tap.weight)
        x = s.mul(x, tap.weight);
      total = total ? s.add(total, x) : x;
    }
    return total;
  }

  Value element(OpBuilder &b, Location loc, ValueRange out) {
    Scalars s(b, loc, false);
    int64_t spatial = type.getRank() - 2;
    SmallVector<Value> from(out);
    from.erase(from.begin() + 1); // channels share the grid
    from.emplace_back();
    SmallVector<Taps> dims;
    for (int64_t i = 0; i < spatial; ++i) {
      from.back() = indexValue(b, loc, spatial - 1 - i); // x comes first
      Value x = elementAt(b, loc, grid, from);
      dims.push_back(
          tapsOf(s, s.cast(x, x.getType(), wide), type.getDimSize(i + 2)));
    }
    SmallVector<Value> at(out.take_front(2));
    return s.cast(sum(s, dims, at, {}), wide, type.getElementType());
  }
};
} // namespace

static FailureOr<Values> lowerGridSample(Lowering &l) {
  RankedTensorType type = l.operandType(0), grid = l.operandType(1);
  StringRef mode = l.text("mode", "linear");
  StringRef padding = l.text("padding_mode", "zeros");
  if (mode.starts_with("bi"))
    mode = mode.drop_front(2);
  bool isKnown = llvm::is_contained({"nearest", "linear", "cubic"}, mode) &&
                 llvm::is_contained({"zeros", "border", "reflection"}, padding);
  if (!isKnown)
    return l.unsupported("mode '" + mode + "' with padding '" + padding + "'");
  if (!type || !grid || type.getRank() < 3 || type.getRank() > 5 ||
      !isa<FloatType>(grid.getElementType()) ||
      grid.getShape().back() != type.getRank() - 2 ||
      type.getNumElements() == 0)
    return l.unsupported("an image or a grid of another kind");
  if (!isa<FloatType>(type.getElementType()))
    return l.unsupported("integers");
  Type wide = type.getElementType().isF64() || grid.getElementType().isF64()
                  ? Type(l.b.getF64Type())
                  : Type(l.b.getF32Type());
  GridSample sample{l,    type,    wide,
                    mode, padding, l.integer("align_corners", 0) != 0};
  return Values{fromIndices(l, l.resultType(),
                            [&](OpBuilder &b, Location loc, ValueRange out) {
                              return sample.element(b, loc, out);
                            })};
}

//===----------------------------------------------------------------------===//
// RoiAlign
//===----------------------------------------------------------------------===//

namespace {
struct RoiAlign {
  Lowering &l;
  RankedTensorType type;
  Type wide;
  bool takesMax, halfPixel;
  Value image = l.operand(0), regions = l.operand(1), batches = l.operand(2);
  int64_t samples = l.integer("sampling_ratio", 0);

  /// One dimension of a region: where it starts, a bin's size, and how many
  /// samples a bin has.
  struct Side {
    Value start, bin, count;
  };

  Value corner(Scalars &s, Value region, unsigned i) {
    Value x =
        elementAt(s.b, s.loc, regions, {region, indexValue(s.b, s.loc, i)});
    x = s.cast(x, x.getType(), wide);
    x = s.mul(x, s.like(x, l.real("spatial_scale", 1)));
    return halfPixel ? s.sub(x, s.like(x, 0.5)) : x;
  }

  Side side(Scalars &s, Value region, unsigned first, int64_t bins) {
    Value start = corner(s, region, first);
    Value length = s.sub(corner(s, region, first + 2), start);
    if (!halfPixel) // malformed regions count as one pixel
      length = s.max(length, s.like(length, 1));
    Value bin = s.div(length, s.like(length, double(bins)));
    Value count = samples > 0
                      ? indexValue(s.b, s.loc, samples)
                      : wholeIndex(s, math::CeilOp::create(s.b, s.loc, bin));
    return {start, bin, count};
  }

  struct Neighbours {
    Value low, high, ratio, inside;
  };

  /// Sample `i` of bin `bin`.
  Neighbours neighbours(Scalars &s, const Side &side, Value bin, Value i,
                        int64_t size) {
    auto real = [&](Value index) {
      Value whole =
          arith::IndexCastOp::create(s.b, s.loc, s.b.getI64Type(), index);
      return s.cast(whole, whole.getType(), wide);
    };
    Value within = s.div(s.mul(s.add(real(i), s.number(wide, 0.5)), side.bin),
                         real(side.count));
    Value x = s.add(s.add(side.start, s.mul(real(bin), side.bin)), within);
    Value outside = arith::OrIOp::create(s.b, s.loc, s.less(x, s.like(x, -1)),
                                         s.greater(x, s.like(x, double(size))));
    x = s.min(s.max(x, s.like(x, 0)), s.like(x, double(size) - 1));
    Value left = floorOf(s, x);
    Value low = indexInto(s.b, s.loc, wholeIndex(s, left), size);
    Value high = s.min(s.add(low, indexValue(s.b, s.loc, 1)),
                       indexValue(s.b, s.loc, size - 1));
    return {low, high, s.sub(x, left),
            arith::XOrIOp::create(s.b, s.loc, outside, s.like(outside, 1))};
  }

  /// The four neighbours, weighted: their sum, or the largest of the products.
  Value sampleAt(Scalars &s, Value batch, Value channel, const Neighbours &y,
                 const Neighbours &x) {
    Value inside = arith::AndIOp::create(s.b, s.loc, y.inside, x.inside);
    Value result;
    for (unsigned corner = 0; corner < 4; ++corner) {
      bool lower = corner & 2, right = corner & 1;
      Value one = s.number(wide, 1);
      Value weight = s.mul(lower ? y.ratio : s.sub(one, y.ratio),
                           right ? x.ratio : s.sub(one, x.ratio));
      Value pixel = elementAt(
          s.b, s.loc, image,
          {batch, channel, lower ? y.high : y.low, right ? x.high : x.low});
      Value term = s.mul(s.cast(pixel, type.getElementType(), wide), weight);
      result = !result    ? term
               : takesMax ? s.max(result, term)
                          : s.add(result, term);
    }
    return s.select(inside, result, s.like(result, 0));
  }

  Value element(OpBuilder &b, Location loc, ValueRange out) {
    Scalars s(b, loc, false);
    RankedTensorType result = l.resultType();
    Side height = side(s, out[0], 1, result.getDimSize(2));
    Side width = side(s, out[0], 0, result.getDimSize(3));
    Value batch = indexInto(b, loc, elementAt(b, loc, batches, out[0]),
                            type.getDimSize(0));
    Value zero = indexValue(b, loc, 0), one = indexValue(b, loc, 1);
    Value start = s.number(wide, takesMax ? -INFINITY : 0);
    auto inner = [&](OpBuilder &b, Location loc, ValueRange i,
                     ValueRange sum) -> scf::ValueVector {
      Scalars s(b, loc, false);
      Neighbours y = neighbours(s, height, out[2], i[0], type.getDimSize(2));
      Neighbours x = neighbours(s, width, out[3], i[1], type.getDimSize(3));
      Value sample = sampleAt(s, batch, out[1], y, x);
      return {takesMax ? s.max(sum[0], sample) : s.add(sum[0], sample)};
    };
    Value total =
        scf::buildLoopNest(b, loc, {zero, zero}, {height.count, width.count},
                           {one, one}, start, inner)
            .results[0];
    Value count = s.max(s.mul(height.count, width.count), one);
    Value whole = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
    if (!takesMax)
      total = s.div(total, s.cast(whole, whole.getType(), wide));
    return s.cast(total, wide, type.getElementType());
  }
};
} // namespace

static FailureOr<Values> lowerRoiAlign(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  if (!type || type.getRank() != 4 || !isa<FloatType>(type.getElementType()) ||
      type.getNumElements() == 0 || !l.operand(1) || !l.operand(2))
    return l.unsupported("an image or regions of another kind");
  StringRef mode = l.text("mode", "avg");
  if (mode != "avg" && mode != "max")
    return l.unsupported("mode '" + mode + "'");
  bool halfPixel = l.opset() >= 16 && l.text("coordinate_transformation_mode",
                                             "half_pixel") == "half_pixel";
  Type wide = type.getElementType().isF64() ? type.getElementType()
                                            : Type(l.b.getF32Type());
  RoiAlign align{l, type, wide, mode == "max", halfPixel};
  return loopOver(
      l, result.getShape(), emptyTensor(l, result),
      [&](OpBuilder &b, Location loc, ValueRange out, ValueRange carried) {
        Value put = tensor::InsertOp::create(b, loc, align.element(b, loc, out),
                                             carried[0], out);
        return Values{put};
      });
}

void addSampleRules(RuleTable &table) {
  table["rl.resize:GridSample"] = lowerGridSample;
  table["rl.resize:RoiAlign"] = lowerRoiAlign;
}

} // namespace roofline::lowering
