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

using namespace llvm;

namespace roofline::runtime {

constexpr size_t pageBytes = 4096, slackBytes = 64;

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
    if (overflow || size > uint64_t(1) << 48)
      return createStringError("a tensor is too large for this machine");
  }
  tensor.bytes = size;
  void *memory =
      std::aligned_alloc(pageBytes, alignTo(size + slackBytes, pageBytes));
  if (!memory)
    return createStringError("out of memory: " + Twine(size) +
                             " bytes for a tensor");
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
