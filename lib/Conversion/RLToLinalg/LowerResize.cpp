//===- LowerResize.cpp - images of another size ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which elements a position reads and with what weights follows from sizes
// alone: tables of constants. Axes are resized one after the other.
//
//===----------------------------------------------------------------------===//

#include "Interpolation.h"
#include "Rules.h"
#include "Scalars.h"
#include "Slices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// What the node says
//===----------------------------------------------------------------------===//

namespace {
struct Resizing {
  SmallVector<int64_t> axes; ///< that are resized, in the node's order
  SmallVector<double> scales, roi;
};
} // namespace

static SmallVector<int64_t> statedAxes(Lowering &l, int64_t rank) {
  SmallVector<int64_t> axes;
  if (std::optional<Ints> given = l.integers("axes"))
    for (int64_t axis : *given)
      axes.push_back(axisOf(axis, rank));
  else
    axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return axes;
}

/// Upsample states scales as its operand 1 or as an attribute; Resize 10 as its
/// operand 1; Resize 11 as operand 2, or sizes as operand 3.
static SmallVector<double> statedScales(Lowering &l) {
  unsigned operand = l.opType() == "Upsample" || l.opset() < 11 ? 1 : 2;
  SmallVector<double> scales;
  if (auto given = l.constantReals(operand))
    scales.assign(given->begin(), given->end());
  else if (auto given =
               dyn_cast_or_null<DenseF32ArrayAttr>(l.attribute("scales")))
    scales.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  return scales;
}

/// Scales that sizes imply; where the aspect ratio is kept, one for all axes.
static SmallVector<double> impliedScales(Lowering &l, ArrayRef<int64_t> axes) {
  RankedTensorType type = l.operandType(0);
  std::optional<Ints> sizes = l.constantInts(3);
  SmallVector<double> scales;
  if (!sizes || sizes->size() != axes.size())
    return scales;
  for (auto [axis, size] : llvm::zip(axes, *sizes))
    scales.push_back(double(size) / double(type.getDimSize(axis)));
  StringRef policy = l.text("keep_aspect_ratio_policy", "stretch");
  if (policy == "not_larger")
    scales.assign(scales.size(), *llvm::min_element(scales));
  else if (policy == "not_smaller")
    scales.assign(scales.size(), *llvm::max_element(scales));
  return scales;
}

static FailureOr<Resizing> resizingOf(Lowering &l) {
  RankedTensorType type = l.operandType(0);
  if (!type || type.getRank() != l.resultType().getRank() ||
      type.getNumElements() == 0)
    return l.unsupported("its input has another rank, or no elements");
  Resizing resizing;
  resizing.axes = statedAxes(l, type.getRank());
  if (llvm::is_contained(resizing.axes, -1))
    return l.unsupported("an axis out of range");
  resizing.scales = statedScales(l);
  if (resizing.scales.empty())
    resizing.scales = impliedScales(l, resizing.axes);
  size_t count = resizing.axes.size();
  if (resizing.scales.size() != count)
    return l.unsupported("its scales and its sizes aren't known");
  if (llvm::any_of(resizing.scales, [](double scale) { return !(scale > 0); }))
    return l.unsupported("a scale that isn't positive");
  if (auto roi = l.constantReals(1); roi && roi->size() == 2 * count)
    resizing.roi.assign(roi->begin(), roi->end());
  return resizing;
}

static AxisResize axisResize(Lowering &l, const Resizing &resizing, size_t i) {
  int64_t axis = resizing.axes[i];
  // Before opset 11 coordinates were scaled as they are, and rounded down.
  bool isOld = l.opType() == "Upsample" || l.opset() < 11;
  StringRef mode = l.text("mode", "nearest");
  AxisResize result;
  result.from = l.operandType(0).getDimSize(axis);
  result.to = l.resultType().getDimSize(axis);
  result.scale = resizing.scales[i];
  result.mode = mode.ends_with("linear")  ? "linear"
                : mode.ends_with("cubic") ? "cubic"
                                          : mode.str();
  result.coordinates =
      isOld ? "asymmetric"
            : l.text("coordinate_transformation_mode", "half_pixel").str();
  result.rounding =
      isOld ? "floor" : l.text("nearest_mode", "round_prefer_floor").str();
  result.cubicA = l.real("cubic_coeff_a", -0.75);
  result.antialias = l.integer("antialias", 0) != 0;
  result.excludeOutside = l.integer("exclude_outside", 0) != 0;
  result.extrapolation = l.real("extrapolation_value", 0);
  if (!resizing.roi.empty()) {
    result.roiStart = resizing.roi[i];
    result.roiEnd = resizing.roi[resizing.axes.size() + i];
  }
  return result;
}

static bool isIdentity(const AxisResize &a) {
  return a.from == a.to && std::fabs(a.scale - 1) < 1e-9 &&
         (a.coordinates != "tf_crop_and_resize" ||
          (a.roiStart == 0 && a.roiEnd == 1));
}

//===----------------------------------------------------------------------===//
// Nearest
//===----------------------------------------------------------------------===//

/// One position for each; none where some reads from outside.
static std::optional<std::vector<int64_t>> picksOf(const AxisTaps &taps) {
  std::vector<int64_t> picks;
  for (size_t x = 0; x < taps.outside.size(); ++x) {
    if (taps.outside[x])
      return std::nullopt;
    for (int64_t t = 0; t < taps.taps; ++t)
      if (taps.weights[x * taps.taps + t] == 1)
        picks.push_back(taps.indices[x * taps.taps + t]);
  }
  if (picks.size() != taps.outside.size())
    return std::nullopt;
  return picks;
}

/// How often each element comes in a row; 0 where that differs.
static int64_t repeatsOf(ArrayRef<int64_t> picks, int64_t from) {
  int64_t repeats = int64_t(picks.size()) / from;
  for (auto [x, pick] : llvm::enumerate(picks))
    if (repeats == 0 || pick != int64_t(x) / repeats)
      return 0;
  return int64_t(picks.size()) == repeats * from ? repeats : 0;
}

/// Each element so often along each axis, at once: broadcasts into dimensions
/// of their own.
static Value repeatAlong(Lowering &l, Value input, ArrayRef<int64_t> repeats) {
  RankedTensorType type = typeOf(input);
  SmallVector<int64_t> apart, shape;
  SmallVector<AffineExpr> dims;
  for (auto [size, times] : llvm::zip(type.getShape(), repeats)) {
    dims.push_back(l.b.getAffineDimExpr(apart.size()));
    apart.push_back(size);
    if (times > 1)
      apart.push_back(times);
    shape.push_back(size * times);
  }
  Value wide =
      readThrough(l, withShape(type, apart), input,
                  AffineMap::get(apart.size(), 0, dims, l.b.getContext()));
  return reshaped(l, wide, withShape(type, shape));
}

static Value pickAlong(Lowering &l, Value input, int64_t axis,
                       ArrayRef<int64_t> picks) {
  RankedTensorType type = typeOf(input);
  SmallVector<int64_t> shape(type.getShape());
  int64_t rank = type.getRank();
  shape[axis] = picks.size();
  auto table = RankedTensorType::get({shape[axis]}, l.b.getI64Type());
  Value indices = constantTensor(l, DenseElementsAttr::get(table, picks));
  return mapThrough(l, withShape(type, shape), indices,
                    AffineMap::get(rank, 0, l.b.getAffineDimExpr(axis)),
                    [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
                      SmallVector<Value> at;
                      for (int64_t i = 0; i < rank; ++i)
                        at.push_back(linalg::IndexOp::create(b, loc, i));
                      at[axis] = arith::IndexCastOp::create(
                          b, loc, b.getIndexType(), x[0]);
                      return elementAt(b, loc, input, at);
                    });
}

//===----------------------------------------------------------------------===//
// Weighted
//===----------------------------------------------------------------------===//

/// What the sums along an axis start from: 0, or the stated value where the
/// position lies outside, whose weights are 0.
static Value startOf(Lowering &l, RankedTensorType type, int64_t axis,
                     const AxisTaps &taps, double extrapolation) {
  if (!llvm::is_contained(taps.outside, true))
    return zeroOf(l, type);
  SmallVector<Attribute> values;
  for (bool outside : taps.outside)
    values.push_back(
        FloatAttr::get(type.getElementType(), outside ? extrapolation : 0));
  auto line = withShape(type, type.getDimSize(axis));
  return readThrough(
      l, type, constantTensor(l, DenseElementsAttr::get(line, values)),
      AffineMap::get(type.getRank(), 0, l.b.getAffineDimExpr(axis)));
}

static Value weightsOf(Lowering &l, Type element, const AxisTaps &taps) {
  SmallVector<Attribute> values;
  for (auto [i, weight] : llvm::enumerate(taps.weights))
    values.push_back(FloatAttr::get(
        element, taps.outside[i / size_t(taps.taps)] ? 0 : weight));
  auto type =
      RankedTensorType::get({int64_t(taps.outside.size()), taps.taps}, element);
  return constantTensor(l, DenseElementsAttr::get(type, values));
}

static Value sumAlong(Lowering &l, Value input, int64_t axis,
                      const AxisTaps &taps, double extrapolation) {
  RankedTensorType type = typeOf(input);
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = taps.outside.size();
  RankedTensorType result = withShape(type, shape);
  int64_t rank = type.getRank();
  auto table =
      RankedTensorType::get({shape[axis], taps.taps}, l.b.getI64Type());
  Value indices = constantTensor(
      l, DenseElementsAttr::get(table, ArrayRef<int64_t>(taps.indices)));
  Value weights = weightsOf(l, type.getElementType(), taps);
  AffineMap tap = AffineMap::get(
      rank + 1, 0, {l.b.getAffineDimExpr(axis), l.b.getAffineDimExpr(rank)},
      l.b.getContext());
  AffineMap maps[] = {
      tap, tap,
      AffineMap::getMultiDimIdentityMap(rank + 1, l.b.getContext())
          .dropResult(rank)};
  return generic(
      l, {indices, weights}, startOf(l, result, axis, taps, extrapolation),
      maps, [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
        Scalars s(b, loc, false);
        SmallVector<Value> at;
        for (int64_t i = 0; i < rank; ++i)
          at.push_back(linalg::IndexOp::create(b, loc, i));
        at[axis] = arith::IndexCastOp::create(b, loc, b.getIndexType(), x[0]);
        return s.add(x[2], s.mul(elementAt(b, loc, input, at), x[1]));
      });
}

/// Weighted sums are taken in f32 at least, and rounded once at the end.
static Value inWideFloat(Lowering &l, Value input, Type &wide) {
  Type element = typeOf(input).getElementType();
  wide = element.isF64() ? element : Type(l.b.getF32Type());
  return castElements(l, input, element, wide);
}

static FailureOr<Values> lowerResize(Lowering &l) {
  if (l.opType() != "Resize" && l.opType() != "Upsample")
    return l.unsupported("a resampling of this kind");
  FailureOr<Resizing> resizing = resizingOf(l);
  if (failed(resizing))
    return failure();
  Value value = l.operand(0);
  Type element = typeOf(value).getElementType(), wide = element;
  SmallVector<int64_t> repeats(typeOf(value).getRank(), 1); // to be done yet
  for (size_t i = 0; i < resizing->axes.size(); ++i) {
    AxisResize axis = axisResize(l, *resizing, i);
    if (axis.coordinates == "tf_crop_and_resize" && resizing->roi.empty())
      return l.unsupported("its region isn't known");
    if (isIdentity(axis) || axis.to == 0)
      continue;
    AxisTaps taps = tapsOf(axis);
    if (taps.taps == 0)
      return l.unsupported("mode '" + axis.mode + "' with coordinates '" +
                           axis.coordinates + "'");
    if (auto picks = picksOf(taps); picks && axis.mode == "nearest") {
      if (int64_t times = repeatsOf(*picks, axis.from))
        repeats[resizing->axes[i]] = times;
      else
        value = pickAlong(l, value, resizing->axes[i], *picks);
      continue;
    }
    if (!isa<FloatType>(element))
      return l.unsupported("interpolated integers");
    if (wide == element)
      value = inWideFloat(l, value, wide);
    value = sumAlong(l, value, resizing->axes[i], taps, axis.extrapolation);
  }
  if (llvm::any_of(repeats, [](int64_t times) { return times > 1; }))
    value = repeatAlong(l, value, repeats);
  value = castElements(l, value, typeOf(value).getElementType(), element);
  if (l.resultType().getNumElements() == 0)
    value = emptyTensor(l, l.resultType());
  return Values{value};
}

void addResizeRules(RuleTable &table) { table["rl.resize"] = lowerResize; }

} // namespace roofline::lowering
