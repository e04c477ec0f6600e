//===- InferQuantization.cpp - quantize and dequantize --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferSupport.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

/// The type of the zero point, of the attribute, or uint8.
static Error inferQuantize(Node &node, InferContext &ctx) {
  int elem = ctx.elemOf(node, 2);
  if (!elem)
    elem = node.attributeInt("output_dtype", 0);
  setShapeLike(node, ctx, 0, 0, elem ? elem : int(TensorProto::UINT8));
  return Error::success();
}

/// The type of the attribute (opset 23) or of the scale.
static Error inferDequantize(Node &node, InferContext &ctx) {
  int elem = node.attributeInt("output_dtype", 0);
  if (!elem)
    elem = ctx.elemOf(node, 1);
  setShapeLike(node, ctx, 0, 0, elem ? elem : int(TensorProto::FLOAT));
  return Error::success();
}

static Error inferDynamicQuantize(Node &node, InferContext &ctx) {
  setShapeLike(node, ctx, 0, 0, TensorProto::UINT8);
  ctx.setTensor(node, 1, TensorProto::FLOAT, {});
  ctx.setTensor(node, 2, TensorProto::UINT8, {});
  return Error::success();
}

void onnx_import::registerQuantizationInfer(RuleTable &table) {
  for (StringRef domain : {StringRef(), StringRef(microsoft)}) {
    table.infer("QuantizeLinear", inferQuantize, nullptr, 0, domain);
    table.infer("DequantizeLinear", inferDequantize, nullptr, 0, domain);
  }
  table.infer("DynamicQuantizeLinear", inferDynamicQuantize);
}
