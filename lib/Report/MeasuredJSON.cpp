//===- MeasuredJSON.cpp - what was measured, as JSON ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasuredJSON.h"

using namespace llvm;
using namespace roofline::profile;

namespace roofline::report {

/// The tables by time end after this many: a trace may hold thousands of names.
static constexpr size_t shownNames = 50;

static double toSeconds(int64_t nanoseconds) {
  return double(nanoseconds) / 1e9;
}

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

static void times(StringRef key, ArrayRef<NamedTime> names, Emitter &out) {
  out.key(key).open('[');
  for (const NamedTime &one :
       names.take_front(std::min(names.size(), shownNames))) {
    out.newline(3);
    out.open('{');
    out.key("name").value(one.name);
    out.key("count").value(int64_t(one.count));
    out.key("total_seconds").value(toSeconds(one.total));
    out.key("max_seconds").value(toSeconds(one.max));
    out.close('}');
  }
  out.close(']');
}

static void countAndTime(const CountAndTime &one, StringRef count,
                         Emitter &out) {
  out.open('{');
  out.key(count).value(int64_t(one.count));
  out.key("seconds").value(toSeconds(one.time));
  out.close('}');
}

static void copies(const CopySummary &one, Emitter &out) {
  out.open('{');
  out.key("count").value(int64_t(one.count));
  out.key("seconds").value(toSeconds(one.time));
  out.key("bytes").value(one.bytes);
  out.close('}');
}

static void extent(const Extent &one, Emitter &out) {
  out.key("activities").value(int64_t(one.activities));
  out.key("span_seconds").value(toSeconds(one.span));
  out.key("busy_seconds").value(toSeconds(one.busy));
  out.key("idle_seconds").value(toSeconds(one.idle()));
}

static void device(const DeviceSummary &one, Emitter &out) {
  out.newline(3);
  out.open('{');
  out.key("device").value(one.device);
  out.key("streams").value(one.streams);
  extent(one.all, out);
  out.key("kernel_busy_seconds").value(toSeconds(one.kernelBusy));
  out.key("kernel_total_seconds").value(toSeconds(one.kernelTotal));
  out.key("with_call");
  if (one.withCall) {
    out.open('{');
    extent(*one.withCall, out);
    out.close('}');
  } else {
    out.null();
  }
  out.key("idle").open('{');
  for (unsigned cause = 0; cause < numIdleCauses; ++cause) {
    out.key(name(IdleCause(cause)));
    countAndTime(one.idle[cause], "gaps", out);
  }
  out.key("sync_any");
  countAndTime(one.syncAny, "gaps", out);
  out.close('}');
  out.key("longest_gaps").open('[');
  for (const IdleGap &gap : one.longest) {
    out.open('{');
    out.key("seconds").value(toSeconds(gap.time));
    out.key("cause").value(name(gap.cause));
    out.key("before").value(gap.before);
    out.close('}');
  }
  out.close(']');
  out.close('}');
}

static void kernels(const Summary &summary, Emitter &out) {
  out.newline(2);
  out.key("kernel_count").value(int64_t(summary.kernelCount()));
  out.key("kernel_seconds").value(toSeconds(summary.kernelTotal()));
  times("kernels", summary.kernels, out);
  out.key("kernels_under_5us").open('{');
  out.key("count").value(int64_t(summary.kernelsUnder5us.count));
  out.key("of").value(int64_t(summary.kernelCount()));
  out.key("seconds").value(toSeconds(summary.kernelsUnder5us.time));
  out.close('}');
  out.key("kernels_shorter_than_launch_call").open('{');
  out.key("count").value(int64_t(summary.kernelsShorterThanCall));
  out.key("of").value(int64_t(summary.kernelsWithOwnCall));
  out.close('}');
  out.key("kernels_from_graph_launch").value(int64_t(summary.kernelsFromGraph));
  out.key("kernels_without_call").value(int64_t(summary.kernelsWithoutCall));
  out.key("memcpy").open('{');
  for (const auto &[direction, one] : summary.copies) {
    out.foreignKey(direction);
    copies(one, out);
  }
  out.close('}');
  out.key("memset");
  copies(summary.memsets, out);
}

static void host(const Summary &summary, Emitter &out) {
  out.newline(2);
  out.key("host_span_seconds").value(toSeconds(summary.hostSpan));
  out.key("op_seconds").value(toSeconds(summary.opTime));
  out.key("sync_calls").open('{');
  for (const auto &[call, one] : summary.syncCalls) {
    out.foreignKey(call);
    countAndTime(one, "count", out);
  }
  out.close('}');
  out.key("item_like_ops").open('{');
  for (const auto &[op, count] : summary.itemOps)
    out.foreignKey(op).value(int64_t(count));
  out.close('}');
  const CopyOps &copy = summary.copyOps;
  out.key("copy_").open('{');
  out.key("ops").value(int64_t(copy.ops));
  out.key("host_seconds").value(toSeconds(copy.hostTime));
  out.key("share_of_op_time").value(copy.shareOfOps);
  out.key("gpu_activities").value(int64_t(copy.activities));
  out.key("gpu_seconds").value(toSeconds(copy.deviceTime));
  out.key("share_of_gpu_time").value(copy.shareOfDevice);
  out.close('}');
  times("ops_by_self_time", summary.opsBySelfTime, out);
}

static void session(const SessionSummary &session, Emitter &out) {
  out.open('{');
  out.key("runs").value(int64_t(session.runs));
  out.key("run_median_seconds").value(session.runMedian / 1e9);
  out.key("initialization_seconds").value(toSeconds(session.initialization));
  out.key("node_events").value(int64_t(session.nodeEvents));
  out.key("providers").open('[');
  for (const std::string &provider : session.providers)
    out.value(provider);
  out.close(']');
  out.close('}');
}

void writeSummary(const Summary &summary, Emitter &out) {
  out.open('{');
  out.newline(2);
  out.key("events").open('{');
  for (unsigned category = 0; category < summary.events.size(); ++category)
    out.key(name(Category(category))).value(int64_t(summary.events[category]));
  out.close('}');
  out.newline(2);
  out.key("devices").open('[');
  for (const DeviceSummary &one : summary.devices)
    device(one, out);
  out.close(']');
  kernels(summary, out);
  host(summary, out);
  out.newline(2);
  out.key("session");
  summary.session ? session(*summary.session, out) : out.null();
  out.close('}');
}

//===----------------------------------------------------------------------===//
// Measurements
//===----------------------------------------------------------------------===//

void writeMeasurement(const Measurement &measured, Emitter &out) {
  out.key("name").value(measured.name);
  out.key("op_type").textOrNull(measured.opType);
  out.key("category").value(name(measured.category));
  out.key("count").value(int64_t(measured.count));
  out.key("median_seconds").value(measured.seconds.median);
  out.key("min_seconds").value(measured.seconds.min);
  out.key("max_seconds").value(measured.seconds.max);
  out.key("p95_seconds").value(measured.seconds.p95);
  out.key("p99_seconds").value(measured.seconds.p99);
  out.key("total_seconds").value(measured.total);
  out.key("cpu_seconds").value(measured.cpuSeconds);
}

static void indices(StringRef key, ArrayRef<unsigned> rows, Emitter &out) {
  out.key(key).open('[');
  for (unsigned row : rows)
    out.value(row);
  out.close(']');
}

static void event(const MeasuredEvent &event, Emitter &out) {
  out.newline(2);
  out.open('{');
  writeMeasurement(event.measured, out);
  out.key("join").value(name(event.join.rule));
  out.key("op").value(event.join.node);
  indices("ops", event.join.nodes, out);
  indices("inferred_ops", event.join.inferred, out);
  out.key("group").value(event.group);
  out.key("container").value(event.isContainer);
  out.close('}');
}

/// How it compares: the same for a row and for a group of rows.
static void comparison(const MeasuredEvent &event, Emitter &out) {
  out.key("seconds").value(event.seconds);
  out.key("count").value(int64_t(event.measured.count));
  out.key("min_seconds").value(event.measured.seconds.min);
  out.key("p95_seconds").value(event.measured.seconds.p95);
  out.key("p99_seconds").value(event.measured.seconds.p99);
  out.key("predicted_seconds").value(event.predicted);
  out.key("predicted_interval").value(event.interval);
  out.key("flops_per_second").value(event.flopsPerSecond);
  out.key("bytes_per_second").value(event.bytesPerSecond);
  out.key("roof_seconds").value(event.roofSeconds);
  out.key("roof_share").value(event.roofShare);
  out.key("ratio").value(event.ratio());
  out.key("above_roof").textOrNull(event.aboveRoof);
}

/// Where the time between roof and measurement went, as far as it is known.
static void gap(const KernelGap *gap, const MeasuredEvent &event,
                Emitter &out) {
  out.key("gap");
  if (!gap || !event.seconds)
    return out.null();
  double explained = gap->launch + gap->tiles + gap->packing + gap->vectors +
                     gap->cacheLevel + gap->writeAllocate;
  out.open('{');
  out.key("roof").value(gap->roof);
  out.key("launch").value(gap->launch);
  out.key("tiles").value(gap->tiles);
  out.key("packing").value(gap->packing);
  out.key("vectors").value(gap->vectors);
  out.key("cache_level").value(gap->cacheLevel);
  out.key("write_allocate").value(gap->writeAllocate);
  out.key("unexplained").value(*event.seconds - gap->roof - explained);
  out.close('}');
}

static void library(const MeasuredEvent &event, Emitter &out) {
  out.key("library");
  if (!event.library)
    return out.null();
  out.open('{');
  out.key("name").value(event.library->name);
  out.key("seconds").value(event.library->seconds);
  out.key("flops_per_second").value(event.library->flopsPerSecond);
  out.key("roof_share").value(event.library->roofShare);
  out.close('}');
}

void writeRowMeasured(const Measured &measured, const Report::Op &op,
                      Emitter &out) {
  unsigned row = op.index;
  const MeasuredEvent *event = measured.ofRow(row);
  if (!event)
    return out.null();
  out.open('{');
  if (event->group) {
    out.key("seconds").null();
    out.key("covered_by").value(*event->group);
  } else {
    comparison(*event, out);
    gap(op.placement.gap.get(), *event, out);
    library(*event, out);
    out.key("covered_by").null();
  }
  out.key("event").value(event->measured.name);
  out.key("join").value(name(event->join.rule));
  out.key("inferred").value(is_contained(event->join.inferred, row));
  out.close('}');
}

void writeEnvironment(ArrayRef<std::pair<std::string, std::string>> environment,
                      Emitter &out) {
  out.key("environment").open('{');
  for (const auto &[name, text] : environment)
    out.foreignKey(name).value(text);
  out.close('}');
}

static void accuracy(const Accuracy &accuracy, Emitter &out) {
  out.newline(1);
  out.key("accuracy").open('{');
  out.key("compared").value(accuracy.compared);
  out.key("free").value(accuracy.free);
  out.key("free_seconds").value(accuracy.freeSeconds);
  out.key("predicted_seconds").value(accuracy.predicted);
  out.key("measured_seconds").value(accuracy.measured);
  out.key("median_error").value(accuracy.medianError);
  out.key("p90_error").value(accuracy.p90Error);
  out.key("rank_correlation").value(accuracy.rankCorrelation);
  out.key("inside_interval").value(accuracy.insideInterval);
  out.close('}');
}

static void coverage(const Measured &measured, Emitter &out) {
  out.newline(1);
  out.key("events_joined").value(measured.joinedEvents);
  out.key("events_made").value(measured.madeEvents);
  out.key("events_unmatched")
      .value(int64_t(measured.events.size() - measured.joinedEvents -
                     measured.madeEvents));
  out.key("rows_measured").value(measured.measuredRows);
  out.key("total_seconds").value(measured.total);
  out.key("claimed_seconds").value(measured.claimed);
  out.key("made_seconds").value(measured.made);
  out.key("unmatched_seconds").value(measured.unmatched);
  out.key("claimed_share");
  measured.total > 0 ? out.value(measured.claimed / measured.total)
                     : out.null();
}

void writeMeasured(const Measured &measured, Emitter &out) {
  out.open('{');
  out.newline(1);
  out.key("source").value(measured.file);
  out.key("format").value(name(measured.format));
  out.key("model").textOrNull(measured.model);
  writeEnvironment(measured.environment, out);
  out.key("run_seconds");
  measured.whole ? out.value(measured.whole->median) : out.null();
  coverage(measured, out);
  accuracy(measured.accuracy, out);
  out.newline(1);
  out.key("groups").open('[');
  for (const MeasuredEvent &one : measured.events) {
    if (!one.group)
      continue;
    out.newline(2);
    out.open('{');
    out.key("id").value(*one.group);
    indices("ops", one.rows(), out);
    out.key("event").value(one.measured.name);
    comparison(one, out);
    out.key("beside_rows").value(one.isBeside);
    out.close('}');
  }
  out.close(']');
  out.newline(1);
  out.key("events").open('[');
  for (const MeasuredEvent &one : measured.events)
    event(one, out);
  out.close(']');
  out.newline(1);
  out.key("summary");
  writeSummary(measured.summary, out);
  out.close('}');
}

} // namespace roofline::report
