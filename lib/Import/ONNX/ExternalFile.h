//===- ExternalFile.h - files beside a model --------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_EXTERNALFILE_H
#define ROOFLINE_LIB_IMPORT_ONNX_EXTERNALFILE_H

#include "llvm/ADT/StringRef.h"

namespace roofline::onnx_import {

/// What a location in a model leads to. A model is untrusted: nothing outside
/// its folder is opened or even looked at, whatever its path or a symbolic link
/// says.
struct ExternalFile {
  enum Status { Present, Missing, Refused } status;
  uint64_t size = 0; ///< where present
};

/// Looks a location up in the model's folder. Nothing is opened.
ExternalFile findExternalFile(llvm::StringRef folder, llvm::StringRef location);

/// Whether the location's text alone leads out of a folder.
bool leavesFolder(llvm::StringRef location);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_EXTERNALFILE_H
