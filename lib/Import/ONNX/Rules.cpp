//===- Rules.cpp - the table of op rules ---------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "llvm/ADT/SmallString.h"

using namespace llvm;
using namespace roofline::onnx_import;

namespace roofline::onnx_import {
// What each op's shapes, constants and host operands are.
#define ROOFLINE_INFER_FAMILY(NAME) void register##NAME##Infer(RuleTable &);
#include "Ops/InferFamilies.def"
// Which rl op each op becomes.
#define ROOFLINE_EMIT_FAMILY(NAME) void register##NAME##Emit(RuleTable &);
#include "Ops/EmitFamilies.def"
} // namespace roofline::onnx_import

using Key = SmallString<64>;

static void makeKey(StringRef domain, StringRef opType, Key &key) {
  key = domain;
  key += ':';
  key += opType;
}

void RuleTable::infer(StringRef opType, OpRule::Infer infer, OpRule::Fold fold,
                      uint32_t hostOperands, StringRef domain) {
  Key key;
  makeKey(domain, opType, key);
  OpRule &rule = rules[key];
  rule.infer = infer;
  rule.fold = fold;
  rule.hostOperands = hostOperands;
}

void RuleTable::emit(StringRef opType, OpRule::Emit emit, StringRef domain) {
  Key key;
  makeKey(domain, opType, key);
  rules[key].emit = emit;
}

static RuleTable makeTable() {
  RuleTable table;
#define ROOFLINE_INFER_FAMILY(NAME) register##NAME##Infer(table);
#include "Ops/InferFamilies.def"
#define ROOFLINE_EMIT_FAMILY(NAME) register##NAME##Emit(table);
#include "Ops/EmitFamilies.def"
  return table;
}

const OpRule *roofline::onnx_import::findRule(StringRef domain,
                                              StringRef opType) {
  static const RuleTable table = makeTable();
  Key key; // on the stack: this is asked once a node
  makeKey(domain, opType, key);
  auto it = table.rules.find(key);
  return it == table.rules.end() ? nullptr : &it->second;
}
