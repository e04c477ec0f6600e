//===- LowerContract.cpp - products ---------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Activations.h"
#include "Contract.h"
#include "Rules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {

namespace {
/// Labels to loop dimensions: the result's first, then those summed over.
class Labels {
public:
  explicit Labels(StringRef result) {
    for (char label : result)
      dimension(label);
  }
  unsigned dimension(char label) {
    size_t at = order.find(label);
    if (at == std::string::npos) {
      order.push_back(label);
      return order.size() - 1;
    }
    return at;
  }
  unsigned count() const { return order.size(); }

private:
  std::string order;
};
} // namespace

/// `value` in a wider type of its kind.
static Value extended(OpBuilder &b, Location loc, Value value, Type type,
                      bool isUnsigned) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, loc, type, value);
  if (isUnsigned)
    return arith::ExtUIOp::create(b, loc, type, value);
  return arith::ExtSIOp::create(b, loc, type, value);
}

static Value multiply(OpBuilder &b, Location loc, Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return arith::MulFOp::create(b, loc, x, y);
  return arith::MulIOp::create(b, loc, x, y);
}

static Value add(OpBuilder &b, Location loc, Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return arith::AddFOp::create(b, loc, x, y);
  return arith::AddIOp::create(b, loc, x, y);
}

/// Dimensions of size 1 against a larger one repeat: they are left out.
static Value withoutOnes(Lowering &l, Value factor, StringRef labels,
                         const llvm::SmallDenseMap<char, int64_t> &sizes,
                         std::string &kept) {
  auto type = cast<RankedTensorType>(factor.getType());
  SmallVector<int64_t> shape;
  for (auto [label, size] : llvm::zip(labels, type.getShape())) {
    if (size == 1 && sizes.lookup(label) != 1)
      continue;
    kept.push_back(label);
    shape.push_back(size);
  }
  return reshaped(l, factor,
                  RankedTensorType::get(shape, type.getElementType()));
}

Value contraction(Lowering &l, ArrayRef<Factor> factors, StringRef result,
                  RankedTensorType type, Value init) {
  llvm::SmallDenseMap<char, int64_t> sizes;
  for (const Factor &factor : factors)
    for (auto [label, size] :
         llvm::zip(factor.labels,
                   cast<RankedTensorType>(factor.tensor.getType()).getShape()))
      sizes[label] = std::max(sizes[label], size);
  Labels dims(result);
  Values inputs;
  SmallVector<SmallVector<AffineExpr>> exprs;
  for (const Factor &factor : factors) {
    std::string kept;
    inputs.push_back(withoutOnes(l, factor.tensor, factor.labels, sizes, kept));
    exprs.emplace_back();
    for (char label : kept)
      exprs.back().push_back(l.b.getAffineDimExpr(dims.dimension(label)));
  }
  SmallVector<AffineMap> maps;
  for (ArrayRef<AffineExpr> list : exprs)
    maps.push_back(AffineMap::get(dims.count(), 0, list, l.b.getContext()));
  maps.push_back(
      AffineMap::getMultiDimIdentityMap(result.size(), l.b.getContext()));
  maps.back() = AffineMap::get(dims.count(), 0, maps.back().getResults(),
                               l.b.getContext());
  SmallVector<utils::IteratorType> iterators(dims.count(),
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), result.size(), utils::IteratorType::parallel);
  Type element = type.getElementType();
  if (!init)
    init = filledTensor(l, type, scalar(l.b, l.loc, element, 0));
  return linalg::GenericOp::create(
             l.b, l.loc, type, inputs, init, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange x) {
               Value product =
                   extended(b, loc, x[0], element, factors[0].isUnsigned);
               for (size_t i = 1; i < factors.size(); ++i)
                 product = multiply(
                     b, loc, product,
                     extended(b, loc, x[i], element, factors[i].isUnsigned));
               linalg::YieldOp::create(b, loc, add(b, loc, x.back(), product));
             })
      .getResult(0);
}

/// Elements of one type as another: rounded, never saturated.
static Value converted(Lowering &l, Value tensor, RankedTensorType type) {
  auto from = cast<RankedTensorType>(tensor.getType());
  if (from == type)
    return tensor;
  return mapElements(
      l, type, tensor, [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
        if (isa<FloatType>(type.getElementType()))
          return arith::TruncFOp::create(b, loc, type.getElementType(), x[0]);
        return arith::TruncIOp::create(b, loc, type.getElementType(), x[0]);
      });
}

/// activation(alpha · product + beta · C)
static FailureOr<Value> withEpilogue(Lowering &l, Value product, Value addend) {
  auto type = cast<RankedTensorType>(product.getType());
  double alpha = l.real("alpha", 1), beta = l.real("beta", 1);
  StringRef name = l.text("activation", "");
  std::optional<Activation> function = activationOf(name);
  if (!name.empty() && !function)
    return l.unsupported("an activation '" + name + "'");
  if (function) {
    function->alpha = l.real("activation_alpha", function->alpha);
    function->beta = l.real("activation_beta", function->beta);
  }
  if (alpha == 1 && !addend && !function)
    return product;
  Values inputs{product};
  if (addend)
    inputs.push_back(addend);
  Type element = type.getElementType();
  return mapElements(
      l, type, inputs, [&](OpBuilder &b, Location loc, ValueRange x) {
        Value result = x[0];
        if (alpha != 1)
          result = multiply(b, loc, result, scalar(b, loc, element, alpha));
        if (addend) {
          Value other = extended(b, loc, x[1], element, l.isUnsigned(2));
          if (beta != 1)
            other = multiply(b, loc, other, scalar(b, loc, element, beta));
          result = add(b, loc, result, other);
        }
        Scalars s(b, loc, false);
        return function ? activate(s, *function, result) : result;
      });
}

static FailureOr<Values> lowerContract(Lowering &l) {
  auto op = cast<rl::ContractOp>(l.op);
  if (!op.getExtra().empty())
    return l.unsupported("more than one result");
  if (Rule rule = quantizedProduct(l.opType()))
    return rule(l);
  bool plain =
      llvm::is_contained({"MatMul", "Einsum", "FusedMatMul", "TransposeMatMul",
                          "FusedMatMulActivation", ""},
                         l.opType());
  bool gemm = l.opType() == "Gemm" || l.opType() == "FusedGemm";
  if (!plain && !gemm)
    return l.unsupported("a product of this kind");
  auto [left, result] = op.getEquation().split("->");
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  RankedTensorType type = l.resultType();
  auto wide = RankedTensorType::get(
      type.getShape(), accumulatorType(type.getElementType(), l.b));
  SmallVector<Factor> factors;
  for (auto [i, term] : llvm::enumerate(terms)) {
    factors.push_back({l.operand(i), term.str(), l.isUnsigned(i)});
    if (!factors.back().tensor)
      return l.unsupported("a factor isn't there");
  }
  FailureOr<Value> product = withEpilogue(
      l, contraction(l, factors, result, wide), gemm ? l.operand(2) : Value());
  if (failed(product))
    return failure();
  return Values{converted(l, *product, type)};
}

void addContractRules(RuleTable &table) {
  table["rl.contract"] = lowerContract;
}

} // namespace roofline::lowering
