//===- Tosa.h - parts of the models for tosa --------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_MODELS_TOSA_H
#define ROOFLINE_LIB_MODELS_TOSA_H

#include "Models.h"

namespace roofline::models {

/// Elementwise ops, reductions, pooling, transforms.
void attachTosaElementwise(mlir::MLIRContext *context);
/// Copies, gathers, tables, variables, views.
void attachTosaMovement(mlir::MLIRContext *context);
void attachTosaSymbols(mlir::MLIRContext *context);

/// Every tensor operand read once (a `!tosa.shape` is no data), every result
/// written.
Work moveTensors(mlir::Operation *op, const CostContext &context);
void readTensors(Work &work, mlir::Operation *op, const CostContext &context);

} // namespace roofline::models

#endif // ROOFLINE_LIB_MODELS_TOSA_H
