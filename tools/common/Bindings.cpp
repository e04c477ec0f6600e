//===- Bindings.cpp - --dim, --shape and --value --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"

using namespace llvm;

namespace roofline {

BindingOptions::BindingOptions(cl::OptionCategory &category)
    : dims("dim", cl::cat(category), cl::value_desc("NAME=N"),
           cl::desc("Bind a dimension: --dim=batch=8, or --dim='x[0]=8' where "
                    "it has no name (repeatable)")),
      shapes("shape", cl::cat(category), cl::value_desc("INPUT=AxBxC"),
             cl::desc("Give an input its shape (repeatable)")),
      values("value", cl::cat(category), cl::value_desc("INPUT=v[,v...]"),
             cl::desc("Give a small input its value, for shapes, branches and "
                      "trip counts that depend on it (repeatable)")) {}

Expected<Bindings> BindingOptions::parse() const {
  Bindings result;
  Expected<std::vector<DimOption>> parsedDims = parseDims(dims);
  if (!parsedDims)
    return parsedDims.takeError();
  Expected<std::vector<ShapeOption>> parsedShapes = parseShapes(shapes);
  if (!parsedShapes)
    return parsedShapes.takeError();
  Expected<std::vector<Assignment>> parsedValues = parseValues(values);
  if (!parsedValues)
    return parsedValues.takeError();
  result.dims = std::move(*parsedDims);
  result.shapes = std::move(*parsedShapes);
  result.values = std::move(*parsedValues);
  return result;
}

} // namespace roofline
