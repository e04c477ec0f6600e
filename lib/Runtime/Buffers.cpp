//===- Buffers.cpp - memory for the loops that move it --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

using namespace roofline::runtime;

void *roofline::runtime::allocateLargePages(size_t bytes) {
  size_t whole = llvm::alignTo(bytes, largePageBytes);
  void *memory = std::aligned_alloc(largePageBytes, whole);
#ifdef MADV_HUGEPAGE
  if (memory)
    (void)madvise(memory, whole, MADV_HUGEPAGE); // a wish
#endif
  return memory;
}

Buffer::Buffer(size_t bytes, Pages pages)
    : mapped(llvm::alignTo(bytes, largePageBytes) + largePageBytes) {
  mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    mapping = nullptr;
    return;
  }
  auto address = reinterpret_cast<uintptr_t>(mapping);
  start = static_cast<char *>(mapping) +
          (llvm::alignTo(address, largePageBytes) - address);
#ifdef MADV_HUGEPAGE
  (void)madvise(start, llvm::alignTo(bytes, largePageBytes),
                pages == Pages::Large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
}

Buffer::Buffer(Buffer &&other) noexcept
    : mapping(other.mapping), mapped(other.mapped), start(other.start) {
  other.mapping = nullptr;
  other.start = nullptr;
}

Buffer::~Buffer() {
  if (mapping)
    munmap(mapping, mapped);
}
