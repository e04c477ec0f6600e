//===- JSON.cpp - the report as JSON --------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form that docs/report-format.md and schema/roofline-report-1.schema.json
// describe.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "MeasuredJSON.h"
#include "roofline/Report/Writers.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::report;

namespace {

/// Writes the sections of one report.
class ReportEmitter {
public:
  ReportEmitter(Emitter &out, const Report &report)
      : out(out), report(report) {}
  void run();

private:
  void model();
  void measured(ArrayRef<MeasuredFigure> list, const char *unit);
  void device();
  void dims();
  void convention();
  void totals();
  void warnings();
  void ops();
  void op(const Report::Op &op);
  void fusionGroups();
  void diagnostics();

  void tensors(ArrayRef<Report::Tensor> tensors);
  void flopsByClass(const Report::FlopsByClass &flops);
  void traffic(StringRef key, const Report::TrafficModel &model);
  void indices(ArrayRef<unsigned> indices);
  /// Each element of `items` on a line of its own.
  template <typename T, typename Fn>
  void lines(StringRef key, const std::vector<T> &items, Fn one);

  Emitter &out;
  const Report &report;
};

template <typename T, typename Fn>
void ReportEmitter::lines(StringRef key, const std::vector<T> &items, Fn one) {
  out.newline(0);
  out.key(key).open('[');
  for (const T &item : items) {
    out.newline(1);
    one(item);
  }
  if (!items.empty())
    out.lastNewline(0);
  out.close(']');
}

void ReportEmitter::run() {
  out.open('{');
  out.key("schema").value(StringRef("roofline-report/1"));
  model();
  device();
  dims();
  convention();
  totals();
  warnings();
  ops();
  fusionGroups();
  diagnostics();
  if (report.measured) {
    out.newline(0);
    out.key("measured");
    writeMeasured(*report.measured, out);
  }
  out.lastNewline(0);
  out.close('}');
}

void ReportEmitter::model() {
  const Report::Model &model = report.model;
  out.newline(0);
  out.key("model").open('{');
  out.key("name").value(model.name);
  out.key("source").value(model.source);
  out.key("ir_version").value(model.irVersion);
  out.key("opsets").open('{');
  for (const auto &[domain, version] : model.opsets)
    out.foreignKey(domain).value(version);
  out.close('}');
  out.key("parameters").value(model.parameters);
  out.key("parameter_bytes").value(model.parameterBytes);
  out.close('}');
}

void ReportEmitter::measured(ArrayRef<MeasuredFigure> list, const char *unit) {
  if (list.empty())
    return;
  out.key("measured").open('[');
  for (const MeasuredFigure &item : list) {
    out.open('{');
    out.key("kind").value(item.kind);
    out.key("threads").value(int64_t(item.threads));
    out.key(unit).value(item.value);
    out.key("spread").value(item.spread);
    out.close('}');
  }
  out.close(']');
}

void ReportEmitter::device() {
  const Device &device = report.device;
  out.newline(0);
  out.key("device").open('{');
  out.key("name").value(device.name);
  out.key("vendor").value(device.vendor);
  out.key("ceilings").open('[');
  for (const ComputeCeiling &ceiling : device.compute) {
    out.newline(1);
    out.open('{');
    out.key("kind").value(StringRef("compute"));
    out.key("class").value(name(ceiling.cls));
    out.key("type").value(name(ceiling.type));
    out.key("per_second").value(ceiling.perSecond);
    out.key("origin").value(name(ceiling.origin));
    out.key("source").value(ceiling.source);
    measured(ceiling.measured, "per_second");
    out.close('}');
  }
  for (const MemoryLevel &level : device.memory) {
    out.newline(1);
    out.open('{');
    out.key("kind").value(StringRef("memory"));
    out.key("level").value(level.level);
    out.key("bytes_per_second").value(level.bytesPerSecond);
    out.key("capacity_bytes").value(level.capacityBytes);
    out.key("origin").value(name(level.origin));
    out.key("source").value(level.source);
    if (level.capacityBytes) {
      out.key("capacity_origin").value(name(level.capacityOrigin));
      out.key("capacity_source").value(level.capacitySource);
    }
    measured(level.measured, "bytes_per_second");
    out.close('}');
  }
  out.close(']');
  out.key("launch_seconds").value(device.launchSeconds);
  out.key("launch_origin").value(name(device.launchOrigin));
  out.key("launch_source").value(device.launchSource);
  out.key("title").value(device.title);
  out.key("kind").value(device.kind);
  out.close('}');
}

void ReportEmitter::dims() {
  out.newline(0);
  out.key("dims").open('{');
  for (const auto &[name, size] : report.dims)
    out.foreignKey(name).value(size);
  out.close('}');
}

void ReportEmitter::convention() {
  out.newline(0);
  out.key("convention").open('{');
  out.key("flop_per_mac").value(int64_t(2));
  out.key("traffic").value(StringRef("unfused"));
  out.key("allow_tf32").value(report.options.allowTF32);
  out.close('}');
}

void ReportEmitter::flopsByClass(const Report::FlopsByClass &flops) {
  out.key("flops_by_class").open('{');
  std::optional<ComputeClass> opened;
  for (const auto &[cls, type, count] : flops.all()) {
    if (opened != cls) {
      if (opened)
        out.close('}');
      out.key(name(cls)).open('{');
      opened = cls;
    }
    out.key(name(type)).value(count);
  }
  if (opened)
    out.close('}');
  out.close('}');
}

void ReportEmitter::traffic(StringRef key, const Report::TrafficModel &model) {
  out.key(key).open('{');
  out.key("bytes").value(model.bytes);
  out.key("seconds").value(model.seconds);
  out.close('}');
}

void ReportEmitter::totals() {
  const Report::Totals &totals = report.totals;
  out.newline(0);
  out.key("totals").open('{');
  out.key("flops").value(totals.flops);
  flopsByClass(totals.flopsByClass);
  out.key("bytes_read").value(totals.bytesRead);
  out.key("bytes_written").value(totals.bytesWritten);
  out.key("bytes_by_role").open('{');
  bool bytesKnown = totals.bytesRead || totals.bytesWritten;
  for (Role role : {Role::Weight, Role::Activation, Role::KVCache}) {
    auto found = totals.bytesByRole.find(role);
    out.key(name(role));
    if (found != totals.bytesByRole.end())
      out.value(found->second);
    else
      bytesKnown ? out.value(int64_t(0)) : out.null();
  }
  out.close('}');
  out.key("seconds").value(totals.seconds);
  out.key("launches").value(totals.launches);
  out.key("traffic").open('{');
  traffic("unfused", totals.unfused);
  traffic("fused", totals.fused);
  traffic("compulsory", totals.compulsory);
  out.close('}');
  out.key("seconds_interval").value(totals.secondsInterval);
  out.key("peak_memory_bytes").value(totals.peakMemoryBytes);
  out.key("fits").value(totals.fits);
  out.key("flops_formula").textOrNull(totals.flopsFormula);
  out.key("bytes_formula").textOrNull(totals.bytesFormula);
  out.key("complete").value(totals.complete);
  out.key("upper_bound").value(totals.upperBound);
  out.key("uncovered").open('[');
  for (const Report::Uncovered &uncovered : totals.uncovered) {
    out.open('{');
    out.key("op_type").value(uncovered.opType);
    out.key("domain").value(uncovered.domain);
    out.key("count").value(uncovered.count);
    out.close('}');
  }
  out.close(']');
  out.key("unbound_dims").open('[');
  for (const std::string &dim : totals.unboundDims)
    out.value(dim);
  out.close(']');
  out.key("bind_flags").open('[');
  for (const std::string &flag : totals.bindFlags)
    out.value(flag);
  out.close(']');
  out.close('}');
}

void ReportEmitter::warnings() {
  lines("warnings", report.warnings, [&](const Report::Warning &warning) {
    out.open('{');
    out.key("node").textOrNull(warning.node);
    out.key("message").value(warning.message);
    out.close('}');
  });
}

void ReportEmitter::tensors(ArrayRef<Report::Tensor> tensors) {
  out.open('[');
  for (const Report::Tensor &tensor : tensors) {
    out.open('{');
    out.key("name").value(tensor.name);
    out.key("shape");
    if (tensor.ranked) {
      out.open('[');
      for (const Report::Dim &dim : tensor.shape)
        if (dim && dim->isConstant())
          out.value(dim->constant());
        else
          out.textOrNull(dim ? dim->str() : std::string());
      out.close(']');
    } else {
      out.null();
    }
    out.key("type").value(tensor.type);
    out.key("role").value(name(tensor.role));
    out.close('}');
  }
  out.close(']');
}

void ReportEmitter::ops() {
  lines("ops", report.ops, [&](const Report::Op &row) { op(row); });
}

void ReportEmitter::op(const Report::Op &op) {
  const Placement &placement = op.placement;
  out.open('{');
  out.key("index").value(op.index);
  out.key("name").value(op.name);
  out.key("op_type").value(op.opType);
  out.key("domain").value(op.domain);
  out.key("scope").value(op.scope);
  out.key("times").value(op.times);
  out.key("inputs");
  tensors(op.inputs);
  out.key("outputs");
  tensors(op.outputs);
  out.key("flops").value(op.flops);
  out.key("flops_formula").textOrNull(op.flopsFormula);
  out.key("flops_min").value(op.flopsMin);
  out.key("flops_causal").value(op.flopsCausal);
  out.key("data_dependent").value(op.dataDependent);
  flopsByClass(op.flopsByClass);
  out.key("bytes_read").value(op.bytesRead);
  out.key("bytes_written").value(op.bytesWritten);
  out.key("intensity").value(placement.intensity);
  out.key("seconds").value(placement.seconds);
  out.key("attainable_flops").value(placement.attainable);
  out.key("bound").value(name(placement.bound));
  out.key("limiter").textOrNull(placement.limiter);
  out.key("sentence").value(op.sentence);
  out.key("fusion_group").value(op.fusionGroup);
  out.key("measured");
  if (report.measured)
    writeRowMeasured(*report.measured, op, out);
  else
    out.null();
  out.key("times_formula").textOrNull(op.timesFormula);
  out.key("bytes_formula").textOrNull(op.bytesFormula);
  out.key("launches");
  placement.bound == Bound::Unknown && !placement.seconds && op.launches == 0
      ? out.null()
      : out.value(op.launches);
  out.key("covered").value(op.covered);
  out.key("ceiling_type");
  placement.usedType ? out.value(name(*placement.usedType)) : out.null();
  out.close('}');
}

void ReportEmitter::indices(ArrayRef<unsigned> indices) {
  out.open('[');
  for (unsigned index : indices)
    out.value(index);
  out.close(']');
}

void ReportEmitter::fusionGroups() {
  lines("fusion_groups", report.fusionGroups,
        [&](const Report::FusionGroup &group) {
          out.open('{');
          out.key("id").value(group.id);
          out.key("ops");
          indices(group.ops);
          out.key("kind").value(group.kind);
          out.key("bytes_saved").value(group.bytesSaved);
          out.key("seconds_saved").value(group.secondsSaved);
          out.key("speedup").value(group.speedup);
          out.key("blocked_by").textOrNull(group.blockedBy);
          out.key("bytes_before").value(group.bytesBefore);
          out.key("bytes_after").value(group.bytesAfter);
          out.key("seconds_before").value(group.secondsBefore);
          out.key("seconds_after").value(group.secondsAfter);
          out.key("flops").value(group.flops);
          out.close('}');
        });
}

void ReportEmitter::diagnostics() {
  lines("diagnostics", report.diagnostics,
        [&](const Report::Diagnostic &diagnostic) {
          out.open('{');
          out.key("rule").value(diagnostic.rule);
          out.key("severity").value(diagnostic.severity);
          out.key("ops");
          indices(diagnostic.ops);
          out.key("message").value(diagnostic.message);
          out.key("fix").value(diagnostic.fix);
          out.key("seconds_saved").value(diagnostic.secondsSaved);
          out.key("speedup").value(diagnostic.speedup);
          out.close('}');
        });
}

} // namespace

void roofline::writeJSON(ArrayRef<Report> reports, raw_ostream &os) {
  {
    Emitter out(os);
    if (reports.size() == 1) {
      ReportEmitter(out, reports.front()).run();
    } else {
      out.open('[');
      for (const Report &report : reports) {
        out.newline(0);
        ReportEmitter(out, report).run();
      }
      out.lastNewline(0);
      out.close(']');
    }
  }
  os << '\n';
}
