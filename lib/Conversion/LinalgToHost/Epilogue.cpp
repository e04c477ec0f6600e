//===- Epilogue.cpp - what is done to a product's results -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "Emit.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace roofline::host {

/// Whether nothing but these two ops reads or writes an allocation.
static bool isPrivate(Value buffer, Operation *one, Operation *other) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(user))
      return llvm::all_of(view->getResults(), [&](Value result) {
        return isPrivate(result, one, other);
      });
    return user == one || user == other ||
           isa<memref::DeallocOp, linalg::FillOp>(user);
  });
}

/// Strides along `nest`'s loops of an access of `next`, by way of the buffer
/// that both walk through (`made` and `read`): a step of the one that moves
/// through it as k steps of a loop of the other moves the access as those do.
static std::optional<Access> onLoops(const Access &access, const Nest &nest,
                                     const Access &made, const Nest &next,
                                     const Access &read) {
  Access result = access;
  result.strides.assign(nest.loops.size(), 0);
  for (auto [l, loop] : llvm::enumerate(nest.loops)) {
    int64_t step = made.strides[l];
    if (loop.isReduction || loop.size == 1)
      continue;
    // The loop with the largest stride that isn't larger.
    std::optional<unsigned> best;
    for (unsigned other = 0; other < next.loops.size(); ++other)
      if (read.strides[other] > 0 && read.strides[other] <= step &&
          (!best || read.strides[other] > read.strides[*best]))
        best = other;
    if (!best || step % read.strides[*best] != 0)
      return std::nullopt;
    int64_t factor = step / read.strides[*best];
    if (factor * (loop.size - 1) >= next.loops[*best].size)
      return std::nullopt;
    result.strides[l] = factor * access.strides[*best];
  }
  return result;
}

static int64_t parallelSize(const Nest &nest) {
  int64_t size = 1;
  for (const Loop &loop : nest.loops)
    if (!loop.isReduction)
      size *= loop.size;
  return size;
}

std::optional<Epilogue> epilogueOf(const Nest &nest, const Nest &given) {
  Nest next = given;
  if (nest.numOutputs() != 1 || next.numOutputs() != 1 ||
      llvm::any_of(next.loops, [](const Loop &l) { return l.isReduction; }) ||
      !isVectorizable(next))
    return std::nullopt;
  next.simplify();
  const Access &made = nest.output(0);
  Value root = rootOf(made.buffer);
  if (!root.getDefiningOp<memref::AllocOp>() ||
      !isPrivate(root, nest.op, next.op) ||
      parallelSize(nest) != parallelSize(next) || made.start || made.offset)
    return std::nullopt;
  // All that reads the result walks through it in the same way.
  const Access *read = nullptr;
  for (unsigned i = 0; i < next.numInputs(); ++i) {
    const Access &access = next.accesses[i];
    if (rootOf(access.buffer) != root)
      continue;
    if (access.start || access.offset ||
        (read && read->strides != access.strides))
      return std::nullopt;
    read = &access;
  }
  if (!read || rootOf(next.output(0).buffer) == root ||
      llvm::is_contained(read->strides, 0) ||
      !next.body().getArguments().back().use_empty())
    return std::nullopt;
  Epilogue epilogue;
  epilogue.op = next.op;
  for (auto [i, access] : llvm::enumerate(next.accesses)) {
    epilogue.accesses.emplace_back();
    if (i < next.numInputs() && rootOf(access.buffer) == root)
      continue;
    std::optional<Access> moved = onLoops(access, nest, made, next, *read);
    if (!moved)
      return std::nullopt;
    epilogue.accesses.back() = std::move(moved);
  }
  return epilogue;
}

} // namespace roofline::host
