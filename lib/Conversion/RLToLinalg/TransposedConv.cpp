//===- TransposedConv.cpp - transposed convolutions -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each phase of the results (TransposedPhases.h) is a plain convolution.
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Reduce.h"
#include "Slices.h"
#include "roofline/Cost/TransposedPhases.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

using Phase = TransposedPhase;

/// Of C_in x C_out/group x taps a phase's, as C_out x C_in/group x taps in
/// reverse.
Value phaseFilter(Lowering &l, Value filter, const ConvSizes &sizes,
                  ArrayRef<Phase> phase) {
  RankedTensorType type = typeOf(filter);
  size_t rank = phase.size();
  SmallVector<int64_t> from{sizes.groups, sizes.in, sizes.out};
  SmallVector<int64_t> to{sizes.groups, sizes.out, sizes.in};
  SmallVector<int64_t> flat{sizes.groups * sizes.out, sizes.in};
  llvm::append_range(from, type.getShape().drop_front(2));
  for (const Phase &one : phase) {
    to.push_back(one.taps);
    flat.push_back(one.taps);
  }
  Type element = type.getElementType();
  Value grouped = reshaped(l, filter, RankedTensorType::get(from, element));
  auto dim = [&](unsigned i) { return l.b.getAffineDimExpr(i); };
  SmallVector<AffineExpr> read{dim(0), dim(2), dim(1)};
  for (auto [i, one] : llvm::enumerate(phase))
    read.push_back((one.tap + (one.taps - 1) * one.step) -
                   dim(3 + i) * one.step);
  Value turned =
      readThrough(l, RankedTensorType::get(to, element), grouped,
                  AffineMap::get(3 + rank, 0, read, l.b.getContext()));
  return reshaped(l, turned, RankedTensorType::get(flat, element));
}

/// What a phase's windows read, zeros beyond the edges; null where they meet
/// no element.
Value phaseInput(Lowering &l, Value input, ArrayRef<Phase> phase) {
  RankedTensorType type = typeOf(input);
  SmallVector<int64_t> shape(type.getShape()), offsets(type.getRank(), 0);
  Ints first, ones(phase.size(), 1), sizes;
  bool isWhole = true;
  for (auto [i, one] : llvm::enumerate(phase)) {
    int64_t size = shape[i + 2];
    int64_t length = one.reach();
    int64_t begin = std::max<int64_t>(one.begin, 0);
    int64_t end = std::min(one.begin + length, size);
    if (begin >= end)
      return {};
    isWhole &= one.begin == 0 && length == size;
    offsets[i + 2] = begin;
    shape[i + 2] = end - begin;
    first.push_back(begin - one.begin);
    sizes.push_back(length);
  }
  if (isWhole)
    return input;
  if (shape != type.getShape())
    input = sliced(l, input, offsets, shape);
  return spreadOut(l, input, first, ones, sizes);
}

/// The pads at the beginnings: stated, or a part of what the result's size
/// leaves over.
FailureOr<Ints> transposedPads(Lowering &l, const Windows &windows,
                               ArrayRef<int64_t> inputs,
                               ArrayRef<int64_t> positions) {
  StringRef mode = l.text("auto_pad", "NOTSET");
  std::optional<Ints> shape = l.integers("output_shape");
  Ints added = l.integers("output_padding").value_or(Ints(windows.rank(), 0));
  if (added.size() != windows.rank())
    return l.unsupported("an output_padding of another rank");
  if (mode == "VALID" || (mode == "NOTSET" && !shape))
    return mode == "VALID" ? Ints(windows.rank(), 0) : windows.padsBegin;
  Ints pads;
  for (size_t i = 0; i < windows.rank(); ++i) {
    int64_t total = windows.strides[i] * (inputs[i] - 1) + added[i] +
                    windows.extent(i) - positions[i];
    total = std::max<int64_t>(total, 0);
    pads.push_back(mode == "SAME_UPPER" ? total / 2 : total - total / 2);
  }
  return pads;
}

Value zeroSums(Lowering &l, const ConvSizes &sizes) {
  SmallVector<int64_t> shape{sizes.batch, sizes.groups * sizes.out};
  llvm::append_range(shape, sizes.positions);
  return zeroOf(
      l, RankedTensorType::get(
             shape, accumulatorType(l.operandType(0).getElementType(), l.b)));
}

/// One phase's sums: zeros where nothing reaches them.
Value phaseSums(Lowering &l, const ConvSizes &sizes, Value input, Value filter,
                ArrayRef<Phase> phase) {
  Windows own;
  ConvSizes part = sizes;
  part.positions.clear();
  for (const Phase &one : phase) {
    own.kernel.push_back(one.taps);
    own.strides.push_back(1);
    own.dilations.push_back(one.dilation);
    part.positions.push_back(one.count);
  }
  Value read = phaseInput(l, input, phase);
  if (!read)
    return zeroSums(l, part);
  PlainConvOptions options;
  options.inOwnMemory = true;
  return plainConv(l, own, part, read, phaseFilter(l, filter, sizes, phase),
                   accumulatorType(l.operandType(0).getElementType(), l.b),
                   options);
}

} // namespace

FailureOr<Value>
transposedConv(Lowering &l, const Windows &windows, const ConvSizes &sizes,
               Value input, Value filter,
               llvm::function_ref<FailureOr<Value>(Value)> finish) {
  FailureOr<Ints> pads = transposedPads(
      l, windows, typeOf(input).getShape().drop_front(2), sizes.positions);
  if (failed(pads))
    return failure();
  std::vector<TransposedDim> dims;
  dims.reserve(windows.rank());
  for (size_t i = 0; i < windows.rank(); ++i)
    dims.push_back({windows.kernel[i], windows.strides[i], windows.dilations[i],
                    (*pads)[i], sizes.positions[i]});
  if (!hasFewPhases(dims))
    return l.unsupported("taps and strides of so many phases");
  bool reachesAll = reachAllResults(dims);
  FailureOr<Value> result =
      reachesAll ? emptyTensor(l, l.resultType()) : finish(zeroSums(l, sizes));
  if (failed(result))
    return failure();
  std::vector<std::vector<Phase>> phases = transposedPhases(dims);
  SmallVector<int64_t> steps{1, 1};
  llvm::append_range(steps, windows.strides);
  for (const std::vector<Phase> &phase : phases) {
    FailureOr<Value> part = finish(phaseSums(l, sizes, input, filter, phase));
    if (failed(part) || (reachesAll && phases.size() == 1))
      return part;
    SmallVector<int64_t> offsets(2, 0);
    for (const Phase &one : phase)
      offsets.push_back(one.first);
    result = inserted(l, *part, *result, offsets, steps);
  }
  return result;
}

} // namespace roofline::lowering
