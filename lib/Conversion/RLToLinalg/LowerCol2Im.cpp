//===- LowerCol2Im.cpp - patches put back where they overlap --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each element of the image is the sum, over the taps of a patch, of the patch
// element that falls on it: patches spread out by the strides, read at the
// position less the tap's own.
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "Slices.h"
#include "Windows.h"

using namespace mlir;

namespace roofline::lowering {

/// input, image_shape, block_shape; the input is N x C·taps x patches.
FailureOr<Values> lowerCol2Im(Lowering &l) {
  std::optional<Ints> image = l.constantInts(1), block = l.constantInts(2);
  RankedTensorType type = l.resultType(), input = l.operandType(0);
  if (!image || !block || input.getRank() != 3 ||
      type.getRank() != int64_t(image->size()) + 2)
    return l.unsupported("an image or a block that isn't known");
  size_t rank = block->size();
  Ints ones(rank, 1);
  std::optional<Windows> windows =
      makeWindows(*block, l.integers("strides").value_or(ones),
                  l.integers("pads").value_or(Ints(2 * rank, 0)),
                  l.integers("dilations").value_or(ones));
  if (!windows || image->size() != rank)
    return l.unsupported("windows of this form");
  // N x C x taps x patches, the patches spread out.
  SmallVector<int64_t> shape{type.getDimSize(0), type.getDimSize(1)};
  llvm::append_range(shape, *block);
  SmallVector<int64_t> first, spread;
  for (size_t i = 0; i < rank; ++i) {
    int64_t padded = (*image)[i] + windows->padsBegin[i] + windows->padsEnd[i];
    int64_t count = (padded - windows->extent(i)) / windows->strides[i] + 1;
    shape.push_back(count);
    first.push_back(windows->extent(i) - 1 - windows->padsBegin[i]);
    if (first.back() < 0)
      return l.unsupported("pads wider than the window");
    spread.push_back(
        std::max((*image)[i] + windows->extent(i) - 1,
                 first.back() + (count - 1) * windows->strides[i] + 1));
  }
  auto patched = withShape(input, shape);
  if (patched.getNumElements() != input.getNumElements())
    return l.unsupported("another number of patches than the image has");
  Value patches = spreadOut(l, reshaped(l, l.operand(0), patched), first,
                            windows->strides, spread);
  // Loops: batch, channel, positions, taps.
  auto dim = [&](unsigned i) { return l.b.getAffineDimExpr(i); };
  SmallVector<AffineExpr> read{dim(0), dim(1)}, write{dim(0), dim(1)};
  for (size_t i = 0; i < rank; ++i) {
    read.push_back(dim(2 + rank + i));
    write.push_back(dim(2 + i));
  }
  for (size_t i = 0; i < rank; ++i)
    read.push_back(dim(2 + i) + (windows->extent(i) - 1) -
                   dim(2 + rank + i) * windows->dilations[i]);
  unsigned loops = 2 + 2 * rank;
  Type element = accumulatorType(type.getElementType(), l.b);
  auto wide = RankedTensorType::get(type.getShape(), element);
  Value sum =
      generic(l, patches, filledTensor(l, wide, scalar(l.b, l.loc, element, 0)),
              {AffineMap::get(loops, 0, read, l.b.getContext()),
               AffineMap::get(loops, 0, write, l.b.getContext())},
              [&](OpBuilder &b, Location loc, ValueRange x) {
                Scalars s(b, loc, l.isUnsigned(0));
                return s.add(x[1], widened(s, x[0], element));
              });
  return Values{castElements(l, sum, element, type.getElementType())};
}

} // namespace roofline::lowering
