//===- Assignments.cpp - NAME=VALUE options -------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assignments.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace roofline {

Expected<Assignment> parseAssignment(StringRef option, StringRef text) {
  auto [name, value] = text.rsplit('=');
  if (!text.contains('=') || name.empty())
    return createStringError("--" + option + "=" + text +
                             ": expected NAME=VALUE");
  return Assignment{name.str(), value.str()};
}

Expected<std::vector<DimOption>> parseDims(ArrayRef<std::string> texts) {
  std::vector<DimOption> dims;
  for (const std::string &text : texts) {
    Expected<Assignment> given = parseAssignment("dim", text);
    if (!given)
      return given.takeError();
    int64_t size;
    if (StringRef(given->second).getAsInteger(10, size) || size < 0)
      return createStringError("--dim=" + Twine(text) + ": '" + given->second +
                               "' is not a size (an integer from 0 on)");
    for (const auto &[name, before] : dims)
      if (name == given->first && before != size)
        return createStringError("--dim=" + Twine(text) + ": '" + name +
                                 "' was given as " + Twine(before) + " before");
    dims.emplace_back(given->first, size);
  }
  return dims;
}

Expected<std::vector<ShapeOption>> parseShapes(ArrayRef<std::string> texts) {
  std::vector<ShapeOption> shapes;
  for (const std::string &text : texts) {
    Expected<Assignment> given = parseAssignment("shape", text);
    if (!given)
      return given.takeError();
    SmallVector<StringRef> parts;
    if (!given->second.empty())
      StringRef(given->second).split(parts, 'x');
    std::vector<int64_t> sizes;
    for (StringRef part : parts) {
      int64_t size;
      if (part.getAsInteger(10, size) || size < 0)
        return createStringError("--shape=" + Twine(text) + ": '" + part +
                                 "' is not a size; expected INPUT=2x3x224x224");
      sizes.push_back(size);
    }
    shapes.emplace_back(given->first, std::move(sizes));
  }
  return shapes;
}

Expected<std::vector<Assignment>> parseValues(ArrayRef<std::string> texts) {
  std::vector<Assignment> values;
  for (const std::string &text : texts) {
    // Values hold no '=', so the last one separates; floats and lists may
    // follow.
    Expected<Assignment> given = parseAssignment("value", text);
    if (!given)
      return given.takeError();
    values.push_back(std::move(*given));
  }
  return values;
}

} // namespace roofline
