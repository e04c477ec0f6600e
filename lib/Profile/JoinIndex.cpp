//===- JoinIndex.cpp - a model's nodes by what joins ask for --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinIndex.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace roofline::profile {

JoinIndex::JoinIndex(ArrayRef<ModelNode> nodes) : nodes(nodes) {
  for (unsigned i = 0; i < nodes.size(); ++i) {
    const ModelNode &node = nodes[i];
    if (!node.name.empty())
      names[node.name].push_back(i);
    opTypes[node.opType].push_back(i);
    for (const std::string &output : node.outputs)
      if (!output.empty())
        producers.try_emplace(output, i);
    for (const std::string &input : node.inputs)
      if (!input.empty())
        users[input].push_back(i);
  }
}

ArrayRef<unsigned> JoinIndex::find(const Lists &lists, StringRef key) {
  auto found = lists.find(key);
  return found == lists.end() ? ArrayRef<unsigned>()
                              : ArrayRef<unsigned>(found->second);
}

std::vector<unsigned> JoinIndex::named(StringRef name, StringRef opType) const {
  std::vector<unsigned> all = find(names, name).vec(), sameType;
  for (unsigned node : all)
    if (nodes[node].opType == opType)
      sameType.push_back(node);
  return sameType.empty() ? all : sameType;
}

std::optional<unsigned> JoinIndex::producer(StringRef value) const {
  auto found = producers.find(value);
  if (found == producers.end())
    return std::nullopt;
  return found->second;
}

ArrayRef<unsigned> JoinIndex::consumers(StringRef value) const {
  return find(users, value);
}

std::vector<unsigned> JoinIndex::chainTo(unsigned last,
                                         StringRef opType) const {
  // Breadth first, so the nearest is found; a kernel holds few ops.
  constexpr size_t farthest = 64;
  std::vector<std::pair<unsigned, size_t>> reached = {{last, 0}};
  for (size_t at = 0; at < reached.size() && at < farthest; ++at) {
    unsigned node = reached[at].first;
    if (nodes[node].opType == opType) {
      std::vector<unsigned> chain;
      for (size_t step = at;; step = reached[step].second) {
        chain.push_back(reached[step].first);
        if (step == 0)
          break;
      }
      return chain;
    }
    for (const std::string &input : nodes[node].inputs)
      if (std::optional<unsigned> before = producer(input))
        if (none_of(reached,
                    [&](const auto &known) { return known.first == *before; }))
          reached.push_back({*before, at});
  }
  return {last};
}

std::vector<unsigned> JoinIndex::neighbours(unsigned node) const {
  std::vector<unsigned> found;
  auto add = [&](unsigned other) {
    if (other != node && !is_contained(found, other))
      found.push_back(other);
  };
  for (const std::string &input : nodes[node].inputs) {
    if (std::optional<unsigned> before = producer(input))
      add(*before);
    // Ops of one kind that take the same value, as the slices of one tensor.
    for (unsigned other : consumers(input))
      if (nodes[other].opType == nodes[node].opType)
        add(other);
  }
  for (const std::string &output : nodes[node].outputs)
    for (unsigned after : consumers(output))
      add(after);
  return found;
}

} // namespace roofline::profile
