//===- PlacementAnalysis.cpp - a function's ops on a device ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/PlacementAnalysis.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>

using namespace mlir;

namespace roofline {

/// A negative amount says that a size is wrong; nothing follows from it.
static bool toNumber(const std::optional<Expr> &expr, double &number) {
  if (!expr || !expr->isConstant())
    return false;
  number = toDouble(expr->constant());
  return number >= 0;
}

std::optional<BoundWork> boundWork(const CostRow &row) {
  BoundWork bound;
  if (!toNumber(row.times, bound.times))
    return std::nullopt;
  if (bound.times == 0)
    return BoundWork{{}, 0, 0, 0};
  const Work &work = row.work;
  double read, written;
  if (!work.flopsKnown || !toNumber(work.bytesRead(), read) ||
      !toNumber(work.bytesWritten(), written) ||
      !toNumber(work.launches, bound.launches))
    return std::nullopt;
  bound.bytes = read + written;
  for (const Flops &flops : work.flops) {
    double count;
    if (!toNumber(flops.count, count))
      return std::nullopt;
    bound.flops.push_back({flops.cls, flops.type, count});
  }
  return bound;
}

std::vector<Placement> placeRows(const CostAnalysis &costs,
                                 const Device &device,
                                 const PlacementOptions &options) {
  std::vector<Placement> placements;
  placements.reserve(costs.rows().size());
  for (const CostRow &row : costs.rows()) {
    std::optional<BoundWork> bound = boundWork(row);
    placements.push_back(bound ? place(*bound, device, options) : Placement());
  }
  return placements;
}

//===----------------------------------------------------------------------===//
// Sentences
//===----------------------------------------------------------------------===//

/// Three significant digits with a unit's prefix: "3.35 T". Sentences are
/// written for every row, so without streams or format strings of LLVM's.
static std::string scaled(double value, ArrayRef<const char *> prefixes,
                          double step) {
  unsigned i = 0;
  for (; value >= 999.5 && i + 1 < prefixes.size(); ++i)
    value /= step;
  int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f %s", digits, value, prefixes[i]);
  return text;
}

static std::string seconds(double value) {
  return scaled(value * 1e9, {"ns", "µs", "ms", "s"}, 1000);
}

static std::string rate(double perSecond, StringRef unit) {
  return scaled(perSecond, {"", "k", "M", "G", "T", "P"}, 1000) + unit.str();
}

static std::string rounded(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.0f", value);
  return text;
}

static std::string intensityText(const Placement &placement) {
  if (!placement.intensity)
    return "no";
  if (*placement.intensity >= 10)
    return rounded(*placement.intensity);
  char text[64];
  std::snprintf(text, sizeof(text), "%.2f", *placement.intensity);
  return text;
}

/// Why a row isn't placed.
static std::string explainUnknown(const CostRow &row) {
  if (row.opaque)
    return "No cost model knows this op: its bytes are counted, its FLOPs are "
           "not in the totals.";
  if (!row.work.flopsKnown)
    return "A size it depends on isn't known, so its FLOPs are not in the "
           "totals.";
  std::optional<Expr> read = row.work.bytesRead();
  std::optional<Expr> written = row.work.bytesWritten();
  if (!read || !written)
    return "A tensor of unknown size takes part, so its bytes are not in the "
           "totals.";
  return "Its cost is a formula until the open dimensions are bound.";
}

std::string explain(const CostRow &row, const Placement &placement,
                    const Device &device) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const ComputeCeiling *ceiling = nullptr;
  const Flops *dominant = nullptr;
  double most = -1;
  for (const Flops &flops : row.work.flops) {
    const ComputeCeiling *candidate = device.ceiling(flops.cls, flops.type);
    if (!candidate || !flops.count.isConstant())
      continue;
    double time = toDouble(flops.count.constant()) / candidate->perSecond;
    if (time > most) {
      most = time;
      ceiling = candidate;
      dominant = &flops;
    }
  }
  const MemoryLevel *dram = device.dram();
  switch (placement.bound) {
  case Bound::None:
    if (row.times.isZero())
      return "Doesn't run: another branch is taken, or the loop has no trips.";
    return "Moves and computes nothing: a view, a constant or control flow.";
  case Bound::Unknown:
    return explainUnknown(row);
  case Bound::Compute:
    if (!dominant || !dram)
      return "Bound by compute.";
    os << "Bound by " << name(dominant->cls) << " throughput: at "
       << intensityText(placement) << " FLOP/byte it is above the ridge of "
       << rounded(ceiling->perSecond / dram->bytesPerSecond) << ", so "
       << rate(ceiling->perSecond, "FLOP/s") << " of " << name(ceiling->type)
       << " decide.";
    if (ceiling->cls != dominant->cls)
      os << " This device runs " << name(dominant->type)
         << " work of this class "
         << "on its " << name(ceiling->cls) << " pipes.";
    break;
  case Bound::Memory:
    if (!dram)
      return "Bound by memory.";
    os << "Bound by DRAM bandwidth: ";
    if (dominant)
      os << intensityText(placement) << " FLOP/byte is below the ridge of "
         << rounded(ceiling->perSecond / dram->bytesPerSecond) << ", so ";
    else
      os << "it only moves bytes, so ";
    os << rate(dram->bytesPerSecond, "B/s") << " decide.";
    break;
  case Bound::Overhead:
    os << "Bound by launch overhead: its work takes "
       << seconds(std::max(placement.computeSeconds, placement.memorySeconds))
       << ", starting its kernels " << seconds(placement.launchSeconds) << ".";
    break;
  }
  if (placement.usedType && dominant)
    os << " The device has no " << name(dominant->type) << " ceiling; "
       << name(*placement.usedType) << " stands in.";
  if (row.isUpperBound())
    os << " Data decides its size: this is the upper bound.";
  return text;
}

} // namespace roofline
