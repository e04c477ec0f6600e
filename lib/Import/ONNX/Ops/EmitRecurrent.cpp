//===- EmitRecurrent.cpp - LSTM, GRU, RNN ---------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"

using namespace llvm;

namespace roofline::onnx_import {

/// X, W, R, B, sequence_lens, initial_h, initial_c, P. With `layout` 1 the
/// batch stands before the steps.
static void emitRecurrent(Node &node, EmitContext &context, StringRef kind) {
  const Value *x = node.input(0), *r = node.input(2);
  bool batchFirst = node.attributeInt("layout", 0) == 1;
  int64_t directions =
      node.attributeString("direction", "forward") == "bidirectional" ? 2 : 1;
  MaybeDim hidden = dimOf(r, -1);
  if (int64_t stated = node.attributeInt("hidden_size", 0); stated > 0)
    hidden = Expr(stated);
  MaybeDim extents[] = {dimOf(x, batchFirst ? 1 : 0),
                        dimOf(x, batchFirst ? 0 : 1), dimOf(x, 2), hidden,
                        Expr(directions)};
  context.bind(node, rl::RecurrentOp::create(
                         context.builder, context.loc(node),
                         context.outputTypes(node), context.string(kind),
                         context.present(node.inputs), context.dims(extents),
                         context.unitIf(node.input(3)),
                         context.unitIf(node.input(7))));
}

/// com.microsoft.DynamicQuantizeLSTM: W is [directions, I, 4H], R is
/// [directions, H, 4H]; scales and zero points follow the LSTM's operands.
/// The products' operands are quantised at each step: the input's rows once,
/// the hidden state's with every step.
static void emitDynamicQuantizeLSTM(Node &node, EmitContext &context) {
  const Value *x = node.input(0);
  int64_t directions =
      node.attributeString("direction", "forward") == "bidirectional" ? 2 : 1;
  MaybeDim hidden = dividedBy(dimOf(node.input(2), 2), Expr(4));
  if (int64_t stated = node.attributeInt("hidden_size", 0); stated > 0)
    hidden = Expr(stated);
  MaybeDim steps = dimOf(x, 0), batch = dimOf(x, 1);
  MaybeDim extents[] = {steps, batch, dimOf(x, 2), hidden, Expr(directions)};
  context.fused(node, [&] {
    mlir::Type quantized = context.elementType(onnx::TensorProto::UINT8);
    IRValues inputs = context.present(node.inputs);
    mlir::Value rows =
        quantizePart(node, context, "dynamic", inputs.front(),
                     withElement(inputs.front().getType(), quantized));
    // The states that a step reads, of all steps and directions.
    mlir::Type states = context.tensorType(
        elementOf(inputs.front()), {steps, Expr(directions), batch, hidden});
    mlir::Value state =
        rl::FillOp::create(context.builder, context.loc(node), states);
    inputs.push_back(rows);
    inputs.push_back(quantizePart(node, context, "dynamic", state,
                                  withElement(states, quantized)));
    auto recurrent = rl::RecurrentOp::create(
        context.builder, context.loc(node), context.outputTypes(node),
        context.string("lstm"), inputs, context.dims(extents),
        context.unitIf(node.input(3)), context.unitIf(node.input(7)));
    return IRValues(recurrent->result_begin(), recurrent->result_end());
  });
}

void registerRecurrentEmit(RuleTable &table) {
  table.emit("LSTM",
             [](Node &n, EmitContext &c) { emitRecurrent(n, c, "lstm"); });
  table.emit("GRU",
             [](Node &n, EmitContext &c) { emitRecurrent(n, c, "gru"); });
  table.emit("RNN",
             [](Node &n, EmitContext &c) { emitRecurrent(n, c, "rnn"); });
  table.emit("DynamicQuantizeLSTM", emitDynamicQuantizeLSTM, microsoft);
}

} // namespace roofline::onnx_import
