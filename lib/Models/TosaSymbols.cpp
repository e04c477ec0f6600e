//===- TosaSymbols.cpp - shapes of tosa ops -------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "Shapes.h"
#include "Tosa.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;

namespace roofline::models {
namespace {

/// For models of many ops.
struct AnyOp {
  Operation *op;
  explicit AnyOp(Operation *op) : op(op) {}
  Operation *operator->() const { return op; }
};

/// A model whose `infer` gives the dimensions of the one result. Ops that are
/// static need none.
template <typename Op, typename Model>
struct ShapeModel : SymbolicOpInterface::FallbackModel<Model> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
    if (type && type.hasRank() && type.hasStaticShape())
      return;
    if (std::optional<MaybeDims> dims = Model::infer(Op(op), symbols))
      for (Value result : op->getResults())
        symbols.setDims(result, *dims);
  }
};

MaybeDims elementsOf(const SymbolMap &symbols, Value shape) {
  auto elements = symbols.elements(shape);
  if (!elements)
    return {};
  return MaybeDims(elements->begin(), elements->end());
}

//===----------------------------------------------------------------------===//
// Constants and shapes as values
//===----------------------------------------------------------------------===//

struct ConstSymbols : SymbolicOpInterface::FallbackModel<ConstSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto elements = constantElements(op->getAttr("values"));
    if (!elements)
      return;
    if (elements->size() == 1 && elements->front() &&
        isShaped(op->getResult(0).getType()))
      symbols.setScalar(op->getResult(0), *elements->front());
    symbols.setElements(op->getResult(0), *elements);
  }
};

struct ShapeArithmetic : SymbolicOpInterface::FallbackModel<ShapeArithmetic> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    MaybeDims a = elementsOf(symbols, op->getOperand(0));
    MaybeDims b = elementsOf(symbols, op->getOperand(1));
    MaybeDims result(std::min(a.size(), b.size()));
    for (size_t i = 0; i != result.size(); ++i)
      if (a[i] && b[i])
        result[i] = evaluate(op, *a[i], *b[i]);
    symbols.setElements(op->getResult(0), result);
  }

  static MaybeExpr evaluate(Operation *op, const Expr &a, const Expr &b) {
    if (isa<tosa::AddShapeOp>(op))
      return a + b;
    if (isa<tosa::SubShapeOp>(op))
      return a - b;
    if (isa<tosa::MulShapeOp>(op))
      return a * b;
    if (isa<tosa::DivFloorShapeOp>(op))
      return Expr::floorDiv(a, b);
    if (isa<tosa::DivCeilShapeOp>(op))
      return Expr::ceilDiv(a, b);
    if (isa<tosa::ModShapeOp>(op))
      return Expr::mod(a, b);
    if (isa<tosa::MaxShapeOp>(op))
      return Expr::max(a, b);
    return Expr::min(a, b);
  }
};

struct DimSymbols : SymbolicOpInterface::FallbackModel<DimSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    auto dim = cast<tosa::DimOp>(op);
    symbols.setElements(dim.getOutput(),
                        symbols.dim(dim.getInput1(), dim.getAxis()));
  }
};

struct ConcatShapeSymbols
    : SymbolicOpInterface::FallbackModel<ConcatShapeSymbols> {
  void inferSymbols(Operation *op, SymbolMap &symbols) const {
    MaybeDims all;
    for (Value operand : op->getOperands()) {
      size_t rank = cast<tosa::shapeType>(operand.getType()).getRank();
      MaybeDims part = elementsOf(symbols, operand);
      part.resize(rank);
      all.append(part);
    }
    symbols.setElements(op->getResult(0), all);
  }
};

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// NumPy's broadcasting over the operands.
struct ElementwiseSymbols : ShapeModel<AnyOp, ElementwiseSymbols> {
  static std::optional<MaybeDims> infer(AnyOp op, const SymbolMap &symbols) {
    std::optional<MaybeDims> dims;
    for (Value operand : op->getOperands()) {
      std::optional<MaybeDims> more = symbols.dims(operand);
      if (!more)
        return std::nullopt;
      dims = dims ? broadcastDims(*dims, *more) : *more;
    }
    return dims;
  }
};

struct FirstOperandSymbols : ShapeModel<AnyOp, FirstOperandSymbols> {
  static std::optional<MaybeDims> infer(AnyOp op, const SymbolMap &symbols) {
    return symbols.dims(op->getOperand(0));
  }
};

struct MatMulSymbols : ShapeModel<tosa::MatMulOp, MatMulSymbols> {
  static std::optional<MaybeDims> infer(tosa::MatMulOp op,
                                        const SymbolMap &symbols) {
    return MaybeDims{symbols.dim(op.getA(), 0), symbols.dim(op.getA(), 1),
                     symbols.dim(op.getB(), 2)};
  }
};

/// Positions of a window: ⌊(size + pads - reach) / stride⌋ + 1.
MaybeExpr windows(const MaybeExpr &size, int64_t pads, const MaybeExpr &kernel,
                  int64_t dilation, int64_t stride) {
  if (!size || !kernel)
    return std::nullopt;
  Expr reach = (*kernel - 1) * Expr(dilation) + 1;
  return Expr::floorDiv(*size + Expr(pads) - reach, stride) + 1;
}

/// Input N x spatial x C; `kernelAxis` is where the weight's kernel begins.
template <typename Op>
MaybeDims convolved(Op op, const SymbolMap &symbols, unsigned kernelAxis,
                    const MaybeExpr &channels) {
  MaybeDims dims{symbols.dim(op.getInput(), 0)};
  for (auto [i, stride] : llvm::enumerate(op.getStride()))
    dims.push_back(windows(symbols.dim(op.getInput(), i + 1),
                           op.getPad()[2 * i] + op.getPad()[2 * i + 1],
                           symbols.dim(op.getWeight(), kernelAxis + i),
                           op.getDilation()[i], stride));
  dims.push_back(channels);
  return dims;
}

template <typename Op> struct ConvSymbols : ShapeModel<Op, ConvSymbols<Op>> {
  static std::optional<MaybeDims> infer(Op op, const SymbolMap &symbols) {
    return convolved(op, symbols, 1, symbols.dim(op.getWeight(), 0));
  }
};

struct DepthwiseSymbols
    : ShapeModel<tosa::DepthwiseConv2DOp, DepthwiseSymbols> {
  static std::optional<MaybeDims> infer(tosa::DepthwiseConv2DOp op,
                                        const SymbolMap &symbols) {
    MaybeDims channels{symbols.dim(op.getWeight(), 2),
                       symbols.dim(op.getWeight(), 3)};
    return convolved(op, symbols, 0, product(channels));
  }
};

struct TransposeConvSymbols
    : ShapeModel<tosa::TransposeConv2DOp, TransposeConvSymbols> {
  static std::optional<MaybeDims> infer(tosa::TransposeConv2DOp op,
                                        const SymbolMap &symbols) {
    MaybeDims dims{symbols.dim(op.getInput(), 0)};
    for (unsigned i : {0u, 1u}) {
      MaybeExpr size = symbols.dim(op.getInput(), i + 1);
      MaybeExpr kernel = symbols.dim(op.getWeight(), i + 1);
      int64_t pads = op.getOutPad()[2 * i] + op.getOutPad()[2 * i + 1];
      if (size && kernel)
        dims.push_back((*size - 1) * Expr(op.getStride()[i]) + *kernel +
                       Expr(pads));
      else
        dims.push_back(std::nullopt);
    }
    dims.push_back(symbols.dim(op.getWeight(), 0));
    return dims;
  }
};

template <typename Op> struct PoolSymbols : ShapeModel<Op, PoolSymbols<Op>> {
  static std::optional<MaybeDims> infer(Op op, const SymbolMap &symbols) {
    MaybeDims dims{symbols.dim(op.getInput(), 0)};
    for (unsigned i : {0u, 1u})
      dims.push_back(windows(symbols.dim(op.getInput(), i + 1),
                             op.getPad()[2 * i] + op.getPad()[2 * i + 1],
                             Expr(op.getKernel()[i]), 1, op.getStride()[i]));
    dims.push_back(symbols.dim(op.getInput(), 3));
    return dims;
  }
};

template <typename Op>
struct ReduceSymbols : ShapeModel<Op, ReduceSymbols<Op>> {
  static std::optional<MaybeDims> infer(Op op, const SymbolMap &symbols) {
    std::optional<MaybeDims> dims = symbols.dims(op.getInput());
    if (!dims || op.getAxis() >= dims->size())
      return std::nullopt;
    if (std::is_same_v<Op, tosa::ArgMaxOp>)
      dims->erase(dims->begin() + op.getAxis());
    else
      (*dims)[op.getAxis()] = Expr(1);
    return dims;
  }
};

struct ConcatSymbols : ShapeModel<tosa::ConcatOp, ConcatSymbols> {
  static std::optional<MaybeDims> infer(tosa::ConcatOp op,
                                        const SymbolMap &symbols) {
    std::optional<MaybeDims> dims = symbols.dims(op.getInput1().front());
    if (!dims || op.getAxis() >= dims->size())
      return std::nullopt;
    MaybeExpr length(0);
    for (Value input : op.getInput1()) {
      MaybeExpr part = symbols.dim(input, op.getAxis());
      length = length && part ? MaybeExpr(*length + *part) : std::nullopt;
    }
    (*dims)[op.getAxis()] = length;
    return dims;
  }
};

struct TransposeSymbols : ShapeModel<tosa::TransposeOp, TransposeSymbols> {
  static std::optional<MaybeDims> infer(tosa::TransposeOp op,
                                        const SymbolMap &symbols) {
    MaybeDims dims;
    for (int32_t axis : op.getPerms())
      dims.push_back(symbols.dim(op.getInput1(), axis));
    return dims;
  }
};

struct ReshapeSymbols : ShapeModel<tosa::ReshapeOp, ReshapeSymbols> {
  static std::optional<MaybeDims> infer(tosa::ReshapeOp op,
                                        const SymbolMap &symbols) {
    std::optional<MaybeDims> source = symbols.dims(op.getInput1());
    MaybeDims target = elementsOf(symbols, op.getShape());
    if (!source || target.empty())
      return std::nullopt;
    return reshapedDims(*source, target);
  }
};

struct PadSymbols : ShapeModel<tosa::PadOp, PadSymbols> {
  static std::optional<MaybeDims> infer(tosa::PadOp op,
                                        const SymbolMap &symbols) {
    std::optional<MaybeDims> dims = symbols.dims(op.getInput1());
    MaybeDims pads = elementsOf(symbols, op.getPadding());
    if (!dims || pads.size() != 2 * dims->size())
      return std::nullopt;
    for (size_t axis = 0; axis != dims->size(); ++axis) {
      MaybeExpr &dim = (*dims)[axis];
      const MaybeExpr &low = pads[2 * axis], &high = pads[2 * axis + 1];
      dim = dim && low && high ? MaybeExpr(*dim + *low + *high) : std::nullopt;
    }
    return dims;
  }
};

/// A size of -1 takes all that is left.
struct SliceSymbols : ShapeModel<tosa::SliceOp, SliceSymbols> {
  static std::optional<MaybeDims> infer(tosa::SliceOp op,
                                        const SymbolMap &symbols) {
    std::optional<MaybeDims> source = symbols.dims(op.getInput1());
    MaybeDims sizes = elementsOf(symbols, op.getSize());
    MaybeDims starts = elementsOf(symbols, op.getStart());
    if (!source || sizes.size() != source->size() ||
        starts.size() != source->size())
      return std::nullopt;
    for (size_t axis = 0; axis != sizes.size(); ++axis) {
      if (!sizes[axis] || *sizes[axis] != Expr(-1))
        continue;
      const MaybeExpr &size = (*source)[axis], &start = starts[axis];
      sizes[axis] = size && start ? MaybeExpr(*size - *start) : std::nullopt;
    }
    return sizes;
  }
};

struct TileSymbols : ShapeModel<tosa::TileOp, TileSymbols> {
  static std::optional<MaybeDims> infer(tosa::TileOp op,
                                        const SymbolMap &symbols) {
    std::optional<MaybeDims> dims = symbols.dims(op.getInput1());
    MaybeDims times = elementsOf(symbols, op.getMultiples());
    if (!dims || times.size() != dims->size())
      return std::nullopt;
    for (size_t axis = 0; axis != dims->size(); ++axis)
      (*dims)[axis] = product({(*dims)[axis], times[axis]});
    return dims;
  }
};

struct GatherSymbols : ShapeModel<tosa::GatherOp, GatherSymbols> {
  static std::optional<MaybeDims> infer(tosa::GatherOp op,
                                        const SymbolMap &symbols) {
    return MaybeDims{symbols.dim(op.getValues(), 0),
                     symbols.dim(op.getIndices(), 1),
                     symbols.dim(op.getValues(), 2)};
  }
};

/// ⌊((size - 1)·n - offset + border) / d⌋ + 1 for a scale of n/d.
struct ResizeSymbols : ShapeModel<tosa::ResizeOp, ResizeSymbols> {
  static std::optional<MaybeDims> infer(tosa::ResizeOp op,
                                        const SymbolMap &symbols) {
    MaybeDims scale = elementsOf(symbols, op.getScale());
    MaybeDims offset = elementsOf(symbols, op.getOffset());
    MaybeDims border = elementsOf(symbols, op.getBorder());
    std::optional<MaybeDims> dims = symbols.dims(op.getInput());
    if (!dims || dims->size() != 4 || scale.size() != 4 || offset.size() != 2 ||
        border.size() != 2)
      return std::nullopt;
    for (unsigned i : {0u, 1u}) {
      MaybeExpr &dim = (*dims)[i + 1];
      const MaybeExpr &n = scale[2 * i], &d = scale[2 * i + 1];
      if (!dim || !n || !d || !offset[i] || !border[i])
        dim = std::nullopt;
      else
        dim = Expr::floorDiv((*dim - 1) * *n - *offset[i] + *border[i], *d) + 1;
    }
    return dims;
  }
};

struct RFFTSymbols : ShapeModel<tosa::RFFT2dOp, RFFTSymbols> {
  static std::optional<MaybeDims> infer(tosa::RFFT2dOp op,
                                        const SymbolMap &symbols) {
    std::optional<MaybeDims> dims = symbols.dims(op->getOperand(0));
    if (!dims || dims->size() != 3)
      return std::nullopt;
    if (MaybeExpr &width = dims->back())
      width = Expr::floorDiv(*width, 2) + 1;
    return dims;
  }
};

void attachTensorSymbols(MLIRContext *context) {
  attach<MatMulSymbols, tosa::MatMulOp>(context);
  attach<ConvSymbols<tosa::Conv2DOp>, tosa::Conv2DOp>(context);
  attach<ConvSymbols<tosa::Conv3DOp>, tosa::Conv3DOp>(context);
  attach<DepthwiseSymbols, tosa::DepthwiseConv2DOp>(context);
  attach<TransposeConvSymbols, tosa::TransposeConv2DOp>(context);
  attach<PoolSymbols<tosa::AvgPool2dOp>, tosa::AvgPool2dOp>(context);
  attach<PoolSymbols<tosa::MaxPool2dOp>, tosa::MaxPool2dOp>(context);
  attach<ReduceSymbols<tosa::ArgMaxOp>, tosa::ArgMaxOp>(context);
  attach<ReduceSymbols<tosa::ReduceAllOp>, tosa::ReduceAllOp>(context);
  attach<ReduceSymbols<tosa::ReduceAnyOp>, tosa::ReduceAnyOp>(context);
  attach<ReduceSymbols<tosa::ReduceMaxOp>, tosa::ReduceMaxOp>(context);
  attach<ReduceSymbols<tosa::ReduceMinOp>, tosa::ReduceMinOp>(context);
  attach<ReduceSymbols<tosa::ReduceProductOp>, tosa::ReduceProductOp>(context);
  attach<ReduceSymbols<tosa::ReduceSumOp>, tosa::ReduceSumOp>(context);
  attach<ConcatSymbols, tosa::ConcatOp>(context);
  attach<TransposeSymbols, tosa::TransposeOp>(context);
  attach<ReshapeSymbols, tosa::ReshapeOp>(context);
  attach<PadSymbols, tosa::PadOp>(context);
  attach<SliceSymbols, tosa::SliceOp>(context);
  attach<TileSymbols, tosa::TileOp>(context);
  attach<GatherSymbols, tosa::GatherOp>(context);
  attach<ResizeSymbols, tosa::ResizeOp>(context);
  attach<RFFTSymbols, tosa::RFFT2dOp>(context);
}

void attachElementwiseSymbols(MLIRContext *context) {
  attach<ElementwiseSymbols, tosa::AddOp, tosa::SubOp, tosa::MulOp,
         tosa::ArithmeticRightShiftOp, tosa::LogicalLeftShiftOp,
         tosa::LogicalRightShiftOp, tosa::BitwiseAndOp, tosa::BitwiseOrOp,
         tosa::BitwiseXorOp, tosa::LogicalAndOp, tosa::LogicalOrOp,
         tosa::LogicalXorOp, tosa::MaximumOp, tosa::MinimumOp, tosa::IntDivOp,
         tosa::PowOp, tosa::SelectOp, tosa::EqualOp, tosa::GreaterOp,
         tosa::GreaterEqualOp>(context);
  attach<FirstOperandSymbols, tosa::AbsOp, tosa::BitwiseNotOp, tosa::CeilOp,
         tosa::ClzOp, tosa::FloorOp, tosa::LogicalNotOp, tosa::NegateOp,
         tosa::CosOp, tosa::SinOp, tosa::ErfOp, tosa::ExpOp, tosa::LogOp,
         tosa::ReciprocalOp, tosa::RsqrtOp, tosa::TanhOp, tosa::SigmoidOp,
         tosa::CastOp, tosa::ClampOp, tosa::RescaleOp, tosa::TableOp,
         tosa::ReverseOp, tosa::IdentityOp, tosa::ScatterOp, tosa::FFT2dOp,
         tosa::ApplyScaleOp>(context);
}

} // namespace

void attachTosaSymbols(MLIRContext *context) {
  attach<ConstSymbols, tosa::ConstOp, tosa::ConstShapeOp>(context);
  attach<ShapeArithmetic, tosa::AddShapeOp, tosa::SubShapeOp, tosa::MulShapeOp,
         tosa::DivFloorShapeOp, tosa::DivCeilShapeOp, tosa::ModShapeOp,
         tosa::MaxShapeOp, tosa::MinShapeOp>(context);
  attach<DimSymbols, tosa::DimOp>(context);
  attach<ConcatShapeSymbols, tosa::ConcatShapeOp>(context);
  attachTensorSymbols(context);
  attachElementwiseSymbols(context);
}

} // namespace roofline::models
