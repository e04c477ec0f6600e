//===- Models.h - what the models of all dialects share ---------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_MODELS_MODELS_H
#define ROOFLINE_LIB_MODELS_MODELS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "roofline/Interfaces/CostOpInterface.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace roofline::models {

void registerAffineModels(mlir::DialectRegistry &registry);
void registerArithModels(mlir::DialectRegistry &registry);
void registerBufferizationModels(mlir::DialectRegistry &registry);
void registerBuiltinModels(mlir::DialectRegistry &registry);
void registerControlFlowModels(mlir::DialectRegistry &registry);
void registerIndexModels(mlir::DialectRegistry &registry);
void registerLinalgModels(mlir::DialectRegistry &registry);
void registerMathModels(mlir::DialectRegistry &registry);
void registerMemRefModels(mlir::DialectRegistry &registry);
void registerMLProgramModels(mlir::DialectRegistry &registry);
void registerSCFModels(mlir::DialectRegistry &registry);
void registerTensorModels(mlir::DialectRegistry &registry);
void registerTosaModels(mlir::DialectRegistry &registry);

/// Attaches models to ops by type.
template <typename Model, typename... Ops>
void attach(mlir::MLIRContext *context) {
  (mlir::RegisteredOperationName::lookup(Ops::getOperationName(), context)
       ->template attachInterface<Model>(),
   ...);
}

/// No arithmetic, no bytes, no launch: views, sizes, scalars on the host.
struct FreeModel : CostOpInterface::FallbackModel<FreeModel> {
  Work getWork(mlir::Operation *, const CostContext &) const {
    return Work::none();
  }
};

/// Reads every operand once, writes every result, computes nothing.
struct CopyModel : CostOpInterface::FallbackModel<CopyModel> {
  Work getWork(mlir::Operation *op, const CostContext &context) const;
};

/// Rows picked from operand 0 (never more than the table) by the indices in
/// operand 1.
struct GatherModel : CostOpInterface::FallbackModel<GatherModel> {
  Work getWork(mlir::Operation *op, const CostContext &context) const;
};

/// Operand 0 becomes a program's state, which is written where it stands.
struct StateWriteModel : CostOpInterface::FallbackModel<StateWriteModel> {
  Work getWork(mlir::Operation *op, const CostContext &context) const;
};

/// One element of operand 0, a buffer, is read inside whatever kernel the
/// surrounding loops are.
struct ElementLoadModel : CostOpInterface::FallbackModel<ElementLoadModel> {
  Work getWork(mlir::Operation *op, const CostContext &context) const;
};

/// Likewise, operand 0 is written to one element of operand 1; what scalar code
/// computed is unknown.
struct ElementStoreModel : CostOpInterface::FallbackModel<ElementStoreModel> {
  Work getWork(mlir::Operation *op, const CostContext &context) const;
};

/// The result has the first operand's dimensions (and value, for a scalar).
struct SameShapeModel : SymbolicOpInterface::FallbackModel<SameShapeModel> {
  void inferSymbols(mlir::Operation *op, SymbolMap &symbols) const;
};

/// A single-result op on tensors or scalars, element by element.
struct ElementwiseModel : CostOpInterface::FallbackModel<ElementwiseModel> {
  Work getWork(mlir::Operation *op, const CostContext &context) const;
};

/// Operations of one scalar op.
struct ScalarCost {
  unsigned vector = 0;
  unsigned special = 0;
  ElementType type = ElementType::Unknown;
};
/// What an arith, math or complex op costs per element; nothing for ops that
/// are no scalar arithmetic. Index arithmetic is free.
std::optional<ScalarCost> scalarCost(mlir::Operation *op);
/// Whether an op turns a number into the same number of another type.
bool isCast(mlir::Operation *op);

/// Adds `count` times the cost.
void addScalarCost(Work &work, const ScalarCost &cost, const Expr &count);

/// Whether the value holds one constant everywhere, or nothing: a fill, a splat
/// constant, an empty tensor, seen through views. An accumulator that starts
/// from it needs no read.
bool isFillOrEmpty(mlir::Value value);
/// The value behind views that move nothing.
mlir::Value lookThroughViews(mlir::Value value);
/// Whether a value is the constant 0, or a splat of it.
bool isZeroConstant(mlir::Value value);

/// Whether a value was computed by scalar floating-point code, which has no row
/// of its own: where it is stored, operations were done that aren't counted.
bool isComputed(mlir::Value value);

/// An integer scalar: known to `symbols`, or a constant.
std::optional<Expr> scalarOf(const SymbolMap &symbols, mlir::Value value);
std::optional<Expr> scalarOf(const SymbolMap &symbols,
                             mlir::OpFoldResult value);
/// The elements of a constant integer tensor that is small enough to be a
/// shape.
std::optional<llvm::SmallVector<std::optional<Expr>, 4>>
constantElements(mlir::Attribute attribute);

bool isShaped(mlir::Type type);
/// Integer or index, that is, a value that may be a size.
bool isIntegerScalar(mlir::Type type);

/// Adds what an op does that puts `part` bytes into `target` and keeps the
/// rest: in place where it may, with a copy of the rest where it may not.
void addInsertion(Work &work, const CostContext &context, mlir::Operation *op,
                  unsigned sourceIndex, unsigned targetIndex);

} // namespace roofline::models

#endif // ROOFLINE_LIB_MODELS_MODELS_H
