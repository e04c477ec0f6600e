//===- Norm.h - what norms are made of --------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_NORM_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_NORM_H

#include "Build.h"

namespace roofline::lowering {

/// A layer norm over the last dimension; scale and shift may be null.
mlir::Value layerNorm(Lowering &l, mlir::Value input, mlir::Value scale,
                      mlir::Value shift, double epsilon);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_NORM_H
