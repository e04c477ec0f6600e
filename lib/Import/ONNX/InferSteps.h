//===- InferSteps.h - the parts of shape inference --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node is inferred by the first of these that knows it: the op's own rule
// (Rules.h), control flow, sequences and optionals, ONNX's schema.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_INFERSTEPS_H
#define ROOFLINE_LIB_IMPORT_ONNX_INFERSTEPS_H

#include "InferContext.h"

namespace roofline::onnx_import {

/// Infers the nodes of a graph whose inputs have their types (Infer.cpp).
llvm::Error inferGraph(Graph &graph, InferContext &ctx);

/// If, Loop, Scan, SequenceMap: the nodes that have subgraphs
/// (ControlFlow.cpp).
llvm::Error inferControlFlow(Node &node, InferContext &ctx);

/// Ops on sequences and optionals; false where the op is none of them
/// (Sequences.cpp).
bool inferSequence(Node &node, InferContext &ctx);

/// Types, values and options of the model's own inputs (InferInputs.cpp).
llvm::Error inferInputs(Graph &graph, InferContext &ctx);

/// The type that a TypeProto states, without names of dimensions
/// (DeclaredTypes.cpp).
ValueType declaredType(const onnx::TypeProto &proto);
/// Fills what inference left unknown of a value from what the file declares,
/// and notes where the two contradict each other.
void applyDeclared(Value &value, InferContext &ctx);
/// Warns of the contradictions noted.
void warnOfDisagreements(InferContext &ctx);

/// What is common to two types: dims that differ are unknown. `differ` is set
/// where they aren't equal.
ValueType commonType(const ValueType &a, const ValueType &b, bool &differ);
bool sameDims(llvm::ArrayRef<MaybeDim> a, llvm::ArrayRef<MaybeDim> b);

/// A scalar's folded value.
const Scalar *scalarConstant(const Value *value);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_INFERSTEPS_H
