//===- Windows.cpp - windows over padded tensors --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"
#include "Slices.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {

std::optional<Windows> makeWindows(ArrayRef<int64_t> kernel,
                                   ArrayRef<int64_t> strides,
                                   ArrayRef<int64_t> pads,
                                   ArrayRef<int64_t> dilations) {
  size_t rank = kernel.size();
  auto atLeast = [](ArrayRef<int64_t> list, int64_t least) {
    return llvm::all_of(list, [=](int64_t x) { return x >= least; });
  };
  if (rank == 0 || strides.size() != rank || pads.size() != 2 * rank ||
      dilations.size() != rank || !atLeast(kernel, 1) || !atLeast(strides, 1) ||
      !atLeast(pads, 0) || !atLeast(dilations, 1))
    return std::nullopt;
  return Windows{Ints(kernel), Ints(strides), Ints(dilations),
                 Ints(pads.take_front(rank)), Ints(pads.take_back(rank))};
}

Value paddedForWindows(Lowering &l, Value input, const Windows &windows,
                       ArrayRef<int64_t> positions, Value element) {
  auto type = cast<RankedTensorType>(input.getType());
  int64_t first = type.getRank() - windows.rank();
  SmallVector<int64_t> low(type.getRank()), high(type.getRank());
  for (size_t i = 0; i < windows.rank(); ++i) {
    int64_t size = type.getDimSize(first + i);
    low[first + i] = windows.padsBegin[i];
    high[first + i] = std::max<int64_t>(
        windows.reach(i, positions[i]) - size - low[first + i], 0);
  }
  return paddedTensor(l, input, low, high, element);
}

void addWindowExprs(SmallVectorImpl<AffineExpr> &exprs, Builder &b,
                    const Windows &windows, unsigned position, unsigned tap) {
  for (size_t i = 0; i < windows.rank(); ++i)
    exprs.push_back(b.getAffineDimExpr(position + i) * windows.strides[i] +
                    b.getAffineDimExpr(tap + i) * windows.dilations[i]);
}

Value spreadOut(Lowering &l, Value input, ArrayRef<int64_t> first,
                ArrayRef<int64_t> strides, ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(input);
  size_t leading = type.getRank() - shape.size();
  SmallVector<int64_t> full(type.getShape().take_front(leading));
  llvm::append_range(full, shape);
  SmallVector<OpFoldResult> offsets, sizes, steps;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    bool spatial = size_t(i) >= leading;
    offsets.push_back(l.b.getIndexAttr(spatial ? first[i - leading] : 0));
    sizes.push_back(l.b.getIndexAttr(type.getDimSize(i)));
    steps.push_back(l.b.getIndexAttr(spatial ? strides[i - leading] : 1));
  }
  Value zeros =
      filledTensor(l, RankedTensorType::get(full, type.getElementType()),
                   scalar(l.b, l.loc, type.getElementType(), 0));
  return tensor::InsertSliceOp::create(l.b, l.loc, input, zeros, offsets, sizes,
                                       steps);
}

} // namespace roofline::lowering
