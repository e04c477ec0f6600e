//===- Results.cpp - what a run found -------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using roofline::runtime::Measurement;

namespace roofline {

bool RunResult::allRan() const {
  return all_of(ops,
                [](const OpResult &op) { return op.measured.has_value(); });
}

//===----------------------------------------------------------------------===//
// Describing
//===----------------------------------------------------------------------===//

static std::optional<double> number(const std::optional<Expr> &expr) {
  std::optional<int64_t> value = expr ? expr->asInt64() : std::nullopt;
  return value ? std::optional(double(*value)) : std::nullopt;
}

static std::optional<double> sum(std::optional<double> x,
                                 std::optional<double> y) {
  return x && y ? std::optional(*x + *y) : std::nullopt;
}

static std::string typeName(mlir::Type type) {
  std::string text;
  raw_string_ostream os(text);
  os << type;
  return text;
}

OpResult describe(const CostAnalysis &costs, NameTable &names,
                  const runtime::Step &step) {
  OpResult op;
  op.name = names.op(step.op);
  op.opType = NameTable::opType(step.op).str();
  for (mlir::Value result : step.results)
    op.outputs.push_back(names.value(result));
  for (mlir::Value operand : step.operands)
    if (auto type = dyn_cast<mlir::RankedTensorType>(operand.getType()))
      op.inputs.emplace_back(std::vector<int64_t>(type.getShape()),
                             typeName(type.getElementType()));
  auto describeRow = [&](mlir::Operation *inner) {
    if (auto row = inner->getAttrOfType<mlir::IntegerAttr>(rowAttrName))
      op.rows.push_back(row.getInt());
  };
  if (auto fused = dyn_cast<rl::FusedOp>(step.op);
      fused && !step.op->hasAttr(rowAttrName))
    for (mlir::Operation &inner : fused.getBody().front())
      describeRow(&inner);
  else
    describeRow(step.op);
  if (int row = costs.rowOf(step.op); row >= 0) {
    const Work &work = costs.rows()[row].work;
    op.flops = work.flopsKnown ? number(work.totalFlops()) : std::nullopt;
    op.bytes = sum(number(work.bytesRead()), number(work.bytesWritten()));
  }
  return op;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string perSecond(std::optional<double> amount, double seconds) {
  if (!amount || seconds <= 0)
    return "?";
  return formatv("{0:f2}", *amount / seconds * 1e-9).str();
}

/// The slowest first.
static void printTable(ArrayRef<OpResult> results, StringRef what,
                       StringRef library, raw_ostream &os) {
  std::vector<const OpResult *> ops;
  for (const OpResult &op : results)
    if (op.measured)
      ops.push_back(&op);
  llvm::sort(ops, [](const OpResult *x, const OpResult *y) {
    return x->measured->judged().median > y->measured->judged().median;
  });
  os << "\n   median µs     p95 µs  spread   GFLOP/s      GB/s  " << what
     << '\n';
  constexpr size_t shown = 30;
  for (const OpResult *op : ArrayRef(ops).take_front(shown)) {
    const runtime::Statistics &times = op->measured->judged();
    os << formatv("{0,12:f3} {1,10:f3} {2,6:f1}% {3,9} {4,9}  {5} '{6}'{7}",
                  times.median * 1e6, times.p95 * 1e6, times.spread * 100,
                  perSecond(op->flops, times.median),
                  perSecond(op->bytes, times.median), op->opType, op->name,
                  op->measured->settled ? "" : " (never settled)");
    if (op->library)
      os << formatv("; {0} {1:f3} µs", library,
                    op->library->judged().median * 1e6);
    os << '\n';
  }
  if (ops.size() > shown)
    os << formatv("  … {0} more\n", ops.size() - shown);
}

void printFailures(const RunResult &result, raw_ostream &os) {
  for (const std::vector<OpResult> *list : {&result.ops, &result.groups})
    for (const OpResult &op : *list)
      if (!op.error.empty())
        os << "not run: " << op.error << '\n';
  for (const std::string &note : result.notes)
    os << "note: " << note << '\n';
}

static void printWhole(const Measurement &whole, raw_ostream &os) {
  const runtime::Statistics &judged = whole.judged();
  const runtime::Statistics &other = whole.byWall ? whole.cpu : whole.wall;
  os << formatv("\nwhole model: {0:f3} ms (p95 {1:f3}), {2} {3:f3} ms\n",
                judged.median * 1e3, judged.p95 * 1e3,
                whole.byWall ? "CPU" : "wall", other.median * 1e3);
}

void printResult(const RunResult &result, const RunSettings &settings,
                 raw_ostream &os) {
  if (result.interrupted && result.ops.empty()) {
    os << result.model << ": ended before anything was measured\n";
    return;
  }
  double total = 0;
  for (const OpResult &op : result.ops)
    total += op.measured ? op.measured->judged().median : 0;
  os << formatv("{0}: {1} kernels, {2:f3} ms {3}", result.model,
                result.ops.size(), total * 1e3,
                result.opsInRun ? "within a run" : "one by one");
  if (settings.threads > 1)
    os << formatv(", {0} threads, wall time", settings.threads);
  os << '\n';
  printTable(result.ops, "op", result.library, os);
  if (!result.groups.empty())
    printTable(result.groups, "fusion group", "", os);
  printFailures(result, os);
  if (result.whole)
    printWhole(*result.whole, os);
  if (!result.wholeError.empty())
    os << "\nwhole model: " << result.wholeError << '\n';
  constexpr double muchCompetition = 0.25;
  if (result.competition.others > muchCompetition)
    os << formatv("\nother processes used {0:f1} CPUs meanwhile: shared caches "
                  "and memory were not this run's alone\n",
                  result.competition.others);
  if (!settings.pinned)
    os << "\nthe system didn't let threads be kept on a CPU each\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Object seconds(const Measurement &measured) {
  const runtime::Statistics &times = measured.judged();
  return json::Object{{"median", times.median}, {"min", times.min},
                      {"max", times.max},       {"p95", times.p95},
                      {"p99", times.p99},       {"spread", times.spread}};
}

static int64_t iterations(const Measurement &measured) {
  return int64_t(measured.judged().count * measured.batch);
}

static json::Object opObject(const OpResult &op, StringRef library) {
  json::Array inputs, outputs(op.outputs);
  for (const auto &[shape, type] : op.inputs)
    inputs.push_back(
        json::Object{{"shape", json::Array(shape)}, {"type", type}});
  json::Object object{{"name", op.name},
                      {"op_type", op.opType},
                      {"inputs", std::move(inputs)},
                      {"outputs", std::move(outputs)},
                      {"seconds", seconds(*op.measured)},
                      {"iterations", iterations(*op.measured)},
                      {"cpu_seconds", op.measured->cpuSamples.empty()
                                          ? json::Value(nullptr)
                                          : op.measured->cpu.median},
                      {"wall_seconds", op.measured->wall.median},
                      {"warm_up", int64_t(op.measured->warmUp)},
                      {"settled", op.measured->settled}};
  if (op.rows.size() == 1)
    object["index"] = int64_t(op.rows.front());
  if (op.library)
    object["library"] = json::Object{{"name", library},
                                     {"seconds", seconds(*op.library)},
                                     {"iterations", iterations(*op.library)}};
  if (op.compileSeconds > 0)
    object["compile_seconds"] = op.compileSeconds;
  return object;
}

std::string measuredJSON(const RunResult &result, const RunSettings &settings) {
  json::Array ops, failed;
  for (const OpResult &op : result.ops) {
    if (op.measured)
      ops.push_back(opObject(op, result.library));
    else
      failed.push_back(json::Object{{"name", op.name}, {"error", op.error}});
  }
  runtime::Environment environment = runtime::Environment::read();
  json::Object about =
      runtime::toJSON(environment, result.competition, settings.cpu);
  // Where the whole can't be run, ops are measured alone.
  bool isAlone = settings.caches == "run" && !result.opsInRun;
  about["caches"] = isAlone ? "warm" : settings.caches;
  about["seed"] = int64_t(settings.seed);
  about["threads"] = int64_t(settings.threads);
  if (!settings.pinned)
    about["threads_pinned"] = false;
  json::Object file{{"schema", "roofline-measured/1"},
                    {"model", result.model},
                    {"environment", std::move(about)},
                    {"ops", std::move(ops)}};
  json::Array groups;
  for (const OpResult &group : result.groups)
    if (group.measured) {
      json::Array rows;
      for (unsigned row : group.rows)
        rows.push_back(int64_t(row));
      json::Object object = opObject(group, "");
      object["ops"] = std::move(rows);
      groups.push_back(std::move(object));
    } else {
      failed.push_back(
          json::Object{{"name", group.name}, {"error", group.error}});
    }
  if (!groups.empty())
    file["groups"] = std::move(groups);
  if (!failed.empty())
    file["not_run"] = std::move(failed);
  if (result.whole)
    file["whole"] = json::Object{{"seconds", seconds(*result.whole)}};
  if (result.interrupted)
    file["interrupted"] = true;
  return formatv("{0:2}\n", json::Value(std::move(file)));
}

//===----------------------------------------------------------------------===//
// CSV
//===----------------------------------------------------------------------===//

static std::string quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

Error writeTable(StringRef varied, ArrayRef<std::pair<int64_t, RunResult>> rows,
                 StringRef path) {
  return writeToOutput(path, [&](raw_ostream &os) {
    os << quoted(varied)
       << ",op,op_type,median_seconds,p95_seconds,spread,flops,bytes\n";
    for (const auto &row : rows) {
      int64_t value = row.first;
      const RunResult &result = row.second;
      auto line = [&](StringRef name, StringRef type, const Measurement &m,
                      std::optional<double> flops,
                      std::optional<double> bytes) {
        const runtime::Statistics &times = m.judged();
        os << value << ',' << quoted(name) << ',' << type << ','
           << formatv("{0:e6},{1:e6},{2:f4},", times.median, times.p95,
                      times.spread)
           << (flops ? formatv("{0:f0}", *flops).str() : "") << ','
           << (bytes ? formatv("{0:f0}", *bytes).str() : "") << '\n';
      };
      for (const OpResult &op : result.ops)
        if (op.measured)
          line(op.name, op.opType, *op.measured, op.flops, op.bytes);
      if (result.whole)
        line("(whole)", "", *result.whole, std::nullopt, std::nullopt);
    }
    return Error::success();
  });
}

} // namespace roofline
