//===- PlacementAnalysis.cpp - a function's ops on a device ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/PlacementAnalysis.h"
#include "roofline/Analysis/KernelFeatures.h"
#include "roofline/Analysis/ReuseAnalysis.h"
#include <algorithm>
#include <charconv>

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

/// Replaces what the roofline allows by what the device's own kernels take,
/// where its model knows the op.
static void timeKernel(const KernelFeatures &features, const BoundWork &bound,
                       const KernelReuse &reuse, const KernelModel &kernels,
                       Placement &placement) {
  std::optional<KernelTime> time = kernels.predict(features, reuse);
  if (!time)
    return;
  double times = bound.times;
  auto gap = std::make_shared<KernelGap>();
  gap->roof = std::max(placement.computeSeconds, placement.memorySeconds);
  gap->launch = time->call * times;
  gap->error = time->error;
  if (time->work() >= time->memory()) {
    gap->tiles = time->wasted[KernelFeatures::Tiles] * times;
    gap->packing = time->wasted[KernelFeatures::Packing] * times;
    gap->vectors = time->wasted[KernelFeatures::Vectors] * times;
    gap->cacheLevel = time->far * times;
  } else {
    gap->writeAllocate = time->writeAllocate * times;
    gap->cacheLevel = (time->memory() + time->far) * times -
                      gap->writeAllocate - placement.memorySeconds;
  }
  placement.gap = std::move(gap);
  placement.seconds = time->seconds() * times;
}

std::vector<Placement> placeRows(const CostAnalysis &costs,
                                 const Device &device,
                                 const PlacementOptions &options) {
  std::vector<Placement> placements;
  placements.reserve(costs.rows().size());
  std::vector<std::optional<BoundWork>> bounds;
  for (const CostRow &row : costs.rows()) {
    bounds.push_back(boundWork(row));
    placements.push_back(bounds.back() ? place(*bounds.back(), device, options)
                                       : Placement());
  }
  const KernelModel *kernels = device.kernelsFor(options.threads);
  if (!kernels)
    return placements;
  std::vector<std::optional<KernelFeatures>> features(placements.size());
  std::vector<double> ownBytes(placements.size(), 0);
  for (auto [i, row] : llvm::enumerate(costs.rows()))
    if (placements[i].seconds && placements[i].bound != Bound::None) {
      features[i] =
          kernelFeatures(row, kernels->vectorBits, {kernels->threads});
      ownBytes[i] = features[i] ? features[i]->ownBytes() : 0;
    }
  std::vector<RowReuse> reuse = reuseDistances(costs, ownBytes);
  // How long others have depends on how long the ops take.
  for (unsigned pass = 0; pass < 2; ++pass) {
    std::vector<double> seconds;
    seconds.reserve(placements.size());
    for (const Placement &placement : placements)
      seconds.push_back(placement.seconds.value_or(0));
    RunClock clock(seconds);
    for (size_t i = 0; i < placements.size(); ++i)
      if (features[i])
        timeKernel(*features[i], *bounds[i],
                   options.alone ? KernelReuse() : clock.reuseOf(reuse[i], i),
                   *kernels, placements[i]);
  }
  return placements;
}

//===----------------------------------------------------------------------===//
// Sentences
//===----------------------------------------------------------------------===//

/// Three significant digits with a unit's prefix: "3.35 T". Sentences are
/// written for every row, so without streams or format strings of LLVM's.
static std::string fixed(double value, int digits) {
  char text[400]; // of any double: up to 309 digits before the point
  std::to_chars_result end =
      std::to_chars(std::begin(text), std::end(text), value,
                    std::chars_format::fixed, digits);
  return std::string(text, end.ptr);
}

static std::string scaled(double value, ArrayRef<const char *> prefixes) {
  unsigned i = 0;
  for (; value >= 999.5 && i + 1 < prefixes.size(); ++i)
    value /= 1000;
  std::string text = fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
  text += ' ';
  text += prefixes[i];
  return text;
}

static std::string seconds(double value) {
  return scaled(value * 1e9, {"ns", "µs", "ms", "s"});
}

static std::string rate(double perSecond, StringRef unit) {
  return scaled(perSecond, {"", "k", "M", "G", "T", "P"}) + unit.str();
}

/// FLOP/byte: 156, 6.25, 0.17.
static std::string intensityText(double value) {
  return fixed(value, value < 10 ? 2 : 0);
}

/// Why a row isn't placed.
static std::string explainUnknown(const CostRow &row) {
  if (row.opaque)
    return "No cost model knows this op: its bytes are counted, its FLOPs are "
           "not in the totals.";
  if (!row.work.flopsKnown)
    return "A size it depends on isn't known, so its FLOPs are not in the "
           "totals.";
  if (!row.work.bytesRead() || !row.work.bytesWritten())
    return "A tensor of unknown size takes part, so its bytes are not in the "
           "totals.";
  if (boundWork(row))
    return "The device file has no ceiling for a type that it computes in.";
  return "Its cost is a formula until the open dimensions are bound.";
}

namespace {
/// What takes longest of a row's arithmetic: a class's slowest type.
struct Dominant {
  const Flops *flops = nullptr;
  const ComputeCeiling *ceiling = nullptr;
};
} // namespace

/// The class whose types together take longest, as `place` finds it.
static Dominant findDominant(const CostRow &row, const Device &device,
                             const PlacementOptions &options) {
  Dominant slowest[numComputeClasses];
  double longest[numComputeClasses] = {}, total[numComputeClasses] = {};
  for (const Flops &flops : row.work.flops) {
    const ComputeCeiling *ceiling =
        ceilingFor(flops.cls, flops.type, device, options);
    if (!ceiling || !flops.count.isConstant() || flops.count.isZero())
      continue;
    auto cls = static_cast<unsigned>(flops.cls);
    double time = toDouble(flops.count.constant()) / ceiling->perSecond;
    total[cls] += time;
    if (!slowest[cls].flops || time > longest[cls]) {
      slowest[cls] = {&flops, ceiling};
      longest[cls] = time;
    }
  }
  return slowest[std::max_element(std::begin(total), std::end(total)) -
                 std::begin(total)];
}

/// The intensity at which this mix of work would be bound by both: the ridge.
static std::string ridgeText(const Placement &placement) {
  return intensityText(*placement.intensity * placement.memorySeconds /
                       placement.computeSeconds);
}

static std::string explainCompute(const Placement &placement,
                                  const Dominant &dominant) {
  std::string text =
      "Bound by " + name(dominant.flops->cls).str() + " throughput: ";
  if (placement.intensity)
    text += "at " + intensityText(*placement.intensity) +
            " FLOP/byte it is above the ridge of " + ridgeText(placement) +
            ", so ";
  else
    text += "it moves no bytes, so ";
  text += rate(dominant.ceiling->perSecond, "FLOP/s") + " of " +
          name(dominant.ceiling->type).str() + " decide.";
  if (dominant.ceiling->cls != dominant.flops->cls)
    text += " This device runs " + name(dominant.flops->type).str() +
            " work of this class on its " + name(dominant.ceiling->cls).str() +
            " pipes.";
  return text;
}

static std::string explainMemory(const Placement &placement,
                                 const MemoryLevel &dram) {
  std::string text = "Bound by DRAM bandwidth: ";
  if (placement.computeSeconds > 0)
    text += intensityText(*placement.intensity) +
            " FLOP/byte is below the ridge of " + ridgeText(placement) +
            ", so ";
  else
    text += "it only moves bytes, so ";
  return text + rate(dram.bytesPerSecond, "B/s") + " decide.";
}

std::string explain(const CostRow &row, const Placement &placement,
                    const Device &device, const PlacementOptions &options) {
  std::string text;
  Dominant dominant = findDominant(row, device, options);
  const MemoryLevel *dram = device.dram();
  switch (placement.bound) {
  case Bound::None:
    if (row.times.isZero())
      return "Doesn't run: another branch is taken, or the loop has no trips.";
    return "Moves and computes nothing: a view, a constant or control flow.";
  case Bound::Unknown:
    return explainUnknown(row);
  case Bound::Compute:
    text = dominant.flops ? explainCompute(placement, dominant)
                          : "Bound by compute.";
    break;
  case Bound::Memory:
    text = dram ? explainMemory(placement, *dram) : "Bound by memory.";
    break;
  case Bound::Overhead:
    text =
        "Bound by launch overhead: its work takes " +
        seconds(std::max(placement.computeSeconds, placement.memorySeconds)) +
        ", starting its kernels " + seconds(placement.launchSeconds) + ".";
    break;
  }
  if (placement.usedType && dominant.flops) {
    std::string lacking = name(dominant.flops->type).str();
    std::string used = name(*placement.usedType).str();
    if (*placement.usedType == ElementType::TF32 && options.allowTF32)
      text += " Its " + lacking + " products may use " + used + ", as asked.";
    else
      text +=
          " The device has no " + lacking + " ceiling; " + used + " stands in.";
  }
  if (row.isUpperBound())
    text += " Data decides its size: this is the upper bound.";
  return text;
}

} // namespace roofline
