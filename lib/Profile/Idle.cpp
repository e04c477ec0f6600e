//===- Idle.cpp - what a device did, and why it waited --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules are those of docs/profiles.md: a gap lasts from the moment at which
// everything on the device has ended until the next activity starts, and the
// launch call of that activity tells why.
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace roofline::profile {

StringRef name(IdleCause cause) {
  switch (cause) {
  case IdleCause::Host:
    return "host";
  case IdleCause::Sync:
    return "sync";
  case IdleCause::Queued:
    return "queued";
  case IdleCause::Unknown:
    return "unknown";
  }
  return "";
}

namespace {

class DeviceSummarizer {
public:
  DeviceSummarizer(const LaunchCalls &calls, const ThreadIntervals &syncs)
      : calls(calls), syncs(syncs) {}
  DeviceSummary summarize(StringRef device,
                          std::vector<const Event *> &activities);

private:
  Extent extent(ArrayRef<const Event *> activities) const;
  void addGaps(ArrayRef<const Event *> activities, DeviceSummary &summary);
  IdleCause cause(const Event *call, int64_t idleFrom) const;
  bool waitedForSync(const Event &call, int64_t idleFrom) const;

  const LaunchCalls &calls;
  const ThreadIntervals &syncs;
};

} // namespace

Extent DeviceSummarizer::extent(ArrayRef<const Event *> activities) const {
  Extent extent;
  if (activities.empty())
    return extent;
  IntervalSet busy;
  int64_t first = activities.front()->start, last = first;
  for (const Event *activity : activities) {
    busy.add(*activity);
    first = std::min(first, activity->start);
    last = std::max(last, activity->end());
  }
  busy.merge();
  extent.activities = activities.size();
  extent.span = last - first;
  extent.busy = busy.length();
  return extent;
}

IdleCause DeviceSummarizer::cause(const Event *call, int64_t idleFrom) const {
  if (!call)
    return IdleCause::Unknown;
  if (call->start <= idleFrom)
    return IdleCause::Queued;
  auto thread = syncs.find(call->thread);
  if (thread != syncs.end())
    if (const Interval *sync = thread->second.at(idleFrom))
      if (sync->end > idleFrom && sync->end <= call->start)
        return IdleCause::Sync;
  return IdleCause::Host;
}

/// Whether the launching thread was in a synchronise call at any time between
/// the device's falling idle and the launch.
bool DeviceSummarizer::waitedForSync(const Event &call,
                                     int64_t idleFrom) const {
  auto thread = syncs.find(call.thread);
  if (call.start <= idleFrom || thread == syncs.end())
    return false;
  const Interval *sync = thread->second.after(idleFrom);
  return sync && sync->start < call.start;
}

void DeviceSummarizer::addGaps(ArrayRef<const Event *> activities,
                               DeviceSummary &summary) {
  int64_t busyUntil = activities.front()->end();
  for (const Event *activity : activities) {
    if (activity->start > busyUntil) {
      const Event *call = calls.of(*activity);
      IdleGap gap;
      gap.time = activity->start - busyUntil;
      gap.cause = cause(call, busyUntil);
      gap.before = activity->name.str();
      summary.idle[unsigned(gap.cause)].add(gap.time);
      if (call && waitedForSync(*call, busyUntil))
        summary.syncAny.add(gap.time);
      summary.longest.push_back(std::move(gap));
    }
    busyUntil = std::max(busyUntil, activity->end());
  }
  constexpr size_t shown = 5;
  sortStably(summary.longest, [](const IdleGap &a, const IdleGap &b) {
    return a.time > b.time;
  });
  if (summary.longest.size() > shown)
    summary.longest.resize(shown);
}

DeviceSummary
DeviceSummarizer::summarize(StringRef device,
                            std::vector<const Event *> &activities) {
  DeviceSummary summary;
  summary.device = device.str();
  sortStably(activities, [](const Event *a, const Event *b) {
    return a->start < b->start;
  });
  StringSet<> streams;
  std::vector<const Event *> withCall;
  IntervalSet kernels;
  for (const Event *activity : activities) {
    streams.insert(activity->stream);
    if (calls.of(*activity))
      withCall.push_back(activity);
    if (activity->category == Category::Kernel) {
      kernels.add(*activity);
      summary.kernelTotal += activity->duration;
    }
  }
  kernels.merge();
  summary.streams = streams.size();
  summary.kernelBusy = kernels.length();
  summary.all = extent(activities);
  if (!withCall.empty() && withCall.size() < activities.size())
    summary.withCall = extent(withCall);
  addGaps(activities, summary);
  return summary;
}

std::vector<DeviceSummary> summarizeDevices(const Profile &profile,
                                            const LaunchCalls &calls) {
  ThreadIntervals syncs;
  // In the order of the devices' names, numbers by value.
  auto before = [](StringRef a, StringRef b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  std::map<StringRef, std::vector<const Event *>, decltype(before)> devices(
      before);
  for (const Event &event : profile.events) {
    if (isDeviceWork(event.category))
      devices[event.device].push_back(&event);
    else if (event.category == Category::Call && !syncCall(event.name).empty())
      syncs[event.thread].add(event);
  }
  for (auto &thread : syncs)
    thread.second.merge();
  DeviceSummarizer summarizer(calls, syncs);
  std::vector<DeviceSummary> summaries;
  summaries.reserve(devices.size());
  for (auto &[device, activities] : devices)
    summaries.push_back(summarizer.summarize(device, activities));
  return summaries;
}

} // namespace roofline::profile
