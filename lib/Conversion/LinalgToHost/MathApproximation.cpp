//===- MathApproximation.cpp - mathematical functions as polynomials ------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "roofline/Conversion/Passes.h"

namespace roofline {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "roofline/Conversion/Passes.h.inc"
} // namespace roofline

using namespace mlir;

namespace {

class ApproximateMath
    : public roofline::impl::ApproximateMathBase<ApproximateMath> {
public:
  using ApproximateMathBase::ApproximateMathBase;

private:
  void runOnOperation() override {
    // libm has no vectors; what is left scalar is exact.
    auto isApproximated = [](StringRef name) {
      return llvm::is_contained({"math.exp", "math.erf", "math.tanh",
                                 "math.log", "math.sin", "math.cos"},
                                name);
    };
    if (tables) {
      RewritePatternSet patterns(&getContext());
      roofline::host::populateTableGeluPatterns(patterns);
      (void)applyPatternsGreedily(getOperation(), std::move(patterns));
    }
    RewritePatternSet patterns(&getContext());
    populateMathF32ExpansionPatterns(patterns, isApproximated);
    populateMathPolynomialApproximationPatterns(patterns, isApproximated);
    if (tables)
      roofline::host::populateTableMathPatterns(patterns);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
