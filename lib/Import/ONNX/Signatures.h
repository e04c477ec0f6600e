//===- Signatures.h - do a node and its graphs agree ------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_SIGNATURES_H
#define ROOFLINE_LIB_IMPORT_ONNX_SIGNATURES_H

#include "Graph.h"

namespace roofline::onnx_import {

/// Whether the graphs of an If, Loop, Scan or SequenceMap take and give as many
/// values as the node does.
llvm::Error checkSignature(const Node &node);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_SIGNATURES_H
