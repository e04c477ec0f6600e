//===- LinalgOther.cpp - linalg ops without a body ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgOther.h"
#include "Models.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "roofline/Cost/Formulas.h"

using namespace mlir;

namespace roofline::models {
namespace {

/// Reads what isn't a destination, writes the destinations.
Work moveToDestination(Operation *op, const CostContext &context) {
  auto destination = cast<DestinationStyleOpInterface>(op);
  Work work;
  for (OpOperand *input : destination.getDpsInputOperands())
    if (isShaped(input->get().getType()))
      context.readOperand(work, op, input->getOperandNumber());
  if (op->getNumResults()) {
    context.writeResults(work, op);
    return work;
  }
  for (Value init : destination.getDpsInits())
    work.write(-1, context.bytes(init), context.role(init));
  return work;
}

struct SoftmaxModel : CostOpInterface::FallbackModel<SoftmaxModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto softmax = cast<linalg::SoftmaxOp>(op);
    Work work = moveToDestination(op, context);
    Value input = softmax.getInput();
    ElementType type = elementType(input.getType());
    std::optional<Dims> dims = context.dims(input);
    if (!dims) {
      work.flopsKnown = false;
      return work;
    }
    Expr rows = 1;
    for (auto [axis, size] : llvm::enumerate(*dims))
      if (axis != softmax.getDimension())
        rows *= size;
    OpCounts counts =
        softmaxOps(SoftmaxKind::Softmax, rows, (*dims)[softmax.getDimension()]);
    work.addFlops(ComputeClass::Vector, type, counts.vector);
    work.addFlops(ComputeClass::Special, type, counts.special);
    return work;
  }
};

/// pack and unpack: a copy into another layout.
struct RelayoutModel : CostOpInterface::FallbackModel<RelayoutModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    return moveToDestination(op, context);
  }
};

/// L · x · R for a tile of h x w elements, as two products with constant
/// matrices, each left out where the kernel has one row or one column.
struct Transform {
  int64_t oldHeight, newHeight, oldWidth, newWidth;
  int64_t flops() const {
    int64_t result = 0, width = oldWidth;
    if (oldHeight != newHeight || oldHeight > 1)
      result += 2 * newHeight * oldHeight * width;
    if (oldWidth != newWidth || oldWidth > 1)
      result += 2 * newHeight * width * newWidth;
    return result;
  }
};

/// Output tile and kernel size of F(m, r), for each of height and width.
struct Tiling {
  int64_t m, r;
  explicit Tiling(linalg::WinogradConv2DFmr fmr) {
    switch (fmr) {
    case linalg::WinogradConv2DFmr::F_2_3:
      m = 2, r = 3;
      break;
    case linalg::WinogradConv2DFmr::F_4_3:
      m = 4, r = 3;
      break;
    case linalg::WinogradConv2DFmr::F_2_5:
      m = 2, r = 5;
      break;
    }
  }
  int64_t alpha() const { return m + r - 1; }
};

/// `tiles` transforms, each of the FLOPs given.
Work winograd(Operation *op, const CostContext &context, int64_t flops,
              Value counted, ArrayRef<unsigned> axes) {
  Work work = moveToDestination(op, context);
  Expr tiles = 1;
  for (unsigned axis : axes) {
    std::optional<Expr> size = context.dim(counted, axis);
    if (!size) {
      work.flopsKnown = false;
      return work;
    }
    tiles *= *size;
  }
  work.addFlops(ComputeClass::Matmul, elementType(counted.getType()),
                tiles * Expr(flops));
  return work;
}

struct WinogradFilterModel
    : CostOpInterface::FallbackModel<WinogradFilterModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto transform = cast<linalg::WinogradFilterTransformOp>(op);
    Tiling tiling(transform.getFmr());
    auto type = cast<ShapedType>(transform.getFilter().getType());
    auto size = [&](int64_t axis) { return type.getDimSize(axis); };
    bool tall = size(transform.getFilterHDim()) != 1;
    bool wide = size(transform.getFilterWDim()) != 1;
    Transform tile{tall ? tiling.r : 1, tall ? tiling.alpha() : 1,
                   wide ? tiling.r : 1, wide ? tiling.alpha() : 1};
    return winograd(op, context, tile.flops(), transform.getFilter(),
                    {unsigned(transform.getFilterFDim()),
                     unsigned(transform.getFilterCDim())});
  }
};

struct WinogradInputModel : CostOpInterface::FallbackModel<WinogradInputModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto transform = cast<linalg::WinogradInputTransformOp>(op);
    Tiling tiling(transform.getFmr());
    auto type = cast<ShapedType>(transform.getOutput().getType());
    int64_t height = type.getDimSize(transform.getOutputAlphaHDim()) == 1
                         ? 1
                         : tiling.alpha();
    int64_t width = type.getDimSize(transform.getOutputAlphaWDim()) == 1
                        ? 1
                        : tiling.alpha();
    return winograd(op, context,
                    Transform{height, height, width, width}.flops(),
                    transform.getOutput(), {2, 3, 4, 5});
  }
};

struct WinogradOutputModel
    : CostOpInterface::FallbackModel<WinogradOutputModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto transform = cast<linalg::WinogradOutputTransformOp>(op);
    Tiling tiling(transform.getFmr());
    auto type = cast<ShapedType>(transform.getValue().getType());
    bool tall = type.getDimSize(transform.getValueAlphaHDim()) != 1;
    bool wide = type.getDimSize(transform.getValueAlphaWDim()) != 1;
    Transform tile{tall ? tiling.alpha() : 1, tall ? tiling.m : 1,
                   wide ? tiling.alpha() : 1, wide ? tiling.m : 1};
    return winograd(op, context, tile.flops(), transform.getValue(),
                    {2, 3, 4, 5});
  }
};

/// A result has its destination's dimensions.
struct DestinationSymbols
    : SymbolicOpInterface::FallbackModel<DestinationSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto destination = cast<DestinationStyleOpInterface>(op);
    for (OpResult result : op->getResults())
      if (auto dims = symbols.dims(destination.getTiedOpOperand(result)->get()))
        symbols.setDims(result, *dims);
  }
};

} // namespace

void attachLinalgOther(MLIRContext *context) {
  attach<SoftmaxModel, linalg::SoftmaxOp>(context);
  attach<RelayoutModel, linalg::PackOp, linalg::UnPackOp>(context);
  attach<WinogradFilterModel, linalg::WinogradFilterTransformOp>(context);
  attach<WinogradInputModel, linalg::WinogradInputTransformOp>(context);
  attach<WinogradOutputModel, linalg::WinogradOutputTransformOp>(context);
  attach<DestinationSymbols, linalg::SoftmaxOp, linalg::PackOp,
         linalg::UnPackOp, linalg::WinogradFilterTransformOp,
         linalg::WinogradInputTransformOp, linalg::WinogradOutputTransformOp>(
      context);
}

} // namespace roofline::models
