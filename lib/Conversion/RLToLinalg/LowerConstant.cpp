//===- LowerConstant.cpp - constants --------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build.h"
#include "Rules.h"

using namespace mlir;

namespace roofline::lowering {

static FailureOr<Values> lowerWeight(Lowering &l) {
  auto elements = l.op->getAttrOfType<DenseElementsAttr>(rl::valueAttrName);
  if (!elements)
    return l.unsupported("its elements aren't known");
  return Values{constantTensor(l, elements)};
}

/// A constant without data: its elements where they are known, else the value
/// that a ConstantOfShape repeats.
static FailureOr<Values> lowerFill(Lowering &l) {
  if (l.op->hasAttr(rl::valueAttrName))
    return lowerWeight(l);
  RankedTensorType type = l.resultType();
  if (l.opType() == "Dropout") // the mask where nothing is dropped
    return Values{
        filledTensor(l, type, scalar(l.b, l.loc, type.getElementType(), 1))};
  if (l.opType() != "ConstantOfShape")
    return l.unsupported("its elements aren't known");
  auto value = dyn_cast_or_null<DenseElementsAttr>(l.attribute("value"));
  if (value && value.getElementType() == type.getElementType())
    return Values{constantTensor(
        l, DenseElementsAttr::get(type, *value.value_begin<Attribute>()))};
  if (l.attribute("value") || !type.getElementType().isF32())
    return l.unsupported("its value has another type");
  return Values{constantTensor(l, DenseElementsAttr::get(type, 0.0f))};
}

void addConstantRules(RuleTable &table) {
  table["rl.weight"] = lowerWeight;
  table["rl.fill"] = lowerFill;
}

} // namespace roofline::lowering
