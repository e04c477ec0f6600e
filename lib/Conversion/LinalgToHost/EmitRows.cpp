//===- EmitRows.cpp - nests over common rows ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A softmax is four nests and a norm five, all over the same rows. One after
// the other each reads and writes the whole tensor; row by row they meet in the
// first level of the caches, and memory sees one read and one write.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace roofline::host {
namespace {

/// A row that is handed on should fit the second level.
constexpr int64_t maxRowBytes = 256 << 10;

/// Parallel loops, the largest stride of the result outermost.
SmallVector<unsigned> parallelOrder(const Nest &nest) {
  SmallVector<unsigned> order;
  for (auto [l, loop] : llvm::enumerate(nest.loops))
    if (!loop.isReduction)
      order.push_back(l);
  const Access &result = nest.output(0);
  llvm::sort(order, [&](unsigned x, unsigned y) {
    return std::tuple(-result.strides[x], x) <
           std::tuple(-result.strides[y], y);
  });
  return order;
}

bool hasReduction(const Nest &nest) {
  return llvm::any_of(nest.loops,
                      [](const Loop &loop) { return loop.isReduction; });
}

/// Brings loops of these sizes to the front, outermost first; false where the
/// nest has none such.
bool makeRows(Nest &nest, ArrayRef<int64_t> rows) {
  SmallVector<unsigned> order = parallelOrder(nest);
  for (unsigned l = 0; l < nest.loops.size(); ++l)
    if (nest.loops[l].isReduction)
      order.push_back(l);
  nest.permute(order);
  for (auto [i, size] : llvm::enumerate(rows)) {
    if (i >= nest.loops.size() || nest.loops[i].isReduction)
      return false;
    int64_t have = nest.loops[i].size;
    if (have == size)
      continue;
    if (have < size || have % size != 0)
      return false;
    nest.split(i, have / size);
  }
  return true;
}

/// How far an access reaches from where its row begins.
int64_t rowExtent(const Nest &nest, const Access &access, size_t rows) {
  int64_t extent = 1 + access.offset;
  for (size_t l = rows; l < nest.loops.size(); ++l)
    extent += access.strides[l] * (nest.loops[l].size - 1);
  return extent;
}

/// The nests of a group, and what they hand each other.
class Rows {
public:
  /// As many of `nests` from the first as have rows in common.
  static std::optional<Rows> of(ArrayRef<Nest> nests, unsigned vectorBits) {
    SmallVector<int64_t> sizes = rowSizes(nests, vectorBits);
    if (sizes.empty())
      return std::nullopt;
    Rows rows;
    rows.sizes = sizes;
    for (const Nest &nest : nests) {
      Rows next = rows;
      next.nests.push_back(nest);
      if (!makeRows(next.nests.back(), sizes) || !next.isLocal())
        break;
      rows = std::move(next);
    }
    return rows.nests.size() > 1 ? std::optional(std::move(rows))
                                 : std::nullopt;
  }

  unsigned count() const { return nests.size(); }

  void emit(Emitter &e) {
    // Fills are looked for before anything moves.
    SmallVector<Fills> fills;
    for (const Nest &nest : nests)
      fills.push_back(findFills(nest));
    // Where the last of them stands all operands are there.
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPoint(nests.back().op);
    std::optional<LoopShare> cut =
        shareLoops(sharedSteps(), e.threadsFor(cycles(e)));
    e.parallel(cut ? cut->parts : 1, [&](Value part) {
      if (cut) {
        sharedLoop = cut->loop;
        share = {part, cut->parts};
      }
      SmallVector<Value> own = shrinkIntermediates(e, fills);
      SmallVector<Value> at;
      loops(e, 0, at, fills);
      for (Value row : own)
        memref::DeallocOp::create(e.b, e.loc, row);
    });
    llvm::SmallPtrSet<Operation *, 8> erased;
    for (const Fills &list : fills)
      for (linalg::FillOp fill : list)
        if (fill && erased.insert(fill).second)
          fill.erase();
  }

private:
  /// The row loops that the first nests allow, from the first reduction among
  /// them: its parallel loops.
  static SmallVector<int64_t> rowSizes(ArrayRef<Nest> nests,
                                       unsigned vectorBits) {
    for (Nest nest : nests) {
      if (!hasReduction(nest))
        continue;
      // A loop that is taken by vectors is what a row is made of.
      std::optional<unsigned> vectors = vectorLoop(nest, vectorBits);
      SmallVector<int64_t> sizes;
      for (unsigned l : parallelOrder(nest))
        if (l != vectors)
          sizes.push_back(nest.loops[l].size);
      if (llvm::is_contained(sizes, 0)) // nothing to share
        return {};
      return sizes;
    }
    return {};
  }

  /// Whether every buffer that one nest writes and another touches is touched
  /// by both in the same row.
  bool isLocal() const {
    llvm::DenseSet<Value> written;
    for (const Nest &nest : nests)
      for (unsigned i = 0; i < nest.numOutputs(); ++i)
        written.insert(rootOf(nest.output(i).buffer));
    llvm::DenseMap<Value, ArrayRef<int64_t>> strides;
    for (const Nest &nest : nests)
      for (const Access &access : nest.accesses) {
        Value root = rootOf(access.buffer);
        if (!written.contains(root))
          continue;
        // Parts of a buffer (a pad's inside) have other rows than the whole.
        if (access.start || root != access.buffer)
          return false;
        ArrayRef<int64_t> rows =
            ArrayRef(access.strides).take_front(sizes.size());
        if (auto [it, isNew] = strides.try_emplace(access.buffer, rows);
            !isNew && it->second != rows)
          return false;
        // Rows must not reach into each other.
        int64_t extent = rowExtent(nest, access, sizes.size());
        int64_t bits = access.element().getIntOrFloatBitWidth();
        if (extent > rows.back() || extent * bits / 8 > maxRowBytes)
          return false;
      }
    return true;
  }

  /// Steps of the row loops, for threads.
  SmallVector<int64_t> sharedSteps() const {
    SmallVector<int64_t> steps = sizes;
    for (auto [l, count] : llvm::enumerate(steps))
      if (!llvm::all_of(nests,
                        [&](const Nest &nest) { return nest.writesApart(l); }))
        count = 1;
    return steps;
  }

  double cycles(Emitter &e) {
    double sum = 0;
    for (Nest &nest : nests)
      sum += cyclesOf(nest, e.options.vectorBits);
    return sum;
  }

  /// A buffer of the group's own holds one row, of each thread's own where
  /// there are several: then those are returned, to be freed by it. One that is
  /// filled, but not for the nest that accumulates into it, must be there as a
  /// whole.
  SmallVector<Value> shrinkIntermediates(Emitter &e, ArrayRef<Fills> fills) {
    SmallVector<Value> own;
    llvm::SmallPtrSet<Operation *, 8> ops;
    for (const Fills &list : fills)
      for (linalg::FillOp fill : list)
        if (fill)
          ops.insert(fill);
    llvm::MapVector<Value, int64_t> extents;
    for (const Nest &nest : nests) {
      ops.insert(nest.op);
      for (const Access &access : nest.accesses) {
        int64_t &extent = extents[access.buffer];
        extent = std::max(extent, rowExtent(nest, access, sizes.size()));
      }
    }
    for (auto &[buffer, extent] : extents) {
      auto alloc = buffer.getDefiningOp<memref::AllocOp>();
      if (!alloc || !llvm::all_of(buffer.getUsers(), [&](Operation *user) {
            return ops.contains(user) || isa<memref::DeallocOp>(user);
          }))
        continue;
      Type element = cast<MemRefType>(buffer.getType()).getElementType();
      Value row = memref::AllocOp::create(e.b, e.loc,
                                          MemRefType::get({extent}, element),
                                          e.b.getI64IntegerAttr(64));
      if (share.part)
        own.push_back(row);
      for (Operation *user : llvm::to_vector(buffer.getUsers()))
        if (isa<memref::DeallocOp>(user)) {
          OpBuilder b(user);
          if (!share.part)
            memref::DeallocOp::create(b, e.loc, row);
          user->erase();
        }
      for (Nest &nest : nests)
        for (Access &access : nest.accesses)
          if (access.buffer == buffer) {
            access.buffer = row;
            for (size_t l = 0; l < sizes.size(); ++l)
              access.strides[l] = 0;
          }
    }
    return own;
  }

  void loops(Emitter &e, unsigned depth, SmallVector<Value> &at,
             ArrayRef<Fills> fills) {
    if (depth == sizes.size()) {
      for (auto [nest, fill] : llvm::zip(nests, fills))
        emitGeneric(e, rowOf(e, nest, at), fill);
      return;
    }
    e.loop(sizes[depth], 1, sharedLoop == depth ? share : Share(),
           [&](Value i) {
             at.push_back(i);
             loops(e, depth + 1, at, fills);
             at.pop_back();
           });
  }

  /// The nest without its row loops, at one row.
  Nest rowOf(Emitter &e, const Nest &nest, ArrayRef<Value> at) {
    Nest row = nest;
    for (Access &access : row.accesses) {
      for (auto [l, i] : llvm::enumerate(at))
        if (access.strides[l] != 0)
          access.start = e.add(access.start, e.mul(i, access.strides[l]));
      access.strides.erase(access.strides.begin(),
                           access.strides.begin() + at.size());
    }
    row.loops.erase(row.loops.begin(), row.loops.begin() + at.size());
    return row;
  }

  std::vector<Nest> nests;
  SmallVector<int64_t> sizes;
  std::optional<unsigned> sharedLoop; ///< by threads
  Share share;
};

} // namespace

unsigned emitRows(Emitter &e, ArrayRef<Nest> nests) {
  std::vector<Nest> simple;
  for (const Nest &nest : nests) {
    if (nest.usesIndices() || isProduct(nest))
      break;
    simple.push_back(nest);
    simple.back().simplify();
  }
  std::optional<Rows> rows = Rows::of(simple, e.options.vectorBits);
  if (!rows)
    return 0;
  rows->emit(e);
  return rows->count();
}

} // namespace roofline::host
