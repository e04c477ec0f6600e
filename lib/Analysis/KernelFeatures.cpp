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

/// Rows of `columns` elements that lie side by side. What is left of a row
/// after whole vectors is done apart.
Part rowsPart(const Twine &kernel, double rows, int64_t columns,
              int64_t lanes) {
  int64_t whole = columns / lanes, left = columns % lanes;
  double unused = left ? 1 - double(left) / double(lanes) : 0;
  return {kernel.str(),
          {{"row", rows},
           {"vector", rows * double(whole)},
           {"tail", left ? rows : 0}},
          {{KernelFeatures::Vectors, "tail", rows * unused}}};
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

/// What a power by a number that is known runs as.
StringRef powerKind(std::optional<double> exponent) {
  return exponent == 2 || exponent == 3 ? "mul"
         : exponent == 0.5              ? "sqrt"
         : exponent == -1               ? "reciprocal"
                                        : "pow";
}

/// A sum of two operands is an addition by another name.
StringRef mapKind(rl::MapOp op) {
  if (op.getKind() == "sum" && op->getNumOperands() == 2)
    return "add";
  if (op.getKind() == "pow" && op->getNumOperands() == 2)
    return powerKind(rl::splatValue(op->getOperand(1)));
  return op.getKind();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Sums down the columns of matrices of `depth` rows by `width` elements.
Part columnsPart(const Twine &kernel, double matrices, int64_t depth,
                 int64_t width, int64_t lanes) {
  return rowsPart(kernel, matrices * double(depth), width, lanes);
}

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

/// Each line of results sums lines of `size` channels, and takes a power of
/// that.
Parts localResponseParts(rl::NormOp op, unsigned vectorBits) {
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape || shape->empty())
    return std::nullopt;
  int64_t lanes = lanesOf(op->getOperand(0), vectorBits);
  double lines = double(count(shape->drop_back()));
  double vectors = lines * double(llvm::divideCeil(shape->back(), lanes));
  return std::vector<Part>{{"norm:local_response",
                            {{"row", lines},
                             {"vector", vectors},
                             {"tap", vectors * double(op.getSize())}}}};
}

Parts normParts(rl::NormOp op, unsigned vectorBits) {
  std::string kernel = ("norm:" + op.getKind()).str();
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape)
    return std::nullopt;
  if (op.getKind() == "local_response")
    return localResponseParts(op, vectorBits);
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

/// An addition is one instruction, a maximum that passes NaN on is several.
std::string reductionOf(StringRef kind) {
  return kind == "max" || kind == "min" ? "reduce:max" : "reduce:sum";
}

Parts reduceParts(rl::ReduceOp op, unsigned vectorBits) {
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape || op.getKind().starts_with("arg") || op.getAxes().empty())
    return std::nullopt;
  std::string reduction = reductionOf(op.getKind());
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
    return innerRows(op, reduction + ":inner", reduced, vectorBits);
  if (inner > 1)
    return std::nullopt;
  // What lies behind the last axis that is reduced is a row.
  int64_t width = count(shape->drop_front(llvm::max_element(axes)[0] + 1));
  double matrices = double(count(*shape)) / double(reduced * width);
  return std::vector<Part>{
      columnsPart(reduction + ":outer", matrices, reduced, width, lanes)};
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Lines of results, each of vectors of taps. Where windows are two apart a tap
/// takes every other element, where they are further each by itself. Planes
/// that the first level of the caches is too small for come from the next.
Part windowPart(const Twine &kernel, Value x, ArrayRef<int64_t> pads,
                Shape result, int64_t taps, int64_t stride, int64_t lanes) {
  constexpr int64_t firstLevel = 32 << 10;
  int64_t bits = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  int64_t plane = llvm::divideCeil(bits, 8), spatial = result.size() - 2;
  for (int64_t d = 0; d < spatial; ++d)
    plane *= cast<ShapedType>(x.getType()).getDimSize(d + 2) +
             (pads.empty() ? 0 : pads[d] + pads[d + spatial]);
  std::string spread = stride == 1 ? "" : stride == 2 ? ":even" : ":gathered";
  if (plane > firstLevel)
    spread += ":l2";
  double lines = double(count(result.drop_back()));
  double vectors = double(llvm::divideCeil(result.back(), lanes));
  return {(kernel + spread).str(),
          {{"row", lines}, {"vector", lines * double(taps) * vectors}},
          {{KernelFeatures::Vectors, "vector",
            lines * double(taps) *
                (vectors - double(result.back()) / double(lanes))}}};
}

/// An input with its border, line by line; nothing where it has none.
std::optional<Part> borderPart(Shape input, ArrayRef<int64_t> pads,
                               int64_t lanes) {
  int64_t spatial = int64_t(input.size()) - 2, last = 0;
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }) ||
      int64_t(pads.size()) != 2 * spatial)
    return std::nullopt;
  double lines = double(input[0]) * double(input[1]);
  for (int64_t d = 0; d < spatial; ++d) {
    last = input[d + 2] + pads[d] + pads[d + spatial];
    if (d + 1 < spatial)
      lines *= double(last);
  }
  return rowsPart("pad", lines, last, lanes);
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

/// In how many pieces A, B and the results lie: rows of A, what a panel of
/// columns, or a line of an image, has of a row of B, and what a tile has of a
/// row of results, in each block of k.
std::vector<double> productPieces(const ProductShape &shape,
                                  const ProductTiling &t, double batch) {
  double blocksK = double(llvm::divideCeil(shape.outerK, t.blockK));
  double panels = double(llvm::divideCeil(shape.n(), t.columns()));
  double b = !t.panels        ? double(shape.outerK * shape.lines)
             : !shape.directB ? double(shape.n()) * blocksK
                              : double(shape.k()) * panels;
  return {batch * double(shape.m) * blocksK, batch * b,
          batch * double(shape.m) * panels * blocksK};
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
  part.pieces = productPieces(shape, t, batch);
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

/// A product with a vector, which nothing of is used twice. Rows of the matrix
/// are added up, or each is multiplied with the vector and summed.
Part matvecPart(double batch, int64_t results, int64_t depth, bool sumsRows,
                int64_t lanes) {
  return sumsRows
             ? rowsPart("matvec:dot", batch * double(results), depth, lanes)
             : columnsPart("matvec", batch, depth, results, lanes);
}

Parts contractParts(rl::ContractOp op, unsigned vectorBits) {
  std::optional<ContractionSizes> sizes = contractionSizes(op);
  Type element = getElementTypeOrSelf(op.getOutput().getType());
  if (!sizes || !element.isF32() || op.getAux().size() > 1)
    return std::nullopt;
  for (Value factor : op.getFactors())
    if (getElementTypeOrSelf(factor.getType()) != element)
      return std::nullopt;
  int64_t lanes = vectorBits / 32;
  std::vector<Part> parts;
  if (sizes->m == 1 || sizes->n == 1) {
    bool sumsRows = sizes->n == 1 || !sizes->nInnermost;
    parts.push_back(matvecPart(sizes->batch, std::max(sizes->m, sizes->n),
                               sizes->k, sumsRows, lanes));
  } else {
    ProductShape shape;
    shape.m = sizes->m;
    shape.width = sizes->n;
    shape.outerK = sizes->k;
    shape.directB = sizes->nInnermost;
    parts.push_back(productPart("product", shape, sizes->batch,
                                !sizes->nInnermost, vectorBits));
  }
  // A product adds it to its tiles.
  bool isTiled = parts.back().kernel == "product";
  std::optional<Shape> result = shapeOf(op.getOutput());
  if (!op.getAux().empty() && !isTiled && result && !result->empty())
    parts.push_back(rowsPart("map:add", double(count(result->drop_back())),
                             result->back(), lanes));
  return parts;
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
  std::optional<Part> border = borderPart(*x, op.getPads(), lanes);
  if (border)
    parts.push_back(*border);
  if ((*w)[1] == 1 && group == (*x)[1] && (*w)[0] == group) {
    parts.push_back(windowPart("depthwise", op.getInput(), op.getPads(), *y,
                               taps, op.getStrides().back(), lanes));
  } else {
    bool strided = op.getStrides().back() != 1; // its lines are gathered
    bool isPlain =
        taps == 1 && !border &&
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
    // The filter, which comes second, is the first factor.
    std::swap(parts.back().pieces[0], parts.back().pieces[1]);
    if (shape.n() == 1) { // a vector of results
      parts.back() = matvecPart(batch, (*w)[0], shape.k(), true, lanes);
    } else if (shape.lines > 1) { // copied line by line, whole vectors
      Part &product = parts.back();
      double copied = batch * double(group) * double(shape.k()) *
                      double(shape.lines) * double(llvm::alignTo(width, lanes));
      product.amounts[strided ? 3 : 2].second = copied;
      settlePacking(product);
    }
  }
  if (!op.getAux().empty() && parts.back().kernel != "conv")
    parts.push_back(rowsPart("map:add", batch * double((*y)[1]),
                             count(y->drop_front(2)), lanes));
  return parts;
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

Parts poolParts(rl::PoolOp op, unsigned vectorBits) {
  std::optional<Shape> x = shapeOf(op->getOperand(0)),
                       y = shapeOf(op->getResult(0));
  if (!x || !y || y->size() < 3 || op->getNumResults() != 1)
    return std::nullopt;
  int64_t lanes = lanesOf(op->getResult(0), vectorBits);
  // One window over all of a channel is a sum or a maximum of a row.
  if (count(y->drop_front(2)) == 1 &&
      count(op.getKernel()) == count(x->drop_front(2)))
    return innerRows(op, reductionOf(op.getKind()) + ":inner",
                     count(op.getKernel()), vectorBits);
  std::vector<Part> parts;
  if (std::optional<Part> border = borderPart(*x, op.getPads(), lanes))
    parts.push_back(*border);
  parts.push_back(windowPart("pool:" + op.getKind(), op->getOperand(0),
                             op.getPads(), *y, count(op.getKernel()),
                             op.getStrides().back(), lanes));
  return parts;
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
      return std::vector<Part>{{"transpose",
                                {{"row", double(count(*y)) / double(y->back())},
                                 {"element", double(count(*y))}}}};
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
        return mapParts(map, ("map:" + mapKind(map)).str(), vectorBits);
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

/// Whether results are stored by vectors that begin where one of the buffer
/// does, one after the other: what can go past the caches.
bool storesWholeVectors(Operation *op, const KernelFeatures &features) {
  if (!isa<rl::MapOp, rl::QuantizeOp, rl::CopyOp>(op) ||
      getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1))
    return false;
  for (const auto &[unit, amount] : features.parts.front().amounts)
    if (unit == "row" && amount <= 1)
      return true;
    else if (unit == "tail")
      return amount == 0;
  return false;
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
  features.streams =
      *writtenBytes >= streamingBytes && storesWholeVectors(row.op, features);
  return features;
}

} // namespace roofline
