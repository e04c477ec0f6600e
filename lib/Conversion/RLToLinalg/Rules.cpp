//===- Rules.cpp - which rule lowers an op --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;

namespace roofline::lowering {

const RuleTable &rules() {
  static const RuleTable table = [] {
    RuleTable table;
#define ADD(FAMILY) add##FAMILY##Rules(table);
    ROOFLINE_LOWERING_FAMILIES(ADD)
#undef ADD
    return table;
  }();
  return table;
}

static Rule findRule(Operation *op, const Lowering &lowering) {
  const RuleTable &table = rules();
  std::string name = op->getName().getStringRef().str();
  for (StringRef part : {lowering.opType(), lowering.kind()})
    if (auto it = table.find(name + ":" + part.str()); it != table.end())
      return it->second;
  return table.lookup(name);
}

/// One kernel of several ops: what its region does, in order.
static FailureOr<Values> lowerRegion(OpBuilder &b, Region &region,
                                     IRMapping &values,
                                     const LoweringOptions &options) {
  for (Operation &inner : region.front().without_terminator()) {
    FailureOr<Values> results = lowerOp(b, &inner, values, options);
    if (failed(results))
      return failure();
    for (auto [from, to] : llvm::zip(inner.getResults(), *results))
      values.map(from, to);
  }
  Values results;
  for (Value result : region.front().getTerminator()->getOperands())
    results.push_back(values.lookup(result));
  return results;
}

FailureOr<Values> Lowering::lowerRegion(Region &region, ValueRange arguments) {
  for (auto [from, to] : llvm::zip(region.getArguments(), arguments))
    values.map(from, to);
  return lowering::lowerRegion(b, region, values, options);
}

FailureOr<Values> lowerOp(OpBuilder &b, Operation *op, IRMapping &values,
                          const LoweringOptions &options) {
  if (op->getDialect() != op->getContext()->getLoadedDialect<rl::RLDialect>()) {
    Operation *clone = b.clone(*op, values);
    return Values(clone->result_begin(), clone->result_end());
  }
  Lowering lowering(b, op, values, options);
  Rule rule = findRule(op, lowering);
  // A node whose kernel has several ops only to be counted by may have a rule
  // of its own.
  if (auto fused = dyn_cast<rl::FusedOp>(op); fused && !rule)
    return lowerRegion(b, fused.getBody(), values, options);
  if (!rule) {
    (void)lowering.unsupported("no rule for " + op->getName().getStringRef() +
                               (lowering.kind().empty() ? "" : " ") +
                               lowering.kind());
    return failure();
  }
  for (unsigned i = 0; i < lowering.numResults(); ++i)
    if (!lowering.resultType(i)) {
      (void)lowering.unsupported("a result has no static shape, or elements of "
                                 "a type that isn't lowered");
      return failure();
    }
  for (Value operand : op->getOperands())
    if (!values.contains(operand)) {
      (void)lowering.unsupported("an operand has no static shape, or elements "
                                 "of a type that isn't lowered");
      return failure();
    }
  FailureOr<Values> results = rule(lowering);
  if (failed(results))
    return failure();
  // A rule that built another type than the model says is a defect; it must not
  // become a wrong kernel.
  for (unsigned i = 0; i < lowering.numResults(); ++i)
    if (i >= results->size() ||
        (*results)[i].getType() != lowering.resultType(i)) {
      (void)lowering.unsupported("internal: its rule built other results than "
                                 "the model declares");
      return failure();
    }
  return results;
}

} // namespace roofline::lowering
