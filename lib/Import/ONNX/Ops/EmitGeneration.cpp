//===- EmitGeneration.cpp - values from no tensor, transforms -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"

using namespace llvm;

namespace roofline::onnx_import {

static void emitGenerate(Node &node, EmitContext &context, StringRef kind,
                         mlir::ValueRange inputs, rl::BodyAttr body = {}) {
  context.bind(node,
               rl::GenerateOp::create(context.builder, context.loc(node),
                                      context.outputTypes(node),
                                      context.string(kind), inputs, body));
}

/// Its operands only say which numbers: start + i·step is 2.
static void emitRange(Node &node, EmitContext &context) {
  emitGenerate(node, context, "range", {}, context.body(2));
}

/// A number drawn, compared with its probability and cast.
static void emitBernoulli(Node &node, EmitContext &context) {
  emitGenerate(node, context, "bernoulli", context.value(node.input(0)),
               context.body(2));
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

static void emitFFT(Node &node, EmitContext &context, StringRef kind,
                    mlir::ValueRange inputs, const MaybeDim &length,
                    const MaybeDim &count) {
  context.bind(node, rl::FFTOp::create(
                         context.builder, context.loc(node),
                         context.outputTypes(node), context.string(kind),
                         inputs, context.dims(length), context.dims(count)));
}

/// input, dft_length, axis: the last dimension is 1 (real) or 2 (complex).
static void emitDFT(Node &node, EmitContext &context) {
  const Value *input = node.input(0);
  const SmallVector<MaybeDim, 4> *dims = dimsOf(input);
  if (!dims || dims->size() < 2)
    return context.emitOpaque(node);
  // The axis is an attribute up to opset 19, then an operand.
  int64_t axis = node.attributeInt("axis", opsetOf(node) < 20 ? 1 : -2);
  if (node.input(2)) {
    std::optional<Ints> folded = foldedInts(node.input(2));
    if (!folded || folded->size() != 1)
      return context.emitOpaque(node);
    axis = folded->front();
  }
  axis = normalizeAxis(axis, dims->size());
  if (axis < 0 || axis + 1 >= int64_t(dims->size()))
    return context.emitOpaque(node);
  MaybeDim length = (*dims)[axis];
  if (node.input(1))
    length = foldedScalar(node.input(1));
  MaybeDim count = Expr(1);
  for (auto [i, dim] : llvm::enumerate(ArrayRef(*dims).drop_back()))
    if (int64_t(i) != axis)
      count = times(count, dim);
  emitFFT(node, context, "dft", context.value(node.input(0)), length, count);
}

/// signal, frame_step, window, frame_length; the result is batch x frames x
/// bins x 2.
static void emitSTFT(Node &node, EmitContext &context) {
  MaybeDim length = foldedScalar(node.input(3));
  if (!length)
    length = dimOf(node.input(2), 0);
  MaybeDim count = times(dimOf(node.output(0), 0), dimOf(node.output(0), 1));
  emitFFT(node, context, "stft",
          context.present({node.input(0), node.input(2)}), length, count);
}

void registerGenerationEmit(RuleTable &table) {
  table.emit("Range", emitRange);
  table.emit("Range", emitRange, microsoft);
  for (StringRef op : {"RandomNormal", "RandomUniform", "RandomNormalLike",
                       "RandomUniformLike"})
    table.emit(
        op, [](Node &n, EmitContext &c) { emitGenerate(n, c, "random", {}); });
  table.emit("EyeLike", [](Node &n, EmitContext &c) {
    emitGenerate(n, c, "eye_like", {});
  });
  table.emit("Bernoulli", emitBernoulli);
  // Per sample: a draw against the cumulated probabilities, as data has it.
  table.emit("Multinomial", [](Node &n, EmitContext &c) {
    emitGenerate(n, c, "multinomial", c.value(n.input(0)));
  });
  // By ONNX's bodies, the same for all three: a range (2), its angle, twice the
  // angle, two cosines, a factor for each, subtract, add, cast.
  for (StringRef op : {"HannWindow", "HammingWindow", "BlackmanWindow"})
    table.emit(op, [](Node &n, EmitContext &c) {
      emitGenerate(n, c, "window", {}, c.body(9, 2));
    });
  table.emit("DFT", emitDFT);
  table.emit("STFT", emitSTFT);
}

} // namespace roofline::onnx_import
