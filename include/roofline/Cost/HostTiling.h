//===- HostTiling.h - how products are cut for a CPU ------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The sizes of blocks and register tiles of the host's products. The code
// generator cuts by them and the time model counts by them: one formula.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_COST_HOSTTILING_H
#define ROOFLINE_COST_HOSTTILING_H

#include <cstdint>

namespace roofline {

/// Results of elementwise kernels of so many bytes are written past the caches.
constexpr int64_t streamingBytes = int64_t(1) << 24;

/// A row or a plane that one nest hands the next within a loop has at most so
/// many bytes: half of a second level of the caches.
constexpr int64_t handedOnBytes = int64_t(512) << 10;

/// C[m, n] += Σ_k A[m, k]·B[k, n].
struct ProductShape {
  int64_t m = 1;
  /// n is `lines` lines of `width`: one line of all n, or an image's rows.
  int64_t lines = 1, width = 1;
  /// k is `outerK` steps of `innerK`: blocks are cut between steps.
  int64_t outerK = 1, innerK = 1;
  unsigned bits = 32; ///< of a result's element
  /// B's rows can be loaded as they lie: side by side, of the result's type.
  bool directB = true;
  bool directA = true;  ///< A is of the result's type
  bool linesOfA = true; ///< A's elements lie side by side along k

  int64_t n() const { return lines * width; }
  int64_t k() const { return outerK * innerK; }
};

struct ProductTiling {
  int64_t lanes = 1;             ///< elements of a vector
  int64_t rows = 1, vectors = 1; ///< of the tile of C in registers
  int64_t blockM = 1;            ///< rows of A that are packed at once
  int64_t blockN = 1;            ///< columns of B
  int64_t blockK = 1;            ///< outer steps of k
  bool packA = true, packB = true;
  bool panels = true; ///< B is packed tile by tile, else line by line
  /// Columns behind the last whole vector, if few: their tiles would fill
  /// little of one. Each is a product of A's rows, where they aren't packed,
  /// with a vector of its own along k.
  int64_t lone = 0;

  int64_t columns() const { return lanes * vectors; }
};

/// Cycles that one step of k takes over all tiles of m × n, at one
/// multiply-add of a vector a cycle: tiles that are left over at the edges take
/// as long as they have vectors, or halves of them, and one too small to hide
/// the latency of four cycles takes that. A lone column takes a vector of each
/// row for as many steps of k.
double tileCycles(int64_t m, int64_t n, int64_t rows, int64_t vectors,
                  int64_t lanes, int64_t lone = 0);

/// The tile with the fewest cycles that fits the registers, and blocks that fit
/// the caches, for registers of `vectorBits`.
ProductTiling chooseTiling(const ProductShape &shape, unsigned vectorBits);

} // namespace roofline

#endif // ROOFLINE_COST_HOSTTILING_H
