//===- Emit.cpp - a resolved, inferred graph to rl ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitContext.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace roofline::onnx_import {

void EmitContext::emit(Graph &graph) {
  for (const std::unique_ptr<Node> &node : graph.nodes)
    if (node->live)
      emit(*node);
}

/// Whether a node lacks the operand that says what it works on. Rules needn't
/// ask; such a node is listed as an op that isn't known.
static bool lacksFirstOperand(const Node &node) {
  bool needsNone = StringSwitch<bool>(node.opType())
                       .Cases({"RandomNormal", "RandomUniform"}, true)
                       .Cases({"SequenceEmpty", "SequenceConstruct"}, true)
                       .Cases({"Optional", "OptionalHasElement"}, true)
                       .Default(false);
  return !needsNone && node.subgraphs.empty() && !node.input(0);
}

/// Attention whose scores are a result, or are kept in f64 for operands that
/// aren't.
static bool isAttentionOfAllScores(const Node &node) {
  if (node.opType() != "Attention" || !node.input(0))
    return false;
  int64_t precision = node.attributeInt("softmax_precision", 0);
  return node.output(3) || (precision == onnx::TensorProto::DOUBLE &&
                            node.input(0)->type.onnxElem != precision);
}

/// Ops that have an rl op to be counted by and a function body, and no lowering
/// that is better than the body's.
static bool runsAsFunction(const Node &node) {
  return node.domain().empty() &&
         StringSwitch<bool>(node.opType())
             .Case("RotaryEmbedding", true)
             .Cases({"BlackmanWindow", "HammingWindow", "HannWindow"}, true)
             .Case("CenterCropPad", true)
             .Default(isAttentionOfAllScores(node));
}

void EmitContext::emit(Node &node) {
  lastLocated.first =
      nullptr; // a node of a composite before may have been here
  const OpRule *rule = node.rule;
  if (lacksFirstOperand(node))
    return emitOpaque(node);
  // What only the cost model holds in one op is run as ONNX defines it.
  if (executable && runsAsFunction(node) && emitComposite(node, *this))
    return;
  if (rule && rule->emit)
    return rule->emit(node, *this);
  if (emitComposite(node, *this))
    return;
  emitOpaque(node);
}

void EmitContext::emitOpaque(Node &node) {
  SmallVector<mlir::Value> inputs = dataInputs(node);
  bind(node, rl::OpaqueOp::create(builder, loc(node), outputTypes(node),
                                  string(node.opType()), inputs));
}

/// A graph's name as a symbol: other characters than MLIR's own become `_`.
static std::string symbolName(StringRef name) {
  std::string symbol;
  for (char c : name)
    symbol +=
        isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-' ? c : '_';
  if (symbol.empty())
    return "main";
  if (!isAlpha(symbol.front()) && symbol.front() != '_')
    symbol.insert(symbol.begin(), '_');
  return symbol;
}

/// What the file says of itself, for reports.
static mlir::DictionaryAttr modelInfo(const Model &model, mlir::Builder &b) {
  mlir::NamedAttrList opsets; // a domain may be named twice: the last counts
  for (const onnx::OperatorSetIdProto &opset : model.proto->opset_import()) {
    StringRef domain = normalizedDomain(opset.domain());
    opsets.set(domain.empty() ? "ai.onnx" : domain,
               b.getI64IntegerAttr(opset.version()));
  }
  auto text = [&](const Int &value) {
    return b.getStringAttr(toString(value));
  };
  return b.getDictionaryAttr(
      {b.getNamedAttr("name", b.getStringAttr(model.proto->graph().name())),
       b.getNamedAttr("source", b.getStringAttr(model.name)),
       b.getNamedAttr("ir_version",
                      b.getI64IntegerAttr(model.proto->ir_version())),
       b.getNamedAttr("opsets", opsets.getDictionary(b.getContext())),
       b.getNamedAttr("parameters", text(model.parameters)),
       b.getNamedAttr("parameter_bytes", text(model.parameterBytes))});
}

static mlir::func::FuncOp makeFunction(Model &model, EmitContext &context) {
  Graph &graph = *model.graph;
  SmallVector<mlir::Type> inputs, outputs;
  for (const Value *input : graph.inputs)
    inputs.push_back(context.type(*input));
  for (const Value *output : graph.outputs)
    outputs.push_back(context.type(*output));
  auto location =
      mlir::FileLineColLoc::get(context.builder.getContext(), model.name, 0, 0);
  auto function = mlir::func::FuncOp::create(
      context.builder, location, symbolName(model.proto->graph().name()),
      context.builder.getFunctionType(inputs, outputs));
  mlir::Block *entry = function.addEntryBlock();
  context.setEntry(entry);
  for (auto [input, argument] :
       llvm::zip(graph.inputs, entry->getArguments())) {
    function.setArgAttr(argument.getArgNumber(), rl::nameAttrName,
                        context.string(input->name));
    input->emitted = argument;
  }
  return function;
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>>
emit(Model &model, const ImportOptions &options, mlir::MLIRContext *context) {
  context->loadDialect<mlir::func::FuncDialect, rl::RLDialect>();
  auto location = mlir::FileLineColLoc::get(context, model.name, 0, 0);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(location);
  EmitContext emission(model, options.executable, context);
  (*module)->setAttr(rl::modelAttrName, modelInfo(model, emission.builder));
  emission.builder.setInsertionPointToEnd(module->getBody());
  mlir::func::FuncOp function = makeFunction(model, emission);
  emission.builder.setInsertionPointToEnd(&function.getBody().front());
  emission.emit(*model.graph);
  SmallVector<mlir::Value> results;
  for (Value *output : model.graph->outputs)
    results.push_back(emission.value(output));
  mlir::func::ReturnOp::create(emission.builder, location, results);
  return module;
}

} // namespace roofline::onnx_import
