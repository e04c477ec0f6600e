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
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "roofline/Conversion/Passes.h"

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
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::FillOp>(op))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      lower(op);
  }

private:
  void lower(linalg::LinalgOp op) {
    std::optional<Nest> nest = Nest::of(op);
    if (!nest)
      return; // plain loops, later
    EmitOptions options;
    options.vectorBits = vectorBits;
    OpBuilder b(op);
    Emitter emitter(b, op.getLoc(), options);
    if (!emitProduct(emitter, *nest))
      emitGeneric(emitter, *nest);
    op.erase();
  }
};

} // namespace
