//===- EmitContext.h - what an emission rule may do -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_EMITCONTEXT_H
#define ROOFLINE_LIB_IMPORT_ONNX_EMITCONTEXT_H

#include "Rules.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/DenseMap.h"

namespace roofline::onnx_import {

/// Builds rl ops at the current insertion point. Results are bound with `bind`,
/// which also attaches the op's origin (rl.op_type, rl.domain, rl.names,
/// rl.scope, rl.data_dependent) and its location.
class EmitContext {
public:
  EmitContext(Model &model, mlir::MLIRContext *context);

  Model &model;
  mlir::OpBuilder builder;

  /// The location of a node: its name, then the file.
  mlir::Location loc(const Node &node);
  /// The IR value of a graph value; made on the first use where it is a weight
  /// (rl.weight) or a folded constant that a live node reads (rl.weight, too).
  mlir::Value value(Value *value);
  /// Those of a node's inputs that are present and move data (not the rule's
  /// host operands).
  llvm::SmallVector<mlir::Value> dataInputs(const Node &node);
  mlir::Type type(const Value &value);
  /// The types of all outputs; absent ones too where a later one is present.
  llvm::SmallVector<mlir::Type> outputTypes(const Node &node);
  rl::DimsAttr dims(llvm::ArrayRef<MaybeDim> dims);
  rl::BodyAttr body(int64_t vector, int64_t special = 0);

  /// Maps a node's outputs to `op`'s results (result i is output i) and attaches
  /// the origin.
  void bind(const Node &node, mlir::Operation *op);

  llvm::DenseMap<Value *, mlir::Value> values;
};

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_EMITCONTEXT_H
