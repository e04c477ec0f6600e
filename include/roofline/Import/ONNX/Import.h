//===- Import.h - ONNX models to rl -----------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads an ONNX model (binary or text form) without its weights and builds a
// module of the rl dialect: one public function, one op per node that the
// outputs depend on, shapes derived, shape computations folded away.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_IMPORT_ONNX_IMPORT_H
#define ROOFLINE_IMPORT_ONNX_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "roofline/Cost/Expr.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <vector>

namespace roofline {

/// The wrong use of the command line (exit status 2), as opposed to a model
/// that can't be served (exit status 1).
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID;
  explicit UsageError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string message;
};

struct ImportOptions {
  /// `--dim NAME=N`, and `--dim INPUT[AXIS]=N` under that spelling.
  std::vector<std::pair<std::string, int64_t>> dims;
  /// `--shape INPUT=2x3x224x224`.
  std::vector<std::pair<std::string, std::vector<int64_t>>> shapes;
  /// `--value INPUT=v[,v…]`; text, since the input's type decides its reading.
  std::vector<std::pair<std::string, std::string>> values;
  /// The folder that external data lives in; empty for standard input.
  std::string folder;
  /// For lowering and running: each op also carries what its node says
  /// (`rl.onnx`), and small constants their elements (`rl.value`).
  bool executable = false;
};

struct ImportWarning {
  std::string node; ///< empty: the model as a whole
  std::string message;
};

struct ImportResult {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<ImportWarning> warnings;
};

/// Whether the bytes look like an ONNX model rather than MLIR (text or
/// bytecode); `name` is the file's, whose ending is a hint.
bool looksLikeONNX(llvm::StringRef bytes, llvm::StringRef name);

/// Imports a model. `name` is how messages and locations call the file. Errors
/// say what is wrong, with the node's name and op type and what to do, as
/// "node 'mm' (MatMul): …"; the caller puts the file's name in front.
llvm::Expected<ImportResult> importONNX(llvm::StringRef bytes,
                                        llvm::StringRef name,
                                        const ImportOptions &options,
                                        mlir::MLIRContext *context);

} // namespace roofline

#endif // ROOFLINE_IMPORT_ONNX_IMPORT_H
