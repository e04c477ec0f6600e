//===- Tensor.cpp - a tensor in memory ------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Tensor.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace llvm;

namespace roofline::runtime {

constexpr size_t pageBytes = 4096, slackBytes = 64;
/// Sets beyond the caches are read up to twice as fast from large pages.
constexpr size_t largePageBytes = size_t(2) << 20;

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
  size_t page = size >= largePageBytes ? largePageBytes : pageBytes;
  size_t whole = alignTo(size + slackBytes, page);
  void *memory = std::aligned_alloc(page, whole);
  if (!memory)
    return createStringError("out of memory: " + Twine(size) +
                             " bytes for a tensor");
#ifdef MADV_HUGEPAGE
  if (page == largePageBytes)
    (void)madvise(memory, whole, MADV_HUGEPAGE); // a wish
#endif
  std::memset(memory, 0, size + slackBytes);
  tensor.storage.reset(static_cast<char *>(memory), std::free);
  return tensor;
}

Tensor Tensor::viewedAs(mlir::RankedTensorType type) const {
  Tensor view = *this;
  view.tensorType = type;
  return view;
}

} // namespace roofline::runtime
