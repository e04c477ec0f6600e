//===- UsageError.cpp - the wrong use of the command line -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Import/ONNX/Import.h"

using namespace llvm;
using namespace roofline;

char UsageError::ID;

void UsageError::log(raw_ostream &os) const { os << message; }

std::error_code UsageError::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}
