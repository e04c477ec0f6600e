//===- Signatures.cpp - do a node and its graphs agree on counts ----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A control node and the graphs in it pair values by position. What comes
// after pairs without asking, so the counts are checked once names are known.
//
//===----------------------------------------------------------------------===//

#include "Signatures.h"

using namespace llvm;

namespace roofline::onnx_import {

static std::string count(size_t n, const char *what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

static Error checkIf(const Node &node) {
  const char *const names[] = {"then_branch", "else_branch"};
  for (auto [name, branch] : zip(names, node.subgraphs))
    if (branch->outputs.size() != node.outputs.size())
      return nodeError(node, "branch '" + Twine(name) + "' gives " +
                                 count(branch->outputs.size(), "value") +
                                 ", the node " + Twine(node.outputs.size()));
  return Error::success();
}

/// A body that takes and gives so many values; `inputsAre` and `outputsAre` say
/// what they are.
static Error checkBody(const Node &node, size_t numInputs,
                       const Twine &inputsAre, size_t numOutputs,
                       const Twine &outputsAre) {
  const Graph &body = *node.subgraphs.front();
  if (body.inputs.size() != numInputs)
    return nodeError(node, "its body takes " +
                               count(body.inputs.size(), "input") +
                               ", the node gives " + Twine(numInputs) + " (" +
                               inputsAre + ")");
  if (body.outputs.size() != numOutputs)
    return nodeError(node, "its body gives " +
                               count(body.outputs.size(), "value") +
                               ", the node takes " + Twine(numOutputs) + " (" +
                               outputsAre + ")");
  return Error::success();
}

/// Where a node has fewer outputs than carried values, the latter are what the
/// body must give at least.
static size_t collected(size_t numOutputs, size_t carried) {
  return numOutputs > carried ? numOutputs - carried : 0;
}

static Error checkLoop(const Node &node) {
  size_t carried = node.inputs.size() > 2 ? node.inputs.size() - 2 : 0;
  size_t scans = collected(node.outputs.size(), carried);
  return checkBody(node, 2 + carried,
                   "iteration, condition, " + Twine(carried) + " carried",
                   1 + carried + scans,
                   "condition, " + Twine(carried) + " carried, " +
                       Twine(scans) + " collected");
}

static Error checkScan(const Node &node) {
  // Up to version 8 the lengths of the sequences come first.
  size_t before = node.opsetVersion < 9 ? 1 : 0;
  int64_t operands = int64_t(node.inputs.size()) - int64_t(before);
  int64_t scanned = node.attributeInt("num_scan_inputs", 0);
  if (scanned < 1 || scanned > operands)
    return nodeError(
        node, "num_scan_inputs is " + Twine(scanned) + ", the node has " +
                  count(size_t(std::max<int64_t>(operands, 0)), "operand") +
                  " to scan or carry");
  size_t states = size_t(operands - scanned);
  size_t scans = collected(node.outputs.size(), states);
  return checkBody(node, size_t(operands),
                   Twine(states) + " carried, " + Twine(scanned) + " scanned",
                   states + scans,
                   Twine(states) + " carried, " + Twine(scans) + " collected");
}

static Error checkSequenceMap(const Node &node) {
  return checkBody(node, node.inputs.size(), "one for each operand",
                   node.outputs.size(), "one for each output");
}

Error checkSignature(const Node &node) {
  if (node.subgraphs.empty() || !node.domain().empty())
    return Error::success();
  StringRef op = node.opType();
  if (op == "If")
    return checkIf(node);
  if (op == "Loop")
    return checkLoop(node);
  if (op == "Scan")
    return checkScan(node);
  if (op == "SequenceMap")
    return checkSequenceMap(node);
  return Error::success();
}

} // namespace roofline::onnx_import
