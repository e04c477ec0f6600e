//===- ParallelFor.h - what kernels call to use threads ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_RUNTIME_PARALLELFOR_H
#define ROOFLINE_LIB_RUNTIME_PARALLELFOR_H

#include <cstdint>

namespace roofline::runtime {

/// As kernels know it.
constexpr const char *parallelForName = "rl_parallel_for";

/// Calls `body(context, i)` for each i from 0 to `count` − 1 on the threads of
/// the kernel that is running (`HostKernel::call`), one after the other where
/// it has none; returns when all are done.
void parallelFor(void (*body)(void *context, int64_t index), void *context,
                 int64_t count);

} // namespace roofline::runtime

#endif // ROOFLINE_LIB_RUNTIME_PARALLELFOR_H
