//===- NarrowFloats.h - floats of 8 bits and fewer -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has no such types: they are integers of their width, widened by a table
// and rounded by arithmetic on the wide float's bits.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_NARROWFLOATS_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_NARROWFLOATS_H

#include "Scalars.h"

namespace roofline::lowering {

inline bool isNarrowFloat(mlir::Type type) {
  return mlir::isa<mlir::FloatType>(type) && type.getIntOrFloatBitWidth() <= 8;
}

/// A narrow float as f32, which holds all of them.
mlir::Value widened(Scalars &s, mlir::Value x);

/// f32 or f64 as a narrow float, to nearest even (f8E8M0FNU: as `s.rounding`
/// says). What is too large is the largest number, or without `s.saturates` an
/// infinity, or NaN where the type has none.
mlir::Value narrowed(Scalars &s, mlir::Value x, mlir::FloatType to);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_NARROWFLOATS_H
