//===- EmitSupport.h - what emission rules share ----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_OPS_EMITSUPPORT_H
#define ROOFLINE_LIB_IMPORT_ONNX_OPS_EMITSUPPORT_H

#include "../EmitContext.h"
#include "InferSupport.h"

namespace roofline::onnx_import {

using Ints = llvm::SmallVector<int64_t, 4>;
using IRValues = llvm::SmallVector<mlir::Value>;

/// onnxruntime's blocked layouts: its tensors keep their channel-first shapes.
constexpr llvm::StringLiteral microsoftNchwc = "com.microsoft.nchwc";

// --- Sizes -------------------------------------------------------------------

/// The dims of a ranked tensor; null where absent, unranked or no tensor.
const llvm::SmallVector<MaybeDim, 4> *dimsOf(const Value *value);
std::optional<int64_t> rankOf(const Value *value);
/// A dimension, from the end where `axis` is negative.
MaybeDim dimOf(const Value *value, int64_t axis);
MaybeDim productOf(llvm::ArrayRef<MaybeDim> dims);
/// ⌊a / b⌋; unknown for a division by 0.
MaybeDim dividedBy(const MaybeDim &a, const MaybeDim &b);
/// The number that a dimension is.
std::optional<int64_t> numberOf(const MaybeDim &dim);

/// The elements of a folded tensor; nothing where one isn't a known number.
std::optional<Ints> foldedInts(const Value *value);
/// A folded integer scalar, perhaps a formula.
MaybeDim foldedScalar(const Value *value);

/// An axis made non-negative; itself where the rank isn't known.
int64_t normalizeAxis(int64_t axis, std::optional<int64_t> rank);

// --- Attributes --------------------------------------------------------------

inline bool hasAttribute(const Node &node, llvm::StringRef name) {
  return node.attribute(name) != nullptr;
}
/// The version of an op's domain; those without one count as the newest.
inline int opsetOf(const Node &node) {
  return node.opsetVersion ? node.opsetVersion : 1 << 20;
}

// --- Elementwise functions ---------------------------------------------------

struct ElementCost {
  int64_t vector = 0, special = 0;
};
inline ElementCost operator+(ElementCost a, ElementCost b) {
  return {a.vector + b.vector, a.special + b.special};
}

/// What Cost/ElementwiseOps.def says of a function.
ElementCost elementCost(llvm::StringRef kind);
/// The kind of an activation attribute ("Relu", "LeakyRelu"); empty for none
/// and for what isn't known.
llvm::StringRef activationKind(llvm::StringRef onnxName);
/// Quantising a product's sums: divide, round, add a zero point, clip.
constexpr ElementCost requantize{3, 1};

// --- Ops ---------------------------------------------------------------------

/// rl ops with a kind and inputs alone, bound to the node's outputs.
template <typename Op>
void emitKind(Node &node, EmitContext &context, llvm::StringRef kind,
              mlir::ValueRange inputs) {
  context.bind(node, Op::create(context.builder, context.loc(node),
                                context.outputTypes(node), context.string(kind),
                                inputs));
}

void emitMap(Node &node, EmitContext &context, llvm::StringRef kind,
             mlir::ValueRange inputs, rl::BodyAttr body = {});
/// A view of the first input.
void emitView(Node &node, EmitContext &context, llvm::StringRef kind);
/// A copy; `picks` where it keeps part of its first input.
void emitCopy(Node &node, EmitContext &context, llvm::StringRef kind,
              mlir::ValueRange inputs, bool picks = false,
              std::optional<int64_t> axis = std::nullopt);

/// Parts of a fused kernel: one op with one result.
mlir::Value mapPart(Node &node, EmitContext &context, llvm::StringRef kind,
                    mlir::ValueRange inputs, mlir::Type type,
                    rl::BodyAttr body = {});
mlir::Value quantizePart(Node &node, EmitContext &context, llvm::StringRef kind,
                         mlir::ValueRange inputs, mlir::Type type);

/// The element type of a shaped value; itself for others.
mlir::Type elementOf(mlir::Value value);
/// A tensor of `like`'s shape and another element type.
mlir::Type withElement(mlir::Type like, mlir::Type element);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_OPS_EMITSUPPORT_H
