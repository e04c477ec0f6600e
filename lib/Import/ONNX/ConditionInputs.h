//===- ConditionInputs.h - which inputs decide a branch ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_CONDITIONINPUTS_H
#define ROOFLINE_LIB_IMPORT_ONNX_CONDITIONINPUTS_H

#include "InferContext.h"

namespace roofline::onnx_import {

/// Warns of an If whose branch follows from nothing but small inputs of the
/// model that have no value: --value decides it. Once for the same inputs.
void suggestValue(const Node &node, InferContext &ctx);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_CONDITIONINPUTS_H
