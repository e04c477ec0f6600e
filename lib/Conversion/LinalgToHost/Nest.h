//===- Nest.h - a linalg op as a loop nest over addresses -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form schedules work on. Every operand of a linalg op on buffers of static
// shape is an address that is linear in the loops: `offset + Σ stride·i`. In
// this form an elementwise op over a whole tensor is one loop, a batch of
// products with a shared weight one product, and a convolution a product whose
// right side has two strides per dimension.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_LINALGTOHOST_NEST_H
#define ROOFLINE_LIB_CONVERSION_LINALGTOHOST_NEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace roofline::host {

/// Where an operand's elements lie: at `start + offset + Σ strides[l]·i[l]` of
/// `buffer` taken as a line of elements.
struct Access {
  mlir::Value buffer;
  int64_t offset = 0;
  mlir::Value start; ///< where the offset isn't a number
  llvm::SmallVector<int64_t, 6> strides;
  /// Along the loop that `mergeRepeats` made: steps that stay at an element.
  int64_t repeats = 1;

  mlir::Type element() const;
};

struct Loop {
  int64_t size;
  bool isReduction;
  unsigned dim; ///< the op's own; of several merged ones the last
};

struct Nest {
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<Loop, 6> loops;
  llvm::SmallVector<Access, 4> accesses; ///< inputs, then outputs

  /// Nothing where an operand isn't linear in the loops or a size isn't known.
  static std::optional<Nest> of(mlir::linalg::LinalgOp op);

  unsigned inputs = 0;
  mlir::Region *region = nullptr;

  unsigned numInputs() const { return inputs; }
  unsigned numOutputs() const { return accesses.size() - inputs; }
  const Access &output(unsigned i) const { return accesses[numInputs() + i]; }
  mlir::Block &body() const { return region->front(); }
  bool usesIndices() const;
  /// Whether each step of a loop writes results of its own, so that steps can
  /// be taken in any order.
  bool writesApart(unsigned l) const;

  /// Drops loops of size 1 and makes one loop of two wherever all addresses
  /// allow it. Ops that ask for their indices are left as they are.
  void simplify();
  /// Makes one loop of two where results lie side by side along both, the inner
  /// one of a few steps, and each operand goes along with the results, or stays
  /// for the inner loop, or for both: its number. Nothing, and no change, where
  /// there are none such.
  std::optional<unsigned> mergeRepeats();
  /// `order[i]` becomes loop i.
  void permute(llvm::ArrayRef<unsigned> order);
  /// Loop `l` becomes one of `size / inner` and, behind it, one of `inner`.
  void split(unsigned l, int64_t inner);
};

/// The buffer that a view looks at.
mlir::Value rootOf(mlir::Value buffer);

/// The element that a buffer was filled with right before, where nothing else
/// touches it in between: the fill, or null.
mlir::linalg::FillOp fillBefore(mlir::Operation *op, mlir::Value buffer);

} // namespace roofline::host

#endif // ROOFLINE_LIB_CONVERSION_LINALGTOHOST_NEST_H
