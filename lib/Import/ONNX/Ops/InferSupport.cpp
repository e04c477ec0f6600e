//===- InferSupport.cpp - what shape rules share -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferSupport.h"
#include "Arithmetic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

//===----------------------------------------------------------------------===//
// Sizes that may be unknown
//===----------------------------------------------------------------------===//

MaybeDim onnx_import::plus(const MaybeDim &a, const MaybeDim &b) {
  return combine(a, b, [](const Expr &x, const Expr &y) { return x + y; });
}

MaybeDim onnx_import::minus(const MaybeDim &a, const MaybeDim &b) {
  return combine(a, b, [](const Expr &x, const Expr &y) { return x - y; });
}

MaybeDim onnx_import::times(const MaybeDim &a, const MaybeDim &b) {
  // Nothing is in an empty tensor whatever its other sizes are.
  if ((a && a->isZero()) || (b && b->isZero()))
    return Expr(0);
  return combine(a, b, [](const Expr &x, const Expr &y) { return x * y; });
}

MaybeDim onnx_import::quotient(const MaybeDim &a, const MaybeDim &b) {
  return combine(a, b, [](const Expr &x, const Expr &y) {
    if (std::optional<Expr> exact = Expr::exactQuotient(x, y))
      return *exact;
    return Expr::floorDiv(x, y);
  });
}

bool onnx_import::differ(const MaybeDim &a, const MaybeDim &b) {
  return a && b && a->isConstant() && b->isConstant() && *a != *b;
}

MaybeDim onnx_import::better(const MaybeDim &a, const MaybeDim &b) {
  if (!a || (b && b->isConstant() && !a->isConstant()))
    return b;
  return a;
}

bool onnx_import::atLeast(const Expr &a, const Expr &b) {
  if (a.isConstant() && b.isConstant())
    return a.constant() >= b.constant();
  Expr difference = a - b;
  return Expr::max(difference, Expr(0)) == difference;
}

std::optional<int64_t> onnx_import::asInt(const MaybeDim &dim) {
  return dim ? dim->asInt64() : std::nullopt;
}

std::optional<SmallVector<int64_t, 4>>
onnx_import::asInts(ArrayRef<MaybeDim> dims) {
  SmallVector<int64_t, 4> ints;
  for (const MaybeDim &dim : dims) {
    std::optional<int64_t> value = asInt(dim);
    if (!value)
      return std::nullopt;
    ints.push_back(*value);
  }
  return ints;
}

std::string onnx_import::str(const MaybeDim &dim) {
  return dim ? dim->str() : "?";
}

std::string onnx_import::str(ArrayRef<MaybeDim> dims) {
  if (dims.empty())
    return "scalar";
  std::string text;
  for (const MaybeDim &dim : dims)
    text += (text.empty() ? "" : "x") + str(dim);
  return text;
}

Error onnx_import::checkSize(const Node &node, const MaybeDim &size,
                             const Twine &what) {
  if (size && size->isConstant() && size->constant() < 0)
    return nodeError(node, what + " would be " + size->str());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

MaybeDim onnx_import::dimOf(const InferContext &ctx, const Node &node,
                            unsigned input, int64_t axis) {
  const MaybeDims *dims = ctx.dims(node, input);
  if (!dims)
    return std::nullopt;
  if (axis < 0)
    axis += dims->size();
  if (axis < 0 || axis >= int64_t(dims->size()))
    return std::nullopt;
  return (*dims)[axis];
}

MaybeDim onnx_import::scalarDim(const InferContext &ctx, const Node &node,
                                unsigned input) {
  const Constant *constant = ctx.constant(node, input);
  if (!constant || constant->elements.size() != 1)
    return std::nullopt;
  return arith::toInteger(constant->elements.front());
}

std::optional<SmallVector<double, 4>>
onnx_import::constantFloats(const InferContext &ctx, const Node &node,
                            unsigned input) {
  const Constant *constant = ctx.constant(node, input);
  if (!constant)
    return std::nullopt;
  SmallVector<double, 4> values;
  for (const Scalar &element : constant->elements) {
    if (const double *value = std::get_if<double>(&element))
      values.push_back(*value);
    else if (const Expr *expr = asExpr(element); expr && expr->isConstant())
      values.push_back(toDouble(expr->constant()));
    else
      return std::nullopt;
  }
  return values;
}

IntList onnx_import::attributeOrInput(const InferContext &ctx, const Node &node,
                                      StringRef attribute, unsigned input) {
  if (auto ints = node.attributeInts(attribute))
    return {IntList::Known, std::move(*ints)};
  if (!has(node, input))
    return {};
  if (auto ints = ctx.constantInts(node, input))
    return {IntList::Known, std::move(*ints)};
  return {IntList::Unknown, {}};
}

Expected<SmallVector<unsigned, 4>>
onnx_import::normalizedAxes(const InferContext &ctx, const Node &node,
                            ArrayRef<int64_t> axes, size_t rank) {
  SmallVector<unsigned, 4> result;
  for (int64_t value : axes) {
    Expected<unsigned> axis = ctx.axis(node, value, rank);
    if (!axis)
      return axis.takeError();
    if (is_contained(result, *axis))
      return nodeError(node, "axis " + Twine(*axis) + " is named twice");
    result.push_back(*axis);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

void onnx_import::setShapeLike(Node &node, InferContext &ctx, unsigned output,
                               unsigned input, int onnxElem) {
  if (!node.output(output))
    return;
  if (const MaybeDims *dims = ctx.dims(node, input))
    ctx.setTensor(node, output, onnxElem, *dims);
  else
    ctx.setUnranked(node, output, onnxElem);
}

void onnx_import::setLike(Node &node, InferContext &ctx, unsigned output,
                          unsigned input) {
  setShapeLike(node, ctx, output, input, ctx.elemOf(node, input));
}

Error onnx_import::setBroadcast(Node &node, InferContext &ctx, unsigned output,
                                ArrayRef<unsigned> inputs, int onnxElem) {
  SmallVector<const MaybeDims *, 4> shapes;
  for (unsigned input : inputs) {
    const MaybeDims *dims = ctx.dims(node, input);
    if (!dims) {
      ctx.setUnranked(node, output, onnxElem);
      return Error::success();
    }
    shapes.push_back(dims);
  }
  Expected<MaybeDims> dims = ctx.broadcast(node, shapes);
  if (!dims)
    return dims.takeError();
  ctx.setTensor(node, output, onnxElem, *dims);
  return Error::success();
}
