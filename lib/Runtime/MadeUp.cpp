//===- MadeUp.cpp - operands that nobody gave -----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/MadeUp.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace llvm;

namespace roofline::runtime {

static double amplitude(mlir::RankedTensorType type) {
  double fan = 1;
  for (int64_t size : type.getShape().drop_front(type.getRank() > 1 ? 1 : 0))
    fan *= double(std::max<int64_t>(size, 1));
  return type.getRank() > 1 ? std::sqrt(3 / fan) : 1;
}

/// A table of bit patterns is enough for types that C++ has no number for.
static void fillNarrow(Tensor &tensor, mlir::FloatType type,
                       std::mt19937_64 &random, double most) {
  unsigned bytes = storageBytes(type);
  std::uniform_real_distribution<double> uniform(-most, most);
  char *out = tensor.data();
  for (int64_t i = 0; i < tensor.elementCount(); ++i, out += bytes) {
    APFloat value(uniform(random));
    bool losesInfo;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    if (value.isDenormal())
      value = APFloat::getZero(type.getFloatSemantics());
    uint64_t bits = value.bitcastToAPInt().getZExtValue();
    std::memcpy(out, &bits, bytes);
  }
}

template <typename T>
static void fillWide(Tensor &tensor, std::mt19937_64 &random, double most) {
  std::uniform_real_distribution<T> uniform(T(-most), T(most));
  T *out = reinterpret_cast<T *>(tensor.data());
  for (int64_t i = 0; i < tensor.elementCount(); ++i) {
    T value = uniform(random);
    out[i] = std::fpclassify(value) == FP_SUBNORMAL ? T(0) : value;
  }
}

Expected<Tensor> makeUp(mlir::RankedTensorType type, uint64_t seed) {
  Expected<Tensor> tensor = Tensor::create(type);
  if (!tensor)
    return tensor;
  std::mt19937_64 random(seed);
  mlir::Type element = type.getElementType();
  double most = amplitude(type);
  if (auto complex = dyn_cast<mlir::ComplexType>(element)) {
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(2);
    Expected<Tensor> parts = makeUp(
        mlir::RankedTensorType::get(shape, complex.getElementType()), seed);
    return parts ? Expected<Tensor>(parts->viewedAs(type)) : std::move(parts);
  }
  if (element.isF32()) {
    fillWide<float>(*tensor, random, most);
  } else if (element.isF64()) {
    fillWide<double>(*tensor, random, most);
  } else if (auto real = dyn_cast<mlir::FloatType>(element)) {
    fillNarrow(*tensor, real, random, most);
  } else {
    unsigned bytes = storageBytes(element);
    for (int64_t i = 0; i < tensor->elementCount(); ++i)
      tensor->data()[i * bytes] = char(random() & 1); // little-endian
  }
  return tensor;
}

} // namespace roofline::runtime
