//===- ModelSupport.h - a model that a test made ----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TEST_UNIT_IMPORT_MODELSUPPORT_H
#define ROOFLINE_TEST_UNIT_IMPORT_MODELSUPPORT_H

#include "DimNames.h"
#include "Graph.h"
#include <gtest/gtest.h>

namespace roofline::onnx_import::test {

/// A model that was read and taken through the importer's first steps.
class TestModel {
public:
  /// The first node of an op type, wherever it stands.
  const Node *node(llvm::StringRef opType) const {
    const Node *found = nullptr;
    if (!model.graph)
      return found;
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

protected:
  using Step = llvm::Error (*)(Model &, const ImportOptions &);

  TestModel() = default;

  void read(llvm::StringRef bytes, llvm::StringRef name,
            const ImportOptions &options, llvm::ArrayRef<Step> steps) {
    llvm::Expected<std::shared_ptr<onnx::ModelProto>> proto =
        readModel(bytes, name);
    if (!proto) {
      message = toString(proto.takeError());
      return;
    }
    model.proto = std::move(*proto);
    for (Step step : steps)
      if (llvm::Error error = step(model, options)) {
        usage = error.isA<UsageError>();
        message = toString(std::move(error));
        return;
      }
  }

  /// `body`, graph and functions in ONNX's text form, after a model's head that
  /// imports a domain beside ONNX's own.
  void readText(llvm::StringRef body, int opset, llvm::StringRef domain,
                const ImportOptions &options, llvm::ArrayRef<Step> steps) {
    std::string text =
        "<ir_version: 10, opset_import: [\"\" : " + std::to_string(opset) +
        ", \"" + domain.str() + "\" : 1]>\n" + body.str();
    read(text, "test.onnxtxt", options, steps);
  }
};

} // namespace roofline::onnx_import::test

#endif // ROOFLINE_TEST_UNIT_IMPORT_MODELSUPPORT_H
