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
// first level of the caches, and memory sees one read and one write. A pooling
// or a depthwise convolution that pads is two, over the same planes.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "roofline/Cost/HostTiling.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace roofline::host {
namespace {

/// A shorter row would be read while its last stores are on their way, at
/// other addresses than they have: the CPU then waits for them.
constexpr int64_t minPlaneBytes = 16 << 10;

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
  /// As many of `nests` from the first as have rows in common, of the shortest
  /// rows that two of them can share.
  static std::optional<Rows> of(ArrayRef<Nest> nests, unsigned vectorBits) {
    SmallVector<int64_t> sizes = rowSizes(nests, vectorBits);
    std::optional<Rows> rows = ofSizes(nests, sizes);
    while (!rows && !sizes.empty()) {
      sizes.pop_back();
      rows = ofPlanes(nests, sizes);
    }
    return rows;
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
  /// Rows of several loops: as many of the last outer loop's trips together as
  /// make them long enough.
  static std::optional<Rows> ofPlanes(ArrayRef<Nest> nests,
                                      SmallVector<int64_t> sizes) {
    std::optional<Rows> single = ofSizes(nests, sizes);
    if (!single)
      return single;
    int64_t bytes = 0, trips = sizes.back();
    for (const Nest &nest : single->nests)
      for (const Access &access : nest.accesses)
        bytes =
            std::max(bytes, rowExtent(nest, access, sizes.size()) *
                                access.element().getIntOrFloatBitWidth() / 8);
    for (int64_t together = 2; together <= trips; ++together) {
      if (bytes * (together - 1) >= minPlaneBytes)
        break;
      if (trips % together != 0)
        continue;
      sizes.back() = trips / together;
      if (std::optional<Rows> rows = ofSizes(nests, sizes))
        single = std::move(rows);
    }
    return single;
  }

  static std::optional<Rows> ofSizes(ArrayRef<Nest> nests,
                                     ArrayRef<int64_t> sizes) {
    if (sizes.empty())
      return std::nullopt;
    Rows rows;
    rows.sizes = llvm::to_vector(sizes);
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

  /// The row loops that the first nests allow, from the first reduction among
  /// them: its parallel loops.
  static SmallVector<int64_t> rowSizes(ArrayRef<Nest> nests,
                                       unsigned vectorBits) {
    for (Nest nest : nests) {
      if (!hasReduction(nest))
        continue;
      SmallVector<int64_t> sizes;
      for (unsigned l : parallelOrder(nest))
        if (!isWithinRow(nest, l, vectorBits))
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
        if (extent > rows.back() || extent * bits / 8 > handedOnBytes)
          return false;
      }
    return true;
  }

  /// Steps of the row loops, for threads.
  SmallVector<int64_t> sharedSteps() const {
    SmallVector<int64_t> steps = sizes;
    for (unsigned l = 0; l < steps.size(); ++l)
      if (!llvm::all_of(nests,
                        [&](const Nest &nest) { return nest.writesApart(l); }))
        steps[l] = 1;
    return steps;
  }

  double cycles(Emitter &e) {
    double sum = 0;
    for (Nest &nest : nests)
      sum += cyclesOf(nest, e.options.vectorBits);
    return sum;
  }

  /// Whether only `ops` touch a buffer, directly or through views.
  static bool isTouchedBy(Value buffer,
                          const llvm::SmallPtrSetImpl<Operation *> &ops) {
    return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
      if (isa<ViewLikeOpInterface>(user))
        return isTouchedBy(user->getResult(0), ops);
      return ops.contains(user) || isa<memref::DeallocOp>(user);
    });
  }

  /// The fill of a buffer that stays what it is around the elements that one
  /// nest writes and the later ones read: a pad's border. It is the same in
  /// every row.
  linalg::FillOp borderOf(Value buffer) const {
    linalg::FillOp fill;
    for (const Nest &nest : nests)
      for (auto [i, access] : llvm::enumerate(nest.accesses)) {
        if (access.buffer != buffer)
          continue;
        bool isOutput = i >= nest.numInputs();
        if (isOutput == bool(fill)) // read before, or written again
          return {};
        if (!isOutput)
          continue;
        if (!nest.body().getArgument(i).use_empty())
          return {};
        fill = fillBefore(nest.op, buffer);
        if (!fill)
          return {};
      }
    return fill;
  }

  /// A buffer of the group's own holds one row, of each thread's own where
  /// there are several: then those are returned, to be freed by it. One that is
  /// filled, but not for the nest that accumulates into it nor around what is
  /// written, must be there as a whole.
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
    for (auto &[buffer, extent] : extents)
      if (Value row = shrink(e, buffer, extent, ops); row && share.part)
        own.push_back(row);
    return own;
  }

  /// The row that a buffer becomes; null where it stays.
  Value shrink(Emitter &e, Value buffer, int64_t extent,
               llvm::SmallPtrSetImpl<Operation *> &ops) {
    if (!buffer.getDefiningOp<memref::AllocOp>())
      return {};
    linalg::FillOp border = borderOf(buffer);
    if (border && !ops.insert(border).second)
      border = {};
    if (!isTouchedBy(buffer, ops))
      return {};
    Type element = cast<MemRefType>(buffer.getType()).getElementType();
    Value row =
        memref::AllocOp::create(e.b, e.loc, MemRefType::get({extent}, element),
                                e.b.getI64IntegerAttr(64));
    if (border) {
      linalg::FillOp::create(e.b, e.loc, border.getInputs()[0], row);
      border.erase();
    }
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
    return row;
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

/// Views are addressed from where their buffer begins.
static void lookThroughViews(Nest &nest) {
  for (Access &access : nest.accesses) {
    Value root = rootOf(access.buffer);
    auto type = dyn_cast<MemRefType>(root.getType());
    if (!access.start && type && type.getLayout().isIdentity() &&
        type.hasStaticShape() && type.getElementType() == access.element())
      access.buffer = root;
  }
}

unsigned emitRows(Emitter &e, ArrayRef<Nest> nests) {
  std::vector<Nest> simple;
  for (const Nest &nest : nests) {
    if (nest.usesIndices() || isProduct(nest))
      break;
    simple.push_back(nest);
    lookThroughViews(simple.back());
    simple.back().simplify();
  }
  std::optional<Rows> rows = Rows::of(simple, e.options.vectorBits);
  if (!rows)
    return 0;
  rows->emit(e);
  return rows->count();
}

} // namespace roofline::host
