//===- KernelParts.h - what kernels do, by op -------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lib/Analysis/KernelFeatures.cpp puts together: the parts of each kind of
// op, and what several kinds share. Each kind's are in a file of its family.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_ANALYSIS_KERNELPARTS_H
#define ROOFLINE_LIB_ANALYSIS_KERNELPARTS_H

#include "roofline/Cost/HostThreads.h"
#include "roofline/Cost/KernelModel.h"
#include "roofline/Dialect/RL/RL.h"

namespace roofline::kernels {

using Part = KernelFeatures::Part;
/// Nothing where a kernel's units aren't known.
using Parts = std::optional<std::vector<Part>>;
using Shape = llvm::ArrayRef<int64_t>;

/// What kernels are compiled for.
struct Target {
  unsigned vectorBits;
  HostThreads threads;

  int64_t lanes() const { return vectorBits / 32; } ///< of f32
};

// --- By op -------------------------------------------------------------------

// KernelRows.cpp
Parts partsOf(rl::MapOp op, const Target &target);
Parts partsOf(rl::QuantizeOp op, const Target &target);
Parts partsOf(rl::SoftmaxOp op, const Target &target);
Parts partsOf(rl::NormOp op, const Target &target);
Parts partsOf(rl::ReduceOp op, const Target &target);
// KernelProducts.cpp
Parts partsOf(rl::ContractOp op, const Target &target);
Parts partsOf(rl::ConvOp op, const Target &target);
// KernelWindows.cpp
Parts partsOf(rl::PoolOp op, const Target &target);
// KernelCopies.cpp
Parts partsOf(rl::CopyOp op, const Target &target);
Parts partsOf(rl::GatherOp op, const Target &target);
Parts partsOf(rl::ResizeOp op, const Target &target);
// KernelLoops.cpp
Parts partsOf(rl::RecurrentOp op, const Target &target);
Parts partsOf(rl::AttentionOp op, const Target &target);
Parts partsOf(rl::TopKOp op, const Target &target);

// --- Shapes ------------------------------------------------------------------

/// The static shape of a tensor of numbers; nothing for others.
std::optional<Shape> shapeOf(mlir::Value value);
/// Elements.
int64_t count(Shape shape);
/// A part's amounts times a factor.
void scale(Part &part, double factor);
/// Elements of a vector register.
int64_t lanesOf(mlir::Value value, const Target &target);

// --- Rows (KernelRows.cpp) ---------------------------------------------------

/// Rows of `columns` elements that lie side by side. What is left of a row
/// after whole vectors is done apart.
Part rowsPart(const llvm::Twine &kernel, double rows, int64_t columns,
              int64_t lanes);
/// Sums down the columns of matrices of `depth` rows by `width` elements.
Part columnsPart(const llvm::Twine &kernel, double matrices, int64_t depth,
                 int64_t width, int64_t lanes);
/// Rows over the innermost dimensions of the first operand, `size` elements
/// each.
Parts innerRows(mlir::Operation *op, const llvm::Twine &kernel, int64_t size,
                const Target &target);
/// How many of the result's innermost dimensions every operand walks through
/// as one: all of them, or repeating itself.
int64_t commonRun(Shape result, llvm::ArrayRef<Shape> operands);
/// An addition is one instruction, a maximum that passes NaN on is several.
std::string reductionOf(llvm::StringRef kind);

// --- Copies (KernelCopies.cpp) -----------------------------------------------

/// Elements that are gathered one by one, in rows of results.
Part gatheredPart(double rows, double elements);
/// A transpose whose results' rows lie apart in the input.
Part turnedPart(Shape x, Shape permutation, int64_t lanes);

// --- Products (KernelProducts.cpp) -------------------------------------------

struct MatrixProduct {
  int64_t m, n, k;
  bool nInnermost;         ///< in the second factor; else k is
  bool kInnermostA = true; ///< in the first factor; else m is
};

/// f32 products, `batch` of them; of one row or one column a product with a
/// vector.
Part matrixPart(const MatrixProduct &product, double batch,
                const Target &target);

// --- Windows (KernelWindows.cpp) ---------------------------------------------

/// Lines of results, each of vectors of taps. Where windows are two apart a tap
/// takes every other element, where they are further each by itself. Planes
/// that the first level of the caches is too small for come from the next. Of
/// every second element half a vector's worth is picked at once; rows of less
/// than four vectors are added up one vector at a time, each sum waiting for
/// the last.
Part windowPart(const llvm::Twine &kernel, mlir::Value x,
                llvm::ArrayRef<int64_t> pads, Shape result, int64_t taps,
                int64_t stride, int64_t lanes);
/// Lines that are copied between the borders beside them.
Part padPart(double lines, int64_t width, int64_t lanes);
/// An input with its border, line by line; nothing where it has none. Plane by
/// plane it stays in the caches, if they hold one.
std::optional<Part> borderPart(Shape input, llvm::ArrayRef<int64_t> pads,
                               int64_t lanes, bool byPlanes);

} // namespace roofline::kernels

#endif // ROOFLINE_LIB_ANALYSIS_KERNELPARTS_H
