//===- EmitProduct.cpp - products from packed operands --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

using namespace mlir;

namespace roofline::host {

bool emitProduct(Emitter &e, Nest nest) { return false; }

} // namespace roofline::host
