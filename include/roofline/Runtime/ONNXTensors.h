//===- ONNXTensors.h - tensors that ONNX files hold -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_ONNXTENSORS_H
#define ROOFLINE_RUNTIME_ONNXTENSORS_H

#include "mlir/IR/MLIRContext.h"
#include "roofline/Runtime/Tensor.h"
#include <memory>
#include <string>
#include <vector>

namespace roofline::runtime {

/// A serialized onnx::TensorProto (`input_0.pb` of ONNX's test data).
llvm::Expected<Tensor> readTensorProto(llvm::StringRef bytes,
                                       mlir::MLIRContext *context);

/// What a model file's inputs, initializers left out, and outputs are, in
/// order: "tensor", "sequence", "optional", "map" or "sparse tensor". Test data
/// has each in a form of its own. Empty for what is no model.
struct ValueKinds {
  std::vector<llvm::StringRef> inputs, outputs;
};
ValueKinds readValueKinds(llvm::StringRef model);

/// The initializers and constants of a model file by name; external data is
/// read from `folder`, never from outside it.
class ONNXWeights {
public:
  static llvm::Expected<std::unique_ptr<ONNXWeights>>
  read(llvm::StringRef bytes, llvm::StringRef folder);
  ~ONNXWeights();

  /// An empty tensor where the file has none of that name, or no data for it.
  llvm::Expected<Tensor> load(llvm::StringRef name,
                              mlir::RankedTensorType type) const;

private:
  ONNXWeights();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_ONNXTENSORS_H
