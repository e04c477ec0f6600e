//===- SymbolMap.cpp - symbolic sizes of values ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Interfaces/SymbolMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "roofline/Interfaces/DimsAttrInterface.h"

using namespace mlir;

namespace roofline {

std::optional<SymbolMap::MaybeDims> SymbolMap::dimsOfType(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return std::nullopt;
  DimsAttrInterface named;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    named = dyn_cast_or_null<DimsAttrInterface>(tensor.getEncoding());
  MaybeDims dims;
  dims.reserve(shaped.getRank());
  for (auto [axis, size] : llvm::enumerate(shaped.getShape())) {
    if (!ShapedType::isDynamic(size))
      dims.push_back(Expr(size));
    else if (named && axis < named.getSizes().size())
      dims.push_back(named.getSizes()[axis]);
    else
      dims.push_back(std::nullopt);
  }
  return dims;
}

std::optional<SymbolMap::MaybeDims> SymbolMap::dims(Value value) const {
  auto it = shapes.find(value);
  if (it != shapes.end())
    return it->second;
  return outer ? outer->dims(value) : dimsOfType(value.getType());
}

std::optional<Expr> SymbolMap::dim(Value value, unsigned axis) const {
  std::optional<MaybeDims> known = dims(value);
  if (!known || axis >= known->size())
    return std::nullopt;
  return (*known)[axis];
}

std::optional<Expr> SymbolMap::scalar(Value value) const {
  auto it = scalars.find(value);
  if (it != scalars.end())
    return it->second;
  return outer ? outer->scalar(value) : std::nullopt;
}

std::optional<ArrayRef<std::optional<Expr>>>
SymbolMap::elements(Value value) const {
  auto it = tensors.find(value);
  if (it != tensors.end())
    return ArrayRef<std::optional<Expr>>(it->second);
  return outer ? outer->elements(value) : std::nullopt;
}

void SymbolMap::setDims(Value value, ArrayRef<std::optional<Expr>> dims) {
  std::optional<MaybeDims> merged = dimsOfType(value.getType());
  if (!merged)
    merged = MaybeDims(dims.begin(), dims.end());
  for (unsigned i = 0, e = std::min(merged->size(), dims.size()); i < e; ++i)
    if (!(*merged)[i])
      (*merged)[i] = dims[i];
  shapes[value] = std::move(*merged);
}

void SymbolMap::setScalar(Value value, const Expr &expr) {
  scalars[value] = expr;
}

void SymbolMap::setElements(Value value,
                            ArrayRef<std::optional<Expr>> elements) {
  tensors[value].assign(elements.begin(), elements.end());
}

} // namespace roofline
