//===- EmitNormalization.cpp - norms --------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"

using namespace llvm;

namespace roofline::onnx_import {

namespace {
/// What a norm is besides its inputs.
struct NormForm {
  StringRef kind;
  MaybeDim row; ///< elements that are normalised together
  bool hasRow = true;
  bool scale = false, shift = false;
  int64_t residuals = 0, size = 0;
};
} // namespace

static rl::NormOp makeNorm(Node &node, EmitContext &context,
                           mlir::TypeRange types, mlir::ValueRange inputs,
                           const NormForm &form) {
  return rl::NormOp::create(
      context.builder, context.loc(node), types, context.string(form.kind),
      inputs, form.hasRow ? context.dims(form.row) : rl::DimsAttr(),
      context.unitIf(form.scale), context.unitIf(form.shift),
      context.integer(form.residuals), context.integer(form.size));
}

static void emitNorm(Node &node, EmitContext &context, const NormForm &form) {
  context.bind(node, makeNorm(node, context, context.outputTypes(node),
                              context.present(node.inputs), form));
}

/// The product of the dimensions from `axis` on.
static MaybeDim trailing(const Value *value, int64_t axis) {
  const SmallVector<MaybeDim, 4> *dims = dimsOf(value);
  if (!dims)
    return std::nullopt;
  axis = normalizeAxis(axis, dims->size());
  if (axis < 0 || axis > int64_t(dims->size()))
    return std::nullopt;
  return productOf(ArrayRef(*dims).drop_front(axis));
}

/// X, scale, bias: the last dimensions from `axis` on.
static void emitRowNorm(Node &node, EmitContext &context, StringRef kind) {
  NormForm form{kind, trailing(node.input(0), node.attributeInt("axis", -1))};
  form.scale = node.input(1);
  form.shift = node.input(2);
  emitNorm(node, context, form);
}

/// input, skip, gamma, beta, bias.
static void emitSkipLayerNorm(Node &node, EmitContext &context) {
  NormForm form{"layer", dimOf(node.input(0), -1)};
  form.scale = node.input(2);
  form.shift = node.input(3);
  form.residuals = 1 + (node.input(4) != nullptr);
  emitNorm(node, context, form);
}

/// input, skip, gamma, bias.
static void emitSkipRMSNorm(Node &node, EmitContext &context) {
  NormForm form{"rms", dimOf(node.input(0), -1)};
  form.scale = node.input(2);
  form.residuals = 1 + (node.input(3) != nullptr);
  emitNorm(node, context, form);
}

static void emitInstanceNorm(Node &node, EmitContext &context) {
  NormForm form{"instance", trailing(node.input(0), 2)};
  form.scale = form.shift = true;
  emitNorm(node, context, form);
}

/// X, scale, bias over N x C x spatial.
static void emitGroupNorm(Node &node, EmitContext &context) {
  int64_t groups = node.attributeInt("num_groups", 1);
  NormForm form{"group", dividedBy(trailing(node.input(0), 1), Expr(groups))};
  form.scale = form.shift = true;
  emitNorm(node, context, form);
}

/// com.microsoft: X, gamma, beta (then skip, bias) and perhaps a SiLU behind.
/// The layout doesn't matter to the size of a group.
static void emitMicrosoftGroupNorm(Node &node, EmitContext &context) {
  int64_t groups = node.attributeInt("groups", 1);
  NormForm form{"group", dividedBy(trailing(node.input(0), 1), Expr(groups))};
  form.scale = form.shift = true;
  form.residuals = (node.input(3) != nullptr) + (node.input(4) != nullptr);
  if (!node.attributeInt("activation", 0))
    return emitNorm(node, context, form);
  context.fused(node, [&] {
    SmallVector<mlir::Type> types = context.outputTypes(node);
    rl::NormOp norm =
        makeNorm(node, context, types, context.present(node.inputs), form);
    IRValues results(norm->result_begin(), norm->result_end());
    results.front() =
        mapPart(node, context, "silu", results.front(), types.front());
    return results;
  });
}

static void emitBatchNorm(Node &node, EmitContext &context) {
  NormForm form{"batch", std::nullopt, /*hasRow=*/false};
  form.scale = form.shift = true;
  emitNorm(node, context, form);
}

static void emitLRN(Node &node, EmitContext &context) {
  NormForm form{"local_response", std::nullopt, /*hasRow=*/false};
  form.size = node.attributeInt("size", 1);
  if (form.size < 1)
    return context.emitOpaque(node);
  emitNorm(node, context, form);
}

static void emitLpNorm(Node &node, EmitContext &context) {
  emitNorm(node, context,
           {"lp", dimOf(node.input(0), node.attributeInt("axis", -1))});
}

static void emitMeanVarianceNorm(Node &node, EmitContext &context) {
  Ints axes = node.attributeInts("axes").value_or(Ints{0, 2, 3});
  MaybeDim row = Expr(1);
  for (int64_t axis : axes)
    row = times(row, dimOf(node.input(0), axis));
  emitNorm(node, context, {"mean_variance", row});
}

//===----------------------------------------------------------------------===//
// Embeddings
//===----------------------------------------------------------------------===//

/// input_ids, segment_ids, word, position and segment embeddings, gamma, beta,
/// mask, position_ids: rows of two or three tables are picked, added and
/// normalised. Of the tables only the rows picked are read.
static void emitEmbedLayerNorm(Node &node, EmitContext &context) {
  Value *ids = node.input(0), *segments = node.input(1);
  Value *positions = node.input(8);
  Value *output = node.output(0);
  if (!ids || !output || !node.input(2) || !node.input(3) || !rankOf(ids))
    return context.emitOpaque(node);
  context.fused(node, [&] {
    mlir::Type rows = context.type(*output);
    auto gather = [&](Value *table, Value *indices, mlir::Type type) {
      return rl::GatherOp::create(context.builder, context.loc(node), type,
                                  context.string("rows"),
                                  context.present({table, indices}),
                                  context.integer(0))
          ->getResult(0);
    };
    IRValues picked = {gather(node.input(2), ids, rows)};
    // Without position_ids the positions are those of the sequence, the same
    // for the whole batch.
    mlir::Type positionRows = rows;
    if (!positions)
      positionRows =
          context.tensorType(context.elementType(output->type.onnxElem),
                             {Expr(1), dimOf(ids, 1), dimOf(output, -1)});
    picked.push_back(gather(node.input(3), positions, positionRows));
    if (segments && node.input(4))
      picked.push_back(gather(node.input(4), segments, rows));
    mlir::Value sum = mapPart(node, context, "sum", picked, rows);

    NormForm form{"layer", dimOf(output, -1)};
    form.scale = node.input(5);
    form.shift = node.input(6);
    IRValues inputs = {sum};
    append_range(inputs, context.present({node.input(5), node.input(6)}));
    IRValues results;
    results.push_back(
        makeNorm(node, context, rows, inputs, form)->getResult(0));
    if (Value *mask = node.output(1)) { // how many of each row's mask are set
      mlir::Type type = context.type(*mask);
      if (node.input(7))
        results.push_back(
            rl::ReduceOp::create(
                context.builder, context.loc(node), type, context.string("sum"),
                context.value(node.input(7)), context.integers({1}))
                ->getResult(0));
      else
        results.push_back(
            rl::FillOp::create(context.builder, context.loc(node), type));
    }
    if (node.output(2))
      results.push_back(sum);
    return results;
  });
}

void registerNormalizationEmit(RuleTable &table) {
  using Rule = OpRule::Emit;
  Rule layer = [](Node &n, EmitContext &c) { emitRowNorm(n, c, "layer"); };
  Rule rms = [](Node &n, EmitContext &c) { emitRowNorm(n, c, "rms"); };
  table.emit("LayerNormalization", layer);
  table.emit("RMSNormalization", rms);
  for (StringRef domain : {StringRef(""), StringRef(microsoft)}) {
    table.emit("SimplifiedLayerNormalization", rms, domain);
    table.emit("SkipLayerNormalization", emitSkipLayerNorm, domain);
    table.emit("SkipSimplifiedLayerNormalization", emitSkipRMSNorm, domain);
  }
  table.emit("EmbedLayerNormalization", emitEmbedLayerNorm, microsoft);
  table.emit("InstanceNormalization", emitInstanceNorm);
  table.emit("GroupNormalization", emitGroupNorm);
  table.emit("GroupNorm", emitMicrosoftGroupNorm, microsoft);
  table.emit("SkipGroupNorm", emitMicrosoftGroupNorm, microsoft);
  table.emit("BatchNormalization", emitBatchNorm);
  table.emit("LRN", emitLRN);
  table.emit("LpNormalization", emitLpNorm);
  table.emit("MeanVarianceNormalization", emitMeanVarianceNorm);
}

} // namespace roofline::onnx_import
