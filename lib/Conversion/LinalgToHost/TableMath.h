//===- TableMath.h - functions from tables in registers ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_LINALGTOHOST_TABLEMATH_H
#define ROOFLINE_LIB_CONVERSION_LINALGTOHOST_TABLEMATH_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace roofline::host {

/// exp and erf of vectors of 16 f32, or of several times as many, for targets
/// with AVX-512 (F and DQ). They are preferred to patterns of benefit 1.
void populateTableMathPatterns(mlir::RewritePatternSet &patterns);

/// The same for a gelu as lib/Conversion/RLToLinalg/LowerMap.cpp writes it,
/// with its erf: to be applied before.
void populateTableGeluPatterns(mlir::RewritePatternSet &patterns);

} // namespace roofline::host

#endif // ROOFLINE_LIB_CONVERSION_LINALGTOHOST_TABLEMATH_H
