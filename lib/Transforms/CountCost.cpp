//===- CountCost.cpp - count FLOPs and bytes of every op ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Analysis/Names.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Models/Register.h"
#include "roofline/Transforms/Entry.h"
#include "roofline/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace roofline {
#define GEN_PASS_DEF_COUNTCOST
#include "roofline/Transforms/Passes.h.inc"

namespace {
/// "2*batch*64", or "unknown".
std::string text(const std::optional<Expr> &expr) {
  return expr ? expr->str() : "unknown";
}

/// A row's work as an analysis remark, for `--remarks-filter=roofline`.
void remarkWork(const CostRow &row, FunctionOpInterface func) {
  remark::analysis(row.op->getLoc(), remark::RemarkOpts::name("Work")
                                         .category("roofline")
                                         .function(func.getName()))
      << remark::metric("Op", NameTable::opType(row.op))
      << remark::metric("Flops", text(totalFlops(row)))
      << remark::metric("BytesRead", text(bytesRead(row)))
      << remark::metric("BytesWritten", text(bytesWritten(row)));
}

class CountCostPass : public impl::CountCostBase<CountCostPass> {
public:
  using CountCostBase::CountCostBase;

  // A plugin's host hasn't heard of the external models; without them every op
  // would count as opaque.
  void getDependentDialects(DialectRegistry &registry) const override {
    CountCostBase::getDependentDialects(registry);
    registerModels(registry);
  }

  void runOnOperation() override {
    llvm::Expected<FunctionOpInterface> func =
        findEntryNamed(getOperation(), entry);
    if (!func) {
      emitError(getOperation().getLoc()) << llvm::toString(func.takeError());
      return signalPassFailure();
    }
    CostAnalysis costs(*func);
    std::optional<Expr> flops = Expr(0), bytes = Expr(0);
    size_t unknown = 0;
    for (const CostRow &row : costs.rows()) {
      if (row.isControl)
        continue;
      row.op->setAttr(rl::workAttrName,
                      rl::WorkAttr::get(&getContext(), row.work));
      if (row.times != Expr(1))
        row.op->setAttr(rl::timesAttrName,
                        rl::DimsAttr::get(&getContext(), {row.times}));
      else
        row.op->removeAttr(rl::timesAttrName); // of an earlier count
      remarkWork(row, *func);
      std::optional<Expr> more = totalFlops(row);
      std::optional<Expr> read = bytesRead(row), written = bytesWritten(row);
      if (!more || !read || !written) {
        ++unknown;
        continue;
      }
      *flops += *more;
      *bytes += *read + *written;
    }
    if (print) {
      llvm::errs() << '@' << func->getName() << ": " << text(flops)
                   << " FLOPs, " << text(bytes) << " bytes";
      if (unknown)
        llvm::errs() << ", " << unknown << " ops not counted";
      llvm::errs() << '\n';
    }
  }
};
} // namespace
} // namespace roofline
