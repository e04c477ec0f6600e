//===- Summary.cpp - where a profile's time went --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Profile/Summary.h"
#include "Timeline.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;

namespace roofline::profile {

uint64_t Summary::kernelCount() const {
  uint64_t sum = 0;
  for (const NamedTime &kernel : kernels)
    sum += kernel.count;
  return sum;
}

int64_t Summary::kernelTotal() const {
  int64_t sum = 0;
  for (const NamedTime &kernel : kernels)
    sum = addSaturating(sum, kernel.total);
  return sum;
}

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

namespace {

class Summarizer {
public:
  explicit Summarizer(const Profile &profile)
      : profile(profile), calls(profile.events) {}
  Summary take();

private:
  void addKernel(const Event &kernel);
  void addHostOp(const Event &op);
  void addSession(const Event &event);
  void addSums();
  void addHost();
  void addCopyOps();
  void addCopy(CopySummary &copies, uint64_t count, int64_t time,
               std::optional<int64_t> bytes);
  bool isItemOp(StringRef name) const {
    return StringSwitch<bool>(name)
        .Cases({"aten::item", "aten::_local_scalar_dense", "aten::nonzero",
                "aten::is_nonzero"},
               true)
        .Default(false);
  }

  const Profile &profile;
  LaunchCalls calls;
  Summary summary;
  NameTimes kernels;
  ThreadIntervals ops, copyOps;
  std::vector<double> runs;
};

int64_t nanoseconds(double seconds) {
  return std::llround(std::min(seconds * 1e9, 9e18));
}

} // namespace

void Summarizer::addCopy(CopySummary &copies, uint64_t count, int64_t time,
                         std::optional<int64_t> bytes) {
  copies.count += count;
  copies.time = addSaturating(copies.time, time);
  if (bytes)
    copies.bytes = addSaturating(copies.bytes.value_or(0), *bytes);
}

void Summarizer::addKernel(const Event &kernel) {
  constexpr int64_t shortKernel = 5000; // 5 µs: about what a launch costs
  kernels.add(kernel.name, 1, kernel.duration, kernel.duration);
  if (kernel.duration < shortKernel)
    summary.kernelsUnder5us.add(kernel.duration);
  const Event *call = calls.of(kernel);
  if (!call) {
    ++summary.kernelsWithoutCall;
  } else if (LaunchCalls::isGraphLaunch(*call)) {
    ++summary.kernelsFromGraph;
  } else {
    ++summary.kernelsWithOwnCall;
    summary.kernelsShorterThanCall += kernel.duration < call->duration;
  }
}

void Summarizer::addHostOp(const Event &op) {
  ops[op.thread].add(op);
  if (isItemOp(op.name))
    ++summary.itemOps[op.name.str()];
  if (op.name == "aten::copy_") {
    ++summary.copyOps.ops;
    copyOps[op.thread].add(op);
  }
}

void Summarizer::addSession(const Event &event) {
  if (!summary.session)
    summary.session.emplace();
  SessionSummary &session = *summary.session;
  if (event.category == Category::Node) {
    ++session.nodeEvents;
    if (!event.provider.empty() &&
        !is_contained(session.providers, event.provider))
      session.providers.push_back(event.provider.str());
  } else if (event.name == "model_run") {
    ++session.runs;
    runs.push_back(double(event.duration));
  } else if (event.name == "session_initialization") {
    session.initialization += event.duration;
  }
}

/// What the tool put together itself, of kinds that have no events here: a file
/// may hold both tables.
void Summarizer::addSums() {
  bool hasWork = !summary.devices.empty();
  bool hasCalls = summary.count(Category::Call) > 0;
  for (const Measurement &sum : profile.measurements) {
    if (sum.category == Category::Call) {
      StringRef name = syncCall(sum.name);
      if (hasCalls || name.empty())
        continue;
      CountAndTime &sync = summary.syncCalls[name.str()];
      sync.count += sum.count;
      sync.time = addSaturating(sync.time, nanoseconds(sum.total));
    } else if (hasWork) {
      continue;
    } else if (sum.category == Category::Kernel) {
      kernels.add(sum.name, sum.count, nanoseconds(sum.total),
                  nanoseconds(sum.seconds.max.value_or(0)));
    } else if (isDeviceWork(sum.category)) {
      // Times and sizes stand in two tables: the same copies counted twice.
      CopySummary &copies = sum.category == Category::Memset
                                ? summary.memsets
                                : summary.copies[copyDirection(sum.name).str()];
      bool isAgain = copies.count && (sum.bytes ? !copies.bytes : !copies.time);
      addCopy(copies, isAgain ? 0 : sum.count, nanoseconds(sum.total),
              sum.bytes);
    }
  }
  for (const Launch &launch : profile.launches)
    if (launch.seconds) {
      int64_t time = nanoseconds(*launch.seconds);
      kernels.add(launch.name, 1, time, time);
    }
}

void Summarizer::addHost() {
  std::optional<int64_t> first, last;
  for (const Event &event : profile.events) {
    if (event.category != Category::CpuOp && event.category != Category::Call)
      continue;
    first = std::min(first.value_or(event.start), event.start);
    last = std::max(last.value_or(event.end()), event.end());
  }
  if (first)
    summary.hostSpan = *last - *first;
  for (auto &thread : ops) {
    thread.second.merge();
    summary.opTime += thread.second.length();
  }
}

void Summarizer::addCopyOps() {
  CopyOps &copies = summary.copyOps;
  for (auto &thread : copyOps) {
    thread.second.merge();
    copies.hostTime += thread.second.length();
  }
  int64_t deviceTime = 0;
  for (const Event &event : profile.events) {
    if (!isDeviceWork(event.category))
      continue;
    deviceTime += event.duration;
    const Event *call = calls.of(event);
    auto thread = call ? copyOps.find(call->thread) : copyOps.end();
    if (thread == copyOps.end() || !thread->second.at(call->start))
      continue;
    ++copies.activities;
    copies.deviceTime += event.duration;
  }
  if (summary.opTime)
    copies.shareOfOps = double(copies.hostTime) / double(summary.opTime);
  if (deviceTime)
    copies.shareOfDevice = double(copies.deviceTime) / double(deviceTime);
}

Summary Summarizer::take() {
  for (const Event &event : profile.events) {
    ++summary.events[unsigned(event.category)];
    switch (event.category) {
    case Category::Kernel:
      addKernel(event);
      break;
    case Category::Memcpy:
      addCopy(summary.copies[event.direction.str()], 1, event.duration,
              event.bytes);
      break;
    case Category::Memset:
      addCopy(summary.memsets, 1, event.duration, event.bytes);
      break;
    case Category::CpuOp:
      addHostOp(event);
      break;
    case Category::Call:
      if (StringRef name = syncCall(event.name); !name.empty())
        summary.syncCalls[name.str()].add(event.duration);
      break;
    case Category::Node:
    case Category::Session:
      addSession(event);
      break;
    case Category::Sync:
    case Category::Step:
      break;
    }
  }
  summary.devices = summarizeDevices(profile, calls);
  addSums();
  addHost();
  addCopyOps();
  summary.kernels = kernels.sorted();
  summary.opsBySelfTime = selfTimes(profile.events);
  if (summary.session)
    summary.session->runMedian = median(runs);
  return std::move(summary);
}

Summary summarize(const Profile &profile) { return Summarizer(profile).take(); }

//===----------------------------------------------------------------------===//
// Measurements
//===----------------------------------------------------------------------===//

namespace {

/// What events must share to be one measurement.
using EventKey = std::tuple<Category, StringRef, StringRef, StringRef>;

struct EventTimes {
  std::vector<double> nanoseconds;
  int64_t total = 0;
  StringRef inputs; ///< of the first
};

} // namespace

static Measurement measurementOf(const EventKey &key, EventTimes &times) {
  Measurement measured;
  measured.category = std::get<0>(key);
  measured.name = std::get<1>(key).str();
  measured.opType = std::get<2>(key).str();
  measured.inputs = parseShapes(times.inputs);
  std::vector<double> &values = times.nanoseconds;
  measured.count = values.size();
  measured.total = double(times.total) / 1e9;
  measured.seconds.median = median(values) / 1e9; // sorts them
  measured.seconds.min = values.front() / 1e9;
  measured.seconds.max = values.back() / 1e9;
  measured.seconds.p95 = percentile(values, 0.95) / 1e9;
  measured.seconds.p99 = percentile(values, 0.99) / 1e9;
  return measured;
}

std::vector<Measurement> measurements(const Profile &profile) {
  MapVector<EventKey, EventTimes, std::map<EventKey, unsigned>> byKey;
  for (const Event &event : profile.events) {
    bool isMeasured = isDeviceWork(event.category) ||
                      event.category == Category::CpuOp ||
                      event.category == Category::Node;
    if (!isMeasured)
      continue;
    // Shapes tell PyTorch's ops apart; a node's may change from run to run.
    bool isOp = event.category == Category::CpuOp;
    EventTimes &times = byKey[{event.category, event.name, event.opType,
                               isOp ? event.inputs : StringRef()}];
    if (times.nanoseconds.empty())
      times.inputs = event.inputs;
    times.nanoseconds.push_back(double(event.duration));
    times.total += event.duration;
  }
  std::vector<Measurement> result;
  result.reserve(byKey.size());
  for (auto &[key, times] : byKey)
    result.push_back(measurementOf(key, times));
  if (result.empty())
    result = profile.measurements;
  for (const Launch &launch : profile.launches) {
    if (!launch.seconds)
      continue;
    Measurement &measured = result.emplace_back();
    measured.name = launch.name;
    measured.category = Category::Kernel;
    measured.count = 1;
    measured.total = measured.seconds.median = *launch.seconds;
  }
  return result;
}

} // namespace roofline::profile
