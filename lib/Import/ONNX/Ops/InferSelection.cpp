//===- InferSelection.cpp - ops whose sizes data decides ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Their sizes are upper bounds, and say so, unless the data is folded.
//
//===----------------------------------------------------------------------===//

#include "FoldSupport.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// NonZero
//===----------------------------------------------------------------------===//

/// The indices of the elements that aren't zero; nothing where one may be.
static std::optional<std::vector<Shape>> nonZeroIndices(const Folded &input) {
  std::vector<Shape> found;
  bool decided = true;
  forEachIndex(input.shape, [&](Index index) {
    std::optional<bool> value = arith::toBool(input.at(index));
    decided &= value.has_value();
    if (value == true)
      found.emplace_back(index.begin(), index.end());
  });
  return decided ? std::optional(std::move(found)) : std::nullopt;
}

static Error inferNonZero(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input) {
    ctx.setTensor(node, 0, TensorProto::INT64, unknownDims(2));
    ctx.setDataDependent(node);
    return Error::success();
  }
  // A scalar counts as one row of one element.
  Expr rank = int64_t(std::max<size_t>(input->size(), 1));
  if (std::optional<Folded> folded = foldedInput(ctx, node, 0))
    if (auto indices = nonZeroIndices(*folded)) {
      ctx.setTensor(node, 0, TensorProto::INT64,
                    {rank, Expr(int64_t(indices->size()))});
      return Error::success();
    }
  ctx.setTensor(node, 0, TensorProto::INT64, {rank, product(*input)});
  ctx.setDataDependent(node);
  return Error::success();
}

static void foldNonZero(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  if (!input || input->shape.empty())
    return;
  auto indices = nonZeroIndices(*input);
  if (!indices)
    return;
  std::vector<Scalar> elements;
  for (size_t axis = 0; axis != input->shape.size(); ++axis)
    for (const Shape &index : *indices)
      elements.push_back(Expr(index[axis]));
  ctx.setConstant(node, 0, std::move(elements));
}

//===----------------------------------------------------------------------===//
// Compress
//===----------------------------------------------------------------------===//

/// How many entries a condition keeps of `size`.
static std::pair<MaybeDim, bool>
keptCount(const InferContext &ctx, const Node &node, const MaybeDim &size) {
  if (const Constant *condition = ctx.constant(node, 1)) {
    int64_t count = 0;
    bool decided = true;
    for (const Scalar &element : condition->elements) {
      std::optional<bool> keeps = arith::toBool(element);
      decided &= keeps.has_value();
      count += keeps == true;
    }
    if (decided)
      return {Expr(count), true};
  }
  // A condition shorter than the axis keeps no more than it has entries.
  MaybeDim entries = dimOf(ctx, node, 1, 0);
  if (!size || !entries)
    return {better(size, entries), false};
  return {Expr::min(*size, *entries), false};
}

static Error inferCompress(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  MaybeDims dims;
  MaybeDim *axisSize = nullptr;
  if (!node.attribute("axis")) {
    dims.push_back(input ? product(*input) : std::nullopt);
    axisSize = &dims.front();
  } else if (input) {
    Expected<unsigned> axis =
        ctx.axis(node, node.attributeInt("axis", 0), input->size());
    if (!axis)
      return axis.takeError();
    dims = *input;
    axisSize = &dims[*axis];
  } else {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    ctx.setDataDependent(node);
    return Error::success();
  }
  auto [count, exact] = keptCount(ctx, node, *axisSize);
  *axisSize = count;
  ctx.setTensorLike(node, 0, 0, dims);
  if (!exact)
    ctx.setDataDependent(node);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Unique
//===----------------------------------------------------------------------===//

/// Y, indices, inverse indices, counts.
static Error inferUnique(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  MaybeDim most;
  MaybeDims dims;
  if (!node.attribute("axis")) {
    most = input ? product(*input) : std::nullopt;
    dims = {most};
  } else if (input) {
    Expected<unsigned> axis =
        ctx.axis(node, node.attributeInt("axis", 0), input->size());
    if (!axis)
      return axis.takeError();
    dims = *input;
    most = dims[*axis];
  }
  if (dims.empty())
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
  else
    ctx.setTensorLike(node, 0, 0, dims);
  for (unsigned output : {1, 2, 3})
    ctx.setTensor(node, output, TensorProto::INT64, {most});
  ctx.setDataDependent(node);
  // There is one inverse index for each element.
  if (Value *inverse = node.output(2))
    inverse->dataDependent = false;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// NonMaxSuppression
//===----------------------------------------------------------------------===//

/// Boxes [batches, boxes, 4], scores [batches, classes, boxes]; a class of a
/// batch keeps at most operand 2 of its boxes. Without it none is kept.
static Error inferNonMaxSuppression(Node &node, InferContext &ctx) {
  MaybeDim batches = better(dimOf(ctx, node, 0, 0), dimOf(ctx, node, 1, 0));
  MaybeDim boxes = better(dimOf(ctx, node, 0, 1), dimOf(ctx, node, 1, 2));
  MaybeDim classes = dimOf(ctx, node, 1, 1);
  MaybeDim most = has(node, 2) ? scalarDim(ctx, node, 2) : MaybeDim(Expr(0));
  MaybeDim kept = boxes;
  if (most && boxes)
    kept = Expr::max(Expr::min(*most, *boxes), Expr(0));
  ctx.setTensor(node, 0, TensorProto::INT64,
                {times(times(kept, batches), classes), Expr(3)});
  ctx.setDataDependent(node);
  return Error::success();
}

void onnx_import::registerSelectionInfer(RuleTable &table) {
  table.infer("NonZero", inferNonZero, foldNonZero);
  table.infer("Compress", inferCompress);
  table.infer("Unique", inferUnique);
  table.infer("NonMaxSuppression", inferNonMaxSuppression, nullptr,
              hostOperands(2));
}
