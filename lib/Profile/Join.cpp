//===- Join.cpp - which node of a model an event is -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Profile/Join.h"
#include "JoinIndex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace roofline::profile {

StringRef name(JoinRule rule) {
  switch (rule) {
  case JoinRule::Index:
    return "index";
  case JoinRule::Exact:
    return "exact";
  case JoinRule::Position:
    return "position";
  case JoinRule::Fused:
    return "fused";
  case JoinRule::Renamed:
    return "renamed";
  case JoinRule::Output:
    return "output";
  case JoinRule::Shape:
    return "shape";
  case JoinRule::Made:
    return "made";
  case JoinRule::None:
    return "none";
  }
  return "";
}

namespace {

class Joiner {
public:
  Joiner(ArrayRef<ModelNode> nodes, Format format,
         ArrayRef<Measurement> measurements)
      : index(nodes), format(format), measurements(measurements),
        joined(measurements.size()), isTaken(nodes.size()) {}
  std::vector<Joined> take();

private:
  bool byIndex(unsigned item);
  bool byName(unsigned item);
  bool byFusedName(unsigned item, StringRef name);
  bool byRenamed(unsigned item, StringRef name);
  bool byOutput(unsigned item);
  void byPosition();
  void byShape();
  void infer();
  bool isRewritten() const;
  void set(unsigned item, JoinRule rule, std::vector<unsigned> nodes,
           std::optional<unsigned> node);

  JoinIndex index;
  const Format format;
  ArrayRef<Measurement> measurements;
  std::vector<Joined> joined;
  std::vector<bool> isTaken; ///< by node
};

} // namespace

void Joiner::set(unsigned item, JoinRule rule, std::vector<unsigned> nodes,
                 std::optional<unsigned> node) {
  llvm::sort(nodes);
  for (unsigned taken : nodes)
    isTaken[taken] = true;
  joined[item].rule = rule;
  joined[item].nodes = std::move(nodes);
  joined[item].node = node;
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

/// The file was measured on a report's rows; of another model their ops differ.
bool Joiner::byIndex(unsigned item) {
  const Measurement &measured = measurements[item];
  if (measured.rows.empty())
    return false;
  for (unsigned row : measured.rows)
    if (row >= index.nodes.size() ||
        (!measured.opType.empty() &&
         index.nodes[row].opType != measured.opType))
      return false;
  set(item, JoinRule::Index, measured.rows, measured.rows.front());
  return true;
}

/// "NAME_token_12" is onnxruntime's NAME made unique.
static bool dropToken(StringRef &name) {
  auto [base, number] = name.rsplit("_token_");
  if (number.empty() || !all_of(number, isDigit))
    return false;
  name = base;
  return true;
}

/// NODE/MatMulAddFusion, NODE/LayerNormFusion/, fused NODE.
bool Joiner::byFusedName(unsigned item, StringRef name) {
  const std::string &opType = measurements[item].opType;
  bool isFused = name.consume_front("fused ");
  while (true) {
    name = name.rtrim('/');
    if (isFused) {
      std::vector<unsigned> found = index.named(name, opType);
      if (!found.empty()) {
        set(item, JoinRule::Fused, {found.front()}, found.front());
        return true;
      }
    }
    auto [base, part] = name.rsplit('/');
    if (part.empty() || !part.contains("Fusion"))
      return false;
    name = base;
    isFused = true;
  }
}

bool Joiner::byRenamed(unsigned item, StringRef name) {
  for (StringRef suffix : {"_new_reshape", "_nhwc"}) {
    StringRef base = name;
    if (!base.consume_back(suffix))
      continue;
    std::vector<unsigned> found = index.named(base, measurements[item].opType);
    if (found.empty())
      continue;
    set(item, JoinRule::Renamed, {found.front()}, found.front());
    return true;
  }
  return false;
}

/// VALUE_nchwc is the kernel that ends by writing VALUE; the op of its type
/// that comes nearest before VALUE is where it begins.
bool Joiner::byOutput(unsigned item) {
  const Measurement &measured = measurements[item];
  StringRef value = measured.name;
  bool isBlocked = value.consume_back("_nchwc");
  std::optional<unsigned> last = index.producer(value);
  if (!last)
    return false;
  std::vector<unsigned> chain = {*last};
  if (isBlocked)
    chain = index.chainTo(*last, measured.opType);
  set(item, JoinRule::Output, std::move(chain), last);
  return true;
}

bool Joiner::byName(unsigned item) {
  const Measurement &measured = measurements[item];
  if (measured.name.empty())
    return false;
  std::vector<unsigned> found = index.named(measured.name, measured.opType);
  if (!found.empty()) {
    unsigned first = found.front();
    set(item, JoinRule::Exact, std::move(found), first);
    return true;
  }
  StringRef name = measured.name, base = name;
  bool isUnique = dropToken(base);
  return byFusedName(item, name) || (isUnique && byFusedName(item, base)) ||
         byRenamed(item, name) || (isUnique && byRenamed(item, base)) ||
         byOutput(item);
}

//===----------------------------------------------------------------------===//
// By position
//===----------------------------------------------------------------------===//

namespace {
struct PositionName {
  unsigned position, item;
};
} // namespace

/// The number of OPTYPE_NUMBER.
static std::optional<unsigned> positionOf(const Measurement &measured) {
  StringRef digits = measured.name;
  unsigned position;
  if (measured.opType.empty() || !digits.consume_front(measured.opType) ||
      !digits.consume_front("_") || digits.getAsInteger(10, position))
    return std::nullopt;
  return position;
}

/// Nodes without a name are called by their position in the file. Rows may
/// leave nodes out that cost nothing, so where as many were measured as there
/// are, their order joins them; else the positions must all fit as they are.
void Joiner::byPosition() {
  std::map<StringRef, std::vector<PositionName>> byType;
  for (unsigned item = 0; item < measurements.size(); ++item)
    if (!joined[item].isNode())
      if (std::optional<unsigned> position = positionOf(measurements[item]))
        byType[measurements[item].opType].push_back({*position, item});
  auto isUnnamed = [&](unsigned node, StringRef opType) {
    const ModelNode &candidate = index.nodes[node];
    bool hasNoName =
        candidate.name.empty() || (!candidate.outputs.empty() &&
                                   candidate.name == candidate.outputs.front());
    return hasNoName && candidate.opType == opType && !isTaken[node];
  };
  bool fits = true;
  for (const auto &[opType, items] : byType)
    for (const PositionName &item : items)
      fits &= item.position < index.nodes.size() &&
              isUnnamed(item.position, opType);
  for (auto &[opType, items] : byType) {
    llvm::sort(items, [](const PositionName &a, const PositionName &b) {
      return a.position < b.position;
    });
    std::vector<unsigned> unnamed;
    for (unsigned node = 0; node < index.nodes.size(); ++node)
      if (isUnnamed(node, opType))
        unnamed.push_back(node);
    bool isInOrder = unnamed.size() == items.size();
    if (!isInOrder && !fits)
      continue;
    for (auto [at, item] : enumerate(items)) {
      unsigned node = isInOrder ? unnamed[at] : item.position;
      set(item.item, JoinRule::Position, {node}, node);
    }
  }
}

//===----------------------------------------------------------------------===//
// By type and shape
//===----------------------------------------------------------------------===//

/// "aten::layer_norm" and "LayerNorm" alike.
static std::string typeKey(StringRef opType) {
  std::string key;
  for (char c :
       opType.rsplit("::").second.empty() ? opType : opType.rsplit("::").second)
    if (c != '_')
      key += toLower(c);
  return key;
}

/// The op type and the shapes; "" where either isn't known.
static std::string shapeKey(StringRef opType, ArrayRef<TensorShape> inputs) {
  if (opType.empty() || inputs.empty())
    return "";
  std::string key = typeKey(opType);
  for (const TensorShape &input : inputs) {
    key += ';';
    for (int64_t size : input.shape) {
      if (size < 0)
        return "";
      key += std::to_string(size) + ",";
    }
  }
  return key;
}

/// Only where as many were measured as the model has, one by one in order, or
/// one measurement holds them all.
void Joiner::byShape() {
  std::map<std::string, std::vector<unsigned>> rows, items;
  for (unsigned node = 0; node < index.nodes.size(); ++node)
    if (!isTaken[node])
      rows[shapeKey(index.nodes[node].opType, index.nodes[node].inputShapes)]
          .push_back(node);
  for (unsigned item = 0; item < measurements.size(); ++item) {
    const Measurement &measured = measurements[item];
    if (joined[item].isNode() || isDeviceWork(measured.category) ||
        measured.category == Category::Call)
      continue;
    StringRef opType =
        measured.opType.empty() ? measured.name : measured.opType;
    items[shapeKey(opType, measured.inputs)].push_back(item);
  }
  rows.erase("");
  for (const auto &[key, nodes] : rows) {
    auto found = items.find(key);
    if (found == items.end())
      continue;
    const std::vector<unsigned> &alike = found->second;
    if (alike.size() == 1)
      set(alike.front(), JoinRule::Shape, nodes, nodes.front());
    else if (alike.size() == nodes.size())
      for (auto [item, node] : zip(alike, nodes))
        set(item, JoinRule::Shape, {node}, node);
  }
}

//===----------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------===//

/// A node without a time of its own was fused, folded or dropped. It is held to
/// be part of a fused neighbour where there is exactly one.
void Joiner::infer() {
  constexpr unsigned none = ~0U;
  std::vector<unsigned> owner(index.nodes.size(), none);
  for (unsigned item = 0; item < joined.size(); ++item)
    if (joined[item].rule == JoinRule::Fused)
      for (unsigned node : joined[item].nodes)
        owner[node] = item;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned node = 0; node < index.nodes.size(); ++node) {
      if (isTaken[node])
        continue;
      unsigned only = none;
      bool isAmbiguous = false;
      for (unsigned neighbour : index.neighbours(node)) {
        isAmbiguous |= owner[neighbour] != none && only != none &&
                       owner[neighbour] != only;
        if (owner[neighbour] != none)
          only = owner[neighbour];
      }
      if (only == none || isAmbiguous)
        continue;
      owner[node] = only;
      isTaken[node] = true;
      joined[only].inferred.push_back(node);
      changed = true;
    }
  }
  for (Joined &one : joined)
    llvm::sort(one.inferred);
}

/// Names that onnxruntime gives to nodes which it puts in.
static bool isRuntimeName(StringRef name) {
  StringRef base = name;
  if (dropToken(base))
    return true;
  for (StringRef prefix :
       {"gemm_input_reshape", "gemm_output_reshape", "ReorderInput",
        "ReorderOutput", "InsertedPrecisionFreeCast_", "Memcpy"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

/// Whether the runtime changed the model before it ran it.
bool Joiner::isRewritten() const {
  for (auto [one, measured] : zip(joined, measurements)) {
    if (one.rule == JoinRule::Fused || one.rule == JoinRule::Renamed)
      return true;
    if (one.rule == JoinRule::Output &&
        StringRef(measured.name).ends_with("_nchwc"))
      return true;
    if (!one.isNode() && isRuntimeName(measured.name))
      return true;
  }
  return false;
}

std::vector<Joined> Joiner::take() {
  bool namesFit = false;
  for (unsigned item = 0; item < measurements.size(); ++item)
    namesFit |= byIndex(item) || byName(item);
  byPosition();
  for (const Joined &one : joined)
    namesFit |= one.rule == JoinRule::Position;
  // Where names fit, what has none of the model's isn't looked for by its
  // shape: a runtime that rewrites the model adds nodes, and one that doesn't
  // runs nodes which have no row, as those that compute shapes.
  bool isRuntime = format == Format::OnnxRuntime && namesFit;
  if (!isRuntime)
    byShape();
  else if (isRewritten())
    for (unsigned item = 0; item < measurements.size(); ++item)
      if (!joined[item].isNode() &&
          measurements[item].category == Category::Node)
        joined[item].rule = JoinRule::Made;
  infer();
  return std::move(joined);
}

std::vector<Joined> join(ArrayRef<ModelNode> nodes, Format format,
                         ArrayRef<Measurement> measurements) {
  return Joiner(nodes, format, measurements).take();
}

} // namespace roofline::profile
