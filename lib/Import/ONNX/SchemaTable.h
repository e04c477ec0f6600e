//===- SchemaTable.h - ONNX's op schemas, built when asked for --*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX's own registry constructs every schema of every version when it is first
// touched, which takes longer than the rest of an import. This one builds a
// schema the first time it is asked for. Nothing in the importer may touch
// onnx::OpSchemaRegistry.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_SCHEMATABLE_H
#define ROOFLINE_LIB_IMPORT_ONNX_SCHEMATABLE_H

#include "llvm/ADT/StringRef.h"

namespace onnx {
class OpSchema;
}

namespace roofline::onnx_import {

/// The schema of an op as of a version of its domain: the newest that isn't
/// newer than `opsetVersion`. Null where there is none. `domain` "" and
/// "ai.onnx" are the same. The schema lives as long as the program.
const onnx::OpSchema *findSchema(llvm::StringRef domain, llvm::StringRef opType,
                                 int opsetVersion);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_SCHEMATABLE_H
