//===- InferSupport.h - what shape rules share ----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_OPS_INFERSUPPORT_H
#define ROOFLINE_LIB_IMPORT_ONNX_OPS_INFERSUPPORT_H

#include "../InferContext.h"

namespace roofline::onnx_import {

constexpr llvm::StringLiteral microsoft = "com.microsoft";

/// A bit mask for OpRule::hostOperands.
template <typename... Index> constexpr uint32_t hostOperands(Index... index) {
  return ((uint32_t(1) << index) | ... | 0u);
}

// The families' registration functions.
#define ROOFLINE_INFER_FAMILY(NAME) void register##NAME##Infer(RuleTable &);
#include "InferFamilies.def"

/// No tensor has more dimensions.
constexpr size_t maxRank = 64;

// --- Sizes that may be unknown -----------------------------------------------

template <typename Fn>
MaybeDim combine(const MaybeDim &a, const MaybeDim &b, Fn fn) {
  if (!a || !b)
    return std::nullopt;
  return MaybeDim(fn(*a, *b));
}
MaybeDim plus(const MaybeDim &a, const MaybeDim &b);
MaybeDim minus(const MaybeDim &a, const MaybeDim &b);
MaybeDim times(const MaybeDim &a, const MaybeDim &b);
MaybeDim quotient(const MaybeDim &a, const MaybeDim &b);

/// Whether two sizes are numbers and differ: formulas never contradict.
bool differ(const MaybeDim &a, const MaybeDim &b);
/// The better known of two statements of one size: a number before a formula.
MaybeDim better(const MaybeDim &a, const MaybeDim &b);
/// Whether a >= b for all sizes, as far as that can be shown.
bool atLeast(const Expr &a, const Expr &b);
std::optional<int64_t> asInt(const MaybeDim &dim);
/// All sizes as numbers; nothing where one isn't.
std::optional<llvm::SmallVector<int64_t, 4>>
asInts(llvm::ArrayRef<MaybeDim> dims);
std::string str(const MaybeDim &dim);           ///< "?" where unknown
std::string str(llvm::ArrayRef<MaybeDim> dims); ///< "2x?x8"
/// An error where the size is a negative number.
llvm::Error checkSize(const Node &node, const MaybeDim &size,
                      const llvm::Twine &what);

/// `count` unknown sizes.
inline MaybeDims unknownDims(size_t count) {
  return MaybeDims(count, std::nullopt);
}

// --- Operands ----------------------------------------------------------------

/// Whether an operand is there (its name may be empty).
inline bool has(const Node &node, unsigned input) { return node.input(input); }
/// Size `axis` of an operand, counted from the end where negative; unknown
/// where the operand has no such dimension.
MaybeDim dimOf(const InferContext &ctx, const Node &node, unsigned input,
               int64_t axis);
/// The value of a one-element operand, where it is a whole number.
MaybeDim scalarDim(const InferContext &ctx, const Node &node, unsigned input);
/// The elements as real numbers; nothing where one isn't known as a number.
std::optional<llvm::SmallVector<double, 4>>
constantFloats(const InferContext &ctx, const Node &node, unsigned input);

/// Integers that are an attribute in one opset and an operand in another.
struct IntList {
  enum State : uint8_t { Absent, Unknown, Known } state = Absent;
  llvm::SmallVector<int64_t, 4> values;
  bool isAbsent() const { return state == Absent; }
  bool isUnknown() const { return state == Unknown; }
  bool isKnown() const { return state == Known; }
};
IntList attributeOrInput(const InferContext &ctx, const Node &node,
                         llvm::StringRef attribute, unsigned input);
/// The axes made non-negative; an error where one is out of range or twice
/// there.
llvm::Expected<llvm::SmallVector<unsigned, 4>>
normalizedAxes(const InferContext &ctx, const Node &node,
               llvm::ArrayRef<int64_t> axes, size_t rank);

// --- Outputs -----------------------------------------------------------------

/// The shape of an operand under another element type, unranked where it is.
void setShapeLike(Node &node, InferContext &ctx, unsigned output,
                  unsigned input, int onnxElem);
/// The type of an operand.
void setLike(Node &node, InferContext &ctx, unsigned output, unsigned input);
/// Rules: output 0 has the type of operand `Input`.
template <unsigned Input> llvm::Error inferLike(Node &node, InferContext &ctx) {
  setLike(node, ctx, 0, Input);
  return llvm::Error::success();
}
/// The product of two operands as MatMul has it.
llvm::Error setMatrixProduct(Node &node, InferContext &ctx, unsigned leftInput,
                             unsigned rightInput, int onnxElem,
                             bool transposeLeft = false,
                             bool transposeRight = false);
/// The product of two matrices under the attributes transA and transB.
llvm::Error setGemm(Node &node, InferContext &ctx, unsigned leftInput,
                    unsigned rightInput, int onnxElem);
/// The three outputs of a recurrent op. The number of directions follows from
/// its attribute, or is `directions` where that is absent.
llvm::Error setRecurrent(Node &node, InferContext &ctx,
                         MaybeDim directions = std::nullopt);
/// The broadcast shape of the operands named.
llvm::Error setBroadcast(Node &node, InferContext &ctx, unsigned output,
                         llvm::ArrayRef<unsigned> inputs, int onnxElem);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_OPS_INFERSUPPORT_H
