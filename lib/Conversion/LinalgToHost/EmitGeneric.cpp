//===- EmitGeneric.cpp - loops of vectors for any nest --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop is taken by vectors: a parallel one along which results lie side by
// side, else a reduction along which operands do (partial results in several
// registers, combined at the end), else none. Reductions run inside, with
// their results in registers; but a tall matrix whose columns are summed is
// read some rows at a time, as they lie in memory, and so is one whose long
// rows are all multiplied with the same vector. Operands that lie apart along
// the vector loop and side by side along another are loaded along that one, and
// turned by squares.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "VectorPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace roofline::host {
namespace {

/// Vectors that a parallel vector loop handles at once, and partial results
/// that a reduced one keeps.
constexpr int64_t unrolled = 4;

/// Rows that are read side by side where columns are summed, and how many
/// columns' sums at most stay in the first level of the caches meanwhile.
constexpr int64_t rowsAtOnce = 8, columnsAtOnce = 4096;

/// Rows that are read side by side, each multiplied with the same vector, and
/// the partial results of each. A matrix in memory is read at nearly twice the
/// rate of one row at a time, for which the vector comes from the caches anew.
constexpr int64_t rowsOfOneVector = 4, partsOfEach = 2;

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Emits one nest.
class GenericEmitter {
public:
  GenericEmitter(Emitter &e, Nest &nest, const VectorPlan &plan,
                 const Fills &fills)
      : e(e), nest(nest), plan(plan), fills(fills) {
    for (const Access &access : nest.accesses)
      lines.push_back(e.line(access.buffer));
    for (auto [l, loop] : llvm::enumerate(nest.loops))
      (loop.isReduction ? reductions : parallels).push_back(l);
    streams = resultBytes() >= e.options.streamingBytes && reductions.empty() &&
              storesWholeVectors();
  }

  void run() {
    std::optional<LoopShare> cut = shareLoops();
    e.parallel(cut ? cut->parts : 1, [&](Value part) {
      if (cut) {
        sharedLoop = parallels[cut->loop];
        share = {part, cut->parts};
      }
      SmallVector<Value> at;
      for (const Access &access : nest.accesses)
        at.push_back(
            e.add(access.start ? access.start : e.index(0), access.offset));
      SmallVector<Value> indices(nest.op.getNumLoops());
      outer(0, at, indices);
    });
  }

private:
  std::optional<LoopShare> shareLoops() {
    SmallVector<int64_t> steps;
    for (unsigned l : parallels) {
      steps.push_back(nest.writesApart(l)
                          ? llvm::divideCeil(nest.loops[l].size, blockOf(l))
                          : 1);
    }
    return roofline::shareLoops(
        steps, e.threadsFor(cyclesOf(nest, e.options.vectorBits)));
  }

  Share shareOf(unsigned l) const { return sharedLoop == l ? share : Share(); }

  /// How many of a loop's steps are taken at once.
  int64_t blockOf(unsigned l) const {
    if (plan.rowLoop == l)
      return rowsOfOneVector;
    if (plan.turnedLoop && (plan.turnedLoop == l || plan.vectorLoop == l))
      return plan.lanes;
    return plan.vectorLoop == l ? blockSize() : 1;
  }

  /// Of the vector loop, where no squares are turned.
  int64_t blockSize() const {
    if (!sumsColumns())
      return plan.lanes * unrolled;
    int64_t share = llvm::divideCeil(nest.loops[*plan.vectorLoop].size,
                                     e.options.threads.count);
    return std::min<int64_t>(columnsAtOnce, llvm::alignTo(share, plan.lanes));
  }

  int64_t resultBytes() {
    int64_t bytes = nest.output(0).element().getIntOrFloatBitWidth() / 8;
    for (unsigned l : parallels)
      bytes *= nest.loops[l].size;
    return bytes;
  }

  /// Whether all results' vectors begin where one of a buffer that is laid out
  /// from its first element on does: a store past the caches faults elsewhere.
  bool storesWholeVectors() {
    for (unsigned i = 0; i < nest.numOutputs(); ++i) {
      const Access &result = nest.output(i);
      if (!plan.vectorLoop || result.start || result.offset % plan.lanes != 0 ||
          result.strides[*plan.vectorLoop] != 1)
        return false;
      for (unsigned l : parallels)
        if (plan.vectorLoop != l && result.strides[l] % plan.lanes != 0)
          return false;
    }
    return true;
  }

  /// Addresses one step of `amount` along a loop further.
  SmallVector<Value> stepped(ArrayRef<Value> at, unsigned l, Value amount) {
    SmallVector<Value> next;
    for (auto [value, access] : llvm::zip(at, nest.accesses)) {
      Value steps = amount; // of whole vectors where elements are repeated
      if (plan.vectorLoop == l)
        steps = e.div(steps, access.repeats);
      next.push_back(access.strides[l] == 0
                         ? value
                         : e.add(value, e.mul(steps, access.strides[l])));
    }
    return next;
  }

  SmallVector<Value> stepped(ArrayRef<Value> at, unsigned l, int64_t amount) {
    return stepped(at, l, e.index(amount));
  }

  void outer(unsigned depth, ArrayRef<Value> at, SmallVector<Value> &indices) {
    if (depth == parallels.size())
      return innermost(at, indices, 1, 1, 1);
    unsigned l = parallels[depth];
    if (plan.turnedLoop == l)
      return squares(at, indices);
    if (plan.vectorLoop == l)
      return sumsColumns() ? columnLoops(l, at, indices)
                           : vectorLoop(l, at, indices);
    if (plan.rowLoop == l)
      return blocksOf(l, blockOf(l), [&](Value i, int64_t count) {
        innermost(stepped(at, l, i), indices, 1, count, 1);
      });
    e.loop(nest.loops[l].size, 1, shareOf(l), [&](Value i) {
      indices[nest.loops[l].dim] = i;
      outer(depth + 1, stepped(at, l, i), indices);
    });
  }

  /// `body(i, count)` for each block of a loop, or of the part of it that is
  /// this thread's.
  void blocksOf(unsigned l, int64_t block,
                function_ref<void(Value, int64_t)> body) {
    e.blocks(nest.loops[l].size, block, shareOf(l), body);
  }

  /// Squares of `lanes` steps of the turned loop and of the vector loop.
  void squares(ArrayRef<Value> at, SmallVector<Value> &indices) {
    unsigned turned = *plan.turnedLoop, along = *plan.vectorLoop;
    int64_t lanes = plan.lanes;
    blocksOf(turned, lanes, [&](Value i, int64_t rows) {
      SmallVector<Value> here = stepped(at, turned, i);
      blocksOf(along, lanes, [&](Value j, int64_t count) {
        square(stepped(here, along, j), indices, rows, count);
      });
    });
  }

  /// `rows` vectors of results, of `count` elements each.
  void square(ArrayRef<Value> at, SmallVector<Value> &indices, int64_t rows,
              int64_t count) {
    unsigned turned = *plan.turnedLoop, along = *plan.vectorLoop;
    int64_t lanes = plan.lanes;
    SmallVector<Values> columns(nest.numInputs());
    for (unsigned i = 0; i < nest.numInputs(); ++i) {
      if (!plan.isTurned(nest.accesses[i]))
        continue;
      Values square;
      for (int64_t v = 0; v < lanes; ++v)
        square.push_back(
            v < count
                ? e.loadVector(lines[i], stepped(at, along, v)[i], lanes, rows)
                : square.front());
      columns[i] = e.transposed(square);
    }
    for (int64_t r = 0; r < rows; ++r) {
      SmallVector<Value> here = stepped(at, turned, r);
      turnedInputs.clear();
      for (const Values &column : columns)
        turnedInputs.push_back(column.empty() ? Value() : column[r]);
      store(here, compute(here, {}, indices, lanes, count), lanes, count);
    }
    turnedInputs.clear();
  }

  /// Several vectors at once, then single ones, then what is left.
  void vectorLoop(unsigned l, ArrayRef<Value> at, SmallVector<Value> &indices) {
    int64_t size = nest.loops[l].size, lanes = plan.lanes;
    int64_t whole = size / lanes * lanes;
    e.blocks(
        size, blockSize(), shareOf(l),
        [&](Value i) {
          innermost(stepped(at, l, i), indices, lanes, unrolled, lanes);
        },
        [&](Value i) {
          if (int64_t vectors = whole % blockSize() / lanes)
            innermost(stepped(at, l, i), indices, lanes, vectors, lanes);
          if (whole < size)
            innermost(stepped(at, l, whole), indices, lanes, 1, size - whole);
        });
  }

  /// Whether one reduction goes down the columns of a matrix that is wider than
  /// what registers hold and taller than what is read side by side.
  bool sumsColumns() const {
    if (reductions.size() != 1 || nest.numOutputs() != 1)
      return false;
    unsigned down = reductions[0], along = *plan.vectorLoop;
    int64_t width = nest.loops[along].size;
    if (nest.loops[down].size <= 2 * rowsAtOnce ||
        width <= unrolled * plan.lanes)
      return false;
    return llvm::any_of(nest.accesses, [&](const Access &access) {
      return access.strides[along] == 1 && access.strides[down] >= width;
    });
  }

  /// Sums of columns, in the result's own memory: a few rows at a time are
  /// added to many of them. The order of additions is that of `vectorLoop`.
  void columnLoops(unsigned l, ArrayRef<Value> at,
                   SmallVector<Value> &indices) {
    unsigned down = reductions[0];
    int64_t depth = nest.loops[down].size;
    auto columns = [&](Value from, int64_t count) {
      SmallVector<Value> here = stepped(at, l, from);
      int64_t first = depth % rowsAtOnce ? depth % rowsAtOnce : rowsAtOnce;
      addRows(l, here, indices, count, first, /*isFirst=*/true);
      e.loop(depth - first, rowsAtOnce, [&](Value i) {
        Value row = e.add(i, first);
        indices[nest.loops[down].dim] = row;
        addRows(l, stepped(here, down, row), indices, count, rowsAtOnce,
                /*isFirst=*/false);
      });
    };
    blocksOf(l, blockSize(), columns);
  }

  /// Adds `rows` rows to the sums of `width` columns.
  void addRows(unsigned l, ArrayRef<Value> at, SmallVector<Value> &indices,
               int64_t width, int64_t rows, bool isFirst) {
    int64_t lanes = plan.lanes, whole = width / lanes * lanes;
    auto vector = [&](ArrayRef<Value> here, int64_t count) {
      unsigned number = nest.numInputs();
      Values sums = isFirst ? initial(here, lanes, count)
                            : Values{load(number, here[number], lanes, count)};
      for (int64_t r = 0; r < rows; ++r)
        sums = compute(stepped(here, reductions[0], r), sums, indices, lanes,
                       count);
      store(here, sums, lanes, count);
    };
    e.loop(whole, lanes, [&](Value i) { vector(stepped(at, l, i), lanes); });
    if (whole < width)
      vector(stepped(at, l, whole), width - whole);
  }

  /// One block of results: `vectors` of `lanes` side by side along the vector
  /// loop, the last of `count` elements; or, where that is reduced, so many
  /// single ones along the row loop.
  void innermost(ArrayRef<Value> at, SmallVector<Value> &indices, int64_t lanes,
                 int64_t vectors, int64_t count) {
    if (reductions.empty()) {
      for (int64_t v = 0; v < vectors; ++v) {
        SmallVector<Value> here = along(at, v, lanes);
        store(here, compute(here, {}, indices, lanes, count), lanes, count);
      }
      return;
    }
    Values carried;
    for (int64_t v = 0; v < vectors; ++v)
      llvm::append_range(carried, initial(along(at, v, lanes), lanes, count));
    carried = reduce(0, at, indices, carried, lanes, vectors, count);
    unsigned outputs = nest.numOutputs();
    for (int64_t v = 0; v < vectors; ++v)
      store(along(at, v, lanes),
            ArrayRef<Value>(carried).slice(v * outputs, outputs), lanes, count);
  }

  /// Where a block's result number `v` is.
  SmallVector<Value> along(ArrayRef<Value> at, int64_t v, int64_t lanes) {
    if (v == 0)
      return SmallVector<Value>(at);
    return plan.rowLoop ? stepped(at, *plan.rowLoop, v)
                        : stepped(at, *plan.vectorLoop, v * lanes);
  }

  /// The reductions from `depth` on.
  Values reduce(unsigned depth, ArrayRef<Value> at, SmallVector<Value> &indices,
                ValueRange carried, int64_t lanes, int64_t vectors,
                int64_t count) {
    if (depth == reductions.size()) {
      Values results;
      unsigned outputs = nest.numOutputs();
      for (int64_t v = 0; v < vectors; ++v)
        llvm::append_range(results, compute(along(at, v, lanes),
                                            carried.slice(v * outputs, outputs),
                                            indices, lanes, count));
      return results;
    }
    unsigned l = reductions[depth];
    if (plan.vectorLoop == l)
      return reduceVectors(l, at, carried);
    return e.loop(nest.loops[l].size, 1, carried,
                  [&](Value i, ValueRange inner) {
                    indices[nest.loops[l].dim] = i;
                    return reduce(depth + 1, stepped(at, l, i), indices, inner,
                                  lanes, vectors, count);
                  });
  }

  //===--------------------------------------------------------------------===//
  // A reduction by vectors
  //===--------------------------------------------------------------------===//

  /// The innermost loop, summed up in several vectors that are combined with
  /// the results so far: one, or those of several rows.
  Values reduceVectors(unsigned l, ArrayRef<Value> at, ValueRange carried) {
    auto rows = int64_t(carried.size());
    int64_t size = nest.loops[l].size, lanes = plan.lanes;
    int64_t parts = plan.rowLoop ? partsOfEach : unrolled;
    int64_t block = lanes * parts, blocks = size / block * block;
    Value neutral =
        e.broadcast(neutralElement(nest.output(0).element()), lanes);
    Values sums(parts * rows, neutral); // part by part
    if (blocks > 0)
      sums = e.loop(blocks, block, sums, [&](Value i, ValueRange inner) {
        Values next;
        SmallVector<Value> start = stepped(at, l, i);
        for (int64_t p = 0; p < parts; ++p)
          for (int64_t r = 0; r < rows; ++r)
            next.push_back(
                addVector(along(stepped(start, l, p * lanes), r, lanes),
                          inner[p * rows + r], lanes));
        return next;
      });
    Values results;
    for (int64_t r = 0; r < rows; ++r) {
      Value total = neutral;
      if (blocks > 0) {
        Values own;
        for (int64_t p = 0; p < parts; ++p)
          own.push_back(sums[p * rows + r]);
        total = combined(own);
      }
      total = addRest(l, along(at, r, lanes), total, blocks);
      results.push_back(vector::ReductionOp::create(
          e.b, e.loc, *plan.combiner, total, carried[r], reductionFlags()));
    }
    return results;
  }

  Value addVector(ArrayRef<Value> at, Value sum, int64_t count) {
    SmallVector<Value> none;
    return compute(at, sum, none, plan.lanes, count)[0];
  }

  Value combined(Values parts) {
    while (parts.size() > 1) {
      Value last = parts.pop_back_val();
      size_t with = parts.size() > 1 ? parts.size() - 2 : 0;
      parts[with] = combine(parts[with], last);
    }
    return parts[0];
  }

  /// What is left of a row from `done` on.
  Value addRest(unsigned l, ArrayRef<Value> at, Value total, int64_t done) {
    int64_t size = nest.loops[l].size, lanes = plan.lanes;
    for (; done + lanes <= size; done += lanes)
      total = addVector(stepped(at, l, done), total, lanes);
    if (done == size)
      return total;
    // Lanes behind the end must not count.
    Value part = addVector(stepped(at, l, done), total, size - done);
    return arith::SelectOp::create(e.b, e.loc, e.mask(lanes, size - done), part,
                                   total);
  }

  /// What starts from a number and passes over NaN never is NaN.
  arith::FastMathFlags reductionFlags() {
    bool isNumber = *plan.combiner == vector::CombiningKind::MAXNUMF ||
                    *plan.combiner == vector::CombiningKind::MINNUMF;
    return isNumber ? arith::FastMathFlags::nnan : arith::FastMathFlags::none;
  }

  Value combine(Value x, Value y) {
    return vector::makeArithReduction(e.b, e.loc, *plan.combiner, x, y);
  }

  Value neutralElement(Type element) {
    using vector::CombiningKind;
    auto real = dyn_cast<FloatType>(element);
    unsigned bits = element.getIntOrFloatBitWidth();
    auto number = [&](double value) -> Value {
      return arith::ConstantOp::create(e.b, e.loc, FloatAttr::get(real, value));
    };
    auto integer = [&](const APInt &value) -> Value {
      return arith::ConstantOp::create(e.b, e.loc,
                                       IntegerAttr::get(element, value));
    };
    switch (*plan.combiner) {
    case CombiningKind::MUL:
      return real ? number(1) : integer(APInt(bits, 1));
    case CombiningKind::MAXIMUMF:
    case CombiningKind::MAXNUMF:
      return number(-INFINITY);
    case CombiningKind::MINIMUMF:
    case CombiningKind::MINNUMF:
      return number(INFINITY);
    case CombiningKind::MAXSI:
      return integer(APInt::getSignedMinValue(bits));
    case CombiningKind::MINSI:
      return integer(APInt::getSignedMaxValue(bits));
    case CombiningKind::MINUI:
    case CombiningKind::AND:
      return integer(APInt::getAllOnes(bits));
    default:
      return real ? number(0) : integer(APInt(bits, 0));
    }
  }

  //===--------------------------------------------------------------------===//
  // Elements
  //===--------------------------------------------------------------------===//

  Value load(unsigned i, Value at, int64_t lanes, int64_t count) {
    if (lanes == 1)
      return e.loadScalar(lines[i], at);
    int64_t stride = nest.accesses[i].strides[*plan.vectorLoop];
    if (stride == 0)
      return e.broadcast(e.loadScalar(lines[i], at), lanes);
    int64_t repeats = nest.accesses[i].repeats;
    if (repeats > 1)
      return e.repeated(
          e.loadVector(lines[i], at, lanes / repeats, count / repeats),
          repeats);
    if (stride == 1)
      return e.loadVector(lines[i], at, lanes, count);
    return e.gatherVector(lines[i], at, stride, lanes, count);
  }

  /// The results so far: what the buffer holds, or was filled with.
  Values initial(ArrayRef<Value> at, int64_t lanes, int64_t count) {
    Values values;
    for (unsigned i = 0; i < nest.numOutputs(); ++i)
      values.push_back(initial(i, at, lanes, count));
    return values;
  }

  Value initial(unsigned i, ArrayRef<Value> at, int64_t lanes, int64_t count) {
    unsigned number = nest.numInputs() + i;
    if (!fills[i])
      return load(number, at[number], lanes, count);
    Value scalar = fills[i]->getOperand(0); // of the element and the buffer
    return lanes == 1 ? scalar : e.broadcast(scalar, lanes);
  }

  Values compute(ArrayRef<Value> at, ValueRange results,
                 ArrayRef<Value> indices, int64_t lanes, int64_t count) {
    Values arguments;
    Block &body = nest.body();
    for (unsigned i = 0; i < nest.numInputs(); ++i) {
      bool isUsed = !body.getArgument(i).use_empty();
      bool isTurned = i < turnedInputs.size() && turnedInputs[i];
      arguments.push_back(isTurned ? turnedInputs[i]
                          : isUsed ? load(i, at[i], lanes, count)
                                   : Value());
    }
    if (!results.empty())
      llvm::append_range(arguments, results);
    else
      for (unsigned i = nest.numInputs(); i < nest.accesses.size(); ++i) {
        bool isUsed = !body.getArgument(i).use_empty();
        arguments.push_back(
            isUsed ? initial(i - nest.numInputs(), at, lanes, count) : Value());
      }
    return emitBody(e, body, arguments, indices, lanes);
  }

  void store(ArrayRef<Value> at, ArrayRef<Value> values, int64_t lanes,
             int64_t count) {
    for (auto [i, value] : llvm::enumerate(values)) {
      unsigned number = nest.numInputs() + i;
      if (lanes == 1) {
        e.storeScalar(value, lines[number], at[number]);
        continue;
      }
      int64_t stride = nest.accesses[number].strides[*plan.vectorLoop];
      if (stride == 1)
        e.storeVector(value, lines[number], at[number], count, streams);
      else
        e.scatterVector(value, lines[number], at[number], stride, count);
    }
  }

  Emitter &e;
  Nest &nest;
  const VectorPlan &plan;
  const Fills &fills;
  SmallVector<Value> lines;
  SmallVector<unsigned> parallels, reductions;
  std::optional<unsigned> sharedLoop; ///< by threads
  Share share;
  bool streams = false;
  Values turnedInputs; ///< of the row of a square that is computed
};

} // namespace

static bool coversBuffer(const Nest &nest, const Access &access) {
  int64_t count = 1;
  for (auto [l, loop] : llvm::enumerate(nest.loops))
    if (access.strides[l] != 0)
      count *= loop.size;
  return count == cast<MemRefType>(access.buffer.getType()).getNumElements();
}

Fills findFills(const Nest &nest) {
  Fills fills;
  for (unsigned i = 0; i < nest.numOutputs(); ++i) {
    const Access &output = nest.output(i);
    linalg::FillOp fill = fillBefore(nest.op, output.buffer);
    fills.push_back(fill && coversBuffer(nest, output) ? fill
                                                       : linalg::FillOp());
  }
  return fills;
}

void emitGeneric(Emitter &e, Nest nest, const Fills &fills) {
  nest.simplify();
  for (const Loop &loop : nest.loops)
    if (loop.size == 0 && !loop.isReduction)
      return;
  VectorPlan plan = choose(nest, e.options.vectorBits);
  Nest merged = nest;
  if (std::optional<unsigned> loop = merged.mergeRepeats()) {
    VectorPlan mergedPlan = choose(merged, e.options.vectorBits);
    if (mergedPlan.vectorLoop == loop && !mergedPlan.turnedLoop &&
        mergedPlan.lanes >= 8) {
      nest = merged;
      plan = mergedPlan;
    }
  }
  orderLoops(nest, plan);
  GenericEmitter(e, nest, plan, fills).run();
}

} // namespace roofline::host
