//===- SymbolMap.h - symbolic sizes of values -------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbolic facts about SSA values: the dimensions of shaped values, the values
// of integers, the elements of small integer tensors. Ops extend it through
// SymbolicOpInterface as an analysis visits them in order.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_INTERFACES_SYMBOLMAP_H
#define ROOFLINE_INTERFACES_SYMBOLMAP_H

#include "mlir/IR/Value.h"
#include "roofline/Cost/Work.h"
#include "llvm/ADT/DenseMap.h"

namespace roofline {

class SymbolMap {
public:
  using MaybeDims = llvm::SmallVector<std::optional<Expr>, 4>;

  SymbolMap() = default;
  /// Knows what `outer` knows, which must outlive it, and takes what is set to
  /// itself: to try something.
  static SymbolMap over(const SymbolMap &outer) { return SymbolMap(&outer); }

  /// Facts from the type alone: static dimensions, and those that a `#rl.dims`
  /// encoding names. Nothing where the type isn't ranked.
  static std::optional<MaybeDims> dimsOfType(mlir::Type type);

  /// What is known of a value: what was set, else what its type says.
  std::optional<MaybeDims> dims(mlir::Value value) const;
  std::optional<Expr> dim(mlir::Value value, unsigned axis) const;
  std::optional<Expr> scalar(mlir::Value value) const;
  std::optional<llvm::ArrayRef<std::optional<Expr>>>
  elements(mlir::Value value) const;

  /// Dimensions that the type knows stay; others take what is given.
  void setDims(mlir::Value value, llvm::ArrayRef<std::optional<Expr>> dims);
  void setScalar(mlir::Value value, const Expr &expr);
  void setElements(mlir::Value value,
                   llvm::ArrayRef<std::optional<Expr>> elements);

private:
  explicit SymbolMap(const SymbolMap *outer) : outer(outer) {}

  const SymbolMap *outer = nullptr;
  llvm::DenseMap<mlir::Value, MaybeDims> shapes;
  llvm::DenseMap<mlir::Value, Expr> scalars;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::optional<Expr>, 4>>
      tensors;
};

} // namespace roofline

#endif // ROOFLINE_INTERFACES_SYMBOLMAP_H
