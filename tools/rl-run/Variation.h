//===- Variation.h - a run for each of several values -----------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_RUN_VARIATION_H
#define ROOFLINE_TOOLS_RL_RUN_VARIATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace roofline {

/// `--vary=dim:NAME=1,2,4` or `--vary=threads=1,2`.
struct Variation {
  std::string dim; ///< empty: it is the number of threads
  std::vector<int64_t> values;

  /// What a table's column is called.
  llvm::StringRef title() const {
    return dim.empty() ? "threads" : llvm::StringRef(dim);
  }
};

/// What the options ask for, if anything; at most one of them.
llvm::Expected<std::optional<Variation>>
parseVariation(llvm::ArrayRef<std::string> options);

/// Whether kernels can run on so many threads here; `option` is what the user
/// wrote.
llvm::Error checkThreads(int64_t count, const llvm::Twine &option);

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_RUN_VARIATION_H
