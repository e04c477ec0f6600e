//===- Rotary.h - rotary embeddings -----------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_ROTARY_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_ROTARY_H

#include "Attention.h"

namespace roofline::lowering {

/// Cosines and sines, [positions, half as many as are rotated], and where each
/// token stands.
struct Rotation {
  mlir::Value cosines, sines;
  /// [batch or 1, tokens], [batch or 1, 1] with the tokens counted from there,
  /// or null for those of the sequence.
  mlir::Value places;
  /// The elements of a pair lie side by side, not half a row apart.
  bool interleaved = false;
};

/// Heads with the first elements of each row turned pair by pair; none where
/// the tables don't fit.
Heads rotated(Lowering &l, const Heads &heads, const Rotation &rotation);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_ROTARY_H
