//===- Read.h - reading a profile -------------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_PROFILE_READ_H
#define ROOFLINE_PROFILE_READ_H

#include "roofline/Profile/Profile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace roofline::profile {

/// Reads a profile of any format that docs/profiles.md lists, recognised by its
/// content, compressed by gzip or not. Errors name the file, what is wrong and
/// what would be read.
llvm::Expected<Profile> read(llvm::MemoryBufferRef buffer);
llvm::Expected<Profile> readFile(llvm::StringRef path);

} // namespace roofline::profile

#endif // ROOFLINE_PROFILE_READ_H
