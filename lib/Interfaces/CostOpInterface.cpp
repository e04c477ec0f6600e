//===- CostOpInterface.cpp - how an op states its cost --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Interfaces/CostOpInterface.h"
#include "roofline/Interfaces/DimsAttrInterface.h"

// What TableGen makes needs the declarations above.
#include "roofline/Interfaces/CostOpInterface.cpp.inc"
#include "roofline/Interfaces/DimsAttrInterface.cpp.inc"
