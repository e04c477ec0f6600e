//===- ParallelFor.cpp - what kernels call to use threads -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParallelFor.h"
#include "roofline/Runtime/HostCompiler.h"
#include "roofline/Runtime/Threads.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace roofline::runtime;

/// Of the kernel that this thread has called.
static thread_local ThreadPool *currentThreads = nullptr;

void HostKernel::callOnThreads(void **pointers) const {
  llvm::SaveAndRestore restore(currentThreads, threads);
  function(pointers);
}

void roofline::runtime::parallelFor(void (*body)(void *context, int64_t index),
                                    void *context, int64_t count) {
  if (!currentThreads) {
    for (int64_t i = 0; i < count; ++i)
      body(context, i);
    return;
  }
  currentThreads->run([&](unsigned thread, unsigned size) {
    for (int64_t i = thread; i < count; i += size)
      body(context, i);
  });
}
