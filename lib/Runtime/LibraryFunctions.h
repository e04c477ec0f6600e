//===- LibraryFunctions.h - what kernels call of libc and libm --*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_RUNTIME_LIBRARYFUNCTIONS_H
#define ROOFLINE_LIB_RUNTIME_LIBRARYFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace roofline::runtime {

struct LibraryFunction {
  llvm::StringRef name;
  const void *address;
};

/// The functions that LLVM makes calls of. A program that is linked statically
/// has no symbols in which a kernel's loader could find them.
llvm::ArrayRef<LibraryFunction> libraryFunctions();

} // namespace roofline::runtime

#endif // ROOFLINE_LIB_RUNTIME_LIBRARYFUNCTIONS_H
