//===- LowerContract.cpp - products ---------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build.h"
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

/// The sum over all labels that `result` lacks of the product of the factors.
static Value contraction(Lowering &l, ArrayRef<Value> factors,
                         ArrayRef<std::string> labels, StringRef result,
                         RankedTensorType type, ArrayRef<bool> isUnsigned) {
  llvm::SmallDenseMap<char, int64_t> sizes;
  for (auto [factor, text] : llvm::zip(factors, labels))
    for (auto [label, size] :
         llvm::zip(text, cast<RankedTensorType>(factor.getType()).getShape()))
      sizes[label] = std::max(sizes[label], size);
  Labels dims(result);
  Values inputs;
  SmallVector<SmallVector<AffineExpr>> exprs;
  for (auto [factor, text] : llvm::zip(factors, labels)) {
    std::string kept;
    inputs.push_back(withoutOnes(l, factor, text, sizes, kept));
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
  Value zero = filledTensor(l, type, scalar(l.b, l.loc, element, 0));
  return linalg::GenericOp::create(
             l.b, l.loc, type, inputs, zero, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange x) {
               Value product = extended(b, loc, x[0], element, isUnsigned[0]);
               for (size_t i = 1; i + 1 < x.size(); ++i)
                 product =
                     multiply(b, loc, product,
                              extended(b, loc, x[i], element, isUnsigned[i]));
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

/// alpha · product + beta · C
static Value gemmEpilogue(Lowering &l, Value product) {
  auto type = cast<RankedTensorType>(product.getType());
  double alpha = l.real("alpha", 1), beta = l.real("beta", 1);
  Value addend = l.operand(2);
  if (alpha == 1 && !addend)
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
        if (!addend)
          return result;
        Value other = extended(b, loc, x[1], element, l.isUnsigned(2));
        if (beta != 1)
          other = multiply(b, loc, other, scalar(b, loc, element, beta));
        return add(b, loc, result, other);
      });
}

/// An operand minus its zero point, in the accumulator's type. A zero point has
/// one element, or one per row (left) or column (right).
static Value shifted(Lowering &l, unsigned i, unsigned zero, Type element,
                     bool perRow) {
  Value tensor = l.operand(i);
  auto type = cast<RankedTensorType>(tensor.getType());
  Values inputs{tensor};
  if (Value point = l.operand(zero)) {
    auto pointType = cast<RankedTensorType>(point.getType());
    if (perRow && pointType.getRank() == 1 && pointType.getDimSize(0) != 1)
      point = reshaped(l, point,
                       RankedTensorType::get({pointType.getDimSize(0), 1},
                                             pointType.getElementType()));
    inputs.push_back(point);
  }
  return mapElements(
      l, RankedTensorType::get(type.getShape(), element), inputs,
      [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
        Value value = extended(b, loc, x[0], element, l.isUnsigned(i));
        if (x.size() == 1)
          return value;
        return arith::SubIOp::create(
            b, loc, value, extended(b, loc, x[1], element, l.isUnsigned(zero)));
      });
}

static FailureOr<Values> lowerContract(Lowering &l) {
  auto op = cast<rl::ContractOp>(l.op);
  auto [left, result] = op.getEquation().split("->");
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  StringRef opType = l.opType();
  bool plain = llvm::is_contained(
      {"MatMul", "Einsum", "FusedMatMul", "TransposeMatMul", ""}, opType);
  bool gemm = opType == "Gemm", integer = opType == "MatMulInteger";
  if (!plain && !gemm && !integer)
    return l.unsupported("a product of this kind");
  if (!op.getExtra().empty())
    return l.unsupported("more than one result");
  RankedTensorType type = l.resultType();
  Type element = accumulatorType(type.getElementType(), l.b);
  auto wide = RankedTensorType::get(type.getShape(), element);
  Values factors;
  SmallVector<bool> isUnsigned;
  SmallVector<std::string> labels;
  for (auto [i, term] : llvm::enumerate(terms)) {
    Value factor = integer ? shifted(l, i, i + 2, element, /*perRow=*/i == 0)
                           : l.operand(i);
    if (!factor)
      return l.unsupported("a factor isn't there");
    factors.push_back(factor);
    isUnsigned.push_back(!integer && l.isUnsigned(i));
    labels.push_back(term.str());
  }
  Value product = contraction(l, factors, labels, result, wide, isUnsigned);
  if (!integer)
    product = gemmEpilogue(l, product);
  return Values{converted(l, product, type)};
}

void addContractRules(RuleTable &table) {
  table["rl.contract"] = lowerContract;
}

} // namespace roofline::lowering
