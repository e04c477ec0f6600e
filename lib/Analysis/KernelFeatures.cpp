//===- KernelFeatures.cpp - what the time model asks of an op -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/KernelFeatures.h"
#include "mlir/IR/TypeUtilities.h"
#include "roofline/Cost/HostTiling.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace roofline {
namespace {

using Part = KernelFeatures::Part;
using Parts = std::optional<std::vector<Part>>;
using Shape = ArrayRef<int64_t>;

/// The static shape of a tensor of numbers; nothing for others.
std::optional<Shape> shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  return type.getShape();
}

int64_t count(Shape shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

/// Elements of a vector register.
int64_t lanesOf(Value value, unsigned vectorBits) {
  unsigned bits = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  return std::max<int64_t>(1, vectorBits / std::max(bits, 8u));
}

/// Rows of `columns` elements that lie side by side.
Part rowsPart(const Twine &kernel, double rows, int64_t columns,
              int64_t lanes) {
  double vectors = double(llvm::divideCeil(columns, lanes));
  return {kernel.str(),
          {{"row", rows}, {"vector", rows * vectors}},
          {{KernelFeatures::Vectors, "vector",
            rows * (vectors - double(columns) / double(lanes))}}};
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// How many of the result's innermost dimensions every operand walks through
/// as one: all of them, or repeating itself.
int64_t commonRun(Shape result, ArrayRef<Shape> operands) {
  int64_t run = 1;
  SmallVector<std::optional<bool>> repeats(operands.size());
  for (int64_t d = int64_t(result.size()) - 1; d >= 0; --d) {
    if (result[d] == 1)
      continue;
    for (auto [operand, repeat] : llvm::zip(operands, repeats)) {
      int64_t at = d - int64_t(result.size() - operand.size());
      bool repeatsHere = at < 0 || operand[at] == 1;
      if (repeat && *repeat != repeatsHere)
        return run;
      repeat = repeatsHere;
    }
    run *= result[d];
  }
  return run;
}

Parts mapParts(Operation *op, StringRef name, unsigned vectorBits) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  std::optional<Shape> result = shapeOf(op->getResult(0));
  SmallVector<Shape> operands;
  for (Value operand : op->getOperands()) {
    std::optional<Shape> shape = shapeOf(operand);
    if (!shape || !result || shape->size() > result->size())
      return std::nullopt;
    operands.push_back(*shape);
  }
  if (!result)
    return std::nullopt;
  int64_t run = commonRun(*result, operands);
  double rows = double(count(*result)) / double(std::max<int64_t>(run, 1));
  return std::vector<Part>{
      rowsPart(name, rows, run, lanesOf(op->getResult(0), vectorBits))};
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Rows over the innermost dimensions, `size` elements each.
Parts innerRows(Operation *op, const Twine &kernel, int64_t size,
                unsigned vectorBits) {
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape || size < 1)
    return std::nullopt;
  return std::vector<Part>{rowsPart(kernel,
                                    double(count(*shape)) / double(size), size,
                                    lanesOf(op->getOperand(0), vectorBits))};
}

Parts softmaxParts(rl::SoftmaxOp op, unsigned vectorBits) {
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape)
    return std::nullopt;
  int64_t axis = op.getAxis();
  int64_t size =
      op.getFlattened() ? count(shape->drop_front(axis)) : (*shape)[axis];
  if (!op.getFlattened() && axis + 1 != int64_t(shape->size()))
    return std::nullopt;
  return innerRows(op, "softmax:" + op.getKind(), size, vectorBits);
}

Parts normParts(rl::NormOp op, unsigned vectorBits) {
  std::string kernel = ("norm:" + op.getKind()).str();
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape)
    return std::nullopt;
  if (op.getKind() == "batch") // scaled and shifted channel by channel
    return shape->size() < 2
               ? std::nullopt
               : innerRows(op, kernel, count(shape->drop_front(2)), vectorBits);
  std::optional<int64_t> row;
  if (op.getRow() && op.getRow()->getSizes().size() == 1 &&
      op.getRow()->getSizes()[0])
    row = op.getRow()->getSizes()[0]->asInt64();
  return row ? innerRows(op, kernel, *row, vectorBits) : std::nullopt;
}

Parts reduceParts(rl::ReduceOp op, unsigned vectorBits) {
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape || op.getKind().starts_with("arg"))
    return std::nullopt;
  ArrayRef<int64_t> axes = op.getAxes();
  int64_t lanes = lanesOf(op->getOperand(0), vectorBits), reduced = 1;
  for (int64_t axis : axes)
    reduced *= (*shape)[axis];
  // The innermost dimensions, or others.
  int64_t inner = 1;
  for (int64_t d = int64_t(shape->size()) - 1;
       d >= 0 && llvm::is_contained(axes, d); --d)
    inner *= (*shape)[d];
  if (inner == reduced)
    return innerRows(op, "reduce:inner", reduced, vectorBits);
  if (inner > 1)
    return std::nullopt;
  return std::vector<Part>{
      {"reduce:outer", {{"vector", double(count(*shape)) / double(lanes)}}}};
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// All that is copied is packing.
void settlePacking(Part &part) {
  for (KernelFeatures::Waste &waste : part.waste)
    for (const auto &[unit, amount] : part.amounts)
      if (waste.cause == KernelFeatures::Packing && waste.unit == unit)
        waste.amount = amount;
}

/// A product, `batch` times over.
Part productPart(StringRef kernel, const ProductShape &shape, double batch,
                 bool gathersB, unsigned vectorBits) {
  ProductTiling t = chooseTiling(shape, vectorBits);
  double depth = double(shape.k());
  double blocksK = double(llvm::divideCeil(shape.outerK, t.blockK));
  double blocksN = double(llvm::divideCeil(shape.n(), t.blockN));
  double vectors =
      double(shape.m) * double(llvm::divideCeil(shape.n(), t.lanes));
  double a = t.packA ? double(shape.m) * depth * blocksN : 0;
  double b = t.packB ? double(shape.n()) * depth : 0;
  double cycles =
      depth * tileCycles(shape.m, shape.n(), t.rows, t.vectors, t.lanes);
  double least = depth * double(shape.m) * double(shape.n()) / double(t.lanes);
  Part part{kernel.str(),
            {{"multiply", batch * cycles},
             {"pack_a", batch * a},
             {"pack_b", gathersB ? 0 : batch * b},
             {"gather_b", gathersB ? batch * b : 0},
             {"store", batch * vectors * blocksK}},
            {{KernelFeatures::Tiles, "multiply", batch * (cycles - least)}}};
  for (StringRef unit : {"pack_a", "pack_b", "gather_b"})
    part.waste.push_back({KernelFeatures::Packing, unit.str(), 0});
  settlePacking(part);
  return part;
}

/// Sizes of the labels by where they stand.
struct ContractionSizes {
  double batch = 1;
  int64_t m = 1, n = 1, k = 1;
  bool nInnermost = true; ///< in the second factor
};

std::optional<ContractionSizes> contractionSizes(rl::ContractOp op) {
  auto [left, result] = op.getEquation().split("->");
  auto [a, b] = left.split(',');
  if (op.getFactors().size() != 2 || b.contains(','))
    return std::nullopt;
  std::optional<Shape> shapeA = shapeOf(op.getFactors()[0]),
                       shapeB = shapeOf(op.getFactors()[1]);
  if (!shapeA || !shapeB || shapeA->size() != a.size() ||
      shapeB->size() != b.size() || result.empty())
    return std::nullopt;
  auto sizeIn = [](StringRef labels, Shape shape, char label) -> int64_t {
    size_t at = labels.find(label);
    return at == StringRef::npos ? 0 : shape[at];
  };
  ContractionSizes sizes;
  std::string all;
  for (char label : (a + b).str())
    if (all.find(label) == std::string::npos)
      all += label;
  for (char label : all) {
    int64_t inA = sizeIn(a, *shapeA, label), inB = sizeIn(b, *shapeB, label);
    int64_t size = std::max(inA, inB);
    bool reallyA = inA == size && (inA > 1 || inB <= 1) && inA > 0;
    bool reallyB = inB == size && (inB > 1 || inA <= 1) && inB > 0;
    if (!result.contains(label))
      sizes.k *= size;
    else if (reallyA && reallyB)
      sizes.batch *= double(size);
    else if (reallyA)
      sizes.m *= size;
    else
      sizes.n *= size;
  }
  sizes.nInnermost = result.contains(b.back());
  return sizes;
}

Parts contractParts(rl::ContractOp op, unsigned vectorBits) {
  std::optional<ContractionSizes> sizes = contractionSizes(op);
  Type element = getElementTypeOrSelf(op.getOutput().getType());
  if (!sizes || !element.isF32() || !op.getAux().empty())
    return std::nullopt;
  for (Value factor : op.getFactors())
    if (getElementTypeOrSelf(factor.getType()) != element)
      return std::nullopt;
  int64_t lanes = vectorBits / 32;
  if (sizes->m == 1 || sizes->n == 1) {
    double terms =
        sizes->batch * double(std::max(sizes->m, sizes->n)) * double(sizes->k);
    return std::vector<Part>{{"matvec", {{"vector", terms / double(lanes)}}}};
  }
  ProductShape shape;
  shape.m = sizes->m;
  shape.width = sizes->n;
  shape.outerK = sizes->k;
  shape.directB = sizes->nInnermost;
  return std::vector<Part>{productPart("product", shape, sizes->batch,
                                       !sizes->nInnermost, vectorBits)};
}

Parts convParts(rl::ConvOp op, unsigned vectorBits) {
  std::optional<Shape> x = shapeOf(op.getInput()), w = shapeOf(op.getFilter()),
                       y = shapeOf(op.getOutput());
  if (!x || !w || !y || op.getTransposed() || x->size() < 3 ||
      !getElementTypeOrSelf(op.getInput().getType()).isF32() ||
      !getElementTypeOrSelf(op.getOutput().getType()).isF32() ||
      op.getAux().size() > 1)
    return std::nullopt;
  int64_t lanes = vectorBits / 32, group = op.getGroup();
  int64_t taps = count(w->drop_front(2)), width = y->back();
  double batch = double(y->front());
  std::vector<Part> parts;
  bool pads = llvm::any_of(op.getPads(), [](int64_t pad) { return pad != 0; });
  if (pads) {
    // The input with its border, line by line.
    double lines = 1;
    int64_t spatial = int64_t(x->size()) - 2, last = 0;
    for (int64_t d = 0; d < spatial; ++d) {
      last = (*x)[d + 2] + op.getPads()[d] + op.getPads()[d + spatial];
      if (d + 1 < spatial)
        lines *= double(last);
    }
    parts.push_back(
        rowsPart("pad", batch * double((*x)[1]) * lines, last, lanes));
  }
  if ((*w)[1] == 1 && group == (*x)[1] && (*w)[0] == group) {
    double lines = batch * double(count(y->drop_front().drop_back()));
    parts.push_back({"depthwise",
                     {{"row", lines},
                      {"vector", lines * double(taps) *
                                     double(llvm::divideCeil(width, lanes))}}});
  } else {
    bool strided = op.getStrides().back() != 1; // its lines are gathered
    bool isPlain =
        taps == 1 && !pads &&
        llvm::all_of(op.getStrides(), [](int64_t s) { return s == 1; });
    ProductShape shape;
    shape.m = (*w)[0] / group;
    shape.width = isPlain ? count(y->drop_front(2)) : width;
    shape.lines = isPlain ? 1 : count(y->drop_front(2)) / width;
    shape.outerK = (*w)[1];
    shape.innerK = taps;
    shape.directB = !strided;
    parts.push_back(
        productPart("conv", shape, batch * double(group), strided, vectorBits));
    if (shape.n() == 1) { // a vector of results
      parts.back() = {"matvec",
                      {{"vector", batch * double((*w)[0]) * double(shape.k()) /
                                      double(lanes)}}};
    } else if (shape.lines > 1) { // copied line by line, whole vectors
      Part &product = parts.back();
      double copied = batch * double(group) * double(shape.k()) *
                      double(shape.lines) * double(llvm::alignTo(width, lanes));
      product.amounts[strided ? 3 : 2].second = copied;
      settlePacking(product);
    }
  }
  if (!op.getAux().empty())
    parts.push_back(rowsPart("map:add", batch * double((*y)[1]),
                             count(y->drop_front(2)), lanes));
  return parts;
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

Parts poolParts(rl::PoolOp op, unsigned vectorBits) {
  std::optional<Shape> y = shapeOf(op->getResult(0));
  if (!y || y->size() < 3)
    return std::nullopt;
  double lines = double(count(y->drop_back()));
  double vectors =
      lines * double(llvm::divideCeil(y->back(),
                                      lanesOf(op->getResult(0), vectorBits)));
  return std::vector<Part>{
      {("pool:" + op.getKind()).str(),
       {{"row", lines}, {"vector", vectors * double(count(op.getKernel()))}}}};
}

Parts copyParts(rl::CopyOp op, unsigned vectorBits) {
  std::optional<Shape> x = shapeOf(op->getOperand(0)),
                       y = shapeOf(op->getResult(0));
  if (!x || !y || y->empty())
    return std::nullopt;
  int64_t lanes = lanesOf(op->getResult(0), vectorBits);
  StringRef kind = op.getKind();
  if (kind == "transpose" && op.getPermutation()) {
    ArrayRef<int64_t> permutation = *op.getPermutation();
    int64_t run = 1;
    for (int64_t d = int64_t(y->size()) - 1; d >= 0 && permutation[d] == d; --d)
      run *= (*y)[d];
    if (run == 1)
      return std::vector<Part>{{"transpose", {{"element", double(count(*y))}}}};
    return std::vector<Part>{rowsPart(
        "copy:transpose", double(count(*y)) / double(run), run, lanes)};
  }
  if (kind == "concat" && op.getAxis()) {
    std::vector<Part> parts;
    for (Value operand : op->getOperands()) {
      std::optional<Shape> shape = shapeOf(operand);
      int64_t axis = *op.getAxis();
      if (!shape || axis < 0 || axis >= int64_t(shape->size()))
        return std::nullopt;
      int64_t run = count(shape->drop_front(axis));
      parts.push_back(rowsPart(
          "copy:concat", double(count(shape->take_front(axis))), run, lanes));
    }
    Part sum = parts.front();
    for (const Part &part : ArrayRef(parts).drop_front())
      for (size_t i = 0; i < sum.amounts.size(); ++i)
        sum.amounts[i].second += part.amounts[i].second;
    return std::vector<Part>{sum};
  }
  if (kind == "slice" || kind == "split") {
    // Innermost dimensions that are kept whole, and the one that is cut.
    Part sum;
    for (Value result : op->getResults()) {
      std::optional<Shape> part = shapeOf(result);
      if (!part || part->size() != x->size())
        return std::nullopt;
      int64_t run = 1;
      for (int64_t d = int64_t(part->size()) - 1; d >= 0; --d) {
        run *= (*part)[d];
        if ((*part)[d] != (*x)[d])
          break;
      }
      Part one = rowsPart(
          "copy:slice",
          double(count(*part)) / double(std::max<int64_t>(run, 1)), run, lanes);
      if (sum.amounts.empty())
        sum = one;
      else
        for (size_t i = 0; i < sum.amounts.size(); ++i)
          sum.amounts[i].second += one.amounts[i].second;
    }
    return std::vector<Part>{sum};
  }
  return std::nullopt;
}

Parts gatherParts(rl::GatherOp op, unsigned vectorBits) {
  std::optional<Shape> table = shapeOf(op->getOperand(0)),
                       y = shapeOf(op->getResult(0));
  if (!table || !y || op.getKind() != "rows")
    return std::nullopt;
  int64_t run = count(table->drop_front(op.getAxis() + 1));
  if (run < 1)
    return std::nullopt;
  return std::vector<Part>{rowsPart("gather", double(count(*y)) / double(run),
                                    run,
                                    lanesOf(op->getResult(0), vectorBits))};
}

Parts partsOf(Operation *op, unsigned vectorBits);

Parts fusedParts(rl::FusedOp op, unsigned vectorBits) {
  std::vector<Part> all;
  for (Operation &inner : op.getBody().front().without_terminator()) {
    if (isa<rl::WeightOp, rl::FillOp, rl::ViewOp>(inner))
      continue;
    Parts parts = partsOf(&inner, vectorBits);
    if (!parts)
      return std::nullopt;
    llvm::append_range(all, *parts);
  }
  return all;
}

bool isEmpty(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 0;
}

Parts partsOf(Operation *op, unsigned vectorBits) {
  // The sweep has no kernels that do nothing.
  if (llvm::any_of(op->getOperands(), isEmpty) ||
      llvm::any_of(op->getResults(), isEmpty))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Parts>(op)
      .Case<rl::MapOp>([&](rl::MapOp map) {
        return mapParts(map, ("map:" + map.getKind()).str(), vectorBits);
      })
      .Case<rl::QuantizeOp>([&](rl::QuantizeOp map) {
        return mapParts(map, ("quantize:" + map.getKind()).str(), vectorBits);
      })
      .Case<rl::SoftmaxOp>(
          [&](auto one) { return softmaxParts(one, vectorBits); })
      .Case<rl::NormOp>([&](auto one) { return normParts(one, vectorBits); })
      .Case<rl::ReduceOp>(
          [&](auto one) { return reduceParts(one, vectorBits); })
      .Case<rl::ContractOp>(
          [&](auto one) { return contractParts(one, vectorBits); })
      .Case<rl::ConvOp>([&](auto one) { return convParts(one, vectorBits); })
      .Case<rl::PoolOp>([&](auto one) { return poolParts(one, vectorBits); })
      .Case<rl::CopyOp>([&](auto one) { return copyParts(one, vectorBits); })
      .Case<rl::GatherOp>(
          [&](auto one) { return gatherParts(one, vectorBits); })
      .Case<rl::FusedOp>([&](auto one) { return fusedParts(one, vectorBits); })
      .Default(std::nullopt);
}

} // namespace

std::optional<KernelFeatures> kernelFeatures(const CostRow &row,
                                             unsigned vectorBits) {
  Parts parts = partsOf(row.op, vectorBits);
  std::optional<Expr> read = row.work.bytesRead(),
                      written = row.work.bytesWritten();
  if (!parts || !read || !written)
    return std::nullopt;
  std::optional<int64_t> readBytes = read->asInt64(),
                         writtenBytes = written->asInt64();
  if (!readBytes || !writtenBytes)
    return std::nullopt;
  KernelFeatures features;
  features.parts = std::move(*parts);
  features.bytesRead = double(*readBytes);
  features.bytesWritten = double(*writtenBytes);
  return features;
}

} // namespace roofline
