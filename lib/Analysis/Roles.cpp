//===- Roles.cpp - weights, activations, caches ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tensor is to the model: a weight is what the file holds and whatever
// is made of weights alone; a KV cache is a graph input that is extended (by a
// concat) or updated (by a scatter) into a graph output; the rest are
// activations.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace roofline {

bool CostAnalysis::isView(Operation *op) {
  if (isa<rl::ViewOp>(op))
    return true;
  return llvm::StringSwitch<bool>(op->getName().getStringRef())
      .Cases({"tensor.expand_shape", "tensor.collapse_shape", "tensor.reshape",
              "tensor.cast", "tensor.bitcast", "tensor.extract_slice",
              "builtin.unrealized_conversion_cast", "tosa.reshape",
              "tosa.identity", "memref.expand_shape", "memref.collapse_shape",
              "memref.cast", "memref.reinterpret_cast"},
             true)
      .Default(false);
}

Value CostAnalysis::viewedValue(Value value) const {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether an op makes a cache's next state of its operand.
static bool extendsCache(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto copy = dyn_cast<rl::CopyOp>(op))
    return copy.getKind() == "concat";
  if (isa<rl::ScatterOp>(op))
    return use.getOperandNumber() == 0;
  if (op->getName().getStringRef() == "tensor.insert_slice")
    return use.getOperandNumber() == 1;
  return op->getName().getStringRef() == "tensor.concat" ||
         op->getName().getStringRef() == "tosa.concat";
}

/// Whether a value, perhaps through views, is what the function returns.
static bool isReturned(Value value, Operation *func) {
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (user->hasTrait<OpTrait::IsTerminator>() &&
          user->getParentOp() == func && user->getNumSuccessors() == 0)
        return true;
      // A view shows its first operand: so each value comes up once.
      if (CostAnalysis::isView(user) && use.getOperandNumber() == 0)
        pending.push_back(user->getResult(0));
    }
  }
  return false;
}

/// Says how many ops there are, too, weights apart: a walk through all of a
/// large graph is worth sharing.
size_t CostAnalysis::findCaches() {
  for (BlockArgument argument : func.getArguments()) {
    // What a cache is extended through, views included, is the cache.
    SmallVector<Value> views{argument};
    bool found = false;
    for (size_t i = 0; i < views.size(); ++i)
      for (OpOperand &use : views[i].getUses()) {
        Operation *user = use.getOwner();
        if (isView(user) && use.getOperandNumber() == 0) {
          views.push_back(user->getResult(0));
        } else if (extendsCache(use) && isReturned(user->getResult(0), func)) {
          found = true;
          caches.insert(user->getResult(0));
        }
      }
    if (found)
      caches.insert(views.begin(), views.end());
  }
  // Before any op is counted: earlier readers read a cache, too.
  size_t ops = 0;
  func->walk([&](Operation *op) {
    if (isa<rl::AttentionOp>(op))
      addAttentionCaches(op);
    ops += !isa<rl::WeightOp>(op);
  });
  return ops;
}

Role CostAnalysis::role(Value value) const {
  auto it = roles.find(value);
  if (it != roles.end())
    return it->second;
  // What an argument is said to be goes before what it looks like.
  auto argument = dyn_cast<BlockArgument>(value);
  FunctionOpInterface owner = func; // its methods aren't const
  if (argument && owner && argument.getOwner()->isEntryBlock() &&
      argument.getOwner()->getParentOp() == owner)
    if (auto given = owner.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        rl::roleAttrName))
      if (std::optional<Role> role = parseRole(given))
        return *role;
  return caches.contains(value) ? Role::KVCache : Role::Activation;
}

/// The past and present that an attention op names are a cache, and so is what
/// the past is a view of.
void CostAnalysis::addAttentionCaches(Operation *op) {
  auto attention = cast<rl::AttentionOp>(op);
  for (int64_t number :
       attention.getCacheOperands().value_or(ArrayRef<int64_t>())) {
    Value past = op->getOperand(number);
    caches.insert(past);
    while (past.getDefiningOp() && isView(past.getDefiningOp())) {
      past = past.getDefiningOp()->getOperand(0);
      caches.insert(past);
    }
  }
  for (int64_t number :
       attention.getCacheResults().value_or(ArrayRef<int64_t>()))
    caches.insert(op->getResult(number));
}

/// The operands whose data an op reads: not the tensors it is to write into.
static SmallVector<Value> readTensors(Operation *op) {
  SmallVector<Value> inputs;
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isa<ShapedType>(operand.get().getType()) &&
        !(destination && destination.isDpsInit(&operand)))
      inputs.push_back(operand.get());
  return inputs;
}

/// Weights are constants and what is made of weights alone; a view of a cache
/// is the cache.
void CostAnalysis::inferRole(Operation *op) {
  if (op->getNumResults() == 0)
    return;
  Role role = Role::Activation;
  if (isa<rl::WeightOp, rl::FillOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>() ||
      op->getName().getStringRef() == "ml_program.global_load_const") {
    role = Role::Weight;
  } else if (op->getNumRegions() == 0 || isa<DestinationStyleOpInterface>(op)) {
    SmallVector<Value> inputs = readTensors(op);
    auto isWeight = [&](Value input) {
      return this->role(input) == Role::Weight;
    };
    if (!inputs.empty() && llvm::all_of(inputs, isWeight))
      role = Role::Weight;
    else if (isView(op) && this->role(op->getOperand(0)) == Role::KVCache)
      role = Role::KVCache;
  }
  if (role == Role::Activation)
    return;
  for (Value result : op->getResults())
    roles[result] = role;
}

bool CostAnalysis::isOverwritable(Value value) const {
  if (role(value) == Role::KVCache)
    return true;
  // Neither the value nor what it is a view of may have another reader.
  while (true) {
    if (role(value) == Role::Weight || !value.hasOneUse())
      return false;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (!isView(op))
      return true;
    value = op->getOperand(0);
  }
}

} // namespace roofline
