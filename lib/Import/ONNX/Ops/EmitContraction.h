//===- EmitContraction.h - products as rl.contract --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_OPS_EMITCONTRACTION_H
#define ROOFLINE_LIB_IMPORT_ONNX_OPS_EMITCONTRACTION_H

#include "EmitSupport.h"

namespace roofline::onnx_import {

/// How a product's operands are laid out. `outerBatch`: the batch dimensions
/// stand between rows and columns.
struct MatmulForm {
  bool transposeA = false, transposeB = false;
  bool outerBatchA = false, outerBatchB = false;
};

/// NumPy's matmul as an equation; empty where a rank isn't known.
std::string matmulEquation(std::optional<int64_t> rankA,
                           std::optional<int64_t> rankB, MatmulForm form);

/// Gemm's, by transA and transB.
llvm::StringRef gemmEquation(const Node &node);

/// The node as one rl.contract; opaque where `equation` is empty.
void emitContract(Node &node, EmitContext &context, llvm::StringRef equation,
                  llvm::ArrayRef<Value *> factors, llvm::ArrayRef<Value *> aux,
                  ElementCost epilogue);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_OPS_EMITCONTRACTION_H
