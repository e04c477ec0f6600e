//===- BuildReport.cpp - from analyses to the report object ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Transforms/BuildReport.h"
#include "roofline/Analysis/FusionAnalysis.h"
#include "roofline/Analysis/MemoryAnalysis.h"
#include "roofline/Analysis/Names.h"
#include "roofline/Analysis/PlacementAnalysis.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace roofline {

static std::optional<Int> number(const std::optional<Expr> &expr) {
  if (!expr || !expr->isConstant())
    return std::nullopt;
  return expr->constant();
}

static std::string formula(const std::optional<Expr> &expr) {
  return expr && !expr->isConstant() ? expr->str() : std::string();
}

namespace {
/// Builds the part of a report that no device changes.
class ReportBuilder {
public:
  ReportBuilder(const CostAnalysis &costs, const ReportRequest &request);
  Report take() { return std::move(base); }

private:
  void describeModel();
  void describeRows();
  void describeTotals();

  const CostAnalysis &costs;
  const ReportRequest &request;
  Report base;
};
} // namespace

ReportBuilder::ReportBuilder(const CostAnalysis &costs,
                             const ReportRequest &request)
    : costs(costs), request(request) {
  base.options = request.options;
  base.dims = request.dims;
  base.warnings = request.warnings;
  describeModel();
  describeRows();
  describeTotals();
}

//===----------------------------------------------------------------------===//
// Model
//===----------------------------------------------------------------------===//

static std::optional<Int> decimal(DictionaryAttr dict, StringRef key) {
  auto text = dict.getAs<StringAttr>(key);
  APInt value(64, 0);
  if (!text || text.getValue().getAsInteger(10, value))
    return std::nullopt;
  return Int(value.zext(value.getBitWidth() + 1)); // unsigned
}

/// What the importer left on the module.
static void readModelInfo(DictionaryAttr info, Report::Model &model) {
  if (auto name = info.getAs<StringAttr>("name"))
    model.name = name.str();
  if (auto source = info.getAs<StringAttr>("source"))
    model.source = source.str();
  if (auto version = info.getAs<IntegerAttr>("ir_version"))
    model.irVersion = version.getInt();
  if (auto opsets = info.getAs<DictionaryAttr>("opsets"))
    for (NamedAttribute opset : opsets)
      if (auto version = dyn_cast<IntegerAttr>(opset.getValue()))
        model
            .opsets[opset.getName() == "ai.onnx" ? "" : opset.getName().str()] =
            version.getInt();
  model.parameters = decimal(info, "parameters");
  model.parameterBytes = decimal(info, "parameter_bytes");
}

/// Constants of rank 1 and more and of a floating or narrow type.
static void countParameters(const CostAnalysis &costs, Report::Model &model) {
  Int elements(0), bytes(0);
  bool known = true;
  Operation *root = costs.function();
  root->walk([&](Operation *op) {
    if (!isa<rl::WeightOp>(op) && !op->hasTrait<OpTrait::ConstantLike>())
      return;
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || type.getRank() == 0)
      return;
    ElementType element = elementType(type);
    bool isNarrow = bitWidth(element).value_or(64) <= 8;
    if (kind(element) != ElementKind::Float && !isNarrow)
      return;
    std::optional<Int> count = number(costs.numElements(op->getResult(0)));
    std::optional<Int> size = number(costs.bytes(op->getResult(0)));
    if (!count || !size) {
      known = false;
      return;
    }
    elements += *count;
    bytes += *size;
  });
  if (!known)
    return;
  model.parameters = elements;
  model.parameterBytes = bytes;
}

void ReportBuilder::describeModel() {
  FunctionOpInterface func = costs.function();
  base.model.name = func.getName().str();
  base.model.source = request.source;
  auto module = func->getParentOfType<ModuleOp>();
  if (auto info = module
                      ? module->getAttrOfType<DictionaryAttr>(rl::modelAttrName)
                      : DictionaryAttr())
    readModelInfo(info, base.model);
  else
    countParameters(costs, base.model);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static bool isTensor(Value value) {
  return isa<ShapedType>(value.getType()) ||
         value.getType().getDialect().getNamespace() == "rl";
}

/// How a report spells a value's type where it isn't a plain tensor.
static StringRef typeName(Type type) {
  if (auto sequence = dyn_cast<rl::SequenceType>(type))
    return "sequence";
  if (isa<rl::OptionalType>(type))
    return "optional";
  return name(elementType(type));
}

static Report::Tensor describe(Value value, const CostAnalysis &costs,
                               NameTable &names) {
  Report::Tensor tensor;
  tensor.name = names.value(value);
  tensor.type = typeName(value.getType());
  tensor.role = costs.role(value);
  std::optional<SymbolMap::MaybeDims> dims = costs.symbolMap().dims(value);
  tensor.ranked = dims.has_value();
  if (dims)
    tensor.shape.assign(dims->begin(), dims->end());
  return tensor;
}

static Report::FlopsByClass byClass(const CostRow &row) {
  Report::FlopsByClass counts;
  if (!row.work.flopsKnown)
    return counts;
  for (const Flops &flops : row.work.flops) {
    std::optional<Int> count = number(flops.count * row.times);
    if (!count)
      return {};
    if (*count != 0)
      counts.add(flops.cls, flops.type, *count);
  }
  return counts;
}

static void addTensors(const CostRow &row, const CostAnalysis &costs,
                       NameTable &names, Report::Op &op) {
  SmallVector<Value, 8> seen;
  op.inputs.reserve(row.op->getNumOperands());
  op.outputs.reserve(row.op->getNumResults());
  for (Value operand : row.op->getOperands()) {
    if (!isTensor(operand) || llvm::is_contained(seen, operand))
      continue;
    seen.push_back(operand);
    op.inputs.push_back(describe(operand, costs, names));
  }
  for (OpResult result : row.op->getResults()) {
    if (!isTensor(result))
      continue;
    // An output that the model leaves out has an empty name.
    if (std::optional<StringRef> name = rl::resultName(result);
        name && name->empty())
      continue;
    op.outputs.push_back(describe(result, costs, names));
  }
}

void ReportBuilder::describeRows() {
  NameTable names(costs);
  base.ops.reserve(costs.rows().size());
  for (const CostRow &row : costs.rows()) {
    Report::Op &op = base.ops.emplace_back();
    op.index = base.ops.size() - 1;
    op.name = names.op(row.op);
    op.opType = NameTable::opType(row.op).str();
    op.domain = NameTable::domain(row.op).str();
    op.scope = names.scope(row);
    op.times = number(row.times);
    op.timesFormula = formula(row.times);
    addTensors(row, costs, names, op);
    std::optional<Expr> flops = totalFlops(row);
    std::optional<Expr> read = bytesRead(row), written = bytesWritten(row);
    op.flops = number(flops);
    op.flopsFormula = formula(flops);
    op.flopsMin = number(row.flopsMin);
    if (row.work.flopsCausal)
      op.flopsCausal = number(*row.work.flopsCausal * row.times);
    op.flopsByClass = byClass(row);
    op.bytesRead = number(read);
    op.bytesWritten = number(written);
    if (read && written)
      op.bytesFormula = formula(*read + *written);
    op.dataDependent = row.work.dataDependent;
    op.covered = !row.opaque;
    if (std::optional<Int> launches = number(row.work.launches * row.times))
      op.launches = toDouble(*launches);
  }
}

//===----------------------------------------------------------------------===//
// Totals that no device changes
//===----------------------------------------------------------------------===//

namespace {
/// A sum over the known rows; a formula where one of them is.
class Sum {
public:
  void add(const Int &amount) {
    any = true;
    constant += amount;
  }
  void add(const std::optional<Expr> &amount) {
    if (!amount) {
      complete = false;
      return;
    }
    any = true;
    if (amount->isConstant())
      constant += amount->constant(); // the common case, without allocation
    else
      open += *amount;
  }
  bool isComplete() const { return complete; }
  std::optional<Expr> value() const {
    if (!any)
      return std::nullopt;
    return open + Expr(constant);
  }

private:
  Int constant{0};
  Expr open;
  bool any = false, complete = true;
};
} // namespace

/// The flags that bind what is open, in the order of the names.
static std::vector<std::string> bindFlags(const CostAnalysis &costs) {
  std::set<std::string> scalars;
  FunctionOpInterface func = costs.function();
  for (BlockArgument argument : func.getArguments())
    if (auto name = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      rl::nameAttrName))
      if (kind(elementType(argument.getType())) == ElementKind::Integer)
        scalars.insert(name.str());
  std::vector<std::string> flags;
  for (const std::string &name : costs.unboundSymbols())
    flags.push_back((scalars.count(name) ? "--value=" : "--dim=") + name +
                    "=…");
  return flags;
}

/// Of the directions that are known as a whole: the roles' sum is the total.
static void addBytesByRole(const CostRow &row, const Report::Op &op,
                           Report::Totals &totals) {
  bool readKnown = op.bytesRead.has_value();
  bool writtenKnown = op.bytesWritten.has_value();
  for (const Traffic &traffic : row.work.traffic) {
    bool isRead = traffic.direction == Traffic::Read;
    if (isRead ? !readKnown : !writtenKnown)
      continue;
    if (std::optional<Int> bytes = number(*traffic.bytes * row.times))
      totals.bytesByRole[traffic.role] += *bytes;
  }
}

void ReportBuilder::describeTotals() {
  Report::Totals &totals = base.totals;
  Sum flops, read, written;
  double launches = 0;
  bool open = false, none = true;
  llvm::MapVector<std::pair<StringRef, StringRef>, unsigned> uncovered;
  for (auto [row, op] : llvm::zip(costs.rows(), base.ops)) {
    if (row.times.isZero() || row.isControl)
      continue;
    none = false;
    // A row's numbers stand in its report; only formulas are asked for again.
    op.flops ? flops.add(*op.flops) : flops.add(totalFlops(row));
    op.bytesRead ? read.add(*op.bytesRead) : read.add(bytesRead(row));
    op.bytesWritten ? written.add(*op.bytesWritten)
                    : written.add(bytesWritten(row));
    totals.upperBound |= row.isUpperBound();
    if (row.opaque)
      ++uncovered[{NameTable::opType(row.op), NameTable::domain(row.op)}];
    if (std::optional<Int> count = number(row.work.launches * row.times))
      launches += toDouble(*count);
    else
      open = true;
    for (const auto &[cls, type, count] : op.flopsByClass.all())
      totals.flopsByClass.add(cls, type, count);
    addBytesByRole(row, op, totals);
  }
  if (none) { // nothing runs, so nothing is unknown
    flops.add(Expr(0));
    read.add(Expr(0));
    written.add(Expr(0));
  }
  totals.flops = number(flops.value());
  totals.flopsFormula = formula(flops.value());
  totals.bytesRead = number(read.value());
  totals.bytesWritten = number(written.value());
  if (read.value() && written.value())
    totals.bytesFormula = formula(*read.value() + *written.value());
  if (!open)
    totals.launches = launches;
  for (auto &[key, count] : uncovered)
    totals.uncovered.push_back({key.first.str(), key.second.str(), count});
  totals.unboundDims.assign(costs.unboundSymbols().begin(),
                            costs.unboundSymbols().end());
  totals.bindFlags = bindFlags(costs);
  totals.complete = flops.isComplete() && read.isComplete() &&
                    written.isComplete() && !open && totals.flops &&
                    totals.bytesRead && totals.bytesWritten;
  totals.peakMemoryBytes = peakLiveBytes(costs);
}

//===----------------------------------------------------------------------===//
// On a device
//===----------------------------------------------------------------------===//

/// The least time that any schedule needs: all the arithmetic on full pipes,
/// classes side by side, while the compulsory bytes move, and no launches.
static std::optional<double> compulsorySeconds(const Report &report) {
  BoundWork work;
  for (const auto &[cls, type, count] : report.totals.flopsByClass.all())
    work.flops.push_back({cls, type, toDouble(count)});
  work.bytes = toDouble(*report.totals.compulsory.bytes);
  return place(work, report.device, report.options).seconds;
}

/// The three models of a graph's traffic, and the interval they give.
static void addTrafficModels(Report &report,
                             const std::optional<Expr> &compulsory) {
  Report::Totals &totals = report.totals;
  if (totals.bytesRead && totals.bytesWritten)
    totals.unfused.bytes = *totals.bytesRead + *totals.bytesWritten;
  totals.unfused.seconds = totals.seconds;
  if (!totals.unfused.bytes)
    return;
  totals.fused = totals.unfused;
  for (const Report::FusionGroup &group : report.fusionGroups) {
    if (group.bytesSaved)
      *totals.fused.bytes -= *group.bytesSaved;
    if (group.secondsSaved && totals.fused.seconds)
      *totals.fused.seconds -= *group.secondsSaved;
  }
  totals.compulsory.bytes = number(compulsory);
  // A kernel that captures part of a tensor counts as reading it whole there.
  if (totals.compulsory.bytes && *totals.compulsory.bytes > *totals.fused.bytes)
    totals.compulsory.bytes = totals.fused.bytes;
  if (totals.compulsory.bytes && totals.complete)
    totals.compulsory.seconds = compulsorySeconds(report);
  if (totals.fused.seconds && totals.unfused.seconds)
    totals.secondsInterval = {*totals.fused.seconds, *totals.unfused.seconds};
}

static void addFusionGroups(Report &report, const CostAnalysis &costs,
                            ArrayRef<FusionGroup> groups) {
  for (auto [id, group] : llvm::enumerate(groups)) {
    Report::FusionGroup &out = report.fusionGroups.emplace_back();
    out.id = id;
    out.ops = group.rows;
    out.kind = group.kind;
    out.blockedBy = group.blockedBy;
    out.bytesBefore = number(group.bytesBefore);
    out.bytesAfter = number(group.bytesAfter);
    if (out.bytesBefore && out.bytesAfter)
      out.bytesSaved = *out.bytesBefore - *out.bytesAfter;
    out.secondsBefore = group.secondsBefore;
    out.secondsAfter = group.secondsAfter;
    if (out.secondsBefore && out.secondsAfter) {
      out.secondsSaved = *out.secondsBefore - *out.secondsAfter;
      if (*out.secondsAfter > 0)
        out.speedup = *out.secondsBefore / *out.secondsAfter;
    }
    double flops = 0;
    bool known = true;
    for (unsigned row : group.rows) {
      report.ops[row].fusionGroup = id;
      if (report.ops[row].flops)
        flops += toDouble(*report.ops[row].flops);
      else
        known = false;
    }
    if (known)
      out.flops = flops;
  }
}

/// Adds what a device decides to a report that knows of none.
static void placeOn(Report &report, const Device &device,
                    const CostAnalysis &costs, const PlacementOptions &options,
                    const std::optional<Expr> &compulsory) {
  report.device = device;
  std::vector<Placement> placements = placeRows(costs, device, options);
  double seconds = 0;
  bool any = false, none = true;
  for (auto [row, placement, op] :
       llvm::zip(costs.rows(), placements, report.ops)) {
    op.sentence = explain(row, placement, device, options);
    bool runs = !row.times.isZero() && !row.isControl;
    none &= !runs;
    if (placement.seconds) {
      seconds += *placement.seconds;
      any |= runs;
    }
    op.placement = placement;
  }
  if (any || none)
    report.totals.seconds = seconds;
  addFusionGroups(report, costs,
                  markFusion(costs, placements, device, options));
  addTrafficModels(report, compulsory);
  const MemoryLevel *dram = device.dram();
  if (report.totals.peakMemoryBytes && dram && dram->capacityBytes)
    report.totals.fits =
        *report.totals.peakMemoryBytes <= Int(*dram->capacityBytes);
}

std::vector<Report> buildReports(const CostAnalysis &costs,
                                 const ReportRequest &request,
                                 ArrayRef<Device> devices) {
  if (devices.empty())
    return {};
  Report base = ReportBuilder(costs, request).take();
  std::optional<Expr> compulsory = compulsoryBytes(costs);
  std::vector<Report> reports;
  reports.reserve(devices.size());
  // Reports of large models are large: the last one takes the base itself.
  for (size_t i = 1; i < devices.size(); ++i)
    reports.push_back(base);
  reports.push_back(std::move(base));
  for (auto [report, device] : llvm::zip(reports, devices))
    placeOn(report, device, costs, request.options, compulsory);
  return reports;
}

} // namespace roofline
