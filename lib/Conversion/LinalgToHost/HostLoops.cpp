//===- HostLoops.cpp - linalg on buffers to loops for the host ------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "roofline/Conversion/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace roofline {
#define GEN_PASS_DEF_HOSTLOOPS
#include "roofline/Conversion/Passes.h.inc"
} // namespace roofline

using namespace mlir;
using namespace roofline;
using namespace roofline::host;

namespace {

class HostLoops : public roofline::impl::HostLoopsBase<HostLoops> {
public:
  using HostLoopsBase::HostLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::ForallOp> parallel;
    getOperation().walk([&](scf::ForallOp loop) { parallel.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp loop : parallel)
      if (!isWorthThreads(loop)) {
        rewriter.setInsertionPoint(loop);
        if (failed(scf::forallToForLoop(rewriter, loop)))
          return signalPassFailure();
      }
    // Runs of ops with nothing between them that touches memory.
    SmallVector<SmallVector<linalg::LinalgOp>> runs(1);
    getOperation().walk([&](Operation *op) {
      auto structured = dyn_cast<linalg::LinalgOp>(op);
      bool joins = structured && !runs.back().empty() &&
                   runs.back().back()->getBlock() == op->getBlock();
      if (auto fill = dyn_cast<linalg::FillOp>(op)) {
        // Ops move to where the last of them stands: not past a fill of what
        // they read or write.
        if (touchesAny(runs.back(), rootOf(fill.getDpsInits()[0])))
          runs.emplace_back();
        return;
      }
      if (!structured) {
        if (!isQuiet(op) && !op->getParentOfType<linalg::LinalgOp>())
          runs.emplace_back();
        return;
      }
      if (!joins)
        runs.emplace_back();
      runs.back().push_back(structured);
    });
    for (ArrayRef<linalg::LinalgOp> run : runs)
      lower(run);
  }

private:
  /// Whether the indices of a loop that may be parallel are worth a thread
  /// each, and what they use can be handed to a function: buffers at a place
  /// that is known.
  bool isWorthThreads(scf::ForallOp loop) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(loop.getRegion(), captured);
    for (Value value : captured) {
      auto type = dyn_cast<MemRefType>(value.getType());
      SmallVector<int64_t> strides;
      int64_t offset;
      if (type && (failed(type.getStridesAndOffset(strides, offset)) ||
                   ShapedType::isDynamic(offset)))
        return false;
    }
    HostThreads all{threads, threadCycles};
    return all.worth(cyclesOf(loop)) > 1;
  }

  /// About how many cycles all indices of a loop take, at least: loops inside
  /// that run nobody knows how often count once.
  double cyclesOf(scf::ForallOp loop) {
    double cycles = 0;
    loop.walk([&](linalg::LinalgOp op) {
      std::optional<Nest> nest = Nest::of(op);
      if (!nest)
        return;
      double each = host::cyclesOf(*nest, vectorBits);
      for (Operation *outer = op->getParentOp(); outer != loop;
           outer = outer->getParentOp())
        if (auto inner = dyn_cast<scf::ForOp>(outer))
          if (std::optional<APInt> trips = inner.getStaticTripCount())
            each *= trips->roundToDouble();
      cycles += each;
    });
    if (std::optional<int64_t> count =
            getConstantIntValue(loop.getMixedUpperBound().front()))
      cycles *= double(*count);
    return cycles;
  }

  /// Neither reads nor writes a buffer.
  static bool isQuiet(Operation *op) {
    return isMemoryEffectFree(op) ||
           isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp>(op);
  }

  static bool touchesAny(ArrayRef<linalg::LinalgOp> ops, Value root) {
    return llvm::any_of(ops, [&](linalg::LinalgOp op) {
      return llvm::any_of(op->getOperands(), [&](Value operand) {
        return isa<MemRefType>(operand.getType()) && rootOf(operand) == root;
      });
    });
  }

  void lower(ArrayRef<linalg::LinalgOp> run) {
    EmitOptions options;
    options.vectorBits = vectorBits;
    if (!run.empty() && !run.front()->getParentOfType<scf::ForallOp>())
      options.threads = {threads, threadCycles};
    while (!run.empty()) {
      std::vector<Nest> nests;
      for (linalg::LinalgOp op : run) {
        std::optional<Nest> nest = Nest::of(op);
        if (!nest)
          break;
        nests.push_back(*nest);
      }
      if (nests.empty()) { // plain loops, later
        run = run.drop_front();
        continue;
      }
      unsigned done = lower(nests, options);
      for (linalg::LinalgOp op : run.take_front(done))
        op->erase();
      run = run.drop_front(done);
    }
  }

  /// Emits one nest or more, from the first; says how many.
  unsigned lower(ArrayRef<Nest> nests, const EmitOptions &options) {
    Nest first = nests.front();
    OpBuilder b(first.op);
    Emitter emitter(b, first.op.getLoc(), options);
    if (unsigned count =
            emitProduct(emitter, first, nests.size() > 1 ? &nests[1] : nullptr))
      return count;
    if (unsigned count = emitRows(emitter, nests))
      return count;
    Fills fills = findFills(first);
    emitGeneric(emitter, first, fills);
    for (linalg::FillOp fill : fills)
      if (fill)
        fill.erase();
    return 1;
  }
};

} // namespace
