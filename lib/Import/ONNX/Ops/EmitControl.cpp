//===- EmitControl.cpp - If, Loop, Scan -----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions use values from outside as they are. A result that the node leaves
// out is neither yielded nor a result.
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"

using namespace llvm;

namespace roofline::onnx_import {

static void yield(Node &node, EmitContext &context, ArrayRef<Value *> values) {
  IRValues results;
  for (auto [i, value] : llvm::enumerate(values))
    if (node.output(i))
      results.push_back(context.value(value));
  rl::YieldOp::create(context.builder, context.loc(node), results);
}

/// Inside one kernel only the branch that runs is there.
static void emitTaken(Node &node, EmitContext &context) {
  Graph &graph = *node.subgraphs[*node.taken];
  context.emit(graph);
  for (auto [output, result] : llvm::zip(node.outputs, graph.outputs))
    if (output)
      output->emitted = context.value(result);
}

static void emitIf(Node &node, EmitContext &context) {
  if (node.subgraphs.size() != 2)
    return context.emitOpaque(node);
  if (node.taken && context.isInComposite())
    return emitTaken(node, context);
  // A condition that the importer knows is the host's.
  mlir::Value condition;
  if (!node.taken && node.input(0))
    condition = context.value(node.input(0));
  auto op = rl::IfOp::create(
      context.builder, context.loc(node), context.outputTypes(node), condition,
      node.taken ? context.integer(*node.taken) : mlir::IntegerAttr());
  mlir::Region *regions[] = {&op.getThenRegion(), &op.getElseRegion()};
  for (auto [region, graph] : llvm::zip(regions, node.subgraphs)) {
    mlir::OpBuilder::InsertionGuard guard(context.builder);
    context.builder.createBlock(region);
    context.emit(*graph);
    yield(node, context, graph->outputs);
  }
  context.bind(node, op);
}

namespace {
/// A loop's body and how its arguments and results go with the node's.
struct LoopForm {
  Graph *body = nullptr;
  IRValues inits;                 ///< one for each argument but the first
  SmallVector<Value *> arguments; ///< of the body, one for each init
  Value *iteration = nullptr;     ///< of the body
  ArrayRef<Value *> results;      ///< of the body, as the node's outputs
};
} // namespace

static void emitLoopOp(Node &node, EmitContext &context, const LoopForm &form) {
  mlir::OpBuilder &builder = context.builder;
  mlir::Location loc = context.loc(node);
  auto op = rl::LoopOp::create(builder, loc, context.outputTypes(node),
                               form.inits, context.dims(node.trips),
                               context.unitIf(node.tripsUpperBound));
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Type counter = mlir::RankedTensorType::get({}, builder.getI64Type());
    SmallVector<mlir::Type> types = {counter};
    for (const Value *argument : form.arguments)
      types.push_back(context.type(*argument));
    mlir::Block *block =
        builder.createBlock(&op.getBody(), {}, types,
                            SmallVector<mlir::Location>(types.size(), loc));
    if (form.iteration)
      form.iteration->emitted = block->getArgument(0);
    for (auto [i, argument] : llvm::enumerate(form.arguments))
      argument->emitted = block->getArgument(i + 1);
    context.emit(*form.body);
    yield(node, context, form.results);
  }
  context.bind(node, op);
}

/// M, cond, carried values; the body's are the iteration number, the condition,
/// the carried values; its results the condition, the carried values, and a
/// slice of each result that is stacked. The condition isn't carried: who ends
/// the loop is the host.
static void emitLoop(Node &node, EmitContext &context) {
  if (node.subgraphs.size() != 1)
    return context.emitOpaque(node);
  Graph *body = node.subgraphs.front().get();
  size_t carried = node.inputs.size() > 2 ? node.inputs.size() - 2 : 0;
  if (body->inputs.size() != carried + 2 || body->outputs.size() < carried + 1)
    return context.emitOpaque(node);
  LoopForm form;
  form.body = body;
  form.iteration = body->inputs[0];
  for (size_t i = 0; i < carried; ++i) {
    if (!node.inputs[i + 2])
      return context.emitOpaque(node);
    form.inits.push_back(context.value(node.inputs[i + 2]));
    form.arguments.push_back(body->inputs[i + 2]);
  }
  if (node.input(1) && body->inputs[1]->live)
    body->inputs[1]->emitted = context.value(node.input(1));
  form.results = ArrayRef(body->outputs).drop_front();
  emitLoopOp(node, context, form);
}

/// States, then scanned tensors, of which the body takes a slice each.
static void emitScan(Node &node, EmitContext &context) {
  // Up to opset 8 a batch is scanned as well, and lengths come first.
  if (node.subgraphs.size() != 1 || opsetOf(node) < 9)
    return context.emitOpaque(node);
  Graph *body = node.subgraphs.front().get();
  if (body->inputs.size() != node.inputs.size() ||
      llvm::is_contained(node.inputs, nullptr))
    return context.emitOpaque(node);
  LoopForm form;
  form.body = body;
  form.inits = context.present(node.inputs);
  form.arguments.assign(body->inputs.begin(), body->inputs.end());
  form.results = body->outputs;
  emitLoopOp(node, context, form);
}

void registerControlEmit(RuleTable &table) {
  table.emit("If", emitIf);
  table.emit("Loop", emitLoop);
  table.emit("Scan", emitScan);
}

} // namespace roofline::onnx_import
