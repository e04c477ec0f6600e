//===- InferShape.cpp - shapes as data, and views -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ConstantData.h"
#include "FoldSupport.h"
#include <cmath>

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Shape, Size
//===----------------------------------------------------------------------===//

/// The dimensions that Shape's start and end (opset 15) keep.
static std::pair<size_t, size_t> shapeRange(const Node &node, size_t rank) {
  auto clamped = [&](int64_t position) {
    if (position < 0)
      position += rank;
    return size_t(std::clamp<int64_t>(position, 0, rank));
  };
  size_t start = clamped(node.attributeInt("start", 0));
  size_t end = clamped(node.attributeInt("end", rank));
  return {start, std::max(start, end)};
}

static Error inferShape(Node &node, InferContext &ctx) {
  MaybeDim length;
  if (const MaybeDims *dims = ctx.dims(node, 0)) {
    auto [start, end] = shapeRange(node, dims->size());
    length = Expr(int64_t(end - start));
  }
  ctx.setTensor(node, 0, TensorProto::INT64, {length});
  return Error::success();
}

static void foldShape(Node &node, InferContext &ctx) {
  const MaybeDims *dims = ctx.dims(node, 0);
  if (!dims)
    return;
  auto [start, end] = shapeRange(node, dims->size());
  std::vector<Scalar> elements;
  for (const MaybeDim &dim : ArrayRef(*dims).slice(start, end - start))
    elements.push_back(dim ? Scalar(*dim) : arith::unknown);
  ctx.setConstant(node, 0, std::move(elements));
}

static Error inferSize(Node &node, InferContext &ctx) {
  ctx.setTensor(node, 0, TensorProto::INT64, {});
  return Error::success();
}

static void foldSize(Node &node, InferContext &ctx) {
  const MaybeDims *dims = ctx.dims(node, 0);
  if (!dims)
    return;
  if (MaybeDim count = product(*dims))
    ctx.setConstant(node, 0, {*count});
}

//===----------------------------------------------------------------------===//
// Reshape, Flatten
//===----------------------------------------------------------------------===//

namespace {
/// The sizes a Reshape asks for.
struct ReshapeTarget {
  MaybeDims dims;
  std::optional<size_t> inferred; ///< the size that follows from the others
  SmallVector<bool, 4> copied;    ///< those taken over from the data
};
} // namespace

static Expected<ReshapeTarget> readTarget(const Node &node,
                                          const MaybeDims &requested,
                                          const MaybeDims *input) {
  ReshapeTarget target;
  target.copied.assign(requested.size(), false);
  bool allowZero = node.attributeInt("allowzero", 0);
  size_t unknowns = 0, lastUnknown = 0;
  for (auto [i, dim] : enumerate(requested)) {
    std::optional<int64_t> number = asInt(dim);
    if (number == -1) {
      if (target.inferred)
        return nodeError(node, "two sizes of the target shape are -1");
      target.inferred = i;
      target.dims.push_back(std::nullopt);
      continue;
    }
    if (number == 0 && !allowZero) {
      if (input && i >= input->size())
        return nodeError(node,
                         "size " + Twine(i) +
                             " is to be taken over from an input of rank " +
                             Twine(input->size()));
      target.copied[i] = true;
      target.dims.push_back(input ? (*input)[i] : std::nullopt);
      continue;
    }
    if (Error error = checkSize(node, dim, "size " + Twine(i)))
      return std::move(error);
    target.dims.push_back(dim);
    if (!dim) {
      ++unknowns;
      lastUnknown = i;
    }
  }
  // One size that isn't known follows from the number of elements, as -1 does.
  if (!target.inferred && unknowns == 1)
    target.inferred = lastUnknown;
  return target;
}

/// Deduces the inferred size, or checks that the element counts agree. Sizes
/// taken over stand on both sides and cancel, known or not.
static Error completeTarget(const Node &node, const MaybeDims &input,
                            ReshapeTarget &target) {
  MaybeDims from, to;
  for (size_t i = 0, n = std::max(input.size(), target.dims.size()); i != n;
       ++i) {
    bool cancels = i < target.copied.size() && target.copied[i] &&
                   i < input.size() && !(input[i] && input[i]->isZero());
    if (cancels)
      continue;
    if (i < input.size())
      from.push_back(input[i]);
    if (i < target.dims.size() && i != target.inferred)
      to.push_back(target.dims[i]);
  }
  MaybeDim have = product(from), want = product(to);
  auto mismatch = [&](const Twine &wanted) {
    return nodeError(node, "the input " + str(input) + " has " +
                               str(product(input)) +
                               " elements, the target shape " +
                               str(target.dims) + " " + wanted);
  };
  if (!target.inferred) {
    if (differ(have, want))
      return mismatch("has " + str(product(target.dims)));
    return Error::success();
  }
  if (have && want && have->isConstant() && want->isConstant() &&
      !(want->isZero() && have->isZero()) &&
      (want->isZero() || have->constant() % want->constant() != 0))
    return mismatch("asks for a multiple of " + want->str());
  MaybeDim &inferred = target.dims[*target.inferred];
  inferred = quotient(have, want);
  return Error::success();
}

static Error inferReshape(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  std::optional<MaybeDims> requested = ctx.constantDims(node, 1);
  if (!requested) {
    std::optional<int64_t> rank = asInt(dimOf(ctx, node, 1, 0));
    if (!rank || *rank < 0 || *rank > int64_t(maxRank)) {
      ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
      return Error::success();
    }
    requested = unknownDims(*rank);
  }
  Expected<ReshapeTarget> target = readTarget(node, *requested, input);
  if (!target)
    return target.takeError();
  if (input)
    if (Error error = completeTarget(node, *input, *target))
      return error;
  ctx.setTensorLike(node, 0, 0, target->dims);
  return Error::success();
}

static Error inferFlatten(Node &node, InferContext &ctx) {
  const MaybeDims *dims = ctx.dims(node, 0);
  if (!dims) {
    ctx.setTensorLike(node, 0, 0, unknownDims(2));
    return Error::success();
  }
  int64_t rank = dims->size(), axis = node.attributeInt("axis", 1);
  if (axis < -rank || axis > rank)
    return nodeError(node, "axis " + Twine(axis) +
                               " is out of range for a tensor of rank " +
                               Twine(rank));
  if (axis < 0)
    axis += rank;
  ctx.setTensorLike(node, 0, 0,
                    {product(ArrayRef(*dims).take_front(axis)),
                     product(ArrayRef(*dims).drop_front(axis))});
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Squeeze, Unsqueeze
//===----------------------------------------------------------------------===//

static Error inferSqueezeOnes(Node &node, InferContext &ctx,
                              const MaybeDims &dims) {
  MaybeDims kept;
  for (const MaybeDim &dim : dims) {
    if (dim && *dim == Expr(1))
      continue;
    // Whether a formula is 1 decides the rank.
    if (!dim || (!dim->isConstant() && !atLeast(*dim, Expr(2)))) {
      ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
      return Error::success();
    }
    kept.push_back(dim);
  }
  ctx.setTensorLike(node, 0, 0, kept);
  return Error::success();
}

static Error inferSqueeze(Node &node, InferContext &ctx) {
  const MaybeDims *dims = ctx.dims(node, 0);
  IntList list = attributeOrInput(ctx, node, "axes", 1);
  if (dims && list.isAbsent())
    return inferSqueezeOnes(node, ctx, *dims);
  if (!dims || list.isUnknown()) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  auto axes = normalizedAxes(ctx, node, list.values, dims->size());
  if (!axes)
    return axes.takeError();
  MaybeDims kept;
  for (auto [i, dim] : enumerate(*dims)) {
    if (!is_contained(*axes, i))
      kept.push_back(dim);
    else if (differ(dim, Expr(1)))
      return nodeError(node, "dimension " + Twine(i) + " has size " +
                                 dim->str() + " and can't be removed");
  }
  ctx.setTensorLike(node, 0, 0, kept);
  return Error::success();
}

static Error inferUnsqueeze(Node &node, InferContext &ctx) {
  const MaybeDims *dims = ctx.dims(node, 0);
  IntList list = attributeOrInput(ctx, node, "axes", 1);
  if (!dims) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  if (!list.isKnown()) {
    // How many axes there are gives the rank.
    std::optional<int64_t> count = asInt(dimOf(ctx, node, 1, 0));
    if (count && *count >= 0 && *count <= 64)
      ctx.setTensorLike(node, 0, 0, unknownDims(dims->size() + *count));
    else
      ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  size_t rank = dims->size() + list.values.size();
  if (rank > maxRank)
    return nodeError(node, "a rank of " + Twine(rank) + " is more than " +
                               Twine(maxRank));
  auto axes = normalizedAxes(ctx, node, list.values, rank);
  if (!axes)
    return axes.takeError();
  MaybeDims result;
  const MaybeDim *next = dims->begin();
  for (size_t i = 0; i != rank; ++i)
    result.push_back(is_contained(*axes, i) ? MaybeDim(Expr(1)) : *next++);
  ctx.setTensorLike(node, 0, 0, result);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Expand, Tile
//===----------------------------------------------------------------------===//

/// The sizes an operand lists: unknown ones where only their number is known;
/// nothing where not even that is.
static std::optional<MaybeDims> listedDims(const InferContext &ctx,
                                           const Node &node, unsigned input) {
  if (std::optional<MaybeDims> dims = ctx.constantDims(node, input))
    return dims;
  std::optional<int64_t> count = asInt(dimOf(ctx, node, input, 0));
  if (!count || *count < 0 || *count > int64_t(maxRank))
    return std::nullopt;
  return unknownDims(*count);
}

static Error inferExpand(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  std::optional<MaybeDims> target = listedDims(ctx, node, 1);
  if (!input || !target) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  for (auto [i, dim] : enumerate(*target))
    if (Error error = checkSize(node, dim, "size " + Twine(i)))
      return error;
  Expected<MaybeDims> dims = ctx.broadcast(node, {input, &*target});
  if (!dims)
    return dims.takeError();
  ctx.setTensorLike(node, 0, 0, *dims);
  return Error::success();
}

static void foldExpand(Node &node, InferContext &ctx) {
  if (std::optional<Folded> input = foldedInput(ctx, node, 0))
    foldEach(node, ctx,
             [&](Index index) { return broadcastAt(*input, index); });
}

static Error inferTile(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  std::optional<MaybeDims> repeats = ctx.constantDims(node, 1);
  if (!repeats)
    repeats = unknownDims(input->size());
  if (repeats->size() != input->size())
    return nodeError(node, Twine(repeats->size()) +
                               " repeats for an input of rank " +
                               Twine(input->size()));
  MaybeDims dims;
  for (auto [dim, repeat] : zip(*input, *repeats)) {
    if (Error error = checkSize(node, repeat, "a repeat"))
      return error;
    dims.push_back(times(dim, repeat));
  }
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

static void foldTile(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  if (!input || input->elements.empty())
    return;
  Shape source(input->shape.size());
  foldEach(node, ctx, [&](Index index) {
    for (size_t i = 0; i != source.size(); ++i)
      source[i] = index[i] % input->shape[i];
    return input->at(source);
  });
}

//===----------------------------------------------------------------------===//
// ConstantOfShape, Range
//===----------------------------------------------------------------------===//

static Error inferConstantOfShape(Node &node, InferContext &ctx) {
  const onnx::AttributeProto *value = node.attribute("value");
  int elem = value ? value->t().data_type() : int(TensorProto::FLOAT);
  std::optional<MaybeDims> dims = listedDims(ctx, node, 0);
  if (!dims) {
    ctx.setUnranked(node, 0, elem);
    return Error::success();
  }
  for (auto [i, dim] : enumerate(*dims))
    if (Error error = checkSize(node, dim, "size " + Twine(i)))
      return error;
  ctx.setTensor(node, 0, elem, *dims);
  return Error::success();
}

static void foldConstantOfShape(Node &node, InferContext &ctx) {
  Scalar element = 0.0;
  if (const onnx::AttributeProto *value = node.attribute("value")) {
    std::shared_ptr<const Constant> data = decodeTensor(value->t());
    if (!data || data->elements.size() != 1)
      return;
    element = data->elements.front();
  }
  foldEach(node, ctx, [&](Index) { return element; });
}

/// ⌈(limit − start) / delta⌉, 0 where that is negative.
static MaybeDim rangeLength(const InferContext &ctx, const Node &node) {
  auto start = constantFloats(ctx, node, 0),
       limit = constantFloats(ctx, node, 1),
       delta = constantFloats(ctx, node, 2);
  bool isReal = arith::isFloat(ctx.elemOf(node, 0));
  if (isReal && start && limit && delta && start->size() == 1 &&
      limit->size() == 1 && delta->size() == 1 && delta->front() != 0) {
    Scalar span =
        arith::subtract(limit->front(), start->front(), ctx.elemOf(node, 0));
    double count = std::ceil(*arith::toReal(span) / delta->front());
    if (!(std::fabs(count) < 9e15))
      return std::nullopt;
    return Expr(std::max<int64_t>(0, count));
  }
  // Symbolic sizes may stand in float tensors, too, where they are whole.
  MaybeDim from = scalarDim(ctx, node, 0), to = scalarDim(ctx, node, 1),
           step = scalarDim(ctx, node, 2);
  std::optional<int64_t> by = asInt(step);
  if (!from || !to || !by || *by == 0)
    return std::nullopt;
  Expr span = *by > 0 ? *to - *from : *from - *to;
  Expr stride = *by > 0 ? Expr(*by) : -Expr(*by);
  return Expr::max(Expr::ceilDiv(span, stride), Expr(0));
}

static Error inferRange(Node &node, InferContext &ctx) {
  for (double step :
       constantFloats(ctx, node, 2).value_or(SmallVector<double, 4>()))
    if (step == 0)
      return nodeError(node, "the step is 0");
  ctx.setTensorLike(node, 0, 0, {rangeLength(ctx, node)});
  return Error::success();
}

static void foldRange(Node &node, InferContext &ctx) {
  std::optional<Folded> start = foldedInput(ctx, node, 0);
  std::optional<Folded> delta = foldedInput(ctx, node, 2);
  if (!start || !delta || start->elements.size() != 1 ||
      delta->elements.size() != 1)
    return;
  int elem = start->onnxElem;
  foldEach(node, ctx, [&](Index index) {
    Scalar steps = arith::fit(Expr(index[0]), elem);
    return arith::add(start->elements[0],
                      arith::multiply(steps, delta->elements[0], elem), elem);
  });
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void onnx_import::registerShapeInfer(RuleTable &table) {
  table.infer("Shape", inferShape, foldShape, hostOperands(0));
  table.infer("Size", inferSize, foldSize, hostOperands(0));
  table.infer("Reshape", inferReshape, foldSameElements, hostOperands(1));
  table.infer("Flatten", inferFlatten, foldSameElements);
  table.infer("Squeeze", inferSqueeze, foldSameElements, hostOperands(1));
  table.infer("Unsqueeze", inferUnsqueeze, foldSameElements, hostOperands(1));
  table.infer("Expand", inferExpand, foldExpand, hostOperands(1));
  table.infer("Tile", inferTile, foldTile, hostOperands(1));
  table.infer("ConstantOfShape", inferConstantOfShape, foldConstantOfShape,
              hostOperands(0));
  table.infer("Range", inferRange, foldRange, hostOperands(0, 1, 2));
}
