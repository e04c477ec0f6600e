//===- TensorSymbols.h - shapes of tensor and memref ops --------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_MODELS_TENSORSYMBOLS_H
#define ROOFLINE_LIB_MODELS_TENSORSYMBOLS_H

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace roofline::models {

void attachTensorSymbols(mlir::MLIRContext *context);
void attachMemRefSymbols(mlir::MLIRContext *context);

} // namespace roofline::models

#endif // ROOFLINE_LIB_MODELS_TENSORSYMBOLS_H
