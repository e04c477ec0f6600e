//===- Join.h - which node of a model an event is ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runtimes rename, fuse and add nodes. The join says for each measurement which
// nodes of a model it is the time of and by which rule, and leaves open what no
// rule explains: nothing is matched by likeness of names alone.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_PROFILE_JOIN_H
#define ROOFLINE_PROFILE_JOIN_H

#include "roofline/Profile/Profile.h"
#include "llvm/ADT/ArrayRef.h"

namespace roofline::profile {

/// A node of the model, as far as the join needs it. Its place in the list is
/// its index.
struct ModelNode {
  std::string name; ///< "" where the model gives none
  std::string opType;
  std::vector<std::string> outputs;
  std::vector<std::string> inputs;
  std::vector<TensorShape> inputShapes; ///< a size that isn't known is -1
};

enum class JoinRule : uint8_t {
  Index,    ///< the file says which rows
  Exact,    ///< the node's name
  Position, ///< OPTYPE_INDEX, of a node without a name
  Fused,    ///< NODE/SomeFusion
  Renamed,  ///< NODE_new_reshape
  Output,   ///< VALUE_nchwc: the fused node that writes VALUE
  Shape,    ///< op type, shapes and order
  Made,     ///< the runtime put it in: no node of the model
  None
};
llvm::StringRef name(JoinRule rule);

struct Joined {
  JoinRule rule = JoinRule::None;
  /// The nodes that it is the time of by its rule, in order.
  std::vector<unsigned> nodes;
  /// The one that its name tells.
  std::optional<unsigned> node;
  /// Neighbours of those nodes which have no measurement of their own, and no
  /// other that they could belong to: fused, as far as can be seen.
  std::vector<unsigned> inferred;

  bool isNode() const { return !nodes.empty(); }
};

/// One for each measurement.
std::vector<Joined> join(llvm::ArrayRef<ModelNode> nodes, Format format,
                         llvm::ArrayRef<Measurement> measurements);

} // namespace roofline::profile

#endif // ROOFLINE_PROFILE_JOIN_H
