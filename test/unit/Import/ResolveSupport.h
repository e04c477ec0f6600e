//===- ResolveSupport.h - models in ONNX's text form, resolved --*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TEST_UNIT_IMPORT_RESOLVESUPPORT_H
#define ROOFLINE_TEST_UNIT_IMPORT_RESOLVESUPPORT_H

#include "DimNames.h"
#include "Graph.h"
#include <gtest/gtest.h>

namespace roofline::onnx_import::test {

/// A model that was read and resolved.
class Resolved {
public:
  /// `body` is a graph in ONNX's text form, functions may follow it.
  explicit Resolved(llvm::StringRef body, const ImportOptions &options = {},
                    int opset = 18) {
    std::string text =
        "<ir_version: 10, opset_import: [\"\" : " + std::to_string(opset) +
        ", \"local\" : 1]>\n" + body.str();
    read(text, "test.onnxtxt", options);
  }

  /// Bytes of any form.
  static std::unique_ptr<Resolved>
  fromBytes(llvm::StringRef bytes, const ImportOptions &options = {}) {
    std::unique_ptr<Resolved> result(new Resolved);
    result->read(bytes, "test.onnx", options);
    return result;
  }

  /// One line a node, in order: "MatMul(x, w) -> y".
  std::string nodes() const { return nodes(*model.graph); }

  static std::string nodes(const Graph &graph) {
    std::string text;
    for (const auto &node : graph.nodes)
      text += node->opType().str() + "(" + list(node->inputs) + ") -> " +
              list(node->outputs) + "\n";
    return text;
  }

  static std::string list(llvm::ArrayRef<Value *> values) {
    std::string text;
    for (const Value *value : values)
      text += (text.empty() ? "" : ", ") + (value ? value->name.str() : "-");
    return text;
  }

  const Node *node(llvm::StringRef opType) const {
    const Node *found = nullptr;
    forEachGraph(*model.graph, [&](Graph &graph) {
      for (const auto &node : graph.nodes)
        if (!found && node->opType() == opType)
          found = node.get();
    });
    return found;
  }

  Model model;
  std::string message; ///< the error, empty where there was none
  bool usage = false;  ///< it is a UsageError

private:
  Resolved() = default;

  void read(llvm::StringRef bytes, llvm::StringRef name,
            const ImportOptions &options) {
    auto proto = readModel(bytes, name);
    if (!proto) {
      message = toString(proto.takeError());
      return;
    }
    model.proto = std::move(*proto);
    if (llvm::Error error = resolve(model, options)) {
      usage = error.isA<UsageError>();
      message = toString(std::move(error));
    }
  }
};

} // namespace roofline::onnx_import::test

#endif // ROOFLINE_TEST_UNIT_IMPORT_RESOLVESUPPORT_H
