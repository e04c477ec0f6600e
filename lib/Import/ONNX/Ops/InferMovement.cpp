//===- InferMovement.cpp - ops that move elements along axes --------------===//
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

static Error setUnrankedLike(Node &node, InferContext &ctx) {
  for (unsigned i = 0; i != node.outputs.size(); ++i)
    ctx.setUnranked(node, i, ctx.elemOf(node, 0));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

static Expected<SmallVector<unsigned, 4>>
readPermutation(const Node &node, const InferContext &ctx, size_t rank) {
  SmallVector<unsigned, 4> permutation;
  auto given = node.attributeInts("perm");
  if (!given) {
    for (size_t i = rank; i; --i)
      permutation.push_back(i - 1);
    return permutation;
  }
  if (given->size() != rank)
    return nodeError(node, "attribute perm has " + Twine(given->size()) +
                               " values for a tensor of rank " + Twine(rank));
  return normalizedAxes(ctx, node, *given, rank);
}

static Error inferTranspose(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input) {
    if (auto given = node.attributeInts("perm"))
      ctx.setTensorLike(node, 0, 0, unknownDims(given->size()));
    else
      ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  auto permutation = readPermutation(node, ctx, input->size());
  if (!permutation)
    return permutation.takeError();
  MaybeDims dims;
  for (unsigned axis : *permutation)
    dims.push_back((*input)[axis]);
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

static void foldTranspose(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  if (!input)
    return;
  auto permutation = readPermutation(node, ctx, input->shape.size());
  if (!permutation)
    return consumeError(permutation.takeError());
  Shape source(input->shape.size());
  foldEach(node, ctx, [&](Index index) {
    for (auto [i, axis] : enumerate(*permutation))
      source[axis] = index[i];
    return input->at(source);
  });
}

//===----------------------------------------------------------------------===//
// Concat, Split
//===----------------------------------------------------------------------===//

/// Merges the sizes of one more operand into the result's.
static Error addPart(const Node &node, MaybeDims &result, const MaybeDims &part,
                     unsigned axis) {
  if (part.size() != result.size())
    return nodeError(node, "operands of rank " + Twine(result.size()) +
                               " and " + Twine(part.size()));
  for (size_t i = 0; i != part.size(); ++i) {
    if (i == axis) {
      result[i] = plus(result[i], part[i]);
      continue;
    }
    if (differ(result[i], part[i]))
      return nodeError(node, "sizes " + str(result[i]) + " and " +
                                 str(part[i]) + " of dimension " + Twine(i) +
                                 " differ");
    result[i] = better(result[i], part[i]);
  }
  return Error::success();
}

static Error inferConcat(Node &node, InferContext &ctx) {
  std::optional<MaybeDims> result;
  bool partMissing = false;
  unsigned axis = 0;
  for (unsigned i = 0; i != node.inputs.size(); ++i) {
    const MaybeDims *part = ctx.dims(node, i);
    if (!part) {
      partMissing = true;
      continue;
    }
    if (result) {
      if (Error error = addPart(node, *result, *part, axis))
        return error;
      continue;
    }
    Expected<unsigned> given =
        ctx.axis(node, node.attributeInt("axis", 1), part->size());
    if (!given)
      return given.takeError();
    axis = *given;
    result = *part;
  }
  if (!result)
    return setUnrankedLike(node, ctx);
  if (partMissing)
    (*result)[axis] = std::nullopt;
  ctx.setTensorLike(node, 0, 0, *result);
  return Error::success();
}

/// Parts may be unknown while others are known: a shape is often put together
/// of both.
static void foldConcat(Node &node, InferContext &ctx) {
  std::optional<Shape> shape = foldableOutput(node, 0);
  if (!shape)
    return;
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", 1), shape->size());
  if (!axis)
    return consumeError(axis.takeError());
  struct Part {
    std::optional<Folded> data;
    int64_t begin, end;
  };
  SmallVector<Part, 4> parts;
  int64_t position = 0;
  bool anyKnown = false;
  for (unsigned i = 0; i != node.inputs.size(); ++i) {
    std::optional<int64_t> size = asInt(dimOf(ctx, node, i, *axis));
    if (!size)
      return;
    parts.push_back({foldedInput(ctx, node, i), position, position + *size});
    anyKnown |= parts.back().data.has_value();
    position += *size;
  }
  if (!anyKnown)
    return;
  Shape source;
  foldEach(node, ctx, [&](Index index) -> Scalar {
    const Part *part = find_if(
        parts, [&](const Part &part) { return index[*axis] < part.end; });
    if (part == parts.end() || !part->data)
      return arith::unknown;
    source.assign(index.begin(), index.end());
    source[*axis] -= part->begin;
    return part->data->at(source);
  });
}

/// The sizes of Split's parts; unknown ones where they aren't known.
static Expected<MaybeDims> partSizes(const Node &node, const InferContext &ctx,
                                     const MaybeDim &size) {
  size_t count = node.outputs.size();
  IntList list = attributeOrInput(ctx, node, "split", 1);
  if (list.isKnown()) {
    if (list.values.size() != count)
      return nodeError(node, Twine(list.values.size()) + " sizes for " +
                                 Twine(count) + " outputs");
    MaybeDims parts;
    Expr sum = 0;
    for (int64_t part : list.values) {
      if (part < 0)
        return nodeError(node, "a part has the size " + Twine(part));
      parts.push_back(Expr(part));
      sum += Expr(part);
    }
    if (differ(size, sum))
      return nodeError(node, "the parts have " + sum.str() +
                                 " elements, the axis has " + str(size));
    return parts;
  }
  if (list.isUnknown()) {
    std::optional<MaybeDims> parts = ctx.constantDims(node, 1);
    return parts && parts->size() == count ? *parts : unknownDims(count);
  }
  if (!size)
    return unknownDims(count);
  // Equal parts, the last one smaller (opset 18).
  int64_t pieces = node.attributeInt("num_outputs", count);
  if (pieces <= 0)
    return nodeError(node,
                     "attribute num_outputs has the value " + Twine(pieces));
  if (node.opsetVersion < 18 && size->isConstant() &&
      size->constant() % Int(pieces) != 0)
    return nodeError(node, "an axis of " + size->str() +
                               " can't be split into " + Twine(pieces) +
                               " equal parts");
  std::optional<Expr> even = Expr::exactQuotient(*size, Expr(pieces));
  Expr part = even ? *even : Expr::ceilDiv(*size, Expr(pieces));
  MaybeDims parts;
  parts.assign(count, MaybeDim(part));
  if (!even && count == size_t(pieces))
    parts.back() = Expr::max(*size - part * Expr(pieces - 1), Expr(0));
  return parts;
}

static Error inferSplit(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input)
    return setUnrankedLike(node, ctx);
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", 0), input->size());
  if (!axis)
    return axis.takeError();
  Expected<MaybeDims> parts = partSizes(node, ctx, (*input)[*axis]);
  if (!parts)
    return parts.takeError();
  for (auto [i, part] : enumerate(*parts)) {
    MaybeDims dims = *input;
    dims[*axis] = part;
    ctx.setTensorLike(node, i, 0, dims);
  }
  return Error::success();
}

static void foldSplit(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  if (!input)
    return;
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", 0), input->shape.size());
  if (!axis)
    return consumeError(axis.takeError());
  int64_t begin = 0;
  for (unsigned i = 0; i != node.outputs.size(); ++i) {
    std::optional<Shape> shape = foldableOutput(node, i);
    if (!shape || begin + (*shape)[*axis] > input->shape[*axis])
      return;
    std::vector<Scalar> elements;
    Shape source;
    forEachIndex(*shape, [&](Index index) {
      source.assign(index.begin(), index.end());
      source[*axis] += begin;
      elements.push_back(input->at(source));
    });
    begin += (*shape)[*axis];
    ctx.setConstant(node, i, std::move(elements));
  }
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

namespace {
/// What one axis is cut to; unknown bounds are nothing.
struct Cut {
  unsigned axis;
  MaybeDim start, end;
  std::optional<int64_t> step;
};
} // namespace

/// Bounds are attributes before opset 10, operands since. Nothing where the
/// axes aren't known.
static Expected<std::optional<SmallVector<Cut, 4>>>
readCuts(const Node &node, const InferContext &ctx, size_t rank) {
  using Cuts = std::optional<SmallVector<Cut, 4>>;
  auto asDims = [](ArrayRef<int64_t> ints) {
    MaybeDims dims;
    for (int64_t value : ints)
      dims.push_back(Expr(value));
    return dims;
  };
  MaybeDims starts, ends;
  IntList axes = attributeOrInput(ctx, node, "axes", 3);
  IntList steps = attributeOrInput(ctx, node, "steps", 4);
  if (auto given = node.attributeInts("starts")) {
    starts = asDims(*given);
    ends =
        asDims(node.attributeInts("ends").value_or(SmallVector<int64_t, 4>()));
  } else {
    std::optional<MaybeDims> from = ctx.constantDims(node, 1);
    std::optional<MaybeDims> to = ctx.constantDims(node, 2);
    std::optional<int64_t> count =
        from ? int64_t(from->size()) : asInt(dimOf(ctx, node, 1, 0));
    if (!count && to)
      count = to->size();
    if (!count && axes.isKnown())
      count = axes.values.size();
    if (!count || *count < 0 || *count > int64_t(maxRank))
      return Cuts();
    starts = from ? *from : unknownDims(*count);
    ends = to ? *to : unknownDims(*count);
  }
  if (starts.size() != ends.size())
    return nodeError(node, Twine(starts.size()) + " starts and " +
                               Twine(ends.size()) + " ends");
  if (axes.isUnknown())
    return Cuts();
  if (axes.isAbsent())
    for (size_t i = 0; i != starts.size(); ++i)
      axes.values.push_back(i);
  auto normalized = normalizedAxes(ctx, node, axes.values, rank);
  if (!normalized)
    return normalized.takeError();
  if (normalized->size() != starts.size() ||
      (steps.isKnown() && steps.values.size() != starts.size()))
    return nodeError(node, "starts, ends, axes and steps differ in length");
  SmallVector<Cut, 4> cuts;
  for (auto [i, axis] : enumerate(*normalized)) {
    std::optional<int64_t> step = 1;
    if (steps.isKnown())
      step = steps.values[i];
    else if (steps.isUnknown())
      step = std::nullopt;
    if (step == 0)
      return nodeError(node, "the step of axis " + Twine(axis) + " is 0");
    cuts.push_back({axis, starts[i], ends[i], step});
  }
  return Cuts(std::move(cuts));
}

/// Whether a bound counts from the start of the axis. Where its sign depends on
/// sizes (length - 1), none of those is taken to be 0. Nothing where it can't
/// be told even so.
static std::optional<bool> countsFromStart(const Expr &bound) {
  if (bound.isConstant())
    return bound.constant() >= 0;
  auto sign = [](const Expr &value) -> std::optional<bool> {
    if (atLeast(value, Expr(0)))
      return true;
    if (atLeast(-value, Expr(0)))
      return false;
    return std::nullopt;
  };
  if (std::optional<bool> always = sign(bound))
    return always;
  return sign(bound.substitute([](StringRef name) {
    return std::optional(Expr::symbol(name) + Expr(1));
  }));
}

/// The position a bound stands for, not yet clamped to the axis. Nothing where
/// it isn't known.
static MaybeDim boundPosition(const MaybeDim &bound, const Expr &size) {
  std::optional<bool> fromStart;
  if (bound)
    fromStart = countsFromStart(*bound);
  if (!fromStart)
    return std::nullopt;
  return *fromStart ? *bound : size + *bound;
}

/// Whether a bound is one that exporters write for "to the end" (INT_MAX and
/// up, or below -INT_MAX): it needn't be compared with a formula.
static bool isFar(const MaybeDim &bound) {
  constexpr int64_t far = std::numeric_limits<int32_t>::max();
  return bound && bound->isConstant() &&
         (bound->constant() >= far || bound->constant() <= -far);
}

/// The first position that a cut keeps, and the first that it doesn't, -1 for
/// one before the axis.
static std::pair<MaybeDim, MaybeDim> cutRange(const Cut &cut,
                                              const Expr &size) {
  bool forward = *cut.step > 0;
  Expr low = forward ? 0 : -1, high = forward ? size : size - Expr(1);
  auto clamped = [&](const MaybeDim &bound, bool below) -> MaybeDim {
    if (isFar(bound))
      return bound->constant() > 0 ? high : low;
    MaybeDim position = boundPosition(bound, size);
    if (!position)
      return std::nullopt;
    // The other side needs no clamp: it only makes an empty cut emptier.
    return below ? Expr::max(*position, low) : Expr::min(*position, high);
  };
  return {clamped(cut.start, forward), clamped(cut.end, !forward)};
}

static MaybeDim cutSize(const Cut &cut, const MaybeDim &size) {
  if (!size || !cut.step)
    return std::nullopt;
  auto [start, end] = cutRange(cut, *size);
  if (!start || !end)
    return std::nullopt;
  Expr span = *cut.step > 0 ? *end - *start : *start - *end;
  Int step = *cut.step > 0 ? Int(*cut.step) : -Int(*cut.step);
  return Expr::max(Expr::ceilDiv(span, Expr(step)), Expr(0));
}

static Error inferSlice(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input)
    return setUnrankedLike(node, ctx);
  auto cuts = readCuts(node, ctx, input->size());
  if (!cuts)
    return cuts.takeError();
  if (!*cuts) {
    ctx.setTensorLike(node, 0, 0, unknownDims(input->size()));
    return Error::success();
  }
  MaybeDims dims = *input;
  for (const Cut &cut : **cuts)
    dims[cut.axis] = cutSize(cut, (*input)[cut.axis]);
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

static void foldSlice(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  if (!input)
    return;
  auto cuts = readCuts(node, ctx, input->shape.size());
  if (!cuts)
    return consumeError(cuts.takeError());
  if (!*cuts)
    return;
  Shape starts(input->shape.size(), 0), steps(input->shape.size(), 1);
  for (const Cut &cut : **cuts) {
    std::optional<int64_t> start =
        cut.step ? asInt(cutRange(cut, Expr(input->shape[cut.axis])).first)
                 : std::nullopt;
    if (!start)
      return;
    starts[cut.axis] = *start;
    steps[cut.axis] = *cut.step;
  }
  Shape source(input->shape.size());
  foldEach(node, ctx, [&](Index index) {
    for (size_t i = 0; i != source.size(); ++i)
      source[i] = starts[i] + index[i] * steps[i];
    return input->at(source);
  });
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

static Error inferPad(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input)
    return setUnrankedLike(node, ctx);
  std::optional<MaybeDims> pads;
  if (auto given = node.attributeInts("pads")) {
    pads.emplace();
    for (int64_t pad : *given)
      pads->push_back(Expr(pad));
  } else {
    pads = ctx.constantDims(node, 1);
  }
  IntList axes = attributeOrInput(ctx, node, "axes", 3);
  if (axes.isAbsent())
    for (size_t i = 0; i != input->size(); ++i)
      axes.values.push_back(i);
  if (!pads && !axes.isUnknown())
    pads = unknownDims(2 * axes.values.size());
  if (!pads || axes.isUnknown()) {
    ctx.setTensorLike(node, 0, 0, unknownDims(input->size()));
    return Error::success();
  }
  auto normalized = normalizedAxes(ctx, node, axes.values, input->size());
  if (!normalized)
    return normalized.takeError();
  size_t count = normalized->size();
  if (pads->size() != 2 * count)
    return nodeError(node, Twine(pads->size()) + " pads for " + Twine(count) +
                               " axes");
  MaybeDims dims = *input;
  for (auto [i, axis] : enumerate(*normalized)) {
    dims[axis] = plus(dims[axis], plus((*pads)[i], (*pads)[count + i]));
    if (Error error =
            checkSize(node, dims[axis], "the size of axis " + Twine(axis)))
      return error;
  }
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

static Error inferDepthToSpace(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input || input->size() != 4) {
    ctx.setTensorLike(node, 0, 0, unknownDims(4));
    return Error::success();
  }
  int64_t block = node.attributeInt("blocksize", 0);
  if (block <= 0)
    return nodeError(node, "attribute blocksize has the value " + Twine(block));
  const MaybeDims &dims = *input;
  Expr size = block;
  if (node.opType() == "DepthToSpace")
    ctx.setTensorLike(node, 0, 0,
                      {dims[0], quotient(dims[1], size * size),
                       times(dims[2], size), times(dims[3], size)});
  else
    ctx.setTensorLike(node, 0, 0,
                      {dims[0], times(dims[1], size * size),
                       quotient(dims[2], size), quotient(dims[3], size)});
  return Error::success();
}

static Error inferCenterCropPad(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input)
    return setUnrankedLike(node, ctx);
  auto given = node.attributeInts("axes");
  SmallVector<int64_t, 4> all;
  for (size_t i = 0; i != input->size(); ++i)
    all.push_back(i);
  auto axes = normalizedAxes(ctx, node, given ? *given : all, input->size());
  if (!axes)
    return axes.takeError();
  std::optional<MaybeDims> sizes = ctx.constantDims(node, 1);
  if (!sizes)
    sizes = unknownDims(axes->size());
  if (sizes->size() != axes->size())
    return nodeError(node, Twine(sizes->size()) + " sizes for " +
                               Twine(axes->size()) + " axes");
  MaybeDims dims = *input;
  for (auto [axis, size] : zip(*axes, *sizes))
    dims[axis] = size;
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

static void foldTrilu(Node &node, InferContext &ctx) {
  std::optional<Folded> input = foldedInput(ctx, node, 0);
  std::optional<int64_t> shift = 0;
  if (has(node, 1))
    shift = asInt(scalarDim(ctx, node, 1));
  if (!input || !shift || input->shape.size() < 2)
    return;
  bool upper = node.attributeInt("upper", 1);
  Scalar zero = arith::fit(Expr(0), input->onnxElem);
  foldEach(node, ctx, [&](Index index) {
    int64_t diagonal = index.back() - index[index.size() - 2];
    bool kept = upper ? diagonal >= *shift : diagonal <= *shift;
    return kept ? input->at(index) : zero;
  });
}

void onnx_import::registerMovementInfer(RuleTable &table) {
  table.infer("Transpose", inferTranspose, foldTranspose);
  table.infer("Concat", inferConcat, foldConcat);
  table.infer("Split", inferSplit, foldSplit, hostOperands(1));
  table.infer("Slice", inferSlice, foldSlice, hostOperands(1, 2, 3, 4));
  table.infer("Pad", inferPad, nullptr, hostOperands(1, 3));
  table.infer("Pad", inferPad, nullptr, hostOperands(1), microsoft);
  table.infer("DepthToSpace", inferDepthToSpace);
  table.infer("SpaceToDepth", inferDepthToSpace);
  table.infer("CenterCropPad", inferCenterCropPad, nullptr, hostOperands(1));
  table.infer("Trilu", inferLike<0>, foldTrilu, hostOperands(1));
  table.infer("ReverseSequence", inferLike<0>);
  table.infer("TensorScatter", inferLike<0>);
}
