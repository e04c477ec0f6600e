//===- WorkMovement.cpp - the bytes of copies, gathers, scatters ----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Details.h"
#include "roofline/Dialect/RL/RL.h"

using namespace mlir;

namespace roofline::rl {

Work FillOp::getWork(const CostContext &) { return Work::none(); }
Work ViewOp::getWork(const CostContext &) { return Work::none(); }

/// The sum of the results' bytes.
static std::optional<Expr> resultBytes(Operation *op,
                                       const CostContext &context) {
  Expr sum;
  for (Value result : op->getResults()) {
    std::optional<Expr> bytes = context.bytes(result);
    if (!bytes)
      return std::nullopt;
    sum += *bytes;
  }
  return sum;
}

Work CopyOp::getWork(const CostContext &context) {
  if (!getPicks())
    return streamedWork(*this, context);
  Work work;
  context.readOperand(work, *this, 0, resultBytes(*this, context));
  for (unsigned i = 1, e = getNumOperands(); i < e; ++i)
    context.readOperand(work, *this, i);
  context.writeResults(work, *this);
  return work;
}

Work GatherOp::getWork(const CostContext &context) {
  Work work;
  context.readOperand(work, *this, 0,
                      gatherBytes(resultBytes(*this, context),
                                  context.bytes(getInputs().front())));
  for (unsigned i = 1, e = getNumOperands(); i < e; ++i)
    context.readOperand(work, *this, i);
  context.writeResults(work, *this);
  return work;
}

/// Inputs are data, indices, updates (a cache's position may follow).
Work ScatterOp::getWork(const CostContext &context) {
  Work work;
  Value data = getInputs().front();
  Value updates = getInputs().size() > 2 ? getInputs()[2] : getInputs().back();
  std::optional<Expr> whole = context.bytes(data);
  std::optional<Expr> changed = context.bytes(updates);
  bool reduces = getKind() != "none";
  bool inPlace = context.isOverwritable(data);
  // The old values at the targets are read by a reduction; those elsewhere are
  // copied unless they may stay where they are.
  std::optional<Expr> read = Expr(0), written = whole;
  if (inPlace) {
    written = changed;
    if (reduces)
      read = changed;
  } else if (!whole || !changed) {
    read = std::nullopt;
  } else {
    read = reduces ? *whole : Expr::max(0, *whole - *changed);
  }
  context.readOperand(work, *this, 0, read);
  for (unsigned i = 1, e = getNumOperands(); i < e; ++i)
    context.readOperand(work, *this, i);
  for (OpResult result : getOutputs())
    work.write(result.getResultNumber(), written,
               inPlace ? context.role(data) : context.role(result));
  if (!reduces)
    return work;
  std::optional<Expr> count = context.numElements(updates);
  std::optional<OpCounts> ops;
  if (count)
    ops = OpCounts{*count, 0};
  addOps(work, elementType(updates.getType()), ops);
  return work;
}

Work GenerateOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  BodyAttr body = getBodyAttr();
  if (!body)
    return work;
  std::optional<Expr> count = context.numElements(getOutputs().front());
  std::optional<OpCounts> ops;
  if (count)
    ops = OpCounts{body.getVector(), body.getSpecial()} * *count;
  addOps(work, elementType(getOutputs().front().getType()), ops);
  return work;
}

Work SequenceOp::getWork(const CostContext &context) {
  return streamedWork(*this, context);
}

} // namespace roofline::rl
