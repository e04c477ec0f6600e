//===- EmitContext.h - what an emission rule may do -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_EMITCONTEXT_H
#define ROOFLINE_LIB_IMPORT_ONNX_EMITCONTEXT_H

#include "Rules.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/DenseMap.h"

namespace roofline::onnx_import {

/// Builds rl ops at the current insertion point. Results are bound with `bind`,
/// which also attaches the op's origin (rl.op_type, rl.domain, rl.scope,
/// rl.data_dependent).
class EmitContext {
public:
  EmitContext(Model &model, bool executable, mlir::MLIRContext *context);

  Model &model;
  /// Ops carry what running them needs (Executable.cpp).
  const bool executable;
  mlir::OpBuilder builder;

  // --- Graphs and nodes ------------------------------------------------------

  /// The block that weights go to, where they dominate all uses.
  void setEntry(mlir::Block *block) { entry = block; }
  /// Emits the live nodes of a graph in order.
  void emit(Graph &graph);
  /// By the op's rule, else by its function body, else as opaque.
  void emit(Node &node);
  /// An op that no cost model knows, or whose rule lacks what it needs.
  void emitOpaque(Node &node);

  // --- Values and types ------------------------------------------------------

  /// The location of a node: its name, its outputs' and the file.
  mlir::Location loc(const Node &node);
  /// The IR value of a graph value; made on the first use where it is a weight
  /// (rl.weight) or a folded constant that a live node reads (rl.weight, too).
  mlir::Value value(Value *value);
  /// Those of `values` that are present.
  llvm::SmallVector<mlir::Value> present(llvm::ArrayRef<Value *> values);
  /// Those of a node's inputs that are present and move data (not the rule's
  /// host operands).
  llvm::SmallVector<mlir::Value> dataInputs(const Node &node);

  mlir::Type type(const Value &value);
  mlir::Type tensorType(mlir::Type element, llvm::ArrayRef<MaybeDim> dims);
  /// The element type of an onnx::TensorProto::DataType; !rl.unknown for
  /// others.
  mlir::Type elementType(int onnxElem) const;
  /// The types of the outputs that are present.
  llvm::SmallVector<mlir::Type> outputTypes(const Node &node);

  rl::DimsAttr dims(llvm::ArrayRef<MaybeDim> dims);
  rl::BodyAttr body(int64_t vector, int64_t special = 0);
  /// No attribute where there is nothing to do.
  rl::BodyAttr optionalBody(int64_t vector, int64_t special = 0);
  mlir::StringAttr string(llvm::StringRef text) {
    return builder.getStringAttr(text);
  }
  mlir::IntegerAttr integer(int64_t value) {
    return builder.getI64IntegerAttr(value);
  }
  mlir::UnitAttr unitIf(bool present) {
    return present ? builder.getUnitAttr() : mlir::UnitAttr();
  }
  mlir::DenseI64ArrayAttr integers(llvm::ArrayRef<int64_t> values) {
    return builder.getDenseI64ArrayAttr(values);
  }

  // --- Results ---------------------------------------------------------------

  /// Maps a node's outputs that are present to `op`'s results, in order, and
  /// attaches the origin.
  void bind(const Node &node, mlir::Operation *op);
  /// As above for the outputs given, where a node becomes several ops.
  void bind(const Node &node, llvm::ArrayRef<Value *> outputs,
            mlir::Operation *op);
  /// One kernel of several ops: `build` makes them and returns the results,
  /// one for each output that is present.
  void fused(const Node &node,
             llvm::function_ref<llvm::SmallVector<mlir::Value>()> build);

  // --- Function bodies (Composite.cpp) ---------------------------------------

  /// Bodies inside bodies; false where they are too deep.
  bool enterComposite() {
    if (compositeDepth == maxCompositeDepth)
      return false;
    ++compositeDepth;
    return true;
  }
  void leaveComposite() { --compositeDepth; }
  bool isInComposite() const { return compositeDepth != 0; }
  /// Counts the nodes that bodies expand to; false where they are too many.
  bool chargeComposite(size_t nodes) {
    compositeNodes += nodes;
    return compositeNodes <= maxCompositeNodes;
  }

private:
  static constexpr unsigned maxCompositeDepth = 8;
  static constexpr size_t maxCompositeNodes = 2'000'000;

  mlir::Location loc(const Node &node, llvm::ArrayRef<Value *> outputs);
  void bindResults(const Node &node, llvm::ArrayRef<Value *> outputs,
                   mlir::Operation *op);
  /// A value that no emitted op produced.
  mlir::Value materialize(Value *value);

  mlir::Block *entry = nullptr;
  mlir::Operation *lastWeight = nullptr;
  unsigned compositeDepth = 0;
  size_t compositeNodes = 0;
  mlir::Location file;
  /// A node's location is asked for by its rule and where results are bound.
  std::pair<const Node *, mlir::Location> lastLocated{nullptr, file};
  mlir::StringAttr opTypeName, domainName, scopeName, dataDependentName;
  llvm::StringMap<mlir::StringAttr> opTypes;
  llvm::SmallVector<mlir::Type, 32> elementTypes; ///< by onnx DataType
};

/// Executable.cpp: what a node says beyond its cost, for an op with `op`'s
/// operands and the results `outputs`; see rl::onnxAttrName.
mlir::DictionaryAttr nodeAttribute(const Node &node,
                                   llvm::ArrayRef<Value *> outputs,
                                   mlir::Operation *op, EmitContext &context);
/// Executable.cpp: the elements of a constant where they are at hand, else
/// null.
mlir::DenseElementsAttr valueAttribute(const Value &value,
                                       EmitContext &context);

/// Composite.cpp: emits a node whose op has a function body as one kernel.
/// False where there is none, or it can't be expanded.
bool emitComposite(Node &node, EmitContext &context);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_EMITCONTEXT_H
