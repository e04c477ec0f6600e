//===- Rules.cpp - the table of op rules ---------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace roofline::onnx_import;

namespace roofline::onnx_import {
// What each op's shapes, constants and host operands are.
#define ROOFLINE_INFER_FAMILY(NAME) void register##NAME##Infer(RuleTable &);
#include "Ops/InferFamilies.def"
// Which rl op each op becomes.
#define ROOFLINE_EMIT_FAMILY(NAME) void register##NAME##Emit(RuleTable &);
#include "Ops/EmitFamilies.def"
} // namespace roofline::onnx_import

using Key = SmallString<64>;

static void makeKey(StringRef domain, StringRef opType, Key &key) {
  key = domain;
  key += ':';
  key += opType;
}

void RuleTable::infer(StringRef opType, OpRule::Infer infer, OpRule::Fold fold,
                      uint32_t hostOperands, StringRef domain) {
  Key key;
  makeKey(domain, opType, key);
  OpRule &rule = rules[key];
  rule.infer = infer;
  rule.fold = fold;
  rule.hostOperands = hostOperands;
}

void RuleTable::emit(StringRef opType, OpRule::Emit emit, StringRef domain) {
  Key key;
  makeKey(domain, opType, key);
  rules[key].emit = emit;
}

/// What ONNX's schemas require, where that isn't the first operand alone. One
/// that only an old version requires (Gemm's C, Resize's roi) isn't asked for.
static constexpr struct {
  uint8_t count;
  const char *ops;
} requiredOperands[] = {
    {OpRule::all, "Concat Einsum Max Mean Min SequenceConstruct Sum"},
    {0, "Constant Loop Optional OptionalHasElement RandomNormal RandomUniform "
        "Scan SequenceEmpty"},
    {2, "Add AffineGrid And BitShift BitwiseAnd BitwiseOr BitwiseXor CastLike "
        "CausalConvWithState CenterCropPad Compress Conv ConvInteger "
        "ConvTranspose CumProd CumSum DequantizeLinear Div Equal Expand "
        "Gather GatherElements GatherND Gemm Greater GreaterOrEqual "
        "GridSample LayerNormalization Less LessOrEqual MatMul MatMulInteger "
        "MaxRoiPool MaxUnpool Mod Mul NegativeLogLikelihoodLoss "
        "NonMaxSuppression Or PRelu Pad Pow QuantizeLinear RMSNormalization "
        "Reshape ReverseSequence STFT SequenceAt SequenceInsert "
        "SoftmaxCrossEntropyLoss StringConcat Sub SwiGLU TensorScatter Tile "
        "TopK Unsqueeze Upsample Xor"},
    {3, "Attention Col2Im DeformConv GRU GroupNormalization "
        "InstanceNormalization LSTM LinearAttention OneHot RNN Range RoiAlign "
        "RotaryEmbedding Scatter ScatterElements ScatterND Slice Where"},
    {5, "BatchNormalization MelWeightMatrix"},
    {8, "QLinearConv QLinearMatMul"},
};

static void setRequiredOperands(RuleTable &table) {
  for (const auto &[count, ops] : requiredOperands)
    for (StringRef op : split(ops, ' ')) {
      Key key;
      makeKey("", op, key);
      if (auto it = table.rules.find(key); it != table.rules.end())
        it->second.requiredOperands = count;
    }
}

static RuleTable makeTable() {
  RuleTable table;
#define ROOFLINE_INFER_FAMILY(NAME) register##NAME##Infer(table);
#include "Ops/InferFamilies.def"
#define ROOFLINE_EMIT_FAMILY(NAME) register##NAME##Emit(table);
#include "Ops/EmitFamilies.def"
  setRequiredOperands(table);
  for (StringMapEntry<OpRule> &entry : table.rules) {
    auto [domain, opType] = entry.getKey().rsplit(':');
    entry.second.names = {domain, opType};
  }
  return table;
}

const OpRule *roofline::onnx_import::findRule(StringRef domain,
                                              StringRef opType) {
  static const RuleTable table = makeTable();
  Key key; // on the stack: this is asked once a node
  makeKey(domain, opType, key);
  auto it = table.rules.find(key);
  return it == table.rules.end() ? nullptr : &it->second;
}
