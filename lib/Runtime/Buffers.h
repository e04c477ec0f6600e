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

/// Memory from the system, on large pages where it gives them, so that what is
/// measured is memory and not the translation of addresses. Whoever touches a
/// page first has it close by.
class Buffer {
public:
  explicit Buffer(size_t bytes);
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
