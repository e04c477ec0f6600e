//===- Readers.h - one reader for each format -------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each takes the decompressed text. Errors are the cause alone: Read.cpp adds
// the file's name.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_PROFILE_READERS_H
#define ROOFLINE_LIB_PROFILE_READERS_H

#include "JSONReader.h"
#include "roofline/Profile/Profile.h"
#include "llvm/Support/Error.h"

namespace roofline::profile {

/// Reads the events of a trace; the array of them comes next in `reader`.
llvm::Error readTraceEvents(JSONReader &reader, Profile &profile);

/// A file of `rl-run`: schema/roofline-measured-1.schema.json.
llvm::Error readMeasured(llvm::StringRef text, Profile &profile);

/// Nsight's tables. Whether the text is one is known by its header, which need
/// not be its first line.
llvm::Error readCSV(llvm::StringRef text, Profile &profile);

/// An Nsight Systems database, where the build has SQLite.
llvm::Error readSQLite(llvm::StringRef bytes, Profile &profile);

} // namespace roofline::profile

#endif // ROOFLINE_LIB_PROFILE_READERS_H
