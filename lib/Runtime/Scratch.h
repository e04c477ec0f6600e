//===- Scratch.h - memory that kernels take and give back -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's packed operands and intermediates live for one call. The C
// library would hand megabytes back to the system after each, and every page
// that is touched anew costs as much as reading a kilobyte from memory. What is
// given back here is kept for the next call, in large pages.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_RUNTIME_SCRATCH_H
#define ROOFLINE_LIB_RUNTIME_SCRATCH_H

#include <cstddef>

namespace roofline::runtime {

/// As malloc, calloc and free, for any thread.
void *scratchMalloc(size_t bytes);
void *scratchCalloc(size_t count, size_t bytes);
void scratchFree(void *memory);

} // namespace roofline::runtime

#endif // ROOFLINE_LIB_RUNTIME_SCRATCH_H
