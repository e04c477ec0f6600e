//===- KernelRows.cpp - maps, and reductions of rows ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelParts.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace roofline::kernels {

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

Part columnsPart(const Twine &kernel, double matrices, int64_t depth,
                 int64_t width, int64_t lanes) {
  return rowsPart(kernel, matrices * double(depth), width, lanes);
}

Parts innerRows(Operation *op, const Twine &kernel, int64_t size,
                const Target &target) {
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape || size < 1)
    return std::nullopt;
  return std::vector<Part>{rowsPart(kernel,
                                    double(count(*shape)) / double(size), size,
                                    lanesOf(op->getOperand(0), target))};
}

std::string reductionOf(StringRef kind) {
  return kind == "max" || kind == "min" ? "reduce:max" : "reduce:sum";
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

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

static Parts mapParts(Operation *op, StringRef name, const Target &target) {
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
      rowsPart(name, rows, run, lanesOf(op->getResult(0), target))};
}

/// What a power by a number that is known runs as.
static StringRef powerKind(std::optional<double> exponent) {
  return exponent == 2 || exponent == 3 ? "mul"
         : exponent == 0.5              ? "sqrt"
         : exponent == -1               ? "reciprocal"
                                        : "pow";
}

/// A cast by its types: "cast:i64:f32".
static std::string castKind(rl::MapOp op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "cast:" << getElementTypeOrSelf(op->getOperand(0).getType()) << ':'
     << getElementTypeOrSelf(op->getResult(0).getType());
  return text;
}

/// A sum of two operands is an addition by another name.
static std::string mapKind(rl::MapOp op) {
  if (op.getKind() == "sum" && op->getNumOperands() == 2)
    return "add";
  if (op.getKind() == "pow" && op->getNumOperands() == 2)
    return powerKind(rl::splatNumber(op->getOperand(1))).str();
  if (op.getKind() == "cast")
    return castKind(op);
  return op.getKind().str();
}

Parts partsOf(rl::MapOp op, const Target &target) {
  return mapParts(op, "map:" + mapKind(op), target);
}

Parts partsOf(rl::QuantizeOp op, const Target &target) {
  return mapParts(op, ("quantize:" + op.getKind()).str(), target);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Parts partsOf(rl::SoftmaxOp op, const Target &target) {
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape)
    return std::nullopt;
  int64_t axis = op.getAxis();
  int64_t size =
      op.getFlattened() ? count(shape->drop_front(axis)) : (*shape)[axis];
  if (!op.getFlattened() && axis + 1 != int64_t(shape->size()))
    return std::nullopt;
  return innerRows(op, "softmax:" + op.getKind(), size, target);
}

/// Each plane of results sums planes of `size` channels, and takes a power of
/// that.
static Parts localResponseParts(rl::NormOp op, const Target &target) {
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape || shape->size() < 2)
    return std::nullopt;
  int64_t lanes = lanesOf(op->getOperand(0), target);
  double planes = double(count(shape->take_front(2)));
  double vectors =
      planes * double(llvm::divideCeil(count(shape->drop_front(2)), lanes));
  return std::vector<Part>{{"norm:local_response",
                            {{"row", planes},
                             {"vector", vectors},
                             {"tap", vectors * double(op.getSize())}}}};
}

Parts partsOf(rl::NormOp op, const Target &target) {
  std::string kernel = ("norm:" + op.getKind()).str();
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape)
    return std::nullopt;
  if (op.getKind() == "local_response")
    return localResponseParts(op, target);
  if (op.getKind() == "batch") // scaled and shifted channel by channel
    return shape->size() < 2
               ? std::nullopt
               : innerRows(op, kernel, count(shape->drop_front(2)), target);
  std::optional<int64_t> row;
  if (op.getRow() && op.getRow()->getSizes().size() == 1 &&
      op.getRow()->getSizes()[0])
    row = op.getRow()->getSizes()[0]->asInt64();
  return row ? innerRows(op, kernel, *row, target) : std::nullopt;
}

Parts partsOf(rl::ReduceOp op, const Target &target) {
  std::optional<Shape> shape = shapeOf(op->getOperand(0));
  if (!shape || op.getKind().starts_with("arg") || op.getAxes().empty())
    return std::nullopt;
  std::string reduction = reductionOf(op.getKind());
  ArrayRef<int64_t> axes = op.getAxes();
  int64_t lanes = lanesOf(op->getOperand(0), target), reduced = 1;
  for (int64_t axis : axes)
    reduced *= (*shape)[axis];
  // The innermost dimensions, or others.
  int64_t inner = 1;
  for (int64_t d = int64_t(shape->size()) - 1;
       d >= 0 && llvm::is_contained(axes, d); --d)
    inner *= (*shape)[d];
  if (inner == reduced)
    return innerRows(op, reduction + ":inner", reduced, target);
  if (inner > 1)
    return std::nullopt;
  // What lies behind the last axis that is reduced is a row.
  int64_t width = count(shape->drop_front(llvm::max_element(axes)[0] + 1));
  double matrices = double(count(*shape)) / double(reduced * width);
  return std::vector<Part>{
      columnsPart(reduction + ":outer", matrices, reduced, width, lanes)};
}

} // namespace roofline::kernels
