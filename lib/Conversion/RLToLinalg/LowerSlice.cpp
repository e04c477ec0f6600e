//===- LowerSlice.cpp - parts taken, joined and padded --------------------===//
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
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// Slices, splits, concatenations
//===----------------------------------------------------------------------===//

namespace {
/// Where a slice starts and how far apart its elements are, by dimension.
struct Box {
  Ints starts, steps;
};
} // namespace

/// Operands since opset 10, attributes before.
static std::optional<Ints> operandOrAttribute(Lowering &l, unsigned i,
                                              StringRef name) {
  return l.attribute(name) ? l.integers(name) : l.constantInts(i);
}

static FailureOr<Box> boxOf(Lowering &l, ArrayRef<int64_t> shape) {
  std::optional<Ints> starts = operandOrAttribute(l, 1, "starts"),
                      axes = operandOrAttribute(l, 3, "axes"),
                      steps = l.constantInts(4);
  if (!starts || (l.operand(3) && !axes) || (l.operand(4) && !steps))
    return l.unsupported("where it starts isn't known");
  Box box{Ints(shape.size(), 0), Ints(shape.size(), 1)};
  for (auto [i, start] : llvm::enumerate(*starts)) {
    int64_t axis = axes && i < axes->size() ? (*axes)[i] : int64_t(i);
    axis = axisOf(axis, shape.size());
    int64_t step = steps && i < steps->size() ? (*steps)[i] : 1;
    if (axis < 0 || step == 0)
      return l.unsupported("an axis or a step out of range");
    int64_t size = shape[axis];
    if (start < 0)
      start += size;
    int64_t last = step > 0 ? size : size - 1;
    box.starts[axis] =
        std::clamp<int64_t>(start, 0, std::max<int64_t>(last, 0));
    box.steps[axis] = step;
  }
  return box;
}

static FailureOr<Values> lowerSlice(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  if (!type || type.getRank() != result.getRank())
    return l.unsupported("its input isn't there");
  if (result.getNumElements() == 0)
    return Values{emptyTensor(l, result)};
  FailureOr<Box> box = boxOf(l, type.getShape());
  if (failed(box))
    return failure();
  if (llvm::all_of(box->steps, [](int64_t step) { return step > 0; }))
    return Values{
        sliced(l, l.operand(0), box->starts, result.getShape(), box->steps)};
  SmallVector<AffineExpr> dims;
  for (int64_t i = 0; i < result.getRank(); ++i)
    dims.push_back(l.b.getAffineDimExpr(i) * box->steps[i] + box->starts[i]);
  return Values{
      readThrough(l, result, l.operand(0),
                  AffineMap::get(dims.size(), 0, dims, l.b.getContext()))};
}

/// Where each result starts: the sizes are stated, or all parts but the last
/// are as large.
static FailureOr<Ints> partStarts(Lowering &l, int64_t axis, int64_t size) {
  std::optional<Ints> sizes = operandOrAttribute(l, 1, "split");
  if (!sizes && l.operand(1))
    return l.unsupported("its sizes aren't known");
  int64_t parts = l.integer("num_outputs", 0), chunk = 0;
  for (unsigned i = 0; i < l.numResults(); ++i)
    chunk = std::max(chunk, l.resultType(i).getDimSize(axis));
  if (parts > 0)
    chunk = llvm::divideCeil(size, parts);
  Ints starts;
  for (unsigned i = 0; i < l.numResults(); ++i) {
    unsigned number = l.resultNumber(i);
    int64_t start = chunk * number;
    if (sizes) {
      start = 0;
      for (unsigned before = 0; before < number && before < sizes->size();
           ++before)
        start += (*sizes)[before];
    }
    if (start + l.resultType(i).getDimSize(axis) > size)
      return l.unsupported("parts larger than the whole");
    starts.push_back(start);
  }
  return starts;
}

static FailureOr<Values> lowerSplit(Lowering &l) {
  RankedTensorType type = l.operandType(0);
  int64_t axis =
      type ? axisOf(l.integer("axis", 0), type.getRank()) : int64_t(-1);
  if (axis < 0)
    return l.unsupported("its axis is out of range");
  FailureOr<Ints> starts = partStarts(l, axis, type.getDimSize(axis));
  if (failed(starts))
    return failure();
  Values results;
  for (unsigned i = 0; i < l.numResults(); ++i) {
    RankedTensorType part = l.resultType(i);
    SmallVector<int64_t> offsets(type.getRank(), 0);
    offsets[axis] = (*starts)[i];
    results.push_back(part.getNumElements() == 0
                          ? emptyTensor(l, part)
                          : sliced(l, l.operand(0), offsets, part.getShape()));
  }
  return results;
}

static FailureOr<Values> lowerConcat(Lowering &l) {
  RankedTensorType result = l.resultType();
  std::optional<uint64_t> stated = cast<rl::CopyOp>(l.op).getAxis();
  int64_t axis = stated ? int64_t(*stated)
                        : axisOf(l.integer("axis", -1), result.getRank());
  if (axis < 0 || axis >= result.getRank())
    return l.unsupported("its axis isn't known");
  return Values{joined(l, result, l.operands(), axis)};
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

namespace {
struct Padding {
  Ints low, high; ///< by dimension; negative ones crop
};
} // namespace

static FailureOr<Padding> paddingOf(Lowering &l, int64_t rank) {
  std::optional<Ints> pads = l.attribute("pads")       ? l.integers("pads")
                             : l.attribute("paddings") ? l.integers("paddings")
                                                       : l.constantInts(1);
  std::optional<Ints> axes = l.constantInts(3);
  if (!pads || (l.operand(3) && !axes))
    return l.unsupported("its pads aren't known");
  int64_t count = axes ? axes->size() : rank;
  if (int64_t(pads->size()) != 2 * count)
    return l.unsupported("another number of pads than of axes");
  Padding padding{Ints(rank, 0), Ints(rank, 0)};
  for (int64_t i = 0; i < count; ++i) {
    int64_t axis = axes ? axisOf((*axes)[i], rank) : i;
    if (axis < 0)
      return l.unsupported("an axis out of range");
    padding.low[axis] = (*pads)[i];
    padding.high[axis] = (*pads)[count + i];
  }
  return padding;
}

/// Takes away what negative pads crop; they are 0 afterwards.
static Value cropped(Lowering &l, Value input, Padding &padding) {
  SmallVector<int64_t> offsets, shape(typeOf(input).getShape());
  bool crops = false;
  for (auto [i, size] : llvm::enumerate(shape)) {
    int64_t low = std::min<int64_t>(padding.low[i], 0);
    int64_t high = std::min<int64_t>(padding.high[i], 0);
    crops |= low < 0 || high < 0;
    size = std::max<int64_t>(size + low + high, 0);
    offsets.push_back(-low);
    padding.low[i] -= low;
    padding.high[i] -= high;
  }
  return crops ? sliced(l, input, offsets, shape) : input;
}

/// The index into `size` elements that position `i` of the padded axis, less
/// what stands before, reads.
static Value sourceIndex(OpBuilder &b, Location loc, StringRef mode, Value i,
                         int64_t size) {
  Scalars s(b, loc, false);
  Value zero = indexValue(b, loc, 0), last = indexValue(b, loc, size - 1);
  if (mode == "edge")
    return s.max(zero, s.min(last, i));
  int64_t period = mode == "wrap" ? size : 2 * (size - 1);
  if (period == 0) // one element: it is all there is to reflect
    return zero;
  Value length = indexValue(b, loc, period);
  Value rest = arith::RemSIOp::create(b, loc, i, length);
  rest = s.select(s.less(rest, zero), s.add(rest, length), rest);
  return mode == "wrap" ? rest : s.min(rest, s.sub(length, rest));
}

static Value paddedFromInput(Lowering &l, Value input, StringRef mode,
                             const Padding &padding) {
  RankedTensorType from = typeOf(input);
  return fromIndices(
      l, l.resultType(),
      [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
        SmallVector<Value> at(indices);
        for (auto [i, index] : llvm::enumerate(at)) {
          if (padding.low[i] == 0 && padding.high[i] == 0)
            continue;
          Value shifted = arith::SubIOp::create(
              b, loc, index, indexValue(b, loc, padding.low[i]));
          index = sourceIndex(b, loc, mode, shifted, from.getDimSize(i));
        }
        return elementAt(b, loc, input, at);
      });
}

static FailureOr<Values> lowerPad(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  if (!type || type.getRank() != result.getRank())
    return l.unsupported("its input isn't there");
  FailureOr<Padding> padding = paddingOf(l, type.getRank());
  if (failed(padding))
    return failure();
  Value input = cropped(l, l.operand(0), *padding);
  StringRef mode = l.text("mode", "constant");
  if (mode == "constant") {
    Value value =
        l.operand(2) && typeOf(l.operand(2)).getNumElements() == 1
            ? onlyElement(l, l.operand(2))
            : scalar(l.b, l.loc, type.getElementType(), l.real("value", 0));
    return Values{paddedTensor(l, input, padding->low, padding->high, value)};
  }
  if (mode != "edge" && mode != "reflect" && mode != "wrap")
    return l.unsupported("padding '" + mode + "'");
  if (typeOf(input).getNumElements() == 0 && result.getNumElements() > 0)
    return l.unsupported("nothing to pad with");
  return Values{paddedFromInput(l, input, mode, *padding)};
}

/// Cut or padded with zeros on both sides of each axis, one more behind.
static FailureOr<Values> lowerCenterCropPad(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  if (!type || type.getRank() != result.getRank())
    return l.unsupported("its input isn't there");
  Padding padding{Ints(type.getRank(), 0), Ints(type.getRank(), 0)};
  for (int64_t i = 0; i < type.getRank(); ++i) {
    int64_t more = result.getDimSize(i) - type.getDimSize(i);
    padding.low[i] = more / 2; // towards zero: a crop cuts less in front
    padding.high[i] = more - more / 2;
  }
  Value input = cropped(l, l.operand(0), padding);
  return Values{paddedTensor(l, input, padding.low, padding.high,
                             scalar(l.b, l.loc, type.getElementType(), 0))};
}

//===----------------------------------------------------------------------===//
// MaxUnpool
//===----------------------------------------------------------------------===//

/// What the pooled input measured, as the window tells; a stated output is
/// padded behind.
static FailureOr<Ints> unpooledShape(Lowering &l, ArrayRef<int64_t> shape) {
  std::optional<Ints> kernel = l.integers("kernel_shape");
  if (!kernel || kernel->size() + 2 != shape.size())
    return l.unsupported("its window isn't known");
  size_t count = kernel->size();
  Ints strides = l.integers("strides").value_or(Ints(count, 1));
  Ints pads = l.integers("pads").value_or(Ints(2 * count, 0));
  if (strides.size() != count || pads.size() != 2 * count)
    return l.unsupported("its window isn't known");
  Ints result(shape.take_front(2));
  for (size_t i = 0; i < count; ++i)
    result.push_back((shape[i + 2] - 1) * strides[i] + (*kernel)[i] - pads[i] -
                     pads[count + i]);
  return result;
}

static FailureOr<Values> lowerMaxUnpool(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  Value indices = l.operand(1);
  if (!type || !indices)
    return l.unsupported("its indices aren't there");
  FailureOr<Ints> shape = unpooledShape(l, type.getShape());
  if (failed(shape))
    return failure();
  SmallVector<int64_t> behind;
  for (auto [size, wanted] : llvm::zip(*shape, result.getShape())) {
    if (size < 0 || wanted < size)
      return l.unsupported("an output smaller than what was pooled");
    behind.push_back(wanted - size);
  }
  RankedTensorType whole = withShape(type, *shape);
  RankedTensorType line = withShape(type, whole.getNumElements());
  Value input = l.operand(0);
  Values filled = loopOver(
      l, type.getShape(), zeroOf(l, line),
      [&](OpBuilder &b, Location loc, ValueRange at, ValueRange carried) {
        Value to = indexInto(b, loc, elementAt(b, loc, indices, at),
                             line.getNumElements());
        Value put = tensor::InsertOp::create(
            b, loc, elementAt(b, loc, input, at), carried[0], to);
        return Values{put};
      });
  SmallVector<int64_t> none(type.getRank(), 0);
  return Values{paddedTensor(l, reshaped(l, filled[0], whole), none, behind,
                             scalar(l.b, l.loc, type.getElementType(), 0))};
}

void addSliceRules(RuleTable &table) {
  table["rl.copy:slice"] = lowerSlice;
  table["rl.copy:split"] = lowerSplit;
  table["rl.copy:concat"] = lowerConcat;
  table["rl.copy:pad"] = lowerPad;
  table["rl.copy:center_crop_pad"] = lowerCenterCropPad;
  table["rl.copy:max_unpool"] = lowerMaxUnpool;
}

} // namespace roofline::lowering
