//===- FoldSupport.h - what folding rules share ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_OPS_FOLDSUPPORT_H
#define ROOFLINE_LIB_IMPORT_ONNX_OPS_FOLDSUPPORT_H

#include "Arithmetic.h"
#include "InferSupport.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace roofline::onnx_import {

using Shape = llvm::SmallVector<int64_t, 4>;
using Index = llvm::ArrayRef<int64_t>;

/// A folded operand: its elements and its shape in numbers.
struct Folded {
  llvm::ArrayRef<Scalar> elements;
  Shape shape;
  int onnxElem = 0;
  const Scalar &at(Index index) const; ///< unknown outside of the shape
};
std::optional<Folded> foldedInput(const InferContext &ctx, const Node &node,
                                  unsigned input);
/// All operands; nothing where one isn't folded.
std::optional<llvm::SmallVector<Folded, 2>>
foldedInputs(const InferContext &ctx, const Node &node);

/// An output's shape where it is numbers and small enough to be folded.
std::optional<Shape> foldableOutput(const Node &node, unsigned output);

int64_t elementsOf(Index shape);
/// The row-major position of an index.
int64_t positionOf(Index index, Index shape);
/// Calls `body` for each index of `shape` in row-major order.
void forEachIndex(Index shape, llvm::function_ref<void(Index)> body);

/// Sets output 0 to `element(index)` for each index of its shape.
void foldEach(Node &node, InferContext &ctx,
              llvm::function_ref<Scalar(Index)> element);
/// Rule: output 0 has the elements of operand 0 in the same order.
void foldSameElements(Node &node, InferContext &ctx);

/// Rules for elementwise ops. Unary and binary ones compute in the type of
/// operand 0.
void foldUnaryWith(Node &node, InferContext &ctx, arith::Unary fn);
void foldVariadicWith(Node &node, InferContext &ctx, arith::Binary fn);
template <arith::Unary fn> void foldUnary(Node &node, InferContext &ctx) {
  foldUnaryWith(node, ctx, fn);
}
/// Of two operands or more, from the left.
template <arith::Binary fn> void foldVariadic(Node &node, InferContext &ctx) {
  foldVariadicWith(node, ctx, fn);
}

/// The element of an operand that broadcasting puts at an index of the output.
const Scalar &broadcastAt(const Folded &operand, Index index);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_OPS_FOLDSUPPORT_H
