//===- Details.h - what rl's files share ------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_DIALECT_RL_DETAILS_H
#define ROOFLINE_LIB_DIALECT_RL_DETAILS_H

#include "mlir/IR/ValueRange.h"
#include "roofline/Cost/Formulas.h"
#include "roofline/Cost/Work.h"
#include "roofline/Interfaces/CostContext.h"
#include <string>

namespace roofline::rl {

/// The text of a `#rl.work`, from `<` to `>`.
std::string printWork(const Work &work);

/// A kernel that reads its operands and writes its results, no arithmetic yet.
Work streamedWork(mlir::Operation *op, const CostContext &context);

/// The widest of the values' element types.
ElementType computeType(mlir::ValueRange values);

/// Adds `ops`; unknown ones make the FLOPs unknown.
void addOps(Work &work, ElementType type, const std::optional<OpCounts> &ops);

/// From here on contractions are taken in the order given: trying all orders
/// grows with the factorial.
constexpr unsigned maxOrderedFactors = 6;

} // namespace roofline::rl

#endif // ROOFLINE_LIB_DIALECT_RL_DETAILS_H
