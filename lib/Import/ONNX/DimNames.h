//===- DimNames.h - what a model's dimensions are called --------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where a declared dimension becomes an expression. A name is a
// symbol. A name that is a formula in the names of inputs' dimensions
// (`past + 1`) is that formula. An input's dimension without a name is called
// after its place, `x[0]`. What `--dim` and `--shape` bind is a number from
// here on.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_DIMNAMES_H
#define ROOFLINE_LIB_IMPORT_ONNX_DIMNAMES_H

#include "Graph.h"
#include "llvm/ADT/StringSet.h"

namespace roofline::onnx_import {

class DimNames {
public:
  using Dimension = onnx::TensorShapeProto::Dimension;

  /// Reads the names of the model's inputs and what the options bind. A name
  /// that the model doesn't have is a UsageError.
  static llvm::Expected<std::unique_ptr<DimNames>>
  create(const onnx::ModelProto &model, const ImportOptions &options);

  /// The dims of a graph input with all options applied; nothing where its
  /// rank is unknown. `--shape` gives a rank to an input without one.
  std::optional<llvm::SmallVector<MaybeDim, 4>>
  inputDims(const onnx::ValueInfoProto &input);

  /// A dimension that is declared elsewhere: in value_info, of an output, in a
  /// subgraph.
  MaybeDim dim(const Dimension &dimension);

  /// What a name means, with bindings applied.
  Expr named(llvm::StringRef name);

  /// All that was bound, by name.
  const std::map<std::string, int64_t> &bound() const { return bindings; }

private:
  DimNames(const onnx::ModelProto &model);

  llvm::Error applyShapes(const ImportOptions &options);
  llvm::Error applyShape(llvm::StringRef name, llvm::ArrayRef<int64_t> shape);
  llvm::Error applyDims(const ImportOptions &options);
  llvm::Error applyPlace(llvm::StringRef name, int64_t value);
  llvm::Error bind(llvm::StringRef name, int64_t value);
  const onnx::ValueInfoProto *findInput(llvm::StringRef name) const;
  llvm::Error unknownInput(llvm::StringRef option, llvm::StringRef name) const;
  llvm::Error unknownDim(llvm::StringRef name) const;
  llvm::StringSet<> allNames() const;

  const onnx::ModelProto &model;
  std::vector<const onnx::ValueInfoProto *> inputs; ///< without initializers
  llvm::StringSet<> inputNames;                     ///< of dimensions of inputs
  std::map<std::string, int64_t> bindings;
  /// `--shape` of inputs that declare no rank.
  std::map<std::string, std::vector<int64_t>, std::less<>> givenShapes;
  llvm::StringMap<Expr> meanings; ///< cache of `named`
};

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_DIMNAMES_H
