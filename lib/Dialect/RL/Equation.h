//===- Equation.h - Einstein notation of contractions -----------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_DIALECT_RL_EQUATION_H
#define ROOFLINE_LIB_DIALECT_RL_EQUATION_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace roofline::rl {

/// "bmk,kn->bmn": the labels of each factor and of the result, letters each.
struct Equation {
  llvm::SmallVector<llvm::StringRef, 2> factors;
  llvm::StringRef result;

  /// Nothing where the text isn't of that form.
  static std::optional<Equation> parse(llvm::StringRef text) {
    auto [left, right] = text.split("->");
    if (!text.contains("->"))
      return std::nullopt;
    Equation equation;
    left.split(equation.factors, ',');
    equation.result = right;
    auto isLabels = [](llvm::StringRef labels) {
      return labels.find_if_not([](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      }) == llvm::StringRef::npos;
    };
    if (!isLabels(right))
      return std::nullopt;
    for (llvm::StringRef factor : equation.factors)
      if (!isLabels(factor))
        return std::nullopt;
    return equation;
  }
};

} // namespace roofline::rl

#endif // ROOFLINE_LIB_DIALECT_RL_EQUATION_H
