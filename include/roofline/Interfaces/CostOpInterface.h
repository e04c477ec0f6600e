//===- CostOpInterface.h - how an op states its cost ------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_INTERFACES_COSTOPINTERFACE_H
#define ROOFLINE_INTERFACES_COSTOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"
#include "roofline/Interfaces/CostContext.h"
#include "roofline/Interfaces/SymbolMap.h"

namespace roofline {
enum class ControlKind { Loop, Branch };
} // namespace roofline

#include "roofline/Interfaces/CostOpInterface.h.inc"

#endif // ROOFLINE_INTERFACES_COSTOPINTERFACE_H
