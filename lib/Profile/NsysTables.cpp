//===- NsysTables.cpp - the tables of nsys stats --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports were renamed in 2022 (gputrace became cuda_gpu_trace); their columns
// stayed, so columns tell what a table is. Units stand in the header.
//
//===----------------------------------------------------------------------===//

#include "CSVTables.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace roofline::profile {

namespace {

using Column = std::optional<size_t>;

class NsysTable : public CSVTable {
public:
  NsysTable(const CSVHeader &header, Profile &profile)
      : profile(profile), header(header) {}

protected:
  static StringRef get(ArrayRef<std::string> fields, Column column) {
    return column && *column < fields.size() ? StringRef(fields[*column]).trim()
                                             : StringRef();
  }
  /// Nanoseconds per unit of a column of times.
  double nanoseconds(StringRef column) const {
    return secondsPerUnit(header.unit(column)).value_or(1e-9) * 1e9;
  }
  static std::optional<int64_t> time(StringRef text, double factor) {
    int64_t whole;
    if (factor == 1 && !text.getAsInteger(10, whole))
      return whole;
    std::optional<double> value = csvNumber(text);
    if (!value || !(std::fabs(*value * factor) < 9e18))
      return std::nullopt;
    return std::llround(*value * factor);
  }

  Profile &profile;
  CSVHeader header;
};

Category deviceCategory(StringRef name) {
  if (name.starts_with("[CUDA memset"))
    return Category::Memset;
  return name.starts_with("[CUDA mem") || name.starts_with("[CUDA Unified")
             ? Category::Memcpy
             : Category::Kernel;
}

/// gputrace, cuda_gpu_trace, cudaapitrace, cuda_api_trace: one row an event.
class TraceTable : public NsysTable {
public:
  TraceTable(const CSVHeader &header, Profile &profile)
      : NsysTable(header, profile), start(header.find("Start")),
        duration(header.find("Duration")), name(header.find("Name")),
        correlation(header.find("CorrId")), stream(header.find("Strm")),
        device(header.find("Device")), bytes(header.find("Bytes")),
        pid(header.find("Pid")), tid(header.find("Tid")),
        startFactor(nanoseconds("Start")),
        durationFactor(nanoseconds("Duration")),
        bytesFactor(bytesPerUnit(header.unit("Bytes")).value_or(1e6)) {}

  void row(ArrayRef<std::string> fields) override {
    auto begin = time(get(fields, start), startFactor);
    auto length = time(get(fields, duration), durationFactor);
    if (!begin || !length || !isSpan(*begin, *length))
      return; // a line of the tool's own
    Event event;
    event.start = *begin;
    event.duration = *length;
    event.name = profile.keep(get(fields, name));
    int64_t id;
    if (!get(fields, correlation).getAsInteger(10, id))
      event.correlation = id;
    if (stream)
      describeDeviceWork(event, fields);
    else
      describeCall(event, fields);
    profile.events.push_back(event);
  }

private:
  void describeDeviceWork(Event &event, ArrayRef<std::string> fields) {
    event.category = deviceCategory(event.name);
    // "NVIDIA A100-SXM4-80GB (0)"
    StringRef which = get(fields, device);
    if (which.ends_with(")"))
      which = which.drop_back().rsplit('(').second;
    event.device = profile.keep(which);
    event.stream = profile.keep(get(fields, stream));
    if (event.category == Category::Memcpy)
      event.direction = copyDirection(event.name);
    if (event.category != Category::Kernel)
      if (std::optional<double> amount = csvNumber(get(fields, bytes)))
        event.bytes = std::llround(std::min(*amount * bytesFactor, 9e18));
  }
  void describeCall(Event &event, ArrayRef<std::string> fields) {
    event.category = Category::Call;
    event.thread =
        profile.keep((get(fields, pid) + "/" + get(fields, tid)).str());
  }

  const Column start, duration, name, correlation, stream, device, bytes, pid,
      tid;
  const double startFactor, durationFactor, bytesFactor;
};

/// A table of sums: one row a kernel, kind of copy or call.
class SumTable : public NsysTable {
public:
  SumTable(const CSVHeader &header, Profile &profile, Column name, Column count,
           std::optional<Category> category)
      : NsysTable(header, profile), name(name), count(count),
        kind(header.find("Category")), total(header.find("Total Time")),
        median(header.findAny({"Med", "Median"})),
        mean(header.findAny({"Avg", "Average"})),
        least(header.findAny({"Min", "Minimum"})),
        most(header.findAny({"Max", "Maximum"})),
        size(total ? Column() : header.find("Total")),
        timeFactor(nanoseconds("Total Time") * 1e-9),
        sizeFactor(bytesPerUnit(header.unit("Total")).value_or(1e6)),
        category(category) {}

  void row(ArrayRef<std::string> fields) override {
    std::optional<double> sum = csvNumber(get(fields, size ? size : total));
    std::optional<double> times = csvNumber(get(fields, count));
    if (!sum || !times || !(*sum >= 0) || !(*times >= 0))
      return;
    Measurement &measured = profile.measurements.emplace_back();
    measured.name = get(fields, name).str();
    measured.category = category ? *category : deviceCategory(measured.name);
    if (kind && get(fields, kind).contains("API"))
      measured.category = Category::Call;
    measured.count = uint64_t(std::min(*times, 1e18));
    if (size) {
      measured.bytes = std::llround(std::min(*sum * sizeFactor, 9e18));
      return;
    }
    measured.total = *sum * timeFactor;
    auto part = [&](Column column) -> std::optional<double> {
      std::optional<double> value = csvNumber(get(fields, column));
      return value ? std::optional<double>(*value * timeFactor) : std::nullopt;
    };
    measured.seconds.min = part(least);
    measured.seconds.max = part(most);
    std::optional<double> middle = part(median ? median : mean);
    measured.seconds.median = middle       ? *middle
                              : *times > 0 ? measured.total / *times
                                           : 0;
  }

private:
  const Column name, count, kind, total, median, mean, least, most, size;
  const double timeFactor, sizeFactor;
  const std::optional<Category> category;
};

} // namespace

std::unique_ptr<CSVTable> nsysTable(const CSVHeader &header, Profile &profile) {
  if (header.has({"Start", "Duration", "Name", "CorrId"}) &&
      (header.has({"Strm"}) || header.has({"Tid"})))
    return std::make_unique<TraceTable>(header, profile);
  Column operation = header.find("Operation"), name = header.find("Name");
  // The second names are those of before 2022.
  Column instances = header.find("Instances"),
         count = header.findAny({"Count", "Operations"}),
         calls = header.findAny({"Num Calls", "Calls"});
  auto sums = [&](Column name, Column count, std::optional<Category> category) {
    return std::make_unique<SumTable>(header, profile, name, count, category);
  };
  bool hasTime = header.has({"Total Time"});
  if (hasTime && instances && header.has({"Category", "Operation"}))
    return sums(operation, instances, std::nullopt);
  if (hasTime && instances && name)
    return sums(name, instances, Category::Kernel);
  if (operation && count && (hasTime || header.has({"Total"})))
    return sums(operation, count, std::nullopt);
  if (hasTime && name && calls)
    return sums(name, calls, Category::Call);
  return nullptr;
}

} // namespace roofline::profile
