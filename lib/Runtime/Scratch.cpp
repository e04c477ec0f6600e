//===- Scratch.cpp - memory that kernels take and give back ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"
#include "Buffers.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

namespace roofline::runtime {
namespace {

constexpr size_t headerBytes = 64, smallBytes = 64 << 10;
/// What is kept at most.
constexpr size_t mostKept = size_t(256) << 20;

/// Before each block, a cache line away.
struct Header {
  size_t bytes; ///< of the whole block
};

class Pool {
public:
  void *take(size_t bytes) {
    std::lock_guard<std::mutex> guard(mutex);
    auto it = kept.lower_bound(bytes);
    // A much larger one is left to who needs it.
    if (it == kept.end() || it->first > std::max(2 * bytes, largePageBytes))
      return nullptr;
    void *block = it->second;
    keptBytes -= it->first;
    kept.erase(it);
    return block;
  }

  /// Room is made by those that were kept for larger needs.
  void give(size_t bytes, void *block) {
    std::lock_guard<std::mutex> guard(mutex);
    keptBytes += bytes;
    kept.emplace(bytes, block);
    while (keptBytes > mostKept) {
      auto largest = std::prev(kept.end());
      keptBytes -= largest->first;
      std::free(largest->second);
      kept.erase(largest);
    }
  }

  ~Pool() {
    for (auto &[bytes, block] : kept)
      std::free(block);
  }

private:
  std::mutex mutex;
  std::multimap<size_t, void *> kept; ///< by size
  size_t keptBytes = 0;
};

Pool &pool() {
  static Pool pool;
  return pool;
}

void *newBlock(size_t bytes) {
  bool isLarge = bytes > smallBytes;
  size_t whole = llvm::alignTo(bytes, isLarge ? largePageBytes : headerBytes);
  void *block = isLarge ? allocateLargePages(whole)
                        : std::aligned_alloc(headerBytes, whole);
  if (block)
    new (block) Header{whole};
  return block;
}

} // namespace

void *scratchMalloc(size_t bytes) {
  if (bytes > SIZE_MAX - largePageBytes)
    return nullptr;
  size_t whole = bytes + headerBytes;
  void *block = whole > smallBytes ? pool().take(whole) : nullptr;
  if (!block)
    block = newBlock(whole);
  return block ? static_cast<char *>(block) + headerBytes : nullptr;
}

void *scratchCalloc(size_t count, size_t bytes) {
  if (bytes != 0 && count > SIZE_MAX / bytes)
    return nullptr;
  void *memory = scratchMalloc(count * bytes);
  if (memory)
    std::memset(memory, 0, count * bytes); // it may have been used before
  return memory;
}

void scratchFree(void *memory) {
  if (!memory)
    return;
  void *block = static_cast<char *>(memory) - headerBytes;
  size_t bytes = static_cast<Header *>(block)->bytes;
  if (bytes <= smallBytes)
    std::free(block);
  else
    pool().give(bytes, block);
}

} // namespace roofline::runtime
