//===- Measured.cpp - what a run measured, joined to a report -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Report/Measured.h"
#include "Format.h"
#include "View.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace llvm;
using namespace roofline::report;

namespace roofline {

std::vector<unsigned> MeasuredEvent::rows() const {
  std::vector<unsigned> all = join.nodes;
  all.insert(all.end(), join.inferred.begin(), join.inferred.end());
  llvm::sort(all);
  return all;
}

std::string Measured::libraryName() const {
  for (const MeasuredEvent &event : events)
    if (event.library)
      return event.library->name;
  return "";
}

std::optional<double> MeasuredEvent::ratio() const {
  if (!seconds || !predicted || *predicted <= 0)
    return std::nullopt;
  return *seconds / *predicted;
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

static std::vector<profile::ModelNode> nodesOf(const Report &report) {
  std::vector<profile::ModelNode> nodes;
  nodes.reserve(report.ops.size());
  for (const Report::Op &op : report.ops) {
    profile::ModelNode &node = nodes.emplace_back();
    node.name = op.name;
    node.opType = op.opType;
    for (const Report::Tensor &output : op.outputs)
      node.outputs.push_back(output.name);
    for (const Report::Tensor &input : op.inputs) {
      node.inputs.push_back(input.name);
      profile::TensorShape &shape = node.inputShapes.emplace_back();
      shape.type = input.type;
      for (const Report::Dim &dim : input.shape)
        shape.shape.push_back(dim ? dim->asInt64().value_or(-1) : -1);
    }
  }
  return nodes;
}

/// What of a profile may be an op of a model. On a device's trace the host's
/// ops took the host's time, not the device's; in onnxruntime's the kernels are
/// part of the nodes.
static std::vector<profile::Measurement>
joinable(const profile::Profile &profile, const profile::Summary &summary) {
  std::vector<profile::Measurement> all = profile::measurements(profile);
  bool hasDevice = !summary.devices.empty();
  llvm::erase_if(all, [&](const profile::Measurement &measured) {
    if (profile.format == profile::Format::OnnxRuntime)
      return measured.category != profile::Category::Node;
    return measured.category == profile::Category::Call ||
           (hasDevice && measured.category == profile::Category::CpuOp);
  });
  return all;
}

/// The paths of the rows whose regions hold other rows: "body" of loop "l" in
/// scope "s" makes "s/l" one.
static StringSet<> containerPaths(const Report &report) {
  StringSet<> paths;
  for (const Report::Op &op : report.ops)
    for (StringRef path = op.scope; path.contains('/');) {
      path = path.rsplit('/').first;
      if (!paths.insert(path).second)
        break;
    }
  return paths;
}

namespace {

class Measurer {
public:
  Measurer(Report &report, const profile::Profile &profile)
      : report(report), profile(profile) {}
  Measured take();

private:
  void addEvents();
  void holdRows();
  void placeEvent(MeasuredEvent &event);
  void predict(MeasuredEvent &event);
  std::string whyAbove(const MeasuredEvent &event, double compute,
                       double memory, std::optional<double> bytes) const;
  const Report::FusionGroup *fusionGroup(ArrayRef<unsigned> rows) const;
  double runsOf(const profile::Measurement &measured) const;
  void addAccuracy();
  void warn();

  Report &report;
  const profile::Profile &profile;
  Measured result;
};

} // namespace

/// How often one run of the model does it. What a runtime executes in a loop,
/// and nodes that share a name, occur several times a run.
double Measurer::runsOf(const profile::Measurement &measured) const {
  const auto &session = result.summary.session;
  if (!session || !session->runs || measured.count % session->runs)
    return 1;
  uint64_t executions = measured.count / session->runs;
  return double(executions);
}

void Measurer::addEvents() {
  std::vector<profile::Measurement> measurements =
      joinable(profile, result.summary);
  std::vector<profile::Joined> joined =
      profile::join(nodesOf(report), profile.format, measurements);
  StringSet<> containers = containerPaths(report);
  auto isContainer = [&](unsigned row) {
    const Report::Op &op = report.ops[row];
    return containers.contains(op.scope.empty() ? op.name
                                                : op.scope + "/" + op.name);
  };
  // A file that names rows may have them one by one, and together besides.
  std::vector<bool> hasOwn(report.ops.size());
  for (const profile::Joined &one : joined)
    if (one.nodes.size() == 1)
      hasOwn[one.nodes.front()] = true;
  auto isBeside = [&](const profile::Joined &one) {
    return one.rule == profile::JoinRule::Index && one.nodes.size() > 1 &&
           all_of(one.nodes, [&](unsigned row) { return hasOwn[row]; });
  };
  result.events.reserve(measurements.size());
  for (auto [measured, join] : zip(measurements, joined)) {
    MeasuredEvent &event = result.events.emplace_back();
    event.measured = std::move(measured);
    event.join = std::move(join);
    if (event.join.isNode() && all_of(event.join.nodes, isContainer)) {
      event.isContainer = true;
      ++result.joinedEvents;
      continue;
    }
    event.isBeside = isBeside(event.join);
    if (event.isBeside) {
      ++result.joinedEvents;
      continue;
    }
    result.total += event.measured.total;
    if (event.join.isNode()) {
      ++result.joinedEvents;
      result.claimed += event.measured.total;
    } else if (event.join.rule == profile::JoinRule::Made) {
      ++result.madeEvents;
      result.made += event.measured.total;
    } else {
      result.unmatched += event.measured.total;
    }
  }
}

void Measurer::holdRows() {
  result.eventOfRow.resize(report.ops.size());
  unsigned groups = 0;
  std::vector<std::string> twice;
  for (unsigned id = 0; id < result.events.size(); ++id) {
    MeasuredEvent &event = result.events[id];
    std::vector<unsigned> rows = event.rows();
    if (rows.empty())
      continue;
    if (rows.size() > 1)
      event.group = groups++;
    for (unsigned row : rows) {
      if (event.isBeside)
        continue;
      if (result.eventOfRow[row])
        twice.push_back(event.measured.name);
      else
        result.eventOfRow[row] = id;
    }
    event.seconds = event.measured.seconds.median * runsOf(event.measured);
  }
  result.measuredRows = count_if(
      result.eventOfRow, [](const auto &event) { return event.has_value(); });
  if (!twice.empty())
    report.warnings.push_back(
        {"", "measured: " + std::to_string(twice.size()) +
                 " events are of rows that another event already has, as '" +
                 printable(twice.front()) +
                 "'; such a row shows the first one's time"});
}

//===----------------------------------------------------------------------===//
// Against the prediction
//===----------------------------------------------------------------------===//

/// The group that consists of just these rows.
const Report::FusionGroup *
Measurer::fusionGroup(ArrayRef<unsigned> rows) const {
  const std::optional<unsigned> &id = report.ops[rows.front()].fusionGroup;
  if (!id || *id >= report.fusionGroups.size())
    return nullptr;
  const Report::FusionGroup &group = report.fusionGroups[*id];
  std::vector<unsigned> ops = group.ops;
  llvm::sort(ops);
  return ArrayRef<unsigned>(ops) == rows ? &group : nullptr;
}

/// What is predicted for its rows: as one kernel where that is a fusion group
/// of the report, else one by one.
void Measurer::predict(MeasuredEvent &event) {
  std::vector<unsigned> rows = event.rows();
  double least = 0, most = 0, predicted = 0;
  for (unsigned row : rows) {
    const Report::Op &op = report.ops[row];
    if (!op.placement.seconds)
      return;
    const Placement &placement = op.placement;
    if (placement.gap) {
      least += *placement.seconds * std::max(0.0, 1 - placement.gap->error);
      most += *placement.seconds * (1 + placement.gap->error);
      predicted += *placement.seconds;
      continue;
    }
    most += *placement.seconds;
    predicted += *placement.seconds;
    bool mayFuse = op.fusionGroup.has_value();
    least += mayFuse
                 ? placement.computeSeconds
                 : std::max(placement.computeSeconds, placement.memorySeconds);
  }
  event.predicted = predicted;
  event.interval = {std::min(least, most), most};
  if (const Report::FusionGroup *group = fusionGroup(rows))
    if (rows.size() > 1 && group->secondsAfter)
      event.predicted = group->secondsAfter;
}

/// A measurement can't beat a right roof: which assumption is wrong?
std::string Measurer::whyAbove(const MeasuredEvent &event, double compute,
                               double memory,
                               std::optional<double> moved) const {
  std::vector<unsigned> rows = event.rows();
  const Report::Op &op = report.ops[rows.front()];
  if (any_of(rows, [&](unsigned row) { return report.ops[row].dataDependent; }))
    return "data decides how much is done here, and the largest is counted";
  if (memory < compute)
    return "more work a second than the ceiling " +
           printable(op.placement.limiter.empty() ? op.opType
                                                  : op.placement.limiter) +
           " of " + printable(report.device.name) +
           ": it ran on another device, in another type, or the ceiling is "
           "too low";
  for (const MemoryLevel &level : report.device.memory)
    if (&level != report.device.dram() && level.capacityBytes && moved &&
        *moved <= double(*level.capacityBytes))
      return "its " + si(*moved, "B") + " fit in the " +
             printable(level.level) + " (" +
             si(double(*level.capacityBytes), "B") +
             "), so they needn't come from DRAM";
  return "more bytes a second than DRAM delivers: part of its data was in a "
         "cache, or it ran on another device than " +
         printable(report.device.name);
}

void Measurer::placeEvent(MeasuredEvent &event) {
  predict(event);
  std::vector<unsigned> rows = event.rows();
  if (!event.seconds || *event.seconds <= 0)
    return;
  std::optional<double> flops = 0.0, moved = 0.0;
  double compute = 0, memory = 0;
  bool isPlaced = true;
  for (unsigned row : rows) {
    const Report::Op &op = report.ops[row];
    std::optional<Int> opBytes = totalBytes(op);
    flops = flops && op.flops
                ? std::optional<double>(*flops + toDouble(*op.flops))
                : std::nullopt;
    moved = moved && opBytes
                ? std::optional<double>(*moved + toDouble(*opBytes))
                : std::nullopt;
    compute += op.placement.computeSeconds;
    memory += op.placement.memorySeconds;
    isPlaced &= op.placement.seconds.has_value();
  }
  if (rows.size() > 1) {
    // What one kernel moves is known for a fusion group of the report only.
    const Report::FusionGroup *group = fusionGroup(rows);
    const MemoryLevel *dram = report.device.dram();
    moved = group && group->bytesAfter
                ? std::optional<double>(toDouble(*group->bytesAfter))
                : std::nullopt;
    memory = moved && dram && dram->bytesPerSecond > 0
                 ? *moved / dram->bytesPerSecond
                 : 0;
  }
  if (flops)
    event.flopsPerSecond = *flops / *event.seconds;
  if (moved)
    event.bytesPerSecond = *moved / *event.seconds;
  double roof = std::max(compute, memory);
  if (event.measured.library && event.measured.library->seconds.median > 0) {
    MeasuredEvent::Library &library = event.library.emplace();
    library.name = event.measured.library->name;
    library.seconds = event.measured.library->seconds.median;
    if (flops)
      library.flopsPerSecond = *flops / library.seconds;
    if (isPlaced && roof > 0)
      library.roofShare = roof / library.seconds;
  }
  if (!isPlaced || roof <= 0)
    return;
  event.roofSeconds = roof;
  event.roofShare = roof / *event.seconds;
  if (*event.roofShare > 1)
    event.aboveRoof = whyAbove(event, compute, memory, moved);
}

//===----------------------------------------------------------------------===//
// Accuracy
//===----------------------------------------------------------------------===//

/// Ranks from 1, equals sharing their mean.
static std::vector<double> ranks(ArrayRef<double> values) {
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) {
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  });
  std::vector<double> result(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t last = first;
    while (last + 1 < order.size() &&
           values[order[last + 1]] == values[order[first]])
      ++last;
    for (size_t i = first; i <= last; ++i)
      result[order[i]] = double(first + last) / 2 + 1;
    first = last + 1;
  }
  return result;
}

/// Pearson's of the ranks; nothing where one side doesn't vary.
static std::optional<double> spearman(ArrayRef<double> a, ArrayRef<double> b) {
  std::vector<double> rankA = ranks(a), rankB = ranks(b);
  double mean = (double(a.size()) + 1) / 2;
  double covariance = 0, varianceA = 0, varianceB = 0;
  for (auto [x, y] : zip(rankA, rankB)) {
    covariance += (x - mean) * (y - mean);
    varianceA += (x - mean) * (x - mean);
    varianceB += (y - mean) * (y - mean);
  }
  if (varianceA <= 0 || varianceB <= 0)
    return std::nullopt;
  return covariance / std::sqrt(varianceA * varianceB);
}

void Measurer::addAccuracy() {
  std::vector<double> predicted, measured, errors;
  unsigned inside = 0;
  double sumPredicted = 0, sumMeasured = 0;
  for (const MeasuredEvent &event : result.events) {
    if (!event.seconds || *event.seconds <= 0 || !event.predicted)
      continue;
    if (*event.predicted <= 0) {
      ++result.accuracy.free;
      result.accuracy.freeSeconds += *event.seconds;
      continue;
    }
    predicted.push_back(*event.predicted);
    measured.push_back(*event.seconds);
    if (!event.isBeside) {
      sumPredicted += *event.predicted;
      sumMeasured += *event.seconds;
    }
    errors.push_back(std::fabs(*event.predicted - *event.seconds) /
                     *event.seconds);
    inside += event.interval && event.interval->first <= *event.seconds &&
              *event.seconds <= event.interval->second;
  }
  Accuracy &accuracy = result.accuracy;
  accuracy.compared = errors.size();
  if (errors.empty())
    return;
  accuracy.rankCorrelation = spearman(predicted, measured);
  accuracy.medianError = profile::median(errors);
  accuracy.p90Error = profile::percentile(errors, 0.9);
  accuracy.insideInterval = double(inside) / double(accuracy.compared);
  accuracy.predicted = sumPredicted;
  accuracy.measured = sumMeasured;
}

//===----------------------------------------------------------------------===//
// Warnings
//===----------------------------------------------------------------------===//

void Measurer::warn() {
  auto add = [&](const std::string &message) {
    report.warnings.push_back({"", "measured: " + message});
  };
  for (const std::string &warning : profile.warnings)
    add(printable(profile.file) + ": " + warning);
  size_t unmatched =
      result.events.size() - result.joinedEvents - result.madeEvents;
  if (unmatched)
    add(plural(unmatched, "event") + " of " +
        std::to_string(result.events.size()) + " (" +
        seconds(result.unmatched) + ", " +
        percent(result.total > 0 ? result.unmatched / result.total : 0) +
        " of the time) joined no row of this report (nodes that only compute "
        "shapes have none)");
  if (result.madeEvents)
    add(plural(result.madeEvents, "event") + " (" + seconds(result.made) +
        ") of the runtime's own, which are no node of the model");
  if (result.joinedEvents && result.measuredRows < report.ops.size())
    add(plural(report.ops.size() - result.measuredRows, "row") +
        " of this report without a measurement: fused, folded, or not run");
  const auto &session = result.summary.session;
  bool onCPU = session && session->providers.size() == 1 &&
               session->providers.front() == "CPUExecutionProvider";
  if (onCPU && !report.device.kind.empty() && report.device.kind != "cpu")
    add("it ran on a CPU and is compared with " +
        printable(report.device.name) +
        ": name the machine's own with --device");
}

Measured Measurer::take() {
  result.file = profile.file;
  result.model = profile.model;
  result.format = profile.format;
  result.environment = profile.environment;
  result.whole = profile.whole;
  result.summary = profile::summarize(profile);
  if (!result.whole && result.summary.session && result.summary.session->runs)
    result.whole = profile::Seconds{
        result.summary.session->runMedian * 1e-9, {}, {}, {}, {}};
  addEvents();
  holdRows();
  for (MeasuredEvent &event : result.events)
    if (event.join.isNode() && !event.isContainer)
      placeEvent(event);
  addAccuracy();
  warn();
  return std::move(result);
}

void addMeasured(Report &report, const profile::Profile &profile) {
  report.measured =
      std::make_shared<const Measured>(Measurer(report, profile).take());
}

} // namespace roofline
