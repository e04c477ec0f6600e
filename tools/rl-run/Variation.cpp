//===- Variation.cpp - a run for each of several values -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Variation.h"
#include "roofline/Runtime/Threads.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace roofline {

Error checkThreads(int64_t count, const Twine &option) {
  size_t most = runtime::usableCpus().size();
  if (count >= 1 && uint64_t(count) <= most)
    return Error::success();
  return createStringError(
      option + ": expected 1 to the number of CPUs, which is " + Twine(most));
}

Expected<std::optional<Variation>>
parseVariation(ArrayRef<std::string> options) {
  if (options.empty())
    return std::nullopt;
  if (options.size() > 1)
    return createStringError("--vary: one variable a run");
  StringRef text = options.front();
  auto [name, list] = text.rsplit('=');
  bool isDim = name.consume_front("dim:");
  if (name.empty() || list.empty() || (!isDim && name != "threads"))
    return createStringError("--vary=" + text +
                             ": expected dim:NAME=N,N... or threads=N,N...");
  Variation result{isDim ? name.str() : "", {}};
  SmallVector<StringRef> parts;
  list.split(parts, ',');
  for (StringRef part : parts) {
    int64_t value;
    if (part.getAsInteger(10, value) || value < 0)
      return createStringError("--vary=" + text + ": '" + part + "' is not a " +
                               (isDim ? "size" : "number of threads"));
    if (!isDim)
      if (Error error = checkThreads(value, "--vary=" + text))
        return std::move(error);
    result.values.push_back(value);
  }
  return std::optional(result);
}

} // namespace roofline
