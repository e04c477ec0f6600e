//===- LowerConv.cpp - convolutions ---------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is one sum of products over input channels and taps of a padded
// input. A transposed one is the same over an input spread out by its strides,
// with the filter's taps in the reverse order.
//
//===----------------------------------------------------------------------===//

#include "Activations.h"
#include "Quantized.h"
#include "Reduce.h"
#include "Rules.h"
#include "Slices.h"
#include "Windows.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

//===----------------------------------------------------------------------===//
// The sum of products
//===----------------------------------------------------------------------===//

/// Sizes of a convolution whose channels are in groups.
struct Sizes {
  int64_t batch, groups, in, out; ///< channels of a group
  Ints positions;
};

/// Dimensions of a grouped tensor: those that are always 1 are left out, so
/// that plain and depthwise convolutions have no loops of one turn.
class GroupedConv {
public:
  GroupedConv(Lowering &l, const Windows &windows, const Sizes &sizes)
      : l(l), windows(windows), sizes(sizes), hasGroups(sizes.groups > 1),
        hasOut(!hasGroups || sizes.out > 1), hasIn(!hasGroups || sizes.in > 1) {
  }

  /// `input` is padded (N x C x spatial), `filter` C_out x C_in/group x taps.
  /// The result is N x C_out x positions, of type `element`.
  Value build(Value input, Value filter, Type element, bool inputUnsigned,
              bool filterUnsigned) {
    input = reshaped(l, input, inputType(typeOf(input)));
    filter = reshaped(l, filter, filterType(typeOf(filter)));
    SmallVector<int64_t> shape = outputShape();
    Value init = filledTensor(l, RankedTensorType::get(shape, element),
                              scalar(l.b, l.loc, element, 0));
    Value sum = generic(l, {input, filter}, init, maps(),
                        [&](OpBuilder &b, Location loc, ValueRange x) {
                          Scalars left(b, loc, inputUnsigned);
                          Scalars right(b, loc, filterUnsigned);
                          Value product =
                              left.mul(widened(left, x[0], element),
                                       widened(right, x[1], element));
                          return left.add(x[2], product);
                        });
    SmallVector<int64_t> flat{sizes.batch, sizes.groups * sizes.out};
    flat.append(sizes.positions.begin(), sizes.positions.end());
    return reshaped(l, sum, RankedTensorType::get(flat, element));
  }

private:
  RankedTensorType inputType(RankedTensorType type) {
    SmallVector<int64_t> shape{sizes.batch};
    if (hasGroups)
      shape.push_back(sizes.groups);
    if (hasIn)
      shape.push_back(sizes.in);
    llvm::append_range(shape, type.getShape().drop_front(2));
    return RankedTensorType::get(shape, type.getElementType());
  }
  RankedTensorType filterType(RankedTensorType type) {
    SmallVector<int64_t> shape;
    if (hasGroups)
      shape.push_back(sizes.groups);
    if (hasOut)
      shape.push_back(sizes.out);
    if (hasIn)
      shape.push_back(sizes.in);
    llvm::append_range(shape, windows.kernel);
    return RankedTensorType::get(shape, type.getElementType());
  }
  SmallVector<int64_t> outputShape() {
    SmallVector<int64_t> shape{sizes.batch};
    if (hasGroups)
      shape.push_back(sizes.groups);
    if (hasOut)
      shape.push_back(sizes.out);
    shape.append(sizes.positions.begin(), sizes.positions.end());
    return shape;
  }

  /// Loops: batch, group, channel of the result, positions, channel of the
  /// input, taps.
  SmallVector<AffineMap> maps() {
    unsigned rank = windows.rank(), next = 1;
    unsigned group = hasGroups ? next++ : 0;
    unsigned out = hasOut ? next++ : 0;
    unsigned position = next;
    next += rank;
    unsigned in = hasIn ? next++ : 0;
    unsigned tap = next, loops = next + rank;
    auto dim = [&](unsigned i) { return l.b.getAffineDimExpr(i); };
    SmallVector<AffineExpr> x{dim(0)}, w, y{dim(0)};
    if (hasGroups)
      for (SmallVector<AffineExpr> *list : {&x, &w, &y})
        list->push_back(dim(group));
    if (hasOut)
      for (SmallVector<AffineExpr> *list : {&w, &y})
        list->push_back(dim(out));
    if (hasIn)
      for (SmallVector<AffineExpr> *list : {&x, &w})
        list->push_back(dim(in));
    addWindowExprs(x, l.b, windows, position, tap);
    for (unsigned i = 0; i < rank; ++i) {
      w.push_back(dim(tap + i));
      y.push_back(dim(position + i));
    }
    SmallVector<AffineMap> result;
    for (ArrayRef<AffineExpr> list : {ArrayRef(x), ArrayRef(w), ArrayRef(y)})
      result.push_back(AffineMap::get(loops, 0, list, l.b.getContext()));
    return result;
  }

  Lowering &l;
  const Windows &windows;
  const Sizes &sizes;
  bool hasGroups, hasOut, hasIn;
};

//===----------------------------------------------------------------------===//
// Transposed
//===----------------------------------------------------------------------===//

/// C_in x C_out/group x taps as C_out x C_in/group x taps in reverse.
Value turnedFilter(Lowering &l, Value filter, const Sizes &sizes) {
  RankedTensorType type = typeOf(filter);
  size_t rank = type.getRank() - 2;
  ArrayRef<int64_t> taps = type.getShape().drop_front(2);
  SmallVector<int64_t> from{sizes.groups, sizes.in, sizes.out};
  SmallVector<int64_t> to{sizes.groups, sizes.out, sizes.in};
  llvm::append_range(from, taps);
  llvm::append_range(to, taps);
  Type element = type.getElementType();
  Value grouped = reshaped(l, filter, RankedTensorType::get(from, element));
  auto dim = [&](unsigned i) { return l.b.getAffineDimExpr(i); };
  SmallVector<AffineExpr> read{dim(0), dim(2), dim(1)};
  for (size_t i = 0; i < rank; ++i)
    read.push_back(taps[i] == 1 ? dim(3 + i) : (taps[i] - 1) - dim(3 + i));
  Value turned =
      generic(l, grouped, emptyTensor(l, RankedTensorType::get(to, element)),
              {AffineMap::get(3 + rank, 0, read, l.b.getContext()),
               l.b.getMultiDimIdentityMap(3 + rank)},
              [](OpBuilder &, Location, ValueRange x) { return x[0]; });
  SmallVector<int64_t> flat{sizes.groups * sizes.out, sizes.in};
  llvm::append_range(flat, taps);
  return reshaped(l, turned, RankedTensorType::get(flat, element));
}

/// The pads at the beginnings: stated, or a part of what the result's size
/// leaves over.
FailureOr<Ints> transposedPads(Lowering &l, const Windows &windows,
                               ArrayRef<int64_t> inputs,
                               ArrayRef<int64_t> positions) {
  StringRef mode = l.text("auto_pad", "NOTSET");
  std::optional<Ints> shape = l.integers("output_shape");
  Ints added = l.integers("output_padding").value_or(Ints(windows.rank(), 0));
  if (added.size() != windows.rank())
    return l.unsupported("an output_padding of another rank");
  if (mode == "VALID" || (mode == "NOTSET" && !shape))
    return mode == "VALID" ? Ints(windows.rank(), 0) : windows.padsBegin;
  Ints pads;
  for (size_t i = 0; i < windows.rank(); ++i) {
    int64_t total = windows.strides[i] * (inputs[i] - 1) + added[i] +
                    windows.extent(i) - positions[i];
    total = std::max<int64_t>(total, 0);
    pads.push_back(mode == "SAME_UPPER" ? total / 2 : total - total / 2);
  }
  return pads;
}

//===----------------------------------------------------------------------===//
// What comes of the sums
//===----------------------------------------------------------------------===//

/// Adds a bias of the channels and, where there is one, a tensor; then the
/// node's activation.
FailureOr<Value> withEpilogue(Lowering &l, Value sums, Value bias,
                              Value addend) {
  RankedTensorType type = l.resultType(), wide = typeOf(sums);
  Type element = wide.getElementType();
  Values inputs{sums};
  if (bias)
    inputs.push_back(alongAxis(l, bias, 1, type.getRank()));
  if (addend)
    inputs.push_back(addend);
  StringRef activation = l.text("activation", "");
  std::optional<Activation> function =
      activationOf(activation, l.attribute("activation_params"));
  if (!activation.empty() && !function)
    return l.unsupported("an activation '" + activation + "'");
  if (inputs.size() == 1 && wide == type && !function)
    return sums;
  return mapElements(l, type, inputs,
                     [&](OpBuilder &b, Location loc, ValueRange x) {
                       Scalars s(b, loc, false);
                       Value y = x[0];
                       for (Value other : x.drop_front())
                         y = s.add(y, widened(s, other, element));
                       if (function)
                         y = activate(s, *function, y);
                       return s.cast(y, element, type.getElementType());
                     });
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

/// Operands of the ops that are convolutions, by number.
struct Form {
  unsigned filter = 1;
  int bias = 2, addend = -1;
  int inputZero = -1, filterZero = -1;
  bool quantized = false; ///< the result, too
};

std::optional<Form> formOf(StringRef opType) {
  if (opType == "Conv" || opType == "ConvTranspose")
    return Form();
  if (opType == "FusedConv")
    return Form{1, 2, 3};
  if (opType == "ConvInteger")
    return Form{1, -1, -1, 2, 3};
  if (opType == "QLinearConv")
    return Form{3, 8, -1, 2, 5, true};
  return std::nullopt;
}

FailureOr<Value> sumOfProducts(Lowering &l, const Form &form,
                               const Windows &windows, const Sizes &sizes,
                               Value input, Value filter) {
  bool transposed = cast<rl::ConvOp>(l.op).getTransposed();
  Windows own = windows;
  Type element = accumulatorType(typeOf(input).getElementType(), l.b);
  bool shifted = form.inputZero >= 0;
  if (transposed) {
    ArrayRef<int64_t> from = typeOf(input).getShape().drop_front(2);
    FailureOr<Ints> pads = transposedPads(l, windows, from, sizes.positions);
    if (failed(pads))
      return failure();
    SmallVector<int64_t> first, spread;
    for (size_t i = 0; i < windows.rank(); ++i) {
      own.strides[i] = 1;
      first.push_back(windows.extent(i) - 1 - (*pads)[i]);
      if (first.back() < 0)
        return l.unsupported("pads wider than the window");
      int64_t last = first.back() + (from[i] - 1) * windows.strides[i] + 1;
      spread.push_back(std::max(own.reach(i, sizes.positions[i]), last));
    }
    input = spreadOut(l, input, first, windows.strides, spread);
    filter = turnedFilter(l, filter, sizes);
  } else {
    Value zero = scalar(l.b, l.loc, typeOf(input).getElementType(), 0);
    input = paddedForWindows(l, input, windows, sizes.positions, zero);
  }
  return GroupedConv(l, own, sizes)
      .build(input, filter, element, !shifted && l.isUnsigned(0),
             !shifted && l.isUnsigned(form.filter));
}

FailureOr<Values> lowerConv(Lowering &l) {
  auto op = cast<rl::ConvOp>(l.op);
  std::optional<Form> form = formOf(l.opType());
  if (!form || l.numResults() != 1)
    return l.unsupported("a convolution of this kind");
  Value input = l.operand(0), filter = l.operand(form->filter);
  if (!input || !filter || typeOf(input).getRank() < 3 ||
      typeOf(input).getRank() != typeOf(filter).getRank())
    return l.unsupported("a convolution without input or filter");
  RankedTensorType type = l.resultType();
  std::optional<Windows> windows =
      makeWindows(typeOf(filter).getShape().drop_front(2), op.getStrides(),
                  op.getPads(), op.getDilations());
  int64_t groups = op.getGroup(), channels = typeOf(input).getDimSize(1);
  if (!windows || channels % groups != 0 || type.getDimSize(1) % groups != 0)
    return l.unsupported("a convolution of these windows or groups");
  if (typeOf(input).getNumElements() == 0 || type.getNumElements() == 0)
    return l.unsupported("a convolution of nothing");
  Sizes sizes{typeOf(input).getDimSize(0), groups, channels / groups,
              type.getDimSize(1) / groups, Ints(type.getShape().drop_front(2))};
  auto operand = [&](int i) { return i >= 0 ? l.operand(i) : Value(); };
  if (form->inputZero >= 0) {
    Type i32 = l.b.getI32Type();
    input = withoutZeroPoint(l, 0, form->inputZero, i32, 1);
    filter = withoutZeroPoint(l, form->filter, form->filterZero, i32, 0);
  }
  FailureOr<Value> sums =
      sumOfProducts(l, *form, *windows, sizes, input, filter);
  if (failed(sums))
    return failure();
  if (!form->quantized) {
    FailureOr<Value> result =
        withEpilogue(l, *sums, operand(form->bias), operand(form->addend));
    return failed(result) ? FailureOr<Values>() : Values{*result};
  }
  if (Value bias = operand(form->bias))
    *sums = mapElements(l, typeOf(*sums),
                        {*sums, alongAxis(l, bias, 1, type.getRank())},
                        [](OpBuilder &b, Location loc, ValueRange x) {
                          return Scalars(b, loc, false).add(x[0], x[1]);
                        });
  return Values{
      requantized(l, *sums,
                  {l.operand(1), alongAxis(l, l.operand(4), 1, type.getRank()),
                   l.operand(6), l.operand(7)})};
}

} // namespace

void addConvRules(RuleTable &table) { table["rl.conv"] = lowerConv; }

} // namespace roofline::lowering
