//===- Timeline.h - intervals and launch calls ------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_PROFILE_TIMELINE_H
#define ROOFLINE_LIB_PROFILE_TIMELINE_H

#include "roofline/Profile/Summary.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace roofline::profile {

struct Interval {
  int64_t start, end;
};

/// Intervals that may overlap and stand in any order, merged on demand.
class IntervalSet {
public:
  void add(int64_t start, int64_t end) { intervals.push_back({start, end}); }
  void add(const Event &event) { add(event.start, event.end()); }
  /// Sorts and merges; needed before the questions below.
  void merge();
  int64_t length() const; ///< of the union
  /// The interval that `time` is in, both ends included; null where none is.
  const Interval *at(int64_t time) const;
  /// The first that ends after `time`; null where none does.
  const Interval *after(int64_t time) const;

private:
  std::vector<Interval> intervals;
};

/// The calls of the host by the correlation that they share with what they
/// launched; of several, the one that began first.
class LaunchCalls {
public:
  explicit LaunchCalls(llvm::ArrayRef<Event> events);
  const Event *of(const Event &activity) const;
  static bool isGraphLaunch(const Event &call) {
    return call.name.contains("GraphLaunch");
  }

private:
  llvm::DenseMap<int64_t, const Event *> calls;
};

/// Sorts; equals stay in their order. (llvm::stable_sort is built on a part of
/// the library that is deprecated.)
template <typename T, typename Less>
void sortStably(std::vector<T> &items, Less less) {
  std::vector<size_t> order(items.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) {
    if (less(items[a], items[b]))
      return true;
    return !less(items[b], items[a]) && a < b;
  });
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (size_t i : order)
    sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

/// By the thread's name.
using ThreadIntervals = llvm::StringMap<IntervalSet>;

/// The devices' part of a summary.
std::vector<DeviceSummary> summarizeDevices(const Profile &profile,
                                            const LaunchCalls &calls);

/// Self time of the CPU ops: what they spent outside of the ops they called.
std::vector<NamedTime> selfTimes(llvm::ArrayRef<Event> events);

/// Times by name, in order of first occurrence until they are sorted.
class NameTimes {
public:
  void add(llvm::StringRef name, uint64_t count, int64_t total, int64_t max);
  std::vector<NamedTime> sorted(); ///< greatest total first

private:
  std::vector<NamedTime> times;
  llvm::StringMap<size_t> slots;
};

} // namespace roofline::profile

#endif // ROOFLINE_LIB_PROFILE_TIMELINE_H
