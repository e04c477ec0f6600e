//===- LowerLayout.cpp - elements in another order ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "Scalars.h"
#include "Slices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace roofline::lowering {

static FailureOr<Values> lowerClip(Lowering &l) {
  return Values{reshaped(l, l.operand(0), l.resultType())};
}

//===----------------------------------------------------------------------===//
// Transposition
//===----------------------------------------------------------------------===//

/// An equation without blanks, its ellipses as so many labels of their own.
static std::string plainEquation(StringRef equation, int64_t rank) {
  std::string plain;
  for (char c : equation)
    if (c != ' ')
      plain += c;
  size_t arrow = plain.find("->"), dots = plain.find("...");
  if (arrow == std::string::npos || dots > arrow)
    return plain;
  std::string labels;
  for (int64_t i = int64_t(arrow) - 3; i < rank && i >= 0; ++i)
    labels += char(1 + labels.size());
  for (; dots != std::string::npos; dots = plain.find("..."))
    plain.replace(dots, 3, labels);
  return plain;
}

/// `ij->ji`, `ii->i`: one operand, whose labels stand where they are read from.
static FailureOr<Values> lowerRelabelling(Lowering &l) {
  Value input = l.operand(0);
  if (!input)
    return l.unsupported("its input isn't there");
  int64_t rank = typeOf(input).getRank();
  std::string equation = plainEquation(l.text("equation", ""), rank);
  size_t arrow = equation.find("->");
  if (arrow == std::string::npos ||
      equation.find_first_of(".,") != std::string::npos ||
      int64_t(arrow) != rank ||
      int64_t(equation.size() - arrow - 2) != l.resultType().getRank())
    return l.unsupported("an equation of this kind");
  StringRef to = StringRef(equation).drop_front(arrow + 2);
  SmallVector<AffineExpr> dims;
  for (char label : StringRef(equation).take_front(arrow)) {
    size_t at = to.find(label);
    if (at == StringRef::npos)
      return l.unsupported("an equation that sums");
    dims.push_back(l.b.getAffineDimExpr(at));
  }
  return Values{
      readThrough(l, l.resultType(), input,
                  AffineMap::get(to.size(), 0, dims, l.b.getContext()))};
}

static FailureOr<Values> lowerTranspose(Lowering &l) {
  std::optional<ArrayRef<int64_t>> permutation =
      cast<rl::CopyOp>(l.op).getPermutation();
  if (!permutation)
    return lowerRelabelling(l);
  return Values{transposed(l, l.operand(0), *permutation)};
}

/// The blocks of an image become channels or the other way round: a reshape, a
/// transposition, a reshape.
static FailureOr<Values> lowerDepthToSpace(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  int64_t block = l.integer("blocksize", 1);
  if (!type || type.getRank() != 4 || block < 1)
    return l.unsupported("no image of four dimensions");
  ArrayRef<int64_t> in = type.getShape(), out = result.getShape();
  bool byColumn = l.text("mode", "DCR") == "CRD";
  SmallVector<int64_t> apart =
      byColumn
          ? SmallVector<int64_t>{in[0], out[1], block, block, in[2], in[3]}
          : SmallVector<int64_t>{in[0], block, block, out[1], in[2], in[3]};
  SmallVector<int64_t> order = byColumn
                                   ? SmallVector<int64_t>{0, 1, 4, 2, 5, 3}
                                   : SmallVector<int64_t>{0, 3, 4, 1, 5, 2};
  Value blocks = reshaped(l, l.operand(0), withShape(type, apart));
  return Values{reshaped(l, transposed(l, blocks, order), result)};
}

static FailureOr<Values> lowerSpaceToDepth(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  int64_t block = l.integer("blocksize", 1);
  if (!type || type.getRank() != 4 || block < 1)
    return l.unsupported("no image of four dimensions");
  ArrayRef<int64_t> in = type.getShape(), out = result.getShape();
  SmallVector<int64_t> apart = {in[0], in[1], out[2], block, out[3], block};
  SmallVector<int64_t> order = l.text("mode", "DCR") == "CRD"
                                   ? SmallVector<int64_t>{0, 1, 3, 5, 2, 4}
                                   : SmallVector<int64_t>{0, 3, 5, 1, 2, 4};
  Value blocks = reshaped(l, l.operand(0), withShape(type, apart));
  return Values{reshaped(l, transposed(l, blocks, order), result)};
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

static FailureOr<Values> lowerExpand(Lowering &l) {
  return Values{
      mapElements(l, l.resultType(), l.operand(0),
                  [](OpBuilder &, Location, ValueRange x) { return x[0]; })};
}

/// Each dimension as (repeats, size): a broadcast, then a reshape.
static FailureOr<Values> lowerTile(Lowering &l) {
  RankedTensorType type = l.operandType(0), result = l.resultType();
  if (!type || type.getRank() != result.getRank())
    return l.unsupported("repeats of another rank");
  if (result.getNumElements() == 0)
    return Values{emptyTensor(l, result)};
  SmallVector<int64_t> apart;
  SmallVector<AffineExpr> dims;
  for (auto [from, to] : llvm::zip(type.getShape(), result.getShape())) {
    apart.push_back(to / from);
    dims.push_back(l.b.getAffineDimExpr(apart.size()));
    apart.push_back(from);
  }
  Value repeated =
      readThrough(l, withShape(type, apart), l.operand(0),
                  AffineMap::get(apart.size(), 0, dims, l.b.getContext()));
  return Values{reshaped(l, repeated, result)};
}

//===----------------------------------------------------------------------===//
// Triangles, reversal
//===----------------------------------------------------------------------===//

/// The diagonal's number: a constant, or known at run time.
static FailureOr<Value> diagonalShift(Lowering &l) {
  if (std::optional<Ints> shift = l.constantInts(1);
      shift && shift->size() == 1)
    return indexValue(l.b, l.loc, shift->front());
  Value operand = l.operand(1);
  if (!operand && l.numOperands() < 2)
    return indexValue(l.b, l.loc, 0);
  if (!operand || typeOf(operand).getNumElements() != 1)
    return l.unsupported("its diagonal isn't known");
  return Value(arith::IndexCastOp::create(l.b, l.loc, l.b.getIndexType(),
                                          onlyElement(l, operand)));
}

static FailureOr<Values> lowerTrilu(Lowering &l) {
  RankedTensorType type = l.resultType();
  FailureOr<Value> shift = diagonalShift(l);
  if (failed(shift))
    return failure();
  bool upper = l.integer("upper", 1) != 0;
  int64_t rank = type.getRank();
  return Values{mapElements(
      l, type, l.operand(0),
      [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
        Value row = linalg::IndexOp::create(b, loc, rank - 2);
        Value column = linalg::IndexOp::create(b, loc, rank - 1);
        Value edge = arith::AddIOp::create(b, loc, row, *shift);
        Value kept = arith::CmpIOp::create(b, loc,
                                           upper ? arith::CmpIPredicate::sge
                                                 : arith::CmpIPredicate::sle,
                                           column, edge);
        Value zero = scalar(b, loc, type.getElementType(), 0);
        return arith::SelectOp::create(b, loc, kept, x[0], zero);
      })};
}

/// The first `lengths[batch]` steps the other way round, the rest as it is.
static FailureOr<Values> lowerReverseSequence(Lowering &l) {
  RankedTensorType type = l.resultType();
  int64_t batch = l.integer("batch_axis", 1), time = l.integer("time_axis", 0);
  Value lengths = l.operand(1), input = l.operand(0);
  if (!lengths)
    return l.unsupported("its lengths aren't there");
  AffineMap map =
      AffineMap::get(type.getRank(), 0, l.b.getAffineDimExpr(batch));
  return Values{mapThrough(
      l, type, lengths, map,
      [&](OpBuilder &b, Location loc, ValueRange x) -> Value {
        Scalars s(b, loc, false);
        SmallVector<Value> at;
        for (int64_t i = 0; i < type.getRank(); ++i)
          at.push_back(linalg::IndexOp::create(b, loc, i));
        Value length =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), x[0]);
        Value last = s.sub(length, indexValue(b, loc, 1));
        Value turned =
            indexInto(b, loc, s.sub(last, at[time]), type.getDimSize(time));
        at[time] = s.select(s.less(at[time], length), turned, at[time]);
        return elementAt(b, loc, input, at);
      })};
}

void addLayoutRules(RuleTable &table) {
  table["rl.copy:clip"] = lowerClip;
  table["rl.copy:transpose"] = lowerTranspose;
  table["rl.copy:diagonal"] = lowerRelabelling;
  table["rl.copy:depth_to_space"] = lowerDepthToSpace;
  table["rl.copy:space_to_depth"] = lowerSpaceToDepth;
  table["rl.copy:expand"] = lowerExpand;
  table["rl.copy:tile"] = lowerTile;
  table["rl.copy:trilu"] = lowerTrilu;
  table["rl.copy:reverse_sequence"] = lowerReverseSequence;
}

} // namespace roofline::lowering
