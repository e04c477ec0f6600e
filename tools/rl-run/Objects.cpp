//===- Objects.cpp - kernels as object files ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "roofline/Analysis/Names.h"
#include "roofline/Runtime/Program.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::runtime;

static Expected<uint64_t> bufferBytes(mlir::Type type) {
  auto tensor = dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return createStringError("a kernel's operand has no known size");
  return uint64_t(storageBytes(tensor.getElementType())) *
         uint64_t(tensor.getNumElements());
}

Error ObjectWriter::write(mlir::Operation *op) {
  OutlinedKernel kernel = outlineKernel(op);
  SmallVector<mlir::Value> buffers = kernel.operands;
  append_range(buffers, op->getResults());
  std::string line;
  for (mlir::Value buffer : buffers) {
    Expected<uint64_t> bytes = bufferBytes(buffer.getType());
    if (!bytes)
      return bytes.takeError();
    line += " " + std::to_string(*bytes);
  }
  auto object = compiler.compileObject(*kernel.module);
  if (!object)
    return createStringError(NameTable::opType(op) + ": " +
                             toString(object.takeError()));
  if (std::error_code error = sys::fs::create_directories(folder))
    return createFileError(folder, error);
  SmallString<128> path(folder);
  sys::path::append(path, std::to_string(count++) + ".o");
  if (Error error = writeToOutput(path, [&](raw_ostream &os) {
        os << (*object)->getBuffer();
        return Error::success();
      }))
    return error;
  list << path << ' ' << NameTable::opType(op) << line << '\n';
  return Error::success();
}
