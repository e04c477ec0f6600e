//===- Epilogue.h - what is done to a product's results ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_LINALGTOHOST_EPILOGUE_H
#define ROOFLINE_LIB_CONVERSION_LINALGTOHOST_EPILOGUE_H

#include "Nest.h"

namespace roofline::host {

/// An elementwise op on the results of another, on the other's loops.
struct Epilogue {
  mlir::linalg::LinalgOp op;
  /// The op's operands by number; for those that are the other's result, no
  /// access.
  llvm::SmallVector<std::optional<Access>, 4> accesses;
};

/// `next` as an epilogue of `nest`: it reads each of the nest's results where
/// the nest has just made it, and nothing else reads them. The accesses'
/// strides are along the nest's loops.
std::optional<Epilogue> epilogueOf(const Nest &nest, const Nest &next);

} // namespace roofline::host

#endif // ROOFLINE_LIB_CONVERSION_LINALGTOHOST_EPILOGUE_H
