//===- Contract.h - sums of products by labels ------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_CONTRACT_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_CONTRACT_H

#include "Build.h"

namespace roofline::lowering {

/// Tensors to multiply, the labels of their dimensions, and whether elements
/// widen as unsigned numbers.
struct Factor {
  mlir::Value tensor;
  std::string labels;
  bool isUnsigned = false;
};

/// The sum over all labels that `result` lacks of the product of the factors,
/// in the type's elements; added to `init` where that is given.
mlir::Value contraction(Lowering &l, llvm::ArrayRef<Factor> factors,
                        llvm::StringRef result, mlir::RankedTensorType type,
                        mlir::Value init = {});

/// Products of quantised tensors by the op's type; null for other ops
/// (LowerQuantizedProduct.cpp).
Rule quantizedProduct(llvm::StringRef opType);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_CONTRACT_H
