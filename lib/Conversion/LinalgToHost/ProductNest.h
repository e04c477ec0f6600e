//===- ProductNest.h - which loops of a product are which -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C[m,n] += Σ_k A[m,k]·B[k,n], each of m, n and k one loop or several.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_LINALGTOHOST_PRODUCTNEST_H
#define ROOFLINE_LIB_CONVERSION_LINALGTOHOST_PRODUCTNEST_H

#include "Epilogue.h"
#include "roofline/Cost/HostThreads.h"
#include "roofline/Cost/HostTiling.h"

namespace roofline::host {

/// One operand's strides along the loops of a role.
struct Dims {
  llvm::SmallVector<unsigned, 3> loops; ///< outermost first
  int64_t size = 1;
};

struct Product {
  Access a, b, c;
  mlir::Operation *widenA = nullptr, *widenB = nullptr;
  llvm::SmallVector<Loop, 6> loops;
  /// What the results become, if anything: an op, its operands (none for the
  /// results themselves).
  mlir::linalg::LinalgOp epilogue;
  llvm::SmallVector<std::optional<Access>, 4> extras;
  Dims outer; ///< batches, and what of m and n isn't in the tile
  Dims m, n, k;
};

/// A nest as a product, if it is one. `accesses` behind the third are the
/// epilogue's operands.
std::optional<Product> productOf(Nest &nest,
                                 const Epilogue *epilogue = nullptr);

/// Whether an operand's elements lie side by side in the order of k.
bool isLineOfK(const Product &p, const Access &access);

/// The product as the tiling sees it.
ProductShape shapeOf(const Product &p);

/// The outer loop that threads share; nothing where there is none.
std::optional<unsigned> largestOuter(const Product &p);

/// How threads share the product; adapts the tiling to their parts.
ProductShares sharesOf(const Product &p, const ProductShape &shape,
                       const HostThreads &threads, ProductTiling &tiling);

} // namespace roofline::host

#endif // ROOFLINE_LIB_CONVERSION_LINALGTOHOST_PRODUCTNEST_H
