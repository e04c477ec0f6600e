//===- ControlFlow.cpp - types through If, Loop, Scan ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Infers the graphs inside If, Loop, Scan and SequenceMap, and with them which
// branch runs and how often a body does. If is here, the others in Loops.cpp.
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "ConditionInputs.h"

using namespace llvm;

namespace roofline::onnx_import {

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

bool sameDims(ArrayRef<MaybeDim> a, ArrayRef<MaybeDim> b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

ValueType commonType(const ValueType &a, const ValueType &b, bool &differ) {
  ValueType result;
  if (a.kind != b.kind) {
    differ = true;
    return result;
  }
  result = a;
  if (a.onnxElem != b.onnxElem) {
    differ = true;
    result.onnxElem = 0;
    result.elem = ElementType::Unknown;
  }
  if (a.length != b.length) {
    differ = true;
    result.length.reset();
  }
  if (!a.ranked || !b.ranked || a.dims.size() != b.dims.size()) {
    differ |= a.ranked || b.ranked;
    result.ranked = false;
    result.dims.clear();
    return result;
  }
  for (auto [dim, other] : zip(result.dims, b.dims))
    if (dim != other) {
      differ = true;
      dim.reset();
    }
  return result;
}

const Scalar *scalarConstant(const Value *value) {
  if (!value || !value->constant || value->constant->elements.size() != 1)
    return nullptr;
  return &value->constant->elements.front();
}

namespace {
std::optional<int64_t> knownNumber(const Value *value) {
  const Scalar *scalar = scalarConstant(value);
  const Expr *expr = scalar ? asExpr(*scalar) : nullptr;
  return expr ? expr->asInt64() : std::nullopt;
}
} // namespace

std::optional<bool> knownCondition(const Value *value) {
  if (!value || value->dataDependent)
    return std::nullopt;
  std::optional<int64_t> number = knownNumber(value);
  return number ? std::optional<bool>(*number != 0) : std::nullopt;
}

void copyKnown(Value &to, const Value &from) {
  to.type = from.type;
  to.constant = from.constant;
  to.dataDependent = from.dataDependent;
}

void forget(Graph &graph) {
  for (Value &value : graph.values)
    if (value.origin == Value::Computed) {
      value.type = ValueType();
      value.constant = nullptr;
      value.dataDependent = false;
    }
}

bool inferUnneeded(Graph &graph, InferContext &ctx) {
  size_t warnings = ctx.model.warnings.size();
  ++ctx.unneededDepth;
  Error error = inferGraph(graph, ctx);
  --ctx.unneededDepth;
  ctx.model.warnings.resize(warnings);
  if (!error)
    return true;
  consumeError(std::move(error));
  forget(graph);
  return false;
}

namespace {

bool sameConstant(const Value &a, const Value &b) {
  return a.constant && b.constant &&
         (a.constant == b.constant ||
          a.constant->elements == b.constant->elements);
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

/// The rank that the file states for a value, -1 where it doesn't.
int declaredRank(const Value &value) {
  if (!value.declared || !value.declared->has_tensor_type() ||
      !value.declared->tensor_type().has_shape())
    return -1;
  return value.declared->tensor_type().shape().dim_size();
}

/// Sizes that differ between two branches: the greater, where both are known.
void mergeBranchDims(Value &output, const Value &a, const Value &b) {
  for (auto [dim, first, second] :
       zip(output.type.dims, a.type.dims, b.type.dims)) {
    if (first == second)
      continue;
    output.dataDependent = true;
    if (first && second)
      dim = Expr::max(*first, *second);
  }
}

/// What an If yields when either branch may run.
void mergeBranches(Value &output, const Value &a, const Value &b) {
  bool differ = false;
  output.type = commonType(a.type, b.type, differ);
  output.dataDependent = a.dataDependent || b.dataDependent;
  if (sameConstant(a, b))
    output.constant = a.constant;
  if (!differ)
    return;
  if (output.type.ranked)
    return mergeBranchDims(output, a, b);
  // Branches of different rank: exporters guard a Squeeze that way, and state
  // the rank that comes out.
  int rank = declaredRank(output);
  for (const Value *branch : {&a, &b})
    if (branch->type.kind == ValueType::Tensor && branch->type.ranked &&
        int(branch->type.dims.size()) == rank) {
      output.type = branch->type;
      output.dataDependent = true;
      return;
    }
}

/// Infers both branches of an If of which either may run. One that can't be is
/// left out of account: exporters leave branches that no input reaches.
Error inferBothBranches(Node &node, InferContext &ctx, bool (&valid)[2]) {
  Error first = Error::success();
  for (unsigned i = 0; i < 2; ++i) {
    Error error = inferGraph(*node.subgraphs[i], ctx);
    valid[i] = !error;
    if (!error)
      continue;
    forget(*node.subgraphs[i]);
    if (first) {
      consumeError(std::move(error));
      return first;
    }
    first = std::move(error);
  }
  if (valid[0] && valid[1])
    return first;
  ctx.warn(node, "its " + Twine(valid[0] ? "else" : "then") +
                     " branch can't run: " + toString(std::move(first)));
  return Error::success();
}

Error inferIf(Node &node, InferContext &ctx) {
  if (node.subgraphs.size() != 2)
    return nodeError(node, "an If needs a then_branch and an else_branch");
  bool valid[2] = {true, true};
  if (std::optional<bool> condition = knownCondition(node.input(0))) {
    node.taken = *condition ? 0 : 1;
    inferUnneeded(*node.subgraphs[1 - *node.taken], ctx);
    if (Error error = inferGraph(*node.subgraphs[*node.taken], ctx))
      return error;
  } else {
    suggestValue(node, ctx);
    if (Error error = inferBothBranches(node, ctx, valid))
      return error;
  }
  auto branchOutput = [&](unsigned branch, unsigned i) -> const Value * {
    const auto &outputs = node.subgraphs[branch]->outputs;
    return i < outputs.size() ? outputs[i] : nullptr;
  };
  std::optional<unsigned> only = node.taken;
  if (!only && !(valid[0] && valid[1]))
    only = valid[0] ? 0 : 1;
  for (auto [i, output] : enumerate(node.outputs)) {
    if (!output)
      continue;
    if (only) {
      if (const Value *value = branchOutput(*only, i))
        copyKnown(*output, *value);
      continue;
    }
    const Value *thenValue = branchOutput(0, i),
                *elseValue = branchOutput(1, i);
    if (thenValue && elseValue)
      mergeBranches(*output, *thenValue, *elseValue);
  }
  return Error::success();
}

} // namespace

Error inferControlFlow(Node &node, InferContext &ctx) {
  StringRef op = node.domain().empty() ? node.opType() : StringRef();
  if (op == "If")
    return inferIf(node, ctx);
  if (op == "Loop")
    return inferLoop(node, ctx);
  if (op == "Scan")
    return inferScan(node, ctx);
  if (op == "SequenceMap")
    return inferSequenceMap(node, ctx);
  // A foreign op that holds graphs: nothing tells when they run.
  for (auto &graph : node.subgraphs)
    inferUnneeded(*graph, ctx);
  return Error::success();
}

} // namespace roofline::onnx_import
