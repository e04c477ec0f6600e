//===- Markdown.cpp - the report as Markdown ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "MeasuredText.h"
#include "View.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::report;

namespace {

/// `text` with all that Markdown or HTML would take as markup escaped.
std::string escaped(StringRef text) {
  std::string safe = printable(text), out;
  for (char c : safe) {
    if (StringRef("\\`*_[]<>|~#&$").contains(c))
      out += '\\';
    out += c;
  }
  return out;
}

/// `text` as code inside a table cell: pipes escaped, the fence longer than any
/// run of backquotes in it.
std::string code(StringRef text) {
  std::string safe = printable(text);
  if (safe.empty())
    return "";
  unsigned longest = 0, run = 0;
  std::string body;
  for (char c : safe) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|')
      body += '\\';
    body += c;
  }
  std::string fence(longest + 1, '`');
  bool touches = safe.front() == '`' || safe.back() == '`';
  return fence + (touches ? " " + body + " " : body) + fence;
}

/// Writes one row of a table.
void row(raw_ostream &os, ArrayRef<std::string> cells) {
  for (const std::string &cell : cells)
    os << "| " << cell << ' ';
  os << "|\n";
}

struct Title {
  std::string text;
  bool isNumber = false; ///< aligned to the right
};

void tableHead(raw_ostream &os, const std::vector<Title> &titles) {
  for (const Title &title : titles)
    os << "| " << title.text << ' ';
  os << "|\n";
  for (const Title &title : titles)
    os << (title.isNumber ? "| ---: " : "| --- ");
  os << "|\n";
}

void head(ArrayRef<Report> reports, raw_ostream &os) {
  const Report &first = reports.front();
  os << "# Roofline report: " << escaped(first.model.name) << "\n\n";
  tableHead(os, {{""}, {""}});
  row(os, {"source", escaped(sourceText(first))});
  row(os, {"parameters", parametersText(first)});
  row(os, {"dimensions", escaped(dimsText(first))});
  for (const Report &report : reports) {
    std::string text = escaped(deviceText(report.device)) + ": " +
                       escaped(ceilingsText(report));
    std::string ridge = ridgeText(report);
    row(os, {"device", ridge.empty() ? text : text + "; ridge " + ridge});
  }
  row(os, {"coverage", escaped(coverageText(first))});
  std::string tf32 = tf32Text(first);
  if (!tf32.empty())
    row(os, {"precision", tf32});
}

void totals(ArrayRef<Report> reports, raw_ostream &os) {
  os << "\n## Totals\n\n";
  std::vector<Title> titles = {{""}};
  for (const Report &report : reports)
    titles.push_back({escaped(report.device.name), true});
  tableHead(os, titles);
  auto line = [&](StringRef label, auto value) {
    std::vector<std::string> cells = {label.str()};
    for (const Report &report : reports)
      cells.push_back(value(report));
    row(os, cells);
  };
  using R = const Report &;
  line("FLOPs", [](R r) {
    const Report::Totals &totals = r.totals;
    std::string formula = code(totals.flopsFormula);
    if (!totals.flops)
      return formula.empty() ? std::string("?") : formula;
    std::string text = si(totals.flops, "FLOP");
    return formula.empty() ? text : text + "; " + formula;
  });
  line("by class", [](R r) { return flopsByClassText(r.totals.flopsByClass); });
  line("bytes read", [](R r) { return bytes(r.totals.bytesRead); });
  line("bytes written", [](R r) { return bytes(r.totals.bytesWritten); });
  if (!reports.front().totals.bytesFormula.empty())
    line("bytes, formula", [](R r) { return code(r.totals.bytesFormula); });
  line("time", [](R r) { return seconds(totalSeconds(r)); });
  line("bound by time", [](R r) { return boundMix(boundSeconds(r)); });
  line("launches", [](R r) {
    return r.totals.launches ? count(*r.totals.launches) : std::string("?");
  });
  line("peak memory", [](R r) { return peakMemoryText(r); });
  auto traffic = [&](StringRef label, auto field) {
    line("traffic, " + label.str(), [field](R r) {
      const Report::TrafficModel &model = r.totals.*field;
      return bytes(model.bytes) + ", " + seconds(model.seconds);
    });
  };
  traffic("unfused", &Report::Totals::unfused);
  traffic("fused", &Report::Totals::fused);
  traffic("compulsory", &Report::Totals::compulsory);
}

std::string orFormula(const std::optional<Int> &value, StringRef unit,
                      StringRef formula) {
  return value || formula.empty() ? si(value, unit) : code(formula);
}

/// How many columns a device has.
size_t columnsOf(const Report &report) {
  if (!report.measured)
    return 3;
  return report.measured->libraryName().empty() ? 5 : 7;
}

void ops(ArrayRef<Report> reports, const WriterOptions &options,
         raw_ostream &os) {
  const Report &first = reports.front();
  std::vector<const Report::Op *> shown =
      topOps(first, options.sort, options.top);
  os << "\n## Ops (" << shown.size() << " of " << first.ops.size() << ")\n\n";
  std::vector<Title> titles = {{"#", true},     {"op"},
                               {"type"},        {"FLOPs", true},
                               {"bytes", true}, {"FLOP/byte", true}};
  for (const Report &report : reports) {
    std::string on =
        reports.size() == 1 ? "" : ", " + escaped(report.device.name);
    titles.push_back({"time" + on, true});
    if (report.measured) {
      titles.push_back({"measured" + on, true});
      titles.push_back({"ratio" + on, true});
      if (!report.measured->libraryName().empty()) {
        titles.push_back({"library" + on, true});
        titles.push_back({"roof" + on, true});
      }
    }
    titles.push_back({"share" + on, true});
    titles.push_back({"bound" + on});
  }
  tableHead(os, titles);
  for (const Report::Op *op : shown) {
    bool atRest = op->placement.bound == Bound::None;
    std::vector<std::string> cells = {
        std::to_string(op->index),
        code(displayName(*op)),
        escaped(op->opType),
        orFormula(op->flops, "", op->flopsFormula),
        orFormula(totalBytes(*op), "B", op->bytesFormula),
        atRest ? "-" : ratio(op->placement.intensity)};
    size_t position = op - first.ops.data();
    for (const Report &report : reports) {
      if (position >= report.ops.size()) {
        cells.insert(cells.end(), columnsOf(report), "");
        continue;
      }
      const Report::Op &there = report.ops[position];
      cells.push_back(seconds(there.placement.seconds));
      if (report.measured) {
        cells.push_back(measuredText(*report.measured, there.index));
        cells.push_back(ratioText(*report.measured, there.index));
        if (!report.measured->libraryName().empty()) {
          cells.push_back(libraryText(*report.measured, there.index));
          cells.push_back(roofText(*report.measured, there.index));
        }
      }
      cells.push_back(percent(timeShare(report, there)));
      cells.push_back(name(there.placement.bound).str());
    }
    row(os, cells);
  }
}

void measured(const Report &report, raw_ostream &os) {
  if (!report.measured)
    return;
  os << "\n## Measured, compared with " << escaped(report.device.name)
     << "\n\n";
  tableHead(os, {{""}, {""}});
  for (const auto &[label, text] : measuredFacts(report))
    row(os, {escaped(label), escaped(text)});
  for (const auto &[label, text] : summaryFacts(report.measured->summary))
    row(os, {escaped(label), escaped(text)});
}

void groupedOps(const Report &report, const WriterOptions &options,
                raw_ostream &os) {
  std::vector<OpGroup> groups = groupOps(report, options.groupBy, options.sort);
  size_t all = groups.size();
  if (options.top && all > options.top)
    groups.resize(options.top);
  bool byType = options.groupBy == GroupKey::OpType;
  os << "\n## By " << (byType ? "op type" : "scope") << " on "
     << escaped(report.device.name) << " (" << groups.size() << " of " << all
     << ")\n\n";
  tableHead(os, {{byType ? "type" : "scope"},
                 {"ops", true},
                 {"time", true},
                 {"FLOPs", true},
                 {"bytes", true},
                 {"bound by time"}});
  for (const OpGroup &group : groups)
    row(os, {escaped(group.name), std::to_string(group.count),
             seconds(group.seconds), si(group.flops, ""), bytes(group.bytes),
             boundMix(group.boundSeconds)});
}

void fusionGroups(const Report &report, raw_ostream &os) {
  if (report.fusionGroups.empty())
    return;
  constexpr size_t limit = 10;
  std::vector<const Report::FusionGroup *> groups = sortedGroups(report);
  size_t all = groups.size();
  groups.resize(std::min(all, limit));
  os << "\n## Fusion groups on " << escaped(report.device.name) << " ("
     << groups.size() << " of " << all << ")\n\n";
  tableHead(os, {{"group", true},
                 {"kind"},
                 {"ops", true},
                 {"bytes before", true},
                 {"bytes after", true},
                 {"time saved", true},
                 {"speed-up", true},
                 {"ends there"}});
  for (const Report::FusionGroup *group : groups)
    row(os, {std::to_string(group->id), escaped(group->kind),
             std::to_string(group->ops.size()), bytes(group->bytesBefore),
             bytes(group->bytesAfter), seconds(group->secondsSaved),
             group->speedup ? ratio(group->speedup) + "×" : "?",
             escaped(group->blockedBy)});
}

void findings(const Report &report, raw_ostream &os) {
  if (report.diagnostics.empty())
    return;
  os << "\n## Findings on " << escaped(report.device.name) << "\n\n";
  for (const Report::Diagnostic &finding : report.diagnostics) {
    os << "- **" << escaped(finding.severity) << "** (" << escaped(finding.rule)
       << "): " << escaped(finding.message);
    if (!finding.fix.empty())
      os << " Fix: " << escaped(finding.fix);
    if (finding.secondsSaved)
      os << " Saves " << seconds(finding.secondsSaved) << '.';
    os << '\n';
  }
}

void notes(const Report &report, raw_ostream &os) {
  const Report::Totals &totals = report.totals;
  if (!totals.unboundDims.empty())
    os << "\nOpen dimensions; bind them with\n\n    " << bindFlagsText(report)
       << '\n';
  if (totals.upperBound)
    os << "\nData decides sizes or branches here; they are counted at their "
          "largest.\n";
  if (report.warnings.empty())
    return;
  os << "\n## Warnings\n\n";
  for (const Report::Warning &warning : report.warnings) {
    os << "- ";
    if (!warning.node.empty())
      os << code(warning.node) << ": ";
    os << escaped(warning.message) << '\n';
  }
}

} // namespace

void roofline::writeMarkdown(ArrayRef<Report> reports,
                             const WriterOptions &options, raw_ostream &os) {
  if (reports.empty())
    return;
  head(reports, os);
  totals(reports, os);
  if (options.groupBy == GroupKey::None)
    ops(reports, options, os);
  for (const Report &report : reports) {
    measured(report, os);
    if (options.groupBy != GroupKey::None)
      groupedOps(report, options, os);
    fusionGroups(report, os);
    findings(report, os);
  }
  notes(reports.front(), os);
}
