//===- TextForm.h - ONNX's text form ----------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_TEXTFORM_H
#define ROOFLINE_LIB_IMPORT_ONNX_TEXTFORM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace onnx {
class ModelProto;
}

namespace roofline::onnx_import {

/// Whether the bytes are text of any kind rather than an encoded message.
bool isText(llvm::StringRef bytes);
/// Whether text starts as ONNX's text form does: `<` or `name (`.
bool looksLikeTextForm(llvm::StringRef text);

/// Parses the text form. Errors give line and column.
llvm::Error parseTextForm(llvm::StringRef text, onnx::ModelProto &model);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_TEXTFORM_H
