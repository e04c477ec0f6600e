//===- Bindings.h - --dim, --shape and --value ------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_COMMON_BINDINGS_H
#define ROOFLINE_TOOLS_COMMON_BINDINGS_H

#include "Assignments.h"
#include "llvm/Support/CommandLine.h"

namespace roofline {

/// What a command line says of a model's open sizes.
struct Bindings {
  std::vector<DimOption> dims;
  std::vector<ShapeOption> shapes;
  std::vector<Assignment> values;

  bool empty() const {
    return dims.empty() && shapes.empty() && values.empty();
  }
};

/// The options that say it.
class BindingOptions {
public:
  explicit BindingOptions(llvm::cl::OptionCategory &category);

  llvm::Expected<Bindings> parse() const;

private:
  llvm::cl::list<std::string> dims, shapes, values;
};

} // namespace roofline

#endif // ROOFLINE_TOOLS_COMMON_BINDINGS_H
