//===- ProfileWriter.cpp - a profile without a model ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasuredJSON.h"
#include "MeasuredText.h"
#include "roofline/Report/Writers.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::report;
using namespace roofline::profile;

static void writeLaunches(const Profile &profile, Emitter &out) {
  out.newline(0);
  out.key("metrics").open('[');
  for (const std::string &metric : profile.metrics)
    out.value(metric);
  out.close(']');
  out.key("duration_metric").textOrNull(profile.durationMetric);
  out.key("rule_rows").value(int64_t(profile.ruleRows));
  out.newline(0);
  out.key("launches").open('[');
  for (const Launch &launch : profile.launches) {
    out.newline(1);
    out.open('{');
    out.key("id").value(launch.id);
    out.key("name").value(launch.name);
    out.key("device").textOrNull(launch.device);
    out.key("stream").textOrNull(launch.stream);
    out.key("seconds").value(launch.seconds);
    out.key("dram_bytes").value(launch.dramBytes);
    out.key("metrics").open('[');
    for (const Launch::Metric &metric : launch.values) {
      out.open('{');
      out.key("name").value(profile.metrics[metric.id]);
      out.key("unit").textOrNull(metric.unit);
      out.key("value");
      metric.value ? out.value(*metric.value) : out.textOrNull(metric.text);
      out.close('}');
    }
    out.close(']');
    out.close('}');
  }
  out.close(']');
}

void roofline::writeProfileJSON(const Profile &profile, raw_ostream &os) {
  {
    Emitter out(os);
    out.open('{');
    out.key("schema").value(StringRef("roofline-profile/1"));
    out.key("source").value(profile.file);
    out.key("format").value(name(profile.format));
    out.key("model").textOrNull(profile.model);
    writeEnvironment(profile.environment, out);
    out.key("run_seconds");
    profile.whole ? out.value(profile.whole->median) : out.null();
    out.newline(0);
    out.key("warnings").open('[');
    for (const std::string &warning : profile.warnings)
      out.value(warning);
    out.close(']');
    out.newline(0);
    out.key("summary");
    writeSummary(summarize(profile), out);
    out.newline(0);
    out.key("measurements").open('[');
    for (const Measurement &measured : measurements(profile)) {
      out.newline(1);
      out.open('{');
      writeMeasurement(measured, out);
      out.close('}');
    }
    out.close(']');
    if (!profile.launches.empty())
      writeLaunches(profile, out);
    out.lastNewline(0);
    out.close('}');
  }
  os << '\n';
}

/// What was measured of a model's nodes, by time.
static void textNodes(const Profile &profile, const TextStyle &style,
                      size_t shown) {
  std::vector<Measurement> nodes = measurements(profile);
  erase_if(nodes, [](const Measurement &measured) {
    return measured.category != Category::Node;
  });
  if (nodes.empty())
    return;
  std::vector<const Measurement *> order;
  double all = 0;
  for (const Measurement &node : nodes) {
    order.push_back(&node);
    all += node.total;
  }
  llvm::sort(order, [](const Measurement *a, const Measurement *b) {
    return a->total != b->total ? a->total > b->total : a < b;
  });
  order.resize(std::min(order.size(), shown));
  style.title("Nodes by time (" + std::to_string(order.size()) + " of " +
              std::to_string(nodes.size()) + ")");
  TextTable table;
  constexpr unsigned always = 9, high = 5;
  size_t total = table.addColumn("time", TextTable::Right, always);
  size_t share = table.addColumn("share", TextTable::Right, high);
  size_t count = table.addColumn("count", TextTable::Right, high);
  size_t median = table.addColumn("median", TextTable::Right, always);
  size_t type = table.addColumn("type", TextTable::Left, high);
  size_t name = table.addColumn("name", TextTable::Left, always, true);
  for (const Measurement *node : order) {
    table.addRow();
    table.set(total, seconds(node->total));
    table.set(share, percent(all > 0 ? node->total / all : 0));
    table.set(count, std::to_string(node->count));
    table.set(median, seconds(node->seconds.median));
    table.set(type, printable(node->opType));
    table.set(name, printable(node->name));
  }
  table.print(style.os, style.width, style.color);
}

void roofline::writeProfileText(const Profile &profile,
                                const WriterOptions &options, raw_ostream &os) {
  constexpr unsigned defaultWidth = 100, leastWidth = 40;
  unsigned width = options.width ? options.width : defaultWidth;
  TextStyle style{os, std::max(width, leastWidth), options.color};
  Summary summary = summarize(profile);
  styled(os, "Profile: " + printable(profile.file),
         style.color ? Style::Bold : Style::None);
  os << '\n';
  style.fact("format", name(profile.format));
  if (!profile.model.empty())
    style.fact("model", printable(profile.model));
  for (const auto &[name, text] : profile.environment)
    style.fact(printable(name), printable(text));
  if (!profile.launches.empty())
    style.fact("launches", std::to_string(profile.launches.size()) + " with " +
                               plural(profile.metrics.size(), "metric"));
  if (profile.whole)
    style.fact("one run", seconds(profile.whole->median));
  for (const auto &[label, text] : summaryFacts(summary))
    style.fact(label, text);
  size_t shown = options.top ? options.top : SIZE_MAX;
  textSummary(summary, style, shown);
  textNodes(profile, style, shown);
  for (const std::string &warning : profile.warnings)
    style.fact("warning", printable(warning));
}
