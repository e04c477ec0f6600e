//===- InferSupport.h - models in ONNX's text form, inferred ----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TEST_UNIT_IMPORT_INFERSUPPORT_H
#define ROOFLINE_TEST_UNIT_IMPORT_INFERSUPPORT_H

#include "ModelSupport.h"

namespace roofline::onnx_import::test {

/// A model that was read, resolved and inferred.
class Inferred : public TestModel {
public:
  /// `body` is a graph in ONNX's text form, "g (float[2] x) => (y) { … }".
  explicit Inferred(llvm::StringRef body, const ImportOptions &options = {},
                    int opset = 18) {
    readText(body, opset, "other", options, {resolve, infer});
  }

  /// "[2, n] f32", "[] i64 {5}", "seq(3) [2] f32"; "?" stands for what isn't
  /// known.
  std::string operator[](llvm::StringRef name) {
    const Value *value = find(name);
    return value ? describe(*value)
                 : "no value '" + name.str() + "' " + message;
  }

  const Value *find(llvm::StringRef name) {
    const Value *found = nullptr;
    if (!model.graph)
      return found;
    forEachGraph(*model.graph, [&](Graph &graph) {
      for (const Value &value : graph.values)
        if (!found && value.name == name)
          found = &value;
    });
    return found;
  }

private:
  static std::string describe(const Value &value) {
    const ValueType &type = value.type;
    if (type.kind == ValueType::Unknown)
      return "?";
    std::string text;
    if (type.kind == ValueType::Sequence)
      text = "seq(" + (type.length ? type.length->str() : "?") + ") ";
    if (type.kind == ValueType::Optional)
      text = "optional ";
    text += type.ranked ? list(type.dims, "[", "]") : "[*]";
    text += " " + name(type.elem).str();
    if (value.constant)
      text += " " + elements(*value.constant);
    return text + (value.dataDependent ? " at most" : "");
  }

  static std::string list(llvm::ArrayRef<MaybeDim> dims, const char *open,
                          const char *close) {
    std::string text = open;
    for (size_t i = 0; i < dims.size(); ++i)
      text += (i ? ", " : "") + (dims[i] ? dims[i]->str() : std::string("?"));
    return text + close;
  }

  static std::string elements(const Constant &constant) {
    std::string text = "{";
    for (const Scalar &element : constant.elements) {
      text += text.size() > 1 ? ", " : "";
      if (const Expr *expr = asExpr(element))
        text += expr->str();
      else if (const double *number = std::get_if<double>(&element))
        text += std::to_string(*number);
      else
        text += "?";
    }
    return text + "}";
  }
};

} // namespace roofline::onnx_import::test

#endif // ROOFLINE_TEST_UNIT_IMPORT_INFERSUPPORT_H
