//===- Resolve.cpp - names to values of graphs ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimNames.h"
#include "Resolver.h"
#include "WireFormat.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

/// The oldest standard opset that is read.
constexpr int minOpset = 7;

Error onnx_import::checkOpset(const Opsets &opsets) {
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
  auto [entry, isNew] = scope.names.try_emplace(HashedName(name), nullptr);
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
static const onnx::TensorShapeProto::Dimension *
badDim(const onnx::TypeProto &type) {
  if (type.has_sequence_type())
    return badDim(type.sequence_type().elem_type());
  if (type.has_optional_type())
    return badDim(type.optional_type().elem_type());
  for (const auto &dimension : type.tensor_type().shape().dim())
    if (dimension.has_dim_value() && dimension.dim_value() < -1)
      return &dimension;
  return nullptr;
}

static Error checkType(StringRef name, const onnx::TypeProto &type) {
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
    if (auto found = at->names.find(HashedName(name)); found != at->names.end())
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

static Error checkTensor(StringRef name, const onnx::TensorProto &tensor) {
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
    auto known = scope.names.find(HashedName(input.name()));
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
    auto found = scope.names.find(HashedName(info.name()));
    if (Error error = declare(
            scope, info, found == scope.names.end() ? nullptr : found->second))
      return error;
  }
  return Error::success();
}

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
