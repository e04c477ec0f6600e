//===- InferContraction.cpp - matrix products and einsum ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferSupport.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// MatMul and its relatives
//===----------------------------------------------------------------------===//

namespace {
struct ProductOperand {
  MaybeDims batch;
  MaybeDim rows, columns;
  bool isVector = false;
};
} // namespace

/// A 1-D left operand is a row, a 1-D right one a column.
static ProductOperand readOperand(const MaybeDims &dims, bool isLeft,
                                  bool transposed) {
  ProductOperand operand;
  if (dims.size() == 1) {
    operand.isVector = true;
    operand.rows = operand.columns = Expr(1);
    (isLeft ? operand.columns : operand.rows) = dims.front();
    return operand;
  }
  operand.batch.assign(dims.begin(), dims.end() - 2);
  operand.rows = dims[dims.size() - 2];
  operand.columns = dims.back();
  if (transposed)
    std::swap(operand.rows, operand.columns);
  return operand;
}

Error onnx_import::setMatrixProduct(Node &node, InferContext &ctx,
                                    unsigned leftInput, unsigned rightInput,
                                    int onnxElem, bool transposeLeft,
                                    bool transposeRight) {
  const MaybeDims *a = ctx.dims(node, leftInput);
  const MaybeDims *b = ctx.dims(node, rightInput);
  if (!a || !b) {
    ctx.setUnranked(node, 0, onnxElem);
    return Error::success();
  }
  if (a->empty() || b->empty())
    return nodeError(node, "an operand is a scalar");
  ProductOperand left = readOperand(*a, true, transposeLeft);
  ProductOperand right = readOperand(*b, false, transposeRight);
  if (differ(left.columns, right.rows))
    return nodeError(node, "inner dimensions " + str(left.columns) + " and " +
                               str(right.rows) + " differ (" + str(*a) +
                               " by " + str(*b) + ")");
  Expected<MaybeDims> dims = ctx.broadcast(node, {&left.batch, &right.batch});
  if (!dims)
    return dims.takeError();
  if (!left.isVector)
    dims->push_back(left.rows);
  if (!right.isVector)
    dims->push_back(right.columns);
  ctx.setTensor(node, 0, onnxElem, *dims);
  return Error::success();
}

static Error inferMatMul(Node &node, InferContext &ctx) {
  return setMatrixProduct(node, ctx, 0, 1, ctx.elemOf(node, 0));
}

static Error inferMatMulInteger(Node &node, InferContext &ctx) {
  return setMatrixProduct(node, ctx, 0, 1, TensorProto::INT32);
}

/// a, its scale and zero point, b, its scale and zero point, the result's.
static Error inferQLinearMatMul(Node &node, InferContext &ctx) {
  int elem = ctx.elemOf(node, 7);
  return setMatrixProduct(node, ctx, 0, 3, elem ? elem : ctx.elemOf(node, 0));
}

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

Error onnx_import::setGemm(Node &node, InferContext &ctx, unsigned leftInput,
                           unsigned rightInput, int onnxElem) {
  const MaybeDims *a = ctx.dims(node, leftInput);
  const MaybeDims *b = ctx.dims(node, rightInput);
  for (const MaybeDims *dims : {a, b})
    if (dims && dims->size() != 2)
      return nodeError(node, "an operand has rank " + Twine(dims->size()) +
                                 " (" + str(*dims) + "), 2 is needed");
  MaybeDims unknown = unknownDims(2);
  MaybeDims left = a ? *a : unknown, right = b ? *b : unknown;
  if (node.attributeInt("transA", 0))
    std::swap(left[0], left[1]);
  if (node.attributeInt("transB", 0))
    std::swap(right[0], right[1]);
  if (differ(left[1], right[0]))
    return nodeError(node, "inner dimensions " + str(left[1]) + " and " +
                               str(right[0]) + " differ");
  ctx.setTensor(node, 0, onnxElem, {left[0], right[1]});
  return Error::success();
}

static Error inferGemm(Node &node, InferContext &ctx) {
  if (Error error = setGemm(node, ctx, 0, 1, ctx.elemOf(node, 0)))
    return error;
  // The bias broadcasts to the product, never the other way round.
  const MaybeDims *bias = ctx.dims(node, 2);
  if (!bias || !node.output(0))
    return Error::success();
  const MaybeDims &result = node.output(0)->type.dims;
  if (bias->size() > 2)
    return nodeError(node, "the bias has rank " + Twine(bias->size()));
  for (auto [i, size] : enumerate(reverse(*bias))) {
    const MaybeDim &of = result[1 - i];
    if (!differ(size, Expr(1)))
      continue;
    if (differ(size, of))
      return nodeError(node, "the bias " + str(*bias) +
                                 " doesn't broadcast to " + str(result));
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

namespace {
/// The subscripts of one operand or of the result.
struct Term {
  std::string before, after; ///< letters around the ellipsis
  bool hasEllipsis = false;
  size_t letters() const { return before.size() + after.size(); }
};
} // namespace

static Term parseTerm(StringRef text) {
  Term term;
  auto [before, after] = text.split("...");
  term.hasEllipsis = text.contains("...");
  term.before = before.str();
  term.after = after.str();
  return term;
}

namespace {
class EinsumShape {
public:
  EinsumShape(const Node &node, InferContext &ctx) : node(node), ctx(ctx) {}

  Error addOperand(const Term &term, const MaybeDims &dims) {
    if (term.hasEllipsis ? dims.size() < term.letters()
                         : dims.size() != term.letters())
      return nodeError(node, "an operand of rank " + Twine(dims.size()) +
                                 " doesn't fit its subscripts");
    size_t covered = dims.size() - term.letters();
    ArrayRef<MaybeDim> sizes = dims;
    if (Error error = addLetters(term.before, sizes))
      return error;
    sizes = sizes.drop_front(term.before.size());
    MaybeDims middle(sizes.take_front(covered));
    Expected<MaybeDims> merged = ctx.broadcast(node, {&ellipsis, &middle});
    if (!merged)
      return merged.takeError();
    ellipsis = std::move(*merged);
    return addLetters(term.after, sizes.drop_front(covered));
  }

  MaybeDims result(const Term &term) const {
    MaybeDims dims;
    auto append = [&](StringRef letters) {
      for (char letter : letters) {
        auto it = sizes.find(letter);
        dims.push_back(it == sizes.end() ? std::nullopt : it->second);
      }
    };
    append(term.before);
    if (term.hasEllipsis)
      dims.append(ellipsis.begin(), ellipsis.end());
    append(term.after);
    return dims;
  }

private:
  Error addLetters(StringRef letters, ArrayRef<MaybeDim> dims) {
    for (auto [i, letter] : enumerate(letters)) {
      auto [it, isNew] = sizes.try_emplace(letter, dims[i]);
      if (isNew)
        continue;
      MaybeDim &known = it->second;
      bool known1 = known && *known == Expr(1);
      bool other1 = dims[i] && *dims[i] == Expr(1);
      if (known1)
        known = dims[i];
      else if (!other1 && differ(known, dims[i]))
        return nodeError(node, Twine("subscript '") + Twine(letter) +
                                   "' has sizes " + str(known) + " and " +
                                   str(dims[i]));
      else if (!other1)
        known = better(known, dims[i]);
    }
    return Error::success();
  }

  const Node &node;
  InferContext &ctx;
  std::map<char, MaybeDim> sizes; // in the order of implicit outputs
  MaybeDims ellipsis;
};
} // namespace

/// Without an arrow the result has the ellipsis, then the letters that occur
/// once, sorted.
static Term implicitResult(StringRef inputs) {
  std::map<char, unsigned> counts;
  for (char c : inputs)
    if (isAlpha(c))
      ++counts[c];
  Term term;
  term.hasEllipsis = inputs.contains("...");
  for (auto [letter, count] : counts)
    if (count == 1)
      term.after += letter;
  return term;
}

static Error inferEinsum(Node &node, InferContext &ctx) {
  std::string equation = node.attributeString("equation", "").str();
  llvm::erase(equation, ' ');
  auto [inputs, output] = StringRef(equation).split("->");
  SmallVector<StringRef, 4> terms;
  inputs.split(terms, ',');
  if (terms.size() != node.inputs.size())
    return nodeError(node, "the equation has " + Twine(terms.size()) +
                               " operands, the node " +
                               Twine(node.inputs.size()));
  EinsumShape shape(node, ctx);
  for (auto [i, text] : enumerate(terms)) {
    const MaybeDims *dims = ctx.dims(node, i);
    if (!dims) {
      ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
      return Error::success();
    }
    if (Error error = shape.addOperand(parseTerm(text), *dims))
      return error;
  }
  Term result = StringRef(equation).contains("->") ? parseTerm(output)
                                                   : implicitResult(inputs);
  ctx.setTensorLike(node, 0, 0, shape.result(result));
  return Error::success();
}

/// Batched determinants.
static Error inferDet(Node &node, InferContext &ctx) {
  const MaybeDims *dims = ctx.dims(node, 0);
  if (!dims || dims->size() < 2) {
    ctx.setUnranked(node, 0, ctx.elemOf(node, 0));
    return Error::success();
  }
  ctx.setTensorLike(node, 0, 0, ArrayRef(*dims).drop_back(2));
  return Error::success();
}

void onnx_import::registerContractionInfer(RuleTable &table) {
  table.infer("MatMul", inferMatMul);
  table.infer("MatMulInteger", inferMatMulInteger);
  table.infer("QLinearMatMul", inferQLinearMatMul);
  table.infer("Gemm", inferGemm);
  table.infer("Einsum", inferEinsum);
  table.infer("Det", inferDet);
}
