//===- Compare.cpp - whether two tensors hold the same --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Compare.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace roofline::runtime {

uint64_t bitsAt(const Tensor &tensor, int64_t i, unsigned bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data() + i * bytes, bytes);
  return bits;
}

double realAt(const Tensor &tensor, mlir::FloatType type, int64_t i) {
  unsigned bytes = storageBytes(type);
  APInt bits(type.getWidth(), bitsAt(tensor, i, bytes), false, true);
  return rl::toDouble(APFloat(type.getFloatSemantics(), bits));
}

double largestMagnitude(const Tensor &tensor) {
  auto type = dyn_cast<mlir::FloatType>(tensor.type().getElementType());
  double largest = 0;
  for (int64_t i = 0, n = type ? tensor.elementCount() : 0; i < n; ++i)
    if (double value = std::fabs(realAt(tensor, type, i)); std::isfinite(value))
      largest = std::max(largest, value);
  return largest;
}

Tolerance Tolerance::of(mlir::FloatType type) const {
  if (type.getWidth() != 16)
    return *this;
  double places = std::ldexp(1.0, 2 - int(type.getFPMantissaWidth()));
  return {std::max(relative, places), absolute};
}

bool Tolerance::accepts(double found, double wanted) const {
  if (std::isnan(wanted) || std::isnan(found))
    return std::isnan(wanted) && std::isnan(found);
  if (std::isinf(wanted) || std::isinf(found))
    return wanted == found;
  return std::fabs(found - wanted) <= absolute + relative * std::fabs(wanted);
}

std::string compare(const Tensor &found, const Tensor &wanted,
                    const Tolerance &given) {
  mlir::RankedTensorType type = wanted.type();
  if (found.type().getShape() != type.getShape())
    return "another shape";
  mlir::Type element = type.getElementType();
  if (auto complex = dyn_cast<mlir::ComplexType>(element)) {
    element = complex.getElementType();
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(2);
    auto parts = mlir::RankedTensorType::get(shape, element);
    return compare(found.viewedAs(parts), wanted.viewedAs(parts), given);
  }
  auto real = dyn_cast<mlir::FloatType>(element);
  Tolerance tolerance = real ? given.of(real) : given;
  unsigned bytes = storageBytes(element);
  for (int64_t i = 0, n = wanted.elementCount(); i < n; ++i) {
    if (real) {
      double a = realAt(found, real, i), b = realAt(wanted, real, i);
      if (!tolerance.accepts(a, b))
        return formatv("element {0} is {1:e6}, not {2:e6}", i, a, b).str();
      continue;
    }
    unsigned width = element.getIntOrFloatBitWidth();
    uint64_t mask = width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
    uint64_t a = bitsAt(found, i, bytes) & mask,
             b = bitsAt(wanted, i, bytes) & mask;
    if (a != b)
      return formatv("element {0} is {1}, not {2}", i, a, b).str();
  }
  return "";
}

} // namespace roofline::runtime
