//===- Shapes.h - symbolic shape arithmetic ---------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_MODELS_SHAPES_H
#define ROOFLINE_LIB_MODELS_SHAPES_H

#include "Models.h"
#include "mlir/IR/AffineExpr.h"

namespace roofline::models {

using MaybeExpr = std::optional<Expr>;
using MaybeDims = SymbolMap::MaybeDims;

/// The result's dimensions are those of the operand.
void copyDims(SymbolMap &symbols, mlir::Value from, mlir::Value to);

/// Each size of a list that mixes numbers and values.
MaybeDims sizesOf(const SymbolMap &symbols,
                  llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// The product; nothing where a factor isn't known.
MaybeExpr product(llvm::ArrayRef<MaybeExpr> dims);

/// total / known: exact where it can be seen, else the floor.
Expr quotient(const Expr &total, const Expr &known);

/// A reshape's target: -1 takes what is left of the source's elements.
MaybeDims reshapedDims(const MaybeDims &source,
                       llvm::ArrayRef<MaybeExpr> target);

/// Dimensions under NumPy's broadcasting, aligned at the last.
MaybeDims broadcastDims(const MaybeDims &a, const MaybeDims &b);

/// What an affine expression says of known operands.
MaybeExpr evaluate(mlir::AffineExpr expr, llvm::ArrayRef<MaybeExpr> dims,
                   llvm::ArrayRef<MaybeExpr> symbols);

/// The dimensions of expand_shape and collapse_shape.
MaybeDims collapsedDims(const MaybeDims &source,
                        llvm::ArrayRef<llvm::SmallVector<int64_t, 2>> groups);

} // namespace roofline::models

#endif // ROOFLINE_LIB_MODELS_SHAPES_H
