//===- CopiesToLinalg.cpp - copies of buffers as linalg -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferisation copies parts of buffers (pads, slices) by memref.copy, which
// becomes a call into MLIR's runner library where the parts aren't contiguous.
// A kernel has no such library; loops are faster, too. What a pad puts around
// its operand comes as a map of no operands; it is a fill.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "roofline/Conversion/Passes.h"

namespace roofline {
#define GEN_PASS_DEF_COPIESTOLINALG
#include "roofline/Conversion/Passes.h.inc"
} // namespace roofline

using namespace mlir;

namespace {

class CopiesToLinalg
    : public roofline::impl::CopiesToLinalgBase<CopiesToLinalg> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp op) { copies.push_back(op); });
    for (memref::CopyOp op : copies) {
      OpBuilder b(op);
      linalg::makeMemRefCopyOp(b, op.getLoc(), op.getSource(), op.getTarget());
      op.erase();
    }
    SmallVector<linalg::MapOp> maps;
    getOperation().walk([&](linalg::MapOp op) { maps.push_back(op); });
    for (linalg::MapOp op : maps)
      makeFill(op);
  }

  static void makeFill(linalg::MapOp op) {
    if (!op.getInputs().empty() || !op.hasPureBufferSemantics())
      return;
    Value element = op.getBody()->getTerminator()->getOperand(0);
    if (op->isAncestor(element.getParentBlock()->getParentOp()))
      return; // computed anew for each
    OpBuilder b(op);
    linalg::FillOp::create(b, op.getLoc(), element, op.getInit());
    op.erase();
  }
};

} // namespace
