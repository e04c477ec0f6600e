//===- LowerAttention.cpp - attention of the standard domain --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerAttention.h"
#include "Rules.h"
#include "Slices.h"

using namespace mlir;

namespace roofline::lowering {

//===----------------------------------------------------------------------===//
// What kinds of attention share
//===----------------------------------------------------------------------===//

Heads packedHeads(Lowering &l, Value tensor, int64_t count) {
  ArrayRef<int64_t> shape = typeOf(tensor).getShape();
  if (count < 1 || shape.size() != 3 || shape[2] % count != 0)
    return {};
  SmallVector<int64_t> split{shape[0], shape[1], count, shape[2] / count};
  return {reshaped(l, tensor, withShape(typeOf(tensor), split)),
          /*rowsFirst=*/true};
}

Heads headsFirst(Lowering &l, const Heads &heads) {
  if (!heads.rowsFirst)
    return heads;
  return {transposed(l, heads.tensor, {0, 2, 1, 3})};
}

bool isCacheOf(Value past, const Heads &heads) {
  if (!past)
    return true;
  RankedTensorType type = typeOf(past);
  return type.getRank() == 4 && type.getDimSize(0) == heads.batch() &&
         type.getDimSize(1) == heads.heads() &&
         type.getDimSize(3) == heads.size() &&
         type.getElementType() == heads.type().getElementType();
}

Heads withPast(Lowering &l, Value past, const Heads &heads) {
  Heads now = headsFirst(l, heads);
  if (!past)
    return now;
  SmallVector<int64_t> shape(now.type().getShape());
  shape[2] += typeOf(past).getDimSize(2);
  return {joined(l, withShape(now.type(), shape), {past, now.tensor}, 2)};
}

Value asFourDims(Lowering &l, Value mask) {
  SmallVector<int64_t> shape(typeOf(mask).getShape());
  if (shape.size() > 4)
    return mask;
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  return reshaped(l, mask, withShape(typeOf(mask), shape));
}

/// Whether the operands are those of one attention.
static bool fits(const Attention &form) {
  const Heads &q = form.query, &k = form.key, &v = form.value;
  if (!q.tensor || !k.tensor || !v.tensor ||
      !isa<FloatType>(q.type().getElementType()))
    return false;
  if (q.batch() != k.batch() || q.size() != k.size() || k.heads() < 1 ||
      q.heads() % k.heads() != 0 || v.batch() != k.batch() ||
      v.heads() != k.heads() || v.rows() != k.rows())
    return false;
  if (!form.mask)
    return true;
  int64_t whole[] = {q.batch(), q.heads(), q.rows(), k.rows()};
  ArrayRef<int64_t> shape = typeOf(form.mask).getShape();
  return shape.size() == 4 && shape[3] == whole[3] &&
         llvm::all_of(llvm::zip(shape, whole), [](auto pair) {
           auto [size, most] = pair;
           return size == 1 || size == most;
         });
}

FailureOr<Value> lowerAttention(Lowering &l, Attention form) {
  if (!fits(form))
    return l.unsupported("operands whose shapes aren't one attention's: " +
                         described("Q", form.query.tensor) + ", " +
                         described("K", form.key.tensor) + ", " +
                         described("V", form.value.tensor) + ", " +
                         described("mask", form.mask));
  // Positions are i32, and none are further apart.
  int64_t most = form.key.rows() + form.query.rows();
  for (std::optional<int64_t> *reach : {&form.ahead, &form.behind})
    if (*reach)
      *reach = std::min(**reach, most);
  bool isEmpty = form.query.type().getNumElements() == 0 ||
                 form.key.type().getNumElements() == 0 ||
                 form.value.type().getNumElements() == 0;
  return l.options.attentionByBlocks && !isEmpty ? attendByBlocks(l, form)
                                                 : attend(l, form);
}

FailureOr<Values> lowerWithPresent(Lowering &l, const Attention &form) {
  for (unsigned i = 0; i < l.numResults(); ++i)
    if (l.resultNumber(i) > 2)
      return l.unsupported("the scores as a result");
  FailureOr<Value> y = lowerAttention(l, form);
  if (failed(y))
    return failure();
  Values results;
  for (unsigned i = 0; i < l.numResults(); ++i) {
    unsigned number = l.resultNumber(i);
    results.push_back(number == 0   ? reshaped(l, *y, l.resultType(i))
                      : number == 1 ? form.key.tensor
                                    : form.value.tensor);
  }
  return results;
}

void readScale(Lowering &l, Attention &form) {
  form.scale = l.real("scale", 0);
  if (form.scale == 0)
    form.scale = 1 / std::sqrt(double(form.query.size()));
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Q, K or V: [batch, heads, rows, size], or [batch, rows, heads·size].
static Heads readHeads(Lowering &l, unsigned operand, StringRef count) {
  Value tensor = l.operand(operand);
  if (tensor && typeOf(tensor).getRank() == 4)
    return {tensor};
  return tensor ? packedHeads(l, tensor, l.integer(count, 0)) : Heads();
}

/// Keys that a mask says nothing of don't count.
static Value readMask(Lowering &l, int64_t keys) {
  Value mask = l.operand(3);
  if (mask)
    mask = asFourDims(l, mask);
  if (!mask || typeOf(mask).getRank() != 4)
    return mask;
  int64_t missing = keys - typeOf(mask).getDimSize(3);
  if (missing <= 0)
    return mask;
  Type element = typeOf(mask).getElementType();
  Scalars s(l.b, l.loc, false);
  return paddedTensor(l, mask, 3, 0, missing,
                      element.isInteger(1) ? s.number(element, 0)
                                           : noScore(s, element));
}

static void readWindow(Lowering &l, Attention &form) {
  int64_t before = l.integer("left_window_size", -1);
  int64_t after = l.integer("right_window_size", -1);
  if (before >= 0)
    form.behind = before;
  if (after >= 0)
    form.ahead = after;
  if (l.integer("is_causal", 0))
    form.ahead = 0;
}

/// Q, K, V, attn_mask, past_key, past_value, nonpad_kv_seqlen.
static FailureOr<Values> lowerStandard(Lowering &l) {
  Attention form;
  form.query = readHeads(l, 0, "q_num_heads");
  form.key = readHeads(l, 1, "kv_num_heads");
  form.value = readHeads(l, 2, "kv_num_heads");
  if (!form.query.tensor || !form.key.tensor || !form.value.tensor)
    return l.unsupported("operands whose heads can't be told apart: " +
                         l.operandList({"Q", "K", "V"}));
  bool asksForKeys = false;
  for (unsigned i = 0; i < l.numResults(); ++i)
    asksForKeys |= l.resultNumber(i) != 0;
  Value pastKey = l.operand(4), pastValue = l.operand(5);
  if (bool(pastKey) != bool(pastValue) || !isCacheOf(pastKey, form.key) ||
      !isCacheOf(pastValue, form.value))
    return l.unsupported("a past that isn't one of these keys and values");
  if (pastKey || asksForKeys) {
    form.offset = pastKey ? typeOf(pastKey).getDimSize(2) : 0;
    form.key = withPast(l, pastKey, form.key);
    form.value = withPast(l, pastValue, form.value);
  }
  form.scale = l.real("scale", 1 / std::sqrt(double(form.query.size())));
  form.softcap = l.real("softcap", 0);
  form.mask = readMask(l, form.key.rows());
  readWindow(l, form);
  if (Value counts = l.operand(6)) {
    if (typeOf(counts).getShape() != ArrayRef(form.query.batch()))
      return l.unsupported("numbers of keys for another batch: " +
                           described("nonpad_kv_seqlen", counts));
    form.keyCount = castElements(l, counts, l.elementType(6), l.b.getI32Type());
    form.alignsEnd = !pastKey;
  }
  return lowerWithPresent(l, form);
}

/// com.microsoft has an op of the same name.
static FailureOr<Values> lowerAnyAttention(Lowering &l) {
  return l.isMicrosoft() ? lowerMicrosoftAttention(l) : lowerStandard(l);
}

/// By its function body, which has all scores, where the importer chose that.
static FailureOr<Values> lowerFusedAttention(Lowering &l) {
  return l.isMicrosoft() ? lowerMicrosoftAttention(l)
                         : l.lowerRegion(l.op->getRegion(0), {});
}

void addAttentionRules(RuleTable &table) {
  table["rl.attention:Attention"] = lowerAnyAttention;
  table["rl.fused:Attention"] = lowerFusedAttention;
}

} // namespace roofline::lowering
