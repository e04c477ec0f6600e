//===- RLToLinalg.cpp - functions of rl to linalg -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

class FunctionLowering {
public:
  explicit FunctionLowering(func::FuncOp function)
      : function(function), b(function) {}

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
      results.push_back(values.lookup(result));
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
      inputs.push_back(loweredType(type));
      if (!inputs.back())
        return function.emitError("can't be lowered: argument ")
               << i << " is " << type
               << "; sizes must be bound (--dim) and elements numbers";
    }
    for (Operation &op : function.front())
      if (needsData(op)) {
        inputs.push_back(loweredType(op.getResult(0).getType()));
        if (!inputs.back())
          return op.emitError("can't be lowered: a weight of type ")
                 << op.getResult(0).getType();
      }
    for (Type type : function.getResultTypes()) {
      results.push_back(loweredType(type));
      if (!results.back())
        return function.emitError("can't be lowered: a result is ") << type;
    }
    lowered = func::FuncOp::create(b, function.getLoc(), "lowered",
                                   b.getFunctionType(inputs, results));
    lowered.setVisibility(function.getVisibility());
    return success();
  }

  void mapArguments() {
    unsigned next = function.getNumArguments();
    for (unsigned i = 0; i < next; ++i) {
      values.map(function.getArgument(i), lowered.getArgument(i));
      if (Attribute name = function.getArgAttr(i, rl::nameAttrName))
        lowered.setArgAttr(i, rl::nameAttrName, name);
    }
    for (Operation &op : function.front())
      if (needsData(op)) {
        lowered.setArgAttr(next, rl::nameAttrName,
                           cast<rl::WeightOp>(op).getNameAttr());
        values.map(op.getResult(0), lowered.getArgument(next++));
      }
  }

  LogicalResult lower(Operation &op) {
    if (isa<rl::WeightOp>(op) && (op.use_empty() || needsData(op)))
      return success();
    FailureOr<Values> results = lowerOp(b, &op, values);
    if (failed(results))
      return failure();
    for (auto [from, to] : llvm::zip(op.getResults(), *results))
      values.map(from, to);
    return success();
  }

  func::FuncOp function, lowered;
  OpBuilder b;
  IRMapping values;
};

class ConvertRLToLinalg
    : public roofline::impl::ConvertRLToLinalgBase<ConvertRLToLinalg> {
  void runOnOperation() override {
    for (func::FuncOp function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() && failed(FunctionLowering(function).run()))
        return signalPassFailure();
  }
};

} // namespace
