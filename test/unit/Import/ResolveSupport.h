//===- ResolveSupport.h - models in ONNX's text form, resolved --*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TEST_UNIT_IMPORT_RESOLVESUPPORT_H
#define ROOFLINE_TEST_UNIT_IMPORT_RESOLVESUPPORT_H

#include "ModelSupport.h"

namespace roofline::onnx_import::test {

/// A model that was read and resolved.
class Resolved : public TestModel {
public:
  /// `body` is a graph in ONNX's text form, functions may follow it.
  explicit Resolved(llvm::StringRef body, const ImportOptions &options = {},
                    int opset = 18) {
    readText(body, opset, "local", options, {resolve});
  }

  /// Bytes of any form.
  static std::unique_ptr<Resolved>
  fromBytes(llvm::StringRef bytes, const ImportOptions &options = {}) {
    std::unique_ptr<Resolved> result(new Resolved);
    result->read(bytes, "test.onnx", options, {resolve});
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

private:
  Resolved() = default;
};

} // namespace roofline::onnx_import::test

#endif // ROOFLINE_TEST_UNIT_IMPORT_RESOLVESUPPORT_H
