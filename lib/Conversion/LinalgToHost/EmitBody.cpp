//===- EmitBody.cpp - a linalg body on vectors ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace roofline::host {

/// Types that a register's lanes and a memory's elements have in common. A bool
/// takes a byte in memory and a bit in a vector.
static bool isLane(Type type) {
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() >= 8;
}

bool isVectorizable(Nest &nest) {
  if (nest.usesIndices())
    return false;
  for (const Access &access : nest.accesses)
    if (!isLane(access.element()))
      return false;
  for (Operation &op : nest.body().without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&op) || op.getNumRegions() != 0)
      return false;
    for (Type type : op.getResultTypes())
      if (!type.isIntOrFloat())
        return false;
  }
  return true;
}

static Type vectorized(Type type, int64_t lanes) {
  return lanes == 1 ? type : Type(VectorType::get({lanes}, type));
}

/// Whether an op is the addition in a sum of products of two operands, as a
/// convolution is.
static bool addsProduct(arith::AddFOp add) {
  Block &body = *add->getBlock();
  auto multiply = add.getRhs().getDefiningOp<arith::MulFOp>();
  return add.getLhs() == body.getArguments().back() && multiply &&
         multiply->hasOneUse() && multiply.getLhs() != multiply.getRhs() &&
         llvm::all_of(multiply->getOperands(), [&](Value value) {
           auto argument = dyn_cast<BlockArgument>(value);
           return argument && argument.getOwner() == &body;
         });
}

/// Both ops of such a sum may be one instruction, which rounds once.
static void allowMultiplyAdd(Operation &op, Operation *wide) {
  Operation *last = &op;
  if (isa<arith::MulFOp>(op) && op.hasOneUse())
    last = *op.user_begin();
  auto add = dyn_cast<arith::AddFOp>(last);
  if (!add || !addsProduct(add))
    return;
  auto fast = cast<arith::ArithFastMathInterface>(wide);
  wide->setAttr(fast.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op.getContext(),
                                              arith::FastMathFlags::contract));
}

Values emitBody(Emitter &e, Block &body, ValueRange arguments,
                ValueRange indices, int64_t lanes) {
  IRMapping values;
  values.map(body.getArguments(), arguments);
  auto lookup = [&](Value value) -> Value {
    if (Value mapped = values.lookupOrNull(value))
      return mapped;
    // Defined outside of the body: the same for all elements.
    Value wide = lanes == 1 ? value : e.broadcast(value, lanes);
    values.map(value, wide);
    return wide;
  };
  for (Operation &op : body.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      values.map(index.getResult(), indices[index.getDim()]);
      continue;
    }
    if (lanes == 1 || op.getNumRegions() != 0) {
      Operation *clone = e.b.clone(op, values);
      allowMultiplyAdd(op, clone);
      values.map(op.getResults(), clone->getResults());
      continue;
    }
    if (isa<arith::ConstantOp>(op)) {
      Operation *clone = e.b.clone(op);
      values.map(op.getResult(0), e.broadcast(clone->getResult(0), lanes));
      continue;
    }
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(lookup(operand));
    SmallVector<Type> types;
    for (Type type : op.getResultTypes())
      types.push_back(vectorized(type, lanes));
    Operation *wide = e.b.create(e.loc, op.getName().getIdentifier(), operands,
                                 types, op.getAttrs());
    allowMultiplyAdd(op, wide);
    values.map(op.getResults(), wide->getResults());
  }
  Values results;
  for (Value result : body.getTerminator()->getOperands())
    results.push_back(lookup(result));
  return results;
}

} // namespace roofline::host
