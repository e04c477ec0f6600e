//===- LowerControl.cpp - If, Loop, Scan ----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions become regions of scf over tensors of static shapes. What data
// decides (how often a loop runs, which shape a branch gives) isn't lowered.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "Slices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Whether a branch gives what the node declares.
static bool givesResults(Lowering &l, ArrayRef<Value> results) {
  if (results.size() != l.numResults())
    return false;
  for (auto [i, result] : llvm::enumerate(results))
    if (result.getType() != l.resultType(i))
      return false;
  return true;
}

static FailureOr<Values> lowerIf(Lowering &l) {
  auto op = cast<rl::IfOp>(l.op);
  if (std::optional<int64_t> taken = op.getTaken())
    return l.lowerRegion(*taken == 0 ? op.getThenRegion() : op.getElseRegion(),
                         {});
  Value condition = l.operand(0);
  if (!condition || !l.operandType(0).getElementType().isInteger(1) ||
      l.operandType(0).getNumElements() != 1)
    return l.unsupported("a condition that isn't one truth value");
  SmallVector<Type> types;
  for (unsigned i = 0; i < l.numResults(); ++i)
    types.push_back(l.resultType(i));
  auto branch = scf::IfOp::create(l.b, l.loc, types, onlyElement(l, condition),
                                  /*withElseRegion=*/true);
  for (auto [region, block] :
       {std::pair(&op.getThenRegion(), branch.thenBlock()),
        std::pair(&op.getElseRegion(), branch.elseBlock())}) {
    OpBuilder::InsertionGuard guard(l.b);
    l.b.setInsertionPointToEnd(block);
    if (!block->empty())
      l.b.setInsertionPoint(&block->back());
    FailureOr<Values> results = l.lowerRegion(*region, {});
    if (failed(results))
      return failure();
    if (!givesResults(l, *results))
      return l.unsupported("branches that give different shapes");
    if (!block->empty() && block->mightHaveTerminator())
      block->getTerminator()->erase();
    l.b.setInsertionPointToEnd(block);
    scf::YieldOp::create(l.b, l.loc, *results);
  }
  return Values(branch.getResults());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// A loop as Loop and Scan have it: values carried, tensors read a slice at a
/// time, results stacked a slice at a time.
struct LoopForm {
  int64_t trips;
  Values inits;
  struct Slice {
    int64_t axis = 0;
    bool backwards = false;
  };
  struct Scanned : Slice {
    Value tensor;
  };
  SmallVector<Scanned> scanned;
  SmallVector<Slice> stacked;
};
} // namespace

/// The number of a trip, or from the end.
static Value sliceNumber(Lowering &l, const LoopForm &form,
                         const LoopForm::Slice &slice, Value trip) {
  if (!slice.backwards)
    return trip;
  return arith::SubIOp::create(l.b, l.loc,
                               indexValue(l.b, l.loc, form.trips - 1), trip);
}

/// Where a slice stands in the whole.
static void slicePosition(Lowering &l, RankedTensorType whole, int64_t axis,
                          Value at, SmallVectorImpl<OpFoldResult> &offsets,
                          SmallVectorImpl<OpFoldResult> &sizes,
                          SmallVectorImpl<OpFoldResult> &strides) {
  for (int64_t i = 0; i < whole.getRank(); ++i) {
    offsets.push_back(i == axis ? OpFoldResult(at) : l.b.getIndexAttr(0));
    sizes.push_back(l.b.getIndexAttr(i == axis ? 1 : whole.getDimSize(i)));
    strides.push_back(l.b.getIndexAttr(1));
  }
}

static Value readSlice(Lowering &l, const LoopForm &form,
                       const LoopForm::Scanned &scanned, Value trip,
                       RankedTensorType type) {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  slicePosition(l, typeOf(scanned.tensor), scanned.axis,
                sliceNumber(l, form, scanned, trip), offsets, sizes, strides);
  return tensor::ExtractSliceOp::create(l.b, l.loc, type, scanned.tensor,
                                        offsets, sizes, strides);
}

static Value writeSlice(Lowering &l, const LoopForm &form,
                        const LoopForm::Slice &slice, Value trip, Value part,
                        Value whole) {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  slicePosition(l, typeOf(whole), slice.axis, sliceNumber(l, form, slice, trip),
                offsets, sizes, strides);
  return tensor::InsertSliceOp::create(l.b, l.loc, part, whole, offsets, sizes,
                                       strides);
}

/// The type of a slice: the whole's without `axis`.
static RankedTensorType sliceType(RankedTensorType whole, int64_t axis) {
  SmallVector<int64_t> shape(whole.getShape());
  shape.erase(shape.begin() + axis);
  return RankedTensorType::get(shape, whole.getElementType());
}

/// The body once, for the trip `trip`: what is carried after it and the wholes.
static FailureOr<Values> lowerTrip(Lowering &l, rl::LoopOp op,
                                   const LoopForm &form, Value trip,
                                   ValueRange carried) {
  auto counter = RankedTensorType::get({}, l.b.getI64Type());
  Value number = arith::IndexCastOp::create(l.b, l.loc, l.b.getI64Type(), trip);
  Values arguments{tensor::FromElementsOp::create(l.b, l.loc, counter, number)};
  size_t states = form.inits.size();
  llvm::append_range(arguments, carried.take_front(states));
  for (const LoopForm::Scanned &scanned : form.scanned)
    arguments.push_back(
        readSlice(l, form, scanned, trip,
                  sliceType(typeOf(scanned.tensor), scanned.axis)));
  for (auto [i, argument] : llvm::enumerate(op.getBody().getArguments()))
    if (i > 0 && loweredType(argument.getType()) != arguments[i].getType())
      return l.unsupported("a carried value that changes its shape");
  FailureOr<Values> yielded = l.lowerRegion(op.getBody(), arguments);
  if (failed(yielded))
    return failure();
  Values next(ArrayRef<Value>(*yielded).take_front(states));
  for (auto [i, slice] : llvm::enumerate(form.stacked)) {
    Value part = (*yielded)[states + i], whole = carried[states + i];
    if (part.getType() != sliceType(typeOf(whole), slice.axis))
      return l.unsupported("slices that change their shape");
    next.push_back(writeSlice(l, form, slice, trip, part, whole));
  }
  for (auto [value, before] : llvm::zip(next, carried))
    if (value.getType() != before.getType())
      return l.unsupported("a carried value that changes its shape");
  return next;
}

static FailureOr<Values> lowerLoopForm(Lowering &l, const LoopForm &form) {
  auto op = cast<rl::LoopOp>(l.op);
  size_t states = form.inits.size();
  if (l.numResults() != states + form.stacked.size())
    return l.unsupported("a loop of which results are left out");
  Values carried = form.inits;
  for (auto [i, slice] : llvm::enumerate(form.stacked)) {
    RankedTensorType type = l.resultType(states + i);
    if (slice.axis < 0 || slice.axis >= type.getRank() ||
        type.getDimSize(slice.axis) != form.trips)
      return l.unsupported("results stacked along this axis");
    carried.push_back(emptyTensor(l, type));
  }
  if (form.trips == 0)
    return carried;
  if (form.trips == 1)
    return lowerTrip(l, op, form, indexValue(l.b, l.loc, 0), carried);
  auto loop = scf::ForOp::create(l.b, l.loc, indexValue(l.b, l.loc, 0),
                                 indexValue(l.b, l.loc, form.trips),
                                 indexValue(l.b, l.loc, 1), carried);
  OpBuilder::InsertionGuard guard(l.b);
  Block *body = loop.getBody();
  if (!body->empty())
    body->back().erase(); // a builder may have ended it
  l.b.setInsertionPointToEnd(body);
  FailureOr<Values> next =
      lowerTrip(l, op, form, loop.getInductionVar(), loop.getRegionIterArgs());
  if (failed(next))
    return failure();
  for (auto [value, now] : llvm::zip(*next, loop.getRegionIterArgs()))
    value = carriedOn(l, value, now);
  scf::YieldOp::create(l.b, l.loc, *next);
  return Values(loop.getResults());
}

/// Node: M, condition, carried values.
static FailureOr<Values> lowerLoop(Lowering &l) {
  auto op = cast<rl::LoopOp>(l.op);
  std::optional<Expr> trips = op.getTripsAttr().getSizes().front();
  std::optional<int64_t> number = trips ? trips->asInt64() : std::nullopt;
  if (!number || op.getUpperBound())
    return l.unsupported("a loop that data may end");
  LoopForm form;
  form.trips = *number;
  size_t inits = op.getInits().size();
  unsigned scanned = l.opType() == "Scan" ? l.integer("num_scan_inputs", 0) : 0;
  if (scanned > inits)
    return l.unsupported("more scanned inputs than inputs");
  for (size_t i = 0; i < inits; ++i) {
    Value value = l.lowered(op.getInits()[i]);
    if (!value)
      return l.unsupported("a carried value that isn't a tensor");
    if (i < inits - scanned)
      form.inits.push_back(value);
    else
      form.scanned.push_back({{}, value});
  }
  auto setSlices = [&](auto &slices, StringRef axes, StringRef directions,
                       auto rankOf) {
    std::optional<Ints> axis = l.integers(axes), way = l.integers(directions);
    for (auto [i, slice] : llvm::enumerate(slices)) {
      if (axis && i < axis->size())
        slice.axis = (*axis)[i] < 0 ? (*axis)[i] + rankOf(i) : (*axis)[i];
      slice.backwards = way && i < way->size() && (*way)[i] != 0;
    }
  };
  size_t states = form.inits.size();
  if (l.numResults() < states)
    return l.unsupported("a loop of which results are left out");
  form.stacked.resize(l.numResults() - states);
  if (l.opType() == "Scan") {
    setSlices(
        form.scanned, "scan_input_axes", "scan_input_directions",
        [&](size_t i) { return typeOf(form.scanned[i].tensor).getRank(); });
    setSlices(form.stacked, "scan_output_axes", "scan_output_directions",
              [&](size_t i) { return l.resultType(states + i).getRank(); });
  }
  for (const LoopForm::Scanned &one : form.scanned)
    if (one.axis < 0 || one.axis >= typeOf(one.tensor).getRank() ||
        typeOf(one.tensor).getDimSize(one.axis) != form.trips)
      return l.unsupported("inputs scanned along this axis");
  return lowerLoopForm(l, form);
}

void addControlRules(RuleTable &table) {
  table["rl.if"] = lowerIf;
  table["rl.loop"] = lowerLoop;
}

} // namespace roofline::lowering
