//===- InferIndexing.cpp - gathers and scatters ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldSupport.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

static Error inferGather(Node &node, InferContext &ctx) {
  const MaybeDims *data = ctx.dims(node, 0), *indices = ctx.dims(node, 1);
  if (!data || !indices) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", 0), data->size());
  if (!axis)
    return axis.takeError();
  MaybeDims dims(data->begin(), data->begin() + *axis);
  dims.append(indices->begin(), indices->end());
  dims.append(data->begin() + *axis + 1, data->end());
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

/// A folded index as a position in [0, size); nothing where it isn't known.
static std::optional<int64_t> position(const Scalar &index, int64_t size) {
  const Expr *expr = asExpr(index);
  std::optional<int64_t> value = expr ? expr->asInt64() : std::nullopt;
  if (value && *value < 0)
    *value += size;
  if (!value || *value < 0 || *value >= size)
    return std::nullopt;
  return value;
}

static void foldGather(Node &node, InferContext &ctx) {
  std::optional<Folded> data = foldedInput(ctx, node, 0);
  std::optional<Folded> indices = foldedInput(ctx, node, 1);
  if (!data || !indices)
    return;
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", 0), data->shape.size());
  if (!axis)
    return consumeError(axis.takeError());
  size_t picked = indices->shape.size();
  Shape source(data->shape.size());
  foldEach(node, ctx, [&](Index index) -> Scalar {
    std::optional<int64_t> at =
        position(indices->at(index.slice(*axis, picked)), data->shape[*axis]);
    if (!at)
      return arith::unknown;
    for (size_t i = 0; i != source.size(); ++i)
      source[i] = i < *axis   ? index[i]
                  : i > *axis ? index[i + picked - 1]
                              : *at;
    return data->at(source);
  });
}

static Error inferGatherElements(Node &node, InferContext &ctx) {
  setShapeLike(node, ctx, 0, 1, ctx.elemOf(node, 0));
  return Error::success();
}

static void foldGatherElements(Node &node, InferContext &ctx) {
  std::optional<Folded> data = foldedInput(ctx, node, 0);
  std::optional<Folded> indices = foldedInput(ctx, node, 1);
  if (!data || !indices || data->shape.size() != indices->shape.size())
    return;
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", 0), data->shape.size());
  if (!axis)
    return consumeError(axis.takeError());
  foldEach(node, ctx, [&](Index index) -> Scalar {
    std::optional<int64_t> at =
        position(indices->at(index), data->shape[*axis]);
    Shape source(index.begin(), index.end());
    if (!at)
      return arith::unknown;
    source[*axis] = *at;
    for (auto [i, size] : zip(source, data->shape))
      if (i >= size)
        return arith::unknown;
    return data->at(source);
  });
}

/// Indices' last dimension counts how many axes after the batch they address.
static Error inferGatherND(Node &node, InferContext &ctx) {
  const MaybeDims *data = ctx.dims(node, 0), *indices = ctx.dims(node, 1);
  int64_t batch = node.attributeInt("batch_dims", 0);
  std::optional<int64_t> depth =
      indices && !indices->empty() ? asInt(indices->back()) : std::nullopt;
  if (!data || !indices || !depth) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  if (batch < 0 || batch >= int64_t(indices->size()) ||
      batch + *depth > int64_t(data->size()))
    return nodeError(node,
                     "indices " + str(*indices) + " with " + Twine(batch) +
                         " batch dimensions don't address data " + str(*data));
  MaybeDims dims(indices->begin(), indices->end() - 1);
  dims.append(data->begin() + batch + *depth, data->end());
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

static void foldGatherND(Node &node, InferContext &ctx) {
  std::optional<Folded> data = foldedInput(ctx, node, 0);
  std::optional<Folded> indices = foldedInput(ctx, node, 1);
  size_t batch = node.attributeInt("batch_dims", 0);
  if (!data || !indices || indices->shape.empty())
    return;
  size_t outer = indices->shape.size() - 1, depth = indices->shape.back();
  foldEach(node, ctx, [&](Index index) -> Scalar {
    Shape source(index.begin(), index.begin() + batch);
    Shape at(index.begin(), index.begin() + outer);
    at.push_back(0);
    for (size_t i = 0; i != depth; ++i) {
      at.back() = i;
      std::optional<int64_t> where =
          position(indices->at(at), data->shape[batch + i]);
      if (!where)
        return arith::unknown;
      source.push_back(*where);
    }
    source.append(index.begin() + outer, index.end());
    return data->at(source);
  });
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

using Reducer = Scalar (*)(const Scalar &, const Scalar &, int);

/// How an update joins what stands there; null: it replaces it.
static Reducer reducerOf(const Node &node) {
  StringRef reduction = node.attributeString("reduction", "none");
  if (reduction == "add")
    return arith::add;
  if (reduction == "mul")
    return arith::multiply;
  if (reduction == "min")
    return arith::minimum;
  if (reduction == "max")
    return arith::maximum;
  return nullptr;
}

static void update(Scalar &element, const Scalar &value, Reducer reducer,
                   int onnxElem) {
  element = reducer ? reducer(element, value, onnxElem) : value;
}

static void foldScatterElements(Node &node, InferContext &ctx) {
  std::optional<Folded> data = foldedInput(ctx, node, 0);
  std::optional<Folded> indices = foldedInput(ctx, node, 1);
  std::optional<Folded> updates = foldedInput(ctx, node, 2);
  if (!data || !indices || !updates || indices->shape != updates->shape ||
      indices->shape.size() != data->shape.size())
    return;
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", 0), data->shape.size());
  if (!axis)
    return consumeError(axis.takeError());
  std::vector<Scalar> elements = data->elements;
  Reducer reducer = reducerOf(node);
  bool decided = true;
  forEachIndex(indices->shape, [&](Index index) {
    std::optional<int64_t> at =
        position(indices->at(index), data->shape[*axis]);
    Shape target(index.begin(), index.end());
    if (at)
      target[*axis] = *at;
    for (auto [i, size] : zip(target, data->shape))
      decided &= at && i < size;
    if (decided)
      update(elements[positionOf(target, data->shape)], updates->at(index),
             reducer, data->onnxElem);
  });
  if (decided)
    ctx.setConstant(node, 0, std::move(elements));
}

static void foldScatterND(Node &node, InferContext &ctx) {
  std::optional<Folded> data = foldedInput(ctx, node, 0);
  std::optional<Folded> indices = foldedInput(ctx, node, 1);
  std::optional<Folded> updates = foldedInput(ctx, node, 2);
  if (!data || !indices || !updates || indices->shape.empty())
    return;
  size_t outer = indices->shape.size() - 1, depth = indices->shape.back();
  if (depth > data->shape.size() ||
      updates->shape.size() != outer + data->shape.size() - depth)
    return;
  std::vector<Scalar> elements = data->elements;
  Reducer reducer = reducerOf(node);
  bool decided = true;
  forEachIndex(updates->shape, [&](Index index) {
    Shape at(index.begin(), index.begin() + outer), target;
    at.push_back(0);
    for (size_t i = 0; i != depth && decided; ++i) {
      at.back() = i;
      std::optional<int64_t> where = position(indices->at(at), data->shape[i]);
      decided &= where.has_value();
      target.push_back(where.value_or(0));
    }
    if (!decided)
      return;
    target.append(index.begin() + outer, index.end());
    for (auto [i, size] : zip(target, data->shape))
      decided &= i < size;
    if (decided)
      update(elements[positionOf(target, data->shape)], updates->at(index),
             reducer, data->onnxElem);
  });
  if (decided)
    ctx.setConstant(node, 0, std::move(elements));
}

//===----------------------------------------------------------------------===//
// OneHot, EyeLike
//===----------------------------------------------------------------------===//

static Error inferOneHot(Node &node, InferContext &ctx) {
  const MaybeDims *indices = ctx.dims(node, 0);
  int elem = ctx.elemOf(node, 2);
  if (!indices) {
    ctx.setUnranked(node, 0, elem);
    return Error::success();
  }
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", -1), indices->size() + 1);
  if (!axis)
    return axis.takeError();
  MaybeDim depth = scalarDim(ctx, node, 1);
  if (Error error = checkSize(node, depth, "the depth"))
    return error;
  MaybeDims dims = *indices;
  dims.insert(dims.begin() + *axis, depth);
  ctx.setTensor(node, 0, elem, dims);
  return Error::success();
}

static void foldOneHot(Node &node, InferContext &ctx) {
  std::optional<Folded> indices = foldedInput(ctx, node, 0);
  std::optional<Folded> values = foldedInput(ctx, node, 2);
  std::optional<Shape> shape = foldableOutput(node, 0);
  if (!indices || !values || !shape || values->elements.size() != 2)
    return;
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", -1), shape->size());
  if (!axis)
    return consumeError(axis.takeError());
  foldEach(node, ctx, [&](Index index) -> Scalar {
    Shape source(index.begin(), index.end());
    source.erase(source.begin() + *axis);
    const Scalar &hot = indices->at(source);
    if (!arith::toReal(hot))
      return arith::unknown;
    std::optional<int64_t> at = position(hot, (*shape)[*axis]);
    return values->elements[at == index[*axis] ? 1 : 0];
  });
}

static Error inferEyeLike(Node &node, InferContext &ctx) {
  setShapeLike(node, ctx, 0, 0,
               node.attributeInt("dtype", ctx.elemOf(node, 0)));
  return Error::success();
}

void onnx_import::registerIndexingInfer(RuleTable &table) {
  table.infer("Gather", inferGather, foldGather);
  table.infer("GatherElements", inferGatherElements, foldGatherElements);
  table.infer("GatherND", inferGatherND, foldGatherND);
  table.infer("Scatter", inferLike<0>, foldScatterElements);
  table.infer("ScatterElements", inferLike<0>, foldScatterElements);
  table.infer("ScatterND", inferLike<0>, foldScatterND);
  table.infer("OneHot", inferOneHot, foldOneHot, hostOperands(1));
  table.infer("EyeLike", inferEyeLike, nullptr, hostOperands(0));
}
