//===- SchemaInference.h - inference by ONNX's own schemas ------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has no rule of ours is inferred by the function of its ONNX schema. Our
// sizes pass through it as dim_params that spell the formula: ONNX hands
// dim_params on as they are, and they are mapped back by their text.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_SCHEMAINFERENCE_H
#define ROOFLINE_LIB_IMPORT_ONNX_SCHEMAINFERENCE_H

#include "InferContext.h"

namespace roofline::onnx_import {

/// Sets the outputs' types as far as the op's schema tells; unknown where there
/// is no schema. Sizes that contradict each other are an error where all
/// inputs' shapes are numbers; any other complaint of ONNX's is a warning.
llvm::Error inferBySchema(Node &node, InferContext &ctx);

/// An error where a node lacks an operand that the op's schema requires.
llvm::Error checkOperands(const Node &node);

/// A type in ONNX's form; false where nothing is known of it.
bool toTypeProto(const ValueType &type, onnx::TypeProto &proto);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_SCHEMAINFERENCE_H
