//===- KernelFeatures.cpp - what the time model asks of an op -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/KernelFeatures.h"
#include "KernelParts.h"
#include "mlir/IR/TypeUtilities.h"
#include "roofline/Cost/HostTiling.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace roofline {

std::optional<kernels::Shape> kernels::shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  return type.getShape();
}

int64_t kernels::count(Shape shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

int64_t kernels::lanesOf(Value value, unsigned vectorBits) {
  unsigned bits = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  return std::max<int64_t>(1, vectorBits / std::max(bits, 8u));
}

namespace {

using kernels::Part;
using kernels::Parts;

Parts partsOf(Operation *op, unsigned vectorBits);

Parts fusedParts(rl::FusedOp op, unsigned vectorBits) {
  std::vector<Part> all;
  for (Operation &inner : op.getBody().front().without_terminator()) {
    if (isa<rl::WeightOp, rl::FillOp, rl::ViewOp>(inner))
      continue;
    Parts parts = partsOf(&inner, vectorBits);
    if (!parts)
      return std::nullopt;
    llvm::append_range(all, *parts);
  }
  return all;
}

bool isEmpty(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 0;
}

Parts partsOf(Operation *op, unsigned vectorBits) {
  // The sweep has no kernels that do nothing.
  if (llvm::any_of(op->getOperands(), isEmpty) ||
      llvm::any_of(op->getResults(), isEmpty))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Parts>(op)
      .Case<rl::MapOp, rl::QuantizeOp, rl::SoftmaxOp, rl::NormOp, rl::ReduceOp,
            rl::ContractOp, rl::ConvOp, rl::PoolOp, rl::CopyOp, rl::GatherOp,
            rl::ResizeOp, rl::RecurrentOp, rl::AttentionOp, rl::TopKOp>(
          [&](auto one) { return kernels::partsOf(one, vectorBits); })
      .Case<rl::FusedOp>([&](auto one) { return fusedParts(one, vectorBits); })
      .Default(std::nullopt);
}

/// Whether results are stored by vectors that begin where one of the buffer
/// does, one after the other: what can go past the caches.
bool storesWholeVectors(Operation *op, const KernelFeatures &features) {
  if (!isa<rl::MapOp, rl::QuantizeOp, rl::CopyOp>(op) ||
      getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1))
    return false;
  for (const auto &[unit, amount] : features.parts.front().amounts)
    if (unit == "row" && amount <= 1)
      return true;
    else if (unit == "tail")
      return amount == 0;
  return false;
}

} // namespace

std::optional<KernelFeatures> kernelFeatures(const CostRow &row,
                                             unsigned vectorBits) {
  Parts parts = partsOf(row.op, vectorBits);
  std::optional<Expr> read = row.work.bytesRead(),
                      written = row.work.bytesWritten();
  if (!parts || !read || !written)
    return std::nullopt;
  std::optional<int64_t> readBytes = read->asInt64(),
                         writtenBytes = written->asInt64();
  if (!readBytes || !writtenBytes)
    return std::nullopt;
  KernelFeatures features;
  features.parts = std::move(*parts);
  features.bytesRead = double(*readBytes);
  features.bytesWritten = double(*writtenBytes);
  features.streams =
      *writtenBytes >= streamingBytes && storesWholeVectors(row.op, features);
  return features;
}

} // namespace roofline
