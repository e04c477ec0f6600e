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

/// A product, `batch` times over.
static Part productPart(StringRef kernel, const ProductShape &shape,
                        double batch, bool gathersB, unsigned vectorBits) {
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

namespace {
/// Sizes of the labels by where they stand.
struct ContractionSizes {
  double batch = 1;
  int64_t m = 1, n = 1, k = 1;
  bool nInnermost = true; ///< in the second factor
};
} // namespace

static std::optional<ContractionSizes> contractionSizes(rl::ContractOp op) {
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
static Part matvecPart(double batch, int64_t results, int64_t depth,
                       bool sumsRows, int64_t lanes) {
  return sumsRows
             ? rowsPart("matvec:dot", batch * double(results), depth, lanes)
             : columnsPart("matvec", batch, depth, results, lanes);
}

Parts partsOf(rl::ContractOp op, unsigned vectorBits) {
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

Parts partsOf(rl::ConvOp op, unsigned vectorBits) {
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

} // namespace roofline::kernels
