//===- Functions.h - a model's local functions ------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_FUNCTIONS_H
#define ROOFLINE_LIB_IMPORT_ONNX_FUNCTIONS_H

#include "Graph.h"
#include "llvm/ADT/DenseMap.h"

namespace roofline::onnx_import {

/// The functions that a model defines for itself, found by what a node calls.
class FunctionTable {
public:
  /// Nodes that a model may have once every call is expanded.
  static constexpr uint64_t maxExpandedNodes = 2'000'000;
  /// Calls inside calls. What expands them recurses this deep.
  static constexpr unsigned maxNesting = 100;

  explicit FunctionTable(const onnx::ModelProto &model);

  /// The function that a node calls; null where it is an op.
  const onnx::FunctionProto *find(const onnx::NodeProto &node) const;

  /// Refuses, before anything is expanded, functions that call themselves and
  /// calls that expand to too much.
  llvm::Error checkExpansion(const onnx::GraphProto &graph);

private:
  struct Size {
    uint64_t nodes = 0;
    unsigned nesting = 0;
  };
  template <typename Nodes>
  llvm::Error addNodes(const Nodes &nodes, Size &size);
  llvm::Error addNode(const onnx::NodeProto &node, Size &size);
  llvm::Expected<Size> sizeOf(const onnx::FunctionProto &function);

  std::map<std::string, const onnx::FunctionProto *> functions;
  llvm::DenseMap<const onnx::FunctionProto *, Size> sizes;
  std::vector<const onnx::FunctionProto *> calls; ///< being measured
};

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_FUNCTIONS_H
