//===- InferReduction.cpp - reductions, scans along an axis, selections ---===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldSupport.h"
#include <cmath>

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Reduce*
//===----------------------------------------------------------------------===//

namespace {
/// The axes a reduction folds together.
struct Reduction {
  SmallVector<bool, 4> reduced;
  bool keepsDims;
};
} // namespace

/// Nothing where the axes aren't known.
static Expected<std::optional<Reduction>>
readReduction(const Node &node, const InferContext &ctx, size_t rank) {
  Reduction reduction{SmallVector<bool, 4>(rank, false),
                      node.attributeInt("keepdims", 1) != 0};
  IntList list = attributeOrInput(ctx, node, "axes", 1);
  if (list.isUnknown())
    return std::optional<Reduction>();
  if (list.values.empty()) {
    bool reducesAll = !node.attributeInt("noop_with_empty_axes", 0);
    reduction.reduced.assign(rank, reducesAll);
    return std::optional(reduction);
  }
  for (int64_t value : list.values) {
    Expected<unsigned> axis = ctx.axis(node, value, rank);
    if (!axis)
      return axis.takeError();
    reduction.reduced[*axis] = true;
  }
  return std::optional(reduction);
}

static Error inferReduce(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  auto reduction = readReduction(node, ctx, input->size());
  if (!reduction)
    return reduction.takeError();
  if (!*reduction) {
    // Kept dims keep the rank; otherwise the number of axes gives it.
    std::optional<int64_t> count = asInt(dimOf(ctx, node, 1, 0));
    if (node.attributeInt("keepdims", 1))
      ctx.setTensorLike(node, 0, 0, unknownDims(input->size()));
    else if (count && *count > 0 && *count <= int64_t(input->size()))
      ctx.setTensorLike(node, 0, 0, unknownDims(input->size() - *count));
    else
      ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  MaybeDims dims;
  for (auto [dim, reduced] : zip(*input, (*reduction)->reduced)) {
    if (!reduced)
      dims.push_back(dim);
    else if ((*reduction)->keepsDims)
      dims.push_back(Expr(1));
  }
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

/// Folds with `fn`; a mean is divided by its count.
static void foldReduceWith(Node &node, InferContext &ctx, arith::Binary fn,
                           std::optional<int64_t> ofNone, bool isMean) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  std::optional<Shape> shape = foldableOutput(node, 0);
  if (!input || !shape)
    return;
  auto reduction = readReduction(node, ctx, input->shape.size());
  if (!reduction)
    return consumeError(reduction.takeError());
  if (!*reduction)
    return;
  int elem = input->onnxElem;
  int64_t count = 1;
  for (auto [size, reduced] : zip(input->shape, (*reduction)->reduced))
    count *= reduced ? size : 1;
  if (!count && !ofNone)
    return;
  std::vector<Scalar> elements(elementsOf(*shape));
  std::vector<bool> started(elements.size(), false);
  if (!count)
    elements.assign(elements.size(), arith::fit(Expr(*ofNone), elem));
  forEachIndex(input->shape, [&](Index index) {
    Shape target;
    for (auto [i, reduced] : zip(index, (*reduction)->reduced)) {
      if (!reduced)
        target.push_back(i);
      else if ((*reduction)->keepsDims)
        target.push_back(0);
    }
    int64_t at = positionOf(target, *shape);
    elements[at] = started[at] ? fn(elements[at], input->at(index), elem)
                               : input->at(index);
    started[at] = true;
  });
  if (isMean)
    for (Scalar &element : elements)
      element = arith::divide(element, arith::fit(Expr(count), elem), elem);
  ctx.setConstant(node, 0, std::move(elements));
}

static void foldReduceSum(Node &node, InferContext &ctx) {
  foldReduceWith(node, ctx, arith::add, 0, false);
}
static void foldReduceProd(Node &node, InferContext &ctx) {
  foldReduceWith(node, ctx, arith::multiply, 1, false);
}
static void foldReduceMean(Node &node, InferContext &ctx) {
  foldReduceWith(node, ctx, arith::add, std::nullopt, true);
}
static void foldReduceMin(Node &node, InferContext &ctx) {
  foldReduceWith(node, ctx, arith::minimum, std::nullopt, false);
}
static void foldReduceMax(Node &node, InferContext &ctx) {
  foldReduceWith(node, ctx, arith::maximum, std::nullopt, false);
}

//===----------------------------------------------------------------------===//
// ArgMax, ArgMin
//===----------------------------------------------------------------------===//

static Error inferArg(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input) {
    ctx.setUnranked(node, 0, TensorProto::INT64);
    return Error::success();
  }
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", 0), input->size());
  if (!axis)
    return axis.takeError();
  MaybeDims dims = *input;
  if (node.attributeInt("keepdims", 1))
    dims[*axis] = Expr(1);
  else
    dims.erase(dims.begin() + *axis);
  ctx.setTensor(node, 0, TensorProto::INT64, dims);
  return Error::success();
}

/// The values along `axis` through an index of the other axes, as numbers.
static std::optional<SmallVector<double, 8>>
lineOf(const Folded &input, Shape index, unsigned axis) {
  SmallVector<double, 8> line;
  for (int64_t i = 0; i != input.shape[axis]; ++i) {
    index[axis] = i;
    std::optional<double> value = arith::toReal(input.at(index));
    if (!value || std::isnan(*value))
      return std::nullopt;
    line.push_back(*value);
  }
  return line;
}

static void foldArg(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  if (!input)
    return;
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", 0), input->shape.size());
  if (!axis)
    return consumeError(axis.takeError());
  bool keeps = node.attributeInt("keepdims", 1);
  bool last = node.attributeInt("select_last_index", 0);
  bool isMax = node.opType() == "ArgMax";
  foldEach(node, ctx, [&](Index index) -> Scalar {
    Shape at(index.begin(), index.end());
    if (!keeps)
      at.insert(at.begin() + *axis, 0);
    auto line = lineOf(*input, at, *axis);
    if (!line || line->empty())
      return arith::unknown;
    size_t best = 0;
    for (size_t i = 1; i != line->size(); ++i) {
      double a = (*line)[i], b = (*line)[best];
      if ((isMax ? a > b : a < b) || (last && a == b))
        best = i;
    }
    return Expr(int64_t(best));
  });
}

//===----------------------------------------------------------------------===//
// TopK
//===----------------------------------------------------------------------===//

static Error inferTopK(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    ctx.setUnranked(node, 1, TensorProto::INT64);
    return Error::success();
  }
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", -1), input->size());
  if (!axis)
    return axis.takeError();
  MaybeDim k;
  if (node.attribute("k"))
    k = Expr(node.attributeInt("k", 0));
  else
    k = scalarDim(ctx, node, 1);
  if (Error error = checkSize(node, k, "k"))
    return error;
  MaybeDims dims = *input;
  MaybeDim &size = dims[*axis];
  if (k && size && k->isConstant() && size->isConstant() &&
      k->constant() > size->constant())
    return nodeError(node, "k is " + k->str() + ", the axis has " +
                               size->str() + " elements");
  // Exporters write min(k, size) out; a k beyond a formula can't run.
  size = k;
  ctx.setTensorLike(node, 0, 0, dims);
  ctx.setTensor(node, 1, TensorProto::INT64, dims);
  return Error::success();
}

/// Positions along a line, the best value first; of equal ones the earlier.
static SmallVector<int64_t, 8> sortedPositions(ArrayRef<double> line,
                                               bool largest) {
  SmallVector<int64_t, 8> order(line.size());
  for (size_t i = 0; i != order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](int64_t a, int64_t b) {
    double x = line[a], y = line[b];
    return x == y ? a < b : largest ? x > y : x < y;
  });
  return order;
}

/// The k first of each sorted line: their values and positions.
static void foldTopK(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  std::optional<Shape> shape = foldableOutput(node, 0);
  if (!shape)
    shape = foldableOutput(node, 1);
  if (!input || !shape || shape->size() != input->shape.size())
    return;
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", -1), input->shape.size());
  if (!axis)
    return consumeError(axis.takeError());
  int64_t k = (*shape)[*axis];
  if (k > input->shape[*axis])
    return;
  bool largest = node.attributeInt("largest", 1);
  std::vector<Scalar> values(elementsOf(*shape)), positions(values.size());
  Shape lines = *shape;
  lines[*axis] = std::min<int64_t>(k, 1);
  forEachIndex(lines, [&](Index index) {
    auto line = lineOf(*input, Shape(index), *axis);
    if (!line)
      return;
    SmallVector<int64_t, 8> order = sortedPositions(*line, largest);
    for (int64_t i = 0; i != k; ++i) {
      Shape source(index), target(index);
      source[*axis] = order[i];
      target[*axis] = i;
      int64_t at = positionOf(target, *shape);
      values[at] = input->at(source);
      positions[at] = Expr(order[i]);
    }
  });
  ctx.setConstant(node, 0, std::move(values));
  ctx.setConstant(node, 1, std::move(positions));
}

//===----------------------------------------------------------------------===//
// CumSum, CumProd
//===----------------------------------------------------------------------===//

static void foldCumulative(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  std::optional<int64_t> given = asInt(scalarDim(ctx, node, 1));
  if (!input || !given)
    return;
  Expected<unsigned> axis = ctx.axis(node, *given, input->shape.size());
  if (!axis)
    return consumeError(axis.takeError());
  bool reverse = node.attributeInt("reverse", 0);
  bool exclusive = node.attributeInt("exclusive", 0);
  bool isProduct = node.opType() == "CumProd";
  arith::Binary fn = isProduct ? arith::multiply : arith::add;
  int elem = input->onnxElem;
  int64_t size = input->shape[*axis], count = input->elements.size();
  int64_t stride = elementsOf(Index(input->shape).drop_front(*axis + 1));
  std::vector<Scalar> elements(count);
  for (int64_t step = 0; step != count; ++step) {
    int64_t at = reverse ? count - 1 - step : step;
    int64_t before = reverse ? at + stride : at - stride;
    bool first = (at / stride) % size == (reverse ? size - 1 : 0);
    if (exclusive)
      elements[at] = first
                         ? arith::fit(Expr(isProduct), elem)
                         : fn(elements[before], input->elements[before], elem);
    else
      elements[at] = first ? input->elements[at]
                           : fn(elements[before], input->elements[at], elem);
  }
  ctx.setConstant(node, 0, std::move(elements));
}

void onnx_import::registerReductionInfer(RuleTable &table) {
  for (StringRef op : {"ReduceL1", "ReduceL2", "ReduceLogSum",
                       "ReduceLogSumExp", "ReduceSumSquare"})
    table.infer(op, inferReduce, nullptr, hostOperands(1));
  table.infer("ReduceSum", inferReduce, foldReduceSum, hostOperands(1));
  table.infer("ReduceProd", inferReduce, foldReduceProd, hostOperands(1));
  table.infer("ReduceMean", inferReduce, foldReduceMean, hostOperands(1));
  table.infer("ReduceMin", inferReduce, foldReduceMin, hostOperands(1));
  table.infer("ReduceMax", inferReduce, foldReduceMax, hostOperands(1));
  table.infer("ArgMax", inferArg, foldArg);
  table.infer("ArgMin", inferArg, foldArg);
  table.infer("TopK", inferTopK, foldTopK, hostOperands(1));
  table.infer("CumSum", inferLike<0>, foldCumulative, hostOperands(1));
  table.infer("CumProd", inferLike<0>, foldCumulative, hostOperands(1));
}
