//===- Linalg.cpp - cost models for linalg --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One model for all structured ops: what an op does stands in its maps and its
// body, whatever its name. The few ops without a body are in LinalgOther.cpp.
//
//===----------------------------------------------------------------------===//

#include "LinalgBody.h"
#include "LinalgOther.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "roofline/Cost/Formulas.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using linalg::LinalgOp;

namespace roofline::models {

/// The extents of an op's loops. Every loop is some operand's dimension by
/// itself; constants are preferred to formulas, which may be the same number
/// written differently.
template <typename DimFn>
static SmallVector<std::optional<Expr>, 6> loopExtents(LinalgOp op, DimFn dim) {
  SmallVector<std::optional<Expr>, 6> extents(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isShaped(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [axis, result] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(result);
      if (!loop)
        continue;
      std::optional<Expr> &extent = extents[loop.getPosition()];
      if (extent && extent->isConstant())
        continue;
      std::optional<Expr> size = dim(operand.get(), axis);
      if (size && (!extent || size->isConstant()))
        extent = size;
    }
  }
  return extents;
}

static std::optional<Expr> product(ArrayRef<std::optional<Expr>> extents,
                                   const llvm::SmallBitVector &which) {
  Expr result = 1;
  for (unsigned loop : which.set_bits()) {
    if (!extents[loop])
      return std::nullopt;
    result *= *extents[loop];
  }
  return result;
}

/// The loops that the op's first result has.
static llvm::SmallBitVector outputLoops(LinalgOp op) {
  llvm::SmallBitVector loops(op.getNumLoops());
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (unsigned loop = 0; loop != loops.size(); ++loop)
    if (map.isFunctionOfDim(loop))
      loops.set(loop);
  return loops;
}

/// Whether the op starts from data in `init`, rather than from one constant.
static bool readsInit(LinalgOp op, OpOperand &init) {
  return op.payloadUsesValueFromOperand(&init) && !isFillOrEmpty(init.get());
}

/// A fill whose readers all start from its constant: they need not read it, so
/// that it need not be written.
static bool isOnlyAnInit(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            tensor::ExtractSliceOp>(user))
      return use.getOperandNumber() == 0 && isOnlyAnInit(user->getResult(0));
    if (isa<tensor::DimOp>(user))
      return true;
    auto destination = dyn_cast<DestinationStyleOpInterface>(user);
    return destination && isa<linalg::LinalgDialect>(user->getDialect()) &&
           destination.isDpsInit(&use);
  });
}

namespace {
/// One op's work, part by part.
class LinalgCounter {
public:
  LinalgCounter(LinalgOp op, const CostContext &context)
      : op(op), context(context), body(op),
        extents(loopExtents(op, [&](Value value, unsigned axis) {
          return context.dim(value, axis);
        })) {}

  Work count() {
    countOperations();
    countOperands();
    countCapturedReads();
    countResults();
    return std::move(work);
  }

private:
  std::optional<Expr> points() const {
    return product(extents, llvm::SmallBitVector(op.getNumLoops(), true));
  }

  void countOperations() {
    std::optional<Expr> points = this->points();
    if (std::optional<Contraction> contraction = body.contraction())
      return countContraction(*contraction, points);
    std::optional<Expr> outputs = product(extents, outputLoops(op));
    bool reduces = op.getNumReductionLoops() != 0;
    for (Operation *inner : body.operations()) {
      // The first value of a reduction from a constant is no operation.
      bool startsFree = reduces && body.accumulates(inner) && !startsFromData();
      std::optional<Expr> times = points;
      if (times && startsFree)
        times = outputs ? std::optional<Expr>(*times - *outputs) : std::nullopt;
      countOperation(inner, times);
    }
  }

  void countContraction(const Contraction &contraction,
                        const std::optional<Expr> &points) {
    auto type = [&](unsigned operand) {
      return elementType(op.getDpsInputOperand(operand)->get().getType());
    };
    if (points)
      work.addFlops(ComputeClass::Matmul,
                    promote(type(contraction.left), type(contraction.right)),
                    *points * 2);
    else
      work.flopsKnown = false;
    // Conversions on the way in and out are the matrix unit's own. What else
    // is done to an operand's elements (a zero point, a scale) is done once an
    // element, not at every point.
    for (Operation *inner : body.operations()) {
      if (inner == contraction.multiply || inner == contraction.add ||
          isCast(inner) || subtractsZero(inner))
        continue;
      countOperation(inner, body.accumulates(inner)
                                ? points
                                : product(extents, body.loops(inner)));
    }
  }

  /// Whether an operation subtracts a zero point that is zero.
  bool subtractsZero(Operation *inner) {
    if (!isa<arith::SubIOp>(inner))
      return false;
    auto arg = dyn_cast<BlockArgument>(inner->getOperand(1));
    return arg && arg.getOwner() == op.getBlock() &&
           isZeroConstant(op.getMatchingOpOperand(arg)->get());
  }

  void countOperation(Operation *inner, const std::optional<Expr> &times) {
    // Values named, boxed or addressed.
    if (llvm::is_contained({"tensor", "linalg", "affine", "index", "memref"},
                           inner->getName().getDialectNamespace()))
      return;
    std::optional<ScalarCost> cost = scalarCost(inner);
    if (cost && !cost->vector && !cost->special)
      return;
    if (cost && times)
      addScalarCost(work, *cost, *times);
    else
      work.flopsKnown = false;
  }

  bool startsFromData() {
    return llvm::any_of(op.getDpsInitsMutable(),
                        [&](OpOperand &init) { return readsInit(op, init); });
  }

  void countOperands() {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isShaped(operand.get().getType()))
        continue;
      bool reads = op.isDpsInit(&operand)
                       ? readsInit(op, operand)
                       : op.payloadUsesValueFromOperand(&operand);
      if (reads && !alreadyRead(operand))
        work.read(operand.getOperandNumber(), context.bytes(operand.get()),
                  context.role(operand.get()));
    }
  }

  /// One tensor under two maps is still read once.
  bool alreadyRead(OpOperand &operand) {
    for (OpOperand &earlier :
         op->getOpOperands().take_front(operand.getOperandNumber()))
      if (earlier.get() == operand.get() &&
          op.payloadUsesValueFromOperand(&earlier))
        return true;
    return false;
  }

  /// Elements picked by computed indices: as many as there are picks, never
  /// more than the tensor has.
  void countCapturedReads() {
    llvm::MapVector<Value, std::optional<Expr>> picked;
    for (const CapturedRead &read : body.capturedReads()) {
      std::optional<Expr> picks = product(extents, read.loops);
      auto [it, isNew] = picked.insert({read.tensor, picks});
      if (isNew)
        continue;
      if (it->second && picks)
        it->second = *it->second + *picks;
      else
        it->second = std::nullopt;
    }
    for (const auto &[tensor, picks] : picked) {
      std::optional<Expr> bytes;
      if (picks)
        bytes = packedBytes(*picks, elementType(tensor.getType()));
      work.read(-1, gatherBytes(bytes, context.bytes(tensor)),
                context.role(tensor));
    }
  }

  void countResults() {
    if (op->getNumResults())
      return context.writeResults(work, op);
    for (OpOperand &init : op.getDpsInitsMutable())
      work.write(-1, context.bytes(init.get()), context.role(init.get()));
  }

  mutable LinalgOp op; // its accessors are not const
  const CostContext &context;
  LinalgBody body;
  SmallVector<std::optional<Expr>, 6> extents;
  Work work;
};

struct StructuredModel : CostOpInterface::FallbackModel<StructuredModel> {
  Work getWork(Operation *op, const CostContext &context) const {
    if (isa<linalg::FillOp>(op) && op->getNumResults() &&
        isOnlyAnInit(op->getResult(0)))
      return Work::none();
    return LinalgCounter(cast<LinalgOp>(op), context).count();
  }
};

/// A result has its init's dimensions, or those of the loops that write it.
struct StructuredSymbols
    : SymbolicOpInterface::FallbackModel<StructuredSymbols> {
  void inferSymbols(Operation *operation, SymbolMap &symbols) const {
    auto op = cast<LinalgOp>(operation);
    if (!needsInference(op))
      return;
    auto extents = loopExtents(op, [&](Value value, unsigned axis) {
      return symbols.dim(value, axis);
    });
    for (OpResult result : op->getResults()) {
      OpOperand *init = op.getTiedOpOperand(result);
      AffineMap map = op.getMatchingIndexingMap(init);
      SymbolMap::MaybeDims dims(map.getNumResults());
      for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
        dims[axis] = symbols.dim(init->get(), axis);
        auto loop = dyn_cast<AffineDimExpr>(expr);
        if (!loop)
          continue;
        const std::optional<Expr> &extent = extents[loop.getPosition()];
        if (extent && (!dims[axis] || extent->isConstant()))
          dims[axis] = extent;
      }
      symbols.setDims(result, dims);
    }
  }

  static bool needsInference(LinalgOp op) {
    return llvm::any_of(op->getResultTypes(), [](Type type) {
      return !cast<ShapedType>(type).hasStaticShape();
    });
  }
};
} // namespace

void registerLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    for (RegisteredOperationName name : context->getRegisteredOperations()) {
      if (name.getDialectNamespace() != "linalg" ||
          !name.hasInterface<LinalgOp>())
        continue;
      name.attachInterface<StructuredModel>();
      name.attachInterface<StructuredSymbols>();
    }
    attachLinalgOther(context);
  });
}

} // namespace roofline::models
