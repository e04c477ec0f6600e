//===- OwnFills.cpp - an empty tensor for each fill -----------------------===//
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

class OwnFills : public roofline::impl::OwnFillsBase<OwnFills> {
  void runOnOperation() override {
    getOperation()->walk([](linalg::FillOp fill) {
      OpOperand &init = fill.getDpsInitsMutable()[0];
      auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
      if (!empty || empty->hasOneUse())
        return;
      OpBuilder b(fill);
      init.set(b.clone(*empty)->getResult(0));
    });
  }
};

} // namespace
