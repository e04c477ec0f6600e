//===- InferMicrosoftQuantized.cpp - com.microsoft: quantized ops ---------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

/// Two operands, each with a scale and a zero point.
static Error inferQLinearBinary(Node &node, InferContext &ctx) {
  return setBroadcast(node, ctx, 0, {0, 3}, ctx.elemOf(node, 0));
}

/// Condition, two operands with scale and zero point each.
static Error inferQLinearWhere(Node &node, InferContext &ctx) {
  return setBroadcast(node, ctx, 0, {0, 1, 4}, ctx.elemOf(node, 1));
}

static bool channelsLast(const Node &node) {
  return node.attributeInt("channels_last", 0);
}

static Error inferQLinearAveragePool(Node &node, InferContext &ctx) {
  return setPool(node, ctx, 0, ctx.elemOf(node, 0), channelsLast(node));
}

static Error inferQLinearGlobalAveragePool(Node &node, InferContext &ctx) {
  return setGlobalPool(node, ctx, 0, ctx.elemOf(node, 0), channelsLast(node));
}

/// The result's scale and zero point, then triples of data, scale, zero point.
static Error inferQLinearConcat(Node &node, InferContext &ctx) {
  const MaybeDims *first = ctx.dims(node, 2);
  int elem = ctx.elemOf(node, 1);
  if (!first) {
    ctx.setUnranked(node, 0, elem);
    return Error::success();
  }
  Expected<unsigned> axis =
      ctx.axis(node, node.attributeInt("axis", 0), first->size());
  if (!axis)
    return axis.takeError();
  MaybeDims dims = *first;
  for (unsigned i = 5; i < node.inputs.size(); i += 3)
    dims[*axis] = plus(dims[*axis], dimOf(ctx, node, i, *axis));
  ctx.setTensor(node, 0, elem, dims);
  return Error::success();
}

/// Floats where no scale of the result is given.
static Error inferQGemm(Node &node, InferContext &ctx) {
  int elem = ctx.elemOf(node, 8);
  return setGemm(node, ctx, 0, 3, elem ? elem : int(TensorProto::FLOAT));
}

static Error inferDynamicQuantizeMatMul(Node &node, InferContext &ctx) {
  return setMatrixProduct(node, ctx, 0, 1, ctx.elemOf(node, 0));
}

static Error inferMatMulIntegerToFloat(Node &node, InferContext &ctx) {
  return setMatrixProduct(node, ctx, 0, 1, ctx.elemOf(node, 2));
}

/// Its weights are transposed: [directions, features, 4 * hidden].
static Error inferDynamicQuantizeLSTM(Node &node, InferContext &ctx) {
  if (differ(dimOf(ctx, node, 0, 2), dimOf(ctx, node, 1, 1)))
    return nodeError(node, "the input has " + str(dimOf(ctx, node, 0, 2)) +
                               " features, the weights take " +
                               str(dimOf(ctx, node, 1, 1)));
  return setRecurrent(node, ctx, dimOf(ctx, node, 1, 0));
}

void onnx_import::registerMicrosoftQuantizedInfer(RuleTable &table) {
  auto add = [&](StringRef op, OpRule::Infer infer) {
    table.infer(op, infer, nullptr, 0, microsoft);
  };
  add("QLinearAdd", inferQLinearBinary);
  add("QLinearMul", inferQLinearBinary);
  add("QLinearWhere", inferQLinearWhere);
  for (StringRef op : {"QLinearSigmoid", "QLinearLeakyRelu", "QLinearSoftmax"})
    add(op, inferLike<0>);
  add("QLinearAveragePool", inferQLinearAveragePool);
  add("QLinearGlobalAveragePool", inferQLinearGlobalAveragePool);
  add("QLinearConcat", inferQLinearConcat);
  add("QGemm", inferQGemm);
  add("DynamicQuantizeMatMul", inferDynamicQuantizeMatMul);
  add("MatMulIntegerToFloat", inferMatMulIntegerToFloat);
  add("DynamicQuantizeLSTM", inferDynamicQuantizeLSTM);
}
