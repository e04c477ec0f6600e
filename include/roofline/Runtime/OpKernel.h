//===- OpKernel.h - one op's computation, whoever wrote it ------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside the kernels that this project compiles, a library's can be measured,
// in the same way and on the same operands.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_OPKERNEL_H
#define ROOFLINE_RUNTIME_OPKERNEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mlir {
class Operation;
}

namespace roofline::runtime {

class OpKernel {
public:
  virtual ~OpKernel() = default;

  /// Takes the operands, row-major; what is done here is no part of the op's
  /// time, so a library brings them into layouts of its own choice.
  virtual llvm::Error bind(llvm::ArrayRef<void *> operands,
                           llvm::ArrayRef<void *> results) = 0;
  /// Computes: what is timed.
  virtual void run() = 0;
  /// After this the results stand where `bind` was told, row-major.
  virtual llvm::Error finish() { return llvm::Error::success(); }
};

class KernelLibrary {
public:
  virtual ~KernelLibrary() = default;

  /// With its version: "oneDNN 2.6.3".
  virtual std::string name() const = 0;
  /// A kernel of all of the op's operands; null where the library has none.
  virtual llvm::Expected<std::unique_ptr<OpKernel>>
  compile(mlir::Operation *op) = 0;
};

/// oneDNN for products and convolutions of f32 and bf16, and of bytes with
/// results of 32 bits. An error says what to install where this program was
/// built without.
llvm::Expected<std::unique_ptr<KernelLibrary>> createOneDNN(unsigned threads);

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_OPKERNEL_H
