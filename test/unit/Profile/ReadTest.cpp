//===- ReadTest.cpp - formats, good and bad -------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Profile/Read.h"
#include "roofline/Profile/Summary.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace roofline::profile;

namespace {

Profile good(StringRef text) {
  Expected<Profile> profile = read(MemoryBufferRef(text, "f"));
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << toString(profile.takeError());
  return {};
}

std::string error(StringRef text) {
  Expected<Profile> profile = read(MemoryBufferRef(text, "f"));
  return profile ? "read" : toString(profile.takeError());
}

TEST(Read, RefusesWhatIsNoProfile) {
  EXPECT_EQ(error(""), "f: the file is empty");
  EXPECT_EQ(error(" \n"), "f: the file is empty");
  EXPECT_TRUE(
      StringRef(error("hello\nworld")).starts_with("f: of no known format"));
  EXPECT_TRUE(StringRef(error("\x7f"
                              "ELF\x02\x01"))
                  .starts_with("f: of no known"));
  EXPECT_EQ(error("{\"schema\": \"roofline-report/1\"}").substr(0, 51),
            "f: this is a roofline-report/1, not a profile; --me");
  EXPECT_TRUE(StringRef(error("{\"a\": 1}"))
                  .starts_with("f: an object without traceEvents"));
  EXPECT_EQ(error("{\"a\": "), "f: not JSON: line 1: expected a value");
  EXPECT_EQ(error("{\"traceEvents\": 3}"), "f: line 1: expected an array");
  EXPECT_EQ(error("[3]"), "f: line 1: expected an event, which is an object");
  EXPECT_TRUE(StringRef(error("[]"))
                  .starts_with(
                      "f: none of its 0 spans is of a category that is known"));
  EXPECT_TRUE(StringRef(error("[{\"ph\": \"X\"")).starts_with("f: line 1:"));
}

TEST(Read, RefusesDamagedCompression) {
  EXPECT_EQ(error(StringRef("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10)),
            "f: the gzip data ends too early");
  EXPECT_TRUE(StringRef(error(StringRef(
                            "\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff", 13)))
                  .starts_with("f: damaged gzip data"));
  Expected<Profile> missing = readFile("/no/such/file");
  ASSERT_FALSE(missing);
  EXPECT_EQ(toString(missing.takeError()),
            "/no/such/file: No such file or directory");
}

TEST(Read, TakesThreadsAsNumbersOrTexts) {
  Profile profile = good(R"([
    {"ph": "X", "cat": "Operator", "name": "a", "pid": 1, "tid": "7", "ts": 0, "dur": 2},
    {"ph": "X", "cat": "cpu_op", "name": "b", "pid": "1", "tid": 7, "ts": 5, "dur": 2.5},
    {"ph": "X", "cat": "cpu_op", "name": "ProfilerStep#3", "pid": 1, "tid": 7, "ts": 0, "dur": 9},
    {"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#3", "pid": 0, "tid": 7, "ts": 0, "dur": 9},
    {"ph": "X", "cat": "python_function", "name": "f", "pid": 1, "tid": 7, "ts": 0, "dur": 9},
    {"ph": "X", "cat": "cpu_op", "name": "no time", "pid": 1, "tid": 7, "ts": 0},
    {"ph": "M", "name": "process_name", "args": {"name": "x"}}])");
  ASSERT_EQ(profile.events.size(), 3U);
  EXPECT_EQ(profile.format, Format::Chrome);
  EXPECT_EQ(profile.events[0].thread, profile.events[1].thread);
  EXPECT_EQ(profile.events[1].duration, 2500);
  EXPECT_EQ(profile.events[2].category, Category::Step);
  EXPECT_EQ(profile.warnings.size(), 1U); // of the event without a duration
}

TEST(Read, LeavesOutWhatIsNoTime) {
  Profile profile = good(R"([
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 1, "ts": 1, "dur": 1},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 1, "ts": 1, "dur": -1},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 1, "ts": 9e15, "dur": 1},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 1, "ts": 1, "dur": 9e15}])");
  EXPECT_EQ(profile.events.size(), 1U);
  EXPECT_EQ(profile.warnings.front(), "3 events without a usable start and "
                                      "duration are left out");
}

TEST(Read, ReadsACutOffTrace) {
  Profile profile =
      good("[{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, "
           "\"tid\": 1, \"ts\": 1, \"dur\": 1},\n");
  EXPECT_EQ(profile.events.size(), 1U);
  EXPECT_EQ(profile.warnings.size(), 1U);
}

TEST(Read, ReadsNodesWithoutTheirFences) {
  Profile profile = good(R"([
    {"cat" : "Session", "pid" :1, "tid" :1, "dur" :30, "ts" :0, "ph" : "X", "name" :"model_run", "args" : {}},
    {"cat" : "Node", "pid" :1, "tid" :1, "dur" :1, "ts" :1, "ph" : "X", "name" :"mm_fence_before", "args" : {"op_name" : "MatMul"}},
    {"cat" : "Node", "pid" :1, "tid" :1, "dur" :20, "ts" :3, "ph" : "X", "name" :"mm_kernel_time", "args" : {"op_name" : "MatMul", "provider" : "CPUExecutionProvider", "input_type_shape" : [{"float":[4,64]},{"int64":[2]}]}},
    {"cat" : "Node", "pid" :1, "tid" :1, "dur" :22, "ts" :33, "ph" : "X", "name" :"mm_kernel_time", "args" : {"op_name" : "MatMul", "provider" : "CPUExecutionProvider", "input_type_shape" : [{"float":[4,64]},{"int64":[2]}]}}])");
  EXPECT_EQ(profile.format, Format::OnnxRuntime);
  std::vector<Measurement> all = measurements(profile);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "mm");
  EXPECT_EQ(all[0].opType, "MatMul");
  EXPECT_EQ(all[0].count, 2U);
  EXPECT_NEAR(all[0].seconds.median, 21e-6, 1e-15);
  EXPECT_NEAR(all[0].total, 42e-6, 1e-15);
  std::vector<TensorShape> shapes = {{"f32", {4, 64}}, {"i64", {2}}};
  EXPECT_EQ(all[0].inputs, shapes);
}

TEST(Read, ReadsShapesOfPyTorch) {
  std::vector<TensorShape> expected = {{"bf16", {512, 1}}, {"i64", {3}}};
  EXPECT_EQ(parseShapes("[[512, 1],[],[3]]\n"
                        "[\"c10::BFloat16\",\"Scalar\",\"long int\"]"),
            expected);
  EXPECT_TRUE(parseShapes("").empty());
  EXPECT_TRUE(parseShapes("[[1,").empty());
}

// The page "raw" has a column for each metric and a line of units.
TEST(Read, ReadsOneRowALaunch) {
  Profile profile =
      good("==PROF== Connected\n\"unbalanced\n"
           "\"ID\",\"Process ID\",\"Kernel "
           "Name\",\"Stream\",\"gpu__time_duration.sum\","
           "\"dram__bytes_read.sum\",\"dram__bytes_write.sum\"\n"
           "\"\",\"\",\"\",\"\",\"usecond\",\"Kbyte\",\"byte\"\n"
           "\"0\",\"9\",\"k<int, 4>\",\"7\",\"1,234.5\",\"2\",\"500\"\n"
           "\"1\",\"9\",\"k<int, 4>\",\"7\",\"2\",\"\",\"1\"\n");
  EXPECT_EQ(profile.format, Format::Ncu);
  ASSERT_EQ(profile.launches.size(), 2U);
  EXPECT_DOUBLE_EQ(*profile.launches[0].seconds, 1234.5e-6);
  EXPECT_DOUBLE_EQ(*profile.launches[0].dramBytes, 2500);
  EXPECT_FALSE(profile.launches[1].dramBytes); // only one direction is known
  EXPECT_EQ(profile.metrics.size(), 3U);
  EXPECT_EQ(profile.durationMetric, "gpu__time_duration.sum");
}

// Two reports of nsys stats in one file: with the calls the causes are known.
// The kernel of 30 waits for a launch at 25, after a synchronise call from 12
// to 20 that was under way when the device fell idle at 15.
TEST(Read, PutsTablesOfOneFileTogether) {
  Profile profile = good(
      "Processing [x.sqlite] with [gputrace.py]...\n"
      "Start (ns),Duration (ns),CorrId,GrdX,Bytes (MB),Device,Ctx,Strm,Name\n"
      "10,5,1,1,,GPU X (3),1,7,k\n"
      "30,5,2,1,,GPU X (3),1,7,k\n"
      "40,5,3,,1.5,GPU X (3),1,7,[CUDA memcpy Host-to-Device]\n"
      "\n"
      "Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid\n"
      "5,2,cudaLaunchKernel,0,1,9,9\n"
      "12,8,cudaDeviceSynchronize_v3020,0,9,9,9\n"
      "25,2,cudaLaunchKernel,0,2,9,9\n"
      "34,2,cudaMemcpy,0,3,9,9\n");
  EXPECT_EQ(profile.format, Format::Nsys);
  Summary summary = summarize(profile);
  ASSERT_EQ(summary.devices.size(), 1U);
  const DeviceSummary &device = summary.devices[0];
  EXPECT_EQ(device.device, "3");
  EXPECT_EQ(device.idle[unsigned(IdleCause::Sync)].time, 15);
  EXPECT_EQ(device.idle[unsigned(IdleCause::Queued)].time, 5);
  EXPECT_EQ(device.idle[unsigned(IdleCause::Unknown)].count, 0U);
  EXPECT_EQ(summary.copies.at("HtoD").bytes, 1500000);
  EXPECT_EQ(summary.syncCalls.at("cudaDeviceSynchronize").time, 8);
}

TEST(Read, CountsTablesOfOneThingOnce) {
  Profile profile = good("Time (%),Total Time (ns),Count,Avg (ns),Operation\n"
                         "100,50,2,25,[CUDA memcpy HtoD]\n"
                         "Total (MB),Count,Avg (MB),Operation\n"
                         "3.000,2,1.5,[CUDA memcpy HtoD]\n");
  Summary summary = summarize(profile);
  EXPECT_EQ(summary.copies.at("HtoD").count, 2U);
  EXPECT_EQ(summary.copies.at("HtoD").time, 50);
  EXPECT_EQ(summary.copies.at("HtoD").bytes, 3000000);
}

TEST(Read, RefusesATableWithoutRows) {
  EXPECT_EQ(error("Time (%),Total Time (ns),Instances,Avg (ns),Name\n"),
            "f: a table without rows");
}

constexpr StringLiteral measured = R"({
  "schema": "roofline-measured/1", "model": "m.onnx",
  "environment": {"cpu": "X", "threads": 2},
  "ops": [{"index": 3, "name": "mm", "op_type": "MatMul", "outputs": ["y"],
           "inputs": [{"shape": [2, 3], "type": "f32"}],
           "seconds": {"median": 2.5e-7, "p95": 3e-7, "p99": null, "min": 2e-7},
           "iterations": 1000, "cpu_seconds": null, "new": 1}],
  "groups": [{"ops": [4, 5], "seconds": {"median": 1e-6}}],
  "whole": {"seconds": {"median": 2e-6}}})";

TEST(Read, ReadsOurOwnMeasurement) {
  Profile profile = good(measured);
  EXPECT_EQ(profile.format, Format::Roofline);
  EXPECT_EQ(profile.model, "m.onnx");
  std::vector<std::pair<std::string, std::string>> environment = {
      {"cpu", "X"}, {"threads", "2"}};
  EXPECT_EQ(profile.environment, environment);
  ASSERT_EQ(profile.measurements.size(), 2U);
  const Measurement &op = profile.measurements[0];
  EXPECT_EQ(op.rows, std::vector<unsigned>{3});
  EXPECT_EQ(op.seconds.median, 2.5e-7);
  EXPECT_EQ(op.seconds.min, 2e-7);
  EXPECT_FALSE(op.seconds.p99);
  EXPECT_EQ(op.count, 1000U);
  EXPECT_EQ(profile.measurements[1].rows, (std::vector<unsigned>{4, 5}));
  EXPECT_EQ(profile.whole->median, 2e-6);
}

TEST(Read, SaysWhatIsWrongInAMeasurement) {
  auto with = [](StringRef from, StringRef to) {
    std::string text = measured.str();
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from.str();
    return error(text.replace(at, from.size(), to.str()));
  };
  EXPECT_EQ(with("measured/1", "measured/2"),
            "f: schema: this version reads roofline-measured/1");
  EXPECT_EQ(with("2.5e-7", "-1"),
            "f: ops[0].seconds.median: expected a number from 0 on");
  EXPECT_EQ(with("\"median\": 2.5e-7, ", ""),
            "f: ops[0].seconds.median: missing");
  EXPECT_EQ(with("\"index\": 3", "\"index\": -3"),
            "f: ops[0].index: expected a row's index");
  EXPECT_EQ(with("\"shape\": [2, 3]", "\"shape\": [2, \"n\"]"),
            "f: ops[0].inputs[0].shape: expected sizes from 0 on");
  EXPECT_EQ(with("[4, 5]", "[]"),
            "f: groups[0].ops: expected the indices of its rows");
  EXPECT_TRUE(StringRef(with("\"whole\":", "\"whole\" ")).starts_with("f: "));
}

} // namespace
