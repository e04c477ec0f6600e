//===- Tensor.h - a tensor in memory ----------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_TENSOR_H
#define ROOFLINE_RUNTIME_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace roofline::runtime {

/// A row-major tensor as kernels take it: elements of a type of `rl` or
/// builtin, of one byte where they are narrower than that. Aligned to
/// 4 KiB, with a cache line behind its end that may be read.
class Tensor {
public:
  Tensor() = default;
  /// Zeros. The type must have a static shape.
  static llvm::Expected<Tensor> create(mlir::RankedTensorType type);

  mlir::RankedTensorType type() const { return tensorType; }
  size_t byteSize() const { return bytes; }
  int64_t elementCount() const { return tensorType.getNumElements(); }
  char *data() { return storage.get(); }
  const char *data() const { return storage.get(); }
  /// No other tensor looks at these bytes.
  bool isUnshared() const { return storage.use_count() == 1; }
  /// The same bytes under another shape.
  Tensor viewedAs(mlir::RankedTensorType type) const;
  explicit operator bool() const { return storage != nullptr; }

private:
  mlir::RankedTensorType tensorType;
  size_t bytes = 0;
  std::shared_ptr<char> storage;
};

/// How many bytes an element takes in memory; 0 for types without such.
unsigned storageBytes(mlir::Type element);

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_TENSOR_H
