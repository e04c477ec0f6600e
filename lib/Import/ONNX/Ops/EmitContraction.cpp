//===- EmitContraction.cpp - matrix products and Einstein sums ------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitContraction.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace roofline::onnx_import {

//===----------------------------------------------------------------------===//
// Equations
//===----------------------------------------------------------------------===//

/// Labels of `count` batch dimensions: "b" for one, else "abc…" without those
/// of the product itself.
static std::string batchLabels(size_t count) {
  constexpr StringLiteral letters = "abcdefghijlopqrstuvwxyz"; // no k, m, n
  if (count > letters.size())
    return "";
  return count == 1 ? "b" : letters.take_front(count).str();
}

std::string matmulEquation(std::optional<int64_t> rankA,
                           std::optional<int64_t> rankB, MatmulForm form) {
  if (!rankA || !rankB || *rankA < 1 || *rankB < 1)
    return "";
  size_t batchA = std::max<int64_t>(*rankA - 2, 0);
  size_t batchB = std::max<int64_t>(*rankB - 2, 0);
  std::string batch = batchLabels(std::max(batchA, batchB));
  if (batch.size() != std::max(batchA, batchB))
    return "";
  // The batch dimensions stand last but one where `outer` is set: m, batch, k.
  auto factor = [&](size_t batchCount, StringRef row, StringRef column,
                    bool transposed, bool outer) {
    std::string labels = batch.substr(batch.size() - batchCount);
    if (transposed)
      std::swap(row, column);
    return outer ? row.str() + labels + column.str()
                 : labels + row.str() + column.str();
  };
  // A vector is a row on the left, a column on the right.
  std::string a =
      *rankA == 1 ? "k"
                  : factor(batchA, "m", "k", form.transposeA, form.outerBatchA);
  std::string b =
      *rankB == 1 ? "k"
                  : factor(batchB, "k", "n", form.transposeB, form.outerBatchB);
  std::string result = batch;
  if (*rankA > 1)
    result += 'm';
  if (*rankB > 1)
    result += 'n';
  return a + "," + b + "->" + result;
}

void emitContract(Node &node, EmitContext &context, StringRef equation,
                  ArrayRef<Value *> factors, ArrayRef<Value *> aux,
                  ElementCost epilogue) {
  if (equation.empty())
    return context.emitOpaque(node);
  IRValues factorValues = context.present(factors);
  IRValues auxValues = context.present(aux);
  context.bind(node,
               rl::ContractOp::create(
                   context.builder, context.loc(node),
                   context.outputTypes(node), context.string(equation),
                   factorValues, auxValues, rl::BodyAttr(),
                   context.optionalBody(epilogue.vector, epilogue.special),
                   mlir::ArrayAttr()));
}

//===----------------------------------------------------------------------===//
// MatMul, Gemm
//===----------------------------------------------------------------------===//

static std::string plainEquation(const Value *a, const Value *b) {
  return matmulEquation(rankOf(a), rankOf(b), {});
}

static void emitMatMul(Node &node, EmitContext &context) {
  Value *a = node.input(0), *b = node.input(1);
  emitContract(node, context, plainEquation(a, b), {a, b}, {}, {});
}

StringRef gemmEquation(const Node &node) {
  bool a = node.attributeInt("transA", 0), b = node.attributeInt("transB", 0);
  return a ? (b ? "km,nk->mn" : "km,kn->mn") : (b ? "mk,nk->mn" : "mk,kn->mn");
}

/// A bias is an addition; factors other than 1 a multiplication each.
static ElementCost gemmEpilogue(const Node &node, bool biased) {
  ElementCost cost;
  cost.vector += node.attributeFloat("alpha", 1) != 1;
  if (biased)
    cost.vector += 1 + (node.attributeFloat("beta", 1) != 1);
  return cost;
}

static void emitGemm(Node &node, EmitContext &context) {
  ElementCost cost =
      gemmEpilogue(node, node.input(2)) +
      elementCost(activationKind(node.attributeString("activation", "")));
  emitContract(node, context, gemmEquation(node),
               {node.input(0), node.input(1)}, {node.input(2)}, cost);
}

static void emitGemmFastGelu(Node &node, EmitContext &context) {
  ElementCost cost = elementCost("fast_gelu");
  cost.vector += node.input(2) != nullptr;
  Value *a = node.input(0), *b = node.input(1);
  emitContract(node, context, plainEquation(a, b), {a, b}, {node.input(2)},
               cost);
}

static void emitFusedMatMul(Node &node, EmitContext &context) {
  Value *a = node.input(0), *b = node.input(1);
  MatmulForm form;
  form.transposeA = node.attributeInt("transA", 0);
  form.transposeB = node.attributeInt("transB", 0);
  form.outerBatchA = node.attributeInt("transBatchA", 0);
  form.outerBatchB = node.attributeInt("transBatchB", 0);
  ElementCost cost;
  cost.vector = node.attributeFloat("alpha", 1) != 1;
  cost = cost +
         elementCost(activationKind(node.attributeString("activation", "")));
  emitContract(node, context, matmulEquation(rankOf(a), rankOf(b), form),
               {a, b}, ArrayRef(node.inputs).drop_front(2), cost);
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

namespace {
/// An equation with the ellipses spelled out.
struct EinsumTerms {
  SmallVector<std::string, 2> factors;
  std::string result;
};
} // namespace

/// Labels that stand for the dimensions of "...", outermost first, that the
/// equation itself doesn't use.
static std::string ellipsisLabels(StringRef equation, size_t count) {
  std::string labels;
  for (char c = 'A'; c <= 'Z' && labels.size() < count; ++c)
    if (!equation.contains(c))
      labels += c;
  return labels;
}

/// Replaces "..." by the last `count` of `labels`.
static std::string expandEllipsis(StringRef term, StringRef labels,
                                  size_t count) {
  auto [before, after] = term.split("...");
  if (before.size() == term.size())
    return term.str();
  return (before + labels.take_back(count) + after).str();
}

/// Without "->" the result has the labels that occur once, in order.
static std::string impliedResult(ArrayRef<std::string> factors,
                                 StringRef ellipsis) {
  std::string all, result;
  for (StringRef factor : factors)
    all += factor;
  llvm::sort(all);
  for (char c : all)
    if (StringRef(all).count(c) == 1 && !ellipsis.contains(c))
      result += c;
  return ellipsis.str() + result;
}

static std::optional<EinsumTerms> parseEinsum(const Node &node) {
  std::string text;
  for (char c : node.attributeString("equation", ""))
    if (!isSpace(c))
      text += c;
  auto [left, right] = StringRef(text).split("->");
  bool explicitResult = StringRef(text).contains("->");
  SmallVector<StringRef, 4> terms;
  left.split(terms, ',');
  if (terms.size() != node.inputs.size())
    return std::nullopt;
  // How many dimensions each factor's ellipsis covers.
  SmallVector<size_t, 4> covered;
  size_t widest = 0;
  for (auto [term, input] : llvm::zip(terms, node.inputs)) {
    std::optional<int64_t> rank = rankOf(input);
    bool hasEllipsis = term.contains("...");
    int64_t labels = int64_t(term.size()) - (hasEllipsis ? 3 : 0);
    if (!rank || *rank < labels || (!hasEllipsis && *rank != labels))
      return std::nullopt;
    covered.push_back(*rank - labels);
    widest = std::max(widest, covered.back());
  }
  std::string ellipsis = ellipsisLabels(text, widest);
  if (ellipsis.size() != widest)
    return std::nullopt;
  EinsumTerms result;
  for (auto [term, count] : llvm::zip(terms, covered))
    result.factors.push_back(expandEllipsis(term, ellipsis, count));
  result.result = explicitResult ? expandEllipsis(right, ellipsis, widest)
                                 : impliedResult(result.factors, ellipsis);
  for (StringRef term : result.factors)
    if (!llvm::all_of(term, isAlpha))
      return std::nullopt;
  return result;
}

/// One factor: a transposition, a sum over the labels that the result lacks,
/// or, with a repeated label, a diagonal.
static void emitUnaryEinsum(Node &node, EmitContext &context,
                            const EinsumTerms &terms) {
  StringRef labels = terms.factors.front();
  mlir::Value input = context.value(node.input(0));
  Ints summed;
  bool repeated = false;
  for (auto [axis, label] : llvm::enumerate(labels)) {
    repeated |= labels.count(label) > 1;
    if (!StringRef(terms.result).contains(label))
      summed.push_back(axis);
  }
  if (repeated && !summed.empty())
    return context.emitOpaque(node);
  if (summed.empty())
    return emitCopy(node, context, repeated ? "diagonal" : "transpose", input,
                    repeated);
  context.bind(node, rl::ReduceOp::create(context.builder, context.loc(node),
                                          context.outputTypes(node),
                                          context.string("sum"), input,
                                          context.integers(summed)));
}

static void emitEinsum(Node &node, EmitContext &context) {
  std::optional<EinsumTerms> terms = parseEinsum(node);
  if (!terms)
    return context.emitOpaque(node);
  if (terms->factors.size() == 1)
    return emitUnaryEinsum(node, context, *terms);
  std::string equation = llvm::join(terms->factors, ",") + "->" + terms->result;
  emitContract(node, context, equation, node.inputs, {}, {});
}

void registerContractionEmit(RuleTable &table) {
  table.emit("MatMul", emitMatMul);
  table.emit("Gemm", emitGemm);
  table.emit("Einsum", emitEinsum);
  table.emit("FusedMatMul", emitFusedMatMul, microsoft);
  table.emit("TransposeMatMul", emitFusedMatMul, microsoft);
  table.emit("FusedMatMulActivation", emitFusedMatMul, microsoft);
  table.emit("FusedGemm", emitGemm, microsoft);
  table.emit("GemmFastGelu", emitGemmFastGelu, microsoft);
}

} // namespace roofline::onnx_import
