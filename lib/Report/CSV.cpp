//===- CSV.cpp - the report's rows as comma-separated values --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table, one row an op and device, quoted as RFC 4180 says (lines end in a
// line feed alone). The head stands before it in lines that start with `#`,
// which a reader skips with its comment option (pandas: comment="#"); fields
// that hold a `#` are therefore quoted too. Unknown is an empty field.
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "View.h"
#include "roofline/Report/Measured.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::report;

namespace {

/// Writes the fields of a row.
class Row {
public:
  explicit Row(raw_ostream &os) : os(os) {}
  void end() { os << '\n'; }

  void text(StringRef value) {
    separate();
    std::string safe = printable(value);
    // A leading sign or `=` is data here: quoted, never altered.
    bool quoted = StringRef(safe).find_first_of(",\"#") != StringRef::npos ||
                  safe.find_first_of("=+-@ ") == 0;
    if (!quoted) {
      os << safe;
      return;
    }
    os << '"';
    for (char c : safe) {
      if (c == '"')
        os << '"';
      os << c;
    }
    os << '"';
  }
  void flag(bool value) { plain(value ? "true" : "false"); }
  template <typename T> void number(const std::optional<T> &value) {
    plain(value ? exact(*value) : "");
  }
  void number(unsigned value) { plain(std::to_string(value)); }

private:
  void separate() {
    if (!first)
      os << ',';
    first = false;
  }
  void plain(StringRef value) {
    separate();
    os << value;
  }

  raw_ostream &os;
  bool first = true;
};

/// "x:f16[1,seq,4096]; w:f16[4096,1024]"; an unknown dimension is "?", an
/// unknown shape "[*]".
std::string tensorsText(ArrayRef<Report::Tensor> tensors) {
  std::string text;
  for (const Report::Tensor &tensor : tensors) {
    if (!text.empty())
      text += "; ";
    text += (tensor.name + ":" + tensor.type + "[").str();
    if (!tensor.ranked)
      text += '*';
    for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
      const Report::Dim &dim = tensor.shape[axis];
      text += axis ? "," : "";
      text += dim ? dim->str() : "?";
    }
    text += ']';
  }
  return text;
}

/// The row's operations of one class; 0 where its total is known.
std::optional<Int> flopsOf(const Report::Op &op, ComputeClass cls) {
  std::optional<Int> sum;
  for (const auto &entry : op.flopsByClass.all())
    if (entry.cls == cls)
      sum = sum.value_or(Int(0)) + entry.count;
  return sum || !op.flops ? sum : Int(0);
}

constexpr StringLiteral header =
    "device,index,name,op_type,domain,scope,times,inputs,outputs,flops,"
    "flops_formula,flops_min,flops_causal,flops_matmul,flops_vector,"
    "flops_special,data_dependent,bytes_read,bytes_written,bytes_formula,"
    "intensity,seconds,time_share,attainable_flops,bound,limiter,fusion_group,"
    "covered,sentence";
/// Where something was measured.
constexpr StringLiteral measuredHeader =
    ",measured_seconds,measured_ratio,measured_flops_per_second,"
    "measured_bytes_per_second,roof_share,above_roof,measured_group,"
    "measured_event,join";

/// Where a library was, too.
constexpr StringLiteral libraryHeader =
    ",library,library_seconds,library_flops_per_second,library_roof_share";

void writeLibraryFields(const Report &report, const Report::Op &op, Row &row) {
  const MeasuredEvent *event =
      report.measured ? report.measured->ofRow(op.index) : nullptr;
  static const MeasuredEvent::Library none;
  bool isThere = event && event->library;
  const MeasuredEvent::Library &library = isThere ? *event->library : none;
  row.text(library.name);
  row.number(isThere ? std::optional(library.seconds) : std::nullopt);
  row.number(library.flopsPerSecond);
  row.number(library.roofShare);
}

void writeMeasuredFields(const Report &report, const Report::Op &op, Row &row) {
  static const MeasuredEvent none;
  const MeasuredEvent *found =
      report.measured ? report.measured->ofRow(op.index) : nullptr;
  // A group's time is no row's.
  const MeasuredEvent &event = found && !found->group ? *found : none;
  row.number(event.seconds);
  row.number(event.ratio());
  row.number(event.flopsPerSecond);
  row.number(event.bytesPerSecond);
  row.number(event.roofShare);
  row.text(event.aboveRoof);
  if (found && found->group)
    row.number(*found->group);
  else
    row.text("");
  row.text(found ? found->measured.name : "");
  row.text(found ? profile::name(found->join.rule) : "");
}

void writeRow(const Report &report, const Report::Op &op, bool hasMeasured,
              bool hasLibrary, raw_ostream &os) {
  const Placement &placement = op.placement;
  Row row(os);
  row.text(report.device.name);
  row.number(op.index);
  row.text(op.name);
  row.text(op.opType);
  row.text(op.domain);
  row.text(op.scope);
  row.number(op.times);
  row.text(tensorsText(op.inputs));
  row.text(tensorsText(op.outputs));
  row.number(op.flops);
  row.text(op.flopsFormula);
  row.number(op.flopsMin);
  row.number(op.flopsCausal);
  for (ComputeClass cls :
       {ComputeClass::Matmul, ComputeClass::Vector, ComputeClass::Special})
    row.number(flopsOf(op, cls));
  row.flag(op.dataDependent);
  row.number(op.bytesRead);
  row.number(op.bytesWritten);
  row.text(op.bytesFormula);
  row.number(placement.intensity);
  row.number(placement.seconds);
  row.number(timeShare(report, op));
  row.number(placement.attainable);
  row.text(name(placement.bound));
  row.text(placement.limiter);
  if (op.fusionGroup)
    row.number(*op.fusionGroup);
  else
    row.text("");
  row.flag(op.covered);
  row.text(op.sentence);
  if (hasMeasured)
    writeMeasuredFields(report, op, row);
  if (hasLibrary)
    writeLibraryFields(report, op, row);
  row.end();
}

void writeHead(ArrayRef<Report> reports, raw_ostream &os) {
  const Report &first = reports.front();
  os << "# roofline-report/1\n";
  os << "# model: " << printable(first.model.name) << "; " << sourceText(first)
     << '\n';
  os << "# dimensions: " << dimsText(first) << '\n';
  for (const Report &report : reports)
    os << "# device: " << deviceText(report.device) << "; "
       << ceilingsText(report) << '\n';
  os << "# coverage: " << coverageText(first) << '\n';
  if (!first.totals.bindFlags.empty())
    os << "# to bind: " << bindFlagsText(first) << '\n';
}

} // namespace

void roofline::writeCSV(ArrayRef<Report> reports, raw_ostream &os) {
  if (reports.empty())
    return;
  writeHead(reports, os);
  bool hasMeasured = any_of(
      reports, [](const Report &report) { return bool(report.measured); });
  bool hasLibrary = any_of(reports, [](const Report &report) {
    return report.measured && !report.measured->libraryName().empty();
  });
  os << header << (hasMeasured ? measuredHeader : "")
     << (hasLibrary ? libraryHeader : "") << '\n';
  for (const Report &report : reports)
    for (const Report::Op &op : report.ops)
      writeRow(report, op, hasMeasured, hasLibrary, os);
}
