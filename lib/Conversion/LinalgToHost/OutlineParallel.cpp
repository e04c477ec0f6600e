//===- OutlineParallel.cpp - functions of parallel loops' bodies ----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "roofline/Conversion/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace roofline {
#define GEN_PASS_DEF_OUTLINEPARALLEL
#include "roofline/Conversion/Passes.h.inc"
} // namespace roofline

using namespace mlir;
using namespace roofline::host;

namespace {

class OutlineParallel
    : public roofline::impl::OutlineParallelBase<OutlineParallel> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](scf::ForallOp loop) {
        if (isPlain(loop))
          loops.push_back(loop);
      });
    SymbolTable symbols(getOperation());
    for (scf::ForallOp loop : loops)
      if (failed(outline(loop, symbols)))
        return signalPassFailure();
  }

  /// From 0 by 1 over one index, and nothing comes out.
  static bool isPlain(scf::ForallOp loop) {
    return loop.getRank() == 1 && loop.isNormalized() &&
           loop->getNumResults() == 0;
  }

  /// What is constant stays so inside.
  static void sinkConstants(Region &body) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(body, captured);
    OpBuilder b(body);
    for (Value value : captured)
      if (matchPattern(value, m_Constant())) {
        Operation *constant = b.clone(*value.getDefiningOp());
        replaceAllUsesInRegionWith(value, constant->getResult(0), body);
      }
  }

  static std::string freeName(scf::ForallOp loop, const SymbolTable &symbols) {
    StringRef function = loop->getParentOfType<func::FuncOp>().getName();
    for (unsigned number = 0;; ++number) {
      std::string name = (function + "_parallel" + Twine(number)).str();
      if (!symbols.lookup(name))
        return name;
    }
  }

  static LogicalResult outline(scf::ForallOp loop, SymbolTable &symbols) {
    IRRewriter b(loop);
    Location loc = loop.getLoc();
    sinkConstants(loop.getRegion());
    std::string name = freeName(loop, symbols);
    func::CallOp call;
    FailureOr<func::FuncOp> function =
        outlineSingleBlockRegion(b, loc, loop.getRegion(), name, &call);
    if (failed(function))
      return failure();
    function->setPrivate();
    symbols.insert(*function);
    (*function)->setAttr(parallelAttrName, b.getUnitAttr());
    // The call, now the whole body, takes the loop's place.
    b.setInsertionPoint(loop);
    Value count = getValueOrCreateConstantIndexOp(
        b, loc, loop.getMixedUpperBound().front());
    call->moveBefore(loop);
    call.setOperand(0, count);
    b.eraseOp(loop);
    return success();
  }
};

} // namespace
