//===- SummaryTest.cpp - figures worked out by hand -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"
#include "gtest/gtest.h"

using namespace roofline::profile;

namespace {

/// A timeline built event by event, in ns.
struct Builder {
  Profile profile;

  Event &add(Category category, llvm::StringRef name, int64_t start,
             int64_t end) {
    Event event;
    event.category = category;
    event.name = profile.keep(name);
    event.start = start;
    event.duration = end - start;
    if (isDeviceWork(category))
      event.device = event.stream = "0";
    else
      event.thread = "1/1";
    profile.events.push_back(event);
    return profile.events.back();
  }
  void kernel(int64_t start, int64_t end, int64_t correlation) {
    add(Category::Kernel, "k", start, end).correlation = correlation;
  }
  void call(llvm::StringRef name, int64_t start, int64_t end,
            int64_t correlation) {
    add(Category::Call, name, start, end).correlation = correlation;
  }
};

int64_t idle(const Summary &summary, IdleCause cause) {
  return summary.devices.at(0).idle[unsigned(cause)].time;
}

TEST(Summary, ExplainsEachGap) {
  Builder trace;
  trace.kernel(0, 10, 1);
  trace.call("cudaLaunchKernel", 5, 6, 2);
  trace.kernel(12, 20, 2); // queued: launched at 5, before 10
  trace.call("cudaLaunchKernel", 30, 31, 3);
  trace.kernel(33, 40, 3); // host: launched at 30, after 20
  trace.call("hipStreamSynchronize", 35, 45, 90);
  trace.call("hipLaunchKernel", 50, 51, 4);
  trace.kernel(55, 60, 4); // sync: at 40 the thread waited, until 45
  trace.call("cudaDeviceSynchronize", 62, 64, 91);
  trace.call("cudaLaunchKernel", 70, 71, 5);
  trace.kernel(72, 80, 5); // host: the wait began after the device was idle
  trace.kernel(84, 90, 6); // unknown: no call
  Summary summary = summarize(trace.profile);
  EXPECT_EQ(idle(summary, IdleCause::Queued), 2);
  EXPECT_EQ(idle(summary, IdleCause::Host), 13 + 12);
  EXPECT_EQ(idle(summary, IdleCause::Sync), 15);
  EXPECT_EQ(idle(summary, IdleCause::Unknown), 4);
  const DeviceSummary &device = summary.devices[0];
  EXPECT_EQ(device.syncAny.time, 15 + 12);
  EXPECT_EQ(device.syncAny.count, 2U);
  EXPECT_EQ(device.all.span, 90);
  EXPECT_EQ(device.all.idle(), 2 + 25 + 15 + 4);
  ASSERT_TRUE(device.withCall);
  EXPECT_EQ(device.withCall->activities, 4U); // the first has none either
  EXPECT_EQ(device.longest[0].time, 15);
}

TEST(Summary, KernelsMayOverlap) {
  Builder trace;
  trace.kernel(0, 10, 1);
  trace.kernel(5, 8, 2);
  trace.kernel(9, 12, 3);
  Summary summary = summarize(trace.profile);
  EXPECT_EQ(summary.devices[0].kernelBusy, 12);
  EXPECT_EQ(summary.devices[0].kernelTotal, 16);
  EXPECT_EQ(summary.devices[0].all.idle(), 0);
}

TEST(Summary, EveryDeviceIsItsOwn) {
  Builder trace;
  trace.kernel(0, 10, 1);
  trace.kernel(20, 30, 2);
  trace.add(Category::Kernel, "k", 12, 18).device = "10";
  trace.add(Category::Kernel, "k", 12, 19).device = "2";
  Summary summary = summarize(trace.profile);
  ASSERT_EQ(summary.devices.size(), 3U);
  EXPECT_EQ(summary.devices[0].all.idle(), 10);
  EXPECT_EQ(summary.devices[1].device, "2");
  EXPECT_EQ(summary.devices[2].device, "10");
}

TEST(Summary, OneCallMayLaunchMany) {
  Builder trace;
  trace.call("cudaGraphLaunch", 0, 50, 1);
  trace.call("cudaLaunchKernel", 60, 80, 2);
  trace.kernel(10, 12, 1);
  trace.kernel(12, 14, 1);
  trace.kernel(90, 95, 2);
  trace.kernel(99, 10000, 7);
  Summary summary = summarize(trace.profile);
  EXPECT_EQ(summary.kernelsFromGraph, 2U);
  EXPECT_EQ(summary.kernelsWithOwnCall, 1U);
  EXPECT_EQ(summary.kernelsShorterThanCall, 1U);
  EXPECT_EQ(summary.kernelsWithoutCall, 1U);
  EXPECT_EQ(summary.kernelsUnder5us.count, 3U);
}

TEST(Summary, CopiesInsideCopiesCountOnce) {
  Builder trace;
  trace.add(Category::CpuOp, "aten::to", 0, 100);
  trace.add(Category::CpuOp, "aten::copy_", 10, 50);
  trace.add(Category::CpuOp, "aten::copy_", 20, 30);
  trace.call("cudaMemcpyAsync", 25, 26, 1);
  Event &copy = trace.add(Category::Memcpy, "Memcpy HtoD", 40, 60);
  copy.correlation = 1;
  copy.direction = "HtoD";
  Summary summary = summarize(trace.profile);
  EXPECT_EQ(summary.copyOps.ops, 2U);
  EXPECT_EQ(summary.copyOps.hostTime, 40);
  EXPECT_EQ(summary.copyOps.activities, 1U);
  EXPECT_DOUBLE_EQ(summary.copyOps.shareOfOps, 0.4);
  ASSERT_EQ(summary.opsBySelfTime.size(), 2U);
  EXPECT_EQ(summary.opsBySelfTime[0].name, "aten::to");
  EXPECT_EQ(summary.opsBySelfTime[0].total, 60);
  EXPECT_EQ(summary.opsBySelfTime[1].total, 40);
}

TEST(Names, SyncCallsDropTheirVersion) {
  EXPECT_EQ(syncCall("cudaDeviceSynchronize_v3020"), "cudaDeviceSynchronize");
  EXPECT_EQ(syncCall("cuCtxSynchronize"), "cuCtxSynchronize");
  EXPECT_EQ(syncCall("hipStreamSynchronize"), "hipStreamSynchronize");
  EXPECT_EQ(syncCall("cudaStreamSynchronizeAll"), "");
  EXPECT_EQ(syncCall("cudaStreamWaitEvent"), "");
  EXPECT_EQ(copyDirection("[CUDA memcpy Device-to-Host]"), "DtoH");
  EXPECT_EQ(copyDirection("Memcpy PtoP"), "PtoP");
  EXPECT_EQ(copyDirection("CopyHostToDevice"), "HtoD");
}

TEST(Statistics, MedianAndPercentile) {
  std::vector<double> odd = {3, 1, 2}, even = {4, 1, 3, 2}, none;
  EXPECT_EQ(median(odd), 2);
  EXPECT_EQ(median(even), 2.5);
  EXPECT_EQ(median(none), 0);
  EXPECT_EQ(percentile(even, 0.9), 4);
  EXPECT_EQ(percentile(even, 0.5), 2);
}

} // namespace
