//===- InferSignal.cpp - Fourier transforms, windows, random numbers ------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldSupport.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// DFT, STFT
//===----------------------------------------------------------------------===//

/// The half of a spectrum that a real signal needs.
static MaybeDim oneSided(const MaybeDim &length) {
  return combine(length, Expr(2), [](const Expr &a, const Expr &b) {
    return Expr::floorDiv(a, b) + Expr(1);
  });
}

static Error inferDFT(Node &node, InferContext &ctx) {
  const MaybeDims *input = ctx.dims(node, 0);
  if (!input) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  bool isAttribute = node.opsetVersion < 20;
  std::optional<int64_t> given =
      isAttribute ? node.attributeInt("axis", 1) : -2;
  if (!isAttribute && has(node, 2))
    given = asInt(scalarDim(ctx, node, 2));
  if (!given) {
    ctx.setTensorLike(node, 0, 0, unknownDims(input->size()));
    return Error::success();
  }
  Expected<unsigned> axis = ctx.axis(node, *given, input->size());
  if (!axis)
    return axis.takeError();
  MaybeDims dims = *input;
  bool halved = node.attributeInt("onesided", 0);
  bool inverse = node.attributeInt("inverse", 0);
  MaybeDim &size = dims[*axis];
  if (has(node, 1))
    size = scalarDim(ctx, node, 1);
  else if (halved && inverse) // 2 * (bins - 1)
    size = times(minus(size, Expr(1)), Expr(2));
  if (halved && !inverse)
    size = oneSided(size);
  dims.back() = Expr(halved && inverse ? 1 : 2);
  ctx.setTensorLike(node, 0, 0, dims);
  return Error::success();
}

/// [batch, frames, bins, 2].
static Error inferSTFT(Node &node, InferContext &ctx) {
  MaybeDim signal = dimOf(ctx, node, 0, 1);
  MaybeDim step = scalarDim(ctx, node, 1);
  MaybeDim length = signal;
  if (has(node, 3))
    length = scalarDim(ctx, node, 3);
  else if (has(node, 2))
    length = dimOf(ctx, node, 2, 0);
  if (step && step->isConstant() && step->constant() <= 0)
    return nodeError(node, "the frame step is " + step->str());
  if (Error error = checkSize(node, minus(signal, length),
                              "the signal's length less a frame"))
    return error;
  MaybeDim frames =
      plus(combine(minus(signal, length), step, Expr::floorDiv), Expr(1));
  MaybeDim bins = node.attributeInt("onesided", 1) ? oneSided(length) : length;
  ctx.setTensorLike(node, 0, 0,
                    {dimOf(ctx, node, 0, 0), frames, bins, Expr(2)});
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static Error inferWindow(Node &node, InferContext &ctx) {
  MaybeDim size = scalarDim(ctx, node, 0);
  if (Error error = checkSize(node, size, "the size"))
    return error;
  ctx.setTensor(node, 0,
                node.attributeInt("output_datatype", TensorProto::FLOAT),
                {size});
  return Error::success();
}

/// [bins of the spectrum, mel bins].
static Error inferMelWeightMatrix(Node &node, InferContext &ctx) {
  ctx.setTensor(node, 0,
                node.attributeInt("output_datatype", TensorProto::FLOAT),
                {oneSided(scalarDim(ctx, node, 1)), scalarDim(ctx, node, 0)});
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

static Error inferRandom(Node &node, InferContext &ctx) {
  MaybeDims dims;
  for (int64_t size :
       node.attributeInts("shape").value_or(SmallVector<int64_t, 4>())) {
    if (size < 0)
      return nodeError(node, "attribute shape has the value " + Twine(size));
    dims.push_back(Expr(size));
  }
  ctx.setTensor(node, 0, node.attributeInt("dtype", TensorProto::FLOAT), dims);
  return Error::success();
}

static Error inferRandomLike(Node &node, InferContext &ctx) {
  setShapeLike(node, ctx, 0, 0,
               node.attributeInt("dtype", ctx.elemOf(node, 0)));
  return Error::success();
}

static Error inferMultinomial(Node &node, InferContext &ctx) {
  ctx.setTensor(
      node, 0, node.attributeInt("dtype", TensorProto::INT32),
      {dimOf(ctx, node, 0, 0), Expr(node.attributeInt("sample_size", 1))});
  return Error::success();
}

void onnx_import::registerSignalInfer(RuleTable &table) {
  table.infer("DFT", inferDFT, nullptr, hostOperands(1, 2));
  table.infer("STFT", inferSTFT, nullptr, hostOperands(1, 3));
  for (StringRef op : {"HannWindow", "HammingWindow", "BlackmanWindow"})
    table.infer(op, inferWindow, nullptr, hostOperands(0));
  table.infer("MelWeightMatrix", inferMelWeightMatrix, nullptr,
              hostOperands(0, 1, 2, 3, 4));
  for (StringRef op : {"RandomNormal", "RandomUniform"})
    table.infer(op, inferRandom);
  for (StringRef op : {"RandomNormalLike", "RandomUniformLike"})
    table.infer(op, inferRandomLike, nullptr, hostOperands(0));
  table.infer("Bernoulli", inferRandomLike);
  table.infer("Multinomial", inferMultinomial);
}
