//===- Names.cpp - what ops and values are called -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/Names.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Interfaces/CostOpInterface.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace roofline {

NameTable::NameTable(const CostAnalysis &costs) : costs(costs) {}
NameTable::~NameTable() = default;

/// The model's name of a value, if the IR carries one.
static StringRef givenName(Value value, FunctionOpInterface func) {
  if (auto result = dyn_cast<OpResult>(value)) {
    if (auto weight = dyn_cast<rl::WeightOp>(result.getOwner()))
      return weight.getName();
    return rl::resultName(result).value_or("");
  }
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent == func) {
    if (auto name = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      rl::nameAttrName))
      return name;
  } else if (auto names =
                 parent->getAttrOfType<ArrayAttr>(rl::argumentNamesAttrName)) {
    if (argument.getArgNumber() < names.size())
      if (auto name = dyn_cast<StringAttr>(names[argument.getArgNumber()]))
        return name;
  }
  return {};
}

std::string NameTable::value(Value value) {
  FunctionOpInterface func = costs.function();
  StringRef given = givenName(value, func);
  if (!given.empty())
    return given.str();
  if (!state) {
    Operation *root = func;
    while (root->getParentOp())
      root = root->getParentOp();
    state = std::make_unique<AsmState>(root);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, *state);
  return text;
}

std::string NameTable::op(Operation *op) {
  if (StringRef name = rl::nodeName(op->getLoc()); !name.empty())
    return name.str();
  if (op->getNumResults())
    return value(op->getResult(0));
  return opType(op).str();
}

StringRef NameTable::opType(Operation *op) {
  if (auto type = op->getAttrOfType<StringAttr>(rl::opTypeAttrName))
    return type;
  return op->getName().getStringRef();
}

StringRef NameTable::domain(Operation *op) {
  if (auto domain = op->getAttrOfType<StringAttr>(rl::domainAttrName))
    return domain;
  return op->hasAttr(rl::opTypeAttrName) ? StringRef()
                                         : op->getName().getDialectNamespace();
}

/// How a control op's region is called in a scope.
static std::string regionName(Operation *control, unsigned region) {
  unsigned regions = control->getNumRegions();
  if (regions == 1)
    return "body";
  if (cast<ControlOpInterface>(control).getControlKind() == ControlKind::Loop)
    return region == 0 ? "condition" : "body";
  if (regions == 2)
    return region == 0 ? "then" : "else";
  return "region" + std::to_string(region);
}

std::string NameTable::scope(const CostRow &row) {
  std::string path;
  if (row.parent >= 0) {
    const CostRow &parent = costs.rows()[row.parent];
    path = scope(parent);
    if (!path.empty())
      path += '/';
    path += op(parent.op);
    path += '/';
    path += regionName(parent.op, row.region);
  }
  if (auto own = row.op->getAttrOfType<StringAttr>(rl::scopeAttrName);
      own && !own.empty()) {
    if (!path.empty())
      path += '/';
    path += own.getValue();
  }
  return path;
}

} // namespace roofline
