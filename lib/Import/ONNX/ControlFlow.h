//===- ControlFlow.h - what If, Loop and Scan share -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_CONTROLFLOW_H
#define ROOFLINE_LIB_IMPORT_ONNX_CONTROLFLOW_H

#include "InferSteps.h"

namespace roofline::onnx_import {

/// Loop, Scan, SequenceMap (Loops.cpp).
llvm::Error inferLoop(Node &node, InferContext &ctx);
llvm::Error inferScan(Node &node, InferContext &ctx);
llvm::Error inferSequenceMap(Node &node, InferContext &ctx);

/// What a condition is known to be. One that follows from an upper bound isn't.
std::optional<bool> knownCondition(const Value *value);

/// Copies everything that is known of a value.
void copyKnown(Value &to, const Value &from);

/// Forgets what inference found in a graph.
void forget(Graph &graph);

/// Infers a graph that may be invalid without harm, since it doesn't run;
/// false where it is.
bool inferUnneeded(Graph &graph, InferContext &ctx);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_CONTROLFLOW_H
