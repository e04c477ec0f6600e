//===- LinalgBody.cpp - what a linalg op does at each point ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LinalgBody.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using linalg::LinalgOp;

namespace roofline::models {

/// The indexed tensor of a read by computed indices.
static Value indexedTensor(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return extract.getTensor();
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getMemRef();
  return nullptr;
}

LinalgBody::LinalgBody(LinalgOp op) : op(op), block(op.getBlock()) {
  nothing.arguments.resize(block->getNumArguments());
  nothing.loops.resize(op.getNumLoops());
  collectSources();
  collectOperations();
}

const LinalgBody::Sources &LinalgBody::sources(Value value) const {
  auto it = valueSources.find(value);
  return it == valueSources.end() ? nothing : it->second;
}

void LinalgBody::collectSources() {
  for (BlockArgument arg : block->getArguments()) {
    Sources own = nothing;
    own.arguments.set(arg.getArgNumber());
    AffineMap map = op.getMatchingIndexingMap(op.getMatchingOpOperand(arg));
    for (AffineExpr result : map.getResults())
      for (unsigned loop = 0, e = op.getNumLoops(); loop != e; ++loop)
        if (result.isFunctionOfDim(loop))
          own.loops.set(loop);
    valueSources[arg] = own;
  }
  for (Operation &inner : block->without_terminator()) {
    Sources merged = nothing;
    if (auto index = dyn_cast<linalg::IndexOp>(&inner))
      merged.loops.set(index.getDim());
    for (Value operand : inner.getOperands()) {
      merged.arguments |= sources(operand).arguments;
      merged.loops |= sources(operand).loops;
    }
    for (Value result : inner.getResults())
      valueSources[result] = merged;
  }
}

/// Walks back from the results. An index into a tensor is an address, so that
/// what leads to it alone isn't arithmetic on data.
void LinalgBody::collectOperations() {
  SmallVector<Value> worklist(block->getTerminator()->getOperands());
  while (!worklist.empty()) {
    Operation *inner = worklist.pop_back_val().getDefiningOp();
    if (!inner || inner->getBlock() != block || !ops.insert(inner))
      continue;
    if (Value tensor = indexedTensor(inner))
      worklist.push_back(tensor);
    else
      llvm::append_range(worklist, inner->getOperands());
  }
  // What is the same at every point is computed once, on the host.
  ops.remove_if([&](Operation *inner) {
    return inner->getNumResults() == 0 ||
           !sources(inner->getResult(0)).varies();
  });
}

bool LinalgBody::accumulates(Operation *inner) const {
  if (inner->getNumResults() == 0)
    return false;
  const Sources &from = sources(inner->getResult(0));
  for (unsigned arg : from.arguments.set_bits())
    if (isOutput(block->getArgument(arg)))
      return true;
  return false;
}

bool LinalgBody::isOutput(Value value) const {
  auto arg = dyn_cast<BlockArgument>(value);
  return arg && arg.getOwner() == block &&
         arg.getArgNumber() >= op.getNumDpsInputs();
}

/// Through conversions, and through scalars boxed in tensors of rank 0.
Value LinalgBody::skipCasts(Value value) const {
  while (Operation *inner = value.getDefiningOp()) {
    if (inner->getBlock() != block)
      break;
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      auto box = extract.getTensor().getDefiningOp<tensor::FromElementsOp>();
      if (!box || box.getElements().size() != 1)
        break;
      value = box.getElements().front();
      continue;
    }
    if (!isCast(inner) && inner->getName().getStringRef() != "arith.bitcast")
      break;
    value = inner->getOperand(0);
  }
  return value;
}

static bool isAddition(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "arith.ori") // sums of truth values
    return op->getResult(0).getType().isInteger(1);
  return name == "arith.addf" || name == "arith.addi" || name == "complex.add";
}

static bool isMultiplication(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "arith.andi")
    return op->getResult(0).getType().isInteger(1);
  return name == "arith.mulf" || name == "arith.muli" || name == "complex.mul";
}

/// The operand that a factor mainly is: the one with the most dimensions.
std::optional<unsigned> LinalgBody::mainOperand(const Sources &from) const {
  std::optional<unsigned> best;
  auto rank = [&](unsigned arg) {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(arg))
        .getNumResults();
  };
  for (unsigned arg : from.arguments.set_bits())
    if (!best || rank(arg) > rank(*best))
      best = arg;
  return best;
}

std::optional<Contraction> LinalgBody::contraction() const {
  Operation *yield = block->getTerminator();
  if (op.getNumReductionLoops() == 0 || yield->getNumOperands() != 1)
    return std::nullopt;
  Operation *add = skipCasts(yield->getOperand(0)).getDefiningOp();
  if (!add || add->getBlock() != block || !isAddition(add))
    return std::nullopt;

  Value term;
  for (unsigned side : {0u, 1u})
    if (isOutput(skipCasts(add->getOperand(side))))
      term = skipCasts(add->getOperand(1 - side));
  Operation *multiply = term ? term.getDefiningOp() : nullptr;
  if (!multiply || multiply->getBlock() != block ||
      !isMultiplication(multiply) || accumulates(multiply))
    return std::nullopt;

  // x·x is no contraction, and neither is x·f(x).
  const Sources &a = sources(multiply->getOperand(0));
  const Sources &b = sources(multiply->getOperand(1));
  std::optional<unsigned> left = mainOperand(a), right = mainOperand(b);
  if (!left || !right || a.arguments.anyCommon(b.arguments))
    return std::nullopt;
  AffineMap leftMap = op.getMatchingIndexingMap(op.getDpsInputOperand(*left));
  AffineMap rightMap = op.getMatchingIndexingMap(op.getDpsInputOperand(*right));
  if (leftMap == rightMap && op.getDpsInputOperand(*left)->get() ==
                                 op.getDpsInputOperand(*right)->get())
    return std::nullopt;

  // Both factors must change along a dimension that is summed.
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  bool sharesReduction = llvm::any_of(reductions, [&](unsigned loop) {
    return leftMap.isFunctionOfDim(loop) && rightMap.isFunctionOfDim(loop);
  });
  if (!sharesReduction)
    return std::nullopt;
  return Contraction{multiply, add, *left, *right};
}

SmallVector<CapturedRead, 2> LinalgBody::capturedReads() const {
  SmallVector<CapturedRead, 2> reads;
  for (Operation &inner : block->without_terminator()) {
    Value tensor = indexedTensor(&inner);
    if (!tensor || tensor.getParentBlock() == block)
      continue;
    llvm::SmallBitVector loops = nothing.loops;
    for (Value index : inner.getOperands().drop_front())
      loops |= sources(index).loops;
    reads.push_back({tensor, loops});
  }
  return reads;
}

} // namespace roofline::models
