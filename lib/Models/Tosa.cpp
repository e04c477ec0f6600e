//===- Tosa.cpp - cost models for tosa ------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tosa.h"
#include "Regions.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace roofline::models {

void readTensors(Work &work, Operation *op, const CostContext &context) {
  for (OpOperand &operand : op->getOpOperands())
    if (isShaped(operand.get().getType()))
      context.readOperand(work, op, operand.getOperandNumber());
}

Work moveTensors(Operation *op, const CostContext &context) {
  Work work;
  readTensors(work, op, context);
  context.writeResults(work, op);
  return work;
}

namespace {

using Maybe = std::optional<Expr>;

/// 2 FLOPs for each of `perOutput` multiply-adds of each element counted.
void addMultiplyAdds(Work &work, ElementType type, const Maybe &elements,
                     ArrayRef<Maybe> perElement) {
  Expr total = 2;
  for (const Maybe &factor : perElement) {
    if (!factor) {
      work.flopsKnown = false;
      return;
    }
    total *= *factor;
  }
  if (elements)
    work.addFlops(ComputeClass::Matmul, type, total * *elements);
  else
    work.flopsKnown = false;
}

/// A zero point that isn't known to be 0 is subtracted from each element.
void addZeroPoint(Work &work, const CostContext &context, Value tensor,
                  Value zeroPoint) {
  if (isZeroConstant(zeroPoint))
    return;
  if (Maybe count = context.numElements(tensor))
    work.addFlops(ComputeClass::Vector, elementType(tensor.getType()), *count);
  else
    work.flopsKnown = false;
}

struct MatMulModel : CostOpInterface::FallbackModel<MatMulModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto matmul = cast<tosa::MatMulOp>(op);
    Value a = matmul.getA(), b = matmul.getB();
    Work work = moveTensors(op, context);
    addMultiplyAdds(work,
                    promote(elementType(a.getType()), elementType(b.getType())),
                    context.numElements(matmul.getOutput()), context.dim(a, 2));
    addZeroPoint(work, context, a, matmul.getAZp());
    addZeroPoint(work, context, b, matmul.getBZp());
    return work;
  }
};

/// a · bᵀ in block-scaled types: the scales are the matrix unit's own.
struct BlockScaledModel : CostOpInterface::FallbackModel<BlockScaledModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto matmul = cast<tosa::MatmulTBlockScaledOp>(op);
    Value a = matmul.getAData(), b = matmul.getBData();
    Work work = moveTensors(op, context);
    addMultiplyAdds(
        work, promote(elementType(a.getType()), elementType(b.getType())),
        context.numElements(matmul.getOutputData()), context.dim(a, 2));
    return work;
  }
};

/// Bytes, zero points and bias of any convolution.
template <typename Op>
Work convolution(Op op, const CostContext &context, Value counted,
                 ArrayRef<unsigned> weightAxes) {
  Value input = op.getInput(), weight = op.getWeight(), bias = op.getBias();
  bool hasBias = !isZeroConstant(bias);
  Work work;
  for (OpOperand &operand : op->getOpOperands())
    if (hasBias || operand.get() != bias)
      context.readOperand(work, op, operand.getOperandNumber());
  context.writeResults(work, op);

  SmallVector<Maybe, 4> taps;
  for (unsigned axis : weightAxes)
    taps.push_back(context.dim(weight, axis));
  ElementType type =
      promote(elementType(input.getType()), elementType(weight.getType()));
  addMultiplyAdds(work, type, context.numElements(counted), taps);
  addZeroPoint(work, context, input, op.getInputZp());
  addZeroPoint(work, context, weight, op.getWeightZp());
  if (!hasBias)
    return work;
  if (Maybe outputs = context.numElements(op.getOutput()))
    work.addFlops(ComputeClass::Vector, elementType(op.getOutput().getType()),
                  *outputs);
  else
    work.flopsKnown = false;
  return work;
}

/// Weights are OC x kernel x IC: one output takes a kernel of all inputs.
template <typename Op>
struct ConvModel : CostOpInterface::FallbackModel<ConvModel<Op>> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto conv = cast<Op>(op);
    SmallVector<unsigned, 4> axes;
    int64_t rank = conv.getStride().size() + 2;
    for (int64_t axis = 1; axis < rank; ++axis)
      axes.push_back(axis);
    return convolution(conv, context, conv.getOutput(), axes);
  }
};

/// Weights are KH x KW x C x M: one output takes a kernel of one input.
struct DepthwiseModel : CostOpInterface::FallbackModel<DepthwiseModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto conv = cast<tosa::DepthwiseConv2DOp>(op);
    return convolution(conv, context, conv.getOutput(), {0u, 1u});
  }
};

/// Weights are OC x KH x KW x IC: one input goes to a kernel of all outputs.
struct TransposeConvModel : CostOpInterface::FallbackModel<TransposeConvModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto conv = cast<tosa::TransposeConv2DOp>(op);
    return convolution(conv, context, conv.getInput(), {0u, 1u, 2u});
  }
};

struct IfControl : ControlModel<IfControl, ControlKind::Branch> {
  std::optional<unsigned> getTakenRegion(Operation *op,
                                         const CostContext &context) const {
    return takenRegion(context.scalar(cast<tosa::IfOp>(op).getCondition()));
  }
};

struct IfSymbols : SymbolicOpInterface::FallbackModel<IfSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto branch = cast<tosa::IfOp>(op);
    for (Region &region : op->getRegions())
      for (auto [input, argument] :
           llvm::zip(branch.getInputList(), region.getArguments()))
        if (auto dims = symbols.dims(input))
          symbols.setDims(argument, *dims);
    inferBranch(symbols, op,
                takenRegion(symbols.scalar(branch.getCondition())));
  }
};

struct WhileSymbols : SymbolicOpInterface::FallbackModel<WhileSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto loop = cast<tosa::WhileOp>(op);
    Block &body = loop.getBodyGraph().front();
    inferCarried(symbols, loop.getInputList(), body.getArguments(),
                 body.getTerminator()->getOperands(), op->getResults(), body);
    for (auto [inside, condition] : llvm::zip(
             body.getArguments(), loop.getCondGraph().front().getArguments()))
      if (auto dims = symbols.dims(inside))
        symbols.setDims(condition, *dims);
  }
};

} // namespace

void registerTosaModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tosa::TosaDialect *) {
    attach<MatMulModel, tosa::MatMulOp>(context);
    attach<BlockScaledModel, tosa::MatmulTBlockScaledOp>(context);
    attach<ConvModel<tosa::Conv2DOp>, tosa::Conv2DOp>(context);
    attach<ConvModel<tosa::Conv3DOp>, tosa::Conv3DOp>(context);
    attach<DepthwiseModel, tosa::DepthwiseConv2DOp>(context);
    attach<TransposeConvModel, tosa::TransposeConv2DOp>(context);
    attach<IfControl, tosa::IfOp>(context);
    attach<IfSymbols, tosa::IfOp>(context);
    attach<UnknownLoopModel, tosa::WhileOp>(context);
    attach<WhileSymbols, tosa::WhileOp>(context);
    attachTosaElementwise(context);
    attachTosaMovement(context);
    attachTosaSymbols(context);
  });
}

} // namespace roofline::models
