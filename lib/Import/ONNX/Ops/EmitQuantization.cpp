//===- EmitQuantization.cpp - quantise, dequantise ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"

using namespace llvm;

namespace roofline::onnx_import {

static void emitQuantize(Node &node, EmitContext &context, StringRef kind) {
  emitKind<rl::QuantizeOp>(node, context, kind, context.present(node.inputs));
}

/// x, scale, zero point.
static void emitDequantize(Node &node, EmitContext &context) {
  context.bind(node, rl::QuantizeOp::create(context.builder, context.loc(node),
                                            context.outputTypes(node),
                                            context.string("dequantize"),
                                            context.present(node.inputs),
                                            context.unitIf(!node.input(2))));
}

/// Y_scale, Y_zero_point, then a tensor, its scale and its zero point each: all
/// are brought to the result's scale.
static void emitQLinearConcat(Node &node, EmitContext &context) {
  if (!node.output(0) || node.inputs.size() < 5)
    return context.emitOpaque(node);
  int64_t axis =
      normalizeAxis(node.attributeInt("axis", 0), rankOf(node.output(0)));
  context.fused(node, [&] {
    mlir::Type result = context.type(*node.output(0));
    mlir::Type f32 = context.builder.getF32Type();
    IRValues parts;
    for (unsigned i = 2; i + 2 < node.inputs.size(); i += 3) {
      IRValues inputs = context.present(
          {node.input(i), node.input(i + 1), node.input(i + 2)});
      mlir::Type real = withElement(inputs.front().getType(), f32);
      parts.push_back(quantizePart(node, context, "dequantize", inputs, real));
    }
    mlir::Value whole =
        rl::CopyOp::create(context.builder, context.loc(node),
                           withElement(result, f32), context.string("concat"),
                           parts, mlir::UnitAttr(), mlir::DenseI64ArrayAttr(),
                           context.integer(axis))
            ->getResult(0);
    IRValues inputs = {whole};
    append_range(inputs, context.present({node.input(0), node.input(1)}));
    return IRValues{quantizePart(node, context, "quantize", inputs, result)};
  });
}

/// data, indices, scales, zero_points: rows of a table of packed values, which
/// are dequantised as they are picked.
static void emitGatherBlockQuantized(Node &node, EmitContext &context) {
  const Value *output = node.output(0);
  if (!output || !node.input(2))
    return context.emitOpaque(node);
  int64_t axis =
      normalizeAxis(node.attributeInt("gather_axis", 0), rankOf(node.input(0)));
  context.fused(node, [&] {
    mlir::Type rows = context.type(*output);
    auto bits = node.attributeInt("bits", 4);
    mlir::Type packed = withElement(
        rows, context.builder.getIntegerType(bits > 0 ? bits : 4, false));
    mlir::Value picked =
        rl::GatherOp::create(context.builder, context.loc(node), packed,
                             context.string("rows"),
                             context.present({node.input(0), node.input(1)}),
                             context.integer(std::max<int64_t>(axis, 0)))
            ->getResult(0);
    IRValues inputs = {picked};
    append_range(inputs, context.present({node.input(2), node.input(3)}));
    mlir::Value real =
        rl::QuantizeOp::create(context.builder, context.loc(node), rows,
                               context.string("dequantize"), inputs,
                               context.unitIf(!node.input(3)))
            ->getResult(0);
    return IRValues{real};
  });
}

void registerQuantizationEmit(RuleTable &table) {
  using Rule = OpRule::Emit;
  Rule quantize = [](Node &n, EmitContext &c) {
    emitQuantize(n, c, "quantize");
  };
  for (StringRef domain : {StringRef(""), StringRef(microsoft)}) {
    table.emit("QuantizeLinear", quantize, domain);
    table.emit("DequantizeLinear", emitDequantize, domain);
  }
  table.emit("DynamicQuantizeLinear",
             [](Node &n, EmitContext &c) { emitQuantize(n, c, "dynamic"); });
  table.emit("QLinearConcat", emitQLinearConcat, microsoft);
  table.emit("GatherBlockQuantized", emitGatherBlockQuantized, microsoft);
}

} // namespace roofline::onnx_import
