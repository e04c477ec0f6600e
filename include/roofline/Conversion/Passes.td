//===- Passes.td - from rl to what runs --------------------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_CONVERSION_PASSES_TD
#define ROOFLINE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertRLToLinalg : Pass<"rl-convert-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower rl ops to linalg on tensors";
  let description = [{
    Replaces the functions of a module that was imported for execution (static
    shapes, `rl.node` on ops whose semantics goes beyond their cost) by
    functions of linalg, tensor, arith, math and scf on signless tensors.
    Weights whose elements aren't at hand become trailing arguments that carry
    their name (`rl.name`). An op that can't be lowered is an error that names
    its node and says what is missing.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::roofline::rl::RLDialect"];
}

#endif // ROOFLINE_CONVERSION_PASSES_TD
