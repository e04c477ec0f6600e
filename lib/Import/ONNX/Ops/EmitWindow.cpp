//===- EmitWindow.cpp - windows of convolutions and pools -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "EmitWindow.h"

using namespace llvm;

namespace roofline::onnx_import {

/// The number of spatial dimensions: of what states it.
static std::optional<size_t> spatialRank(const Node &node, const Value *input,
                                         const Value *filter) {
  for (StringRef name : {"kernel_shape", "strides", "dilations"})
    if (std::optional<Ints> values = node.attributeInts(name))
      return values->size();
  for (const Value *value : {input, filter})
    if (std::optional<int64_t> rank = rankOf(value); rank && *rank > 2)
      return *rank - 2;
  return std::nullopt;
}

static Ints attributeOr(const Node &node, StringRef name, size_t count,
                        int64_t otherwise) {
  std::optional<Ints> values = node.attributeInts(name);
  if (values && values->size() == count)
    return *values;
  return Ints(count, otherwise);
}

/// The pads that auto_pad SAME asks for along one dimension, in all: those that
/// make ⌈size / stride⌉ windows. A stride of 1 needs no size.
static std::optional<int64_t> samePads(const MaybeDim &size, int64_t kernel,
                                       int64_t stride, int64_t dilation) {
  int64_t extent = (kernel - 1) * dilation + 1;
  if (stride == 1)
    return extent - 1;
  std::optional<int64_t> number = numberOf(size);
  if (!number || *number < 1 || stride < 1)
    return std::nullopt;
  int64_t windows = (*number - 1) / stride + 1;
  return std::max<int64_t>((windows - 1) * stride + extent - *number, 0);
}

static void resolveAutoPad(const Node &node, const Value *input,
                           StringRef mode, Window &window) {
  size_t rank = window.strides.size();
  window.pads.assign(2 * rank, 0);
  if (mode == "VALID")
    return;
  for (size_t i = 0; i < rank; ++i) {
    std::optional<int64_t> total =
        window.kernel.empty()
            ? std::nullopt
            : samePads(dimOf(input, i + 2), window.kernel[i],
                       window.strides[i], window.dilations[i]);
    if (!total) {
      window.padsKnown = false;
      continue;
    }
    int64_t smaller = *total / 2, larger = *total - smaller;
    bool lower = mode == "SAME_LOWER";
    window.pads[i] = lower ? larger : smaller;
    window.pads[rank + i] = lower ? smaller : larger;
  }
}

std::optional<Window> windowOf(const Node &node, const Value *input,
                               const Value *filter) {
  std::optional<size_t> rank = spatialRank(node, input, filter);
  if (!rank)
    return std::nullopt;
  Window window;
  if (std::optional<Ints> kernel = node.attributeInts("kernel_shape")) {
    window.kernel = *kernel;
  } else {
    for (size_t i = 0; i < *rank; ++i)
      if (std::optional<int64_t> size = numberOf(dimOf(filter, i + 2)))
        window.kernel.push_back(*size);
    if (window.kernel.size() != *rank)
      window.kernel.clear();
  }
  window.strides = attributeOr(node, "strides", *rank, 1);
  window.dilations = attributeOr(node, "dilations", *rank, 1);
  StringRef mode = node.attributeString("auto_pad", "NOTSET");
  if (mode == "NOTSET" || mode.empty())
    window.pads = attributeOr(node, "pads", 2 * *rank, 0);
  else
    resolveAutoPad(node, input, mode, window);
  return window;
}

} // namespace roofline::onnx_import
