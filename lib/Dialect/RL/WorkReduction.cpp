//===- WorkReduction.cpp - the work of reductions, norms, windows ---------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Details.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using namespace mlir;

namespace roofline::rl {

static Work unknownFlops(Work work) {
  work.flopsKnown = false;
  return work;
}

Work ReduceOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Expr> n = context.numElements(getInputs().front());
  std::optional<Expr> m = context.numElements(getOutputs().front());
  if (!n || !m)
    return unknownFlops(std::move(work));
  addOps(work, elementType(getInputs().front().getType()),
         reduceOps(getKind(), *n, *m));
  return work;
}

Work CumulateOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Expr> n = context.numElements(getInputs().front());
  if (!n)
    return unknownFlops(std::move(work));
  addOps(work, elementType(getInputs().front().getType()), OpCounts{*n, 0});
  return work;
}

Work SoftmaxOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Dims> dims = context.dims(getInputs().front());
  if (!dims)
    return unknownFlops(std::move(work));
  int64_t axis = getAxis();
  ArrayRef<Expr> all = *dims;
  // The verifier says so, too; what an importer makes isn't always verified.
  if (axis < 0 || axis >= std::max<int64_t>(all.size(), 1))
    return unknownFlops(std::move(work));
  Expr n = getFlattened() ? roofline::numElements(all.drop_front(axis))
           : all.empty()  ? Expr(1)
                          : all[axis];
  Expr rows = 1;
  for (auto [i, dim] : llvm::enumerate(all))
    if (static_cast<int64_t>(i) < axis ||
        (!getFlattened() && static_cast<int64_t>(i) > axis))
      rows *= dim;
  SoftmaxKind kind = llvm::StringSwitch<SoftmaxKind>(getKind())
                         .Case("log_softmax", SoftmaxKind::LogSoftmax)
                         .Case("hardmax", SoftmaxKind::Hardmax)
                         .Default(SoftmaxKind::Softmax);
  addOps(work, elementType(getInputs().front().getType()),
         softmaxOps(kind, rows, n));
  return work;
}

Work NormOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  ElementType type = elementType(getInputs().front().getType());
  std::optional<Expr> total = context.numElements(getOutputs().front());
  if (!total)
    return unknownFlops(std::move(work));
  addOps(work, type,
         OpCounts{*total * static_cast<int64_t>(getResiduals()), 0});
  if (getKind() == "batch") {
    addOps(work, type, OpCounts{*total * 2, 0});
    return work;
  }
  if (getKind() ==
      "local_response") { // square, size − 1 adds, α, bias; pow, divide
    addOps(work, type,
           OpCounts{Expr(static_cast<int64_t>(getSize())) + 2, 2} * *total);
    return work;
  }
  std::optional<Expr> row;
  if (getRow() && getRow()->getSizes().size() == 1)
    row = getRow()->getSizes().front();
  if (!row)
    return unknownFlops(std::move(work));
  Expr rows = row->isZero() ? Expr(0) : Expr::floorDiv(*total, *row);
  addOps(work, type, normOps(getKind(), rows, *row, getScale(), getShift()));
  return work;
}

Work PoolOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Dims> input = context.dims(getInputs().front());
  std::optional<Dims> output = context.dims(getOutputs().front());
  size_t rank = getKernel().size();
  if (!input || !output || input->size() != rank + 2 ||
      output->size() != rank + 2)
    return unknownFlops(std::move(work));
  Expr taps = (*output)[0] * (*output)[1];
  for (size_t d = 0; d < rank; ++d)
    if (std::optional<Expr> inside =
            poolTaps((*input)[d + 2], (*output)[d + 2], getKernel()[d],
                     getStrides()[d], getPads()[d], getDilations()[d]))
      taps *= *inside;
    else
      return unknownFlops(std::move(work));
  addOps(work, elementType(getInputs().front().getType()),
         poolOps(getKind(), taps, roofline::numElements(*output)));
  return work;
}

Work TopKOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Expr> n = context.numElements(getInputs().front());
  std::optional<Expr> k = context.dim(getOutputs().front(), getAxis());
  std::optional<Expr> compares;
  if (n && k)
    compares = topkOps(*n, *k);
  if (!compares)
    return unknownFlops(std::move(work));
  addOps(work, elementType(getInputs().front().getType()),
         OpCounts{*compares, 0});
  return work;
}

/// Boxes are N x B x 4 and scores N x C x B: a pair of boxes of a class costs
/// at most 14 (2 max, 2 min, 2 subtract, 2 clamp, multiply, 2 adds and a
/// subtract for the union, divide, compare).
static std::optional<OpCounts> suppressionOps(FilterOp op,
                                              const CostContext &context) {
  if (op.getInputs().size() < 2)
    return std::nullopt;
  std::optional<Dims> scores = context.dims(op.getInputs()[1]);
  if (!scores || scores->size() != 3)
    return std::nullopt;
  Expr boxes = (*scores)[2];
  Expr pairs =
      (*scores)[0] * (*scores)[1] * Expr::floorDiv(boxes * (boxes - 1), 2);
  return OpCounts{pairs * 13, pairs};
}

Work FilterOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  work.dataDependent = true;
  std::optional<Expr> n = context.numElements(getInputs().front());
  std::optional<OpCounts> ops;
  if (getKind() == "nms") {
    ops = suppressionOps(*this, context);
  } else if (n && getKind() == "unique") {
    if (std::optional<Expr> compares = topkOps(*n, *n))
      ops = OpCounts{*compares, 0};
  } else if (n) {
    ops = OpCounts{getKind() == "nonzero" ? *n : Expr(0), 0};
  }
  addOps(work, elementType(getInputs().front().getType()), ops);
  return work;
}

Work FFTOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Expr> length = getLength().getSizes().front();
  std::optional<Expr> count = getCount().getSizes().front();
  std::optional<Expr> each;
  if (length && count)
    each = fftOps(*length);
  if (!each)
    return unknownFlops(std::move(work));
  addOps(work, elementType(getInputs().front().getType()),
         OpCounts{*each * *count, 0});
  return work;
}

} // namespace roofline::rl
