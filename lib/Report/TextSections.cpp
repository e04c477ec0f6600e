//===- TextSections.cpp - the parts of the text form ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextSections.h"
#include "Format.h"
#include "MeasuredText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace roofline::report {

namespace {

/// How important a column of the op tables is when room is short.
enum Importance : unsigned {
  Least,
  Low,
  BelowMiddle,
  Middle,
  AboveMiddle,
  High,
  VeryHigh,
  Always
};

StringRef sortText(SortKey key) {
  switch (key) {
  case SortKey::Time:
    return "by time";
  case SortKey::Flops:
    return "by FLOPs";
  case SortKey::Bytes:
    return "by bytes";
  case SortKey::Intensity:
    return "by intensity";
  case SortKey::Order:
    return "in execution order";
  }
  return "";
}

std::string opsTitle(const Report &report, const WriterOptions &options,
                     size_t shown) {
  std::string title = options.sort == SortKey::Order ? "Ops " : "Heaviest ops ";
  title += sortText(options.sort);
  title += " (" + std::to_string(shown) + " of " +
           std::to_string(report.ops.size()) + ")";
  return title;
}

/// A figure, else its formula, else "?".
std::string orFormula(const std::optional<Int> &value, StringRef unit,
                      StringRef formula) {
  if (value || formula.empty())
    return si(value, unit);
  return shorten(printable(formula), 28);
}

/// Shortens names by the path that all of them start with.
class NameShortener {
public:
  explicit NameShortener(ArrayRef<const Report::Op *> ops)
      : prefix(commonPath(ops)) {}
  std::string operator()(const Report::Op &op) const {
    std::string name = displayName(op);
    return prefix.empty() ? name : "…/" + name.substr(prefix.size());
  }
  /// "; …/ is /model/" for a table's title.
  std::string legend() const {
    return prefix.empty() ? "" : "; …/ is " + prefix;
  }

private:
  std::string prefix;
};

} // namespace

void textOps(const Report &report, const WriterOptions &options,
             const TextStyle &style) {
  std::vector<const Report::Op *> ops =
      topOps(report, options.sort, options.top);
  NameShortener shortName(ops);
  style.title(opsTitle(report, options, ops.size()) + shortName.legend());
  TextTable table;
  size_t index = table.addColumn("#", TextTable::Right, High);
  size_t op = table.addColumn("op", TextTable::Left, Always, true);
  size_t type = table.addColumn("type", TextTable::Left, Middle);
  size_t time = table.addColumn("time", TextTable::Right, Always);
  std::optional<size_t> measured, over, library, allowed;
  if (report.measured) {
    measured = table.addColumn("measured", TextTable::Right, Always);
    over = table.addColumn("ratio", TextTable::Right, VeryHigh);
    if (!report.measured->libraryName().empty()) {
      library = table.addColumn("library", TextTable::Right, Always);
      allowed = table.addColumn("roof", TextTable::Right, Always);
    }
  }
  size_t share = table.addColumn("share", TextTable::Right, High);
  size_t sum = table.addColumn("sum", TextTable::Right, Least);
  size_t bound = table.addColumn("bound", TextTable::Left, VeryHigh);
  size_t limiter = table.addColumn("limiter", TextTable::Left, Low);
  size_t flops = table.addColumn("FLOPs", TextTable::Right, AboveMiddle);
  size_t moved = table.addColumn("bytes", TextTable::Right, AboveMiddle);
  size_t intensity = table.addColumn("FLOP/B", TextTable::Right, BelowMiddle);
  size_t roof = table.addColumn("of roof", TextTable::Right, Low);
  double cumulative = 0;
  bool shareKnown = true;
  for (const Report::Op *row : ops) {
    const Placement &placement = row->placement;
    std::optional<double> part = timeShare(report, *row);
    shareKnown &= part.has_value();
    cumulative += part.value_or(0);
    table.addRow();
    table.set(index, std::to_string(row->index), Style::Dim);
    table.set(op, shortName(*row));
    table.set(type, printable(row->opType));
    table.set(time, seconds(placement.seconds));
    if (measured) {
      table.set(*measured, measuredText(*report.measured, row->index));
      table.set(*over, ratioText(*report.measured, row->index));
    }
    if (library) {
      table.set(*library, libraryText(*report.measured, row->index));
      table.set(*allowed, roofText(*report.measured, row->index));
    }
    table.set(share, percent(part));
    table.set(sum, shareKnown ? percent(cumulative) : "?");
    table.set(bound, name(placement.bound).str(), boundStyle(placement.bound));
    table.set(limiter, printable(placement.limiter));
    table.set(flops, orFormula(row->flops, "", row->flopsFormula));
    table.set(moved, orFormula(totalBytes(*row), "B", row->bytesFormula));
    bool atRest = placement.bound == Bound::None;
    table.set(intensity, atRest ? "-" : ratio(placement.intensity));
    std::optional<double> use = roofUse(*row);
    table.set(roof, use ? percent(use) : "-");
  }
  table.print(style.os, style.width, style.color);
}

void textSentences(const Report &report, const WriterOptions &options,
                   const TextStyle &style) {
  std::vector<const Report::Op *> ops =
      topOps(report, options.sort, options.top);
  // The layers of a model repeat each other: equal sentences stand once.
  std::vector<std::vector<const Report::Op *>> alike;
  StringMap<size_t> slots;
  for (const Report::Op *op : ops) {
    if (op->sentence.empty())
      continue;
    auto [slot, isNew] = slots.try_emplace(op->sentence, alike.size());
    if (isNew)
      alike.emplace_back();
    alike[slot->second].push_back(op);
  }
  if (alike.empty())
    return;
  NameShortener shortName(ops);
  style.title("Why");
  for (const std::vector<const Report::Op *> &same : alike) {
    constexpr size_t listed = 8;
    std::vector<std::string> indices;
    for (const Report::Op *op :
         ArrayRef(same).take_front(std::min(same.size(), listed)))
      indices.push_back("#" + std::to_string(op->index));
    if (same.size() > listed)
      indices.push_back("…");
    std::string text = join(indices, ", ") + " ";
    text += shorten(shortName(*same.front()), style.width / 2);
    if (same.size() > 1)
      text += " and " + std::to_string(same.size() - 1) + " alike";
    wrapped(style.os, "  ", text + ": " + printable(same.front()->sentence), 6,
            style.width);
  }
}

void textOpGroups(const Report &report, const WriterOptions &options,
                  const TextStyle &style) {
  std::vector<OpGroup> groups = groupOps(report, options.groupBy, options.sort);
  size_t all = groups.size();
  if (options.top && groups.size() > options.top)
    groups.resize(options.top);
  bool byType = options.groupBy == GroupKey::OpType;
  style.title((byType ? "By op type, " : "By scope, ") +
              sortText(options.sort).str() + " (" +
              std::to_string(groups.size()) + " of " + std::to_string(all) +
              ")");
  TextTable table;
  size_t label =
      table.addColumn(byType ? "type" : "scope", TextTable::Left, Always, true);
  size_t count = table.addColumn("ops", TextTable::Right, High);
  size_t time = table.addColumn("time", TextTable::Right, Always);
  size_t share = table.addColumn("share", TextTable::Right, High);
  size_t flops = table.addColumn("FLOPs", TextTable::Right, Middle);
  size_t moved = table.addColumn("bytes", TextTable::Right, Middle);
  size_t mix = table.addColumn("bound by time", TextTable::Left, BelowMiddle);
  for (const OpGroup &group : groups) {
    std::optional<double> part;
    if (group.seconds && report.totals.seconds && *report.totals.seconds > 0)
      part = *group.seconds / *report.totals.seconds;
    table.addRow();
    table.set(label, group.name);
    table.set(count, std::to_string(group.count));
    table.set(time, seconds(group.seconds));
    table.set(share, percent(part));
    table.set(flops, si(group.flops, ""));
    table.set(moved, bytes(group.bytes));
    table.set(mix, group.uncovered == group.count
                       ? "opaque"
                       : boundMix(group.boundSeconds));
  }
  table.print(style.os, style.width, style.color);
}

void textTotals(const Report &report, const TextStyle &style) {
  const Report::Totals &totals = report.totals;
  style.title(totals.complete ? "Totals" : "Totals of what is known");
  std::string flops = si(totals.flops, "FLOP");
  if (totals.flops && *totals.flops >= 1000)
    flops += " = " + grouped(*totals.flops);
  style.fact("FLOPs", flops);
  std::string classes = flopsByClassText(totals.flopsByClass);
  if (!classes.empty())
    style.fact("", classes);
  if (!totals.flopsFormula.empty())
    style.fact("", "formula: " + printable(totals.flopsFormula));
  style.fact("bytes", bytes(totalBytes(totals.bytesRead, totals.bytesWritten)) +
                          " (read " + bytes(totals.bytesRead) + ", written " +
                          bytes(totals.bytesWritten) + ")");
  std::string roles = bytesByRoleText(totals);
  if (!roles.empty())
    style.fact("", roles);
  if (!totals.bytesFormula.empty())
    style.fact("", "formula: " + printable(totals.bytesFormula));
  std::string time = seconds(totalSeconds(report));
  if (totals.secondsInterval)
    time += ", between " + seconds(totals.secondsInterval->first) + " and " +
            seconds(totals.secondsInterval->second);
  if (totals.launches)
    time += ", " + count(*totals.launches) + " kernel launches";
  style.fact("time", time);
  std::string mix = boundMix(boundSeconds(report));
  if (mix != "-")
    style.fact("bound by", mix);
  style.fact("peak memory", peakMemoryText(report));
}

void textTraffic(const Report &report, const TextStyle &style) {
  const Report::Totals &totals = report.totals;
  style.title("Traffic models");
  TextTable table;
  size_t indent = table.addColumn("", TextTable::Left, Always);
  size_t model = table.addColumn("model", TextTable::Left, Always);
  size_t moved = table.addColumn("bytes", TextTable::Right, Always);
  size_t time = table.addColumn("time", TextTable::Right, Always);
  size_t meaning = table.addColumn("what moves", TextTable::Left, Least, true);
  auto row = [&](StringRef label, const Report::TrafficModel &traffic,
                 StringRef text) {
    table.addRow();
    table.set(indent, "");
    table.set(model, label.str());
    table.set(moved, bytes(traffic.bytes));
    table.set(time, seconds(traffic.seconds));
    table.set(meaning, text.str(), Style::Dim);
  };
  Report::TrafficModel unfused = totals.unfused;
  if (!totalSeconds(report))
    unfused.seconds = std::nullopt;
  row("unfused", unfused, "each op's operands and results");
  row("fused", totals.fused, "only the boundary of a fusion group");
  row("compulsory", totals.compulsory, "weights, inputs and outputs once");
  table.print(style.os, style.width, style.color);
}

static std::string groupMembers(const Report &report,
                                const Report::FusionGroup &group,
                                unsigned width) {
  constexpr size_t shown = 6;
  std::string text;
  for (unsigned index :
       ArrayRef(group.ops).take_front(std::min(group.ops.size(), shown))) {
    text += text.empty() ? "" : ", ";
    text += index < report.ops.size()
                ? shorten(displayName(report.ops[index]), width)
                : "#" + std::to_string(index);
  }
  if (group.ops.size() > shown)
    text += ", … " + std::to_string(group.ops.size() - shown) + " more";
  return text;
}

/// "group 3" or "groups 0, 2, 4, …".
static std::string groupIds(ArrayRef<const Report::FusionGroup *> groups) {
  constexpr size_t shown = 4;
  std::string text = groups.size() == 1 ? "group " : "groups ";
  for (size_t i = 0; i < std::min(groups.size(), shown); ++i)
    text += (i ? ", " : "") + std::to_string(groups[i]->id);
  return groups.size() > shown ? text + ", …" : text;
}

static void textAlikeGroups(const Report &report, const AlikeGroups &alike,
                            const TextStyle &style) {
  const Report::FusionGroup &group = *alike.groups.front();
  std::string text = printable(group.kind) + ", " +
                     plural(group.ops.size(), "op") + ": saves " +
                     seconds(group.secondsSaved);
  if (group.speedup)
    text += " (" + ratio(group.speedup) + "×)";
  text += ", " + bytes(group.bytesSaved);
  if (group.bytesBefore && group.bytesAfter)
    text +=
        " (" + bytes(group.bytesBefore) + " → " + bytes(group.bytesAfter) + ")";
  if (alike.groups.size() > 1)
    text += " each; " + seconds(alike.secondsSaved) + " together";
  wrapped(style.os, "  " + groupIds(alike.groups) + ": ", text, 6, style.width);
  wrapped(style.os, "      ", groupMembers(report, group, style.width - 8), 6,
          style.width);
  if (!group.blockedBy.empty())
    wrapped(style.os, "      ends there: ", printable(group.blockedBy), 6,
            style.width);
}

void textFusion(const Report &report, const TextStyle &style) {
  if (report.fusionGroups.empty())
    return;
  constexpr size_t shown = 5;
  std::vector<AlikeGroups> kinds = alikeGroups(report);
  kinds.resize(std::min(kinds.size(), shown));
  size_t listed = 0;
  for (const AlikeGroups &alike : kinds)
    listed += alike.groups.size();
  style.title("Fusion groups by time saved (" + std::to_string(listed) +
              " of " + std::to_string(report.fusionGroups.size()) + ")");
  for (const AlikeGroups &alike : kinds)
    textAlikeGroups(report, alike, style);
}

void textFindings(const Report &report, const TextStyle &style) {
  if (report.diagnostics.empty())
    return;
  style.title("Findings");
  for (const Report::Diagnostic &finding : report.diagnostics) {
    std::string text = printable(finding.message);
    if (finding.secondsSaved)
      text += " Saves " + seconds(finding.secondsSaved) + ".";
    wrapped(style.os,
            "  " + printable(finding.severity) + " [" +
                printable(finding.rule) + "] ",
            text, 6, style.width);
    if (!finding.fix.empty())
      wrapped(style.os, "      fix: ", printable(finding.fix), 6, style.width);
  }
}

void textCaveats(const Report &report, const TextStyle &style) {
  const Report::Totals &totals = report.totals;
  std::string opaque = uncoveredText(report);
  if (opaque.empty() && totals.unboundDims.empty() && !totals.upperBound &&
      report.warnings.empty())
    return;
  style.title("Notes");
  if (!opaque.empty())
    style.fact("opaque", opaque + " (bytes are counted where the shapes are "
                                  "known, FLOPs aren't)");
  if (!totals.unboundDims.empty()) {
    style.fact("unbound", printableList(totals.unboundDims, ", ") + ". Add:");
    // Never wrapped: it is there to be copied.
    style.os << "      " << bindFlagsText(report) << '\n';
  }
  if (totals.upperBound)
    style.fact("upper bound", "data decides sizes or branches here; they are "
                              "counted at their largest");
  if (!report.warnings.empty())
    style.fact("warnings", std::to_string(report.warnings.size()) +
                               " (on standard error, and in the JSON form)");
}

void textDevices(ArrayRef<Report> reports, const TextStyle &style) {
  style.title("Totals by device");
  TextTable table;
  size_t device = table.addColumn("device", TextTable::Left, Always, true);
  size_t time = table.addColumn("time", TextTable::Right, Always);
  size_t interval = table.addColumn("fused", TextTable::Right, Middle);
  size_t least = table.addColumn("compulsory", TextTable::Right, Low);
  size_t mix = table.addColumn("bound by time", TextTable::Left, High);
  size_t fits = table.addColumn("fits", TextTable::Left, VeryHigh);
  size_t ridge = table.addColumn("ridge", TextTable::Left, BelowMiddle);
  for (const Report &report : reports) {
    const Report::Totals &totals = report.totals;
    table.addRow();
    table.set(device, printable(report.device.name));
    table.set(time, seconds(totalSeconds(report)));
    table.set(interval, seconds(totals.fused.seconds));
    table.set(least, seconds(totals.compulsory.seconds));
    table.set(mix, boundMix(boundSeconds(report)));
    table.set(fits,
              !totals.fits   ? "?"
              : *totals.fits ? "yes"
                             : "no",
              totals.fits && !*totals.fits ? Style::Red : Style::None);
    std::string text = ridgeText(report);
    table.set(ridge, text.empty() ? "-" : text);
  }
  table.print(style.os, style.width, style.color);
  const Report &first = reports.front();
  style.os << '\n';
  style.fact("FLOPs", si(first.totals.flops, "FLOP"));
  if (!first.totals.flopsFormula.empty())
    style.fact("", "formula: " + printable(first.totals.flopsFormula));
  style.fact("bytes", bytes(totalBytes(first.totals.bytesRead,
                                       first.totals.bytesWritten)));
  if (!first.totals.bytesFormula.empty())
    style.fact("", "formula: " + printable(first.totals.bytesFormula));
  style.fact("peak memory", bytes(first.totals.peakMemoryBytes));
}

void textOpsAcross(ArrayRef<Report> reports, const WriterOptions &options,
                   const TextStyle &style) {
  const Report &first = reports.front();
  std::vector<const Report::Op *> ops =
      topOps(first, options.sort, options.top);
  NameShortener shortName(ops);
  style.title(opsTitle(first, options, ops.size()) + " on " +
              printable(first.device.name) + shortName.legend());
  TextTable table;
  size_t index = table.addColumn("#", TextTable::Right, High);
  size_t op = table.addColumn("op", TextTable::Left, Always, true);
  size_t type = table.addColumn("type", TextTable::Left, BelowMiddle);
  size_t share = table.addColumn("share", TextTable::Right, Middle);
  std::optional<size_t> measured;
  if (first.measured)
    measured = table.addColumn("measured", TextTable::Right, Always);
  std::vector<size_t> times;
  for (const Report &report : reports)
    times.push_back(table.addColumn(printable(report.device.name),
                                    TextTable::Right, VeryHigh));
  size_t flops = table.addColumn("FLOPs", TextTable::Right, Low);
  size_t moved = table.addColumn("bytes", TextTable::Right, Low);
  for (const Report::Op *row : ops) {
    table.addRow();
    table.set(index, std::to_string(row->index), Style::Dim);
    table.set(op, shortName(*row));
    table.set(type, printable(row->opType));
    table.set(share, percent(timeShare(first, *row)));
    if (measured)
      table.set(*measured, measuredText(*first.measured, row->index));
    size_t position = row - first.ops.data();
    for (auto [report, column] : zip(reports, times)) {
      if (position >= report.ops.size())
        continue;
      const Placement &placement = report.ops[position].placement;
      table.set(column, seconds(placement.seconds),
                boundStyle(placement.bound));
    }
    table.set(flops, orFormula(row->flops, "", row->flopsFormula));
    table.set(moved, orFormula(totalBytes(*row), "B", row->bytesFormula));
  }
  table.print(style.os, style.width, style.color);
}

} // namespace roofline::report
