//===- Functions.cpp - a model's local functions --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

static std::string key(StringRef domain, StringRef name, StringRef overload) {
  return (normalizedDomain(domain) + Twine('\0') + name + Twine('\0') +
          overload)
      .str();
}

FunctionTable::FunctionTable(const onnx::ModelProto &model) {
  for (const onnx::FunctionProto &function : model.functions())
    functions.try_emplace(
        key(function.domain(), function.name(), function.overload()),
        &function);
}

const onnx::FunctionProto *
FunctionTable::find(const onnx::NodeProto &node) const {
  if (functions.empty())
    return nullptr;
  auto found =
      functions.find(key(node.domain(), node.op_type(), node.overload()));
  return found == functions.end() ? nullptr : found->second;
}

Error FunctionTable::checkExpansion(const onnx::GraphProto &graph) {
  if (functions.empty())
    return Error::success();
  Size size;
  return addNodes(graph.node(), size);
}

template <typename Nodes>
Error FunctionTable::addNodes(const Nodes &nodes, Size &size) {
  for (const onnx::NodeProto &node : nodes)
    if (Error error = addNode(node, size))
      return error;
  if (size.nodes > maxExpandedNodes)
    return createStringError("the model's functions expand to more nodes than "
                             "the limit of " +
                             Twine(maxExpandedNodes));
  return Error::success();
}

Error FunctionTable::addNode(const onnx::NodeProto &node, Size &size) {
  // Wide nodes take more memory.
  uint64_t own = 1 + (node.input_size() + node.output_size()) / 16;
  size.nodes = SaturatingAdd(size.nodes, own);
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      if (Error error = addNodes(attribute.g().node(), size))
        return error;
    for (const onnx::GraphProto &inner : attribute.graphs())
      if (Error error = addNodes(inner.node(), size))
        return error;
  }
  const onnx::FunctionProto *callee = find(node);
  if (!callee)
    return Error::success();
  Expected<Size> expanded = sizeOf(*callee);
  if (!expanded)
    return expanded.takeError();
  size.nodes = SaturatingAdd(size.nodes, expanded->nodes);
  size.nesting = std::max(size.nesting, expanded->nesting + 1);
  return Error::success();
}

/// "'f' calls itself (f, g, f)".
static Error recursion(ArrayRef<const onnx::FunctionProto *> cycle) {
  std::string path;
  for (const onnx::FunctionProto *function : cycle)
    path += function->name() + ", ";
  const std::string &name = cycle.front()->name();
  return createStringError("function '" + name + "' calls itself" +
                           (cycle.size() > 1 ? " (" + path + name + ")" : "") +
                           ": ONNX functions can't recurse");
}

Expected<FunctionTable::Size>
FunctionTable::sizeOf(const onnx::FunctionProto &function) {
  if (auto known = sizes.find(&function); known != sizes.end()) {
    if (calls.size() + known->second.nesting < maxNesting)
      return known->second;
  } else if (auto open = std::find(calls.begin(), calls.end(), &function);
             open != calls.end()) {
    return recursion({&*open, static_cast<size_t>(calls.end() - open)});
  }
  if (calls.size() >= maxNesting)
    return createStringError("functions call each other deeper than the limit "
                             "of " +
                             Twine(maxNesting) + " levels, at '" +
                             function.name() + "'");
  calls.push_back(&function);
  Size size;
  if (Error error = addNodes(function.node(), size))
    return std::move(error);
  calls.pop_back();
  return sizes[&function] = size;
}
