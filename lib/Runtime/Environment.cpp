//===- Environment.cpp - what a measurement ran on ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Environment.h"
#include "roofline/Runtime/Threads.h"
#include "roofline/Runtime/Timing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <cmath>
#include <set>
#include <sys/utsname.h>
#include <unistd.h>

using namespace llvm;
using namespace roofline::runtime;

/// A file's text without the white space around it; empty where there is none.
/// Files of /proc and /sys state no size, so they are read as streams.
static std::string readText(const Twine &path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFileAsStream(path);
  return buffer ? (*buffer)->getBuffer().trim().str() : std::string();
}

std::vector<unsigned> roofline::runtime::parseCpuList(StringRef text) {
  constexpr unsigned most = 1 << 16;
  std::vector<unsigned> cpus;
  for (StringRef part : split(text.trim(), ',')) {
    auto [from, to] = part.split('-');
    unsigned first, last;
    if (from.getAsInteger(10, first))
      continue;
    if (to.empty() || to.getAsInteger(10, last))
      last = first;
    for (unsigned cpu = first; cpu <= last && cpu < most; ++cpu)
      cpus.push_back(cpu);
  }
  return cpus;
}

//===----------------------------------------------------------------------===//
// The processor
//===----------------------------------------------------------------------===//

/// "32K" in bytes.
static int64_t parseCacheSize(StringRef text) {
  int64_t factor = 1;
  if (text.consume_back("K"))
    factor = 1 << 10;
  else if (text.consume_back("M"))
    factor = 1 << 20;
  else if (text.consume_back("G"))
    factor = 1 << 30;
  int64_t size;
  constexpr int64_t most = int64_t(1) << 32;
  return text.getAsInteger(10, size) || size < 0 || size > most ? 0
                                                                : size * factor;
}

static std::vector<Cache> readCaches(const std::string &cpu) {
  std::vector<Cache> caches;
  for (unsigned index = 0; index < 16; ++index) {
    std::string folder = cpu + "/cache/index" + utostr(index) + "/";
    Cache cache;
    if (StringRef(readText(folder + "level")).getAsInteger(10, cache.level))
      break;
    cache.type = readText(folder + "type");
    cache.sizeBytes = parseCacheSize(readText(folder + "size"));
    if (StringRef(readText(folder + "coherency_line_size"))
            .getAsInteger(10, cache.lineBytes))
      cache.lineBytes = 0;
    cache.sharedBy = parseCpuList(readText(folder + "shared_cpu_list"));
    if (cache.sizeBytes > 0)
      caches.push_back(std::move(cache));
  }
  return caches;
}

/// The value of "key : value" in a file of such lines, of its first such line.
static std::string field(StringRef text, StringRef key) {
  for (StringRef line : split(text, '\n')) {
    auto [name, value] = line.split(':');
    if (name.trim() == key)
      return value.trim().str();
  }
  return "";
}

static std::string vendorName(StringRef id) {
  if (id == "AuthenticAMD")
    return "AMD";
  if (id == "GenuineIntel")
    return "Intel";
  return id.empty() ? "unknown" : id.str();
}

static std::optional<double> readNominalHz(const std::string &cpu,
                                           StringRef cpuinfo) {
  double value;
  for (const char *name : {"base_frequency", "cpuinfo_max_freq"})
    if (!StringRef(readText(cpu + "/cpufreq/" + name)).getAsDouble(value))
      return value * 1e3;
  if (!StringRef(field(cpuinfo, "cpu MHz")).getAsDouble(value))
    return value * 1e6;
  return std::nullopt;
}

/// "12345 kB" in bytes.
static int64_t kibibytes(StringRef text) {
  int64_t value;
  text.consume_back("kB");
  return text.trim().getAsInteger(10, value) ? 0 : value * 1024;
}

/// The policy in brackets: "always [madvise] never".
static std::string chosen(StringRef text) {
  return text.split('[').second.split(']').first.str();
}

/// The folder of the first CPU that we may use: its caches are those that the
/// loops run in.
static std::string cpuFolder(StringRef root) {
  std::string cpus = (root + "/sys/devices/system/cpu/cpu").str();
  std::vector<unsigned> usable = usableCpus();
  std::string first = cpus + utostr(usable.empty() ? 0 : usable.front());
  return sys::fs::is_directory(first) ? first : cpus + "0";
}

Environment Environment::read(StringRef root) {
  Environment result;
  std::string cpu = cpuFolder(root);
  std::string cpuinfo = readText(root + "/proc/cpuinfo");
  std::string memory = readText(root + "/proc/meminfo");
  result.cpuModel = field(cpuinfo, "model name");
  if (result.cpuModel.empty())
    result.cpuModel = sys::getHostCPUName().str();
  result.cpuVendor = vendorName(field(cpuinfo, "vendor_id"));
  result.architecture =
      Triple::getArchTypeName(Triple(sys::getProcessTriple()).getArch()).str();
  size_t perCore =
      parseCpuList(readText(cpu + "/topology/thread_siblings_list")).size();
  result.threadsPerCore = std::max<size_t>(1, perCore);
  result.cores = usableCores();
  result.caches = readCaches(cpu);
  result.memoryBytes = kibibytes(field(memory, "MemTotal"));
  result.availableBytes = kibibytes(field(memory, "MemAvailable"));
  result.governor = readText(cpu + "/cpufreq/scaling_governor");
  result.nominalHz = readNominalHz(cpu, cpuinfo);
  result.hugePages =
      chosen(readText(root + "/sys/kernel/mm/transparent_hugepage/enabled"));
  std::string flags = " " + field(cpuinfo, "flags") + " ";
  result.virtualMachine = StringRef(flags).contains(" hypervisor ");
  double load;
  if (!StringRef(readText(root + "/proc/loadavg"))
           .split(' ')
           .first.getAsDouble(load))
    result.loadAverage = load;
  utsname system{};
  if (uname(&system) == 0)
    result.kernel = std::string(system.sysname) + " " + system.release;
  return result;
}

const Cache *Environment::dataCache(unsigned level) const {
  for (const Cache &cache : caches)
    if (cache.level == level && cache.type != "Instruction")
      return &cache;
  return nullptr;
}

const Cache *Environment::lastDataCache() const {
  const Cache *last = nullptr;
  constexpr unsigned highestLevel = 4;
  for (unsigned level = 1; level <= highestLevel; ++level)
    if (const Cache *cache = dataCache(level))
      last = cache;
  return last;
}

std::optional<double> roofline::runtime::measureClock() {
#if defined(__x86_64__) || defined(__aarch64__)
  constexpr uint64_t rounds = 40000, perRound = 16;
  std::vector<double> samples;
  for (unsigned i = 0; i < 11; ++i) {
    uint64_t value = 0, one = 1;
    double start = threadCpuSeconds();
    // Registers on both sides: some cores add a constant in no time at all.
    for (uint64_t round = 0; round < rounds; ++round)
#if defined(__x86_64__)
      asm volatile(".rept 16\n\tadd %1, %0\n\t.endr" : "+r"(value) : "r"(one));
#else
      asm volatile(".rept 16\n\tadd %0, %0, %1\n\t.endr"
                   : "+r"(value)
                   : "r"(one));
#endif
    samples.push_back(threadCpuSeconds() - start);
  }
  double median = Statistics::of(samples).median;
  if (median > 0)
    return static_cast<double>(rounds * perRound) / median;
#endif
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Load
//===----------------------------------------------------------------------===//

LoadCounters LoadCounters::read(StringRef root) {
  LoadCounters result;
  result.wall = wallSeconds();
  result.own = processCpuSeconds();
  // cpu user nice system idle iowait irq softirq steal …, in ticks.
  std::string text = readText(root + "/proc/stat");
  SmallVector<StringRef> fields;
  StringRef(text).split('\n').first.split(fields, ' ', -1, false);
  if (fields.size() < 9 || fields[0] != "cpu")
    return result;
  auto tick = static_cast<double>(sysconf(_SC_CLK_TCK));
  auto seconds = [&](size_t index) {
    uint64_t ticks = 0;
    return fields[index].getAsInteger(10, ticks)
               ? 0.0
               : static_cast<double>(ticks) / tick;
  };
  for (size_t index : {1, 2, 3, 6, 7})
    result.busy += seconds(index);
  result.stolen = seconds(8);
  return result;
}

Competition Competition::between(const LoadCounters &before,
                                 const LoadCounters &after) {
  double wall = after.wall - before.wall;
  if (wall <= 0)
    return {};
  double busy = after.busy - before.busy, own = after.own - before.own;
  return {std::max(0.0, busy - own) / wall,
          std::max(0.0, after.stolen - before.stolen) / wall};
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static std::string utcTime() {
  std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

static double rounded(double value, double unit) {
  return std::round(value / unit) * unit;
}

static json::Array cachesToJSON(ArrayRef<Cache> caches) {
  json::Array array;
  for (const Cache &cache : caches)
    array.push_back(json::Object{
        {"level", cache.level},
        {"type", cache.type},
        {"bytes", cache.sizeBytes},
        {"line_bytes", cache.lineBytes},
        {"shared_by_cpus", int64_t(std::max<size_t>(1, cache.sharedBy.size()))},
    });
  return array;
}

json::Object roofline::runtime::toJSON(const Environment &environment,
                                       const Competition &competition,
                                       StringRef flags) {
  json::Object object{
      {"cpu", environment.cpuModel},
      {"vendor", environment.cpuVendor},
      {"architecture", environment.architecture},
      {"cores", environment.cores},
      {"threads_per_core", environment.threadsPerCore},
      {"caches", cachesToJSON(environment.caches)},
      {"memory_bytes", environment.memoryBytes},
      {"kernel", environment.kernel},
      {"virtual_machine", environment.virtualMachine},
      {"huge_pages", environment.hugePages},
      {"compiler", __VERSION__},
      {"flags", flags},
      {"roofline", ROOFLINE_VERSION},
      {"time", utcTime()},
      {"competing_cpus", rounded(competition.others, 0.01)},
      {"stolen_cpus", rounded(competition.stolen, 0.01)},
  };
  if (!environment.governor.empty())
    object["governor"] = environment.governor;
  if (environment.nominalHz)
    object["nominal_hz"] = rounded(*environment.nominalHz, 1e3);
  if (environment.loadAverage)
    object["load_average_before"] = *environment.loadAverage;
  return object;
}
