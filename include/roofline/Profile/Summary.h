//===- Summary.h - where a profile's time went ------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures of a profile by itself, without a model. Times are nanoseconds, exact
// sums of the file's own. docs/profiles.md defines each.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_PROFILE_SUMMARY_H
#define ROOFLINE_PROFILE_SUMMARY_H

#include "roofline/Profile/Profile.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <map>

namespace roofline::profile {

/// Why a device did nothing before an activity; see docs/profiles.md.
enum class IdleCause : uint8_t { Host, Sync, Queued, Unknown };
constexpr unsigned numIdleCauses = unsigned(IdleCause::Unknown) + 1;
llvm::StringRef name(IdleCause cause);

/// The sum, or the greatest number where it is greater still.
inline int64_t addSaturating(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? INT64_MAX : sum;
}

struct CountAndTime {
  uint64_t count = 0;
  int64_t time = 0;

  void add(int64_t duration) {
    ++count;
    time = addSaturating(time, duration);
  }
};

/// First start to last end, the part in which anything ran, and the rest.
struct Extent {
  uint64_t activities = 0;
  int64_t span = 0, busy = 0;
  int64_t idle() const { return span - busy; }
};

struct IdleGap {
  int64_t time = 0;
  IdleCause cause = IdleCause::Unknown;
  std::string before; ///< the activity that ended it
};

struct DeviceSummary {
  std::string device;
  unsigned streams = 0;
  Extent all;
  /// Of the activities whose launch call the file holds, where some have none.
  std::optional<Extent> withCall;
  int64_t kernelBusy = 0, kernelTotal = 0;
  std::array<CountAndTime, numIdleCauses> idle;
  CountAndTime syncAny;
  std::vector<IdleGap> longest; ///< gaps
};

struct NamedTime {
  std::string name;
  uint64_t count = 0;
  int64_t total = 0, max = 0;
};

struct CopySummary {
  uint64_t count = 0;
  int64_t time = 0;
  std::optional<int64_t> bytes;
};

/// Copies that PyTorch's aten::copy_ ops made.
struct CopyOps {
  uint64_t ops = 0, activities = 0;
  int64_t hostTime = 0; ///< union of the ops' time by thread, summed
  int64_t deviceTime = 0;
  double shareOfOps = 0, shareOfDevice = 0;
};

/// onnxruntime's session around the nodes.
struct SessionSummary {
  uint64_t runs = 0, nodeEvents = 0;
  int64_t initialization = 0;
  double runMedian = 0; ///< ns
  std::vector<std::string> providers;
};

struct Summary {
  std::array<uint64_t, unsigned(Category::Step) + 1> events{};
  std::vector<DeviceSummary> devices;
  int64_t hostSpan = 0;
  int64_t opTime = 0; ///< union of CPU ops by thread, summed

  std::vector<NamedTime> kernels; ///< greatest total first
  CountAndTime kernelsUnder5us;
  uint64_t kernelsWithOwnCall = 0; ///< not from a graph's launch
  uint64_t kernelsShorterThanCall = 0;
  uint64_t kernelsFromGraph = 0, kernelsWithoutCall = 0;

  std::map<std::string, CopySummary> copies; ///< by direction
  CopySummary memsets;
  std::map<std::string, CountAndTime> syncCalls;
  std::map<std::string, uint64_t> itemOps; ///< ops that wait for one value
  CopyOps copyOps;
  std::vector<NamedTime> opsBySelfTime; ///< greatest first

  std::optional<SessionSummary> session;

  uint64_t count(Category category) const { return events[unsigned(category)]; }
  uint64_t kernelCount() const;
  int64_t kernelTotal() const;
};

Summary summarize(const Profile &profile);

/// Events of one name put together; what the file put together itself where
/// there are none. In order of first occurrence.
std::vector<Measurement> measurements(const Profile &profile);

} // namespace roofline::profile

#endif // ROOFLINE_PROFILE_SUMMARY_H
