//===- Names.h - what ops and values are called -----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_ANALYSIS_NAMES_H
#define ROOFLINE_ANALYSIS_NAMES_H

#include "roofline/Analysis/CostAnalysis.h"
#include <memory>
#include <string>

namespace mlir {
class AsmState;
}

namespace roofline {

/// The names that reports use: a model's own where the IR carries them, else
/// those of the IR's text (`%arg0`, `%12`, `%3#1`).
class NameTable {
public:
  explicit NameTable(const CostAnalysis &costs);
  ~NameTable();

  std::string value(mlir::Value value);
  /// The node's name; the first result's where it has none.
  std::string op(mlir::Operation *op);
  /// "MatMul" from ONNX, "linalg.matmul" else.
  static llvm::StringRef opType(mlir::Operation *op);
  static llvm::StringRef domain(mlir::Operation *op);
  /// The path of regions and inlined calls a row stands in; "" at top level.
  std::string scope(const CostRow &row);

private:
  const CostAnalysis &costs;
  std::unique_ptr<mlir::AsmState> state; // made when first needed: it is costly
};

} // namespace roofline

#endif // ROOFLINE_ANALYSIS_NAMES_H
