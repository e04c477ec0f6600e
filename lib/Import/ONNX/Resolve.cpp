//===- Resolve.cpp - names to values --------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Turns the names in a proto into pointers, and expands local functions where
// they are called. Names are scoped: a graph in a node's attribute sees the
// names around it, a function's body sees its own only.
//
//===----------------------------------------------------------------------===//

#include "DimNames.h"
#include "Functions.h"
#include "Order.h"
#include "WireFormat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

namespace {

using Opsets = std::map<std::string, int, std::less<>>;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// The names that are visible in a graph or in a function's body.
struct Scope {
  Graph *graph = nullptr;        ///< where new values go
  const Scope *parent = nullptr; ///< of a nested graph
  const struct Call *call = nullptr;
  DenseMap<StringRef, Value *> names;
  /// The caller's values that a function's results become.
  DenseMap<StringRef, Value *> results;
};

/// An attribute value and where its graphs' names are looked up.
struct Argument {
  const onnx::AttributeProto *attribute = nullptr;
  const Scope *scope = nullptr;
};

/// A function's expansion at one place.
struct Call {
  const onnx::FunctionProto &function;
  StringRef prefix;
  Opsets opsets;
  StringMap<Argument> arguments;
};

class Resolver {
public:
  explicit Resolver(Model &model) : model(model), functions(*model.proto) {}

  Error run();

private:
  // Values.
  Value *create(Scope &scope, StringRef name);
  Expected<Value *> define(Scope &scope, StringRef name);
  Error declare(Scope &scope, const onnx::ValueInfoProto &info, Value *value);
  /// Nothing where the name isn't defined; null where it is a function's input
  /// that the caller leaves out.
  std::optional<Value *> lookup(const Scope &scope, StringRef name) const;
  std::optional<Value *> use(const Scope &scope, StringRef name);

  // Graphs.
  Expected<std::unique_ptr<Graph>> resolveGraph(const onnx::GraphProto &proto,
                                                const Scope *parent,
                                                Node *owner, const Call *call,
                                                unsigned nesting);
  Error addInitializers(Scope &scope, const onnx::GraphProto &proto);
  Error addInitializer(Scope &scope, const onnx::TensorProto &tensor);
  Error addInputs(Scope &scope, const onnx::GraphProto &proto);
  Error addOutputs(Scope &scope, const onnx::GraphProto &proto);
  Error addValueInfo(Scope &scope, const onnx::GraphProto &proto);

  // Nodes.
  Error addNodes(Scope &scope, const Nodes &nodes, unsigned nesting);
  Error defineOutputs(Scope &scope, const onnx::NodeProto &proto);
  Error addNode(Scope &scope, const onnx::NodeProto &proto, unsigned nesting);
  Node &appendNode(Scope &scope, const onnx::NodeProto &proto);
  Error connect(Scope &scope, Node &node);
  Error setVersion(const Scope &scope, Node &node) const;
  Argument argument(const Scope &scope,
                    const onnx::AttributeProto &attribute) const;
  Error bindAttributes(const Scope &scope, Node &node);
  Error addSubgraphs(const Scope &scope, Node &node, unsigned nesting);
  void markConstant(Node &node);
  const onnx::TensorProto *constantTensor(const Node &node);

  // Functions.
  Error expand(Scope &caller, const onnx::NodeProto &proto,
               const onnx::FunctionProto &function, unsigned nesting);
  Expected<Call> makeCall(Scope &caller, const onnx::NodeProto &proto,
                          const onnx::FunctionProto &function);
  Error bindParameters(Scope &caller, Scope &body, const onnx::NodeProto &proto,
                       const onnx::FunctionProto &function);
  Error forwardResults(Scope &caller, Scope &body, const onnx::NodeProto &proto,
                       const onnx::FunctionProto &function);

  StringRef scoped(const Scope &scope, StringRef name);
  Error checkCopies() const;

  Model &model;
  FunctionTable functions;
  Opsets opsets;
  Captures captures;
  uint64_t copiedBytes = 0; ///< of attributes
  /// Tensors made of an attribute, once however often its function is called.
  DenseMap<const onnx::AttributeProto *, const onnx::TensorProto *> made;
};

template <typename Imports> Opsets readOpsets(const Imports &imports) {
  Opsets opsets;
  for (const onnx::OperatorSetIdProto &opset : imports)
    opsets[normalizedDomain(opset.domain()).str()] =
        static_cast<int>(std::clamp<int64_t>(opset.version(), 0, INT32_MAX));
  return opsets;
}

/// The oldest standard opset that is read.
constexpr int minOpset = 7;

Error checkOpset(const Opsets &opsets) {
  auto standard = opsets.find("");
  if (standard == opsets.end() || standard->second >= minOpset)
    return Error::success();
  return createStringError(
      "opset " + Twine(standard->second) + " is too old: opset " +
      Twine(minOpset) +
      " and newer are read; onnx.version_converter in Python "
      "brings the model up to date");
}

Error Resolver::run() {
  opsets = readOpsets(model.proto->opset_import());
  if (Error error = checkOpset(opsets))
    return error;
  const onnx::GraphProto &graph = model.proto->graph();
  if (Error error = functions.checkExpansion(graph))
    return error;
  Expected<std::unique_ptr<Graph>> resolved =
      resolveGraph(graph, nullptr, nullptr, nullptr, 0);
  if (!resolved)
    return resolved.takeError();
  model.graph = std::move(*resolved);
  return Error::success();
}

// --- Values ------------------------------------------------------------------

StringRef Resolver::scoped(const Scope &scope, StringRef name) {
  if (!scope.call || name.empty())
    return name;
  return model.strings.save(scope.call->prefix + "/" + name);
}

/// What calls copy of names and attributes grows with both their number and
/// their length.
Error Resolver::checkCopies() const {
  constexpr uint64_t limit = 512 << 20;
  if (copiedBytes + model.stringMemory.getBytesAllocated() <= limit)
    return Error::success();
  return createStringError("the model's functions expand to more names and "
                           "attributes than the limit of 512 MB");
}

Value *Resolver::create(Scope &scope, StringRef name) {
  Value &value = scope.graph->values.emplace_back();
  value.name = scoped(scope, name);
  value.graph = scope.graph;
  return &value;
}

Expected<Value *> Resolver::define(Scope &scope, StringRef name) {
  if (scope.call)
    if (Error error = checkCopies())
      return std::move(error);
  auto [entry, isNew] = scope.names.try_emplace(name, nullptr);
  if (!isNew)
    return createStringError("value '" + name + "' is defined more than once");
  if (auto result = scope.results.find(name); result != scope.results.end()) {
    entry->second = result->second;
    scope.results.erase(result);
  } else {
    entry->second = create(scope, name);
  }
  return entry->second;
}

/// A size that is neither a number nor the -1 some write for unknown.
const onnx::TensorShapeProto::Dimension *badDim(const onnx::TypeProto &type) {
  if (type.has_sequence_type())
    return badDim(type.sequence_type().elem_type());
  if (type.has_optional_type())
    return badDim(type.optional_type().elem_type());
  for (const auto &dimension : type.tensor_type().shape().dim())
    if (dimension.has_dim_value() && dimension.dim_value() < -1)
      return &dimension;
  return nullptr;
}

Error checkType(StringRef name, const onnx::TypeProto &type) {
  if (const auto *dimension = badDim(type))
    return createStringError("value '" + name + "' has a dimension of " +
                             Twine(dimension->dim_value()) +
                             ": sizes can't be negative");
  return Error::success();
}

Error Resolver::declare(Scope &scope, const onnx::ValueInfoProto &info,
                        Value *value) {
  if (!info.has_type())
    return Error::success();
  if (value && !value->declared)
    value->declared = &info.type();
  return checkType(info.name(), info.type());
}

std::optional<Value *> Resolver::lookup(const Scope &scope,
                                        StringRef name) const {
  for (const Scope *at = &scope; at; at = at->parent)
    if (auto found = at->names.find(name); found != at->names.end())
      return found->second;
  return std::nullopt;
}

/// Like lookup; a value of an outer graph makes the node there that holds this
/// graph depend on it.
std::optional<Value *> Resolver::use(const Scope &scope, StringRef name) {
  std::optional<Value *> found = lookup(scope, name);
  if (!found || !*found)
    return found;
  Graph *home = (*found)->graph;
  for (Graph *graph = scope.graph; graph != home; graph = graph->parent)
    if (graph->parent == home)
      captures[home].push_back({graph->owner, *found});
  return found;
}

// --- Graphs ------------------------------------------------------------------

Expected<std::unique_ptr<Graph>>
Resolver::resolveGraph(const onnx::GraphProto &proto, const Scope *parent,
                       Node *owner, const Call *call, unsigned nesting) {
  // The reader has checked the file; calls add their own levels.
  if (nesting > maxGraphNesting)
    return createStringError("graphs nest deeper than the limit of " +
                             Twine(maxGraphNesting) +
                             " levels once functions are expanded");
  auto graph = std::make_unique<Graph>();
  graph->owner = owner;
  graph->parent = owner ? owner->graph : nullptr;
  Scope scope;
  scope.graph = graph.get();
  scope.parent = parent;
  scope.call = call;
  scope.names.reserve(proto.node_size() + proto.initializer_size());
  if (Error error = addInitializers(scope, proto))
    return std::move(error);
  if (Error error = addInputs(scope, proto))
    return std::move(error);
  if (Error error = addNodes(scope, proto.node(), nesting))
    return std::move(error);
  if (Error error = addOutputs(scope, proto))
    return std::move(error);
  if (Error error = addValueInfo(scope, proto))
    return std::move(error);
  if (Error error = sortNodes(*graph, captures[graph.get()]))
    return std::move(error);
  captures.erase(graph.get());
  return graph;
}

Error Resolver::addInitializers(Scope &scope, const onnx::GraphProto &proto) {
  for (const onnx::TensorProto &tensor : proto.initializer())
    if (Error error = addInitializer(scope, tensor))
      return error;
  for (const onnx::SparseTensorProto &sparse : proto.sparse_initializer()) {
    onnx::TensorProto &dense = model.madeTensors.emplace_back();
    dense.set_name(sparse.values().name());
    dense.set_data_type(sparse.values().data_type());
    *dense.mutable_dims() = sparse.dims();
    if (Error error = addInitializer(scope, dense))
      return error;
  }
  return Error::success();
}

Error checkTensor(StringRef name, const onnx::TensorProto &tensor) {
  for (int64_t dim : tensor.dims())
    if (dim < 0)
      return createStringError("tensor '" + name + "' has a dimension of " +
                               Twine(dim) + ": sizes can't be negative");
  return Error::success();
}

Error Resolver::addInitializer(Scope &scope, const onnx::TensorProto &tensor) {
  if (tensor.name().empty())
    return Error::success(); // nothing can use it
  if (Error error = checkTensor(tensor.name(), tensor))
    return error;
  Expected<Value *> value = define(scope, tensor.name());
  if (!value)
    return value.takeError();
  (*value)->origin = Value::Initializer;
  (*value)->tensor = &tensor;
  return Error::success();
}

Error Resolver::addInputs(Scope &scope, const onnx::GraphProto &proto) {
  for (const onnx::ValueInfoProto &input : proto.input()) {
    // IR 3 lists the initializers as inputs, too; later ones may, as defaults.
    auto known = scope.names.find(input.name());
    if (known != scope.names.end() &&
        known->second->origin == Value::Initializer) {
      if (Error error = declare(scope, input, known->second))
        return error;
      continue;
    }
    Expected<Value *> value = define(scope, input.name());
    if (!value)
      return value.takeError();
    (*value)->origin = Value::Input;
    scope.graph->inputs.push_back(*value);
    if (Error error = declare(scope, input, *value))
      return error;
  }
  return Error::success();
}

Error Resolver::addOutputs(Scope &scope, const onnx::GraphProto &proto) {
  for (const onnx::ValueInfoProto &output : proto.output()) {
    Value *value = use(scope, output.name()).value_or(nullptr);
    if (!value)
      return createStringError("graph output '" + output.name() +
                               "' is not produced by any node");
    scope.graph->outputs.push_back(value);
    if (Error error = declare(scope, output, value))
      return error;
  }
  return Error::success();
}

Error Resolver::addValueInfo(Scope &scope, const onnx::GraphProto &proto) {
  for (const onnx::ValueInfoProto &info : proto.value_info()) {
    // Files may tell of values that are gone, and of a function's own.
    auto found = scope.names.find(info.name());
    if (Error error = declare(
            scope, info, found == scope.names.end() ? nullptr : found->second))
      return error;
  }
  return Error::success();
}

// --- Nodes -------------------------------------------------------------------

Error Resolver::addNodes(Scope &scope, const Nodes &nodes, unsigned nesting) {
  // Nodes may stand in any order: all names first.
  for (const onnx::NodeProto &proto : nodes)
    if (Error error = defineOutputs(scope, proto))
      return error;
  scope.graph->nodes.reserve(scope.graph->nodes.size() + nodes.size());
  for (const onnx::NodeProto &proto : nodes)
    if (Error error = addNode(scope, proto, nesting))
      return error;
  return Error::success();
}

Error Resolver::defineOutputs(Scope &scope, const onnx::NodeProto &proto) {
  for (const std::string &name : proto.output())
    if (!name.empty())
      if (Expected<Value *> value = define(scope, name); !value)
        return value.takeError();
  return Error::success();
}

Error Resolver::addNode(Scope &scope, const onnx::NodeProto &proto,
                        unsigned nesting) {
  if (const onnx::FunctionProto *function = functions.find(proto))
    return expand(scope, proto, *function, nesting);
  Node &node = appendNode(scope, proto);
  if (Error error = connect(scope, node))
    return error;
  if (Error error = setVersion(scope, node))
    return error;
  if (Error error = bindAttributes(scope, node))
    return error;
  if (Error error = addSubgraphs(scope, node, nesting))
    return error;
  markConstant(node);
  return Error::success();
}

Node &Resolver::appendNode(Scope &scope, const onnx::NodeProto &proto) {
  auto node = std::make_unique<Node>();
  node->proto = &proto;
  node->name = scoped(scope, proto.name());
  if (scope.call)
    node->scope = scope.call->prefix;
  node->graph = scope.graph;
  node->index = scope.graph->nodes.size();
  scope.graph->nodes.push_back(std::move(node));
  return *scope.graph->nodes.back();
}

Error Resolver::connect(Scope &scope, Node &node) {
  // Outputs first, so that an error can name the node by one.
  for (const std::string &name : node.proto->output()) {
    Value *value = name.empty() ? nullptr : scope.names.lookup(name);
    if (value)
      value->producer = &node;
    node.outputs.push_back(value);
  }
  for (const std::string &name : node.proto->input()) {
    std::optional<Value *> value = name.empty() ? nullptr : use(scope, name);
    if (!value)
      return nodeError(node, "input '" + name +
                                 "' is not produced by any node, and is no "
                                 "graph input or initializer");
    node.inputs.push_back(*value);
  }
  return Error::success();
}

Error Resolver::setVersion(const Scope &scope, Node &node) const {
  StringRef domain = node.domain();
  if (scope.call)
    if (auto found = scope.call->opsets.find(domain);
        found != scope.call->opsets.end()) {
      node.opsetVersion = found->second;
      return Error::success();
    }
  if (auto found = opsets.find(domain); found != opsets.end())
    node.opsetVersion = found->second;
  else if (domain.empty())
    return nodeError(node, "the model imports no opset of the standard "
                           "operators, so this op's meaning isn't known");
  return Error::success();
}

/// What an attribute stands for: inside a function it may name one of the
/// function's attributes, whose value the caller gives.
Argument Resolver::argument(const Scope &scope,
                            const onnx::AttributeProto &attribute) const {
  if (attribute.ref_attr_name().empty())
    return {&attribute, &scope};
  if (!scope.call)
    return {};
  return scope.call->arguments.lookup(attribute.ref_attr_name());
}

Error Resolver::bindAttributes(const Scope &scope, Node &node) {
  if (none_of(node.proto->attribute(), [](const onnx::AttributeProto &a) {
        return !a.ref_attr_name().empty();
      }))
    return Error::success();
  auto bound = std::make_shared<std::vector<onnx::AttributeProto>>();
  for (const onnx::AttributeProto &attribute : node.proto->attribute()) {
    const onnx::AttributeProto *source = argument(scope, attribute).attribute;
    // Graphs are in Node::subgraphs; left out by the caller: left out here.
    if (!source || source->has_g() || source->graphs_size() > 0)
      continue;
    copiedBytes += source->ByteSizeLong();
    bound->push_back(*source);
    bound->back().set_name(attribute.name());
  }
  node.boundAttributes = std::move(bound);
  return checkCopies();
}

Error Resolver::addSubgraphs(const Scope &scope, Node &node, unsigned nesting) {
  auto add = [&](const onnx::GraphProto &proto,
                 const Argument &argument) -> Error {
    Expected<std::unique_ptr<Graph>> subgraph = resolveGraph(
        proto, argument.scope, &node, argument.scope->call, nesting + 1);
    if (!subgraph)
      return subgraph.takeError();
    node.subgraphs.push_back(std::move(*subgraph));
    return Error::success();
  };
  SmallVector<Argument, 2> withGraphs;
  for (const onnx::AttributeProto &attribute : node.proto->attribute()) {
    Argument found = argument(scope, attribute);
    if (!found.attribute ||
        !(found.attribute->has_g() || found.attribute->graphs_size() > 0))
      continue;
    // The then branch comes first, in whatever order they are written.
    bool first = StringRef(attribute.name()) == "then_branch";
    withGraphs.insert(first ? withGraphs.begin() : withGraphs.end(), found);
  }
  for (const Argument &found : withGraphs) {
    if (found.attribute->has_g())
      if (Error error = add(found.attribute->g(), found))
        return error;
    for (const onnx::GraphProto &proto : found.attribute->graphs())
      if (Error error = add(proto, found))
        return error;
  }
  if (!node.domain().empty())
    return Error::success();
  size_t needed = StringSwitch<size_t>(node.opType())
                      .Case("If", 2)
                      .Cases({"Loop", "Scan", "SequenceMap"}, 1)
                      .Default(0);
  if (node.subgraphs.size() < needed)
    return nodeError(node, needed == 2 ? "it needs two branches, and has " +
                                             Twine(node.subgraphs.size())
                                       : Twine("it has no body"));
  return Error::success();
}

// --- Constant nodes ----------------------------------------------------------

void Resolver::markConstant(Node &node) {
  if (node.opType() != "Constant" || !node.domain().empty() || !node.output(0))
    return;
  node.output(0)->origin = Value::ConstantNode;
  node.output(0)->tensor = constantTensor(node);
}

/// Scalars and lists in attributes, as a tensor.
bool fillTensor(const onnx::AttributeProto &attribute,
                onnx::TensorProto &tensor) {
  StringRef name = attribute.name();
  if (name == "value_float" || name == "value_floats") {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    *tensor.mutable_float_data() = attribute.floats();
    if (name == "value_float")
      tensor.add_float_data(attribute.f());
    else
      tensor.add_dims(attribute.floats_size());
    return true;
  }
  if (name == "value_int" || name == "value_ints") {
    tensor.set_data_type(onnx::TensorProto::INT64);
    *tensor.mutable_int64_data() = attribute.ints();
    if (name == "value_int")
      tensor.add_int64_data(attribute.i());
    else
      tensor.add_dims(attribute.ints_size());
    return true;
  }
  if (name == "value_string" || name == "value_strings") {
    tensor.set_data_type(onnx::TensorProto::STRING);
    if (name == "value_strings")
      tensor.add_dims(attribute.strings_size());
    return true;
  }
  if (name == "sparse_value") {
    tensor.set_data_type(attribute.sparse_tensor().values().data_type());
    *tensor.mutable_dims() = attribute.sparse_tensor().dims();
    return true;
  }
  return false;
}

const onnx::TensorProto *Resolver::constantTensor(const Node &node) {
  if (const onnx::AttributeProto *value = node.attribute("value");
      value && value->has_t())
    return &value->t();
  for (const onnx::AttributeProto &attribute : node.proto->attribute()) {
    // The same attribute gives different values where a function's caller does.
    bool shared = attribute.ref_attr_name().empty();
    const onnx::AttributeProto *value = node.attribute(attribute.name());
    if (!value)
      continue;
    if (const onnx::TensorProto *known = made.lookup(&attribute))
      return known;
    onnx::TensorProto tensor;
    if (!fillTensor(*value, tensor))
      continue;
    model.madeTensors.push_back(std::move(tensor));
    if (shared)
      made[&attribute] = &model.madeTensors.back();
    return &model.madeTensors.back();
  }
  return nullptr;
}

// --- Functions ---------------------------------------------------------------

Error Resolver::expand(Scope &caller, const onnx::NodeProto &proto,
                       const onnx::FunctionProto &function, unsigned nesting) {
  Expected<Call> call = makeCall(caller, proto, function);
  if (!call)
    return call.takeError();
  Scope body;
  body.graph = caller.graph;
  body.call = &*call;
  if (Error error = bindParameters(caller, body, proto, function))
    return error;
  if (Error error = addNodes(body, function.node(), nesting))
    return error;
  for (const onnx::ValueInfoProto &info : function.value_info())
    if (Value *value = body.names.lookup(info.name()))
      if (Error error = declare(body, info, value))
        return error;
  return forwardResults(caller, body, proto, function);
}

Expected<Call> Resolver::makeCall(Scope &caller, const onnx::NodeProto &proto,
                                  const onnx::FunctionProto &function) {
  Call call{function, "", readOpsets(function.opset_import()), {}};
  if (Error error = checkOpset(call.opsets))
    return std::move(error);
  auto output = find_if(proto.output(),
                        [](const std::string &name) { return !name.empty(); });
  call.prefix = output == proto.output().end()
                    ? scoped(caller, function.name())
                    : caller.names.lookup(*output)->name;
  // A call that computes the caller's own result would share its scope.
  if (caller.call && caller.call->prefix == call.prefix)
    call.prefix = model.strings.save(call.prefix + "/" + function.name());
  for (const onnx::AttributeProto &attribute : function.attribute_proto())
    call.arguments[attribute.name()] = {&attribute, &caller};
  for (const onnx::AttributeProto &attribute : proto.attribute())
    if (Argument given = argument(caller, attribute); given.attribute)
      call.arguments[attribute.name()] = given;
  return call;
}

/// "the call of 'f' for 'y'".
Error callError(const onnx::NodeProto &proto, const Twine &message) {
  std::string name = proto.name().empty() && proto.output_size() > 0
                         ? proto.output(0)
                         : proto.name();
  return createStringError("node '" + name + "' (" + proto.op_type() +
                           "): " + message);
}

Error Resolver::bindParameters(Scope &caller, Scope &body,
                               const onnx::NodeProto &proto,
                               const onnx::FunctionProto &function) {
  if (proto.input_size() > function.input_size() ||
      proto.output_size() > function.output_size())
    return callError(proto, "it has " + Twine(proto.input_size()) +
                                " inputs and " + Twine(proto.output_size()) +
                                " outputs; the function has " +
                                Twine(function.input_size()) + " and " +
                                Twine(function.output_size()));
  for (auto [i, parameter] : enumerate(function.input())) {
    bool given =
        static_cast<int>(i) < proto.input_size() && !proto.input(i).empty();
    std::optional<Value *> value =
        given ? use(caller, proto.input(i)) : nullptr;
    if (!value)
      return callError(proto, "input '" + proto.input(i) +
                                  "' is not produced by any node, and is no "
                                  "graph input or initializer");
    // Left out: known, and null wherever the body uses it.
    if (!body.names.try_emplace(parameter, *value).second)
      return createStringError("function '" + function.name() +
                               "' has two inputs called '" + parameter + "'");
  }
  for (auto [i, result] : enumerate(proto.output()))
    if (!result.empty())
      body.results.try_emplace(function.output(i), caller.names.lookup(result));
  return Error::success();
}

/// A result that the body doesn't compute (it is one of the function's inputs,
/// or given twice) is copied by an Identity.
Error Resolver::forwardResults(Scope &caller, Scope &body,
                               const onnx::NodeProto &proto,
                               const onnx::FunctionProto &function) {
  for (auto [i, name] : enumerate(proto.output())) {
    if (name.empty())
      continue;
    Value *result = caller.names.lookup(name);
    if (result->producer)
      continue;
    Value *source = body.names.lookup(function.output(i));
    if (!source)
      return callError(proto, "the function's output '" + function.output(i) +
                                  "' is not produced by any node");
    onnx::NodeProto &identity = model.inlinedNodes.emplace_back();
    identity.set_op_type("Identity");
    identity.add_input(function.output(i));
    identity.add_output(name);
    Node &node = appendNode(body, identity);
    node.inputs.push_back(source);
    node.outputs.push_back(result);
    result->producer = &node;
    if (Error error = setVersion(body, node))
      return error;
  }
  return Error::success();
}

} // namespace

Error roofline::onnx_import::resolve(Model &model,
                                     const ImportOptions &options) {
  Expected<std::unique_ptr<DimNames>> names =
      DimNames::create(*model.proto, options);
  if (!names)
    return names.takeError();
  model.dimNames = std::move(*names);
  model.boundDims = model.dimNames->bound();
  return Resolver(model).run();
}
