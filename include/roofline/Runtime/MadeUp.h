//===- MadeUp.h - operands that nobody gave ---------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_MADEUP_H
#define ROOFLINE_RUNTIME_MADEUP_H

#include "roofline/Runtime/Tensor.h"

namespace roofline::runtime {

/// A tensor of made-up elements, the same for the same seed: floats uniform in
/// ±√(3/fan), where `fan` is the product of all dimensions but the first (so
/// that sums over them stay near 1), none of them a denormal; integers and
/// bools 0 or 1, which every table and axis of two has an element for.
llvm::Expected<Tensor> makeUp(mlir::RankedTensorType type, uint64_t seed);

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_MADEUP_H
