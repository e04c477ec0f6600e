//===- EmitQuantizedProduct.cpp - products of quantised tensors -----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Zero points are part of the product (kernels fold them into its sums), so
// they are read and cost nothing of their own; what rescales the sums is the
// epilogue.
//
//===----------------------------------------------------------------------===//

#include "EmitContraction.h"

using namespace llvm;

namespace roofline::onnx_import {

/// A, B, a_zero_point, b_zero_point: integer sums as they are.
static void emitMatMulInteger(Node &node, EmitContext &context) {
  Value *a = node.input(0), *b = node.input(1);
  emitContract(node, context, matmulEquation(rankOf(a), rankOf(b), {}), {a, b},
               ArrayRef(node.inputs).drop_front(2), {});
}

/// a, a_scale, a_zero_point, b, b_scale, b_zero_point, y_scale, y_zero_point.
static void emitQLinearMatMul(Node &node, EmitContext &context) {
  Value *a = node.input(0), *b = node.input(3);
  SmallVector<Value *> aux = {node.input(1), node.input(2), node.input(4),
                              node.input(5), node.input(6), node.input(7)};
  emitContract(node, context, matmulEquation(rankOf(a), rankOf(b), {}), {a, b},
               aux, requantize);
}

/// A, a_scale, a_zero_point, B, b_scale, b_zero_point, C, y_scale,
/// y_zero_point: without y_scale the result is float, sums times a scale.
static void emitQGemm(Node &node, EmitContext &context) {
  SmallVector<Value *> aux;
  for (unsigned i : {1, 2, 4, 5, 6, 7, 8})
    aux.push_back(node.input(i));
  ElementCost cost = node.input(7) ? requantize : ElementCost{1, 0};
  cost.vector += node.attributeFloat("alpha", 1) != 1;
  cost.vector += node.input(6) != nullptr;
  emitContract(node, context, gemmEquation(node),
               {node.input(0), node.input(3)}, aux, cost);
}

/// A, B, a_scale, b_scale, a_zero_point, b_zero_point, bias: sums times the
/// scales' product.
static void emitMatMulIntegerToFloat(Node &node, EmitContext &context) {
  Value *a = node.input(0), *b = node.input(1);
  ElementCost cost{1 + (node.input(6) != nullptr), 0};
  emitContract(node, context, matmulEquation(rankOf(a), rankOf(b), {}), {a, b},
               ArrayRef(node.inputs).drop_front(2), cost);
}

/// A, B, b_scale, b_zero_point, bias: A is quantised by its own range, then
/// multiplied, then rescaled.
static void emitDynamicQuantizeMatMul(Node &node, EmitContext &context) {
  Value *a = node.input(0), *b = node.input(1);
  std::string equation = matmulEquation(rankOf(a), rankOf(b), {});
  if (equation.empty())
    return context.emitOpaque(node);
  context.fused(node, [&] {
    mlir::Value left = context.value(a), right = context.value(b);
    mlir::Type quantized = withElement(
        left.getType(), context.elementType(onnx::TensorProto::UINT8));
    mlir::Value part = quantizePart(node, context, "dynamic", left, quantized);
    ElementCost cost{1 + (node.input(4) != nullptr), 0};
    IRValues aux = context.present(ArrayRef(node.inputs).drop_front(2));
    auto product = rl::ContractOp::create(
        context.builder, context.loc(node), context.outputTypes(node),
        context.string(equation), mlir::ValueRange{part, right}, aux,
        rl::BodyAttr(), context.body(cost.vector), mlir::ArrayAttr());
    return IRValues{product.getOutput()};
  });
}

//===----------------------------------------------------------------------===//
// Block-quantised weights
//===----------------------------------------------------------------------===//

/// The logical type of values of `bits` bits packed in bytes.
static mlir::Type packedElement(EmitContext &context, int64_t bits) {
  return context.builder.getIntegerType(bits, /*isSigned=*/false);
}

/// A, B, scales, zero_points, g_idx, bias. B holds N x K values of `bits` bits
/// in blocks along K. Dequantising subtracts a zero point (if there is one) and
/// multiplies by a scale.
static void emitMatMulNBits(Node &node, EmitContext &context) {
  Value *a = node.input(0);
  int64_t k = node.attributeInt("K", 0), n = node.attributeInt("N", 0);
  int64_t bits = node.attributeInt("bits", 4);
  std::string equation = matmulEquation(rankOf(a), 2, {false, true});
  if (equation.empty() || !node.input(1) || k < 1 || n < 1 || bits < 1 ||
      bits > 8)
    return context.emitOpaque(node);
  IRValues factors = context.present({a, node.input(1)});
  IRValues aux = context.present(ArrayRef(node.inputs).drop_front(2));
  mlir::Attribute types[] = {mlir::TypeAttr::get(factors[0].getType()),
                             mlir::TypeAttr::get(mlir::RankedTensorType::get(
                                 {n, k}, packedElement(context, bits)))};
  context.bind(node, rl::ContractOp::create(
                         context.builder, context.loc(node),
                         context.outputTypes(node), context.string(equation),
                         factors, aux, context.body(node.input(3) ? 2 : 1),
                         context.optionalBody(node.input(5) ? 1 : 0),
                         context.builder.getArrayAttr(types)));
}

void registerQuantizedProductEmit(RuleTable &table) {
  table.emit("MatMulInteger", emitMatMulInteger);
  table.emit("QLinearMatMul", emitQLinearMatMul);
  table.emit("QGemm", emitQGemm, microsoft);
  table.emit("MatMulIntegerToFloat", emitMatMulIntegerToFloat, microsoft);
  table.emit("DynamicQuantizeMatMul", emitDynamicQuantizeMatMul, microsoft);
  table.emit("MatMulNBits", emitMatMulNBits, microsoft);
}

} // namespace roofline::onnx_import
