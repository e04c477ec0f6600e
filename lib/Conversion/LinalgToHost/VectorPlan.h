//===- VectorPlan.h - which loop of a nest is taken by vectors --*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_LINALGTOHOST_VECTORPLAN_H
#define ROOFLINE_LIB_CONVERSION_LINALGTOHOST_VECTORPLAN_H

#include "Nest.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace roofline::host {

struct VectorPlan {
  std::optional<unsigned> vectorLoop;
  int64_t lanes = 1;
  /// Of a reduced vector loop.
  std::optional<mlir::vector::CombiningKind> combiner;
  /// The innermost loop over results, where each is a row of one operand along
  /// that loop, times the same row of another: the latter is loaded once for
  /// several.
  std::optional<unsigned> rowLoop;
  /// A loop over results along which operands lie side by side that don't along
  /// the vector loop: of those a square is loaded along it and turned.
  std::optional<unsigned> turnedLoop;

  bool isTurned(const Access &access) const {
    return turnedLoop && access.strides[*turnedLoop] == 1 &&
           access.strides[*vectorLoop] > 2;
  }
};

/// The loop with the cheapest steps, if vectors along any are worth it.
VectorPlan choose(Nest &nest, unsigned vectorBits);

/// Parallel loops by the result's strides, largest outside; then reductions by
/// the first operand's; the vector loop last of its kind, the turned one before
/// it.
void orderLoops(Nest &nest, VectorPlan &plan);

} // namespace roofline::host

#endif // ROOFLINE_LIB_CONVERSION_LINALGTOHOST_VECTORPLAN_H
