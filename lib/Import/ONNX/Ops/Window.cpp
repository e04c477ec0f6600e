//===- Window.cpp - sliding windows of convolutions and pools -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

MaybeDim Window::extent(size_t axis) const {
  return plus(times(minus(kernel[axis], Expr(1)), Expr(dilations[axis])),
              Expr(1));
}

/// An attribute of `count` integers, all `otherwise` where it is absent.
static Error readInts(const Node &node, StringRef name, size_t count,
                      int64_t otherwise, int64_t least,
                      SmallVectorImpl<int64_t> &ints) {
  auto given = node.attributeInts(name);
  if (!given || given->empty()) {
    ints.assign(count, otherwise);
    return Error::success();
  }
  if (given->size() != count)
    return nodeError(node, "attribute " + name + " has " +
                               Twine(given->size()) + " values, " +
                               Twine(count) + " are needed");
  for (int64_t value : *given)
    if (value < least)
      return nodeError(node,
                       "attribute " + name + " has the value " + Twine(value));
  ints.assign(given->begin(), given->end());
  return Error::success();
}

/// kernel_shape, which has to agree with the filter's own sizes.
static Error readKernel(const Node &node, size_t rank,
                        ArrayRef<MaybeDim> filter, Window &window) {
  auto given = node.attributeInts("kernel_shape");
  if (!filter.empty() && filter.size() != rank)
    return nodeError(node, "the filter has " + Twine(filter.size()) +
                               " spatial dimensions, the input " + Twine(rank));
  if (!given || given->empty()) {
    if (filter.empty())
      return nodeError(node, "attribute kernel_shape is missing");
    window.kernel.assign(filter.begin(), filter.end());
    return Error::success();
  }
  if (given->size() != rank)
    return nodeError(node, "attribute kernel_shape has " +
                               Twine(given->size()) + " values, " +
                               Twine(rank) + " are needed");
  for (auto [i, size] : enumerate(*given)) {
    if (size <= 0)
      return nodeError(node,
                       "attribute kernel_shape has the value " + Twine(size));
    if (!filter.empty() && differ(filter[i], Expr(size)))
      return nodeError(node, "attribute kernel_shape says " + Twine(size) +
                                 " where the filter has " + str(filter[i]));
    window.kernel.push_back(Expr(size));
  }
  return Error::success();
}

Expected<Window> onnx_import::readWindow(const Node &node, size_t rank,
                                         ArrayRef<MaybeDim> kernel) {
  Window window;
  if (Error error = readKernel(node, rank, kernel, window))
    return std::move(error);
  if (Error error = readInts(node, "strides", rank, 1, 1, window.strides))
    return std::move(error);
  if (Error error = readInts(node, "dilations", rank, 1, 1, window.dilations))
    return std::move(error);
  StringRef autoPad = node.attributeString("auto_pad", "NOTSET");
  if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER")
    window.padding = Window::Same;
  else if (autoPad == "VALID")
    window.padding = Window::Valid;
  SmallVector<int64_t, 8> pads;
  constexpr int64_t anyPad = std::numeric_limits<int32_t>::min();
  // A pad list beside auto_pad counts for nothing.
  if (window.padding != Window::Explicit)
    pads.assign(2 * rank, 0);
  else if (Error error = readInts(node, "pads", 2 * rank, 0, anyPad, pads))
    return std::move(error);
  window.padsBegin.assign(pads.begin(), pads.begin() + rank);
  window.padsEnd.assign(pads.begin() + rank, pads.end());
  return window;
}

Expected<MaybeDim>
onnx_import::windowPositions(const Node &node, const Window &window,
                             size_t axis, const MaybeDim &size, bool ceilMode) {
  Expr stride = window.strides[axis];
  if (window.padding == Window::Same)
    return combine(size, stride, Expr::ceilDiv);
  MaybeDim extent = window.extent(axis);
  if (!size || !extent)
    return MaybeDim();
  Expr padded =
      *size + Expr(window.padsBegin[axis]) + Expr(window.padsEnd[axis]);
  Expr room = padded - *extent;
  if (room.isConstant() && room.constant() < 0)
    return nodeError(node, "the window of " + extent->str() +
                               " is larger than the padded input of " +
                               padded.str() + " along spatial axis " +
                               Twine(axis));
  if (!ceilMode)
    return MaybeDim(Expr::floorDiv(room, stride) + Expr(1));
  Expr reaching = Expr::ceilDiv(room, stride) + Expr(1);
  // Only where the pads let a window start behind the input's end.
  if (atLeast(*extent, stride + Expr(window.padsEnd[axis])))
    return MaybeDim(reaching);
  Expr starting =
      Expr::floorDiv(*size + Expr(window.padsBegin[axis] - 1), stride) +
      Expr(1);
  return MaybeDim(Expr::min(reaching, starting));
}
