//===- KernelCopies.cpp - copies and gathers ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelParts.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace roofline::kernels {

Part gatheredPart(double rows, double elements) {
  return {"transpose:gathered", {{"row", rows}, {"element", elements}}};
}

/// A transpose whose results' rows lie apart in the input. Squares of the
/// vectors that lie side by side there and here are turned, or, where one side
/// is too short for that, a vector's elements are gathered or scattered: what
/// takes the fewest loads, as lib/Conversion/LinalgToHost/VectorPlan.cpp has
/// it.
Part turnedPart(Shape x, Shape permutation, int64_t lanes) {
  SmallVector<int64_t> order; // without dimensions of 1
  for (int64_t d : permutation)
    if (x[d] != 1)
      order.push_back(d);
  SmallVector<int64_t> kept = order;
  llvm::sort(kept);
  auto follows = [&](int64_t d, int64_t next) {
    return llvm::find(kept, next) - llvm::find(kept, d) == 1;
  };
  // Loops over the results: dimensions that lie side by side on both sides.
  SmallVector<int64_t> loops, ends;
  for (auto [i, d] : llvm::enumerate(order)) {
    if (i > 0 && follows(order[i - 1], d)) {
      loops.back() *= x[d];
      ends.back() = d;
    } else {
      loops.push_back(x[d]);
      ends.push_back(d);
    }
  }
  if (loops.empty())
    return gatheredPart(1, 1);
  int64_t here = loops.back(), there = here;
  for (auto [size, end] : llvm::zip(loops, ends))
    if (end == kept.back())
      there = size;
  double outer = double(count(x)) / double(here * there);
  auto vectors = [&](int64_t size) {
    return double(llvm::divideCeil(size, lanes));
  };
  auto cost = [&](double loads, int64_t size) { // of an element
    return loads * vectors(size) / double(size);
  };
  bool hasSquares = lanes <= 16 && 2 * there >= lanes;
  double load = hasSquares ? 1 + double(llvm::Log2_64_Ceil(lanes)) : lanes;
  if (cost(1 + double(lanes), there) < cost(load + 1, here))
    return {"transpose:scattered",
            {{"row", outer * double(here)},
             {"vector", outer * double(here) * vectors(there)}}};
  if (!hasSquares)
    return gatheredPart(outer * double(there), double(count(x)));
  // Vectors are read far apart, and rows of results written piece by piece.
  double squares = outer * vectors(there) * vectors(here);
  return {"transpose",
          {{"row", outer * vectors(there)}, {"square", squares}},
          {},
          {squares * double(lanes), outer * double(there)}};
}

Parts partsOf(rl::CopyOp op, const Target &target) {
  std::optional<Shape> x = shapeOf(op->getOperand(0)),
                       y = shapeOf(op->getResult(0));
  if (!x || !y || y->empty())
    return std::nullopt;
  int64_t lanes = lanesOf(op->getResult(0), target);
  StringRef kind = op.getKind();
  if (kind == "transpose" && op.getPermutation()) {
    Shape permutation = *op.getPermutation();
    int64_t run = 1;
    for (int64_t d = int64_t(y->size()) - 1; d >= 0 && permutation[d] == d; --d)
      run *= (*y)[d];
    if (run == 1)
      return std::vector<Part>{turnedPart(*x, permutation, lanes)};
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
  if (kind == "expand" || kind == "pad") {
    if (kind == "expand" && x->size() > y->size())
      return std::nullopt;
    int64_t run = kind == "expand" ? commonRun(*y, {*x}) : y->back();
    return std::vector<Part>{rowsPart(
        "copy:" + kind, double(count(*y)) / double(std::max<int64_t>(run, 1)),
        run, lanes)};
  }
  return std::nullopt;
}

/// Nearest elements that all come equally often are repeated at once, line by
/// line; else there is a pass for each axis that changes, element by element.
Parts partsOf(rl::ResizeOp op, const Target &target) {
  std::optional<Shape> x = shapeOf(op->getOperand(0)),
                       y = shapeOf(op->getResult(0));
  bool isNearest = op.getKind() == "nearest";
  if (!x || !y || x->size() != y->size() || op.getCoordinates() ||
      op.getSamples() != 1 || (!isNearest && op.getKind() != "linear"))
    return std::nullopt;
  std::string kernel = ("resize:" + op.getKind()).str();
  auto isRepeated = [&](size_t d) { return (*y)[d] % (*x)[d] == 0; };
  if (isNearest && llvm::all_of(llvm::seq(x->size()), isRepeated))
    return std::vector<Part>{
        rowsPart(kernel, double(count(*y)) / double(y->back()), y->back(),
                 lanesOf(op->getResult(0), target))};
  Part sum{kernel + ":picked", {{"element", 0}}};
  SmallVector<int64_t> shape(*x);
  double handedOn = 0; // from a pass to the next
  for (size_t d = 0; d < shape.size(); ++d) {
    if ((*y)[d] == shape[d])
      continue;
    shape[d] = (*y)[d];
    sum.scratchBytes += handedOn;
    handedOn = 4 * double(count(shape));
    sum.amounts.back().second += double(count(shape));
  }
  sum.scratchDistance = 2 * sum.scratchBytes;
  return std::vector<Part>{sum};
}

Parts partsOf(rl::GatherOp op, const Target &target) {
  std::optional<Shape> table = shapeOf(op->getOperand(0)),
                       y = shapeOf(op->getResult(0));
  if (!table || !y)
    return std::nullopt;
  if (op.getKind() == "elements")
    return std::vector<Part>{
        {"gather:elements", {{"element", double(count(*y))}}}};
  if (op.getKind() != "rows")
    return std::nullopt;
  int64_t run = count(table->drop_front(op.getAxis() + 1));
  if (run < 1)
    return std::nullopt;
  return std::vector<Part>{rowsPart("gather", double(count(*y)) / double(run),
                                    run, lanesOf(op->getResult(0), target))};
}

} // namespace roofline::kernels
