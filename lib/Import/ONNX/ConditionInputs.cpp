//===- ConditionInputs.cpp - which inputs decide a branch -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A flag or a rate that picks a branch is often an input of the model. While it
// has no value both branches may run, and the report is an upper bound; most
// don't know that an option tells it.
//
//===----------------------------------------------------------------------===//

#include "ConditionInputs.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace roofline::onnx_import {
namespace {

/// Follows a condition back; what lies further than this is left alone.
constexpr unsigned maxNodes = 64;

bool isNumber(const Scalar &scalar) {
  const Expr *expr = asExpr(scalar);
  return expr ? expr->isConstant() : isKnown(scalar);
}

bool isKnownWholly(const Value &value) {
  return value.constant && !value.dataDependent &&
         all_of(value.constant->elements, isNumber);
}

/// An input of the model that --value can give: one integer or bool.
bool takesValue(const Value &value) {
  const ValueType &type = value.type;
  ElementKind elementKind = kind(type.elem);
  return value.origin == Value::Input && !value.graph->parent &&
         type.kind == ValueType::Tensor && type.ranked &&
         (elementKind == ElementKind::Integer ||
          elementKind == ElementKind::Bool) &&
         all_of(type.dims,
                [](const MaybeDim &dim) { return dim == MaybeDim(Expr(1)); });
}

/// The inputs that a value follows from; none where it follows from data or
/// sizes as well, or from what doesn't fold.
SmallVector<const Value *, 2> decidingInputs(const Value *value) {
  SmallSetVector<const Value *, 2> inputs;
  SmallPtrSet<const Node *, 16> seen;
  SmallVector<const Value *, 16> pending = {value};
  while (!pending.empty()) {
    const Value *next = pending.pop_back_val();
    if (!next || isKnownWholly(*next))
      continue;
    const Node *node = next->producer;
    if (!node) {
      if (!takesValue(*next))
        return {};
      inputs.insert(next);
      continue;
    }
    if (!seen.insert(node).second)
      continue;
    const OpRule *rule = node->rule;
    bool isOfSizes = node->opType() == "Shape" || node->opType() == "Size";
    if (seen.size() > maxNodes || !rule || !rule->fold || isOfSizes)
      return {};
    pending.append(node->inputs.begin(), node->inputs.end());
  }
  return inputs.takeVector();
}

} // namespace

void suggestValue(const Node &node, InferContext &ctx) {
  SmallVector<const Value *, 2> inputs = decidingInputs(node.input(0));
  if (inputs.empty())
    return;
  // In the order of the model's signature.
  llvm::sort(inputs, [&](const Value *a, const Value *b) {
    const auto &all = ctx.model.graph->inputs;
    return llvm::find(all, a) < llvm::find(all, b);
  });
  std::string names, options;
  for (const Value *input : inputs) {
    names += (names.empty() ? "'" : ", '") + input->name.str() + "'";
    options += (options.empty() ? "--value=" : ", --value=") +
               input->name.str() + "=…";
  }
  bool one = inputs.size() == 1;
  std::string message = "its condition depends on input" +
                        std::string(one ? " " : "s ") + names + "; " + options +
                        (one ? " decides" : " decide") + " the branch";
  if (none_of(ctx.model.warnings, [&](const ImportWarning &warning) {
        return warning.message == message;
      }))
    ctx.warn(node, message);
}

} // namespace roofline::onnx_import
