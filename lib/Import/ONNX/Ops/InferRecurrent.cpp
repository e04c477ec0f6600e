//===- InferRecurrent.cpp - LSTM, GRU, RNN --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferSupport.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

Error onnx_import::setRecurrent(Node &node, InferContext &ctx,
                                MaybeDim directions) {
  bool batchFirst = node.attributeInt("layout", 0);
  StringRef direction = node.attributeString("direction", "forward");
  if (node.attribute("direction") || !directions)
    directions = Expr(direction == "bidirectional" ? 2 : 1);
  MaybeDim hidden;
  if (node.attribute("hidden_size"))
    hidden = Expr(node.attributeInt("hidden_size", 0));
  else
    hidden = dimOf(ctx, node, 2, 2);
  MaybeDim steps = dimOf(ctx, node, 0, batchFirst ? 1 : 0);
  MaybeDim batch = dimOf(ctx, node, 0, batchFirst ? 0 : 1);
  if (const MaybeDims *input = ctx.dims(node, 0); input && input->size() != 3)
    return nodeError(node, "the input " + str(*input) + " has rank " +
                               Twine(input->size()) + ", 3 is needed");
  MaybeDims all = batchFirst ? MaybeDims{batch, steps, directions, hidden}
                             : MaybeDims{steps, directions, batch, hidden};
  MaybeDims last = batchFirst ? MaybeDims{batch, directions, hidden}
                              : MaybeDims{directions, batch, hidden};
  ctx.setTensorLike(node, 0, 0, all);
  ctx.setTensorLike(node, 1, 0, last);
  ctx.setTensorLike(node, 2, 0, last);
  return Error::success();
}

/// Gates stand one after the other in the second dimension of W.
static Error inferGated(Node &node, InferContext &ctx, int64_t gates) {
  MaybeDim rows = dimOf(ctx, node, 1, 1);
  MaybeDim width = dimOf(ctx, node, 1, 2), given = dimOf(ctx, node, 0, 2);
  if (differ(width, given))
    return nodeError(node, "the input has " + str(given) +
                               " features, the weights take " + str(width));
  int64_t hidden = node.attributeInt("hidden_size", 0);
  if (hidden && differ(rows, Expr(gates * hidden)))
    return nodeError(node, "the weights have " + str(rows) +
                               " rows, a hidden size of " + Twine(hidden) +
                               " needs " + Twine(gates * hidden));
  return setRecurrent(node, ctx);
}

static Error inferLSTM(Node &node, InferContext &ctx) {
  return inferGated(node, ctx, 4);
}
static Error inferGRU(Node &node, InferContext &ctx) {
  return inferGated(node, ctx, 3);
}
static Error inferRNN(Node &node, InferContext &ctx) {
  return inferGated(node, ctx, 1);
}

void onnx_import::registerRecurrentInfer(RuleTable &table) {
  table.infer("LSTM", inferLSTM);
  table.infer("GRU", inferGRU);
  table.infer("RNN", inferRNN);
}
