//===- ResultsToArguments.cpp - results in buffers of the caller's --------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "roofline/Conversion/Passes.h"

namespace roofline {
#define GEN_PASS_DEF_RESULTSTOARGUMENTS
#include "roofline/Conversion/Passes.h.inc"
} // namespace roofline

using namespace mlir;

namespace {

class ResultsToArguments
    : public roofline::impl::ResultsToArgumentsBase<ResultsToArguments> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(convert(function)))
        return signalPassFailure();
  }

  LogicalResult convert(func::FuncOp function) {
    if (!llvm::hasSingleElement(function.getBody()))
      return function.emitError("can't be lowered: more than one block");
    auto ret = cast<func::ReturnOp>(function.front().getTerminator());
    for (Value result : llvm::to_vector(ret.getOperands())) {
      auto type = dyn_cast<MemRefType>(result.getType());
      if (!type)
        return function.emitError("can't be lowered: a result is no buffer");
      // Arguments' attributes and the type go along.
      if (failed(function.insertArgument(function.getNumArguments(), type, {},
                                         function.getLoc())))
        return failure();
      Value target = function.front().getArguments().back();
      ret->eraseOperand(0);
      place(result, target, ret);
    }
    return function.eraseResults(
        BitVector(function.getNumResults(), /*t=*/true));
  }

  /// Lets `result` be computed in `target`, or copies it there.
  static void place(Value result, Value target, func::ReturnOp ret) {
    auto alloc = result.getDefiningOp<memref::AllocOp>();
    bool isReturnedAgain = llvm::is_contained(ret.getOperands(), result);
    if (alloc && alloc->getBlock() == ret->getBlock() && !isReturnedAgain) {
      result.replaceAllUsesWith(target);
      alloc.erase();
      return;
    }
    OpBuilder b(ret);
    memref::CopyOp::create(b, ret.getLoc(), result, target);
  }
};

} // namespace
