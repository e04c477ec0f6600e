//===- Placement.cpp - where work lands on a device's roofline ------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace roofline;

StringRef roofline::name(Bound bound) {
  switch (bound) {
  case Bound::Compute:
    return "compute";
  case Bound::Memory:
    return "memory";
  case Bound::Overhead:
    return "overhead";
  case Bound::None:
    return "none";
  case Bound::Unknown:
    return "unknown";
  }
  llvm_unreachable("unknown bound");
}

namespace {

/// The time of one class: its terms share the class's pipes, so they add up.
struct ClassTime {
  double seconds = 0;
  double longestTerm = 0;
  const BoundWork::Term *dominant = nullptr;
  const ComputeCeiling *ceiling = nullptr; // of the dominant term
};

/// The times of all classes.
struct ComputeTime {
  ClassTime classes[numComputeClasses];
  bool known = true; // false: the device has no ceiling for some term
  double operations = 0;
  unsigned terms = 0;

  const ClassTime &slowest() const {
    return *std::max_element(std::begin(classes), std::end(classes),
                             [](const ClassTime &a, const ClassTime &b) {
                               return a.seconds < b.seconds;
                             });
  }
};

} // namespace

const ComputeCeiling *roofline::ceilingFor(ComputeClass cls, ElementType type,
                                           const Device &device,
                                           const PlacementOptions &options) {
  if (options.allowTF32 && cls == ComputeClass::Matmul &&
      type == ElementType::F32) {
    const ComputeCeiling *tf32 = device.ceiling(cls, ElementType::TF32);
    if (tf32 && tf32->cls == cls && tf32->type == ElementType::TF32)
      return tf32;
  }
  return device.ceiling(cls, type);
}

static ComputeTime timeCompute(const BoundWork &work, const Device &device,
                               const PlacementOptions &options) {
  ComputeTime result;
  for (const BoundWork::Term &term : work.flops) {
    if (term.count == 0)
      continue;
    result.operations += term.count;
    ++result.terms;
    const ComputeCeiling *ceiling =
        ceilingFor(term.cls, term.type, device, options);
    if (!ceiling) {
      result.known = false;
      continue;
    }
    ClassTime &time = result.classes[static_cast<unsigned>(term.cls)];
    double seconds = term.count / ceiling->perSecond;
    time.seconds += seconds;
    if (!time.dominant || seconds > time.longestTerm) {
      time.longestTerm = seconds;
      time.dominant = &term;
      time.ceiling = ceiling;
    }
  }
  return result;
}

/// "matmul:f16".
static std::string limiterName(const BoundWork::Term &term) {
  return (name(term.cls) + ":" + name(term.type)).str();
}

/// Names the bound; the times are known.
static void nameBound(Placement &result, const ClassTime &slowest) {
  if (result.launchSeconds >
      std::max(result.computeSeconds, result.memorySeconds)) {
    result.bound = Bound::Overhead;
    result.limiter = "launch";
  } else if (slowest.dominant &&
             result.computeSeconds >= result.memorySeconds) {
    result.bound = Bound::Compute;
    result.limiter = limiterName(*slowest.dominant);
  } else {
    result.bound = Bound::Memory;
    result.limiter = "dram";
  }
}

Placement roofline::place(const BoundWork &work, const Device &device,
                          const PlacementOptions &options) {
  Placement result;
  ComputeTime compute = timeCompute(work, device, options);
  if (work.times == 0 ||
      (compute.terms == 0 && work.bytes == 0 && work.launches == 0)) {
    result.bound = Bound::None;
    result.seconds = 0;
    return result;
  }

  if (work.bytes != 0)
    result.intensity = compute.operations / work.bytes;
  const MemoryLevel *dram = device.dram();
  double memorySeconds =
      dram && work.bytes != 0 ? work.bytes / dram->bytesPerSecond : 0;
  result.memorySeconds = work.times * memorySeconds;
  result.launchSeconds = work.times * work.launches * device.launchSeconds;

  const ClassTime &slowest = compute.slowest();
  if (slowest.dominant && slowest.ceiling->type != slowest.dominant->type)
    result.usedType = slowest.ceiling->type;
  if (!compute.known || (work.bytes != 0 && !dram))
    return result; // Bound::Unknown
  result.computeSeconds = work.times * slowest.seconds;

  if (compute.terms != 0) {
    // The roof over this mix of work; one term's is the ceiling itself.
    double peak = compute.terms == 1 ? slowest.ceiling->perSecond
                                     : compute.operations / slowest.seconds;
    result.attainable = peak;
    if (work.bytes != 0)
      result.attainable =
          std::min(peak, dram->bytesPerSecond * *result.intensity);
  } else if (work.bytes != 0) {
    result.attainable = 0;
  }
  result.seconds = std::max(result.computeSeconds, result.memorySeconds) +
                   result.launchSeconds;
  nameBound(result, slowest);
  return result;
}
