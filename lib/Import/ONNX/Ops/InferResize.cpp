//===- InferResize.cpp - resizing and sampling ----------------------------===//
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

//===----------------------------------------------------------------------===//
// Resize, Upsample
//===----------------------------------------------------------------------===//

/// ⌊size⌋; nothing where it is no size.
static MaybeDim wholeSize(double size) {
  if (!(size >= 0 && size < 9e18))
    return std::nullopt;
  return Expr(static_cast<int64_t>(std::floor(size)));
}

/// ⌊size · scale⌋ as runtimes compute it, in single precision. A formula is
/// scaled by the fraction that the scale is close to.
static MaybeDim scaled(const MaybeDim &size, double scale) {
  if (!size)
    return std::nullopt;
  if (std::optional<int64_t> number = size->asInt64())
    return wholeSize(static_cast<float>(scale) * static_cast<float>(*number));
  constexpr int64_t maxDivisor = 1024;
  auto fraction = arith::toFraction(scale, maxDivisor);
  if (!fraction)
    return std::nullopt;
  return Expr::floorDiv(*size * Expr(fraction->first), Expr(fraction->second));
}

/// Scales for all axes, an attribute in Upsample 7.
static Error setScaled(Node &node, InferContext &ctx, ArrayRef<unsigned> axes,
                       ArrayRef<double> scales, ArrayRef<double> regions = {}) {
  MaybeDims dims = *ctx.dims(node, 0);
  if (scales.size() != axes.size())
    return nodeError(node, Twine(scales.size()) + " scales for " +
                               Twine(axes.size()) + " axes");
  for (auto [i, axis] : enumerate(axes)) {
    double scale = scales[i];
    if (!(scale > 0))
      return nodeError(node, "a scale is not positive");
    // A region of interest is cropped before it is scaled.
    if (regions.size() == 2 * axes.size())
      scale *= regions[axes.size() + i] - regions[i];
    dims[axis] = scaled(dims[axis], scale);
  }
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

static SmallVector<unsigned, 4> allAxes(size_t rank) {
  SmallVector<unsigned, 4> axes;
  for (size_t i = 0; i != rank; ++i)
    axes.push_back(i);
  return axes;
}

static Error inferUpsample(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  SmallVector<double, 4> scales;
  if (const onnx::AttributeProto *attribute = node.attribute("scales"))
    scales.assign(attribute->floats().begin(), attribute->floats().end());
  else if (auto given = constantFloats(ctx, node, 1))
    scales = *given;
  if (scales.empty()) {
    ctx.setTensorLike(node, 0, 0, unknownDims(input->size()));
    return Error::success();
  }
  return setScaled(node, ctx, allAxes(input->size()), scales);
}

/// One scale for all axes: the smallest or the largest that sizes ask for.
static Error setKeepingRatio(Node &node, InferContext &ctx,
                             ArrayRef<unsigned> axes, ArrayRef<MaybeDim> sizes,
                             bool notLarger) {
  MaybeDims dims = *ctx.dims(node, 0);
  std::optional<double> scale;
  bool known = true;
  for (auto [axis, size] : zip(axes, sizes)) {
    std::optional<int64_t> wanted = asInt(size), given = asInt(dims[axis]);
    known &= wanted && given && *given > 0;
    if (!known)
      break;
    double ratio = double(*wanted) / double(*given);
    if (!scale || (notLarger ? ratio < *scale : ratio > *scale))
      scale = ratio;
  }
  for (unsigned axis : axes) {
    if (!known || !scale) {
      dims[axis] = std::nullopt;
      continue;
    }
    dims[axis] = wholeSize(double(*asInt(dims[axis])) * *scale + 0.5);
  }
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

static Error setSizes(Node &node, InferContext &ctx, ArrayRef<unsigned> axes,
                      ArrayRef<MaybeDim> sizes) {
  if (sizes.size() != axes.size())
    return nodeError(node, Twine(sizes.size()) + " sizes for " +
                               Twine(axes.size()) + " axes");
  for (const MaybeDim &size : sizes)
    if (Error error = checkSize(node, size, "a size"))
      return error;
  StringRef policy =
      node.attributeString("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch")
    return setKeepingRatio(node, ctx, axes, sizes, policy == "not_larger");
  MaybeDims dims = *ctx.dims(node, 0);
  for (auto [axis, size] : zip(axes, sizes))
    dims[axis] = size;
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

/// Scales that follow from symbolic sizes (Resize by Concat(1, 1, h/n, w/n))
/// are whole where they are known at all.
static Error setSymbolicScales(Node &node, InferContext &ctx,
                               ArrayRef<unsigned> axes, unsigned operand) {
  MaybeDims dims = *ctx.dims(node, 0);
  const Constant *scales = ctx.constant(node, operand);
  for (auto [i, axis] : enumerate(axes)) {
    MaybeDim size;
    if (scales && i < scales->elements.size()) {
      const Scalar &scale = scales->elements[i];
      if (std::optional<double> number = arith::toReal(scale))
        size = scaled(dims[axis], *number);
      else if (const Expr *expr = asExpr(scale))
        size = times(dims[axis], *expr);
    }
    dims[axis] = size;
  }
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

/// Whether an operand is there and not the empty tensor that opset 11 needs as
/// a placeholder.
static bool isGiven(const InferContext &ctx, const Node &node, unsigned input) {
  if (!has(node, input))
    return false;
  MaybeDim size = dimOf(ctx, node, input, 0);
  return !(size && size->isZero());
}

/// Operands: X, scales in opset 10; X, roi, scales, sizes since.
static Error inferResize(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  bool isFirst = node.opsetVersion < 11;
  unsigned scalesInput = isFirst ? 1 : 2;
  SmallVector<unsigned, 4> axes = allAxes(input->size());
  if (auto given = node.attributeInts("axes")) {
    auto normalized = normalizedAxes(ctx, node, *given, input->size());
    if (!normalized)
      return normalized.takeError();
    axes = *normalized;
  }
  if (!isFirst && isGiven(ctx, node, 3)) {
    std::optional<MaybeDims> sizes = ctx.constantDims(node, 3);
    return setSizes(node, ctx, axes, sizes ? *sizes : unknownDims(axes.size()));
  }
  auto scales = constantFloats(ctx, node, scalesInput);
  if (!scales)
    return setSymbolicScales(node, ctx, axes, scalesInput);
  SmallVector<double, 4> regions;
  if (node.attributeString("coordinate_transformation_mode", "") ==
      "tf_crop_and_resize") {
    auto given = constantFloats(ctx, node, 1);
    if (!given) {
      MaybeDims dims = *input;
      for (unsigned axis : axes)
        dims[axis] = std::nullopt;
      ctx.setTensorLike(node, 0, 0, dims);
      return Error::success();
    }
    regions = *given;
  }
  return setScaled(node, ctx, axes, *scales, regions);
}

//===----------------------------------------------------------------------===//
// GridSample, AffineGrid
//===----------------------------------------------------------------------===//

/// Batch and channels of the data, the positions of the grid.
static Error inferGridSample(Node &node, InferContext &ctx) {
  const MaybeDims *data = ctx.dims(node, 0), *grid = ctx.dims(node, 1);
  if (!data && !grid) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  if (data && grid && data->size() != grid->size())
    return nodeError(node, "data " + str(*data) + " and grid " + str(*grid) +
                               " differ in rank");
  MaybeDims dims = unknownDims((data ? data : grid)->size());
  for (size_t i = 0; i != dims.size(); ++i) {
    if (i < 2)
      dims[i] = data ? (*data)[i] : std::nullopt;
    else
      dims[i] = grid ? (*grid)[i - 1] : std::nullopt;
  }
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

/// [batch, channels, spatial…] as data: a grid of as many coordinates as there
/// are spatial dimensions.
static Error inferAffineGrid(Node &node, InferContext &ctx) {
  std::optional<MaybeDims> size = ctx.constantDims(node, 1);
  if (!size) {
    std::optional<int64_t> rank = asInt(dimOf(ctx, node, 1, 0));
    if (!rank || *rank < 3 || *rank > int64_t(maxRank)) {
      ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
      return Error::success();
    }
    size = unknownDims(*rank);
  }
  if (size->size() < 3)
    return nodeError(node, "the size has " + Twine(size->size()) + " values");
  MaybeDims dims = {size->front()};
  dims.append(size->begin() + 2, size->end());
  dims.push_back(Expr(int64_t(size->size() - 2)));
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

void onnx_import::registerResizeInfer(RuleTable &table) {
  table.infer("Resize", inferResize, nullptr, hostOperands(1, 2, 3));
  table.infer("Upsample", inferUpsample, nullptr, hostOperands(1));
  table.infer("GridSample", inferGridSample);
  table.infer("GridSample", inferGridSample, nullptr, 0, microsoft);
  table.infer("AffineGrid", inferAffineGrid, nullptr, hostOperands(1));
}
