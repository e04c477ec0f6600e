//===- RLDialect.cpp - the rl dialect -------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "roofline/Dialect/RL/RL.h"

using namespace mlir;
using namespace roofline;

#include "roofline/Dialect/RL/RLDialect.cpp.inc"

#define GET_OP_CLASSES
#include "roofline/Dialect/RL/RLOps.cpp.inc"

void rl::RLDialect::initialize() {
  registerAttributesAndTypes();
  addOperations<
#define GET_OP_LIST
#include "roofline/Dialect/RL/RLOps.cpp.inc"
      >();
}
