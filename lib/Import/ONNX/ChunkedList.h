//===- ChunkedList.h - a growing list whose elements stay -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_CHUNKEDLIST_H
#define ROOFLINE_LIB_IMPORT_ONNX_CHUNKEDLIST_H

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

namespace roofline::onnx_import {

/// Like std::deque as far as it goes (addresses of elements stay when it
/// grows), but compact for few big elements and for millions: libstdc++ gives
/// every element of more than 256 bytes an allocation of 512.
template <typename T> class ChunkedList {
  struct Chunk {
    std::unique_ptr<T[]> elements;
    size_t size, capacity;
  };

  template <typename Element, typename ChunkIterator> class Iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = Element *;
    using reference = Element &;

    Iterator(ChunkIterator chunk, size_t index) : chunk(chunk), index(index) {}
    Element &operator*() const { return chunk->elements[index]; }
    Element *operator->() const { return &**this; }
    Iterator &operator++() {
      if (++index == chunk->size) {
        ++chunk;
        index = 0;
      }
      return *this;
    }
    bool operator==(const Iterator &other) const {
      return chunk == other.chunk && index == other.index;
    }
    bool operator!=(const Iterator &other) const { return !(*this == other); }

  private:
    ChunkIterator chunk;
    size_t index;
  };

public:
  using iterator = Iterator<T, typename std::vector<Chunk>::iterator>;
  using const_iterator =
      Iterator<const T, typename std::vector<Chunk>::const_iterator>;

  /// Adds a default-constructed element.
  T &emplace_back() {
    if (chunks.empty() || chunks.back().size == chunks.back().capacity) {
      size_t capacity = chunks.empty()
                            ? 4
                            : std::min<size_t>(2 * chunks.back().capacity, 256);
      chunks.push_back({std::make_unique<T[]>(capacity), 0, capacity});
    }
    ++count;
    return chunks.back().elements[chunks.back().size++];
  }

  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  iterator begin() { return {chunks.begin(), 0}; }
  iterator end() { return {chunks.end(), 0}; }
  const_iterator begin() const { return {chunks.begin(), 0}; }
  const_iterator end() const { return {chunks.end(), 0}; }

private:
  std::vector<Chunk> chunks;
  size_t count = 0;
};

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_CHUNKEDLIST_H
