//===- LowerCol2Im.cpp - blocks added up to an image ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "Scalars.h"
#include "Slices.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

/// The input (batch, channel·block, position) apart into the dimensions of the
/// block and of the positions.
struct Blocks {
  Ints image, block, strides, dilations, pads, positions;

  size_t rank() const { return image.size(); }
};

FailureOr<Blocks> blocksOf(Lowering &l) {
  std::optional<Ints> image = l.constantInts(1), block = l.constantInts(2);
  if (!image || !block || image->size() != block->size())
    return l.unsupported("its image and its block aren't known");
  size_t rank = image->size();
  Blocks blocks{*image,
                *block,
                l.integers("strides").value_or(Ints(rank, 1)),
                l.integers("dilations").value_or(Ints(rank, 1)),
                l.integers("pads").value_or(Ints(2 * rank, 0)),
                {}};
  if (blocks.strides.size() != rank || blocks.dilations.size() != rank ||
      blocks.pads.size() != 2 * rank ||
      llvm::any_of(blocks.strides, [](int64_t x) { return x < 1; }) ||
      llvm::any_of(blocks.dilations, [](int64_t x) { return x < 1; }) ||
      llvm::any_of(blocks.pads, [](int64_t x) { return x < 0; }))
    return l.unsupported("its window is out of range");
  for (size_t i = 0; i < rank; ++i) {
    int64_t padded = blocks.image[i] + blocks.pads[i] + blocks.pads[rank + i];
    int64_t extent = blocks.dilations[i] * (blocks.block[i] - 1) + 1;
    if (padded < extent)
      return l.unsupported("a block larger than the image");
    blocks.positions.push_back((padded - extent) / blocks.strides[i] + 1);
  }
  return blocks;
}

} // namespace

/// Every element is added to the padded image at position·stride +
/// offset·dilation; the pads are cut off at the end.
static FailureOr<Values> lowerCol2Im(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  FailureOr<Blocks> blocks = blocksOf(l);
  if (failed(blocks))
    return failure();
  size_t rank = blocks->rank();
  if (!type || type.getRank() != 3 || result.getRank() != int64_t(rank) + 2)
    return l.unsupported("its input has another rank");
  SmallVector<int64_t> apart(result.getShape().take_front(2)), padded(apart),
      offsets(2, 0);
  llvm::append_range(apart, blocks->block);
  llvm::append_range(apart, blocks->positions);
  for (size_t i = 0; i < rank; ++i) {
    padded.push_back(blocks->image[i] + blocks->pads[i] +
                     blocks->pads[rank + i]);
    offsets.push_back(blocks->pads[i]);
  }
  if (withShape(type, apart).getNumElements() != type.getNumElements())
    return l.unsupported("its input has another size");
  Type element = type.getElementType(), wide = accumulatorType(element, l.b);
  Value input = reshaped(l, l.operand(0), withShape(type, apart));
  auto sums = RankedTensorType::get(padded, wide);
  Values whole = loopOver(
      l, apart, zeroOf(l, sums),
      [&](OpBuilder &b, Location loc, ValueRange at, ValueRange carried) {
        Scalars s(b, loc, l.isUnsigned(0));
        SmallVector<Value> to(at.take_front(2));
        for (size_t i = 0; i < rank; ++i)
          to.push_back(s.add(
              s.mul(at[2 + rank + i], indexValue(b, loc, blocks->strides[i])),
              s.mul(at[2 + i], indexValue(b, loc, blocks->dilations[i]))));
        Value x = s.cast(elementAt(b, loc, input, at), element, wide);
        Value sum = s.add(elementAt(b, loc, carried[0], to), x);
        Value put = tensor::InsertOp::create(b, loc, sum, carried[0], to);
        return Values{put};
      });
  Value image = sliced(l, whole[0], offsets, result.getShape());
  return Values{castElements(l, image, wide, element)};
}

void addCol2ImRules(RuleTable &table) {
  table["rl.reduce:Col2Im"] = lowerCol2Im;
}

} // namespace roofline::lowering
