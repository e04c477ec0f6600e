//===- KernelLoops.cpp - kernels that are loops over others
//----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelParts.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;

namespace roofline::kernels {

/// Extents as numbers; nothing where one is open.
static std::optional<SmallVector<int64_t>> extentsOf(rl::DimsAttr dims) {
  SmallVector<int64_t> numbers;
  for (const std::optional<Expr> &size : dims.getSizes()) {
    std::optional<int64_t> number = size ? size->asInt64() : std::nullopt;
    if (!number || *number < 1)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

static bool isF32(Value value) {
  return getElementTypeOrSelf(value.getType()).isF32();
}

/// The input's products of all steps are one; the hidden state's weights are
/// turned once if several rows meet them again and again; each step multiplies
/// them and maps the gates.
Parts partsOf(rl::RecurrentOp op, const Target &target) {
  auto extents = extentsOf(op.getExtents());
  if (!extents || !isF32(op.getInputs()[0]))
    return std::nullopt;
  int64_t steps = (*extents)[0], batch = (*extents)[1], inputs = (*extents)[2],
          size = (*extents)[3];
  auto directions = double((*extents)[4]);
  int64_t gates = op.getKind() == "lstm" ? 4 : op.getKind() == "gru" ? 3 : 1;
  int64_t lanes = target.lanes(), columns = gates * size;
  bool isTurned = steps > 1 && batch > 1;
  auto times = double(steps);
  auto vectors = double(batch * llvm::divideCeil(size, lanes));
  std::vector<Part> parts;
  parts.push_back(matrixPart(
      {steps * batch, columns, inputs, /*nInnermost=*/false}, 1, target));
  scale(parts.back(), directions);
  if (isTurned) {
    parts.push_back(turnedPart({columns, size}, {1, 0}, lanes));
    scale(parts.back(), directions);
  }
  parts.push_back(matrixPart({batch, columns, size, isTurned}, 1, target));
  scale(parts.back(), directions * times);
  parts.push_back({("recurrent:" + op.getKind()).str(),
                   {{"step", directions * times},
                    {"vector", directions * times * vectors}}});
  return parts;
}

/// A block of queries by a block of keys at a time, as
/// lib/Conversion/RLToLinalg/AttentionBlocks.cpp has them.
Parts partsOf(rl::AttentionOp op, const Target &target) {
  constexpr int64_t queriesAtOnce = 64, keysAtOnce = 128;
  auto extents = extentsOf(op.getExtents());
  if (!extents || op.getProjection() || !isF32(op.getInputs()[0]))
    return std::nullopt;
  int64_t queries = (*extents)[3], keys = (*extents)[4];
  auto lanes = double(target.lanes());
  double heads = double((*extents)[0]) * double((*extents)[1]);
  double rows = heads * double(queries);
  double queryBlocks = heads * double(llvm::divideCeil(queries, queriesAtOnce));
  auto sizes = double((*extents)[5] + (*extents)[6]);
  return std::vector<Part>{
      {"attention",
       {{"block", queryBlocks * double(llvm::divideCeil(keys, keysAtOnce))},
        {"row", rows},
        {"score", rows * std::ceil(double(keys) / lanes)},
        {"multiply", rows * double(keys) * sizes / lanes},
        {"pack", queryBlocks * double(keys) * sizes}}}};
}

/// A heap of k: each element is compared with its root, and about k (1 +
/// ln(n/k)) of n in random order go in, each down some of its levels; then the
/// heap is sorted.
Parts partsOf(rl::TopKOp op, const Target &) {
  std::optional<Shape> x = shapeOf(op->getOperand(0)),
                       y = shapeOf(op->getResult(0));
  uint64_t axis = op.getAxis();
  if (!x || !y || axis >= x->size())
    return std::nullopt;
  auto n = double((*x)[axis]), k = double((*y)[axis]);
  double lines = double(count(*x)) / std::max(n, 1.0);
  double moves = k * (2 + std::log(std::max(n / std::max(k, 1.0), 1.0)));
  return std::vector<Part>{{"topk",
                            {{"row", lines},
                             {"element", lines * n},
                             {"move", lines * moves * std::log2(k + 1)}}}};
}

} // namespace roofline::kernels
