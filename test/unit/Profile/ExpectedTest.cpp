//===- ExpectedTest.cpp - the right answers of real profiles --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/Profile/Inputs holds real profiles of several tools and expected.json
// with what they say, worked out by independent implementations (its README
// tells which). Everything that stands there for a file is asked of the
// library: counts exactly, times within 0.1 %. A key that isn't known fails, so
// nothing is passed over. With ROOFLINE_PROFILE_INPUTS in the environment
// another folder of the same form is used.
//
//===----------------------------------------------------------------------===//

#include "roofline/Profile/Read.h"
#include "roofline/Profile/Summary.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline::profile;

namespace {

std::string folder() {
  const char *other = std::getenv("ROOFLINE_PROFILE_INPUTS");
  return other ? other : ROOFLINE_PROFILE_INPUTS;
}

json::Object answers() {
  auto file = MemoryBuffer::getFile(folder() + "/expected.json");
  if (!file) {
    ADD_FAILURE() << folder() << "/expected.json";
    return {};
  }
  Expected<json::Value> value = json::parse((*file)->getBuffer());
  if (!value) {
    ADD_FAILURE() << toString(value.takeError());
    return {};
  }
  return std::move(*value->getAsObject());
}

/// A figure of time in nanoseconds against one in microseconds.
void expectTime(double nanoseconds, const json::Value *expected,
                StringRef what) {
  ASSERT_TRUE(expected && expected->getAsNumber()) << what.str();
  double right = *expected->getAsNumber();
  EXPECT_NEAR(nanoseconds / 1e3, right, std::fabs(right) * 1e-3 + 1e-6)
      << what.str();
}

/// Shares are given in percent with three digits.
void expectPercent(double share, const json::Value *expected, StringRef what) {
  ASSERT_TRUE(expected && expected->getAsNumber()) << what.str();
  EXPECT_NEAR(share * 100, *expected->getAsNumber(), 6e-4) << what.str();
}

void expectCount(uint64_t count, const json::Value *expected, StringRef what) {
  ASSERT_TRUE(expected && expected->getAsInteger()) << what.str();
  EXPECT_EQ(int64_t(count), *expected->getAsInteger()) << what.str();
}

/// What the checks of one file share.
struct Answered {
  const Profile &profile;
  const Summary &summary;
  bool hasHost; ///< the file holds the launch calls
};

using Check = std::function<void(const Answered &, const json::Value &)>;

void checkExtent(const Extent &extent, const json::Object &expected) {
  expectTime(double(extent.span), expected.get("span_us"), "span");
  expectTime(double(extent.busy), expected.get("busy_us"), "busy");
  expectTime(double(extent.idle()), expected.get("idle_us"), "idle");
}

void checkDevice(const Answered &file, const json::Value &value) {
  const json::Object &gpu = *value.getAsObject();
  ASSERT_EQ(file.summary.devices.size(), 1U);
  const DeviceSummary &device = file.summary.devices.front();
  checkExtent(device.all, gpu);
  expectPercent(double(device.all.idle()) / double(device.all.span),
                gpu.get("idle_percent"), "idle");
  expectTime(double(device.kernelBusy), gpu.get("kernel_busy_us"),
             "kernel busy");
  expectTime(double(device.kernelTotal), gpu.get("kernel_total_us"),
             "kernel total");
}

void checkWithCall(const Answered &file, const json::Value &value) {
  const json::Object &expected = *value.getAsObject();
  ASSERT_TRUE(file.summary.devices.at(0).withCall);
  const Extent &extent = *file.summary.devices[0].withCall;
  expectCount(extent.activities, expected.get("activities"), "activities");
  checkExtent(extent, expected);
}

void checkIdle(const Answered &file, const json::Value &value) {
  const json::Object &expected = *value.getAsObject();
  const DeviceSummary &device = file.summary.devices.at(0);
  auto check = [&](const CountAndTime &gaps, StringRef cause) {
    const json::Object *one = expected.getObject(cause);
    ASSERT_TRUE(one) << cause.str();
    expectCount(gaps.count, one->get("gaps"), cause);
    expectTime(double(gaps.time), one->get("us"), cause);
  };
  if (!file.hasHost) { // no launch calls: the gaps are known, not their causes
    EXPECT_EQ(device.idle[unsigned(IdleCause::Unknown)].time,
              device.all.idle());
    return;
  }
  for (unsigned cause = 0; cause < numIdleCauses; ++cause)
    check(device.idle[cause], name(IdleCause(cause)));
  check(device.syncAny, "sync_any");
  const json::Array &longest = *expected.getArray("longest");
  ASSERT_GE(device.longest.size(), std::min<size_t>(longest.size(), 5));
  for (size_t i = 0; i < std::min<size_t>(longest.size(), 5); ++i) {
    const json::Object &gap = *longest[i].getAsObject();
    expectTime(double(device.longest[i].time), gap.get("us"), "longest gap");
    EXPECT_EQ(name(device.longest[i].cause), *gap.getString("cause"));
    EXPECT_EQ(device.longest[i].before, gap.getString("before")->str());
  }
}

/// `timeField` is "total_us" or "self_us".
void checkTop(ArrayRef<NamedTime> times, const json::Value &value,
              StringRef timeField) {
  const json::Array &expected = *value.getAsArray();
  ASSERT_GE(times.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const json::Object &one = *expected[i].getAsObject();
    StringRef name = *one.getString("name");
    // Of equal times either may come first.
    auto found = find_if(
        times, [&](const NamedTime &time) { return time.name == name; });
    ASSERT_NE(found, times.end()) << name.str();
    expectCount(found->count, one.get("count"), name);
    expectTime(double(found->total), one.get(timeField), name);
    expectTime(double(times[i].total), one.get(timeField),
               "rank of " + name.str());
    if (one.get("max_us"))
      expectTime(double(found->max), one.get("max_us"), name);
  }
}

void checkCopies(const CopySummary &copies, const json::Object &expected,
                 StringRef what) {
  expectCount(copies.count, expected.get("count"), what);
  expectTime(double(copies.time), expected.get("total_us"), what);
  const json::Value *bytes = expected.get("bytes");
  if (!bytes)
    return;
  ASSERT_TRUE(copies.bytes) << what.str();
  EXPECT_EQ(*copies.bytes, *bytes->getAsInteger()) << what.str();
}

void checkDirections(const Answered &file, const json::Value &value) {
  const json::Object &expected = *value.getAsObject();
  EXPECT_EQ(file.summary.copies.size(), expected.size());
  for (const auto &[direction, copies] : expected) {
    auto found = file.summary.copies.find(direction.str());
    ASSERT_NE(found, file.summary.copies.end()) << direction.str();
    checkCopies(found->second, *copies.getAsObject(), direction);
  }
}

void checkSyncCalls(const Answered &file, const json::Value &value) {
  const json::Object &expected = *value.getAsObject();
  EXPECT_EQ(file.summary.syncCalls.size(), expected.size());
  for (const auto &[call, time] : expected) {
    auto found = file.summary.syncCalls.find(call.str());
    ASSERT_NE(found, file.summary.syncCalls.end()) << call.str();
    expectCount(found->second.count, time.getAsObject()->get("count"), call);
    expectTime(double(found->second.time), time.getAsObject()->get("host_us"),
               call);
  }
}

void checkEvents(const Answered &file, const json::Value &value) {
  constexpr std::pair<StringLiteral, Category> kinds[] = {
      {"op", Category::CpuOp},
      {"call", Category::Call},
      {"kernel", Category::Kernel},
      {"memcpy", Category::Memcpy},
      {"memset", Category::Memset}};
  const json::Object &expected = *value.getAsObject();
  EXPECT_EQ(expected.size(), std::size(kinds));
  for (const auto &[key, category] : kinds)
    if (file.hasHost || isDeviceWork(category))
      expectCount(file.summary.count(category), expected.get(key), key);
}

void checkCopyOps(const Answered &file, const json::Value &value) {
  const json::Object &expected = *value.getAsObject();
  const CopyOps &copies = file.summary.copyOps;
  expectCount(copies.ops, expected.get("ops"), "copy_");
  expectTime(double(copies.hostTime), expected.get("host_us"), "copy_ host");
  expectPercent(copies.shareOfOps, expected.get("host_percent_of_op_time"),
                "copy_ of ops");
  if (!expected.get("gpu_us"))
    return;
  expectCount(copies.activities, expected.get("gpu_activities"), "copy_ GPU");
  expectTime(double(copies.deviceTime), expected.get("gpu_us"), "copy_ GPU");
  expectPercent(copies.shareOfDevice, expected.get("gpu_percent"),
                "copy_ of GPU");
}

void checkItemOps(const Answered &file, const json::Value &value) {
  const json::Object &expected = *value.getAsObject();
  EXPECT_EQ(file.summary.itemOps.size(), expected.size());
  for (const auto &[op, count] : expected) {
    auto found = file.summary.itemOps.find(op.str());
    ASSERT_NE(found, file.summary.itemOps.end()) << op.str();
    expectCount(found->second, &count, op);
  }
}

void checkDeviceNames(const Answered &file, const json::Value &value) {
  const json::Array &expected = *value.getAsArray();
  ASSERT_EQ(file.summary.devices.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(file.summary.devices[i].device,
              std::to_string(*expected[i].getAsInteger()));
}

/// The join needs the model: lit tests check it.
void checkNodes(const Answered &file, const json::Value &value) {
  StringMap<const Measurement *> byName;
  std::vector<Measurement> all = measurements(file.profile);
  for (const Measurement &measured : all)
    byName[measured.name] = &measured;
  for (const auto &[node, answer] : *value.getAsObject()) {
    const Measurement *measured = byName.lookup(node);
    ASSERT_TRUE(measured) << node.str();
    const json::Object &expected = *answer.getAsObject();
    EXPECT_EQ(measured->opType, expected.getString("op")->str());
    expectCount(measured->count, expected.get("count"), node);
    expectTime(measured->seconds.median * 1e9, expected.get("median_us"), node);
    expectTime(measured->total * 1e9, expected.get("total_us"), node);
  }
}

void checkProviders(const Answered &file, const json::Value &value) {
  std::vector<std::string> expected;
  for (const json::Value &provider : *value.getAsArray())
    expected.push_back(provider.getAsString()->str());
  EXPECT_EQ(file.summary.session->providers, expected);
}

void checkMetrics(const Answered &file, const json::Value &value) {
  StringSet<> expected, found;
  for (const json::Value &metric : *value.getAsArray())
    expected.insert(*metric.getAsString());
  for (const std::string &metric : file.profile.metrics)
    found.insert(metric);
  EXPECT_EQ(file.profile.metrics.size(), expected.size());
  EXPECT_EQ(found, expected);
}

void checkLaunches(const Answered &file, const json::Value &value) {
  const json::Array &expected = *value.getAsArray();
  for (size_t i = 0; i < expected.size(); ++i) {
    const Launch &launch = file.profile.launches.at(i);
    for (const auto &[key, right] : *expected[i].getAsObject()) {
      StringRef name = key;
      if (name == "id") {
        EXPECT_EQ(launch.id, std::to_string(*right.getAsInteger()));
      } else if (name == "name") {
        EXPECT_EQ(launch.name, right.getAsString()->str());
      } else if (name == file.profile.durationMetric) {
        expectTime(launch.seconds.value_or(0) * 1e9, &right, name);
      } else {
        auto metric = find(file.profile.metrics, name);
        ASSERT_NE(metric, file.profile.metrics.end()) << name.str();
        const Launch::Metric *found =
            launch.find(metric - file.profile.metrics.begin());
        ASSERT_TRUE(found && found->value) << name.str();
        EXPECT_DOUBLE_EQ(*found->value, *right.getAsNumber()) << name.str();
      }
    }
  }
}

template <typename Field> double sumOver(const Profile &profile, Field field) {
  double sum = 0;
  for (const Launch &launch : profile.launches)
    sum += field(launch).value_or(0);
  return sum;
}

const std::map<std::string, Check> &checks() {
  using V = const json::Value &;
  using A = const Answered &;
  static const std::map<std::string, Check> all = {
      {"events", checkEvents},
      {"devices", checkDeviceNames},
      {"gpu", checkDevice},
      {"gpu_with_call", checkWithCall},
      {"idle", checkIdle},
      {"memcpy", checkDirections},
      {"sync_calls", checkSyncCalls},
      {"item_like_ops", checkItemOps},
      {"copy_", checkCopyOps},
      {"nodes", checkNodes},
      {"providers", checkProviders},
      {"metrics", checkMetrics},
      {"first_launches", checkLaunches},
      {"join_summary", [](A, V) {}}, // as the nodes' joins: lit tests
      {"memset",
       [](A file, V value) {
         checkCopies(file.summary.memsets, *value.getAsObject(), "memset");
       }},
      {"profiler_steps",
       [](A file, V value) {
         expectCount(file.summary.count(Category::Step), &value, "steps");
       }},
      {"streams",
       [](A file, V value) {
         unsigned streams = 0;
         for (const DeviceSummary &device : file.summary.devices)
           streams += device.streams;
         expectCount(streams, &value, "streams");
       }},
      {"host_span_us",
       [](A file, V value) {
         expectTime(double(file.summary.hostSpan), &value, "host span");
       }},
      {"op_time_us",
       [](A file, V value) {
         expectTime(double(file.summary.opTime), &value, "op time");
       }},
      {"kernels_top5",
       [](A file, V value) {
         checkTop(file.summary.kernels, value, "total_us");
       }},
      {"ops_top5_self",
       [](A file, V value) {
         checkTop(file.summary.opsBySelfTime, value, "self_us");
       }},
      {"kernels_under_5us",
       [](A file, V value) {
         const json::Object &expected = *value.getAsObject();
         expectCount(file.summary.kernelsUnder5us.count, expected.get("count"),
                     "under 5 µs");
         expectCount(file.summary.kernelCount(), expected.get("of"), "kernels");
         expectTime(double(file.summary.kernelsUnder5us.time),
                    expected.get("total_us"), "under 5 µs");
       }},
      {"kernels_shorter_than_launch_call",
       [](A file, V value) {
         const json::Object &expected = *value.getAsObject();
         expectCount(file.summary.kernelsShorterThanCall, expected.get("count"),
                     "shorter than its call");
         expectCount(file.summary.kernelsWithOwnCall, expected.get("of"),
                     "with a call");
       }},
      {"kernels_from_graph_launch",
       [](A file, V value) {
         expectCount(file.summary.kernelsFromGraph, &value, "graph");
       }},
      {"kernels_without_call",
       [](A file, V value) {
         expectCount(file.summary.kernelsWithoutCall, &value, "without call");
       }},
      {"runs",
       [](A file, V value) {
         expectCount(file.summary.session->runs, &value, "runs");
       }},
      {"node_events",
       [](A file, V value) {
         expectCount(file.summary.session->nodeEvents, &value, "node events");
       }},
      {"model_run_median_us",
       [](A file, V value) {
         expectTime(file.summary.session->runMedian, &value, "run");
       }},
      {"session_initialization_us",
       [](A file, V value) {
         expectTime(double(file.summary.session->initialization), &value,
                    "initialization");
       }},
      {"launches",
       [](A file, V value) {
         expectCount(file.profile.launches.size(), &value, "launches");
       }},
      {"rule_rows",
       [](A file, V value) {
         expectCount(file.profile.ruleRows, &value, "rule rows");
       }},
      {"duration_metric",
       [](A file, V value) {
         EXPECT_EQ(file.profile.durationMetric, value.getAsString()->str());
       }},
      {"duration_total_us",
       [](A file, V value) {
         expectTime(sumOver(file.profile,
                            [](const Launch &one) { return one.seconds; }) *
                        1e9,
                    &value, "durations");
       }},
      {"launches_with_duration",
       [](A file, V value) {
         expectCount(count_if(file.profile.launches,
                              [](const Launch &one) {
                                return one.seconds.has_value();
                              }),
                     &value, "with a duration");
       }},
      {"dram_bytes_total", [](A file, V value) {
         EXPECT_DOUBLE_EQ(
             sumOver(file.profile,
                     [](const Launch &one) { return one.dramBytes; }),
             *value.getAsNumber());
       }}};
  return all;
}

/// What a table of nsys stats says of what the database holds. Sizes are
/// rounded to kilobytes there.
void checkTable(StringRef file, const Answered &table, json::Object expected) {
  auto check = [&](StringRef key) {
    checks().at(key.str())(table, *expected.get(key));
  };
  auto checkSizes = [&] {
    for (const auto &[direction, copies] : *expected.getObject("memcpy")) {
      const CopySummary &found = table.summary.copies.at(direction.str());
      expectCount(found.count, copies.getAsObject()->get("count"), direction);
      double right = *copies.getAsObject()->getNumber("bytes");
      ASSERT_TRUE(found.bytes);
      // Each copy is rounded, or each sum.
      EXPECT_NEAR(double(*found.bytes), right,
                  std::max(right * 1e-3, 500.0 * double(found.count)));
    }
  };
  if (file.contains("gpumemsizesum"))
    return checkSizes();
  if (file.contains("cudaapisum"))
    return check("sync_calls");
  if (file.contains("gpukernsum"))
    return check("kernels_top5");
  if (file.contains("gputrace"))
    checkSizes();
  for (auto &[direction, copies] : *expected.getObject("memcpy"))
    copies.getAsObject()->erase("bytes");
  if (file.contains("gpumemtimesum"))
    return check("memcpy");
  ASSERT_TRUE(file.contains("gputrace")) << file.str();
  for (StringRef key :
       {"events", "devices", "streams", "gpu", "idle", "kernels_top5",
        "kernels_under_5us", "memcpy", "memset"})
    check(key);
}

TEST(Profile, HasTheRightAnswers) {
  json::Object all = answers();
  unsigned files = 0;
  for (const auto &[file, entry] : all) {
    std::string path = folder() + "/" + file.str();
    if (!sys::fs::exists(path))
      continue;
    SCOPED_TRACE(file.str());
    Expected<Profile> profile = readFile(path);
    if (!profile) {
      std::string message = toString(profile.takeError());
      // A build may be without SQLite.
      EXPECT_TRUE(StringRef(message).contains("doesn't read")) << message;
      continue;
    }
    ++files;
    Summary summary = summarize(*profile);
    const json::Object *answer = entry.getAsObject()->getObject("answer");
    Answered answered{*profile, summary, answer != nullptr};
    if (!answer) {
      StringRef other = *entry.getAsObject()->getString("answer_as_in");
      checkTable(file, answered, *all.getObject(other)->getObject("answer"));
      continue;
    }
    for (const auto &[key, value] : *answer) {
      SCOPED_TRACE(key.str());
      auto check = checks().find(key.str());
      if (check == checks().end())
        ADD_FAILURE() << "a figure that isn't checked";
      else
        check->second(answered, value);
    }
  }
  EXPECT_GE(files, 18U);
}

} // namespace
