//===- races.cpp - a kernel's threads, in turn and together ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls a kernel's threads, first one after the other and then at the same
// time, and compares what they wrote. Arguments are the sizes of its buffers,
// the last of which is the result. For helgrind, which watches the second call.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

extern "C" void kernel_packed(void **buffers);

static bool together = false;
static int64_t parts = 0;

extern "C" void rl_parallel_for(void (*body)(void *, int64_t), void *context,
                                int64_t count) {
  parts += count;
  if (!together) {
    for (int64_t i = 0; i < count; ++i)
      body(context, i);
    return;
  }
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < count; ++i)
    threads.emplace_back(body, context, i);
  for (std::thread &thread : threads)
    thread.join();
}

int main(int argc, char **argv) {
  std::vector<void *> buffers;
  size_t size = 0;
  for (int i = 1; i < argc; ++i) {
    size = (strtoul(argv[i], nullptr, 10) + 63) / 64 * 64;
    auto *floats = static_cast<float *>(aligned_alloc(64, size));
    for (size_t j = 0; j < size / sizeof(float); ++j)
      floats[j] = static_cast<float>(j % 17) / 8 - 1;
    buffers.push_back(floats);
  }
  size = strtoul(argv[argc - 1], nullptr, 10);
  kernel_packed(buffers.data());
  std::vector<char> first(size);
  memcpy(first.data(), buffers.back(), size);
  memset(buffers.back(), 0, size);
  together = true;
  parts = 0;
  kernel_packed(buffers.data());
  bool same = memcmp(first.data(), buffers.back(), size) == 0;
  printf("%s, %d parts\n", same ? "the same" : "different", int(parts));
  return 0;
}
