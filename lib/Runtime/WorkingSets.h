//===- WorkingSets.h - how much memory reaches which level ------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_WORKINGSETS_H
#define ROOFLINE_RUNTIME_WORKINGSETS_H

#include "roofline/Runtime/Environment.h"

namespace roofline::runtime {

/// How many cores have their part of one such cache.
unsigned coresSharing(const Environment &environment, const Cache &cache);

/// The bytes of all caches of that level that the usable cores have.
int64_t wholeCacheBytes(const Environment &environment, const Cache &cache);

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_WORKINGSETS_H
