//===- KernelProducts.cpp - products and convolutions ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelParts.h"
#include "mlir/IR/TypeUtilities.h"
#include "roofline/Cost/HostTiling.h"
#include "roofline/Cost/TransposedPhases.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace roofline::kernels {

/// All that is copied is packing.
static void settlePacking(Part &part) {
  for (KernelFeatures::Waste &waste : part.waste)
    for (const auto &[unit, amount] : part.amounts)
      if (waste.cause == KernelFeatures::Packing && waste.unit == unit)
        waste.amount = amount;
}

/// In how many pieces A, B and the results lie: rows of A, what a panel of
/// columns, or a line of an image, has of a row of B, and what a tile has of a
/// row of results, in each block of k.
static std::vector<double> productPieces(const ProductShape &shape,
                                         const ProductTiling &t, double batch) {
  double blocksK = double(llvm::divideCeil(shape.outerK, t.blockK));
  double panels = double(llvm::divideCeil(shape.n(), t.columns()));
  double b = !t.panels        ? double(shape.outerK * shape.lines)
             : !shape.directB ? double(shape.n()) * blocksK
                              : double(shape.k()) * panels;
  return {batch * double(shape.m) * blocksK, batch * b,
          batch * double(shape.m) * panels * blocksK};
}

namespace {
/// How B's elements lie that a row of the packed B has side by side.
enum class LayoutB {
  Direct,  ///< as there
  Turned,  ///< apart, but along k side by side: squares are turned
  Gathered ///< apart
};
} // namespace

/// Elements of k that fill no square of `lanes`, over all blocks.
static double restOfSquares(const ProductShape &shape, const ProductTiling &t) {
  int64_t whole = shape.outerK / t.blockK;
  int64_t last = shape.outerK % t.blockK;
  return double(whole * (t.blockK * shape.innerK % t.lanes) +
                last * shape.innerK % t.lanes);
}

/// Of a block of A and one of B, where they are packed.
static double packedBytes(const ProductShape &shape, const ProductTiling &t) {
  double depth = double(std::min(t.blockK, shape.outerK) * shape.innerK);
  double columns = (t.packA ? double(std::min(t.blockM, shape.m)) : 0) +
                   (t.packB ? double(std::min(t.blockN, shape.n())) : 0);
  return depth * columns * shape.bits / 8;
}

/// The part of a product that the thread has which has the most to do.
static ProductShape largestShare(const ProductShape &shape,
                                 const ProductTiling &t,
                                 const ProductShares &shares) {
  ProductShape own = shape;
  own.m = largestPart(shape.m, t.blockM, shares.m);
  int64_t n = largestPart(shape.n(), t.blockN, shares.n);
  if (shape.lines == 1)
    own.width = n;
  else
    own.lines = llvm::divideCeil(n, shape.width);
  return own;
}

/// A product, `batch` times over.
static Part productPart(StringRef kernel, const ProductShape &whole,
                        double batch, LayoutB layout, const Target &target) {
  ProductTiling t = chooseTiling(whole, target.vectorBits);
  auto batches = int64_t(batch);
  ProductShares shares = shareProduct(whole, batches, 1.0, target.threads, t);
  ProductShape shape = largestShare(whole, t, shares);
  batch = std::ceil(batch / double(shares.batches));
  double depth = double(shape.k()), n = double(shape.n());
  double blocksK = double(llvm::divideCeil(shape.outerK, t.blockK));
  double blocksN = double(llvm::divideCeil(shape.n(), t.blockN));
  double vectors =
      double(shape.m) * double(llvm::divideCeil(shape.n(), t.lanes));
  // A tile's rows are copied by squares that hold them.
  double tiles = double(llvm::divideCeil(shape.m, t.rows));
  double a = t.packA
                 ? tiles * double(llvm::PowerOf2Ceil(t.rows)) * depth * blocksN
                 : 0;
  double direct = 0, turned = 0, gathered = 0;
  if (t.packB && layout == LayoutB::Direct)
    direct = n * depth;
  if (t.packB && layout == LayoutB::Gathered)
    gathered = n * depth;
  if (t.packB && layout == LayoutB::Turned) {
    double rest = restOfSquares(shape, t);
    turned = double(llvm::alignTo(shape.n(), t.lanes)) * (depth - rest);
    gathered = n * rest;
  }
  int64_t lone = shape.n() == whole.n() ? t.lone : 0;
  double cycles =
      depth * tileCycles(shape.m, shape.n(), t.rows, t.vectors, t.lanes, lone);
  double least = depth * double(shape.m) * n / double(t.lanes);
  Part part{kernel.str(),
            {{"multiply", batch * cycles},
             {"pack_a", batch * a},
             {"pack_b", batch * direct},
             {"turn_b", batch * turned},
             {"gather_b", batch * gathered},
             {"store", batch * vectors * blocksK}},
            {{KernelFeatures::Tiles, "multiply", batch * (cycles - least)}}};
  for (StringRef unit : {"pack_a", "pack_b", "turn_b", "gather_b"})
    part.waste.push_back({KernelFeatures::Packing, unit.str(), 0});
  settlePacking(part);
  part.pieces = productPieces(shape, t, batch);
  part.readInPlace = {!t.packA, !t.packB};
  part.bufferBytes = packedBytes(shape, t);
  if (shares.parts() > 1) {
    part.share = 1 / double(shares.parts());
    part.shares = {1 / double(shares.batches * shares.m),
                   1 / double(shares.batches * shares.n), part.share};
    part.handovers = 1;
  }
  return part;
}

namespace {
/// Sizes of the labels by where they stand.
struct ContractionSizes {
  double batch = 1;
  int64_t m = 1, n = 1, k = 1;
  bool kInnermostA = true; ///< in the first factor
  bool nInnermost = true;  ///< in the second
};
} // namespace

static std::optional<ContractionSizes> contractionSizes(rl::ContractOp op) {
  auto [left, result] = op.getEquation().split("->");
  auto [a, b] = left.split(',');
  if (op.getFactors().size() != 2 || b.contains(',') || a.empty() || b.empty())
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
  sizes.kInnermostA = !result.contains(a.back());
  sizes.nInnermost = result.contains(b.back());
  return sizes;
}

/// A product with a vector, which nothing of is used twice. Rows of the matrix
/// are added up, or each is multiplied with the vector and summed.
static Part matvecPart(double batch, int64_t results, int64_t depth,
                       bool sumsRows, int64_t lanes) {
  return sumsRows
             ? rowsPart("matvec:dot", batch * double(results), depth, lanes)
             : columnsPart("matvec", batch, depth, results, lanes);
}

Part matrixPart(const MatrixProduct &p, double batch, const Target &target) {
  if (p.m == 1 || p.n == 1)
    return matvecPart(batch, std::max(p.m, p.n), p.k, p.n == 1 || !p.nInnermost,
                      target.lanes());
  ProductShape shape;
  shape.m = p.m;
  shape.width = p.n;
  shape.outerK = p.k;
  shape.directB = p.nInnermost;
  shape.linesOfA = p.kInnermostA;
  return productPart("product", shape, batch,
                     p.nInnermost ? LayoutB::Direct : LayoutB::Turned, target);
}

Parts partsOf(rl::ContractOp op, const Target &target) {
  std::optional<ContractionSizes> sizes = contractionSizes(op);
  Type element = getElementTypeOrSelf(op.getOutput().getType());
  if (!sizes || !element.isF32() || op.getAux().size() > 1)
    return std::nullopt;
  for (Value factor : op.getFactors())
    if (getElementTypeOrSelf(factor.getType()) != element)
      return std::nullopt;
  int64_t lanes = target.lanes();
  std::vector<Part> parts{matrixPart(
      {sizes->m, sizes->n, sizes->k, sizes->nInnermost, sizes->kInnermostA},
      sizes->batch, target)};
  // A product adds it to its tiles.
  bool isTiled = parts.back().kernel == "product";
  std::optional<Shape> result = shapeOf(op.getOutput());
  if (!op.getAux().empty() && !isTiled && result && !result->empty())
    parts.push_back(rowsPart("map:add", double(count(result->drop_back())),
                             result->back(), lanes));
  return parts;
}

/// The product that a convolution is, and where in it B's copies are counted.
static Part convPart(const ProductShape &shape, double batch, bool strided,
                     const Target &target) {
  int64_t lanes = target.lanes();
  if (shape.n() == 1) // a vector of results
    return matvecPart(batch, shape.m, shape.k(), true, lanes);
  Part part =
      productPart("conv", shape, batch,
                  strided ? LayoutB::Gathered : LayoutB::Direct, target);
  // The filter, which comes second, is the first factor.
  std::swap(part.pieces[0], part.pieces[1]);
  part.readInPlace = {part.readInPlace[1], part.readInPlace[0]};
  if (!part.shares.empty())
    std::swap(part.shares[0], part.shares[1]);
  if (shape.lines == 1)
    return part;
  // Copied line by line, whole vectors.
  double whole =
      double(llvm::alignTo(shape.width, lanes)) / double(shape.width);
  for (auto &[unit, amount] : part.amounts)
    if (unit == (strided ? "gather_b" : "pack_b"))
      amount *= whole;
  settlePacking(part);
  return part;
}

/// Each phase of the results is a convolution of its own, whose filter is
/// gathered and whose results are put between the others'.
static Parts transposedParts(rl::ConvOp op, const Target &target) {
  Shape x = *shapeOf(op.getInput()), w = *shapeOf(op.getFilter()),
        y = *shapeOf(op.getOutput());
  int64_t lanes = target.lanes();
  auto group = double(op.getGroup()), batch = double(y.front());
  if (w[1] == 1 &&
      int64_t(op.getGroup()) == x[1]) // windows over planes of their own
    return std::nullopt;
  std::vector<TransposedDim> dims;
  for (size_t i = 0; i + 2 < y.size(); ++i)
    dims.push_back({w[i + 2], op.getStrides()[i], op.getDilations()[i],
                    op.getPads()[i], y[i + 2]});
  if (!hasFewPhases(dims))
    return std::nullopt;
  std::vector<std::vector<TransposedPhase>> phases = transposedPhases(dims);
  std::vector<Part> parts;
  double resultBytes = 4 * double(count(y));
  for (const std::vector<TransposedPhase> &phase : phases) {
    ProductShape shape;
    shape.m = w[1];
    shape.outerK = x[1] / op.getGroup();
    shape.width = phase.back().count;
    double lines = batch * double(x[1]); // of the input with its border
    bool hasBorder = false;
    for (auto [i, one] : llvm::enumerate(phase)) {
      shape.innerK *= one.taps;
      bool isLast = i + 1 == phase.size();
      shape.lines *= isLast ? 1 : one.count;
      lines *= isLast ? 1 : double(one.reach());
      hasBorder |= one.begin < 0 || one.begin + one.reach() > x[i + 2];
    }
    double elements = double(w[0]) * double(w[1]) * double(shape.innerK);
    parts.push_back(gatheredPart(elements / double(shape.k()), elements));
    if (hasBorder)
      parts.push_back(padPart(lines, phase.back().reach(), lanes));
    double results = batch * double(y[1]) * double(shape.lines);
    if (shape.innerK == 1 && !hasBorder) { // one line of all positions
      shape.width *= shape.lines;
      shape.lines = 1;
    }
    parts.push_back(convPart(shape, batch * group, false, target));
    if (phases.size() == 1)
      continue;
    bool isScattered = op.getStrides().back() > 1;
    parts.push_back(rowsPart(isScattered ? "copy:scattered" : "copy:slice",
                             results, phase.back().count, lanes));
    // The phase's own results, and the lines of the op's that it shares with
    // others, are written and come again.
    parts.back().scratchBytes =
        resultBytes * double(op.getStrides().back()) / double(phases.size());
    parts.back().scratchDistance = resultBytes;
  }
  return parts;
}

/// Not transposed: the input with its border, then windows over planes of their
/// own, or a product.
static std::vector<Part> plainParts(rl::ConvOp op, const Target &target) {
  Shape x = *shapeOf(op.getInput()), w = *shapeOf(op.getFilter()),
        y = *shapeOf(op.getOutput());
  int64_t lanes = target.lanes(), group = op.getGroup();
  int64_t taps = count(w.drop_front(2));
  bool isDepthwise = w[1] == 1 && group == x[1] && w[0] == group;
  std::vector<Part> parts;
  std::optional<Part> border = borderPart(x, op.getPads(), lanes, isDepthwise);
  if (border)
    parts.push_back(*border);
  ArrayRef<int64_t> strides = op.getStrides();
  if (isDepthwise) {
    parts.push_back(windowPart("depthwise", op.getInput(), op.getPads(), y,
                               taps, strides.back(), lanes));
    return parts;
  }
  // Lines along the innermost dimension that isn't 1.
  size_t along = y.size() - 1;
  while (along > 2 && y[along] == 1)
    --along;
  bool isStrided = strides[along - 2] != 1; // lines are gathered
  bool isOneLine = taps == 1 && !border &&
                   llvm::all_of(strides, [](int64_t s) { return s == 1; });
  ProductShape shape;
  shape.m = w[0] / group;
  shape.width = isOneLine ? count(y.drop_front(2)) : y[along];
  shape.lines = count(y.drop_front(2)) / shape.width;
  shape.outerK = w[1];
  shape.innerK = taps;
  shape.directB = !isStrided;
  parts.push_back(
      convPart(shape, double(y.front() * group), isStrided, target));
  return parts;
}

Parts partsOf(rl::ConvOp op, const Target &target) {
  std::optional<Shape> x = shapeOf(op.getInput()), w = shapeOf(op.getFilter()),
                       y = shapeOf(op.getOutput());
  if (!x || !w || !y || x->size() < 3 ||
      !getElementTypeOrSelf(op.getInput().getType()).isF32() ||
      !getElementTypeOrSelf(op.getOutput().getType()).isF32() ||
      op.getAux().size() > 1)
    return std::nullopt;
  Parts parts = op.getTransposed() ? transposedParts(op, target)
                                   : Parts(plainParts(op, target));
  // What is added comes along with a product's stores, or a phase's.
  if (parts && !op.getAux().empty() && !op.getTransposed() &&
      parts->back().kernel != "conv")
    parts->push_back(rowsPart("map:add", double(y->front() * (*y)[1]),
                              count(y->drop_front(2)), target.lanes()));
  return parts;
}

} // namespace roofline::kernels
