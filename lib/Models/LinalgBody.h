//===- LinalgBody.h - what a linalg op does at each point -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the scalar body of a linalg op: which operations produce its results,
// whether it accumulates products, what it picks from tensors that are no
// operands.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_MODELS_LINALGBODY_H
#define ROOFLINE_LIB_MODELS_LINALGBODY_H

#include "Models.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace roofline::models {

/// A reduction of products of two operands: acc + f(a) * g(b).
struct Contraction {
  mlir::Operation *multiply;
  mlir::Operation *add;
  /// Numbers of the operands that lead into either factor.
  unsigned left, right;
};

/// A read of a tensor that isn't an operand, by computed indices.
struct CapturedRead {
  mlir::Value tensor;
  /// The loops that the indices depend on.
  llvm::SmallBitVector loops;
};

class LinalgBody {
public:
  explicit LinalgBody(mlir::linalg::LinalgOp op);

  /// The operations whose values reach a result (what only computes addresses
  /// doesn't), and that change from point to point.
  llvm::ArrayRef<mlir::Operation *> operations() const {
    return ops.getArrayRef();
  }
  /// Whether an operation's value depends on a running accumulator.
  bool accumulates(mlir::Operation *op) const;
  /// The loops along which an operation's value may change.
  const llvm::SmallBitVector &loops(mlir::Operation *op) const {
    return sources(op->getResult(0)).loops;
  }
  std::optional<Contraction> contraction() const;
  llvm::SmallVector<CapturedRead, 2> capturedReads() const;

private:
  using ArgSet = llvm::SmallBitVector;

  /// What a value inside the body is computed from.
  struct Sources {
    ArgSet arguments;           // of the body's block
    llvm::SmallBitVector loops; // whose position it depends on
    bool varies() const { return arguments.any() || loops.any(); }
  };
  const Sources &sources(mlir::Value value) const;
  void collectSources();
  void collectOperations();
  bool isOutput(mlir::Value value) const;
  mlir::Value skipCasts(mlir::Value value) const;
  unsigned mainOperand(const Sources &sources) const;
  std::optional<Contraction> contract(mlir::Operation *multiply) const;
  std::optional<Contraction> findProduct(mlir::Value term) const;

  mutable mlir::linalg::LinalgOp op; // its accessors are not const
  mlir::Block *block;
  llvm::DenseMap<mlir::Value, Sources> valueSources;
  Sources nothing;
  llvm::SetVector<mlir::Operation *> ops;
};

} // namespace roofline::models

#endif // ROOFLINE_LIB_MODELS_LINALGBODY_H
