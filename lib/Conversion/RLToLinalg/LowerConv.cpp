//===- LowerConv.cpp - convolutions ---------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions, plain and transposed, with integers' zero points, an epilogue
// or a quantized result: what is around the sums of products (Conv.h).
//
//===----------------------------------------------------------------------===//

#include "Activations.h"
#include "Conv.h"
#include "Quantized.h"
#include "Reduce.h"
#include "Rules.h"
#include "Slices.h"

using namespace mlir;

namespace roofline::lowering {
namespace {

//===----------------------------------------------------------------------===//
// What comes of the sums
//===----------------------------------------------------------------------===//

/// Adds a bias of the channels and, where there is one, a tensor; then the
/// node's activation.
FailureOr<Value> withEpilogue(Lowering &l, Value sums, Value bias,
                              Value addend) {
  RankedTensorType wide = typeOf(sums);
  Type element = wide.getElementType();
  auto type =
      RankedTensorType::get(wide.getShape(), l.resultType().getElementType());
  Values inputs{sums};
  if (bias)
    inputs.push_back(alongAxis(l, bias, 1, type.getRank()));
  if (addend)
    inputs.push_back(addend);
  StringRef activation = l.text("activation", "");
  std::optional<Activation> function =
      activationOf(activation, l.attribute("activation_params"));
  if (!activation.empty() && !function)
    return l.unsupported("an activation '" + activation + "'");
  if (inputs.size() == 1 && wide == type && !function)
    return sums;
  return mapElements(l, type, inputs,
                     [&](OpBuilder &b, Location loc, ValueRange x) {
                       Scalars s(b, loc, false);
                       Value y = x[0];
                       for (Value other : x.drop_front())
                         y = s.add(y, widened(s, other, element));
                       if (function)
                         y = activate(s, *function, y);
                       return s.cast(y, element, type.getElementType());
                     });
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

/// Operands of the ops that are convolutions, by number.
struct Form {
  unsigned filter = 1;
  int bias = 2, addend = -1;
  int inputZero = -1, filterZero = -1;
  bool quantized = false; ///< the result, too
};

std::optional<Form> formOf(StringRef opType) {
  if (opType == "Conv" || opType == "ConvTranspose")
    return Form();
  if (opType == "FusedConv")
    return Form{1, 2, 3};
  if (opType == "ConvInteger")
    return Form{1, -1, -1, 2, 3};
  if (opType == "QLinearConv")
    return Form{3, 8, -1, 2, 5, true};
  return std::nullopt;
}

Value sumOfProducts(Lowering &l, const Form &form, const Windows &windows,
                    const ConvSizes &sizes, Value input, Value filter) {
  Type element = accumulatorType(typeOf(input).getElementType(), l.b);
  bool shifted = form.inputZero >= 0;
  Value zero = scalar(l.b, l.loc, typeOf(input).getElementType(), 0);
  input = paddedForWindows(l, input, windows, sizes.positions, zero);
  PlainConvOptions options;
  options.inputUnsigned = !shifted && l.isUnsigned(0);
  options.filterUnsigned = !shifted && l.isUnsigned(form.filter);
  return plainConv(l, windows, sizes, input, filter, element, options);
}

FailureOr<Values> lowerConv(Lowering &l) {
  auto op = cast<rl::ConvOp>(l.op);
  std::optional<Form> form = formOf(l.opType());
  if (!form || l.numResults() != 1)
    return l.unsupported("a convolution of this kind");
  Value input = l.operand(0), filter = l.operand(form->filter);
  if (!input || !filter || typeOf(input).getRank() < 3 ||
      typeOf(input).getRank() != typeOf(filter).getRank())
    return l.unsupported("a convolution without input or filter");
  RankedTensorType type = l.resultType();
  std::optional<Windows> windows =
      makeWindows(typeOf(filter).getShape().drop_front(2), op.getStrides(),
                  op.getPads(), op.getDilations());
  int64_t groups = op.getGroup(), channels = typeOf(input).getDimSize(1);
  if (!windows || channels % groups != 0 || type.getDimSize(1) % groups != 0)
    return l.unsupported("a convolution of these windows or groups");
  if (typeOf(input).getNumElements() == 0 || type.getNumElements() == 0)
    return l.unsupported("a convolution of nothing");
  ConvSizes sizes{typeOf(input).getDimSize(0), groups, channels / groups,
                  type.getDimSize(1) / groups,
                  Ints(type.getShape().drop_front(2))};
  auto operand = [&](int i) { return i >= 0 ? l.operand(i) : Value(); };
  if (form->inputZero >= 0) {
    Type i32 = l.b.getI32Type();
    input = withoutZeroPoint(l, 0, form->inputZero, i32, 1);
    filter = withoutZeroPoint(l, form->filter, form->filterZero, i32, 0);
  }
  auto finish = [&](Value sums) {
    return withEpilogue(l, sums, operand(form->bias), operand(form->addend));
  };
  if (op.getTransposed()) {
    FailureOr<Value> result =
        transposedConv(l, *windows, sizes, input, filter, finish);
    return failed(result) ? FailureOr<Values>() : Values{*result};
  }
  Value sums = sumOfProducts(l, *form, *windows, sizes, input, filter);
  if (!form->quantized) {
    FailureOr<Value> result = finish(sums);
    return failed(result) ? FailureOr<Values>() : Values{*result};
  }
  if (Value bias = operand(form->bias))
    sums = mapElements(l, typeOf(sums),
                       {sums, alongAxis(l, bias, 1, type.getRank())},
                       [](OpBuilder &b, Location loc, ValueRange x) {
                         return Scalars(b, loc, false).add(x[0], x[1]);
                       });
  return Values{
      requantized(l, sums,
                  {l.operand(1), alongAxis(l, l.operand(4), 1, type.getRank()),
                   l.operand(6), l.operand(7)})};
}

} // namespace

void addConvRules(RuleTable &table) { table["rl.conv"] = lowerConv; }

} // namespace roofline::lowering
