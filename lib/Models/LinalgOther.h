//===- LinalgOther.h - linalg ops without a body ----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_MODELS_LINALGOTHER_H
#define ROOFLINE_LIB_MODELS_LINALGOTHER_H

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace roofline::models {

/// softmax, pack, unpack, the Winograd transforms.
void attachLinalgOther(mlir::MLIRContext *context);

} // namespace roofline::models

#endif // ROOFLINE_LIB_MODELS_LINALGOTHER_H
