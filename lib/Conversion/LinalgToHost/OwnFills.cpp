//===- OwnFills.cpp - fills and empty tensors of their own ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "roofline/Conversion/Passes.h"

namespace roofline {
#define GEN_PASS_DEF_OWNFILLS
#include "roofline/Conversion/Passes.h.inc"
} // namespace roofline

using namespace mlir;

namespace {

bool isWrittenTo(OpOperand &use) {
  auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return op ? op.isDpsInit(&use) : isa<LoopLikeOpInterface>(use.getOwner());
}

/// A fill of its own for each that writes to one, where it does: a loop's start
/// and what its body starts from each time can't have the same memory.
void splitFill(linalg::FillOp fill) {
  if (fill->getNumResults() != 1 || fill->hasOneUse())
    return;
  for (OpOperand &use : llvm::make_early_inc_range(fill->getUses()))
    if (isWrittenTo(use)) {
      OpBuilder b(use.getOwner());
      use.set(b.clone(*fill)->getResult(0));
    }
  if (fill->use_empty())
    fill->erase();
}

void splitEmpty(linalg::FillOp fill) {
  OpOperand &init = fill.getDpsInitsMutable()[0];
  auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
  if (!empty || empty->hasOneUse())
    return;
  OpBuilder b(fill);
  init.set(b.clone(*empty)->getResult(0));
}

class OwnFills : public roofline::impl::OwnFillsBase<OwnFills> {
  void runOnOperation() override {
    SmallVector<linalg::FillOp> fills;
    getOperation()->walk([&](linalg::FillOp fill) { fills.push_back(fill); });
    for (linalg::FillOp fill : fills)
      splitFill(fill);
    getOperation()->walk([](linalg::FillOp fill) { splitEmpty(fill); });
  }
};

} // namespace
