//===- HostDevice.cpp - a device from what was measured -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkingSets.h"
#include "roofline/Runtime/Calibrate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <tuple>

using namespace llvm;
using namespace roofline;
using namespace roofline::runtime;

//===----------------------------------------------------------------------===//
// What can't be trusted
//===----------------------------------------------------------------------===//

/// What was seen beside a figure that could explain that it varies.
static std::string causes(const HostFigure &figure) {
  std::vector<std::string> seen;
  if (figure.noise() > figure.spread)
    seen.push_back(
        formatv("its threads ran {0:f0} % of the time, so not together",
                figure.together * 100));
  if (figure.competition.others >= 0.1)
    seen.push_back(
        formatv("other processes used {0:f1} CPUs", figure.competition.others));
  if (figure.competition.stolen >= 0.02)
    seen.push_back(formatv("another virtual machine took {0:f2} CPUs",
                           figure.competition.stolen));
  if (figure.clockChange && std::abs(*figure.clockChange) >= 0.02)
    seen.push_back(
        formatv("the clock changed by {0:f0} %", *figure.clockChange * 100));
  if (!figure.settled)
    seen.push_back("its times never settled");
  return seen.empty() ? "no cause was seen" : join(seen, ", ");
}

std::vector<std::string>
roofline::runtime::disturbances(const Calibration &calibration,
                                double maxNoise) {
  std::vector<std::string> lines;
  for (const HostFigure &figure : calibration.figures)
    if (figure.noise() > maxNoise)
      lines.push_back(
          formatv("{0}: spread {1:f1} % after {2} {3}; {4}", figure.name(),
                  figure.spread * 100, figure.attempts,
                  figure.attempts == 1 ? "try" : "tries", causes(figure)));
  return lines;
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

static MeasuredFigure measuredOf(const HostFigure &figure) {
  return {figure.kind, figure.threads, figure.value, figure.spread};
}

/// Which measurement a figure is, and how it was taken.
static std::string sourceOf(const HostFigure &figure) {
  return formatv("rl-run calibrate: {0} ({1}), median of {2} samples of CPU "
                 "time",
                 figure.name(), figure.how, figure.samples);
}

static void addCompute(Device &device, const HostFigure &figure) {
  auto ceiling = find_if(device.compute, [&](const ComputeCeiling &other) {
    return other.cls == figure.cls && other.type == figure.type;
  });
  if (ceiling == device.compute.end()) {
    device.compute.push_back(
        {figure.cls, figure.type, 0, Origin::Measured, ""});
    ceiling = std::prev(device.compute.end());
  }
  if (figure.value > ceiling->perSecond) {
    ceiling->perSecond = figure.value;
    ceiling->source = sourceOf(figure);
  }
  ceiling->measured.push_back(measuredOf(figure));
}

static void addMemory(Device &device, const HostFigure &figure) {
  auto level = find_if(device.memory, [&](const MemoryLevel &other) {
    return other.level == figure.level;
  });
  if (level == device.memory.end()) {
    // They were measured from the inside out, a device lists them from the
    // outside in.
    MemoryLevel added;
    added.level = figure.level;
    added.origin = Origin::Measured;
    level = device.memory.insert(device.memory.begin(), std::move(added));
  }
  if (figure.value > level->bytesPerSecond) {
    level->bytesPerSecond = figure.value;
    level->source = sourceOf(figure);
  }
  level->measured.push_back(measuredOf(figure));
}

/// The launch of a kernel that uses all threads.
static void addLaunch(Device &device, const HostFigure &figure) {
  if (llvm::all_of(device.launchMeasured, [&](const MeasuredFigure &other) {
        return other.threads <= figure.threads;
      })) {
    device.launchSeconds = figure.value;
    device.launchSource = sourceOf(figure);
  }
  device.launchOrigin = Origin::Measured;
  device.launchMeasured.push_back(measuredOf(figure));
}

static void addCapacities(Device &device, const Environment &environment) {
  for (MemoryLevel &level : device.memory) {
    level.capacityOrigin = Origin::Measured;
    unsigned number;
    if (level.level == "dram") {
      if (environment.memoryBytes > 0) {
        level.capacityBytes = environment.memoryBytes;
        level.capacitySource = "/proc/meminfo: MemTotal";
      }
    } else if (!StringRef(level.level).drop_front().getAsInteger(10, number)) {
      if (const Cache *cache = environment.dataCache(number)) {
        level.capacityBytes = wholeCacheBytes(environment, *cache);
        level.capacitySource =
            formatv("sysfs: {0} KiB, one for each {1} of {2} cores",
                    cache->sizeBytes / 1024, coresSharing(environment, *cache),
                    environment.cores);
      }
    }
  }
}

static constexpr StringLiteral flags = ROOFLINE_MICRO_FLAGS;

static json::Object environmentOf(const Calibration &calibration) {
  json::Object object =
      toJSON(calibration.environment, calibration.competition, flags);
  auto megahertz = [](double hertz) { return std::round(hertz / 1e6) * 1e6; };
  if (calibration.clockLow && calibration.clockHigh) {
    object["clock_hz_low"] = megahertz(*calibration.clockLow);
    object["clock_hz_high"] = megahertz(*calibration.clockHigh);
  }
  object["pinned"] = calibration.pinned;
  return object;
}

Device roofline::runtime::toDevice(const Calibration &calibration,
                                   StringRef name) {
  const Environment &environment = calibration.environment;
  Device device;
  device.name = name.str();
  device.vendor = environment.cpuVendor;
  device.title =
      formatv("{0}, {1} {2}", environment.cpuModel, environment.cores,
              environment.cores == 1 ? "core" : "cores");
  device.kind = "cpu";
  for (const HostFigure &figure : calibration.figures)
    switch (figure.group) {
    case HostFigure::Compute:
      addCompute(device, figure);
      break;
    case HostFigure::Memory:
      addMemory(device, figure);
      break;
    case HostFigure::Launch:
      addLaunch(device, figure);
      break;
    }
  llvm::sort(device.compute,
             [](const ComputeCeiling &a, const ComputeCeiling &b) {
               return std::tie(a.cls, a.type) < std::tie(b.cls, b.type);
             });
  addCapacities(device, environment);
  device.environment = environmentOf(calibration);
  return device;
}
