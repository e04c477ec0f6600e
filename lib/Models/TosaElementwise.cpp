//===- TosaElementwise.cpp - tosa's arithmetic besides products -----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tosa.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "roofline/Cost/Formulas.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace roofline::models {
namespace {

using Maybe = std::optional<Expr>;

void addCounts(Work &work, ElementType type, const OpCounts &counts) {
  work.addFlops(ComputeClass::Vector, type, counts.vector);
  work.addFlops(ComputeClass::Special, type, counts.special);
}

/// Moves the tensors and does `cost` per element of the result.
Work elementwise(Operation *op, const CostContext &context,
                 const ScalarCost &cost) {
  Work work = moveTensors(op, context);
  if (Maybe count = context.numElements(op->getResult(0)))
    addScalarCost(work, cost, *count);
  else
    work.flopsKnown = false;
  return work;
}

ElementType resultType(Operation *op) {
  return elementType(op->getResult(0).getType());
}
ElementType operandType(Operation *op) {
  return elementType(op->getOperand(0).getType());
}

struct VectorModel : CostOpInterface::FallbackModel<VectorModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    return elementwise(op, context, {1, 0, resultType(op)});
  }
};

struct SpecialModel : CostOpInterface::FallbackModel<SpecialModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    return elementwise(op, context, {0, 1, resultType(op)});
  }
};

/// A comparison computes in its operands' type.
struct CompareModel : CostOpInterface::FallbackModel<CompareModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    return elementwise(op, context, {1, 0, operandType(op)});
  }
};

/// exp, add, divide.
struct SigmoidModel : CostOpInterface::FallbackModel<SigmoidModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    return elementwise(op, context, {1, 2, resultType(op)});
  }
};

struct CastModel : CostOpInterface::FallbackModel<CastModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    return elementwise(op, context,
                       {1, 0, promote(operandType(op), resultType(op))});
  }
};

/// Whether a clamp's bound is the type's own: an infinity, the largest or the
/// smallest value.
bool isNoBound(Attribute bound, bool isMax) {
  if (auto number = dyn_cast<FloatAttr>(bound)) {
    const APFloat &value = number.getValue();
    return value.isNegative() != isMax &&
           (value.isInfinity() || value.isLargest());
  }
  auto number = dyn_cast<IntegerAttr>(bound);
  if (!number)
    return false;
  if (number.getType().isUnsignedInteger())
    return isMax ? number.getValue().isMaxValue() : number.getValue().isZero();
  return isMax ? number.getValue().isMaxSignedValue()
               : number.getValue().isMinSignedValue();
}

/// 1 per bound that binds.
struct ClampModel : CostOpInterface::FallbackModel<ClampModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto clamp = cast<tosa::ClampOp>(op);
    unsigned bounds = !isNoBound(clamp.getMinVal(), /*isMax=*/false) +
                      !isNoBound(clamp.getMaxVal(), /*isMax=*/true);
    return elementwise(op, context, {bounds, 0, resultType(op)});
  }
};

/// Multiply, add the rounding constant, shift; each zero point that isn't 0 is
/// one more. Computed in 32 bits or more.
struct RescaleModel : CostOpInterface::FallbackModel<RescaleModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto rescale = cast<tosa::RescaleOp>(op);
    unsigned count = 3 + !isZeroConstant(rescale.getInputZp()) +
                     !isZeroConstant(rescale.getOutputZp());
    ElementType type =
        promote(promote(operandType(op), resultType(op)), ElementType::I32);
    return elementwise(op, context, {count, 0, type});
  }
};

/// The same without zero points.
struct ApplyScaleModel : CostOpInterface::FallbackModel<ApplyScaleModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    if (!isShaped(op->getResult(0).getType()))
      return Work::none();
    return elementwise(op, context,
                       {3, 0, promote(resultType(op), ElementType::I32)});
  }
};

/// A multiplication by the block's scale.
struct FromBlockScaledModel
    : CostOpInterface::FallbackModel<FromBlockScaledModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    return elementwise(op, context, {1, 0, resultType(op)});
  }
};

/// Largest magnitude of the block (2), division by the scale, rounding, clip.
struct ToBlockScaledModel : CostOpInterface::FallbackModel<ToBlockScaledModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    return elementwise(op, context, {4, 1, operandType(op)});
  }
};

StringRef reductionKind(Operation *op) {
  return TypeSwitch<Operation *, StringRef>(op)
      .Case<tosa::ReduceSumOp>([](auto) { return "sum"; })
      .Case<tosa::ReduceMaxOp>([](auto) { return "max"; })
      .Case<tosa::ReduceMinOp>([](auto) { return "min"; })
      .Case<tosa::ReduceProductOp>([](auto) { return "prod"; })
      .Case<tosa::ReduceAnyOp>([](auto) { return "any"; })
      .Case<tosa::ReduceAllOp>([](auto) { return "all"; })
      .Case<tosa::ArgMaxOp>([](auto) { return "argmax"; })
      .Default(StringRef());
}

struct ReduceModel : CostOpInterface::FallbackModel<ReduceModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work = moveTensors(op, context);
    Maybe n = context.numElements(op->getOperand(0));
    Maybe m = context.numElements(op->getResult(0));
    std::optional<OpCounts> counts;
    if (n && m)
      counts = reduceOps(reductionKind(op), *n, *m);
    if (counts)
      addCounts(work, operandType(op), *counts);
    else
      work.flopsKnown = false;
    return work;
  }
};

/// N x H x W x C; only taps inside the input are work.
template <typename Op>
struct PoolModel : CostOpInterface::FallbackModel<PoolModel<Op>> {
  Work getWork(Operation *op, const CostContext &context) const {
    auto pool = cast<Op>(op);
    Work work = moveTensors(op, context);
    Maybe outputs = context.numElements(pool.getOutput());
    Maybe taps = countTaps(pool, context);
    std::optional<OpCounts> counts;
    if (outputs && taps)
      counts =
          poolOps(std::is_same_v<Op, tosa::AvgPool2dOp> ? "average" : "max",
                  *taps, *outputs);
    if (counts)
      addCounts(work, operandType(op), *counts);
    else
      work.flopsKnown = false;
    return work;
  }

  static Maybe countTaps(Op pool, const CostContext &context) {
    std::optional<Dims> input = context.dims(pool.getInput());
    std::optional<Dims> output = context.dims(pool.getOutput());
    if (!input || !output || input->size() != 4)
      return std::nullopt;
    Expr taps = (*output)[0] * (*output)[3];
    for (unsigned i : {0u, 1u})
      if (Maybe inside = poolTaps((*input)[i + 1], (*output)[i + 1],
                                  pool.getKernel()[i], pool.getStride()[i],
                                  pool.getPad()[2 * i], /*dilation=*/1))
        taps *= *inside;
      else
        return std::nullopt;
    return taps;
  }
};

/// A transform of the last two dimensions for each element of the first.
struct FFTModel : CostOpInterface::FallbackModel<FFTModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    Work work = moveTensors(op, context);
    std::optional<Dims> dims = context.dims(op->getOperand(0));
    Maybe each;
    if (dims && dims->size() == 3)
      each = fftOps((*dims)[1] * (*dims)[2]);
    if (each)
      work.addFlops(ComputeClass::Vector, operandType(op), *each * (*dims)[0]);
    else
      work.flopsKnown = false;
    return work;
  }
};

} // namespace

void attachTosaElementwise(MLIRContext *context) {
  attach<VectorModel, tosa::AbsOp, tosa::BitwiseNotOp, tosa::CeilOp,
         tosa::ClzOp, tosa::FloorOp, tosa::LogicalNotOp, tosa::NegateOp,
         tosa::AddOp, tosa::SubOp, tosa::MulOp, tosa::ArithmeticRightShiftOp,
         tosa::LogicalLeftShiftOp, tosa::LogicalRightShiftOp,
         tosa::BitwiseAndOp, tosa::BitwiseOrOp, tosa::BitwiseXorOp,
         tosa::LogicalAndOp, tosa::LogicalOrOp, tosa::LogicalXorOp,
         tosa::MaximumOp, tosa::MinimumOp, tosa::SelectOp>(context);
  attach<CompareModel, tosa::EqualOp, tosa::GreaterOp, tosa::GreaterEqualOp>(
      context);
  attach<SpecialModel, tosa::CosOp, tosa::SinOp, tosa::ErfOp, tosa::ExpOp,
         tosa::LogOp, tosa::ReciprocalOp, tosa::RsqrtOp, tosa::TanhOp,
         tosa::IntDivOp, tosa::PowOp>(context);
  attach<SigmoidModel, tosa::SigmoidOp>(context);
  attach<CastModel, tosa::CastOp>(context);
  attach<ClampModel, tosa::ClampOp>(context);
  attach<RescaleModel, tosa::RescaleOp>(context);
  attach<ApplyScaleModel, tosa::ApplyScaleOp>(context);
  attach<FromBlockScaledModel, tosa::CastFromBlockScaledOp>(context);
  attach<ToBlockScaledModel, tosa::CastToBlockScaledOp>(context);
  attach<ReduceModel, tosa::ReduceSumOp, tosa::ReduceMaxOp, tosa::ReduceMinOp,
         tosa::ReduceProductOp, tosa::ReduceAnyOp, tosa::ReduceAllOp,
         tosa::ArgMaxOp>(context);
  attach<PoolModel<tosa::AvgPool2dOp>, tosa::AvgPool2dOp>(context);
  attach<PoolModel<tosa::MaxPool2dOp>, tosa::MaxPool2dOp>(context);
  attach<FFTModel, tosa::FFT2dOp, tosa::RFFT2dOp>(context);
}

} // namespace roofline::models
