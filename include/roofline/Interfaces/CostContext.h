//===- CostContext.h - what a cost model may ask about values ---*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op's cost model sees the program through this: shapes as exact
// expressions, roles of tensors, known integers. Analysis/SymbolMap.h is the
// implementation.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_INTERFACES_COSTCONTEXT_H
#define ROOFLINE_INTERFACES_COSTCONTEXT_H

#include "mlir/IR/Value.h"
#include "roofline/Cost/Work.h"

namespace roofline {

class CostContext {
public:
  virtual ~CostContext();

  /// The shape of a tensor or memref; nothing where its rank or any of its
  /// dimensions is unknown.
  virtual std::optional<Dims> dims(mlir::Value value) const = 0;
  /// One dimension, which may be known where others aren't.
  virtual std::optional<Expr> dim(mlir::Value value, unsigned axis) const = 0;
  /// The value of an integer or index scalar.
  virtual std::optional<Expr> scalar(mlir::Value value) const = 0;
  /// What a tensor is to the model.
  virtual Role role(mlir::Value value) const = 0;
  /// Whether an op may overwrite the value: nothing else reads it and it is no
  /// graph input, or it is a KV cache whose new value is a graph output.
  virtual bool isOverwritable(mlir::Value value) const = 0;

  std::optional<Expr> numElements(mlir::Value value) const;
  /// Stored bytes of a tensor; nothing where unknown.
  std::optional<Expr> bytes(mlir::Value value) const;

  /// Reads each distinct tensor among `op`'s operands once.
  void readOperands(Work &work, mlir::Operation *op) const;
  /// Reads one operand in full, or the `bytes` given, unless an earlier operand
  /// is the same value.
  void readOperand(Work &work, mlir::Operation *op, unsigned index) const;
  void readOperand(Work &work, mlir::Operation *op, unsigned index,
                   std::optional<Expr> bytes) const;
  /// Writes each tensor result once.
  void writeResults(Work &work, mlir::Operation *op) const;
};

/// The element type of a tensor, memref, vector or scalar type.
ElementType elementType(mlir::Type type);

} // namespace roofline

#endif // ROOFLINE_INTERFACES_COSTCONTEXT_H
