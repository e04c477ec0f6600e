//===- KernelWindows.cpp - windows over planes ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelParts.h"
#include "mlir/IR/TypeUtilities.h"
#include "roofline/Cost/HostTiling.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace roofline::kernels {

Part windowPart(const Twine &kernel, Value x, ArrayRef<int64_t> pads,
                Shape result, int64_t taps, int64_t stride, int64_t lanes) {
  constexpr int64_t firstLevel = 32 << 10;
  int64_t bits = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  int64_t plane = llvm::divideCeil(bits, 8), spatial = result.size() - 2;
  for (int64_t d = 0; d < spatial; ++d)
    plane *= cast<ShapedType>(x.getType()).getDimSize(d + 2) +
             (pads.empty() ? 0 : pads[d] + pads[d + spatial]);
  std::string spread = stride == 1 ? "" : stride == 2 ? ":even" : ":gathered";
  if (plane > firstLevel)
    spread += ":l2";
  double lines = double(count(result.drop_back()));
  double vectors = double(llvm::divideCeil(result.back(), lanes));
  if (stride == 2) // every second element of two vectors, or of one
    vectors = double(llvm::divideCeil(2 * result.back(), lanes)) / 2;
  else if (spread.empty() && vectors < 4) // sums that wait for each other
    spread = ":narrow";
  return {(kernel + spread).str(),
          {{"row", lines}, {"vector", lines * double(taps) * vectors}},
          {{KernelFeatures::Vectors, "vector",
            lines * double(taps) *
                (vectors - double(result.back()) / double(lanes))}}};
}

Part padPart(double lines, int64_t width, int64_t lanes) {
  // A vector that isn't whole takes as long as one that is.
  return {"pad",
          {{"row", lines},
           {"vector", lines * double(llvm::divideCeil(width, lanes))}}};
}

std::optional<Part> borderPart(Shape input, ArrayRef<int64_t> pads,
                               int64_t lanes, bool byPlanes) {
  int64_t spatial = int64_t(input.size()) - 2, last = 0, plane = 1;
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }) ||
      int64_t(pads.size()) != 2 * spatial)
    return std::nullopt;
  double lines = double(input[0]) * double(input[1]);
  for (int64_t d = 0; d < spatial; ++d) {
    last = input[d + 2] + pads[d] + pads[d + spatial];
    plane *= last;
    if (d + 1 < spatial)
      lines *= double(last);
  }
  Part part = padPart(lines, last, lanes);
  constexpr int64_t bytes = 4;
  if (byPlanes && plane * bytes <= handedOnBytes) {
    part.bufferBytes = double(plane * bytes);
    return part;
  }
  part.scratchBytes = double(input[0]) * double(input[1] * plane * bytes);
  part.scratchDistance = 2 * part.scratchBytes;
  return part;
}

Parts partsOf(rl::PoolOp op, const Target &target) {
  std::optional<Shape> x = shapeOf(op->getOperand(0)),
                       y = shapeOf(op->getResult(0));
  if (!x || !y || y->size() < 3 || op->getNumResults() != 1)
    return std::nullopt;
  int64_t lanes = lanesOf(op->getResult(0), target);
  // One window over all of a channel is a sum or a maximum of a row.
  if (count(y->drop_front(2)) == 1 &&
      count(op.getKernel()) == count(x->drop_front(2)))
    return innerRows(op, reductionOf(op.getKind()) + ":inner",
                     count(op.getKernel()), target);
  std::vector<Part> parts;
  if (std::optional<Part> border =
          borderPart(*x, op.getPads(), lanes, /*byPlanes=*/true))
    parts.push_back(*border);
  parts.push_back(windowPart("pool:" + op.getKind(), op->getOperand(0),
                             op.getPads(), *y, count(op.getKernel()),
                             op.getStrides().back(), lanes));
  return parts;
}

} // namespace roofline::kernels
