//===- LibraryProblem.cpp - ops as libraries describe them ----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryProblem.h"
#include "roofline/Dialect/RL/RL.h"
#include <map>

using namespace mlir;

namespace roofline::runtime {

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static std::optional<LibraryType> typeOf(Type element) {
  if (element.isF32())
    return LibraryType::F32;
  if (element.isBF16())
    return LibraryType::BF16;
  if (element.isUnsignedInteger(8))
    return LibraryType::U8;
  if (element.isInteger(8))
    return LibraryType::S8;
  if (element.isInteger(32) && !element.isUnsignedInteger())
    return LibraryType::S32;
  return std::nullopt;
}

/// All its dimensions in their own order; nothing where it is empty or of a
/// type that libraries lack.
static std::optional<LibraryTensor> tensorOf(Value value, unsigned position) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() == 0)
    return std::nullopt;
  std::optional<LibraryType> element = typeOf(type.getElementType());
  if (!element)
    return std::nullopt;
  LibraryTensor tensor;
  tensor.position = position;
  tensor.type = *element;
  tensor.sizes = type.getShape().vec();
  tensor.strides.resize(tensor.sizes.size(), 1);
  for (size_t i = tensor.sizes.size(); i-- > 1;)
    tensor.strides[i - 1] = tensor.strides[i] * tensor.sizes[i];
  return tensor;
}

/// Both factors' types, and the result's, as libraries combine them.
static bool typesFit(LibraryType left, LibraryType right, LibraryType result) {
  if (left == LibraryType::F32 || left == LibraryType::BF16)
    return right == left && result == left;
  return left != LibraryType::S32 && right == LibraryType::S8 &&
         result == LibraryType::S32;
}

//===----------------------------------------------------------------------===//
// The node
//===----------------------------------------------------------------------===//

static StringRef opTypeOf(Operation *op) {
  auto type = op->getAttrOfType<StringAttr>(rl::opTypeAttrName);
  return type ? type.getValue() : "";
}

static double nodeNumber(Operation *op, StringRef name, double otherwise) {
  auto node = op->getAttrOfType<DictionaryAttr>(rl::onnxAttrName);
  auto attributes =
      node ? node.getAs<DictionaryAttr>("attributes") : DictionaryAttr();
  auto value = attributes ? attributes.getAs<FloatAttr>(name) : FloatAttr();
  return value ? value.getValueAsDouble() : otherwise;
}

/// The one other operand as a bias of `channels`: false where there is one
/// that is more.
static bool addBias(Operation *op, OperandRange aux, int64_t channels,
                    std::optional<LibraryTensor> &bias) {
  if (aux.empty())
    return true;
  bias = tensorOf(aux.front(), aux.getBeginOperandIndex());
  if (aux.size() > 1 || !bias ||
      (bias->type != LibraryType::F32 && bias->type != LibraryType::BF16))
    return false;
  while (bias->sizes.size() > 1 && bias->sizes.front() == 1) {
    bias->sizes.erase(bias->sizes.begin());
    bias->strides.erase(bias->strides.begin());
  }
  return bias->sizes == std::vector<int64_t>{channels};
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// The labels of a tensor's dimensions but those of size 1, which are broadcast
/// or count nothing.
struct Term {
  LibraryTensor tensor;
  std::map<char, unsigned> dims; ///< label to dimension
};
} // namespace

static std::optional<Term> termOf(const LibraryTensor &tensor,
                                  StringRef labels) {
  Term term{tensor, {}};
  if (labels.size() != tensor.sizes.size())
    return std::nullopt;
  for (auto [i, label] : llvm::enumerate(labels)) {
    if (tensor.sizes[i] == 1)
      continue;
    if (!term.dims.emplace(label, i).second)
      return std::nullopt; // a diagonal
  }
  return term;
}

/// The dimensions of those labels, in that order; their elements all told.
static LibraryTensor ordered(const Term &term, StringRef labels) {
  LibraryTensor result = term.tensor;
  result.sizes.clear();
  result.strides.clear();
  for (char label : labels) {
    unsigned dim = term.dims.at(label);
    result.sizes.push_back(term.tensor.sizes[dim]);
    result.strides.push_back(term.tensor.strides[dim]);
  }
  return result;
}

/// Sorts labels by who has them, and looks at the tensors in that order.
static bool arrange(const Term &left, const Term &right, const Term &result,
                    ProductProblem &problem) {
  std::string b, m, n, k;
  for (const auto &[label, dim] : result.dims) {
    bool isLeft = left.dims.count(label), isRight = right.dims.count(label);
    if (!isLeft && !isRight)
      return false;
    (isLeft && isRight ? b : isLeft ? m : n).push_back(label);
  }
  for (const auto &[label, dim] : left.dims)
    if (!result.dims.count(label)) {
      if (!right.dims.count(label))
        return false; // summed over alone
      k.push_back(label);
    }
  for (const auto &[label, dim] : right.dims)
    if (!result.dims.count(label) && !left.dims.count(label))
      return false;
  problem.left = ordered(left, b + m + k);
  problem.right = ordered(right, b + k + n);
  problem.result = ordered(result, b + m + n);
  auto count = [](const Term &term, StringRef labels) {
    int64_t product = 1;
    for (char label : labels)
      product *= term.tensor.sizes[term.dims.at(label)];
    return product;
  };
  problem.b = count(left, b);
  problem.m = count(left, m);
  problem.k = count(left, k);
  problem.n = count(right, n);
  return true;
}

/// The scale and the bias: false where the node asks for more.
static bool addEpilogue(rl::ContractOp op, ProductProblem &problem) {
  StringRef opType = opTypeOf(op);
  bool isGemm = opType == "Gemm";
  if (!isGemm && !llvm::is_contained({"MatMul", "Einsum", "FusedMatMul",
                                      "TransposeMatMul", "MatMulInteger", ""},
                                     opType))
    return false;
  problem.scale = float(nodeNumber(op, "alpha", 1));
  if (problem.scale != 1 && problem.result.type == LibraryType::S32)
    return false;
  if (!isGemm)
    return op.getAux().empty();
  // alpha scales the product alone; a library's scale has the bias in it.
  if (!op.getAux().empty() &&
      (problem.scale != 1 || nodeNumber(op, "beta", 1) != 1))
    return false;
  return addBias(op, op.getAux(), problem.n, problem.bias);
}

std::optional<ProductProblem> productProblem(Operation *any) {
  auto op = dyn_cast<rl::ContractOp>(any);
  if (!op || op.getFactors().size() != 2 || !op.getExtra().empty() ||
      op.getFactorTypes() || op.getPrologue())
    return std::nullopt;
  auto [terms, resultLabels] = op.getEquation().split("->");
  auto [leftLabels, rightLabels] = terms.split(',');
  std::optional<LibraryTensor> left = tensorOf(op.getFactors()[0], 0),
                               right = tensorOf(op.getFactors()[1], 1),
                               result = tensorOf(op.getOutput(), 0);
  if (!left || !right || !result ||
      !typesFit(left->type, right->type, result->type))
    return std::nullopt;
  std::optional<Term> leftTerm = termOf(*left, leftLabels),
                      rightTerm = termOf(*right, rightLabels),
                      resultTerm = termOf(*result, resultLabels);
  ProductProblem problem;
  if (!leftTerm || !rightTerm || !resultTerm ||
      !arrange(*leftTerm, *rightTerm, *resultTerm, problem) ||
      !addEpilogue(op, problem))
    return std::nullopt;
  return problem;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// C_out x I x taps as groups x O x I x taps.
static void splitGroups(LibraryTensor &filter, int64_t groups) {
  int64_t perGroup = filter.sizes.front() / groups;
  int64_t stride = filter.strides.front();
  filter.sizes.front() = perGroup;
  filter.sizes.insert(filter.sizes.begin(), groups);
  filter.strides.insert(filter.strides.begin(), stride * perGroup);
}

std::optional<ConvProblem> convProblem(Operation *any) {
  auto op = dyn_cast<rl::ConvOp>(any);
  if (!op || op.getTransposed() || !op.getExtra().empty() ||
      !llvm::is_contained({"Conv", "ConvInteger", ""}, opTypeOf(op)))
    return std::nullopt;
  std::optional<LibraryTensor> input = tensorOf(op.getInput(), 0),
                               filter = tensorOf(op.getFilter(), 1),
                               result = tensorOf(op.getOutput(), 0);
  if (!input || !filter || !result ||
      !typesFit(input->type, filter->type, result->type))
    return std::nullopt;
  size_t rank = input->sizes.size() - 2;
  constexpr size_t mostSpatial = 3;
  if (rank < 1 || rank > mostSpatial)
    return std::nullopt;
  ConvProblem problem;
  if (!addBias(op, op.getAux(), result->sizes[1], problem.bias))
    return std::nullopt;
  if (op.getGroup() > 1)
    splitGroups(*filter, op.getGroup());
  problem.input = std::move(*input);
  problem.filter = std::move(*filter);
  problem.result = std::move(*result);
  problem.strides = op.getStrides().vec();
  problem.dilations = op.getDilations().vec();
  problem.padsBegin = op.getPads().take_front(rank).vec();
  problem.padsEnd = op.getPads().drop_front(rank).vec();
  // Where the last step doesn't reach the end, a library wants it said.
  for (size_t i = 0; i < rank; ++i) {
    int64_t taps = problem.filter.sizes[problem.filter.sizes.size() - rank + i];
    int64_t reach = (problem.result.sizes[2 + i] - 1) * problem.strides[i] +
                    (taps - 1) * problem.dilations[i] + 1;
    int64_t end = reach - problem.input.sizes[2 + i] - problem.padsBegin[i];
    if (end > problem.padsEnd[i])
      return std::nullopt; // rounded up: part of a window beyond the pads
    problem.padsEnd[i] = end;
  }
  return problem;
}

} // namespace roofline::runtime
