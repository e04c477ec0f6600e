//===- LowerNorm.cpp - norms ----------------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A norm is two sums over rows and a map: the mean, the variance about it, then
// elements less the mean, over the deviation. Statistics are kept in f32, or in
// f64 for elements of that type.
//
//===----------------------------------------------------------------------===//

#include "Norm.h"
#include "Reduce.h"
#include "Rules.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

/// Tensors of a norm by the dimensions they have: its own, those of its rows,
/// or those of a scale.
class Norm {
public:
  Norm(Lowering &l, Value input, ArrayRef<int64_t> axes)
      : l(l), input(input), axes(axes),
        type(cast<RankedTensorType>(input.getType())),
        element(accumulatorType(type.getElementType(), l.b)),
        all(l.b.getMultiDimIdentityMap(type.getRank())),
        row(withoutAxes(l.b, type.getRank(), axes)) {
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (llvm::is_contained(axes, i))
        count *= type.getDimSize(i);
      else
        rowShape.push_back(type.getDimSize(i));
  }

  Lowering &l;
  Value input;
  ArrayRef<int64_t> axes;
  RankedTensorType type;
  Type element;
  AffineMap all, row;
  double count = 1;
  SmallVector<int64_t> rowShape;

  RankedTensorType rowType() const {
    return RankedTensorType::get(rowShape, element);
  }

  /// Σ term(x, mean) / count; `mean` may be null.
  Value average(Value mean,
                llvm::function_ref<Value(Scalars &, Value, Value)> term) {
    Values inputs{input};
    SmallVector<AffineMap> maps{all};
    if (mean) {
      inputs.push_back(mean);
      maps.push_back(row);
    }
    maps.push_back(row);
    Value init = filledTensor(l, rowType(), scalar(l.b, l.loc, element, 0));
    Value sum = generic(
        l, inputs, init, maps, [&](OpBuilder &b, Location loc, ValueRange x) {
          Scalars s(b, loc, false);
          Value wide = widened(s, x[0], element);
          return s.add(x.back(), term(s, wide, mean ? x[1] : Value()));
        });
    return ofRow(sum, [&](Scalars &s, Value x) {
      return s.mul(x, s.like(x, 1 / count));
    });
  }

  Value mean() {
    return average({}, [](Scalars &, Value x, Value) { return x; });
  }
  Value variance(Value mean) {
    return average(mean, [](Scalars &s, Value x, Value mean) {
      Value apart = s.sub(x, mean);
      return s.mul(apart, apart);
    });
  }
  Value meanSquare() {
    return average({}, [](Scalars &s, Value x, Value) { return s.mul(x, x); });
  }

  Value ofRow(Value rows, llvm::function_ref<Value(Scalars &, Value)> body) {
    return mapElements(l, cast<RankedTensorType>(rows.getType()), rows,
                       [&](OpBuilder &b, Location loc, ValueRange x) {
                         Scalars s(b, loc, false);
                         return body(s, x[0]);
                       });
  }
  /// 1 / √(x + epsilon)
  Value inverseDeviation(Value variance, double epsilon) {
    return ofRow(variance, [&](Scalars &s, Value x) {
      return s.div(s.like(x, 1), s.sqrt(s.add(x, s.like(x, epsilon))));
    });
  }

  /// ((x − mean) · factor) · scale + shift: all but `factor` may be null.
  /// `affine` is how the scale and the shift are addressed.
  Value apply(Value mean, Value factor, Value scale, Value shift,
              AffineMap affine) {
    Values inputs{input};
    SmallVector<AffineMap> maps{all};
    auto take = [&](Value value, AffineMap map) {
      if (value) {
        inputs.push_back(value);
        maps.push_back(map);
      }
    };
    take(mean, row);
    take(factor, row);
    take(scale, affine);
    take(shift, affine);
    maps.push_back(all);
    return generic(l, inputs, emptyTensor(l, type), maps,
                   [&](OpBuilder &b, Location loc, ValueRange x) {
                     Scalars s(b, loc, false);
                     unsigned at = 0;
                     Value y = widened(s, x[at++], element);
                     if (mean)
                       y = s.sub(y, widened(s, x[at++], element));
                     if (factor)
                       y = s.mul(y, widened(s, x[at++], element));
                     if (scale)
                       y = s.mul(y, widened(s, x[at++], element));
                     if (shift)
                       y = s.add(y, widened(s, x[at++], element));
                     return s.cast(y, element, type.getElementType());
                   });
  }
};

/// The last dimensions of a tensor of rank `rank`, as many as `of` has; sizes
/// of 1 repeat.
AffineMap trailingMap(Builder &b, int64_t rank, RankedTensorType of,
                      RankedTensorType in) {
  SmallVector<AffineExpr> exprs;
  int64_t offset = rank - of.getRank();
  for (auto [i, size] : llvm::enumerate(of.getShape()))
    exprs.push_back(size == 1 && in.getDimSize(offset + i) != 1
                        ? b.getAffineConstantExpr(0)
                        : b.getAffineDimExpr(offset + i));
  return AffineMap::get(rank, 0, exprs, b.getContext());
}

/// The channel, the second dimension.
AffineMap channelMap(Builder &b, int64_t rank) {
  return AffineMap::get(rank, 0, b.getAffineDimExpr(1), b.getContext());
}

Ints from(int64_t first, int64_t rank) {
  return llvm::to_vector<4>(llvm::seq<int64_t>(first, rank));
}

int64_t normalized(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// Statistics as a result has them: with the reduced dimensions as 1.
Value asResult(Lowering &l, unsigned i, Value rows) {
  RankedTensorType type = l.resultType(i);
  Value cast = castElements(
      l, rows, mlir::cast<RankedTensorType>(rows.getType()).getElementType(),
      type.getElementType());
  return reshaped(l, cast, type);
}

/// Results by the node's numbers; false where one isn't there.
FailureOr<Values> pickResults(Lowering &l, ArrayRef<Value> byNumber) {
  Values results;
  for (unsigned i = 0; i < l.numResults(); ++i) {
    unsigned number = l.resultNumber(i);
    Value value = number < byNumber.size() ? byNumber[number] : Value();
    if (!value)
      return l.unsupported("it has result " + Twine(number));
    results.push_back(number == 0 || value.getType() == l.resultType(i)
                          ? value
                          : asResult(l, i, value));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Tensors of one shape, summed.
Value summed(Lowering &l, ArrayRef<Value> terms) {
  auto type = cast<RankedTensorType>(terms.front().getType());
  if (terms.size() == 1)
    return terms.front();
  return mapElements(l, type, terms,
                     [](OpBuilder &b, Location loc, ValueRange x) {
                       Scalars s(b, loc, false);
                       Value sum = x[0];
                       for (Value term : x.drop_front())
                         sum = s.add(sum, term);
                       return sum;
                     });
}

/// X, scale, bias; or with a skip connection X, skip, scale, (bias of the
/// norm,) bias of the sum.
FailureOr<Values> lowerRowNorm(Lowering &l) {
  bool layer = l.kind() == "layer";
  StringRef opType = l.opType();
  bool skip = opType.starts_with("Skip");
  if (!l.operand(0) ||
      (!skip && !llvm::is_contained({"LayerNormalization", "RMSNormalization",
                                     "SimplifiedLayerNormalization"},
                                    opType)))
    return l.unsupported("a norm of " + opType);
  Values terms{l.operand(0)};
  unsigned scaleAt = skip ? 2 : 1, shiftAt = scaleAt + 1;
  unsigned biasAt = layer ? 4 : 3;
  if (skip) {
    terms.push_back(l.operand(1));
    if (Value bias = l.operand(biasAt))
      terms.push_back(bias);
  }
  Value input = summed(l, terms);
  auto type = cast<RankedTensorType>(input.getType());
  int64_t rank = type.getRank();
  Ints axes =
      from(skip ? rank - 1 : normalized(l.integer("axis", -1), rank), rank);
  Norm norm(l, input, axes);
  Value scale = l.operand(scaleAt),
        shift = layer ? l.operand(shiftAt) : Value();
  Value mean = layer ? norm.mean() : Value();
  Value square = layer ? norm.variance(mean) : norm.meanSquare();
  Value inverse =
      norm.inverseDeviation(square, l.real("epsilon", skip ? 1e-12 : 1e-5));
  Value parameter = scale ? scale : shift;
  AffineMap affine;
  if (parameter)
    affine = trailingMap(l.b, rank, cast<RankedTensorType>(parameter.getType()),
                         type);
  if (scale && shift && scale.getType() != shift.getType())
    return l.unsupported("a scale and a bias of two shapes");
  return pickResults(l, {norm.apply(mean, inverse, scale, shift, affine), mean,
                         inverse, input});
}

/// Over all but batch and channel.
FailureOr<Values> lowerInstanceNorm(Lowering &l) {
  Value input = l.operand(0);
  int64_t rank = l.operandType(0).getRank();
  Ints axes = from(2, rank);
  Norm norm(l, input, axes);
  Value mean = norm.mean();
  Value inverse =
      norm.inverseDeviation(norm.variance(mean), l.real("epsilon", 1e-5));
  return Values{norm.apply(mean, inverse, l.operand(1), l.operand(2),
                           channelMap(l.b, rank))};
}

/// Channels in groups: N x C as N x G x C/G. A scale has one element a channel,
/// or in its first version one a group.
FailureOr<Values> lowerGroupNorm(Lowering &l) {
  RankedTensorType type = l.operandType(0);
  int64_t groups = l.integer("num_groups", 1);
  if (l.opType() != "GroupNormalization" || type.getRank() < 2 || groups < 1 ||
      type.getDimSize(1) % groups != 0)
    return l.unsupported("a norm of groups of this form");
  int64_t inner = type.getDimSize(1) / groups;
  SmallVector<int64_t> shape{type.getDimSize(0), groups, inner};
  llvm::append_range(shape, type.getShape().drop_front(2));
  auto grouped = RankedTensorType::get(shape, type.getElementType());
  int64_t rank = shape.size();
  Ints axes = from(2, rank);
  Norm norm(l, reshaped(l, l.operand(0), grouped), axes);
  Value parameters[2];
  AffineMap affine;
  for (unsigned i : {0, 1}) {
    Value value = l.operand(i + 1);
    auto own =
        value ? cast<RankedTensorType>(value.getType()) : RankedTensorType();
    if (!own || own.getRank() != 1)
      return l.unsupported("a norm of groups without scale or bias");
    bool perChannel = own.getDimSize(0) == groups * inner;
    parameters[i] = perChannel
                        ? reshaped(l, value,
                                   RankedTensorType::get({groups, inner},
                                                         own.getElementType()))
                        : value;
    affine = AffineMap::get(rank, 0,
                            perChannel
                                ? ArrayRef<AffineExpr>{l.b.getAffineDimExpr(1),
                                                       l.b.getAffineDimExpr(2)}
                                : ArrayRef<AffineExpr>{l.b.getAffineDimExpr(1)},
                            l.b.getContext());
  }
  Value mean = norm.mean();
  Value inverse =
      norm.inverseDeviation(norm.variance(mean), l.real("epsilon", 1e-5));
  return Values{reshaped(
      l, norm.apply(mean, inverse, parameters[0], parameters[1], affine),
      type)};
}

/// (x − mean) / (deviation + 1e-9)
FailureOr<Values> lowerMeanVarianceNorm(Lowering &l) {
  int64_t rank = l.operandType(0).getRank();
  Ints axes = l.integers("axes").value_or(Ints{0, 2, 3});
  for (int64_t &axis : axes) {
    axis = normalized(axis, rank);
    if (axis < 0 || axis >= rank)
      return l.unsupported("an axis that the tensor doesn't have");
  }
  Norm norm(l, l.operand(0), axes);
  Value mean = norm.mean();
  Value inverse = norm.ofRow(norm.variance(mean), [](Scalars &s, Value x) {
    return s.div(s.like(x, 1), s.add(s.sqrt(x), s.like(x, 1e-9)));
  });
  return Values{norm.apply(mean, inverse, {}, {}, {})};
}

/// x over its row's norm; a row of zeros stays.
FailureOr<Values> lowerLpNorm(Lowering &l) {
  int64_t rank = l.operandType(0).getRank(), p = l.integer("p", 2);
  Ints axes{normalized(l.integer("axis", -1), rank)};
  if ((p != 1 && p != 2) || axes[0] < 0 || axes[0] >= rank)
    return l.unsupported("a norm of this form");
  Norm norm(l, l.operand(0), axes);
  Value sum = reduceTo(
      l, norm.input, axes, norm.element,
      [](Scalars &s, Type type) { return s.number(type, 0); },
      [&](Scalars &s, Value x, Value acc) {
        return s.add(acc, p == 1 ? s.abs(x) : s.mul(x, x));
      },
      false);
  Value factor = norm.ofRow(sum, [&](Scalars &s, Value x) {
    Value size = p == 1 ? x : s.sqrt(x);
    Value zero = s.like(x, 0);
    return s.select(s.equal(size, zero), zero, s.div(s.like(x, 1), size));
  });
  return Values{norm.apply({}, factor, {}, {}, {})};
}

//===----------------------------------------------------------------------===//
// Batches and channels
//===----------------------------------------------------------------------===//

/// old · momentum + new · (1 − momentum)
Value runningStatistic(Lowering &l, Value old, Value now, double momentum) {
  auto type = cast<RankedTensorType>(old.getType());
  return mapElements(
      l, type, {old, now}, [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        Type wide = x[1].getType();
        Value kept = s.mul(widened(s, x[0], wide), s.like(x[1], momentum));
        Value added = s.mul(x[1], s.like(x[1], 1 - momentum));
        return s.cast(s.add(kept, added), wide, type.getElementType());
      });
}

/// X, scale, bias, mean, variance; in training the batch's own statistics.
FailureOr<Values> lowerBatchNorm(Lowering &l) {
  RankedTensorType type = l.operandType(0);
  bool training = l.integer("training_mode", 0);
  if (type.getRank() < 2 || !l.operand(4) || (l.numResults() > 1 && !training))
    return l.unsupported("a batch norm of this form");
  int64_t rank = type.getRank();
  Ints axes = from(1, rank);
  axes[0] = 0;
  Norm norm(l, l.operand(0), axes);
  Value mean = l.operand(3), variance = l.operand(4);
  Value runningMean, runningVariance;
  if (training) {
    double momentum = l.real("momentum", 0.9);
    Value own = norm.mean(), ownVariance = norm.variance(own);
    runningMean = runningStatistic(l, mean, own, momentum);
    runningVariance = runningStatistic(l, variance, ownVariance, momentum);
    mean = own;
    variance = ownVariance;
  }
  Value wide = castElements(
      l, variance, cast<RankedTensorType>(variance.getType()).getElementType(),
      norm.element);
  Value inverse = norm.inverseDeviation(wide, l.real("epsilon", 1e-5));
  return pickResults(l, {norm.apply(mean, inverse, l.operand(1), l.operand(2),
                                    channelMap(l.b, rank)),
                         runningMean, runningVariance});
}

/// By 3/4, as every model has it, two roots: a power of a vector is a call of
/// libm for each element.
Value responsePower(Scalars &s, Value base, double beta) {
  if (beta != 0.75)
    return s.pow(base, s.like(base, beta));
  Value root = s.sqrt(base);
  return s.mul(root, s.sqrt(root));
}

/// x / (bias + alpha/size · Σ x² of `size` channels around)^beta
FailureOr<Values> lowerLocalResponse(Lowering &l) {
  RankedTensorType type = l.operandType(0);
  int64_t size = l.integer("size", 1), rank = type.getRank();
  if (rank < 2 || size < 1)
    return l.unsupported("a norm of this form");
  Type element = accumulatorType(type.getElementType(), l.b);
  auto wide = RankedTensorType::get(type.getShape(), element);
  Value padded = paddedTensor(l, l.operand(0), 1, (size - 1) / 2, size / 2,
                              scalar(l.b, l.loc, type.getElementType(), 0));
  // Loops: the result's, then the window.
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < rank; ++i)
    exprs.push_back(l.b.getAffineDimExpr(i));
  AffineMap result = AffineMap::get(rank + 1, 0, exprs, l.b.getContext());
  exprs[1] = exprs[1] + l.b.getAffineDimExpr(rank);
  AffineMap window =
      AffineMap::get(rank + 1, 0, l.b.getAffineDimExpr(rank), l.b.getContext());
  AffineMap input = AffineMap::get(rank + 1, 0, exprs, l.b.getContext());
  Value taps = emptyTensor(l, RankedTensorType::get({size}, element));
  Value init = filledTensor(l, wide, scalar(l.b, l.loc, element, 0));
  Value sums = generic(l, {padded, taps}, init, {input, window, result},
                       [&](OpBuilder &b, Location loc, ValueRange x) {
                         Scalars s(b, loc, false);
                         Value y = widened(s, x[0], element);
                         return s.add(x[2], s.mul(y, y));
                       });
  double alpha = l.real("alpha", 1e-4) / double(size);
  return Values{mapElements(
      l, type, {l.operand(0), sums},
      [&](OpBuilder &b, Location loc, ValueRange x) {
        Scalars s(b, loc, false);
        Value base = s.add(s.like(x[1], l.real("bias", 1)),
                           s.mul(s.like(x[1], alpha), x[1]));
        Value divisor = responsePower(s, base, l.real("beta", 0.75));
        Value y = s.div(widened(s, x[0], element), divisor);
        return s.cast(y, element, type.getElementType());
      })};
}

template <Rule rule> FailureOr<Values> overReals(Lowering &l) {
  if (!l.operand(0) || !isa<FloatType>(l.operandType(0).getElementType()))
    return l.unsupported("a norm of elements that aren't real");
  return rule(l);
}

} // namespace

Value layerNorm(Lowering &l, Value input, Value scale, Value shift,
                double epsilon) {
  auto type = cast<RankedTensorType>(input.getType());
  int64_t rank = type.getRank();
  Ints axes{rank - 1};
  Norm norm(l, input, axes);
  Value mean = norm.mean();
  AffineMap affine =
      AffineMap::get(rank, 0, l.b.getAffineDimExpr(rank - 1), l.b.getContext());
  return norm.apply(mean, norm.inverseDeviation(norm.variance(mean), epsilon),
                    scale, shift, affine);
}

void addNormRules(RuleTable &table) {
  table["rl.norm:layer"] = overReals<lowerRowNorm>;
  table["rl.norm:rms"] = overReals<lowerRowNorm>;
  table["rl.norm:instance"] = overReals<lowerInstanceNorm>;
  table["rl.norm:group"] = overReals<lowerGroupNorm>;
  table["rl.norm:mean_variance"] = overReals<lowerMeanVarianceNorm>;
  table["rl.norm:lp"] = overReals<lowerLpNorm>;
  table["rl.norm:batch"] = overReals<lowerBatchNorm>;
  table["rl.norm:local_response"] = overReals<lowerLocalResponse>;
}

} // namespace roofline::lowering
