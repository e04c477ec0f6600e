//===- WorkCompute.cpp - the work of contractions and maps ----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Details.h"
#include "Equation.h"
#include "roofline/Cost/Formulas.h"
#include "roofline/Dialect/RL/RL.h"

using namespace mlir;

namespace roofline::rl {

//===----------------------------------------------------------------------===//
// Shared pieces
//===----------------------------------------------------------------------===//

Work streamedWork(Operation *op, const CostContext &context) {
  Work work;
  context.readOperands(work, op);
  context.writeResults(work, op);
  return work;
}

ElementType computeType(ValueRange values) {
  ElementType type = ElementType::Bool;
  bool first = true;
  for (Value value : values) {
    ElementType other = elementType(value.getType());
    type = first ? other : promote(type, other);
    first = false;
  }
  return type;
}

void addOps(Work &work, ElementType type, const std::optional<OpCounts> &ops) {
  if (!ops) {
    work.flopsKnown = false;
    return;
  }
  work.addFlops(ComputeClass::Vector, type, ops->vector);
  work.addFlops(ComputeClass::Special, type, ops->special);
}

/// `body` once per element of `value`.
static void addBody(Work &work, ElementType type, BodyAttr body, Value value,
                    const CostContext &context) {
  if (!body)
    return;
  std::optional<Expr> count = context.numElements(value);
  if (!count)
    work.flopsKnown = false;
  else
    addOps(work, type, OpCounts{body.getVector(), body.getSpecial()} * *count);
}

//===----------------------------------------------------------------------===//
// rl.contract
//===----------------------------------------------------------------------===//

namespace {
/// The sizes of an equation's labels, from the factors' shapes.
class LabelSizes {
public:
  /// A factor of size 1 is broadcast; different formulas take their maximum.
  void add(StringRef labels, ArrayRef<Expr> dims) {
    for (auto [label, dim] : llvm::zip(labels, dims)) {
      std::optional<Expr> &size = sizes[static_cast<unsigned char>(label)];
      if (!size || *size == Expr(1))
        size = dim;
      else if (dim != Expr(1) && dim != *size)
        size = Expr::max(*size, dim);
    }
  }
  Expr product(StringRef labels) const {
    Expr result = 1;
    bool seen[128] = {};
    for (unsigned char label : labels) {
      if (seen[label])
        continue;
      seen[label] = true;
      if (sizes[label])
        result *= *sizes[label];
    }
    return result;
  }

private:
  std::optional<Expr> sizes[128];
};
} // namespace

static std::string unite(StringRef a, StringRef b) {
  std::string result = a.str();
  for (char label : b)
    if (result.find(label) == std::string::npos)
      result += label;
  return result;
}

/// A pairwise product: `2 · (all labels)` multiply-adds where a label is
/// summed, else one multiplication each.
struct PairCost {
  Expr matmul, vector;
};

/// The labels that remain of a ∪ b where `kept` are still needed.
static std::string remaining(StringRef all, StringRef kept) {
  std::string result;
  for (char label : all)
    if (kept.contains(label))
      result += label;
  return result;
}

static PairCost pairCost(StringRef all, StringRef rest,
                         const LabelSizes &sizes) {
  Expr points = sizes.product(all);
  if (rest.size() < all.size())
    return {points * 2, 0};
  return {0, points};
}

/// The cheapest order of pairwise contractions, by trying every pair first
/// (factors are few); formulas that can't be compared keep the given order.
static PairCost cheapestOrder(SmallVector<std::string, 4> factors,
                              StringRef result, const LabelSizes &sizes) {
  if (factors.size() < 2)
    return {};
  std::optional<PairCost> best;
  std::optional<Int> bestTotal;
  for (unsigned i = 0; i < factors.size(); ++i)
    for (unsigned j = i + 1; j < factors.size(); ++j) {
      std::string kept = result.str();
      SmallVector<std::string, 4> others;
      for (unsigned k = 0; k < factors.size(); ++k)
        if (k != i && k != j) {
          kept = unite(kept, factors[k]);
          others.push_back(factors[k]);
        }
      std::string all = unite(factors[i], factors[j]);
      std::string rest = remaining(all, kept);
      PairCost cost = pairCost(all, rest, sizes);
      others.insert(others.begin(), rest);
      PairCost after = cheapestOrder(others, result, sizes);
      cost.matmul += after.matmul;
      cost.vector += after.vector;
      Expr total = cost.matmul + cost.vector;
      if (!best ||
          (total.isConstant() && bestTotal && total.constant() < *bestTotal)) {
        best = cost;
        if (total.isConstant())
          bestTotal = total.constant();
      }
      if (!total.isConstant() || factors.size() > maxOrderedFactors)
        return *best;
    }
  return *best;
}

Work ContractOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Equation> equation = Equation::parse(getEquation());
  LabelSizes sizes;
  ElementType type = ElementType::Unknown;
  SmallVector<std::string, 4> factors;
  for (auto [i, factor] : llvm::enumerate(getFactors())) {
    Type stated = factor.getType();
    std::optional<Dims> dims;
    if (getFactorTypes()) {
      stated = cast<TypeAttr>((*getFactorTypes())[i]).getValue();
      std::optional<SymbolMap::MaybeDims> known = SymbolMap::dimsOfType(stated);
      if (known && llvm::all_of(*known, [](auto &d) { return !!d; })) {
        dims.emplace();
        for (const std::optional<Expr> &dim : *known)
          dims->push_back(*dim);
      }
    } else {
      dims = context.dims(factor);
    }
    if (!dims || !equation || dims->size() != equation->factors[i].size()) {
      work.flopsKnown = false;
      return work;
    }
    sizes.add(equation->factors[i], *dims);
    type = i ? promote(type, elementType(stated)) : elementType(stated);
    factors.push_back(equation->factors[i].str());
    if (i + 1 == getFactors().size() && getPrologue())
      addOps(work, elementType(getOutput().getType()),
             OpCounts{getPrologueAttr().getVector(),
                      getPrologueAttr().getSpecial()} *
                 roofline::numElements(*dims));
  }
  if (factors.size() == 1) { // a sum over one tensor's labels, or a permutation
    Expr from = sizes.product(factors.front());
    addOps(work, type, reduceOps("sum", from, sizes.product(equation->result)));
  } else {
    PairCost cost = cheapestOrder(factors, equation->result, sizes);
    work.addFlops(ComputeClass::Matmul, type, cost.matmul);
    work.addFlops(ComputeClass::Vector, type, cost.vector);
  }
  addBody(work, elementType(getOutput().getType()), getEpilogueAttr(),
          getOutput(), context);
  return work;
}

//===----------------------------------------------------------------------===//
// rl.conv
//===----------------------------------------------------------------------===//

Work ConvOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Dims> filter = context.dims(getFilter());
  // Each element of the result, or transposed of the input, meets one filter:
  // all of the filter's elements but those of its outer dimension.
  std::optional<Expr> points =
      context.numElements(getTransposed() ? getInput() : getOutput());
  if (!filter || filter->empty() || !points) {
    work.flopsKnown = false;
    return work;
  }
  ElementType type = promote(elementType(getInput().getType()),
                             elementType(getFilter().getType()));
  Expr taps = roofline::numElements(ArrayRef<Expr>(*filter).drop_front());
  work.addFlops(ComputeClass::Matmul, type, *points * taps * 2);
  addBody(work, elementType(getOutput().getType()), getEpilogueAttr(),
          getOutput(), context);
  return work;
}

//===----------------------------------------------------------------------===//
// rl.attention, rl.recurrent
//===----------------------------------------------------------------------===//

/// The sizes of an attribute, if all are known.
static std::optional<Dims> allKnown(DimsAttr attr) {
  Dims sizes;
  for (const std::optional<Expr> &size : attr.getSizes()) {
    if (!size)
      return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

static bool contains(std::optional<ArrayRef<int64_t>> numbers, int64_t n) {
  return numbers && llvm::is_contained(*numbers, n);
}

Work AttentionOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  for (Traffic &traffic : work.traffic)
    if (contains(traffic.direction == Traffic::Read ? getCacheOperands()
                                                    : getCacheResults(),
                 traffic.index))
      traffic.role = Role::KVCache;
  std::optional<Dims> e = allKnown(getExtents());
  std::optional<Dims> projection;
  if (getProjection())
    projection = allKnown(*getProjection());
  if (!e || (getProjection() && !projection)) {
    work.flopsKnown = false;
    return work;
  }
  AttentionExtents extents{(*e)[0], (*e)[1], (*e)[2], (*e)[3],
                           (*e)[4], (*e)[5], (*e)[6]};
  ElementType type = elementType(getInputs().front().getType());
  auto flopsOf = [&](const Expr &pairs) {
    AttentionFlops flops =
        attentionFlops(extents, pairs, getMasked(), getSoftcap());
    if (projection)
      flops.matmul +=
          (*projection)[0] * (*projection)[1] * (*projection)[2] * 2;
    return flops;
  };
  AttentionFlops full = flopsOf(extents.queries * extents.keys);
  work.addFlops(ComputeClass::Matmul, type, full.matmul);
  addOps(work, type, full.elementwise);
  addBody(work, type, getEpilogueAttr(), getOutputs().front(), context);
  if (getCausal() && work.flopsKnown) {
    AttentionFlops causal = flopsOf(causalPairs(extents.queries, extents.keys));
    Expr saved = full.matmul + full.elementwise.vector +
                 full.elementwise.special - causal.matmul -
                 causal.elementwise.vector - causal.elementwise.special;
    work.flopsCausal = *work.totalFlops() - saved;
  }
  return work;
}

Work RecurrentOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Dims> e = allKnown(getExtents());
  std::optional<RecurrentFlops> flops;
  if (e)
    flops =
        recurrentFlops(getKind(), {(*e)[0], (*e)[1], (*e)[2], (*e)[3], (*e)[4]},
                       getBias(), getPeephole());
  if (!flops) {
    work.flopsKnown = false;
    return work;
  }
  // Quantised weights (dynamic quantisation) multiply as integers.
  ElementType type = elementType(getInputs().front().getType());
  ElementType product =
      getInputs().size() > 1
          ? kind(elementType(getInputs()[1].getType())) == ElementKind::Integer
                ? elementType(getInputs()[1].getType())
                : promote(type, elementType(getInputs()[1].getType()))
          : type;
  work.addFlops(ComputeClass::Matmul, product, flops->matmul);
  addOps(work, type, flops->elementwise);
  return work;
}

//===----------------------------------------------------------------------===//
// rl.map, rl.quantize, rl.resize
//===----------------------------------------------------------------------===//

Work MapOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<ElementwiseCost> cost;
  if (BodyAttr body = getBodyAttr())
    cost = ElementwiseCost{body.getVector(), body.getSpecial()};
  else
    cost = elementwiseCost(getKind(), getInputs().size());
  std::optional<Expr> count = context.numElements(getOutputs().front());
  if (!cost || !count) {
    work.flopsKnown = false;
    return work;
  }
  ElementType type = computeType(getInputs());
  if (getKind() == "cast")
    type = promote(type, elementType(getOutputs().front().getType()));
  addOps(work, type, OpCounts{cost->vector, cost->special} * *count);
  return work;
}

Work QuantizeOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Expr> count = context.numElements(getInputs().front());
  if (!count) {
    work.flopsKnown = false;
    return work;
  }
  ElementType type = promote(computeType(getInputs()),
                             elementType(getOutputs().front().getType()));
  OpCounts perElement{getSymmetric() ? 1 : 2, 0}; // subtract, multiply
  if (getKind() == "quantize")                    // divide, round, add, clip
    perElement = {3, 1};
  else if (getKind() == "dynamic") // minimum and maximum besides
    perElement = {5, 1};
  addOps(work, type, perElement * *count);
  return work;
}

Work ResizeOp::getWork(const CostContext &context) {
  Work work = streamedWork(*this, context);
  std::optional<Expr> count = context.numElements(getOutputs().front());
  if (!count) {
    work.flopsKnown = false;
    return work;
  }
  int64_t dims = getSampledDims();
  int64_t perSample = 0;
  if (getKind() == "linear")
    perSample = int64_t(2) << dims;
  else if (getKind() == "cubic")
    perSample = int64_t(2) << (2 * dims);
  if (getCoordinates())
    perSample += 4 * dims;
  addOps(work, elementType(getInputs().front().getType()),
         OpCounts{Expr(perSample) * static_cast<int64_t>(getSamples()), 0} *
             *count);
  return work;
}

} // namespace roofline::rl
