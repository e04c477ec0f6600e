//===- TensorSymbols.cpp - shapes of tensor and memref ops ----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorSymbols.h"
#include "Shapes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::models {
namespace {

template <typename Op, typename Model>
struct SymbolModel : SymbolicOpInterface::FallbackModel<Model> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    Model::infer(cast<Op>(op), symbols);
  }
};

/// tensor.dim, memref.dim.
template <typename Op> struct DimSymbols : SymbolModel<Op, DimSymbols<Op>> {
  static void infer(Op op, SymbolMap &symbols) {
    MaybeExpr axis = scalarOf(symbols, op.getIndex());
    std::optional<int64_t> number = axis ? axis->asInt64() : std::nullopt;
    if (!number || *number < 0)
      return;
    std::optional<MaybeDims> dims = symbols.dims(op.getSource());
    if (dims && size_t(*number) < dims->size() && (*dims)[*number])
      symbols.setScalar(op, *(*dims)[*number]);
  }
};

template <typename Op> struct RankSymbols : SymbolModel<Op, RankSymbols<Op>> {
  static void infer(Op op, SymbolMap &symbols) {
    if (auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType()))
      symbols.setScalar(op, Expr(type.getRank()));
  }
};

/// Ops whose operands are the result's dynamic sizes, in order: tensor.empty,
/// tensor.generate, tensor.splat, memref.alloc.
template <typename Op> struct SizedSymbols : SymbolModel<Op, SizedSymbols<Op>> {
  static void infer(Op op, SymbolMap &symbols) {
    auto type = cast<ShapedType>(op->getResult(0).getType());
    MaybeDims dims(type.getRank());
    auto sizes = dynamicSizes(op);
    auto next = sizes.begin();
    for (int64_t axis = 0; axis != type.getRank(); ++axis)
      if (type.isDynamicDim(axis) && next != sizes.end())
        dims[axis] = scalarOf(symbols, *next++);
    symbols.setDims(op->getResult(0), dims);
  }
  static ValueRange dynamicSizes(tensor::EmptyOp op) {
    return op.getDynamicSizes();
  }
  static ValueRange dynamicSizes(tensor::GenerateOp op) {
    return op.getDynamicExtents();
  }
  static ValueRange dynamicSizes(tensor::SplatOp op) {
    return op.getDynamicSizes();
  }
  static ValueRange dynamicSizes(memref::AllocOp op) {
    return op.getDynamicSizes();
  }
  static ValueRange dynamicSizes(memref::AllocaOp op) {
    return op.getDynamicSizes();
  }
};

/// Sizes given, of which a rank-reducing slice leaves ones out.
template <typename Op> struct SliceSymbols : SymbolModel<Op, SliceSymbols<Op>> {
  static void infer(Op op, SymbolMap &symbols) {
    llvm::SmallBitVector dropped = op.getDroppedDims();
    MaybeDims dims;
    for (auto [axis, size] : llvm::enumerate(op.getMixedSizes()))
      if (!dropped.test(axis))
        dims.push_back(scalarOf(symbols, size));
    symbols.setDims(op.getResult(), dims);
    if (isWhole(op) && dropped.none())
      SameShapeModel().inferSymbols(op, symbols);
    else
      inferElements(op, symbols);
  }

  static bool isWhole(Op op) {
    return op->getResult(0).getType() == op.getSource().getType() &&
           cast<ShapedType>(op.getSource().getType()).hasStaticShape();
  }

  /// A part of a small list of numbers.
  static void inferElements(Op op, SymbolMap &symbols) {
    auto elements = symbols.elements(op.getSource());
    auto offsets = op.getMixedOffsets();
    auto sizes = op.getMixedSizes();
    if (!elements || offsets.size() != 1)
      return;
    MaybeExpr offset = scalarOf(symbols, offsets[0]);
    MaybeExpr size = scalarOf(symbols, sizes[0]);
    MaybeExpr stride = scalarOf(symbols, op.getMixedStrides()[0]);
    if (!offset || !size || !stride || !offset->asInt64() || !size->asInt64() ||
        !stride->asInt64())
      return;
    SmallVector<MaybeExpr, 4> picked;
    for (int64_t i = 0; i < *size->asInt64(); ++i) {
      int64_t position = *offset->asInt64() + i * *stride->asInt64();
      if (position < 0 || size_t(position) >= elements->size())
        return;
      picked.push_back((*elements)[position]);
    }
    symbols.setElements(op.getResult(), picked);
  }
};

template <typename Op>
struct ExpandSymbols : SymbolModel<Op, ExpandSymbols<Op>> {
  static void infer(Op op, SymbolMap &symbols) {
    MaybeDims dims = sizesOf(symbols, op.getMixedOutputShape());
    // A size that isn't given as a known value follows from the others of its
    // group.
    if (std::optional<MaybeDims> source = symbols.dims(op.getSrc()))
      for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices()))
        inferOne(dims, group, (*source)[axis]);
    symbols.setDims(op.getResult(), dims);
    copyElements(op, symbols);
  }

  static void inferOne(MaybeDims &dims, ArrayRef<int64_t> group,
                       const MaybeExpr &total) {
    std::optional<int64_t> unknown;
    Expr known = 1;
    for (int64_t axis : group) {
      if (dims[axis])
        known *= *dims[axis];
      else if (unknown)
        return;
      else
        unknown = axis;
    }
    if (unknown && total)
      dims[*unknown] = quotient(*total, known);
  }

  template <typename AnyOp>
  static void copyElements(AnyOp op, SymbolMap &symbols) {
    auto elements = symbols.elements(op->getOperand(0));
    if (!elements)
      return;
    SmallVector<MaybeExpr, 4> copy(*elements);
    symbols.setElements(op->getResult(0), copy);
  }
};

template <typename Op>
struct CollapseSymbols : SymbolModel<Op, CollapseSymbols<Op>> {
  static void infer(Op op, SymbolMap &symbols) {
    if (std::optional<MaybeDims> source = symbols.dims(op.getSrc()))
      symbols.setDims(op.getResult(),
                      collapsedDims(*source, op.getReassociationIndices()));
    ExpandSymbols<tensor::ExpandShapeOp>::copyElements(op, symbols);
  }
};

/// A reshape to a shape that is itself a tensor.
template <typename Op>
struct ReshapeSymbols : SymbolModel<Op, ReshapeSymbols<Op>> {
  static void infer(Op op, SymbolMap &symbols) {
    auto type = dyn_cast<ShapedType>(op.getResult().getType());
    if (!type || !type.hasRank())
      return;
    MaybeDims target(type.getRank());
    if (auto shape = symbols.elements(op.getShape()))
      for (size_t i = 0; i != std::min(shape->size(), target.size()); ++i)
        target[i] = (*shape)[i];
    for (int64_t axis = 0; axis != type.getRank(); ++axis)
      if (!type.isDynamicDim(axis))
        target[axis] = Expr(type.getDimSize(axis));
    if (std::optional<MaybeDims> source = symbols.dims(op.getSource()))
      target = reshapedDims(*source, target);
    symbols.setDims(op.getResult(), target);
  }
};

struct PadSymbols : SymbolModel<tensor::PadOp, PadSymbols> {
  static void infer(tensor::PadOp op, SymbolMap &symbols) {
    std::optional<MaybeDims> dims = symbols.dims(op.getSource());
    if (!dims)
      return;
    MaybeDims low = sizesOf(symbols, op.getMixedLowPad());
    MaybeDims high = sizesOf(symbols, op.getMixedHighPad());
    for (size_t axis = 0; axis != dims->size(); ++axis) {
      MaybeExpr &dim = (*dims)[axis];
      if (dim && low[axis] && high[axis])
        dim = *dim + *low[axis] + *high[axis];
      else
        dim = std::nullopt;
    }
    symbols.setDims(op, *dims);
  }
};

struct ConcatSymbols : SymbolModel<tensor::ConcatOp, ConcatSymbols> {
  static void infer(tensor::ConcatOp op, SymbolMap &symbols) {
    std::optional<MaybeDims> dims = symbols.dims(op.getInputs().front());
    if (!dims)
      return;
    MaybeExpr length(0);
    for (Value input : op.getInputs()) {
      MaybeExpr part = symbols.dim(input, op.getDim());
      length = length && part ? MaybeExpr(*length + *part) : std::nullopt;
    }
    (*dims)[op.getDim()] = length;
    symbols.setDims(op, *dims);
  }
};

/// Numbers boxed in a tensor: how shapes are passed to a reshape.
struct FromElementsSymbols
    : SymbolModel<tensor::FromElementsOp, FromElementsSymbols> {
  static void infer(tensor::FromElementsOp op, SymbolMap &symbols) {
    if (!isIntegerScalar(op.getType().getElementType()))
      return;
    SmallVector<MaybeExpr, 4> elements;
    for (Value element : op.getElements())
      elements.push_back(scalarOf(symbols, element));
    symbols.setElements(op, elements);
  }
};

struct ExtractSymbols : SymbolModel<tensor::ExtractOp, ExtractSymbols> {
  static void infer(tensor::ExtractOp op, SymbolMap &symbols) {
    auto elements = symbols.elements(op.getTensor());
    auto type = dyn_cast<RankedTensorType>(op.getTensor().getType());
    if (!elements || !type || !type.hasStaticShape())
      return;
    int64_t position = 0;
    for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
      MaybeExpr known = scalarOf(symbols, index);
      if (!known || !known->asInt64())
        return;
      position = position * type.getDimSize(axis) + *known->asInt64();
    }
    if (position >= 0 && size_t(position) < elements->size())
      if (const MaybeExpr value = (*elements)[position])
        symbols.setScalar(op, *value);
  }
};

struct GatherSymbols : SymbolModel<tensor::GatherOp, GatherSymbols> {
  /// The indices' dimensions but the last, then the source's, of which the
  /// gathered ones are 1 or left out.
  static void infer(tensor::GatherOp op, SymbolMap &symbols) {
    std::optional<MaybeDims> indices = symbols.dims(op.getIndices());
    std::optional<MaybeDims> source = symbols.dims(op.getSource());
    if (!indices || !source)
      return;
    MaybeDims dims(indices->begin(), std::prev(indices->end()));
    bool keeps = size_t(op.getType().getRank()) == dims.size() + source->size();
    for (auto [axis, dim] : llvm::enumerate(*source)) {
      if (!llvm::is_contained(op.getGatherDims(), int64_t(axis)))
        dims.push_back(dim);
      else if (keeps)
        dims.push_back(Expr(1));
    }
    symbols.setDims(op, dims);
  }
};

/// The result has the shape of the tensor that is written into.
template <typename Op> struct IntoSymbols : SymbolModel<Op, IntoSymbols<Op>> {
  static void infer(Op op, SymbolMap &symbols) {
    copyDims(symbols, op.getDest(), op.getResult());
  }
};

} // namespace

void attachTensorSymbols(MLIRContext *context) {
  attach<DimSymbols<tensor::DimOp>, tensor::DimOp>(context);
  attach<RankSymbols<tensor::RankOp>, tensor::RankOp>(context);
  attach<SizedSymbols<tensor::EmptyOp>, tensor::EmptyOp>(context);
  attach<SizedSymbols<tensor::GenerateOp>, tensor::GenerateOp>(context);
  attach<SizedSymbols<tensor::SplatOp>, tensor::SplatOp>(context);
  attach<SliceSymbols<tensor::ExtractSliceOp>, tensor::ExtractSliceOp>(context);
  attach<ExpandSymbols<tensor::ExpandShapeOp>, tensor::ExpandShapeOp>(context);
  attach<CollapseSymbols<tensor::CollapseShapeOp>, tensor::CollapseShapeOp>(
      context);
  attach<ReshapeSymbols<tensor::ReshapeOp>, tensor::ReshapeOp>(context);
  attach<PadSymbols, tensor::PadOp>(context);
  attach<ConcatSymbols, tensor::ConcatOp>(context);
  attach<FromElementsSymbols, tensor::FromElementsOp>(context);
  attach<ExtractSymbols, tensor::ExtractOp>(context);
  attach<GatherSymbols, tensor::GatherOp>(context);
  attach<IntoSymbols<tensor::InsertSliceOp>, tensor::InsertSliceOp>(context);
  attach<IntoSymbols<tensor::InsertOp>, tensor::InsertOp>(context);
  attach<IntoSymbols<tensor::ScatterOp>, tensor::ScatterOp>(context);
  attach<SameShapeModel, tensor::CastOp, tensor::BitcastOp>(context);
}

void attachMemRefSymbols(MLIRContext *context) {
  attach<DimSymbols<memref::DimOp>, memref::DimOp>(context);
  attach<SizedSymbols<memref::AllocOp>, memref::AllocOp>(context);
  attach<SizedSymbols<memref::AllocaOp>, memref::AllocaOp>(context);
  attach<SliceSymbols<memref::SubViewOp>, memref::SubViewOp>(context);
  attach<ExpandSymbols<memref::ExpandShapeOp>, memref::ExpandShapeOp>(context);
  attach<CollapseSymbols<memref::CollapseShapeOp>, memref::CollapseShapeOp>(
      context);
  attach<ReshapeSymbols<memref::ReshapeOp>, memref::ReshapeOp>(context);
  attach<SameShapeModel, memref::CastOp, memref::MemorySpaceCastOp>(context);
}

} // namespace roofline::models
