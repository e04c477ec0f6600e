//===- Composite.cpp - ops by their function bodies -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX defines some ops by a function over simpler ones. Such a node becomes
// one kernel (rl.fused) that does what the function says: a small model that
// calls it is resolved and inferred like any other, with the types and the
// constants of the node's operands, and emitted into the region. Scalars that
// follow from constants are free.
//
//===----------------------------------------------------------------------===//

#include "EmitContext.h"
#include "InferSteps.h"
#include "SchemaInference.h"
#include "SchemaTable.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace roofline::onnx_import {
namespace {

/// What the made-up model calls the function.
constexpr StringLiteral bodyDomain = "rl.body";

/// The node with the attributes of the function it stands in substituted.
onnx::NodeProto boundProto(const Node &node) {
  onnx::NodeProto proto = *node.proto;
  if (!node.boundAttributes)
    return proto;
  proto.clear_attribute();
  for (const onnx::AttributeProto &attribute : *node.boundAttributes)
    *proto.add_attribute() = attribute;
  return proto;
}

/// The newest of `versions` (ascending) that the node's opset has; nothing
/// where there is none.
std::optional<int> versionFor(const Node &node, ArrayRef<int> versions) {
  std::optional<int> best;
  for (int version : versions)
    if (!node.opsetVersion || version <= node.opsetVersion)
      best = version;
  if (!best && !versions.empty())
    best = versions.front();
  return best;
}

/// The op's function body; nothing where it has none for this node.
std::optional<onnx::FunctionProto> functionBody(const Node &node,
                                                const onnx::OpSchema &schema) {
  if (schema.HasFunction()) {
    std::vector<int> versions = schema.function_opset_versions();
    const onnx::FunctionProto *body =
        schema.GetFunction(*versionFor(node, versions), /*validate=*/false);
    return body ? std::optional(*body) : std::nullopt;
  }
  if (!schema.HasContextDependentFunction())
    return std::nullopt;
  std::vector<onnx::TypeProto> types;
  for (const Value *input : node.inputs) {
    types.emplace_back();
    if (input && !toTypeProto(input->type, types.back()))
      types.back().Clear();
  }
  // The context keeps pointers to the attributes of what it is given.
  onnx::NodeProto proto = boundProto(node);
  onnx::FunctionBodyBuildContextImpl context(proto, types);
  onnx::FunctionProto body;
  // A version that has a builder of its own: others are checked against the
  // registry of all schemas, which is slow to come up.
  std::vector<int> versions =
      schema.context_dependent_function_opset_versions();
  if (!schema.BuildContextDependentFunction(context, body,
                                            *versionFor(node, versions)))
    return std::nullopt;
  return body;
}

/// Gives the call the node's attributes, and the schema's defaults for those
/// that the body refers to.
void addAttributes(const Node &node, const onnx::OpSchema &schema,
                   const onnx::FunctionProto &body, onnx::NodeProto &call) {
  for (const std::string &name : body.attribute()) {
    if (const onnx::AttributeProto *given = node.attribute(name)) {
      *call.add_attribute() = *given;
      continue;
    }
    auto known = schema.attributes().find(name);
    if (known != schema.attributes().end() &&
        known->second.default_value.type() != onnx::AttributeProto::UNDEFINED)
      *call.add_attribute() = known->second.default_value;
  }
}

/// A body that ONNX builds for the node imports the op's own domain alone; the
/// ops that it is made of are of the standard version the model imports.
void importStandardOps(onnx::FunctionProto &body,
                       const onnx::ModelProto &model) {
  auto isStandard = [](const onnx::OperatorSetIdProto &opset) {
    return normalizedDomain(opset.domain()).empty();
  };
  if (any_of(body.opset_import(), isStandard))
    return;
  for (const onnx::OperatorSetIdProto &opset : model.opset_import())
    if (isStandard(opset))
      *body.add_opset_import() = opset;
}

/// A model of one node that calls the body.
std::shared_ptr<onnx::ModelProto> makeModel(const Node &node,
                                            const onnx::OpSchema &schema,
                                            onnx::FunctionProto body) {
  auto proto = std::make_shared<onnx::ModelProto>();
  for (const onnx::OperatorSetIdProto &opset : body.opset_import())
    *proto->add_opset_import() = opset;
  body.set_domain(bodyDomain.str());
  body.set_name(node.opType().str());
  onnx::GraphProto &graph = *proto->mutable_graph();
  onnx::NodeProto &call = *graph.add_node();
  call.set_domain(bodyDomain.str());
  call.set_op_type(body.name());
  for (auto [i, input] : enumerate(node.inputs)) {
    std::string name = input ? ("rl.input" + Twine(i)).str() : "";
    call.add_input(name);
    if (input)
      graph.add_input()->set_name(name);
  }
  for (const Value *output : node.outputs) { // their names are the inner scope
    std::string name = output ? output->name.str() : "";
    call.add_output(name);
    if (output)
      graph.add_output()->set_name(name);
  }
  addAttributes(node, schema, body, call);
  *proto->add_functions() = std::move(body);
  return proto;
}

/// Resolves, infers and marks the small model as the importer does a large one.
Error prepare(Model &model, const Node &node) {
  ImportOptions options;
  if (Error error = resolve(model, options))
    return error;
  size_t next = 0;
  for (const Value *input : node.inputs) {
    if (!input)
      continue;
    Value &parameter = *model.graph->inputs[next++];
    parameter.type = input->type;
    parameter.constant = input->constant;
    parameter.dataDependent = input->dataDependent;
  }
  InferContext context(model, options);
  context.visitLimit = 10000;
  if (Error error = inferGraph(*model.graph, context))
    return error;
  markLive(model);
  return Error::success();
}

/// Values that follow from constants alone: a scalar of a body and its casts.
/// One of which only some elements are known holds data besides.
class FreeValues {
public:
  explicit FreeValues(Model &model) {
    forEachGraph(*model.graph, [&](Graph &graph) { visit(graph); });
  }
  bool contains(const Value *value) const { return free.contains(value); }

private:
  void visit(Graph &graph) {
    for (const Value &value : graph.values)
      if (value.origin != Value::Input && (value.tensor || isFolded(value)))
        free.insert(&value);
    for (const std::unique_ptr<Node> &node : graph.nodes)
      if (isFree(*node))
        for (const Value *output : node->outputs)
          if (output)
            free.insert(output);
  }
  static bool isFolded(const Value &value) {
    return value.constant && all_of(value.constant->elements, isKnown);
  }
  bool isFree(const Node &node) const {
    if (!node.subgraphs.empty() || node.inputs.empty())
      return false;
    // The other operand of a CastLike only states a type.
    size_t read = node.opType() == "CastLike" ? 1 : node.inputs.size();
    return all_of(
        ArrayRef(node.inputs).take_front(read),
        [&](const Value *input) { return !input || contains(input); });
  }

  DenseSet<const Value *> free;
};

} // namespace

/// Constants and what follows from them stand in the kernel and cost nothing.
static void emitBody(Model &body, EmitContext &context) {
  // Costs leave out what follows from scalars alone; running doesn't.
  if (context.executable)
    return context.emit(*body.graph);
  FreeValues free(body);
  forEachGraph(*body.graph, [&](Graph &graph) {
    for (Value &value : graph.values)
      if (value.live && free.contains(&value))
        value.emitted =
            rl::FillOp::create(context.builder, context.builder.getUnknownLoc(),
                               context.type(value))
                .getOutput();
    for (const std::unique_ptr<Node> &node : graph.nodes)
      if (all_of(node->outputs, [&](const Value *output) {
            return !output || free.contains(output);
          }))
        node->live = false;
  });
  context.emit(*body.graph);
}

static void emitFused(Node &node, EmitContext &context, Model &body) {
  context.fused(node, [&] {
    size_t next = 0;
    for (Value *input : node.inputs)
      if (input && body.graph->inputs[next++]->live)
        body.graph->inputs[next - 1]->emitted = context.value(input);
    emitBody(body, context);
    SmallVector<mlir::Value> results;
    for (Value *output : body.graph->outputs)
      results.push_back(context.value(output));
    return results;
  });
}

bool emitComposite(Node &node, EmitContext &context) {
  const onnx::OpSchema *schema =
      findSchema(node.domain(), node.opType(), node.opsetVersion);
  if (!schema || !context.enterComposite())
    return false;
  bool emitted = false;
  // ONNX's builders of bodies throw what they don't like.
  try {
    if (std::optional<onnx::FunctionProto> function =
            functionBody(node, *schema)) {
      importStandardOps(*function, *context.model.proto);
      Model body;
      body.name = context.model.name;
      body.nodeCount.reset();
      body.proto = makeModel(node, *schema, std::move(*function));
      if (Error error = prepare(body, node)) {
        consumeError(std::move(error));
      } else if (context.chargeComposite(body.graph->nodes.size())) {
        emitFused(node, context, body);
        emitted = true;
      }
    }
  } catch (const std::exception &) {
    emitted = false;
  }
  context.leaveComposite();
  return emitted;
}

} // namespace roofline::onnx_import
