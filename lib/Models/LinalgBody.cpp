//===- LinalgBody.cpp - what a linalg op does at each point ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// Whether `op` adds to its operand number `accumulator`, or takes away from
/// it.
static bool isAddition(Operation *op, unsigned accumulator) {
  StringRef name = op->getName().getStringRef();
  if (name == "arith.ori") // sums of truth values
    return op->getResult(0).getType().isInteger(1);
  if (name == "arith.subf" || name == "arith.subi" || name == "complex.sub")
    return accumulator == 0;
  return name == "arith.addf" || name == "arith.addi" || name == "complex.add";
}

static bool isMultiplication(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "arith.andi")
    return op->getResult(0).getType().isInteger(1);
  return name == "arith.mulf" || name == "arith.muli" || name == "complex.mul";
}

/// The operand that a factor mainly is: the one with the most dimensions.
unsigned LinalgBody::mainOperand(const Sources &from) const {
  auto rank = [&](unsigned arg) {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(arg))
        .getNumResults();
  };
  unsigned best = from.arguments.find_first();
  for (unsigned arg : from.arguments.set_bits())
    if (rank(arg) > rank(best))
      best = arg;
  return best;
}

/// Whether the factors make a contraction: they come from different operands,
/// and both change along a dimension that is summed.
std::optional<Contraction> LinalgBody::contract(Operation *multiply) const {
  // x·x is no contraction, and neither is x·f(x).
  const Sources &a = sources(multiply->getOperand(0));
  const Sources &b = sources(multiply->getOperand(1));
  if (a.arguments.none() || b.arguments.none() ||
      a.arguments.anyCommon(b.arguments))
    return std::nullopt;
  unsigned left = mainOperand(a), right = mainOperand(b);
  OpOperand *leftOperand = op.getDpsInputOperand(left);
  OpOperand *rightOperand = op.getDpsInputOperand(right);
  AffineMap leftMap = op.getMatchingIndexingMap(leftOperand);
  AffineMap rightMap = op.getMatchingIndexingMap(rightOperand);
  if (leftMap == rightMap && leftOperand->get() == rightOperand->get())
    return std::nullopt;

  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  bool sharesReduction = llvm::any_of(reductions, [&](unsigned loop) {
    return leftMap.isFunctionOfDim(loop) && rightMap.isFunctionOfDim(loop);
  });
  if (!sharesReduction)
    return std::nullopt;
  return Contraction{multiply, multiply, left, right};
}

/// The outermost multiplication of `term` that makes a contraction: a scale may
/// stand around it.
std::optional<Contraction> LinalgBody::findProduct(Value term) const {
  Operation *multiply = skipCasts(term).getDefiningOp();
  if (!multiply || multiply->getBlock() != block ||
      !isMultiplication(multiply) || accumulates(multiply))
    return std::nullopt;
  if (std::optional<Contraction> found = contract(multiply))
    return found;
  for (Value factor : multiply->getOperands())
    if (std::optional<Contraction> found = findProduct(factor))
      return found;
  return std::nullopt;
}

std::optional<Contraction> LinalgBody::contraction() const {
  Operation *yield = block->getTerminator();
  if (op.getNumReductionLoops() == 0 || yield->getNumOperands() != 1)
    return std::nullopt;
  Operation *add = skipCasts(yield->getOperand(0)).getDefiningOp();
  if (!add || add->getBlock() != block)
    return std::nullopt;

  if (add->getName().getStringRef() == "math.fma") {
    if (!isOutput(skipCasts(add->getOperand(2))))
      return std::nullopt;
    return contract(add);
  }
  for (unsigned side : {0u, 1u}) {
    if (add->getNumOperands() != 2 || !isAddition(add, side) ||
        !isOutput(skipCasts(add->getOperand(side))))
      continue;
    std::optional<Contraction> found = findProduct(add->getOperand(1 - side));
    if (found)
      found->add = add;
    return found;
  }
  return std::nullopt;
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
