//===- Graph.h - a resolved ONNX graph --------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the importer's steps hand each other: a model's graph with names
// resolved to values, nodes in an order of execution, local functions inlined.
//
//   Reader   bytes          -> onnx::ModelProto without weights
//   Resolve  ModelProto     -> Graph
//   Infer    fills Value::type, Value::constant, Node::taken, Node::trips
//   Live     marks the nodes that have a row
//   Emit     Graph          -> rl IR
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_GRAPH_H
#define ROOFLINE_LIB_IMPORT_ONNX_GRAPH_H

#include "ChunkedList.h"
#include "mlir/IR/Value.h"
#include "onnx/onnx_pb.h"
#include "roofline/Cost/Work.h"
#include "roofline/Import/ONNX/Import.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <deque>
#include <map>
#include <memory>
#include <variant>
#include <vector>

namespace roofline::onnx_import {

/// One element of a folded tensor: unknown, an integer (or bool, 0 or 1) as an
/// expression, or a float.
using Scalar = std::variant<std::monostate, Expr, double>;
inline bool isKnown(const Scalar &s) { return s.index() != 0; }
inline const Expr *asExpr(const Scalar &s) { return std::get_if<Expr>(&s); }

/// A dimension: nothing where it isn't known.
using MaybeDim = std::optional<Expr>;

/// The type of a value.
struct ValueType {
  enum Kind : uint8_t { Tensor, Sequence, Optional, Unknown } kind = Unknown;
  ElementType elem = ElementType::Unknown; ///< of tensors, or of a sequence's
  int onnxElem = 0;                        ///< onnx::TensorProto::DataType
  bool ranked = false;
  llvm::SmallVector<MaybeDim, 4> dims; ///< of the tensor, or of every element
                                       ///< of a sequence where they agree
  std::optional<Expr> length;          ///< of a sequence
};

/// The elements of a small tensor whose content matters to shapes, branches or
/// trip counts, in row-major order.
struct Constant {
  std::vector<Scalar> elements;
};

struct Node;
struct Graph;

// Names are kept as references into the proto or into Model::strings: a model
// of a million nodes has a few million of them.

struct Value {
  llvm::StringRef name; ///< scoped: an inlined function's values have a prefix
  ValueType type;
  std::shared_ptr<const Constant> constant; ///< null: not folded
  Node *producer = nullptr;
  Graph *graph = nullptr; ///< where it is defined
  enum Origin : uint8_t {
    Computed,
    Input,
    Initializer,
    ConstantNode
  } origin = Computed;
  const onnx::TensorProto *tensor =
      nullptr; ///< of an initializer or Constant node
  const onnx::TypeProto *declared =
      nullptr; ///< value_info, graph input or output
  bool dataDependent =
      false;           ///< a size is an upper bound, since data decides it
  bool live = false;   ///< its data is read on the device
  mlir::Value emitted; ///< what it became; null before
};

struct OpRule; // Rules.h: what is known of an op

struct OpNames {
  llvm::StringRef domain; ///< "" for ai.onnx
  llvm::StringRef opType;
};

struct Node {
  const onnx::NodeProto *proto = nullptr;
  const OpRule *rule = nullptr; ///< null where there is none
  OpNames names;                ///< the rule's, so that they are near at hand
  llvm::StringRef
      scope; ///< inlined function call it stands in ("rp"), "" at top level
  llvm::StringRef name; ///< node name for messages and locations (may be empty)
  llvm::StringRef opType() const { return names.opType; }
  llvm::StringRef domain() const { return names.domain; }
  int opsetVersion = 0;                 ///< of its domain, 0 where not imported
  llvm::SmallVector<Value *, 4> inputs; ///< null: left out
  llvm::SmallVector<Value *, 2> outputs; ///< null: left out (empty name)
  /// Attribute values with function attributes substituted (overrides `proto`).
  std::shared_ptr<const std::vector<onnx::AttributeProto>> boundAttributes;
  std::vector<std::unique_ptr<Graph>>
      subgraphs; ///< If: then, else. Loop, Scan: body.
  Graph *graph = nullptr;
  unsigned index = 0; ///< in graph->nodes
  /// In the model: file order, functions expanded. None in an op's body that
  /// ONNX defines (Composite.cpp).
  std::optional<unsigned> position;
  bool live = false;
  std::optional<unsigned> taken; ///< If: the branch that runs
  std::optional<Expr> trips;     ///< Loop, Scan
  bool tripsUpperBound = false;

  const onnx::AttributeProto *attribute(llvm::StringRef name) const;
  int64_t attributeInt(llvm::StringRef name, int64_t otherwise) const;
  float attributeFloat(llvm::StringRef name, float otherwise) const;
  llvm::StringRef attributeString(llvm::StringRef name,
                                  llvm::StringRef otherwise) const;
  /// Nothing where the attribute is absent.
  std::optional<llvm::SmallVector<int64_t, 4>>
  attributeInts(llvm::StringRef name) const;

  Value *input(unsigned i) const {
    return i < inputs.size() ? inputs[i] : nullptr;
  }
  Value *output(unsigned i) const {
    return i < outputs.size() ? outputs[i] : nullptr;
  }
};

struct Graph {
  Graph *parent = nullptr;
  Node *owner = nullptr;       ///< the control node whose subgraph this is
  ChunkedList<Value> values;   ///< owns; addresses stay
  std::vector<Value *> inputs; ///< without initializers
  std::vector<Value *> outputs;
  std::vector<std::unique_ptr<Node>> nodes; ///< in an order of execution
};

/// Calls `visit` on a graph and, after it, on those nested in it.
void forEachGraph(Graph &graph, llvm::function_ref<void(Graph &)> visit);

class DimNames; // DimNames.h: what the model's dimensions are called

/// The model as read: owns the proto that the graph points into.
struct Model {
  Model();
  ~Model();

  std::shared_ptr<onnx::ModelProto> proto; ///< lives in an arena
  llvm::BumpPtrAllocator stringMemory;
  llvm::StringSaver strings{stringMemory}; ///< scoped names
  std::unique_ptr<Graph> graph;
  std::optional<unsigned> nodeCount = 0; ///< none: positions mean nothing
  std::string name;
  /// Protos made while resolving; kept alive here. Tensors: of sparse
  /// initializers (their dense shape, no data) and of Constant nodes that give
  /// their value as another attribute than a tensor.
  std::deque<onnx::NodeProto> inlinedNodes;
  std::deque<onnx::TensorProto> madeTensors;
  std::vector<ImportWarning> warnings;
  /// Elements and bytes of distinct stored tensors (docs/report-format.md).
  Int parameters, parameterBytes;
  /// Turns declared dimensions into expressions with bindings applied.
  std::unique_ptr<DimNames> dimNames;
  /// The dimension names that options bind, as the report shows them.
  std::map<std::string, int64_t> boundDims;
};

// --- The steps, each in its own file -----------------------------------------

/// Reader.cpp: parses without loading payloads (inline ones are dropped before
/// the parse; each leaves its stored size as an `external_data` entry with the
/// key "rl.stored_bytes"). Refuses what is no model.
llvm::Expected<std::shared_ptr<onnx::ModelProto>>
readModel(llvm::StringRef bytes, llvm::StringRef name);

/// Resolve.cpp: names to values, order, functions inlined; Model::dimNames.
llvm::Error resolve(Model &model, const ImportOptions &options);

/// StoredData.cpp: warns where stored sizes and declared shapes disagree and
/// where external files are absent, too short or refused.
void checkStoredData(Model &model, const ImportOptions &options);

/// ModelInfo.cpp: fills Model::parameters and Model::parameterBytes.
void countParameters(Model &model);

/// Infer.cpp: types, constants, branches, trip counts.
llvm::Error infer(Model &model, const ImportOptions &options);

/// Live.cpp: what the outputs depend on.
void markLive(Model &model);

/// Emit.cpp.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
emit(Model &model, const ImportOptions &options, mlir::MLIRContext *context);

/// "" for the standard domain, which "ai.onnx" names, too.
llvm::StringRef normalizedDomain(llvm::StringRef domain);

/// "node 'mm' (MatMul): message".
llvm::Error nodeError(const Node &node, const llvm::Twine &message);

/// onnx::TensorProto::DataType to the element type work is counted in.
ElementType elementTypeOf(int onnxDataType);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_GRAPH_H
