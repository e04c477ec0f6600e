//===- LowerPool.cpp - pools ----------------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pool reduces over the taps of each window of a padded input. Its loops are
// batch, channel, positions, taps.
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "Rules.h"
#include "Windows.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

class Pool {
public:
  Pool(Lowering &l, const Windows &windows)
      : l(l), windows(windows), input(l.operandType(0)), result(l.resultType()),
        rank(windows.rank()), loops(2 + 2 * rank) {}

  FailureOr<Values> average();
  FailureOr<Values> lp();
  FailureOr<Values> max();

private:
  ArrayRef<int64_t> positions() const {
    return result.getShape().drop_front(2);
  }

  /// The padded input, then taps, which only say how many there are.
  Values operands(Value padding) {
    return {paddedForWindows(l, l.operand(0), windows, positions(), padding),
            emptyTensor(l, RankedTensorType::get(windows.kernel,
                                                 input.getElementType()))};
  }
  AffineMap map(ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(loops, 0, exprs, l.b.getContext());
  }
  AffineExpr dim(unsigned i) { return l.b.getAffineDimExpr(i); }
  /// Of the input, the taps, the result.
  SmallVector<AffineMap> maps() {
    SmallVector<AffineExpr> read{dim(0), dim(1)}, taps, write{dim(0), dim(1)};
    addWindowExprs(read, l.b, windows, 2, 2 + rank);
    for (size_t i = 0; i < rank; ++i) {
      write.push_back(dim(2 + i));
      taps.push_back(dim(2 + rank + i));
    }
    return {map(read), map(taps), map(write)};
  }
  /// Σ term(x) over each window, taps in the padding as 0.
  Value sum(Type element, llvm::function_ref<Value(Scalars &, Value)> term) {
    Value zero = scalar(l.b, l.loc, input.getElementType(), 0);
    auto wide = RankedTensorType::get(result.getShape(), element);
    return generic(l, operands(zero),
                   filledTensor(l, wide, scalar(l.b, l.loc, element, 0)),
                   maps(), [&](OpBuilder &b, Location loc, ValueRange x) {
                     Scalars s(b, loc, l.isUnsigned(0));
                     return s.add(x.back(), term(s, widened(s, x[0], element)));
                   });
  }
  Value tapCounts(Type element);
  Value indices();

  Lowering &l;
  const Windows &windows;
  RankedTensorType input, result;
  size_t rank;
  unsigned loops;
};

/// How many taps count at each position, as a tensor that broadcasts to the
/// result: those inside the input, or also those in the padding that the model
/// states.
Value Pool::tapCounts(Type element) {
  bool withPads = l.integer("count_include_pad", 0);
  Values lines;
  for (size_t i = 0; i < rank; ++i) {
    int64_t size = input.getDimSize(2 + i);
    int64_t begin = withPads ? -windows.padsBegin[i] : 0;
    int64_t end = withPads ? size + windows.padsEnd[i] : size;
    SmallVector<Attribute> counts;
    for (int64_t at = 0; at < positions()[i]; ++at) {
      int64_t first = at * windows.strides[i] - windows.padsBegin[i], count = 0;
      for (int64_t tap = 0; tap < windows.kernel[i]; ++tap) {
        int64_t place = first + tap * windows.dilations[i];
        count += place >= begin && place < end;
      }
      counts.push_back(FloatAttr::get(element, double(count)));
    }
    SmallVector<int64_t> shape(rank, 1);
    shape[i] = counts.size();
    lines.push_back(constantTensor(
        l,
        DenseElementsAttr::get(RankedTensorType::get(shape, element), counts)));
  }
  return mapElements(l, RankedTensorType::get(positions(), element), lines,
                     [](OpBuilder &b, Location loc, ValueRange x) {
                       Scalars s(b, loc, false);
                       Value product = x[0];
                       for (Value count : x.drop_front())
                         product = s.mul(product, count);
                       return product;
                     });
}

FailureOr<Values> Pool::average() {
  Type element = accumulatorType(input.getElementType(), l.b);
  Value total = sum(element, [](Scalars &, Value x) { return x; });
  return Values{mapElements(l, result, {total, tapCounts(element)},
                            [&](OpBuilder &b, Location loc, ValueRange x) {
                              Scalars s(b, loc, false);
                              return s.cast(s.div(x[0], x[1]), element,
                                            result.getElementType());
                            })};
}

/// (Σ |x|^p)^(1/p)
FailureOr<Values> Pool::lp() {
  double p = double(l.integer("p", 2));
  Type element = accumulatorType(input.getElementType(), l.b);
  Value total = sum(element, [&](Scalars &s, Value x) {
    if (p == 2)
      return s.mul(x, x);
    Value size = s.abs(x);
    return p == 1 ? size : s.pow(size, s.like(size, p));
  });
  return Values{mapElements(
      l, result, total, [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        Value root = p == 1   ? x[0]
                     : p == 2 ? s.sqrt(x[0])
                              : s.pow(x[0], s.like(x[0], 1 / p));
        return s.cast(root, element, result.getElementType());
      })};
}

FailureOr<Values> Pool::max() {
  Scalars outside(l.b, l.loc, l.isUnsigned(0));
  Value least = leastNumber(outside, input.getElementType());
  Values results;
  for (unsigned i = 0; i < l.numResults(); ++i) {
    if (l.resultNumber(i) == 1) {
      results.push_back(indices());
      continue;
    }
    results.push_back(
        generic(l, operands(least), filledTensor(l, l.resultType(i), least),
                maps(), [&](OpBuilder &b, Location loc, ValueRange x) {
                  return Scalars(b, loc, l.isUnsigned(0)).max(x.back(), x[0]);
                }));
  }
  return results;
}

/// Where each window's greatest element stands in the whole input, row-major,
/// or with the spatial dimensions in the reverse order.
Value Pool::indices() {
  Scalars outside(l.b, l.loc, l.isUnsigned(0));
  Type i64 = l.b.getI64Type();
  Value least = leastNumber(outside, input.getElementType());
  Value best = filledTensor(
      l, RankedTensorType::get(result.getShape(), input.getElementType()),
      least);
  Value at = filledTensor(l, RankedTensorType::get(result.getShape(), i64),
                          scalar(l.b, l.loc, i64, -1));
  SmallVector<int64_t> steps(rank, 1);
  int64_t plane = 1;
  bool columns = l.integer("storage_order", 0);
  for (size_t n = 0; n < rank; ++n) {
    size_t i = columns ? n : rank - 1 - n;
    steps[i] = plane;
    plane *= input.getDimSize(2 + i);
  }
  SmallVector<AffineMap> access = maps();
  access.push_back(access.back());
  SmallVector<utils::IteratorType> iterators(loops,
                                             utils::IteratorType::parallel);
  std::fill(iterators.begin() + 2 + rank, iterators.end(),
            utils::IteratorType::reduction);
  auto number = [](OpBuilder &b, Location loc, unsigned loop) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                      linalg::IndexOp::create(b, loc, loop));
  };
  return linalg::GenericOp::create(
             l.b, l.loc, TypeRange{best.getType(), at.getType()},
             operands(least), ValueRange{best, at}, access, iterators,
             [&](OpBuilder &b, Location loc, ValueRange x) {
               Scalars s(b, loc, l.isUnsigned(0)), signedOnes(b, loc, false);
               auto times = [&](Value value, int64_t factor) {
                 return s.mul(value, s.number(i64, double(factor)));
               };
               Value place =
                   times(s.add(times(number(b, loc, 0), input.getDimSize(1)),
                               number(b, loc, 1)),
                         plane);
               Value inside = s.number(b.getI1Type(), 1);
               for (size_t i = 0; i < rank; ++i) {
                 Value along = s.add(
                     times(number(b, loc, 2 + i), windows.strides[i]),
                     times(number(b, loc, 2 + rank + i), windows.dilations[i]));
                 along =
                     s.sub(along, s.number(i64, double(windows.padsBegin[i])));
                 Value size = s.number(i64, double(input.getDimSize(2 + i)));
                 // As unsigned numbers, those below 0 are past the end.
                 Value here = arith::CmpIOp::create(
                     b, loc, arith::CmpIPredicate::ult, along, size);
                 inside = arith::AndIOp::create(b, loc, inside, here);
                 place = s.add(place, times(along, steps[i]));
               }
               Value better = arith::OrIOp::create(
                   b, loc, s.less(x[2], x[0]),
                   signedOnes.less(x[3], s.number(i64, 0)));
               Value take = arith::AndIOp::create(b, loc, inside, better);
               linalg::YieldOp::create(b, loc,
                                       ValueRange{s.select(take, x[0], x[2]),
                                                  s.select(take, place, x[3])});
             })
      .getResult(1);
}

FailureOr<Values> lowerPool(Lowering &l) {
  auto op = cast<rl::PoolOp>(l.op);
  std::optional<Windows> windows = makeWindows(op.getKernel(), op.getStrides(),
                                               op.getPads(), op.getDilations());
  RankedTensorType input = l.operandType(0);
  if (!windows || !input || op->getNumOperands() != 1 ||
      input.getRank() != int64_t(windows->rank()) + 2)
    return l.unsupported("a pool of this form");
  if (l.resultType().getNumElements() == 0 || input.getNumElements() == 0)
    return l.unsupported("a pool of nothing");
  if (l.attribute("layout") && l.text("layout", "") != "NCHW")
    return l.unsupported("a pool of another layout");
  Pool pool(l, *windows);
  if (l.kind() == "max")
    return pool.max();
  if (!isa<FloatType>(input.getElementType()))
    return l.unsupported("a pool of integers");
  return l.kind() == "lp" ? pool.lp() : pool.average();
}

} // namespace

void addPoolRules(RuleTable &table) { table["rl.pool"] = lowerPool; }

} // namespace roofline::lowering
