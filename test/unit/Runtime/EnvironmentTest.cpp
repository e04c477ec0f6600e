//===- EnvironmentTest.cpp - what the system says of itself ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The system's files are written into a folder of the test's own.
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Environment.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <unistd.h>

using namespace llvm;
using namespace roofline::runtime;

namespace {

class FakeSystem : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("roofline-system", root));
  }
  void TearDown() override { EXPECT_FALSE(sys::fs::remove_directories(root)); }

  void file(StringRef name, StringRef text) {
    SmallString<128> path = root;
    sys::path::append(path, name);
    ASSERT_FALSE(sys::fs::create_directories(sys::path::parent_path(path)));
    std::error_code error;
    raw_fd_ostream(path, error) << text;
    ASSERT_FALSE(error);
  }

  void cache(StringRef index, StringRef level, StringRef type, StringRef size,
             StringRef cpus) {
    std::string at =
        ("sys/devices/system/cpu/cpu0/cache/index" + index + "/").str();
    file(at + "level", level);
    file(at + "type", type);
    file(at + "size", size);
    file(at + "coherency_line_size", "64\n");
    file(at + "shared_cpu_list", cpus);
  }

  SmallString<128> root;
};

TEST_F(FakeSystem, IsRead) {
  file("proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\n"
                       "model name\t: Some CPU @ 2.0GHz\ncpu MHz\t: 1999.5\n"
                       "flags\t: fpu hypervisor avx2\n\n"
                       "processor\t: 1\nmodel name\t: Another\n");
  file("proc/meminfo", "MemTotal:  16 kB\nMemFree: 3 kB\nMemAvailable: 8 kB\n");
  file("proc/loadavg", "0.75 0.50 0.25 1/99 1234\n");
  file("sys/kernel/mm/transparent_hugepage/enabled",
       "always [madvise] never\n");
  file("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,4\n");
  file("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  cache("0", "1", "Data", "48K", "0,4");
  cache("1", "1", "Instruction", "32K", "0,4");
  cache("2", "2", "Unified", "2M", "0,4");
  Environment e = Environment::read(root);
  EXPECT_EQ(e.cpuModel, "Some CPU @ 2.0GHz");
  EXPECT_EQ(e.cpuVendor, "Intel");
  EXPECT_TRUE(e.virtualMachine);
  EXPECT_EQ(e.threadsPerCore, 2u);
  EXPECT_EQ(e.memoryBytes, 16 * 1024);
  EXPECT_EQ(e.availableBytes, 8 * 1024);
  EXPECT_EQ(e.loadAverage, 0.75);
  EXPECT_EQ(e.nominalHz, 1999.5e6);
  EXPECT_EQ(e.governor, "powersave");
  EXPECT_EQ(e.hugePages, "madvise");
  ASSERT_EQ(e.caches.size(), 3u);
  EXPECT_EQ(e.dataCache(1)->sizeBytes, 48 * 1024);
  EXPECT_EQ(e.dataCache(1)->lineBytes, 64u);
  EXPECT_EQ(e.dataCache(2)->sizeBytes, 2 << 20);
  EXPECT_EQ(e.dataCache(2)->sharedBy, (std::vector<unsigned>{0, 4}));
  EXPECT_EQ(e.dataCache(3), nullptr);
  EXPECT_EQ(e.lastDataCache(), e.dataCache(2));
}

/// Nothing there, or nonsense: empty, and no crash.
TEST_F(FakeSystem, MayBeEmptyOrBroken) {
  Environment e = Environment::read(root);
  EXPECT_FALSE(e.cpuModel.empty()); // LLVM's name of the CPU
  EXPECT_TRUE(e.caches.empty());
  EXPECT_EQ(e.lastDataCache(), nullptr);
  EXPECT_EQ(e.memoryBytes, 0);
  EXPECT_FALSE(e.virtualMachine);
  EXPECT_GE(e.cores, 1u);
  file("proc/meminfo", "MemTotal: lots\n:::\n");
  file("proc/stat", "cpu 1 2\n");
  cache("0", "1", "Data", "bigK", "0-");
  e = Environment::read(root);
  EXPECT_EQ(e.memoryBytes, 0);
  EXPECT_TRUE(e.caches.empty());
  EXPECT_EQ(LoadCounters::read(root).busy, 0);
}

TEST_F(FakeSystem, CountersAreInSeconds) {
  file("proc/stat", "cpu  100 20 30 9999 999 1 2 50 7 7\ncpu0 1 1 1 1\n");
  double tick = 1.0 / double(sysconf(_SC_CLK_TCK));
  LoadCounters counters = LoadCounters::read(root);
  EXPECT_DOUBLE_EQ(counters.busy, 153 * tick); // not idle, iowait, guests
  EXPECT_DOUBLE_EQ(counters.stolen, 50 * tick);
}

TEST(Competition, IsWhatOthersUsed) {
  LoadCounters before{10, 100, 5, 1}, after{14, 107, 6, 3};
  Competition c = Competition::between(before, after);
  EXPECT_DOUBLE_EQ(c.others, 1.25); // 7 busy, 2 of them ours, in 4 s
  EXPECT_DOUBLE_EQ(c.stolen, 0.25);
  // Ticks are coarser than CPU clocks: never below 0.
  EXPECT_EQ(Competition::between(before, {14, 100, 5, 3}).others, 0);
  EXPECT_EQ(Competition::between(before, before).others, 0);
}

TEST(CpuList, IsParsed) {
  EXPECT_EQ(parseCpuList("0-2,8\n"), (std::vector<unsigned>{0, 1, 2, 8}));
  EXPECT_EQ(parseCpuList("5"), (std::vector<unsigned>{5}));
  EXPECT_TRUE(parseCpuList("").empty());
  EXPECT_TRUE(parseCpuList("x-3,").empty());
  EXPECT_LE(parseCpuList("0-4294967295").size(), size_t(1) << 16);
}

/// No host or user stands in it, and what isn't known isn't either.
TEST(EnvironmentJSON, HoldsWhatMeasurementsDependOn) {
  Environment e;
  e.cpuModel = "A CPU";
  e.caches.push_back({1, "Data", 32768, 64, {0, 1}});
  json::Object object = toJSON(e, {0.51, 0}, "-O2");
  EXPECT_EQ(object.getString("cpu"), StringRef("A CPU"));
  EXPECT_EQ(object.getString("flags"), StringRef("-O2"));
  EXPECT_EQ(object.getNumber("competing_cpus"), 0.51);
  EXPECT_EQ(object.get("governor"), nullptr);
  EXPECT_EQ(object.getString("time")->size(), 20u);
  const json::Object *cache = (*object.getArray("caches"))[0].getAsObject();
  EXPECT_EQ(cache->getInteger("bytes"), 32768);
  EXPECT_EQ(cache->getInteger("shared_by_cpus"), 2);
  char host[256] = {};
  ASSERT_EQ(gethostname(host, sizeof(host) - 1), 0);
  for (const auto &[key, value] : object)
    if (auto text = value.getAsString())
      EXPECT_NE(*text, StringRef(host)) << key.str();
}

TEST(Clock, IsPlausible) {
  std::optional<double> hertz = measureClock();
  if (!hertz)
    GTEST_SKIP() << "no loop for this architecture";
  EXPECT_GT(*hertz, 1e7);
  EXPECT_LT(*hertz, 2e10);
}

} // namespace
