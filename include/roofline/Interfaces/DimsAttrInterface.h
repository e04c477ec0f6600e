//===- DimsAttrInterface.h - an encoding that names sizes -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_INTERFACES_DIMSATTRINTERFACE_H
#define ROOFLINE_INTERFACES_DIMSATTRINTERFACE_H

#include "mlir/IR/Attributes.h"
#include "roofline/Cost/Expr.h"
#include "llvm/ADT/ArrayRef.h"

#include "roofline/Interfaces/DimsAttrInterface.h.inc"

#endif // ROOFLINE_INTERFACES_DIMSATTRINTERFACE_H
