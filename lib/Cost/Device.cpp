//===- Device.cpp - ceilings, levels and ridges ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Device.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace roofline;

StringRef roofline::name(Origin origin) {
  switch (origin) {
  case Origin::Datasheet:
    return "datasheet";
  case Origin::Derived:
    return "derived";
  case Origin::Estimate:
    return "estimate";
  case Origin::Measured:
    return "measured";
  }
  llvm_unreachable("unknown origin");
}

std::optional<Origin> roofline::parseOrigin(StringRef name) {
  return StringSwitch<std::optional<Origin>>(name)
      .Case("datasheet", Origin::Datasheet)
      .Case("derived", Origin::Derived)
      .Case("estimate", Origin::Estimate)
      .Case("measured", Origin::Measured)
      .Default(std::nullopt);
}

/// The class's ceiling for `type` or the next wider type that it has.
static const ComputeCeiling *ceilingInClass(ArrayRef<ComputeCeiling> ceilings,
                                            ComputeClass cls,
                                            ElementType type) {
  while (true) {
    for (const ComputeCeiling &ceiling : ceilings)
      if (ceiling.cls == cls && ceiling.type == type)
        return &ceiling;
    ElementType next = wider(type);
    if (next == type)
      return nullptr;
    type = next;
  }
}

const ComputeCeiling *Device::ceiling(ComputeClass cls,
                                      ElementType type) const {
  if (const ComputeCeiling *own = ceilingInClass(compute, cls, type))
    return own;
  if (cls == ComputeClass::Vector)
    return nullptr;
  return ceilingInClass(compute, ComputeClass::Vector, type);
}

const MemoryLevel *Device::dram() const {
  auto it = find_if(
      memory, [](const MemoryLevel &level) { return level.level == "dram"; });
  return it == memory.end() ? nullptr : &*it;
}

std::optional<double> Device::ridge(ComputeClass cls, ElementType type) const {
  const ComputeCeiling *peak = ceiling(cls, type);
  const MemoryLevel *level = dram();
  if (!peak || !level)
    return std::nullopt;
  return peak->perSecond / level->bytesPerSecond;
}
