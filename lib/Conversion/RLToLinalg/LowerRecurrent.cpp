//===- LowerRecurrent.cpp - LSTM, GRU, RNN --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input's products with the weights are one product for all steps. A loop
// over the steps then multiplies the hidden state, and maps the gates to the
// next one. Gates stand as batch x gate x hidden, so that a map reads each by
// its number.
//
//===----------------------------------------------------------------------===//

#include "Activations.h"
#include "Reduce.h"
#include "Rules.h"
#include "Slices.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

/// A tensor and how a map over batch x hidden reads it.
struct Term {
  Value tensor;
  AffineMap map;
};

/// What differs between directions.
struct Direction {
  int64_t number;
  bool backwards;
  Value recurrent;  ///< gates · hidden x hidden, perhaps turned
  Value peepholes;  ///< 3 x hidden
  Value projected;  ///< steps x batch x gates x hidden, with biases
  Value hiddenBias; ///< gates x hidden: R's, where it stays apart
  SmallVector<Activation, 3> functions;
};

struct State {
  Value hidden, cell; ///< batch x hidden; cell of an LSTM only
};

class Recurrence {
public:
  explicit Recurrence(Lowering &l) : l(l) {}
  FailureOr<Values> run();

private:
  LogicalResult readShape();
  FailureOr<Direction> readDirection(int64_t number);
  LogicalResult readActivations(Direction &direction);
  Value project(const Direction &direction, Value bias);
  State initialState(const Direction &direction);
  /// All steps of a direction; `y` holds all hidden states.
  State runDirection(const Direction &direction, Value &y);
  State step(const Direction &direction, const State &state, Value projected);
  State stepLSTM(const Direction &, const State &, Value projected);
  State stepGRU(const Direction &, const State &, Value projected);
  State stepRNN(const Direction &, const State &, Value projected);
  /// `now` where step `at` is inside the sequence, else `otherwise` (0).
  Value masked(Value at, Value now, Value otherwise);

  // --- Tensors ---------------------------------------------------------------
  RankedTensorType type(ArrayRef<int64_t> shape) const {
    return RankedTensorType::get(shape, element);
  }
  Value wide(Value tensor) {
    return castElements(l, tensor, typeOf(tensor).getElementType(), element);
  }
  /// Part `number` of the first dimension, as another shape.
  Value part(Value tensor, int64_t number, ArrayRef<int64_t> shape) {
    SmallVector<int64_t> offsets(typeOf(tensor).getRank()),
        sizes(typeOf(tensor).getShape());
    offsets[0] = number;
    sizes[0] = 1;
    return reshaped(l, sliced(l, tensor, offsets, sizes),
                    withShape(typeOf(tensor), shape));
  }
  /// x (m x k) times w (n x k, or turned k x n), as m x n.
  Value product(Value x, Value w, bool isTurned);
  /// The hidden state's products with `count` gates' weights from `first` on,
  /// as batch x gates x hidden.
  Value hiddenProduct(const Direction &direction, Value hidden, int64_t first,
                      int64_t count);
  /// A product of few rows reads its second factor as it lies, if that is in
  /// the order of the results: turned once, it needn't be in each step.
  bool turnsWeights() const { return steps > 1 && batch > 1; }

  AffineMap map(ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(2, 0, exprs, l.b.getContext());
  }
  AffineExpr dim(unsigned i) { return l.b.getAffineDimExpr(i); }
  Term plain(Value tensor) { return {tensor, map({dim(0), dim(1)})}; }
  Term gate(Value tensor, int64_t number) {
    return {tensor, map({dim(0), l.b.getAffineConstantExpr(number), dim(1)})};
  }
  Term row(Value tensor, int64_t number) {
    return {tensor, map({l.b.getAffineConstantExpr(number), dim(1)})};
  }
  Value combine(ArrayRef<Term> terms,
                llvm::function_ref<Value(Scalars &, ValueRange)> body);
  Value clipped(Scalars &s, Value x) {
    if (!l.attribute("clip"))
      return x;
    double bound = l.real("clip", 0);
    return s.min(s.max(x, s.like(x, -bound)), s.like(x, bound));
  }
  Value active(Scalars &s, const Activation &function, Value x) {
    return activate(s, function, clipped(s, x));
  }

  Lowering &l;
  Type element;
  int64_t steps = 0, batch = 0, inputs = 0, size = 0, directions = 1, gates = 1;
  bool batchFirst = false, resetAfter = false;
  Value x, w, r, biases, lengths;
};

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

LogicalResult Recurrence::readShape() {
  if (!llvm::is_contained({"LSTM", "GRU", "RNN"}, l.opType()) ||
      !l.operand(0) || !l.operand(1) || !l.operand(2))
    return l.unsupported("a recurrence of this kind");
  RankedTensorType input = l.operandType(0), weights = l.operandType(1);
  RankedTensorType recurrent = l.operandType(2);
  if (input.getRank() != 3 || weights.getRank() != 3 ||
      recurrent.getRank() != 3 || !isa<FloatType>(input.getElementType()))
    return l.unsupported("a recurrence of these shapes");
  element = accumulatorType(input.getElementType(), l.b);
  batchFirst = l.integer("layout", 0) == 1;
  steps = input.getDimSize(batchFirst ? 1 : 0);
  batch = input.getDimSize(batchFirst ? 0 : 1);
  inputs = input.getDimSize(2);
  directions = weights.getDimSize(0);
  size = recurrent.getDimSize(2);
  gates = l.kind() == "lstm" ? 4 : l.kind() == "gru" ? 3 : 1;
  bool fits = weights.getDimSize(1) == gates * size &&
              recurrent.getDimSize(1) == gates * size &&
              weights.getDimSize(2) == inputs &&
              recurrent.getDimSize(0) == directions;
  StringRef way = l.text("direction", "forward");
  if (!fits || steps < 1 || batch < 1 ||
      directions != (way == "bidirectional" ? 2 : 1))
    return l.unsupported("a recurrence of these sizes");
  resetAfter = l.kind() == "gru" && l.integer("linear_before_reset", 0);
  x = wide(l.operand(0));
  if (batchFirst)
    x = transposed(l, x, {1, 0, 2});
  w = wide(l.operand(1));
  r = wide(l.operand(2));
  biases = l.operand(3) ? wide(l.operand(3)) : Value();
  lengths = l.operand(4);
  return success();
}

/// Alphas and betas are listed for those functions that take any, in order.
LogicalResult Recurrence::readActivations(Direction &direction) {
  StringRef defaults[] = {"sigmoid", "tanh", "tanh"};
  size_t count = gates == 4 ? 3 : gates == 3 ? 2 : 1;
  auto names = dyn_cast_or_null<ArrayAttr>(l.attribute("activations"));
  if (names && names.size() != count * directions)
    return l.unsupported("a number of activations that doesn't fit");
  auto reals = [&](StringRef name) -> ArrayRef<float> {
    auto list = dyn_cast_or_null<DenseF32ArrayAttr>(l.attribute(name));
    return list ? list.asArrayRef() : ArrayRef<float>();
  };
  ArrayRef<float> alphas = reals("activation_alpha"),
                  betas = reals("activation_beta");
  SmallVector<Activation, 6> all;
  for (size_t i = 0; i < count * directions; ++i) {
    StringRef name = count == 1 ? "tanh" : defaults[i % count];
    if (names)
      name = cast<StringAttr>(names[i]).getValue();
    std::optional<Activation> function = activationOf(name);
    if (!function)
      return l.unsupported("an activation '" + name + "'");
    auto take = [&](ArrayRef<float> &list, ArrayRef<StringRef> takers,
                    double &value) {
      if (list.empty() || !llvm::is_contained(takers, function->name))
        return;
      value = list.front();
      list = list.drop_front();
    };
    take(alphas,
         {"affine", "leakyrelu", "thresholdedrelu", "scaledtanh", "hardsigmoid",
          "elu"},
         function->alpha);
    take(betas, {"affine", "scaledtanh", "hardsigmoid"}, function->beta);
    all.push_back(*function);
  }
  ArrayRef<Activation> own =
      ArrayRef(all).slice(direction.number * count, count);
  direction.functions.assign(own.begin(), own.end());
  return success();
}

FailureOr<Direction> Recurrence::readDirection(int64_t number) {
  Direction result;
  result.number = number;
  result.backwards = number == 1 || l.text("direction", "") == "reverse";
  if (failed(readActivations(result)))
    return failure();
  result.recurrent = part(r, number, {gates * size, size});
  if (turnsWeights())
    result.recurrent = transposed(l, result.recurrent, {1, 0});
  if (Value peepholes = l.operand(7))
    result.peepholes = part(wide(peepholes), number, {3, size});
  Value bias;
  if (biases)
    bias = part(biases, number, {2, gates, size});
  if (bias && resetAfter)
    result.hiddenBias = part(bias, 1, {gates, size});
  result.projected = project(result, bias);
  return result;
}

/// X · Wᵀ of all steps, with the biases that are only added: all of them, but
/// for what a reset gate scales.
Value Recurrence::project(const Direction &direction, Value bias) {
  Value rows = reshaped(l, x, type({steps * batch, inputs}));
  Value weights = part(w, direction.number, {gates * size, inputs});
  Value all = reshaped(l, product(rows, weights, /*isTurned=*/false),
                       type({steps * batch, gates, size}));
  if (bias) {
    Values terms{all, part(bias, 0, {gates, size})};
    if (!resetAfter)
      terms.push_back(part(bias, 1, {gates, size}));
    all = mapElements(l, typeOf(all), terms,
                      [](OpBuilder &b, Location loc, ValueRange x) {
                        Scalars s(b, loc, false);
                        Value bias = x.size() > 2 ? s.add(x[1], x[2]) : x[1];
                        return s.add(x[0], bias);
                      });
  }
  return reshaped(l, all, type({steps, batch, gates, size}));
}

State Recurrence::initialState(const Direction &direction) {
  auto read = [&](unsigned i) -> Value {
    Value given = l.operand(i);
    if (!given)
      return filledTensor(l, type({batch, size}),
                          scalar(l.b, l.loc, element, 0));
    given = wide(given);
    if (batchFirst)
      given = transposed(l, given, {1, 0, 2});
    return part(given, direction.number, {batch, size});
  };
  return {read(5), gates == 4 ? read(6) : Value()};
}

//===----------------------------------------------------------------------===//
// Parts of a step
//===----------------------------------------------------------------------===//

Value Recurrence::product(Value x, Value w, bool isTurned) {
  int64_t m = typeOf(x).getDimSize(0), n = typeOf(w).getDimSize(isTurned);
  auto map = [&](unsigned i, unsigned j) {
    return AffineMap::get(3, 0, {dim(i), dim(j)}, l.b.getContext());
  };
  Value zero = filledTensor(l, type({m, n}), scalar(l.b, l.loc, element, 0));
  AffineMap ofW = isTurned ? map(2, 1) : map(1, 2);
  return generic(l, {x, w}, zero, {map(0, 2), ofW, map(0, 1)},
                 [](OpBuilder &b, Location loc, ValueRange x) {
                   Scalars s(b, loc, false);
                   return s.add(x[2], s.mul(x[0], x[1]));
                 });
}

Value Recurrence::hiddenProduct(const Direction &direction, Value hidden,
                                int64_t first, int64_t count) {
  Value weights = direction.recurrent;
  if (count < gates) {
    SmallVector<int64_t> offsets{first * size, 0}, sizes{count * size, size};
    if (turnsWeights()) {
      std::swap(offsets[0], offsets[1]);
      std::swap(sizes[0], sizes[1]);
    }
    weights = sliced(l, weights, offsets, sizes);
  }
  return reshaped(l, product(hidden, weights, turnsWeights()),
                  type({batch, count, size}));
}

Value Recurrence::combine(
    ArrayRef<Term> terms,
    llvm::function_ref<Value(Scalars &, ValueRange)> body) {
  Values inputs;
  SmallVector<AffineMap> maps;
  for (const Term &term : terms) {
    inputs.push_back(term.tensor);
    maps.push_back(term.map);
  }
  maps.push_back(map({dim(0), dim(1)}));
  return generic(l, inputs, emptyTensor(l, type({batch, size})), maps,
                 [&](OpBuilder &b, Location loc, ValueRange x) {
                   Scalars s(b, loc, false);
                   return body(s, x.drop_back());
                 });
}

Value Recurrence::masked(Value at, Value now, Value otherwise) {
  SmallVector<Term> terms{plain(now), {lengths, map({dim(0)})}};
  if (otherwise)
    terms.push_back(plain(otherwise));
  return combine(terms, [&](Scalars &s, ValueRange x) {
    Value here = arith::IndexCastOp::create(s.b, s.loc, x[1].getType(), at);
    return s.select(s.less(here, x[1]), x[0],
                    otherwise ? x[2] : s.like(x[0], 0));
  });
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

State Recurrence::stepRNN(const Direction &d, const State &state,
                          Value projected) {
  Value hidden = hiddenProduct(d, state.hidden, 0, 1);
  return {combine({gate(projected, 0), gate(hidden, 0)},
                  [&](Scalars &s, ValueRange x) {
                    return active(s, d.functions[0], s.add(x[0], x[1]));
                  }),
          {}};
}

/// Gates: input, output, forget, cell.
State Recurrence::stepLSTM(const Direction &d, const State &state,
                           Value projected) {
  Value hidden = hiddenProduct(d, state.hidden, 0, 4);
  const Activation &f = d.functions[0], &g = d.functions[1],
                   &h = d.functions[2];
  bool coupled = l.integer("input_forget", 0);
  SmallVector<Term> terms{plain(state.cell)};
  for (int64_t number : {0, 2, 3}) {
    terms.push_back(gate(projected, number));
    terms.push_back(gate(hidden, number));
  }
  if (d.peepholes) {
    terms.push_back(row(d.peepholes, 0));
    terms.push_back(row(d.peepholes, 2));
  }
  Value cell = combine(terms, [&](Scalars &s, ValueRange x) {
    Value old = x[0];
    auto sum = [&](unsigned i, unsigned peephole) {
      Value value = s.add(x[i], x[i + 1]);
      return d.peepholes && peephole ? s.add(value, s.mul(x[peephole], old))
                                     : value;
    };
    Value in = active(s, f, sum(1, 7));
    Value forget = coupled ? s.sub(s.like(in, 1), in) : active(s, f, sum(3, 8));
    return s.add(s.mul(forget, old), s.mul(in, active(s, g, sum(5, 0))));
  });
  SmallVector<Term> outs{gate(projected, 1), gate(hidden, 1), plain(cell)};
  if (d.peepholes)
    outs.push_back(row(d.peepholes, 1));
  Value next = combine(outs, [&](Scalars &s, ValueRange x) {
    Value value = s.add(x[0], x[1]);
    if (d.peepholes)
      value = s.add(value, s.mul(x[3], x[2]));
    return s.mul(active(s, f, value), activate(s, h, x[2]));
  });
  return {next, cell};
}

/// Gates: update, reset, hidden.
State Recurrence::stepGRU(const Direction &d, const State &state,
                          Value projected) {
  const Activation &f = d.functions[0], &g = d.functions[1];
  Value hidden, candidate; // of the first gates, of the last
  if (resetAfter) {
    hidden = candidate = hiddenProduct(d, state.hidden, 0, 3);
  } else {
    hidden = hiddenProduct(d, state.hidden, 0, 2);
  }
  auto gateOf = [&](int64_t number) {
    SmallVector<Term> terms{gate(projected, number), gate(hidden, number)};
    if (d.hiddenBias)
      terms.push_back(row(d.hiddenBias, number));
    return combine(terms, [&](Scalars &s, ValueRange x) {
      Value sum = s.add(x[0], x[1]);
      return active(s, f, x.size() > 2 ? s.add(sum, x[2]) : sum);
    });
  };
  Value update = gateOf(0), reset = gateOf(1);
  int64_t last = 2;
  if (!resetAfter) {
    Value scaled =
        combine({plain(reset), plain(state.hidden)},
                [](Scalars &s, ValueRange x) { return s.mul(x[0], x[1]); });
    candidate = hiddenProduct(d, scaled, 2, 1);
    last = 0;
  }
  SmallVector<Term> terms{plain(update), plain(state.hidden),
                          gate(projected, 2), gate(candidate, last)};
  if (resetAfter)
    terms.push_back(plain(reset));
  if (d.hiddenBias)
    terms.push_back(row(d.hiddenBias, 2));
  return {combine(terms,
                  [&](Scalars &s, ValueRange x) {
                    Value inner = x[3];
                    if (d.hiddenBias)
                      inner = s.add(inner, x[5]);
                    if (resetAfter)
                      inner = s.mul(x[4], inner);
                    Value now = active(s, g, s.add(x[2], inner));
                    Value kept = s.mul(x[0], x[1]);
                    return s.add(s.mul(s.sub(s.like(now, 1), x[0]), now), kept);
                  }),
          {}};
}

State Recurrence::step(const Direction &direction, const State &state,
                       Value projected) {
  if (gates == 4)
    return stepLSTM(direction, state, projected);
  return gates == 3 ? stepGRU(direction, state, projected)
                    : stepRNN(direction, state, projected);
}

State Recurrence::runDirection(const Direction &d, Value &y) {
  State initial = initialState(d);
  Values carried{initial.hidden, y};
  if (initial.cell)
    carried.push_back(initial.cell);
  auto index = [&](int64_t i) { return indexValue(l.b, l.loc, i); };
  auto loop =
      scf::ForOp::create(l.b, l.loc, index(0), index(steps), index(1), carried);
  OpBuilder::InsertionGuard guard(l.b);
  Block *body = loop.getBody();
  if (!body->empty())
    body->back().erase(); // a builder may have ended it
  l.b.setInsertionPointToEnd(body);
  ValueRange now = loop.getRegionIterArgs();
  State state{now[0], initial.cell ? now[2] : Value()};
  Value at = loop.getInductionVar();
  if (d.backwards)
    at = arith::SubIOp::create(l.b, l.loc, index(steps - 1), at);
  auto fixed = [&](int64_t i) { return l.b.getIndexAttr(i); };
  SmallVector<OpFoldResult> ones(4, fixed(1));
  Value projected = tensor::ExtractSliceOp::create(
      l.b, l.loc, type({batch, gates, size}), d.projected,
      ArrayRef<OpFoldResult>{at, fixed(0), fixed(0), fixed(0)},
      ArrayRef<OpFoldResult>{fixed(1), fixed(batch), fixed(gates), fixed(size)},
      ones);
  State next = step(d, state, projected);
  Value shown = next.hidden;
  if (lengths) {
    shown = masked(at, next.hidden, {});
    next.hidden = masked(at, next.hidden, state.hidden);
    if (next.cell)
      next.cell = masked(at, next.cell, state.cell);
  }
  Value whole = tensor::InsertSliceOp::create(
      l.b, l.loc, shown, now[1],
      ArrayRef<OpFoldResult>{at, fixed(d.number), fixed(0), fixed(0)},
      ArrayRef<OpFoldResult>{fixed(1), fixed(1), fixed(batch), fixed(size)},
      ones);
  Values yielded{next.hidden, whole};
  if (next.cell)
    yielded.push_back(next.cell);
  if (steps > 1) // else it comes to be no loop
    for (auto [value, before] : llvm::zip(yielded, now))
      value = carriedOn(l, value, before);
  scf::YieldOp::create(l.b, l.loc, yielded);
  y = loop.getResult(1);
  return {loop.getResult(0), initial.cell ? loop.getResult(2) : Value()};
}

FailureOr<Values> Recurrence::run() {
  if (failed(readShape()))
    return failure();
  Value y = emptyTensor(l, type({steps, directions, batch, size}));
  auto states = type({directions, batch, size});
  Value hidden = emptyTensor(l, states), cell = emptyTensor(l, states);
  for (int64_t i = 0; i < directions; ++i) {
    FailureOr<Direction> direction = readDirection(i);
    if (failed(direction))
      return failure();
    State last = runDirection(*direction, y);
    auto one = type({1, batch, size});
    hidden = inserted(l, reshaped(l, last.hidden, one), hidden, {i, 0, 0});
    if (last.cell)
      cell = inserted(l, reshaped(l, last.cell, one), cell, {i, 0, 0});
  }
  Values results;
  for (unsigned i = 0; i < l.numResults(); ++i) {
    unsigned number = l.resultNumber(i);
    Value result = number == 0 ? y : number == 1 ? hidden : cell;
    if (batchFirst)
      result = transposed(l, result,
                          number == 0 ? ArrayRef<int64_t>{2, 0, 1, 3}
                                      : ArrayRef<int64_t>{1, 0, 2});
    results.push_back(
        castElements(l, result, element, l.resultType(i).getElementType()));
  }
  return results;
}

FailureOr<Values> lowerRecurrent(Lowering &l) { return Recurrence(l).run(); }

} // namespace

void addRecurrentRules(RuleTable &table) {
  table["rl.recurrent"] = lowerRecurrent;
}

} // namespace roofline::lowering
