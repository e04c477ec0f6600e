//===- RLToLinalg.cpp - functions of rl to linalg -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "roofline/Conversion/Passes.h"

namespace roofline {
#define GEN_PASS_DEF_CONVERTRLTOLINALG
#include "roofline/Conversion/Passes.h.inc"
} // namespace roofline

using namespace mlir;
using namespace roofline;
using namespace roofline::lowering;

namespace {

/// What a kernel takes and gives for a tensor: one without elements has no
/// shape there, as buffers of some such shapes have no strides.
static RankedTensorType boundaryType(RankedTensorType type) {
  if (type && type.getNumElements() == 0)
    return RankedTensorType::get({0}, type.getElementType());
  return type;
}

class FunctionLowering {
public:
  FunctionLowering(func::FuncOp function, const LoweringOptions &options)
      : function(function), options(options), b(function) {}

  LogicalResult run() {
    if (failed(declare()))
      return failure();
    b.setInsertionPointToEnd(lowered.addEntryBlock());
    mapArguments();
    for (Operation &op : function.front().without_terminator())
      if (failed(lower(op)))
        return failure();
    Values results;
    for (Value result : function.front().getTerminator()->getOperands())
      results.push_back(atBoundary(values.lookup(result)));
    func::ReturnOp::create(b, function.getLoc(), results);
    StringAttr name = function.getSymNameAttr();
    function.erase();
    lowered.setSymNameAttr(name);
    return success();
  }

private:
  bool needsData(Operation &op) {
    return isa<rl::WeightOp>(op) && !op.hasAttr(rl::valueAttrName) &&
           !op.use_empty();
  }

  LogicalResult declare() {
    SmallVector<Type> inputs, results;
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
      inputs.push_back(boundaryType(loweredType(type)));
      if (!inputs.back())
        return function.emitError("can't be lowered: argument ")
               << i << " is " << type
               << "; sizes must be bound (--dim) and elements numbers";
    }
    for (Operation &op : function.front())
      if (needsData(op)) {
        inputs.push_back(boundaryType(loweredType(op.getResult(0).getType())));
        if (!inputs.back())
          return op.emitError("can't be lowered: a weight of type ")
                 << op.getResult(0).getType();
      }
    for (Type type : function.getResultTypes()) {
      results.push_back(boundaryType(loweredType(type)));
      if (!results.back())
        return function.emitError("can't be lowered: a result is ") << type;
    }
    lowered = func::FuncOp::create(b, function.getLoc(), "lowered",
                                   b.getFunctionType(inputs, results));
    lowered.setVisibility(function.getVisibility());
    // The caller's tensors are read, never written.
    for (unsigned i = 0; i < inputs.size(); ++i)
      lowered.setArgAttr(i,
                         bufferization::BufferizationDialect::kWritableAttrName,
                         b.getBoolAttr(false));
    return success();
  }

  /// A tensor as another type; one without elements is made anew.
  Value asType(Value value, RankedTensorType type) {
    if (value.getType() == type)
      return value;
    return tensor::EmptyOp::create(b, function.getLoc(), type.getShape(),
                                   type.getElementType());
  }
  Value atBoundary(Value value) {
    return asType(value, boundaryType(cast<RankedTensorType>(value.getType())));
  }

  void mapArguments() {
    unsigned next = function.getNumArguments();
    for (unsigned i = 0; i < next; ++i) {
      Value argument = function.getArgument(i);
      values.map(argument, asType(lowered.getArgument(i),
                                  loweredType(argument.getType())));
      if (Attribute name = function.getArgAttr(i, rl::nameAttrName))
        lowered.setArgAttr(i, rl::nameAttrName, name);
    }
    for (Operation &op : function.front())
      if (needsData(op)) {
        lowered.setArgAttr(
            next, rl::nameAttrName,
            StringAttr::get(op.getContext(), cast<rl::WeightOp>(op).getName()));
        values.map(op.getResult(0),
                   asType(lowered.getArgument(next++),
                          loweredType(op.getResult(0).getType())));
      }
  }

  LogicalResult lower(Operation &op) {
    if (isa<rl::WeightOp>(op) && (op.use_empty() || needsData(op)))
      return success();
    FailureOr<Values> results = lowerOp(b, &op, values, options);
    if (failed(results))
      return failure();
    for (auto [from, to] : llvm::zip(op.getResults(), *results))
      values.map(from, to);
    return success();
  }

  func::FuncOp function, lowered;
  const LoweringOptions &options;
  OpBuilder b;
  IRMapping values;
};

class ConvertRLToLinalg
    : public roofline::impl::ConvertRLToLinalgBase<ConvertRLToLinalg> {
public:
  using ConvertRLToLinalgBase::ConvertRLToLinalgBase;

private:
  void runOnOperation() override {
    LoweringOptions options;
    options.attentionByBlocks = attentionByBlocks;
    for (func::FuncOp function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() &&
          failed(FunctionLowering(function, options).run()))
        return signalPassFailure();
  }
};

} // namespace
