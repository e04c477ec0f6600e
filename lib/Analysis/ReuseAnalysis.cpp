//===- ReuseAnalysis.cpp - what is touched between two uses ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/ReuseAnalysis.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace mlir;

namespace roofline {
namespace {

/// One use of a buffer, of a kernel's code, whose bytes are few, or of what
/// kernels have for themselves.
struct Touch {
  enum Kind : uint8_t { Read, Write, Code, Own };
  size_t row;
  unsigned buffer;
  double bytes;
  Kind kind;
};

/// Ops with the same number share a kernel.
size_t kernelOf(Operation *op) {
  auto opType = op->getDiscardableAttr(rl::opTypeAttrName);
  return llvm::hash_combine(op->getName().getAsOpaquePointer(),
                            op->hashProperties(), opType,
                            llvm::hash_combine_range(op->getOperandTypes()),
                            llvm::hash_combine_range(op->getResultTypes()));
}

/// The buffers that the ops of a run touch, in order.
class Trace {
public:
  Trace(const CostAnalysis &costs, ArrayRef<double> ownBytes)
      : costs(costs), ownBytes(ownBytes) {
    findLastUses();
    for (size_t row = 0; row < costs.rows().size(); ++row)
      visit(row);
  }

  std::vector<Touch> touches;
  unsigned buffers = 1; ///< the first is what kernels have for themselves

private:
  /// Known sizes, once, and no region of its own that touches something else.
  static bool isPlain(const CostRow &row) {
    return row.times.asInt64() == 1 && row.op->getNumResults() > 0;
  }

  Value storage(Value value) const { return costs.viewedValue(value); }

  double bytesOf(Value value) const {
    if (!isa<ShapedType>(value.getType()))
      return 0;
    std::optional<Expr> bytes = costs.bytes(value);
    return bytes && bytes->isConstant() ? toDouble(bytes->constant()) : 0;
  }

  void findLastUses() {
    for (auto [i, row] : llvm::enumerate(costs.rows()))
      for (Value operand : row.op->getOperands())
        lastUse[storage(operand)] = i;
    for (Value value : costs.returned())
      lastUse[storage(value)] = costs.rows().size();
  }

  /// Its own kind of buffer for what isn't a kernel's result.
  unsigned bufferOf(Value value) {
    auto [it, isNew] = bufferNumbers.try_emplace(value, buffers);
    buffers += isNew;
    return it->second;
  }

  unsigned codeOf(Operation *op) {
    auto [it, isNew] = kernelNumbers.try_emplace(kernelOf(op), buffers);
    buffers += isNew;
    return it->second;
  }

  /// What is returned is the caller's, and constants stay: they have buffers of
  /// their own.
  void makeResult(Value value) {
    if (lastUse.lookup(storage(value)) == costs.rows().size() ||
        value.getDefiningOp<rl::FillOp>()) {
      bufferOf(value);
      return;
    }
    std::vector<unsigned> &free = spare[uint64_t(bytesOf(value))];
    if (free.empty()) {
      bufferOf(value);
      return;
    }
    bufferNumbers[value] = free.back();
    free.pop_back();
  }

  void visit(size_t index) {
    const CostRow &row = costs.rows()[index];
    llvm::SmallSetVector<Value, 4> read, results;
    for (Value operand : row.op->getOperands())
      if (bytesOf(operand) > 0)
        read.insert(storage(operand));
    if (!CostAnalysis::isView(row.op)) // which has its operand's buffer
      for (Value result : row.op->getResults())
        if (bytesOf(result) > 0)
          results.insert(result);
    for (Value result : results)
      makeResult(result);
    if (isPlain(row)) {
      touch(index, read.getArrayRef(), row.work.bytesRead(), Touch::Read);
      touch(index, results.getArrayRef(), row.work.bytesWritten(),
            Touch::Write);
      if (index < ownBytes.size() && ownBytes[index] > 0)
        touches.push_back({index, 0, ownBytes[index], Touch::Own});
      if (!CostAnalysis::isView(row.op))
        touches.push_back({index, codeOf(row.op), 0, Touch::Code});
    }
    for (Value value : read)
      if (lastUse.lookup(value) == index && isKernelResult(value))
        spare[uint64_t(bytesOf(value))].push_back(bufferOf(value));
  }

  bool isKernelResult(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && !isa<rl::WeightOp, rl::FillOp>(op) && costs.rowOf(op) >= 0;
  }

  /// An op may use a part of its operands: of each alike.
  void touch(size_t row, ArrayRef<Value> values,
             const std::optional<Expr> &counted, Touch::Kind kind) {
    double whole = 0;
    for (Value value : values)
      whole += bytesOf(value);
    if (!counted || !counted->isConstant() || whole == 0)
      return;
    double share = toDouble(counted->constant()) / whole;
    if (share <= 0) // its shape alone
      return;
    for (Value value : values)
      touches.push_back({row, bufferOf(value), share * bytesOf(value), kind});
  }

  const CostAnalysis &costs;
  ArrayRef<double> ownBytes; ///< by row
  llvm::DenseMap<Value, size_t> lastUse;
  llvm::DenseMap<Value, unsigned> bufferNumbers;
  std::map<size_t, unsigned> kernelNumbers;        ///< buffers of code
  std::map<uint64_t, std::vector<unsigned>> spare; ///< by bytes
};

/// Sums over the times at which buffers were last touched (a Fenwick tree).
class TouchedBytes {
public:
  explicit TouchedBytes(size_t times) : tree(times + 1, 0) {}

  void add(size_t time, double bytes) {
    for (size_t i = time + 1; i < tree.size(); i += i & (~i + 1))
      tree[i] += bytes;
  }
  /// At all times before `time`.
  double before(size_t time) const {
    double sum = 0;
    for (size_t i = time; i > 0; i -= i & (~i + 1))
      sum += tree[i];
    return sum;
  }

private:
  std::vector<double> tree;
};

/// Goes through a trace twice: the first run leaves buffers where the second
/// finds them.
class Distances {
public:
  explicit Distances(const Trace &trace)
      : trace(trace), touched(2 * trace.touches.size()), last(trace.buffers) {}

  void run(std::vector<RowReuse> &rows) {
    size_t count = trace.touches.size();
    for (size_t begin = 0; begin < 2 * count;) {
      size_t end = begin;
      while (end < 2 * count && end / count == begin / count &&
             at(end).row == at(begin).row)
        ++end;
      if (begin >= count)
        share(begin, end, rows[at(begin).row]);
      for (size_t time = begin; time < end; ++time)
        touch(time, begin, end);
      begin = end;
    }
  }

private:
  /// When a buffer was last touched, and by which op's touches.
  struct Last {
    size_t time = 0, begin = 0, end = 0;
    double bytes = -1; ///< below 0: never
  };

  const Touch &at(size_t time) const {
    return trace.touches[time % trace.touches.size()];
  }

  void touch(size_t time, size_t begin, size_t end) {
    Last &before = last[at(time).buffer];
    if (before.bytes >= 0)
      touched.add(before.time, -before.bytes);
    touched.add(time, at(time).bytes);
    before = {time, begin, end, at(time).bytes};
  }

  /// Bytes of an op's touches by when their buffers were last touched, summed
  /// up from the earliest; never is before all else.
  class ByLastTouch {
  public:
    ByLastTouch(const Distances &d, size_t begin, size_t end) {
      for (size_t time = begin; time < end; ++time) {
        const Last &before = d.last[d.at(time).buffer];
        sums.emplace_back(before.bytes >= 0 ? before.time + 1 : 0,
                          d.at(time).bytes);
      }
      llvm::sort(sums);
      double sum = 0;
      for (auto &[time, bytes] : sums)
        bytes = sum += bytes;
    }

    /// Of those that were last touched before `time`.
    double before(size_t time) const {
      auto it = llvm::partition_point(
          sums, [&](const auto &entry) { return entry.first <= time; });
      return it == sums.begin() ? 0 : std::prev(it)->second;
    }

  private:
    std::vector<std::pair<size_t, double>> sums;
  };

  /// What a row's touches find. Of the others of two ops what was last touched
  /// after the first is counted already.
  void share(size_t begin, size_t end, RowReuse &row) const {
    ByLastTouch here(*this, begin, end);
    std::map<size_t, double> there; // by where the op before begins
    for (size_t time = begin; time < end; ++time) {
      const Touch &touch = at(time);
      if (touch.kind == Touch::Own)
        continue;
      const Last &before = last[touch.buffer];
      auto [it, isNew] = there.try_emplace(before.begin);
      if (isNew)
        it->second =
            ByLastTouch(*this, before.begin, before.end).before(before.end);
      double others =
          it->second - before.bytes + here.before(before.end) - touch.bytes;
      double distance = touch.bytes + std::max(0.0, others / 2) +
                        (touched.before(begin) - touched.before(before.end));
      ReuseShare found{touch.bytes, distance, at(before.time).row,
                       before.time < trace.touches.size()};
      if (touch.kind == Touch::Code)
        row.code = found;
      else
        (touch.kind == Touch::Write ? row.written : row.read).push_back(found);
    }
  }

  const Trace &trace;
  TouchedBytes touched;
  std::vector<Last> last;
};

} // namespace

std::vector<RowReuse> reuseDistances(const CostAnalysis &costs,
                                     ArrayRef<double> ownBytes) {
  std::vector<RowReuse> rows(costs.rows().size());
  Trace trace(costs, ownBytes);
  Distances(trace).run(rows);
  return rows;
}

RunClock::RunClock(ArrayRef<double> seconds) {
  for (double one : seconds) {
    middles.push_back(total + one / 2);
    total += one;
  }
}

double RunClock::since(const ReuseShare &share, size_t row) const {
  return middles[row] - middles[share.lastRow] +
         (share.inRunBefore ? total : 0);
}

KernelReuse RunClock::reuseOf(const RowReuse &reuse, size_t row) const {
  auto timed = [&](const ReuseShare &share) {
    return KernelReuse::Share{share.bytes, share.distance, since(share, row)};
  };
  KernelReuse result;
  for (const ReuseShare &share : reuse.read)
    result.read.push_back(timed(share));
  for (const ReuseShare &share : reuse.written)
    result.written.push_back(timed(share));
  if (reuse.code)
    result.code = timed(*reuse.code);
  return result;
}

} // namespace roofline
