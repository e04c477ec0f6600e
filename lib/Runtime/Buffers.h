//===- Buffers.h - memory for the loops that move it ------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_BUFFERS_H
#define ROOFLINE_RUNTIME_BUFFERS_H

#include <cstddef>

namespace roofline::runtime {

/// Large pages, where the system gives them, so that what is measured is memory
/// and not the translation of addresses; or small ones, which most programs'
/// memory is made of.
enum class Pages { Large, Small };

constexpr size_t largePageBytes = size_t(2) << 20;

/// Whole large pages, from the C library: for std::free. They are large where
/// the system grants it; null where there is no memory.
void *allocateLargePages(size_t bytes);

/// Memory from the system. Whoever touches a page first has it close by.
class Buffer {
public:
  Buffer(size_t bytes, Pages pages);
  ~Buffer();
  Buffer(Buffer &&other) noexcept;
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  Buffer &operator=(Buffer &&) = delete;

  /// Null where the system has no memory.
  char *data() const { return start; }

private:
  void *mapping = nullptr;
  size_t mapped = 0;
  char *start = nullptr;
};

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_BUFFERS_H
