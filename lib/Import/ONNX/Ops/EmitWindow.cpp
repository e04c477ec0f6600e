//===- EmitWindow.cpp - windows of convolutions and pools -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitWindow.h"
#include "Window.h"

using namespace llvm;

namespace roofline::onnx_import {

/// The number of spatial dimensions, by what states it.
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

/// The pads that auto_pad SAME asks for along one dimension, in all: those that
/// make ⌈size / stride⌉ windows. A stride of 1 needs no size.
static std::optional<int64_t>
samePads(const MaybeDim &size, std::optional<int64_t> extent, int64_t stride) {
  if (!extent)
    return std::nullopt;
  if (stride == 1)
    return *extent - 1;
  std::optional<int64_t> number = numberOf(size);
  if (!number || *number < 1)
    return std::nullopt;
  int64_t windows = (*number - 1) / stride + 1;
  return std::max<int64_t>((windows - 1) * stride + *extent - *number, 0);
}

/// Half of the pads on each side; an odd one at the end, or for SAME_LOWER at
/// the beginning.
static void resolveSame(const Node &node, const Value *input,
                        const Window &window, WindowNumbers &numbers) {
  bool lower = node.attributeString("auto_pad", "") == "SAME_LOWER";
  size_t rank = window.rank();
  for (size_t i = 0; i < rank; ++i) {
    std::optional<int64_t> total = samePads(
        dimOf(input, i + 2), numberOf(window.extent(i)), window.strides[i]);
    if (!total) {
      numbers.padsKnown = false;
      continue;
    }
    int64_t smaller = *total / 2, larger = *total - smaller;
    numbers.pads[i] = lower ? larger : smaller;
    numbers.pads[rank + i] = lower ? smaller : larger;
  }
}

std::optional<WindowNumbers> windowOf(const Node &node, const Value *input,
                                      const Value *filter) {
  std::optional<size_t> rank = spatialRank(node, input, filter);
  if (!rank)
    return std::nullopt;
  MaybeDims kernel;
  if (filter)
    for (size_t i = 0; i < *rank; ++i)
      kernel.push_back(dimOf(filter, i + 2));
  Expected<Window> window = readWindow(node, *rank, kernel);
  if (!window) {
    consumeError(window.takeError());
    return std::nullopt;
  }
  WindowNumbers numbers;
  numbers.kernel = asInts(window->kernel).value_or(Ints());
  numbers.strides = window->strides;
  numbers.dilations = window->dilations;
  numbers.pads = window->padsBegin;
  append_range(numbers.pads, window->padsEnd);
  if (window->padding == Window::Same)
    resolveSame(node, input, *window, numbers);
  return numbers;
}

} // namespace roofline::onnx_import
