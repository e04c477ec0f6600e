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
#include <cmath>

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

int64_t kernels::lanesOf(Value value, const Target &target) {
  unsigned bits = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  return std::max<int64_t>(1, target.vectorBits / std::max(bits, 8u));
}

void kernels::scale(Part &part, double factor) {
  for (auto &[unit, amount] : part.amounts)
    amount *= factor;
  for (KernelFeatures::Waste &waste : part.waste)
    waste.amount *= factor;
  for (double &pieces : part.pieces)
    pieces *= factor;
  part.handovers *= factor;
}

namespace {

using kernels::Part;
using kernels::Parts;
using kernels::Target;

Parts partsOf(Operation *op, const Target &target);

Parts fusedParts(rl::FusedOp op, const Target &target) {
  std::vector<Part> all;
  for (Operation &inner : op.getBody().front().without_terminator()) {
    if (isa<rl::WeightOp, rl::FillOp, rl::ViewOp>(inner))
      continue;
    Parts parts = partsOf(&inner, target);
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

Parts partsOf(Operation *op, const Target &target) {
  // The sweep has no kernels that do nothing.
  if (llvm::any_of(op->getOperands(), isEmpty) ||
      llvm::any_of(op->getResults(), isEmpty))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Parts>(op)
      .Case<rl::MapOp, rl::QuantizeOp, rl::SoftmaxOp, rl::NormOp, rl::ReduceOp,
            rl::ContractOp, rl::ConvOp, rl::PoolOp, rl::CopyOp, rl::GatherOp,
            rl::ResizeOp, rl::RecurrentOp, rl::AttentionOp, rl::TopKOp>(
          [&](auto one) { return kernels::partsOf(one, target); })
      .Case<rl::FusedOp>([&](auto one) { return fusedParts(one, target); })
      .Default(std::nullopt);
}

/// About how many cycles a unit of work takes, as the code generator reckons
/// them: a load, a store or an operation each.
double cyclesOf(const Part &part, StringRef unit) {
  StringRef kernel = part.kernel;
  if (unit == "square")
    return 112; // 16 loads and stores, 64 shuffles and the like
  if (unit == "element" || unit == "tap")
    return 2;
  if (kernel.starts_with("softmax:"))
    return 16;
  if (kernel.starts_with("norm:"))
    return 14;
  return kernel.starts_with("reduce:") || kernel.starts_with("matvec") ? 2.25
                                                                       : 4;
}

/// Shares a nest out among threads, as lib/Cost/HostThreads.cpp has it: its
/// rows, or the vectors of its only one by blocks of four. What stays is of the
/// thread that has the most.
void shareOut(Part &part, const HostThreads &threads) {
  double cycles = 0, rows = 0, vectors = 0;
  for (const auto &[unit, amount] : part.amounts) {
    cycles += amount * cyclesOf(part, unit);
    if (unit == "row" || unit == "block")
      rows = amount;
    else if (unit == "vector")
      vectors = amount;
  }
  double steps = rows >= 2 ? rows : std::ceil(vectors / 4);
  double count = std::min(double(threads.worth(cycles)), steps);
  if (count < 2)
    return;
  part.share = std::ceil(steps / count) / steps;
  kernels::scale(part, part.share);
  part.handovers = 1;
}

/// Loops that carry their results from step to step stay on one thread, but for
/// the products in them, which are shared out already.
bool isShareable(const Part &part) {
  StringRef kernel = part.kernel;
  return part.share == 1 && kernel != "product" && kernel != "conv" &&
         kernel != "topk" && !kernel.starts_with("recurrent:");
}

/// Whether results are stored by vectors that begin where one of the buffer
/// does, one after the other: what can go past the caches.
bool storesWholeVectors(Operation *op, const KernelFeatures &features,
                        const Target &target) {
  if (!isa<rl::MapOp, rl::QuantizeOp, rl::CopyOp>(op) ||
      getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1))
    return false;
  const Part &part = features.parts.front();
  if (part.kernel == "transpose") {
    Value result = op->getResult(0);
    kernels::Shape shape = *kernels::shapeOf(result);
    return shape.back() % kernels::lanesOf(result, target) == 0;
  }
  for (const auto &[unit, amount] : part.amounts)
    if (unit == "row" && amount <= 1)
      return true;
    else if (unit == "tail")
      return amount == 0;
  return false;
}

} // namespace

std::optional<KernelFeatures> kernelFeatures(const CostRow &row,
                                             unsigned vectorBits,
                                             const HostThreads &threads) {
  Target target{vectorBits, threads};
  Parts parts = partsOf(row.op, target);
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
  features.streams = *writtenBytes >= streamingBytes &&
                     storesWholeVectors(row.op, features, target);
  if (threads.count > 1)
    for (Part &part : features.parts)
      if (isShareable(part))
        shareOut(part, threads);
  return features;
}

} // namespace roofline
