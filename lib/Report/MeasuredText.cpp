//===- MeasuredText.cpp - what was measured, in words ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasuredText.h"
#include "Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace roofline::profile;

namespace roofline::report {

static std::string time(int64_t nanoseconds) {
  return seconds(double(nanoseconds) / 1e9);
}

static std::string share(int64_t part, int64_t whole) {
  return percent(whole > 0 ? double(part) / double(whole) : 0);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

std::string measuredText(const Measured &measured, unsigned row) {
  const MeasuredEvent *event = measured.ofRow(row);
  if (!event)
    return "-";
  if (event->group)
    return "in g" + std::to_string(*event->group);
  return seconds(event->seconds);
}

std::string ratioText(const Measured &measured, unsigned row) {
  const MeasuredEvent *event = measured.ofRow(row);
  if (!event || event->group || !event->ratio())
    return "-";
  std::string text = report::ratio(event->ratio()) + "×";
  return event->aboveRoof.empty() ? text : text + "!";
}

std::string libraryText(const Measured &measured, unsigned row) {
  const MeasuredEvent *event = measured.ofRow(row);
  return event && event->library ? seconds(event->library->seconds) : "-";
}

std::string roofText(const Measured &measured, unsigned row) {
  const MeasuredEvent *event = measured.ofRow(row);
  bool isOwn = event && !event->group && event->roofSeconds;
  return isOwn ? seconds(event->roofSeconds) : "-";
}

//===----------------------------------------------------------------------===//
// Against the prediction
//===----------------------------------------------------------------------===//

static std::string joinedText(const Report &report) {
  const Measured &measured = *report.measured;
  std::string text = std::to_string(measured.joinedEvents) + " of " +
                     plural(measured.events.size(), "event") + ", " +
                     seconds(measured.claimed) + " of " +
                     seconds(measured.total);
  if (measured.total > 0)
    text += " (" + percent(measured.claimed / measured.total) + ")";
  if (measured.madeEvents)
    text += "; " + std::to_string(measured.madeEvents) +
            " of the runtime's own (" + seconds(measured.made) + ")";
  return text + "; " + std::to_string(measured.measuredRows) + " of " +
         plural(report.ops.size(), "row") + " measured";
}

static std::string errorText(const Accuracy &accuracy) {
  std::string text = "median " + percent(accuracy.medianError) +
                     ", 90th percentile " + percent(accuracy.p90Error) +
                     " of " + plural(accuracy.compared, "measurement");
  if (accuracy.rankCorrelation)
    text += "; rank correlation " + ratio(accuracy.rankCorrelation);
  text += "; " + percent(accuracy.insideInterval) +
          " inside their predicted interval";
  if (accuracy.free)
    text += "; " + std::to_string(accuracy.free) +
            " that should take no time took " + seconds(accuracy.freeSeconds);
  return text;
}

/// The events that `which` picks, the most time first.
template <typename Fn>
static std::vector<const MeasuredEvent *> heaviest(const Measured &measured,
                                                   Fn which) {
  std::vector<const MeasuredEvent *> events;
  for (const MeasuredEvent &event : measured.events)
    if (which(event))
      events.push_back(&event);
  llvm::sort(events, [](const MeasuredEvent *a, const MeasuredEvent *b) {
    if (a->measured.total != b->measured.total)
      return a->measured.total > b->measured.total;
    return a < b;
  });
  return events;
}

constexpr size_t listed = 5;
constexpr unsigned nameWidth = 60;

static void addUnmatched(const Measured &measured, std::vector<Fact> &facts) {
  std::vector<const MeasuredEvent *> events =
      heaviest(measured, [](const MeasuredEvent &event) {
        return !event.join.isNode() && event.join.rule != JoinRule::Made;
      });
  if (events.empty())
    return;
  std::string text;
  for (const MeasuredEvent *event :
       ArrayRef(events).take_front(std::min(events.size(), listed)))
    text += (text.empty() ? "" : ", ") +
            shorten(printable(event->measured.name), nameWidth) + " (" +
            seconds(event->measured.total) + ")";
  if (events.size() > listed)
    text += ", … " + std::to_string(events.size() - listed) + " more";
  facts.push_back({"unmatched", text});
}

static void addAboveRoof(const Measured &measured, std::vector<Fact> &facts) {
  std::vector<const MeasuredEvent *> events =
      heaviest(measured, [](const MeasuredEvent &event) {
        return !event.aboveRoof.empty();
      });
  for (const MeasuredEvent *event :
       ArrayRef(events).take_front(std::min(events.size(), listed)))
    facts.push_back({event == events.front() ? "above roof" : "",
                     shorten(printable(event->measured.name), nameWidth) + " " +
                         ratio(event->roofShare) + "×: " + event->aboveRoof});
  if (events.size() > listed)
    facts.push_back(
        {"", std::to_string(events.size() - listed) + " more above the roof"});
}

static void addLibrary(const Measured &measured, std::vector<Fact> &facts) {
  std::vector<double> ratios;
  for (const MeasuredEvent &event : measured.events)
    if (event.library && event.seconds)
      ratios.push_back(event.library->seconds / *event.seconds);
  if (ratios.empty())
    return;
  std::string rows = plural(ratios.size(), "row");
  facts.push_back({"library", printable(measured.libraryName()) + ": " + rows +
                                  ", median " + ratio(median(ratios)) +
                                  "× of the kernel's time; in layouts of its "
                                  "own, reordered outside of the time"});
}

std::vector<Fact> measuredFacts(const Report &report) {
  const Measured &measured = *report.measured;
  std::vector<Fact> facts;
  facts.push_back({"profile", printable(measured.file) + " (" +
                                  name(measured.format).str() + ")"});
  if (!measured.environment.empty()) {
    std::string text;
    for (const auto &[name, value] : measured.environment)
      text += (text.empty() ? "" : "; ") + printable(name) + ": " +
              printable(value);
    facts.push_back({"environment", text});
  }
  facts.push_back({"joined", joinedText(report)});
  if (measured.whole)
    facts.push_back(
        {"one run", seconds(measured.whole->median) + " measured, " +
                        seconds(totalSeconds(report)) + " predicted"});
  if (measured.accuracy.compared)
    facts.push_back({"error", errorText(measured.accuracy)});
  addLibrary(measured, facts);
  addAboveRoof(measured, facts);
  addUnmatched(measured, facts);
  return facts;
}

void textMeasured(const Report &report, const TextStyle &style) {
  if (!report.measured)
    return;
  style.title("Measured, compared with " + printable(report.device.name));
  for (const auto &[label, text] : measuredFacts(report))
    style.fact(label, text);
  for (const auto &[label, text] : summaryFacts(report.measured->summary))
    style.fact(label, text);
  if (report.measured->joinedEvents == 0)
    textSummary(report.measured->summary, style, listed);
}

//===----------------------------------------------------------------------===//
// A profile by itself
//===----------------------------------------------------------------------===//

static std::string idleText(const DeviceSummary &device) {
  std::string text;
  auto add = [&](const CountAndTime &gaps, StringRef label) {
    if (!gaps.count)
      return;
    text += text.empty() ? "" : "; ";
    text += label.str() + " " + time(gaps.time) + " in " +
            plural(gaps.count, "gap");
  };
  add(device.idle[unsigned(IdleCause::Host)], "host late");
  add(device.idle[unsigned(IdleCause::Sync)], "host synchronised");
  add(device.idle[unsigned(IdleCause::Queued)], "queued");
  add(device.idle[unsigned(IdleCause::Unknown)], "launch not in the file");
  if (device.syncAny.time > device.idle[unsigned(IdleCause::Sync)].time)
    text +=
        "; any synchronisation before the launch: " + time(device.syncAny.time);
  return text;
}

static void addDevice(const DeviceSummary &device, std::vector<Fact> &facts) {
  facts.push_back({"device " + printable(device.device),
                   "busy " + time(device.all.busy) + " (" +
                       share(device.all.busy, device.all.span) + ") of " +
                       time(device.all.span) + ", " +
                       std::to_string(device.all.activities) +
                       " kernels and copies on " +
                       plural(device.streams, "stream")});
  std::string idle = idleText(device);
  if (!idle.empty())
    facts.push_back({"idle", time(device.all.idle()) + ": " + idle});
  if (device.withCall)
    facts.push_back({"", "of what was launched in the recording: busy " +
                             time(device.withCall->busy) + " of " +
                             time(device.withCall->span)});
}

static void addKernels(const Summary &summary, std::vector<Fact> &facts) {
  uint64_t count = summary.kernelCount();
  if (!count)
    return;
  std::string text = std::to_string(count) + ", " + time(summary.kernelTotal());
  if (summary.kernelsUnder5us.count)
    text += "; " + std::to_string(summary.kernelsUnder5us.count) +
            " shorter than 5 µs";
  if (summary.kernelsShorterThanCall)
    text += "; " + std::to_string(summary.kernelsShorterThanCall) + " of " +
            std::to_string(summary.kernelsWithOwnCall) +
            " shorter than their launch call";
  if (summary.kernelsFromGraph)
    text += "; " + std::to_string(summary.kernelsFromGraph) + " from graphs";
  facts.push_back({"kernels", text});
}

static std::string copyText(const CopySummary &copies) {
  std::string text = std::to_string(copies.count);
  if (copies.time)
    text += " in " + time(copies.time);
  if (copies.bytes)
    text += ", " + bytes(Int(*copies.bytes));
  return text;
}

static void addHost(const Summary &summary, std::vector<Fact> &facts) {
  std::string text;
  for (const auto &[call, one] : summary.syncCalls)
    text += (text.empty() ? "" : "; ") + call + " " +
            std::to_string(one.count) + " × in " + time(one.time);
  if (!text.empty())
    facts.push_back({"sync calls", text});
  text.clear();
  for (const auto &[op, count] : summary.itemOps)
    text +=
        (text.empty() ? "" : "; ") + op + " " + std::to_string(count) + " ×";
  if (!text.empty())
    facts.push_back({"waits on data", text});
  const CopyOps &copy = summary.copyOps;
  if (copy.ops) {
    text = std::to_string(copy.ops) + ", " + time(copy.hostTime) +
           " on the host (" + percent(copy.shareOfOps) + " of op time)";
    if (copy.activities)
      text += ", " + time(copy.deviceTime) + " on the device (" +
              percent(copy.shareOfDevice) + ")";
    facts.push_back({"aten::copy_", text});
  }
}

std::vector<Fact> summaryFacts(const Summary &summary) {
  std::vector<Fact> facts;
  for (const DeviceSummary &device : summary.devices)
    addDevice(device, facts);
  addKernels(summary, facts);
  for (const auto &[direction, copies] : summary.copies)
    facts.push_back({"memcpy " + direction, copyText(copies)});
  if (summary.memsets.count)
    facts.push_back({"memset", copyText(summary.memsets)});
  addHost(summary, facts);
  if (summary.session)
    facts.push_back(
        {"session", plural(summary.session->runs, "run") + ", median " +
                        seconds(summary.session->runMedian / 1e9) + ", on " +
                        printableList(summary.session->providers, ", ")});
  return facts;
}

void textSummary(const Summary &summary, const TextStyle &style, size_t shown) {
  bool hasKernels = !summary.kernels.empty();
  ArrayRef<NamedTime> names =
      hasKernels ? summary.kernels : summary.opsBySelfTime;
  if (names.empty())
    return;
  size_t count = std::min(names.size(), shown);
  style.title((hasKernels ? "Kernels by time (" : "Ops by self time (") +
              std::to_string(count) + " of " + std::to_string(names.size()) +
              ")");
  int64_t all = 0;
  for (const NamedTime &one : names)
    all = addSaturating(all, one.total);
  TextTable table;
  constexpr unsigned always = 9, high = 5, low = 1;
  size_t total = table.addColumn("time", TextTable::Right, always);
  size_t part = table.addColumn("share", TextTable::Right, high);
  size_t times = table.addColumn("count", TextTable::Right, high);
  size_t longest = table.addColumn("longest", TextTable::Right, low);
  size_t name = table.addColumn("name", TextTable::Left, always, true);
  for (const NamedTime &one : names.take_front(count)) {
    table.addRow();
    table.set(total, time(one.total));
    table.set(part, share(one.total, all));
    table.set(times, std::to_string(one.count));
    table.set(longest, time(one.max));
    table.set(name, printable(one.name));
  }
  table.print(style.os, style.width, style.color);
}

} // namespace roofline::report
