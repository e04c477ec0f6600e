//===- Tensor.cpp - a tensor in memory ------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Tensor.h"
#include "Buffers.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace roofline::runtime {

/// Vectors of the last elements may be read to their end.
constexpr size_t slackBytes = 64;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

#if !LLVM_ADDRESS_SANITIZER_BUILD
/// Zeros that begin where a large page does; null where there is no memory. A
/// page of 4 KiB costs a miss of the TLB, and ends what the hardware fetches
/// ahead: what isn't near is read up to four times as fast from large pages.
static std::shared_ptr<char> largePages(size_t bytes) {
  void *memory = allocateLargePages(bytes);
  if (!memory)
    return nullptr;
  std::memset(memory, 0, bytes);
  return {static_cast<char *>(memory), std::free};
}
#endif

/// Gives small tensors parts of common pages, which are freed with the last of
/// them. Under a sanitizer each has memory of its own, with its ends guarded.
static std::shared_ptr<char> zeros(size_t bytes) {
  // At 4 KiB: where results lie a little behind operands in the lowest 12 bits
  // of their addresses, a CPU takes loads for ones of what was just stored.
  constexpr size_t alignment = 4096;
  size_t whole = alignTo(bytes + slackBytes, alignment);
#if LLVM_ADDRESS_SANITIZER_BUILD
  void *memory = std::aligned_alloc(alignment, whole);
  if (memory)
    std::memset(memory, 0, whole);
  return {static_cast<char *>(memory), std::free};
#else
  if (whole >= largePageBytes)
    return largePages(whole);
  struct Page {
    std::weak_ptr<char> memory;
    size_t used = largePageBytes;
  };
  static thread_local Page page;
  std::shared_ptr<char> memory =
      page.used + whole <= largePageBytes ? page.memory.lock() : nullptr;
  if (!memory) {
    memory = largePages(largePageBytes);
    if (!memory)
      return memory;
    page = {memory, 0};
  }
  char *start = memory.get() + page.used;
  page.used += whole;
  // Counted by itself: whether another looks at these bytes is asked.
  return {start, [memory](char *) {}};
#endif
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

unsigned storageBytes(mlir::Type element) {
  if (auto complex = dyn_cast<mlir::ComplexType>(element))
    return 2 * storageBytes(complex.getElementType());
  if (!element.isIntOrFloat())
    return 0;
  return divideCeil(element.getIntOrFloatBitWidth(), 8);
}

Expected<Tensor> Tensor::create(mlir::RankedTensorType type) {
  Tensor tensor;
  tensor.tensorType = type;
  uint64_t size = storageBytes(type.getElementType());
  if (size == 0 || !type.hasStaticShape())
    return createStringError("no memory can be given to a tensor of unknown "
                             "size or of elements that aren't numbers");
  for (int64_t dim : type.getShape()) {
    bool overflow = false;
    size = SaturatingMultiply<uint64_t>(size, uint64_t(dim), &overflow);
    if (overflow || size > uint64_t(1) << 39)
      return createStringError("a tensor is too large for this machine");
  }
  tensor.bytes = size;
  tensor.storage = zeros(size);
  if (!tensor.storage)
    return createStringError("out of memory: " + Twine(size) +
                             " bytes for a tensor");
  return tensor;
}

Tensor Tensor::viewedAs(mlir::RankedTensorType type) const {
  Tensor view = *this;
  view.tensorType = type;
  return view;
}

} // namespace roofline::runtime
