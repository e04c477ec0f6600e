//===- Assignments.h - NAME=VALUE options -----------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_COMMON_ASSIGNMENTS_H
#define ROOFLINE_TOOLS_COMMON_ASSIGNMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace roofline {

using Assignment = std::pair<std::string, std::string>;
using DimOption = std::pair<std::string, int64_t>;
using ShapeOption = std::pair<std::string, std::vector<int64_t>>;

// What --dim, --shape and --value were given, taken apart. Errors are whole
// messages: "--dim=x: expected NAME=VALUE".

/// Splits at the last '=': names may hold one.
llvm::Expected<Assignment> parseAssignment(llvm::StringRef option,
                                           llvm::StringRef text);
/// `NAME=N`; a name given two sizes is an error.
llvm::Expected<std::vector<DimOption>>
parseDims(llvm::ArrayRef<std::string> texts);
/// `INPUT=2x3x224x224`; an empty shape is a scalar's.
llvm::Expected<std::vector<ShapeOption>>
parseShapes(llvm::ArrayRef<std::string> texts);
/// `INPUT=v[,v…]`.
llvm::Expected<std::vector<Assignment>>
parseValues(llvm::ArrayRef<std::string> texts);

} // namespace roofline

#endif // ROOFLINE_TOOLS_COMMON_ASSIGNMENTS_H
