//===- ConstantData.h - the elements of small stored tensors ----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_CONSTANTDATA_H
#define ROOFLINE_LIB_IMPORT_ONNX_CONSTANTDATA_H

#include "Graph.h"

namespace roofline::onnx_import {

/// The elements of a stored tensor: integers and bools of up to
/// InferContext::maxFoldedElements, floats of up to maxFoldedFloats. Null where
/// there are more, where the payload isn't in the file or has another size than
/// the shape says, and for other types.
std::shared_ptr<const Constant> decodeTensor(const onnx::TensorProto &tensor);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_CONSTANTDATA_H
