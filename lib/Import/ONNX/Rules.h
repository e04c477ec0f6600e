//===- Rules.h - what the importer knows of each ONNX op --------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table from (domain, op type) to the op's rules: how its shapes follow,
// how it folds, which of its operands only state shapes, and which rl op it
// becomes. An op is added with one entry in the file of its family
// (Ops/*.cpp). What has no entry is inferred with ONNX's own schema and becomes
// a composite (where its schema has a function body) or opaque.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_RULES_H
#define ROOFLINE_LIB_IMPORT_ONNX_RULES_H

#include "Graph.h"
#include "mlir/IR/Builders.h"

namespace roofline::onnx_import {

class InferContext; // InferContext.h: what a shape rule may do
class EmitContext;  // EmitContext.h: what an emission rule may do

/// Whether a mask as OpRule::hostOperands has an operand.
inline bool hasOperand(uint32_t mask, size_t operand) {
  return mask >> std::min<size_t>(operand, 31) & 1;
}

struct OpRule {
  OpNames names; ///< in the table's own memory
  /// Sets the outputs' types. Returns an error for shapes that can't be. Null:
  /// ONNX's own inference. A rule may leave an output's dims unknown.
  using Infer = llvm::Error (*)(Node &, InferContext &);
  /// Folds the outputs' constants where the inputs' are known (called after
  /// Infer, for small tensors only). Null: never folded.
  using Fold = void (*)(Node &, InferContext &);
  /// Builds the rl op. Null: composite or opaque.
  using Emit = void (*)(Node &, EmitContext &);

  Infer infer = nullptr;
  Fold fold = nullptr;
  Emit emit = nullptr;
  /// Bit i: operand i states a shape, axis, repeat, pad … only and moves
  /// nothing. Bit 31 stands for all operands from 31 on.
  uint32_t hostOperands = 0;
  /// So many operands from the first on must be there, or `all` that the node
  /// names. In some version of the op: what holds in the node's own is up to
  /// its schema, which is asked only where one of these is missing.
  static constexpr uint8_t all = 255;
  uint8_t requiredOperands = 1;
};

/// The rules of an op, null where there are none. `domain` "" is ai.onnx.
const OpRule *findRule(llvm::StringRef domain, llvm::StringRef opType);

/// Registration: each Ops/*.cpp has one function that adds its family's rules;
/// Rules.cpp lists them. Infer/fold rules and emit rules of one op may come
/// from two files: an entry fills the fields it has.
struct RuleTable {
  void infer(llvm::StringRef opType, OpRule::Infer, OpRule::Fold = nullptr,
             uint32_t hostOperands = 0, llvm::StringRef domain = "");
  void emit(llvm::StringRef opType, OpRule::Emit, llvm::StringRef domain = "");
  llvm::StringMap<OpRule> rules; ///< key: "domain:OpType"
};

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_RULES_H
