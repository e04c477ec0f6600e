//===- Constants.cpp - what is known of constants -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinAttributes.h"
#include "roofline/Dialect/RL/RL.h"

using namespace mlir;

namespace roofline::rl {

std::optional<double> splatNumber(DenseElementsAttr elements) {
  if (!elements || !elements.isSplat() ||
      !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  return toDouble(elements.getSplatValue<APFloat>());
}

std::optional<double> splatNumber(Value value) {
  Operation *producer = value.getDefiningOp();
  return splatNumber(
      producer ? producer->getAttrOfType<DenseElementsAttr>(valueAttrName)
               : DenseElementsAttr());
}

double toDouble(APFloat number) {
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

} // namespace roofline::rl
