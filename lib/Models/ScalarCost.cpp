//===- ScalarCost.cpp - operations of one scalar op -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace roofline::models {

bool isCast(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().getStringRef())
      .Cases({"arith.extf", "arith.extsi", "arith.extui", "arith.truncf",
              "arith.trunci", "arith.sitofp", "arith.uitofp", "arith.fptosi",
              "arith.fptoui", "arith.scaling_extf", "arith.scaling_truncf"},
             true)
      .Default(false);
}

/// Ops that only name a value or a place. A cast to or from index is address
/// arithmetic.
static bool isFree(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"arith.constant", "arith.bitcast", "arith.index_cast",
              "arith.index_castui", "complex.constant", "complex.re",
              "complex.im", "complex.create", "complex.bitcast"},
             true)
      .Default(false);
}

/// (vector, special) operations per element.
static std::optional<std::pair<unsigned, unsigned>> operations(StringRef name) {
  using Counts = std::optional<std::pair<unsigned, unsigned>>;
  Counts one = {{1, 0}}, slow = {{0, 1}};
  return llvm::StringSwitch<Counts>(name)
      .Cases({"arith.addi", "arith.subi", "arith.muli", "arith.addui_extended",
              "arith.mulsi_extended", "arith.mului_extended", "arith.andi",
              "arith.ori", "arith.xori", "arith.shli", "arith.shrui",
              "arith.shrsi", "arith.maxsi", "arith.maxui", "arith.minsi",
              "arith.minui", "arith.cmpi"},
             one)
      .Cases({"arith.addf", "arith.subf", "arith.mulf", "arith.negf",
              "arith.maximumf", "arith.maxnumf", "arith.minimumf",
              "arith.minnumf", "arith.cmpf", "arith.select"},
             one)
      .Cases({"arith.divf", "arith.remf", "arith.divsi", "arith.divui",
              "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi",
              "arith.remsi", "arith.remui"},
             slow)
      .Cases({"math.absf", "math.absi", "math.ceil", "math.floor", "math.round",
              "math.roundeven", "math.trunc", "math.copysign", "math.ctlz",
              "math.cttz", "math.ctpop", "math.isfinite", "math.isinf",
              "math.isnan", "math.isnormal"},
             one)
      .Cases({"math.fma", "math.clampf"}, Counts({2, 0}))
      .Case("math.sincos", Counts({0, 2}))
      .StartsWith("math.", slow)
      .Cases({"complex.add", "complex.sub", "complex.neg", "complex.conj",
              "complex.mul", "complex.eq", "complex.neq"},
             one)
      .Cases({"complex.div", "complex.abs", "complex.angle"}, slow)
      .Default(std::nullopt);
}

std::optional<ScalarCost> scalarCost(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (isFree(name))
    return ScalarCost{};
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return std::nullopt;
  // A comparison computes in its operands' type; so does what it compares.
  Type operandType = getElementTypeOrSelf(op->getOperand(0));
  Type resultType = getElementTypeOrSelf(op->getResult(0));
  if (isCast(op)) {
    ElementType type =
        promote(elementType(operandType), elementType(resultType));
    return ScalarCost{1, 0, type};
  }
  std::optional<std::pair<unsigned, unsigned>> counts = operations(name);
  if (!counts)
    return std::nullopt;
  bool compares = name == "arith.cmpi" || name == "arith.cmpf";
  Type type = compares ? operandType : resultType;
  if (type.isIndex())
    return ScalarCost{};
  return ScalarCost{counts->first, counts->second, elementType(type)};
}

} // namespace roofline::models
