//===- NcuTables.cpp - Nsight Compute's tables ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two forms: one row a metric (pages details and source), and with --page raw
// one row a launch, a second header line giving the units.
//
//===----------------------------------------------------------------------===//

#include "CSVTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace roofline::profile {

namespace {

/// What the two forms share.
class NcuTable : public CSVTable {
public:
  NcuTable(const CSVHeader &header, Profile &profile)
      : profile(profile), id(header.find("ID")),
        process(header.find("Process ID")), kernel(header.find("Kernel Name")),
        stream(header.find("Stream")), device(header.find("Device")) {}

  void finish() override;

protected:
  using Column = std::optional<size_t>;
  static StringRef get(ArrayRef<std::string> fields, Column column) {
    return column && *column < fields.size() ? StringRef(fields[*column])
                                             : StringRef();
  }
  Launch &launch(ArrayRef<std::string> fields);
  void add(Launch &launch, StringRef metric, StringRef unit, StringRef value);
  std::optional<unsigned> metric(StringRef name) const;

  Profile &profile;
  const Column id, process, kernel, stream, device;

private:
  StringMap<size_t> launches;
  StringMap<unsigned> metrics;
};

class NcuMetricRows : public NcuTable {
public:
  NcuMetricRows(const CSVHeader &header, Profile &profile)
      : NcuTable(header, profile), name(header.find("Metric Name")),
        unit(header.find("Metric Unit")), value(header.find("Metric Value")),
        rule(header.find("Rule Name")) {}

  void row(ArrayRef<std::string> fields) override {
    if (!csvNumber(get(fields, id)))
      return; // a line of the program's own
    StringRef metric = get(fields, name);
    if (metric.empty()) {
      profile.ruleRows += !get(fields, rule).empty();
      return;
    }
    add(launch(fields), metric, get(fields, unit), get(fields, value));
  }

private:
  const Column name, unit, value, rule;
};

class NcuLaunchRows : public NcuTable {
public:
  NcuLaunchRows(const CSVHeader &header, ArrayRef<std::string> names,
                Profile &profile)
      : NcuTable(header, profile), names(names.begin(), names.end()) {}

  void row(ArrayRef<std::string> fields) override {
    if (units.empty() && get(fields, id).empty()) {
      units.assign(fields.begin(), fields.end());
      return;
    }
    if (!csvNumber(get(fields, id)))
      return;
    Launch &launch = this->launch(fields);
    for (size_t i = 0; i < std::min(names.size(), fields.size()); ++i)
      if (isMetric(names[i]) && !fields[i].empty())
        add(launch, names[i], i < units.size() ? units[i] : "", fields[i]);
  }

private:
  static bool isMetric(StringRef name) {
    constexpr StringLiteral others[] = {"ID",
                                        "Process ID",
                                        "Process Name",
                                        "Host Name",
                                        "Kernel Name",
                                        "Kernel Time",
                                        "Context",
                                        "Stream",
                                        "Device",
                                        "CC",
                                        "Block Size",
                                        "Grid Size",
                                        "thread Domain",
                                        "Id:Domain"};
    return !name.empty() && !is_contained(others, name);
  }

  std::vector<std::string> names, units;
};

} // namespace

Launch &NcuTable::launch(ArrayRef<std::string> fields) {
  std::string key = (get(fields, process) + "/" + get(fields, id)).str();
  auto [slot, isNew] = launches.try_emplace(key, profile.launches.size());
  if (isNew) {
    Launch &launch = profile.launches.emplace_back();
    launch.id = get(fields, id).str();
    launch.name = get(fields, kernel).str();
    launch.stream = get(fields, stream).str();
    launch.device = get(fields, device).str();
  }
  return profile.launches[slot->second];
}

void NcuTable::add(Launch &launch, StringRef metric, StringRef unit,
                   StringRef value) {
  auto [slot, isNew] = metrics.try_emplace(metric, profile.metrics.size());
  if (isNew)
    profile.metrics.push_back(metric.str());
  launch.values.push_back(
      {slot->second, unit.str(), value.str(), csvNumber(value)});
}

std::optional<unsigned> NcuTable::metric(StringRef name) const {
  auto found = metrics.find(name);
  if (found == metrics.end())
    return std::nullopt;
  return found->second;
}

/// A metric in base units; nothing where the launch doesn't have it or its unit
/// isn't known.
static std::optional<double>
inBaseUnits(const Launch &launch, std::optional<unsigned> metric,
            std::optional<double> (*perUnit)(StringRef)) {
  const Launch::Metric *found = metric ? launch.find(*metric) : nullptr;
  std::optional<double> factor = found ? perUnit(found->unit) : std::nullopt;
  if (!factor || !found->value)
    return std::nullopt;
  return *found->value * *factor;
}

void NcuTable::finish() {
  profile.durationMetric =
      metric("gpu__time_duration.sum") ? "gpu__time_duration.sum" : "Duration";
  std::optional<unsigned> duration = metric(profile.durationMetric);
  std::optional<unsigned> bytes = metric("dram__bytes.sum"),
                          read = metric("dram__bytes_read.sum"),
                          written = metric("dram__bytes_write.sum");
  for (Launch &launch : profile.launches) {
    if (!launch.seconds)
      launch.seconds = inBaseUnits(launch, duration, secondsPerUnit);
    if (!launch.dramBytes)
      launch.dramBytes = inBaseUnits(launch, bytes, bytesPerUnit);
    auto in = inBaseUnits(launch, read, bytesPerUnit);
    auto out = inBaseUnits(launch, written, bytesPerUnit);
    if (!launch.dramBytes && in && out)
      launch.dramBytes = *in + *out;
  }
}

std::unique_ptr<CSVTable> ncuTable(const CSVHeader &header,
                                   ArrayRef<std::string> names,
                                   Profile &profile) {
  if (!header.has({"ID", "Kernel Name"}))
    return nullptr;
  if (header.has({"Metric Name", "Metric Value"}))
    return std::make_unique<NcuMetricRows>(header, profile);
  if (header.has({"Process ID"}))
    return std::make_unique<NcuLaunchRows>(header, names, profile);
  return nullptr;
}

} // namespace roofline::profile
