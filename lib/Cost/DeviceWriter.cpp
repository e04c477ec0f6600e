//===- DeviceWriter.cpp - device files ------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the form that DeviceParser.cpp reads. Values are written in the unit
// that a person would choose, with the five digits that a measurement can have.
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Device.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;
using namespace roofline;

namespace {

struct Scale {
  const char *unit;
  double factor;
};

/// The last scale that `value` has at least one of, else the first.
Scale scaleOf(double value, ArrayRef<Scale> scales) {
  Scale chosen = scales.front();
  for (const Scale &scale : scales)
    if (value >= scale.factor)
      chosen = scale;
  return chosen;
}

// From small to large; those that files spell.
constexpr Scale floatRates[] = {
    {"MFLOP/s", 1e6}, {"GFLOP/s", 1e9}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}};
constexpr Scale integerRates[] = {
    {"MOP/s", 1e6}, {"GOP/s", 1e9}, {"TOP/s", 1e12}, {"POP/s", 1e15}};
constexpr Scale bandwidths[] = {{"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}};
constexpr Scale capacities[] = {
    {"KiB", 1024.0}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};
constexpr Scale durations[] = {
    {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}};

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  // Divided by a power of ten, not multiplied by its inverse, so that what is
  // printed has no more digits than these.
  int places = digits - 1 - exponent;
  double power = std::pow(10.0, std::abs(places));
  return places >= 0 ? std::round(value * power) / power
                     : std::round(value / power) * power;
}

class Writer {
public:
  explicit Writer(raw_ostream &os) : out(os, /*IndentSize=*/2) {}

  void write(const Device &device) {
    out.object([&] {
      out.attribute("name", device.name);
      out.attribute("vendor", device.vendor);
      out.attribute("title", device.title);
      out.attribute("kind", device.kind);
      out.attributeArray("compute", [&] {
        for (const ComputeCeiling &ceiling : device.compute)
          out.object([&] { write(ceiling); });
      });
      out.attributeArray("memory", [&] {
        for (const MemoryLevel &level : device.memory)
          out.object([&] { write(level); });
      });
      out.attributeObject("launch", [&] {
        quantity(device.launchSeconds, durations);
        provenance(device.launchOrigin, device.launchSource);
        measured(device.launchMeasured, durations);
      });
      if (!device.kernels.empty())
        out.attributeArray("kernels", [&] {
          for (const KernelModel &model : device.kernels)
            out.value(model.toJSON());
        });
      if (!device.environment.empty())
        out.attribute("environment", json::Object(device.environment));
    });
  }

private:
  void write(const ComputeCeiling &ceiling) {
    bool isFloat = kind(ceiling.type) == ElementKind::Float ||
                   kind(ceiling.type) == ElementKind::Complex;
    ArrayRef<Scale> scales =
        isFloat ? ArrayRef(floatRates) : ArrayRef(integerRates);
    out.attribute("class", name(ceiling.cls));
    out.attribute("type", name(ceiling.type));
    quantity(ceiling.perSecond, scales);
    provenance(ceiling.origin, ceiling.source);
    measured(ceiling.measured, scales);
  }

  void write(const MemoryLevel &level) {
    out.attribute("level", level.level);
    out.attributeObject("bandwidth", [&] {
      quantity(level.bytesPerSecond, bandwidths);
      provenance(level.origin, level.source);
    });
    if (level.capacityBytes)
      out.attributeObject("capacity", [&] {
        auto bytes = static_cast<double>(*level.capacityBytes);
        Scale scale = scaleOf(bytes, capacities);
        out.attribute("value", bytes / scale.factor); // exact
        out.attribute("unit", scale.unit);
        provenance(level.capacityOrigin, level.capacitySource);
      });
    measured(level.measured, bandwidths);
  }

  void measured(ArrayRef<MeasuredFigure> list, ArrayRef<Scale> scales) {
    if (list.empty())
      return;
    out.attributeArray("measured", [&] {
      for (const MeasuredFigure &item : list)
        out.object([&] {
          out.attribute("kind", item.kind);
          out.attribute("threads", item.threads);
          quantity(item.value, scales);
          out.attribute("spread", rounded(item.spread, 2));
        });
    });
  }

  void quantity(double value, ArrayRef<Scale> scales) {
    Scale scale = scaleOf(value, scales);
    out.attribute("value", rounded(value / scale.factor, 5));
    out.attribute("unit", scale.unit);
  }

  void provenance(Origin origin, StringRef source) {
    out.attribute("origin", name(origin));
    out.attribute("source", source);
  }

  json::OStream out;
};

} // namespace

void Device::write(raw_ostream &os) const {
  Writer(os).write(*this);
  os << '\n';
}
