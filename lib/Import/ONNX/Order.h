//===- Order.h - an order of execution --------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_ORDER_H
#define ROOFLINE_LIB_IMPORT_ONNX_ORDER_H

#include "Graph.h"
#include "llvm/ADT/DenseMap.h"

namespace roofline::onnx_import {

/// A node that holds a graph in which a value of the node's own graph is used.
struct Capture {
  Node *user;
  Value *value;
};
using Captures = llvm::DenseMap<const Graph *, std::vector<Capture>>;

/// Puts a graph's nodes after what they depend on and numbers them; the order
/// stays as it is where it can. A cycle is an error that names a value on it.
llvm::Error sortNodes(Graph &graph, llvm::ArrayRef<Capture> captures);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_ORDER_H
