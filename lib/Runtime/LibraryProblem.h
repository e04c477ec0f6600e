//===- LibraryProblem.h - ops as libraries describe them --------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain sizes and strides: nothing here knows of MLIR, so that what calls a
// library need not either.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_RUNTIME_LIBRARYPROBLEM_H
#define ROOFLINE_LIB_RUNTIME_LIBRARYPROBLEM_H

#include "roofline/Runtime/OpKernel.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace roofline::runtime {

enum class LibraryType : uint8_t { F32, BF16, S8, U8, S32 };

/// A tensor with its dimensions in the order that a problem has them in.
struct LibraryTensor {
  unsigned position = 0; ///< among the op's operands, or results
  LibraryType type = LibraryType::F32;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides; ///< in elements
};

/// result[b, m, n] = scale · Σ_k left[b, m, k] · right[b, k, n] + bias[n],
/// where each of b, m, n, k stands for any number of dimensions.
struct ProductProblem {
  LibraryTensor left, right, result;
  std::optional<LibraryTensor> bias;
  int64_t b = 1, m = 1, n = 1, k = 1;
  float scale = 1;
};

/// Input N x C x spatial; filter (groups x) O x I x taps.
struct ConvProblem {
  LibraryTensor input, filter, result;
  std::optional<LibraryTensor> bias;
  std::vector<int64_t> strides, dilations, padsBegin, padsEnd;
};

/// Nothing where the op is more than that.
std::optional<ProductProblem> productProblem(mlir::Operation *op);
std::optional<ConvProblem> convProblem(mlir::Operation *op);

} // namespace roofline::runtime

#endif // ROOFLINE_LIB_RUNTIME_LIBRARYPROBLEM_H
