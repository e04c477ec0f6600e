//===- harness.cpp - calls a compiled kernel ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Linked with an object of `rl-run --emit-objects`, and run under a tool that
// counts what is executed:
//
//   harness CALLS BYTES...   calls the kernel so often, on buffers of so many
//                            bytes (the arguments', then the results')
//
// Between the calls nothing happens, so what CALLS adds is the kernel's own.
// Every buffer's elements are 1.0f, and each starts on a cache line.
//
//===----------------------------------------------------------------------===//

#include <cstdlib>
#include <malloc.h>

extern "C" void kernel_packed(void **buffers);

int main(int argc, char **argv) {
  constexpr int maxBuffers = 16;
  void *buffers[maxBuffers];
  if (argc < 2 || argc - 2 > maxBuffers)
    return 2;
  // What a kernel allocates lies at the same place in each call.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  for (int i = 2; i < argc; ++i) {
    size_t bytes = std::strtoull(argv[i], nullptr, 10);
    auto *elements =
        static_cast<float *>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
    if (!elements)
      return 1;
    for (size_t e = 0; e < bytes / sizeof(float); ++e)
      elements[e] = 1.0f;
    buffers[i - 2] = elements;
  }
  for (long calls = std::atol(argv[1]); calls > 0; --calls)
    kernel_packed(buffers);
  return 0;
}
