//===- PackedOperands.h - operands in the order they are read --*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of a product's A and B, copied to where they lie in the order in which
// tiles read them.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_LINALGTOHOST_PACKEDOPERANDS_H
#define ROOFLINE_LIB_CONVERSION_LINALGTOHOST_PACKEDOPERANDS_H

#include "Emit.h"
#include "ProductNest.h"
#include "llvm/Support/MathExtras.h"

namespace roofline::host {

class PackedOperands {
public:
  PackedOperands(Emitter &e, const Product &p, const ProductTiling &t);

  mlir::Value a, b; ///< null where an operand isn't packed
  mlir::Value lone; ///< [lone column][k]; null where there is none

  void allocate();
  void release();
  /// `m` rows from `at` on and so many steps of k: [tile of rows][k][row].
  void packA(mlir::Value at, int64_t m, mlir::Value steps);
  /// `n` columns, which are so many lines: [tile of columns][k][column], or
  /// [k][line][column].
  void packB(mlir::Value at, int64_t n, int64_t lines, mlir::Value steps);

  /// From packed B, where it has all columns: those that are lone, each in the
  /// order of k.
  void copyLone(mlir::Value steps);

  /// Elements of a block along k.
  int64_t depthK() const { return t.blockK * innerK; }
  /// From one step of k to the next in `b`.
  int64_t stepB() const { return t.panels ? t.columns() : rowB(); }
  /// Where a column of packed B begins.
  int64_t columnB(int64_t n) const {
    int64_t within = n % t.columns();
    return t.panels ? (n - within) * depthK() + within : n;
  }

private:
  /// Elements from one row of packed B to the next. An odd number of cache
  /// lines, so that rows don't fall on the same set of the first level.
  int64_t rowB() const;
  /// Rows of A are copied by squares that hold a tile's.
  int64_t squareA() const { return int64_t(llvm::PowerOf2Ceil(t.rows)); }
  mlir::Value allocateLine(int64_t size);
  mlir::Value widened(mlir::Value value, mlir::Operation *widening);

  using Visit = llvm::function_ref<void(mlir::Value)>;
  using VisitStep = llvm::function_ref<void(mlir::Value, mlir::Value)>;
  void eachK(const Access &access, mlir::Value at, mlir::Value steps,
             VisitStep body);
  void innerLoopsOfK(unsigned depth, const Access &access, mlir::Value at,
                     mlir::Value number, VisitStep body);
  void squaresOfK(mlir::Value steps, int64_t size, Visit square, Visit rest);

  void copyColumnOfA(mlir::Value source, mlir::Value target, int64_t rows);
  void packLinesOfA(mlir::Value from, mlir::Value to, int64_t rows,
                    mlir::Value steps);

  mlir::Value columnsOfB(mlir::Value at, int64_t stride, int64_t count);
  void packPanels(mlir::Value at, int64_t n, mlir::Value steps);
  void packLinesOfB(
      mlir::Value from, mlir::Value j, int64_t columns, mlir::Value steps,
      llvm::function_ref<void(mlir::Value, mlir::Value, int64_t, mlir::Value)>
          copy);
  void packLines(mlir::Value at, int64_t lines, mlir::Value steps);
  void linesOfN(unsigned depth, int64_t lines, mlir::Value source,
                mlir::Value target);

  Emitter &e;
  const Product &p;
  const ProductTiling &t;
  mlir::Type element;
  mlir::Value lineA, lineB;
  int64_t innerK;
};

} // namespace roofline::host

#endif // ROOFLINE_LIB_CONVERSION_LINALGTOHOST_PACKEDOPERANDS_H
