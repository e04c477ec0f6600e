//===- KernelCopies.cpp - copies and gathers ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelParts.h"

using namespace mlir;

namespace roofline::kernels {

Parts partsOf(rl::CopyOp op, unsigned vectorBits) {
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

Parts partsOf(rl::GatherOp op, unsigned vectorBits) {
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

} // namespace roofline::kernels
