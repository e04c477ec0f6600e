//===- Nest.cpp - a linalg op as a loop nest over addresses ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace roofline::host {

Type Access::element() const {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Adds `factor · expr` to the strides and the offset; false where it isn't
/// linear.
static bool addLinear(AffineExpr expr, int64_t factor, Access &access) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    access.strides[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    access.offset += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, access) &&
           addLinear(binary.getRHS(), factor, access);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && constant &&
         addLinear(binary.getLHS(), factor * constant.getValue(), access);
}

static std::optional<Access> accessOf(Value buffer, AffineMap map) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return std::nullopt;
  Access access;
  access.buffer = buffer;
  access.strides.assign(map.getNumDims(), 0);
  if (offset == ShapedType::kDynamic) {
    OpBuilder b(buffer.getContext());
    b.setInsertionPointAfterValue(buffer);
    access.start =
        memref::ExtractStridedMetadataOp::create(b, buffer.getLoc(), buffer)
            .getOffset();
  } else {
    access.offset = offset;
  }
  for (auto [expr, stride] : llvm::zip(map.getResults(), strides))
    if (!addLinear(expr, stride, access))
      return std::nullopt;
  return access;
}

std::optional<Nest> Nest::of(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics())
    return std::nullopt;
  Nest nest;
  nest.op = op;
  nest.inputs = op.getNumDpsInputs();
  nest.region = &op->getRegion(0);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [i, size, kind] :
       llvm::enumerate(sizes, op.getIteratorTypesArray())) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    nest.loops.push_back(
        {size, kind == utils::IteratorType::reduction, unsigned(i)});
  }
  for (OpOperand &operand : op->getOpOperands()) {
    // A scalar operand (of a fill) is no buffer.
    if (!isa<MemRefType>(operand.get().getType()))
      return std::nullopt;
    std::optional<Access> access =
        accessOf(operand.get(), op.getMatchingIndexingMap(&operand));
    if (!access)
      return std::nullopt;
    nest.accesses.push_back(std::move(*access));
  }
  return nest;
}

bool Nest::usesIndices() const {
  return !body().getOps<linalg::IndexOp>().empty();
}

bool Nest::writesApart(unsigned l) const {
  return !loops[l].isReduction &&
         llvm::all_of(
             ArrayRef(accesses).drop_front(inputs),
             [&](const Access &result) { return result.strides[l] != 0; });
}

//===----------------------------------------------------------------------===//
// Simplifying
//===----------------------------------------------------------------------===//

static void eraseLoop(Nest &nest, unsigned l) {
  nest.loops.erase(nest.loops.begin() + l);
  for (Access &access : nest.accesses)
    access.strides.erase(access.strides.begin() + l);
}

/// Whether stepping `outer` once is stepping `inner` through all of its size,
/// for every operand.
static bool canMerge(const Nest &nest, unsigned outer, unsigned inner) {
  if (nest.loops[outer].isReduction != nest.loops[inner].isReduction)
    return false;
  return llvm::all_of(nest.accesses, [&](const Access &access) {
    return access.strides[outer] ==
           access.strides[inner] * nest.loops[inner].size;
  });
}

static bool mergeOnce(Nest &nest) {
  for (unsigned outer = 0; outer < nest.loops.size(); ++outer)
    for (unsigned inner = 0; inner < nest.loops.size(); ++inner) {
      if (outer == inner || !canMerge(nest, outer, inner))
        continue;
      nest.loops[inner].size *= nest.loops[outer].size;
      eraseLoop(nest, outer);
      return true;
    }
  return false;
}

void Nest::simplify() {
  if (usesIndices())
    return;
  for (unsigned l = loops.size(); l-- > 0;)
    if (loops[l].size == 1)
      eraseLoop(*this, l);
  while (mergeOnce(*this))
    ;
}

/// How often an operand comes in a step of the outer of two loops; nothing
/// where it goes another way than along both, or not for the inner one.
static std::optional<int64_t> repeatsOf(const Access &access, unsigned outer,
                                        unsigned inner, int64_t count) {
  int64_t step = access.strides[outer], own = access.strides[inner];
  if (step == count * own) // along both, or neither
    return own == 1 || own == 0 ? std::optional<int64_t>(1) : std::nullopt;
  return step == 1 && own == 0 ? std::optional(count) : std::nullopt;
}

std::optional<unsigned> Nest::mergeRepeats() {
  if (usesIndices() ||
      llvm::any_of(loops, [](const Loop &loop) { return loop.isReduction; }))
    return std::nullopt;
  for (unsigned inner = 0; inner < loops.size(); ++inner)
    for (unsigned outer = 0; outer < loops.size(); ++outer) {
      int64_t count = loops[inner].size;
      // A vector's lanes are a multiple of these.
      if (outer == inner || !llvm::is_contained({2, 4, 8}, count) ||
          output(0).strides[inner] != 1 || output(0).strides[outer] != count)
        continue;
      SmallVector<int64_t> repeats;
      for (auto [i, access] : llvm::enumerate(accesses)) {
        auto times = repeatsOf(access, outer, inner, count);
        if (!times || (i >= numInputs() && access.strides[inner] != 1))
          return std::nullopt;
        repeats.push_back(*times);
      }
      for (auto [access, times] : llvm::zip(accesses, repeats)) {
        access.repeats = times;
        access.strides[outer] = std::min<int64_t>(access.strides[outer], 1);
      }
      loops[outer].size *= count;
      eraseLoop(*this, inner);
      return inner < outer ? outer - 1 : outer;
    }
  return std::nullopt;
}

void Nest::permute(ArrayRef<unsigned> order) {
  Nest old = *this;
  for (auto [to, from] : llvm::enumerate(order)) {
    loops[to] = old.loops[from];
    for (auto [access, before] : llvm::zip(accesses, old.accesses))
      access.strides[to] = before.strides[from];
  }
}

void Nest::split(unsigned l, int64_t inner) {
  Loop half = loops[l];
  half.size = inner;
  loops[l].size /= inner;
  loops.insert(loops.begin() + l + 1, half);
  for (Access &access : accesses) {
    int64_t stride = access.strides[l];
    access.strides[l] = stride * inner;
    access.strides.insert(access.strides.begin() + l + 1, stride);
  }
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

Value rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Different arguments and allocations don't overlap.
static bool mayTouch(Operation *op, Value root) {
  if (isMemoryEffectFree(op) || isa<memref::AllocOp, memref::AllocaOp>(op))
    return false;
  if (!isa<linalg::LinalgOp, memref::CopyOp, memref::DeallocOp>(op))
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<BaseMemRefType>(operand.getType()) && rootOf(operand) == root;
  });
}

/// A fill may convert its scalar, which then isn't what the buffer holds.
static bool fillsAsIs(linalg::FillOp fill) {
  return fill.getInputs()[0].getType() ==
         cast<MemRefType>(fill.getDpsInits()[0].getType()).getElementType();
}

linalg::FillOp fillBefore(Operation *op, Value buffer) {
  Value root = rootOf(buffer);
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::FillOp>(before))
      if (fill.getDpsInits()[0] == buffer)
        return fillsAsIs(fill) ? fill : linalg::FillOp();
    if (mayTouch(before, root))
      return {};
  }
  return {};
}

} // namespace roofline::host
