//===- Timeline.cpp - intervals and launch calls --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace roofline::profile {

void IntervalSet::merge() {
  llvm::sort(intervals, [](const Interval &a, const Interval &b) {
    return a.start < b.start;
  });
  size_t kept = 0;
  for (const Interval &next : intervals) {
    if (kept && next.start <= intervals[kept - 1].end)
      intervals[kept - 1].end = std::max(intervals[kept - 1].end, next.end);
    else
      intervals[kept++] = next;
  }
  intervals.resize(kept);
}

int64_t IntervalSet::length() const {
  int64_t sum = 0;
  for (const Interval &interval : intervals)
    sum += interval.end - interval.start;
  return sum;
}

const Interval *IntervalSet::at(int64_t time) const {
  auto next = llvm::upper_bound(
      intervals, time,
      [](int64_t time, const Interval &other) { return time < other.start; });
  if (next == intervals.begin() || std::prev(next)->end < time)
    return nullptr;
  return &*std::prev(next);
}

const Interval *IntervalSet::after(int64_t time) const {
  auto next = llvm::upper_bound(
      intervals, time,
      [](int64_t time, const Interval &other) { return time < other.end; });
  return next == intervals.end() ? nullptr : &*next;
}

LaunchCalls::LaunchCalls(ArrayRef<Event> events) {
  for (const Event &event : events) {
    if (event.category != Category::Call || !event.correlation)
      continue;
    // DenseMap keeps the two greatest numbers for itself.
    if (*event.correlation >= INT64_MAX - 1)
      continue;
    auto [slot, isNew] = calls.try_emplace(*event.correlation, &event);
    if (!isNew && event.start < slot->second->start)
      slot->second = &event;
  }
}

const Event *LaunchCalls::of(const Event &activity) const {
  if (!activity.correlation || *activity.correlation >= INT64_MAX - 1 ||
      *activity.correlation == INT64_MIN)
    return nullptr;
  return calls.lookup(*activity.correlation);
}

void NameTimes::add(StringRef name, uint64_t count, int64_t total,
                    int64_t max) {
  auto [slot, isNew] = slots.try_emplace(name, times.size());
  if (isNew)
    times.emplace_back().name = name.str();
  NamedTime &time = times[slot->second];
  time.count += count;
  time.total = addSaturating(time.total, total);
  time.max = std::max(time.max, max);
}

std::vector<NamedTime> NameTimes::sorted() {
  sortStably(times, [](const NamedTime &a, const NamedTime &b) {
    return a.total > b.total;
  });
  return std::move(times);
}

std::vector<NamedTime> selfTimes(ArrayRef<Event> events) {
  StringMap<std::vector<const Event *>> threads;
  for (const Event &event : events)
    if (event.category == Category::CpuOp)
      threads[event.thread].push_back(&event);
  struct Open {
    const Event *op;
    int64_t self;
  };
  // Added thread by thread in the order of the file, for a stable order.
  NameTimes times;
  auto close = [&](const Open &open) {
    times.add(open.op->name, 1, open.self, open.self);
  };
  StringMap<bool> done;
  for (const Event &event : events) {
    if (event.category != Category::CpuOp ||
        !done.try_emplace(event.thread, true).second)
      continue;
    std::vector<const Event *> &ops = threads[event.thread];
    sortStably(ops, [](const Event *a, const Event *b) {
      return a->start != b->start ? a->start < b->start : a->end() > b->end();
    });
    std::vector<Open> stack;
    for (const Event *op : ops) {
      while (!stack.empty() && stack.back().op->end() <= op->start &&
             stack.back().op->end() < op->end()) {
        close(stack.back());
        stack.pop_back();
      }
      if (!stack.empty())
        stack.back().self -=
            std::min(op->end(), stack.back().op->end()) - op->start;
      stack.push_back({op, op->duration});
    }
    for (const Open &open : reverse(stack))
      close(open);
  }
  return times.sorted();
}

} // namespace roofline::profile
