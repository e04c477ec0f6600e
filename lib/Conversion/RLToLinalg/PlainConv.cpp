//===- PlainConv.cpp - sums of products over windows ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Reduce.h"
#include "Slices.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

/// Dimensions of a grouped tensor: those that are always 1 are left out, so
/// that plain and depthwise convolutions have no loops of one turn.
class GroupedConv {
public:
  GroupedConv(Lowering &l, const Windows &windows, const ConvSizes &sizes)
      : l(l), windows(windows), sizes(sizes), hasGroups(sizes.groups > 1),
        hasOut(!hasGroups || sizes.out > 1), hasIn(!hasGroups || sizes.in > 1) {
  }

  Value build(Value input, Value filter, Type element,
              const PlainConvOptions &options) {
    input = reshaped(l, input, inputType(typeOf(input)));
    filter = reshaped(l, filter, filterType(typeOf(filter)));
    auto type = RankedTensorType::get(outputShape(), element);
    Value empty = options.inOwnMemory ? bufferization::AllocTensorOp::create(
                                            l.b, l.loc, type, ValueRange())
                                      : emptyTensor(l, type);
    Value init = linalg::FillOp::create(l.b, l.loc,
                                        scalar(l.b, l.loc, element, 0), empty)
                     .getResult(0);
    Value sum = generic(l, {input, filter}, init, maps(),
                        [&](OpBuilder &b, Location loc, ValueRange x) {
                          Scalars left(b, loc, options.inputUnsigned);
                          Scalars right(b, loc, options.filterUnsigned);
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
  const ConvSizes &sizes;
  bool hasGroups, hasOut, hasIn;
};

} // namespace

Value plainConv(Lowering &l, const Windows &windows, const ConvSizes &sizes,
                Value input, Value filter, Type element,
                const PlainConvOptions &options) {
  return GroupedConv(l, windows, sizes).build(input, filter, element, options);
}

} // namespace roofline::lowering
