//===- Emit.h - loops and vectors from nests --------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_LINALGTOHOST_EMIT_H
#define ROOFLINE_LIB_CONVERSION_LINALGTOHOST_EMIT_H

#include "Nest.h"
#include "roofline/Cost/HostThreads.h"
#include "roofline/Cost/HostTiling.h"

namespace roofline::host {

using Values = llvm::SmallVector<mlir::Value, 8>;

struct EmitOptions {
  unsigned vectorBits = 512;
  /// Results of at least so many bytes are written past the caches.
  int64_t streamingBytes = roofline::streamingBytes;
  HostThreads threads;
};

/// What one thread has of a loop: of as many parts as `parts`, the one with the
/// number `part`. All of it where there is one part.
struct Share {
  mlir::Value part;
  int64_t parts = 1;
};

/// Builds code at an insertion point.
class Emitter {
public:
  Emitter(mlir::OpBuilder &b, mlir::Location loc, const EmitOptions &options)
      : b(b), loc(loc), options(options) {}

  mlir::OpBuilder &b;
  mlir::Location loc;
  const EmitOptions &options;

  // --- Indices
  // ------------------------------------------------------------------

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value add(mlir::Value x, int64_t y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, int64_t factor);
  /// Of what it divides.
  mlir::Value div(mlir::Value x, int64_t divisor);

  /// `for i = 0 to size step`: `body(i)`; straight code where it runs once.
  void loop(int64_t size, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  /// As above with values carried from trip to trip.
  Values loop(int64_t size, int64_t step, mlir::ValueRange carried,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);

  /// As above to a size that is no number; always a loop.
  Values loop(mlir::Value size, int64_t step, mlir::ValueRange carried,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  mlir::Value min(mlir::Value x, int64_t y);

  /// As the first, over a share.
  void loop(int64_t size, int64_t step, const Share &share,
            llvm::function_ref<void(mlir::Value)> body);
  /// A share of `size` in blocks: `whole(i)` for those that are whole, then
  /// `rest(i)` for what is left behind the last of them, if anything.
  void blocks(int64_t size, int64_t block, const Share &share,
              llvm::function_ref<void(mlir::Value)> whole,
              llvm::function_ref<void(mlir::Value)> rest);

  /// `body(i, size)` for each block; a rest is code of its own, since sizes are
  /// part of the code.
  void blocks(int64_t size, int64_t block, const Share &share,
              llvm::function_ref<void(mlir::Value, int64_t)> body);

  // --- Threads
  // ------------------------------------------------------------------

  /// How many threads work of so many cycles is worth; one within `parallel`.
  int64_t threadsFor(double cycles) const;
  /// `body(part)` for each of `parts`, a thread each; straight code, without a
  /// part's number, where there is one.
  void parallel(int64_t parts, llvm::function_ref<void(mlir::Value)> body);

  // --- Memory
  // -------------------------------------------------------------------

  /// A buffer as a line of its elements.
  mlir::Value line(mlir::Value buffer);
  mlir::Value loadScalar(mlir::Value line, mlir::Value at);
  void storeScalar(mlir::Value value, mlir::Value line, mlir::Value at);
  /// `lanes` elements; of which the first `count` where there are fewer, the
  /// others 0.
  mlir::Value loadVector(mlir::Value line, mlir::Value at, int64_t lanes,
                         int64_t count);
  void storeVector(mlir::Value value, mlir::Value line, mlir::Value at,
                   int64_t count, bool streaming = false);
  /// Elements `stride` apart.
  mlir::Value gatherVector(mlir::Value line, mlir::Value at, int64_t stride,
                           int64_t lanes, int64_t count);
  void scatterVector(mlir::Value value, mlir::Value line, mlir::Value at,
                     int64_t stride, int64_t count);
  /// Each element so many times.
  mlir::Value repeated(mlir::Value vector, int64_t times);
  /// As many vectors as each has lanes, a power of two: a square of them.
  Values transposed(Values rows);
  mlir::Value broadcast(mlir::Value scalar, int64_t lanes);
  /// Lanes 0 … count−1.
  mlir::Value mask(int64_t lanes, int64_t count);

  mlir::VectorType vectorOf(mlir::Type element, int64_t lanes);

  /// Emits at the end of another builder's block.
  void within(mlir::OpBuilder &inner, llvm::function_ref<void()> body);

private:
  mlir::Value offsets(int64_t stride, int64_t lanes, int64_t count);
  mlir::Value loadEven(mlir::Value line, mlir::Value at, int64_t lanes,
                       int64_t count);

  llvm::DenseMap<mlir::Value, mlir::Value> lines;
  bool isParallel = false;
};

/// Whether a body can be computed for several elements at once.
bool isVectorizable(Nest &nest);

/// The body's results for vectors of `lanes` elements (scalars where 1) in
/// place of its arguments; `indices` stand for linalg.index.
Values emitBody(Emitter &e, mlir::Block &body, mlir::ValueRange arguments,
                mlir::ValueRange indices, int64_t lanes);

/// The fills that a nest's results start from, where each element is written
/// again by the nest, so that memory needn't be read; null where there is none.
using Fills = llvm::SmallVector<mlir::linalg::FillOp, 2>;
Fills findFills(const Nest &nest);

/// A nest of any kind: vectors along one loop, reductions in registers. Fills
/// are taken for what results start from; they are not erased.
void emitGeneric(Emitter &e, Nest nest, const Fills &fills);

/// About how many cycles a nest takes on one core, memory aside.
double cyclesOf(Nest &nest, unsigned vectorBits);

/// Whether `emitGeneric` takes the loop by vectors, or several of its steps at
/// once with one vector: what a row is made of.
bool isWithinRow(Nest &nest, unsigned loop, unsigned vectorBits);

/// Nests that share their outer loops: one loop over rows with all of them
/// inside, so that what they hand each other stays near. How many of `nests`,
/// from the first, were emitted; 0 where they have no rows in common.
unsigned emitRows(Emitter &e, llvm::ArrayRef<Nest> nests);

/// Whether a nest is a product, which `emitProduct` takes.
bool isProduct(Nest nest);

/// A product: packed operands, tiles in registers. `next`, where there is one,
/// is taken as its epilogue if it can be. How many nests were emitted.
unsigned emitProduct(Emitter &e, Nest nest, const Nest *next);

} // namespace roofline::host

#endif // ROOFLINE_LIB_CONVERSION_LINALGTOHOST_EMIT_H
