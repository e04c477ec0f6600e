//===- Objects.h - kernels as object files ----------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_RUN_OBJECTS_H
#define ROOFLINE_TOOLS_RL_RUN_OBJECTS_H

#include "roofline/Runtime/HostCompiler.h"
#include "llvm/Support/raw_ostream.h"

namespace roofline {

/// Writes ops' kernels to a folder, `0.o`, `1.o` and so on, for other tools to
/// look at or to link. A line of the list is `FILE KIND BYTES...`: the sizes of
/// the buffers whose addresses `kernel_packed(void **)` takes, arguments before
/// results.
class ObjectWriter {
public:
  ObjectWriter(runtime::HostCompiler &compiler, llvm::StringRef folder,
               llvm::raw_ostream &list)
      : compiler(compiler), folder(folder), list(list) {}

  llvm::Error write(mlir::Operation *op);

private:
  runtime::HostCompiler &compiler;
  llvm::StringRef folder;
  llvm::raw_ostream &list;
  unsigned count = 0;
};

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_RUN_OBJECTS_H
