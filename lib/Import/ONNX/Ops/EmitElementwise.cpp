//===- EmitElementwise.cpp - maps over elements ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"

using namespace llvm;

namespace roofline::onnx_import {

/// Bounds are operands from opset 11 on, attributes before; 1 for each given.
static void emitClip(Node &node, EmitContext &context) {
  int64_t bounds = 0;
  for (unsigned i : {1, 2})
    bounds += node.input(i) != nullptr;
  for (StringRef name : {"min", "max"})
    bounds += hasAttribute(node, name);
  if (bounds == 0)
    return emitCopy(node, context, "clip", context.value(node.input(0)));
  emitMap(node, context, "clip", context.present(node.inputs),
          bounds == 2 ? rl::BodyAttr() : context.body(bounds));
}

/// The second operand of CastLike only states a type.
static void emitCast(Node &node, EmitContext &context) {
  emitMap(node, context, "cast", context.value(node.input(0)));
}

static void emitGelu(Node &node, EmitContext &context) {
  bool tanh = node.attributeString("approximate", "none") == "tanh";
  emitMap(node, context, tanh ? "gelu_tanh" : "gelu",
          context.present(node.inputs));
}

/// com.microsoft.FastGelu: with a bias, one addition more.
static void emitFastGelu(Node &node, EmitContext &context) {
  ElementCost cost = elementCost("fast_gelu");
  emitMap(node, context, "fast_gelu", context.present(node.inputs),
          node.input(1) ? context.body(cost.vector + 1, cost.special)
                        : rl::BodyAttr());
}

/// com.microsoft.BiasAdd: input, bias, skip.
static void emitBiasAdd(Node &node, EmitContext &context) {
  IRValues inputs = context.present(node.inputs);
  emitMap(node, context, "sum", inputs);
}

/// Gated halves: x·sigmoid-like(y), per result element.
static void emitBiasSplitGelu(Node &node, EmitContext &context) {
  // bias on both halves, gelu of one, product.
  ElementCost cost = elementCost("gelu") + ElementCost{3, 0};
  emitMap(node, context, "bias_split_gelu", context.present(node.inputs),
          context.body(cost.vector, cost.special));
}

/// Some models rotate a part of each head only; the rest is copied.
static void emitPartialRotary(Node &node, EmitContext &context,
                              int64_t rotated) {
  const Value *input = node.input(0);
  SmallVector<MaybeDim, 4> dims(*dimsOf(input));
  if (dims.size() == 4)
    dims.back() = Expr(rotated);
  else
    dims.back() = Expr(node.attributeInt("num_heads", 1) * rotated);
  context.fused(node, [&] {
    IRValues inputs = context.present(node.inputs);
    mlir::Value part = mapPart(
        node, context, "rotary_embedding", inputs,
        context.tensorType(context.elementType(input->type.onnxElem), dims));
    auto whole = rl::CopyOp::create(
        context.builder, context.loc(node), context.outputTypes(node),
        context.string("concat"), mlir::ValueRange{part, inputs.front()},
        mlir::UnitAttr(), mlir::DenseI64ArrayAttr(), mlir::IntegerAttr());
    return IRValues(whole->result_begin(), whole->result_end());
  });
}

static void emitRotary(Node &node, EmitContext &context) {
  int64_t rotated = node.attributeInt("rotary_embedding_dim", 0);
  if (rotated > 0 && dimsOf(node.input(0)) && !dimsOf(node.input(0))->empty())
    return emitPartialRotary(node, context, rotated);
  emitMap(node, context, "rotary_embedding", context.present(node.inputs));
}

// Names stand here once: the op's, then the kind's in ElementwiseOps.def.
// clang-format off: it never settles on a list of macros.
#define ROOFLINE_MAPS(MAP) \
  MAP(Add, "add") \
  MAP(Sub, "sub") \
  MAP(Mul, "mul") \
  MAP(Div, "div") \
  MAP(Pow, "pow") \
  MAP(Mod, "mod") \
  MAP(Neg, "neg") \
  MAP(Abs, "abs") \
  MAP(Sign, "sign") \
  MAP(Floor, "floor") \
  MAP(Ceil, "ceil") \
  MAP(Round, "round") \
  MAP(Reciprocal, "reciprocal") \
  MAP(Sqrt, "sqrt") \
  MAP(Exp, "exp") \
  MAP(Log, "log") \
  MAP(Erf, "erf") \
  MAP(Sin, "sin") \
  MAP(Cos, "cos") \
  MAP(Tan, "tan") \
  MAP(Asin, "asin") \
  MAP(Acos, "acos") \
  MAP(Atan, "atan") \
  MAP(Sinh, "sinh") \
  MAP(Cosh, "cosh") \
  MAP(Tanh, "tanh") \
  MAP(Asinh, "asinh") \
  MAP(Acosh, "acosh") \
  MAP(Atanh, "atanh") \
  MAP(Sum, "sum") \
  MAP(Max, "max") \
  MAP(Min, "min") \
  MAP(Mean, "mean") \
  MAP(Equal, "equal") \
  MAP(Greater, "greater") \
  MAP(Less, "less") \
  MAP(GreaterOrEqual, "greater_or_equal") \
  MAP(LessOrEqual, "less_or_equal") \
  MAP(IsNaN, "is_nan") \
  MAP(IsInf, "is_inf") \
  MAP(And, "and") \
  MAP(Or, "or") \
  MAP(Xor, "xor") \
  MAP(Not, "not") \
  MAP(BitwiseAnd, "bitwise_and") \
  MAP(BitwiseOr, "bitwise_or") \
  MAP(BitwiseXor, "bitwise_xor") \
  MAP(BitwiseNot, "bitwise_not") \
  MAP(BitShift, "bit_shift") \
  MAP(Where, "where") \
  MAP(Relu, "relu") \
  MAP(LeakyRelu, "leaky_relu") \
  MAP(PRelu, "prelu") \
  MAP(ThresholdedRelu, "thresholded_relu") \
  MAP(Sigmoid, "sigmoid") \
  MAP(HardSigmoid, "hard_sigmoid") \
  MAP(HardSwish, "hard_swish") \
  MAP(Elu, "elu") \
  MAP(Selu, "selu") \
  MAP(Celu, "celu") \
  MAP(Softplus, "softplus") \
  MAP(Softsign, "softsign") \
  MAP(Mish, "mish") \
  MAP(Shrink, "shrink") \
  MAP(Swish, "swish")
// clang-format on

#define ROOFLINE_MICROSOFT_MAPS(MAP)                                           \
  MAP(Gelu, "gelu")                                                            \
  MAP(BiasGelu, "bias_gelu")                                                   \
  MAP(QuickGelu, "quick_gelu")                                                 \
  MAP(QLinearAdd, "qlinear_add")                                               \
  MAP(QLinearMul, "qlinear_mul")                                               \
  MAP(QLinearSigmoid, "qlinear_sigmoid")                                       \
  MAP(QLinearLeakyRelu, "qlinear_leaky_relu")                                  \
  MAP(QLinearWhere, "qlinear_where")

void registerElementwiseEmit(RuleTable &table) {
#define MAP(OP, KIND)                                                          \
  table.emit(#OP, [](Node &node, EmitContext &context) {                       \
    emitMap(node, context, KIND, context.present(node.inputs));                \
  });
  ROOFLINE_MAPS(MAP)
#undef MAP
#define MAP(OP, KIND)                                                          \
  table.emit(                                                                  \
      #OP,                                                                     \
      [](Node &node, EmitContext &context) {                                   \
        emitMap(node, context, KIND, context.present(node.inputs));            \
      },                                                                       \
      microsoft);
  ROOFLINE_MICROSOFT_MAPS(MAP)
#undef MAP
  table.emit("Clip", emitClip);
  table.emit("Cast", emitCast);
  table.emit("CastLike", emitCast);
  table.emit("Gelu", emitGelu);
  table.emit("RotaryEmbedding", emitRotary);
  table.emit("RotaryEmbedding", emitRotary, microsoft);
  table.emit("FastGelu", emitFastGelu, microsoft);
  table.emit("BiasAdd", emitBiasAdd, microsoft);
  table.emit("BiasSplitGelu", emitBiasSplitGelu, microsoft);
}

} // namespace roofline::onnx_import
