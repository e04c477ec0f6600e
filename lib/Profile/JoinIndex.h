//===- JoinIndex.h - a model's nodes by what joins ask for ------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_PROFILE_JOININDEX_H
#define ROOFLINE_LIB_PROFILE_JOININDEX_H

#include "roofline/Profile/Join.h"
#include "llvm/ADT/StringMap.h"

namespace roofline::profile {

class JoinIndex {
public:
  explicit JoinIndex(llvm::ArrayRef<ModelNode> nodes);

  /// The nodes of that name; those of the op type alone where it tells them
  /// apart.
  std::vector<unsigned> named(llvm::StringRef name,
                              llvm::StringRef opType) const;
  std::optional<unsigned> producer(llvm::StringRef value) const;
  llvm::ArrayRef<unsigned> consumers(llvm::StringRef value) const;
  bool hasOpType(llvm::StringRef opType) const {
    return opTypes.contains(opType);
  }
  /// The nodes from the nearest one of `opType` before `last` to `last`; `last`
  /// alone where there is none near.
  std::vector<unsigned> chainTo(unsigned last, llvm::StringRef opType) const;
  /// Nodes that share a value with `node`.
  std::vector<unsigned> neighbours(unsigned node) const;

  llvm::ArrayRef<ModelNode> nodes;

private:
  using Lists = llvm::StringMap<std::vector<unsigned>>;
  static llvm::ArrayRef<unsigned> find(const Lists &lists, llvm::StringRef key);

  Lists names, users, opTypes;
  llvm::StringMap<unsigned> producers;
};

} // namespace roofline::profile

#endif // ROOFLINE_LIB_PROFILE_JOININDEX_H
