//===- Decompress.h - files compressed by gzip ------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_PROFILE_DECOMPRESS_H
#define ROOFLINE_LIB_PROFILE_DECOMPRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace roofline::profile {

bool isGzip(llvm::StringRef bytes);
/// All members of a gzip file, one after the other. The error is the cause
/// alone.
llvm::Expected<std::string> gunzip(llvm::StringRef bytes);

} // namespace roofline::profile

#endif // ROOFLINE_LIB_PROFILE_DECOMPRESS_H
