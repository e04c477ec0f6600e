//===- Output.cpp - files that a tool is to write -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace roofline {

Error checkOutput(StringRef path) {
  if (path == "-")
    return Error::success();
  StringRef folder = sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  std::error_code error = sys::fs::access(folder, sys::fs::AccessMode::Write);
  if (!error && !sys::fs::is_directory(folder))
    error = std::make_error_code(std::errc::not_a_directory);
  if (!error)
    return Error::success();
  return createStringError(path + ": cannot write into the folder '" + folder +
                           "': " + error.message());
}

} // namespace roofline
