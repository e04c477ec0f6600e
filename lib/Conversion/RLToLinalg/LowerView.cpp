//===- LowerView.cpp - other shapes of the same bytes ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build.h"
#include "Rules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace roofline::lowering {

static FailureOr<Values> lowerView(Lowering &l) {
  Value input = l.operand(0);
  RankedTensorType type = l.resultType();
  if (!input)
    return l.unsupported("its input isn't there");
  auto from = cast<RankedTensorType>(input.getType());
  if (from.getElementType() != type.getElementType()) {
    if (l.kind() != "bitcast" || from.getShape() != type.getShape())
      return l.unsupported("a view of another type");
    return Values{mapElements(
        l, type, input, [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
          Type to = type.getElementType();
          if (x[0].getType().isInteger(1)) // of which a byte is stored
            return arith::ExtUIOp::create(b, loc, to, x[0]);
          if (to.isInteger(1))
            return arith::TruncIOp::create(b, loc, to, x[0]);
          return arith::BitcastOp::create(b, loc, to, x[0]);
        })};
  }
  if (from.getNumElements() != type.getNumElements())
    return l.unsupported("a view of another size");
  return Values{reshaped(l, input, type)};
}

void addViewRules(RuleTable &table) { table["rl.view"] = lowerView; }

} // namespace roofline::lowering
