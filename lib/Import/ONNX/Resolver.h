//===- Resolver.h - names to values -----------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the names in a proto into pointers, and expands local functions where
// they are called. Names are scoped: a graph in a node's attribute sees the
// names around it, a function's body sees its own only.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_RESOLVER_H
#define ROOFLINE_LIB_IMPORT_ONNX_RESOLVER_H

#include "Functions.h"
#include "Order.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"

namespace roofline::onnx_import {

using Opsets = std::map<std::string, int, std::less<>>;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

struct Call;

/// Millions are looked up; of those that meet in a table, most differ.
using HashedName = llvm::CachedHashStringRef;

/// The names that are visible in a graph or in a function's body.
struct Scope {
  Graph *graph = nullptr;        ///< where new values go
  const Scope *parent = nullptr; ///< of a nested graph
  const Call *call = nullptr;
  llvm::DenseMap<HashedName, Value *> names;
  /// The caller's values that a function's results become.
  llvm::DenseMap<llvm::StringRef, Value *> results;
};

/// An attribute value and where its graphs' names are looked up.
struct Argument {
  const onnx::AttributeProto *attribute = nullptr;
  const Scope *scope = nullptr;
};

/// A function's expansion at one place.
struct Call {
  const onnx::FunctionProto &function;
  llvm::StringRef prefix;
  Opsets opsets;
  llvm::StringMap<Argument> arguments;
};

class Resolver {
public:
  explicit Resolver(Model &model) : model(model), functions(*model.proto) {}

  llvm::Error run();

private:
  // Values.
  Value *create(Scope &scope, llvm::StringRef name);
  llvm::Expected<Value *> define(Scope &scope, llvm::StringRef name);
  llvm::Error declare(Scope &scope, const onnx::ValueInfoProto &info,
                      Value *value);
  /// Nothing where the name isn't defined; null where it is a function's input
  /// that the caller leaves out.
  std::optional<Value *> lookup(const Scope &scope, llvm::StringRef name) const;
  std::optional<Value *> use(const Scope &scope, llvm::StringRef name);

  // Graphs.
  llvm::Expected<std::unique_ptr<Graph>>
  resolveGraph(const onnx::GraphProto &proto, const Scope *parent, Node *owner,
               const Call *call, unsigned nesting);
  llvm::Error addInitializers(Scope &scope, const onnx::GraphProto &proto);
  llvm::Error addInitializer(Scope &scope, const onnx::TensorProto &tensor);
  llvm::Error addInputs(Scope &scope, const onnx::GraphProto &proto);
  llvm::Error addOutputs(Scope &scope, const onnx::GraphProto &proto);
  llvm::Error addValueInfo(Scope &scope, const onnx::GraphProto &proto);

  // Nodes.
  llvm::Error addNodes(Scope &scope, const Nodes &nodes, unsigned nesting);
  llvm::Error defineOutputs(Scope &scope, const onnx::NodeProto &proto,
                            std::vector<Value *> &outputs);
  llvm::Error addNode(Scope &scope, const onnx::NodeProto &proto,
                      llvm::ArrayRef<Value *> outputs, unsigned nesting);
  Node &appendNode(Scope &scope, const onnx::NodeProto &proto);
  llvm::Error connect(Scope &scope, Node &node);
  llvm::Error setVersion(const Scope &scope, Node &node) const;
  Argument argument(const Scope &scope,
                    const onnx::AttributeProto &attribute) const;
  llvm::Error bindAttributes(const Scope &scope, Node &node);
  llvm::Error addSubgraphs(const Scope &scope, Node &node, unsigned nesting);
  void markConstant(Node &node);
  const onnx::TensorProto *constantTensor(const Node &node);

  // Functions.
  llvm::Error expand(Scope &caller, const onnx::NodeProto &proto,
                     const onnx::FunctionProto &function, unsigned nesting);
  llvm::Expected<Call> makeCall(Scope &caller, const onnx::NodeProto &proto,
                                const onnx::FunctionProto &function);
  llvm::Error bindParameters(Scope &caller, Scope &body,
                             const onnx::NodeProto &proto,
                             const onnx::FunctionProto &function);
  llvm::Error forwardResults(Scope &caller, Scope &body,
                             const onnx::NodeProto &proto,
                             const onnx::FunctionProto &function);

  llvm::StringRef scoped(const Scope &scope, llvm::StringRef name);
  llvm::Error checkCopies() const;

  Model &model;
  FunctionTable functions;
  Opsets opsets;
  Captures captures;
  uint64_t copiedBytes = 0; ///< of attributes
  /// Tensors made of an attribute, once however often its function is called.
  llvm::DenseMap<const onnx::AttributeProto *, const onnx::TensorProto *> made;
};

template <typename Imports> Opsets readOpsets(const Imports &imports) {
  Opsets opsets;
  for (const onnx::OperatorSetIdProto &opset : imports)
    opsets[normalizedDomain(opset.domain()).str()] =
        static_cast<int>(std::clamp<int64_t>(opset.version(), 0, INT32_MAX));
  return opsets;
}

/// Refuses a standard opset that is older than what is read.
llvm::Error checkOpset(const Opsets &opsets);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_RESOLVER_H
