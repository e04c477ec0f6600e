//===- Device.cpp - ceilings, levels and ridges ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

static const ComputeCeiling *exactCeiling(ArrayRef<ComputeCeiling> ceilings,
                                          ComputeClass cls, ElementType type) {
  auto it = find_if(ceilings, [&](const ComputeCeiling &ceiling) {
    return ceiling.cls == cls && ceiling.type == type;
  });
  return it == ceilings.end() ? nullptr : &*it;
}

/// The first ceiling along the chain of wider types that `find` knows.
static const ComputeCeiling *
firstAlongTypes(ElementType type,
                function_ref<const ComputeCeiling *(ElementType)> find) {
  while (true) {
    if (const ComputeCeiling *found = find(type))
      return found;
    ElementType next = wider(type);
    if (next == type)
      return nullptr;
    type = next;
  }
}

const ComputeCeiling *Device::ceiling(ComputeClass cls,
                                      ElementType type) const {
  auto own = [&](ElementType t) { return exactCeiling(compute, cls, t); };
  auto vector = [&](ElementType t) {
    return exactCeiling(compute, ComputeClass::Vector, t);
  };
  // Products of a type that the tensor pipes lack run on the vector pipes in
  // that type, before either takes a wider one: f32 on a GPU without TF32.
  if (cls == ComputeClass::Matmul)
    return firstAlongTypes(type, [&](ElementType t) {
      const ComputeCeiling *found = own(t);
      return found ? found : vector(t);
    });
  if (const ComputeCeiling *found = firstAlongTypes(type, own))
    return found;
  return cls == ComputeClass::Vector ? nullptr : firstAlongTypes(type, vector);
}

const KernelModel *Device::kernelsFor(int64_t threads) const {
  auto found = find_if(kernels, [&](const KernelModel &model) {
    return model.threads == threads;
  });
  return found == kernels.end() ? nullptr : &*found;
}

void Device::addKernels(KernelModel model) {
  erase_if(kernels, [&](const KernelModel &other) {
    return other.threads == model.threads;
  });
  kernels.push_back(std::move(model));
  sort(kernels, [](const KernelModel &x, const KernelModel &y) {
    return x.threads < y.threads;
  });
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
