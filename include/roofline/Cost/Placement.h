//===- Placement.h - where work lands on a device's roofline ----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_COST_PLACEMENT_H
#define ROOFLINE_COST_PLACEMENT_H

#include "roofline/Cost/Device.h"
#include <memory>

namespace roofline {

enum class Bound : uint8_t { Compute, Memory, Overhead, None, Unknown };
llvm::StringRef name(Bound bound);

struct PlacementOptions {
  bool allowTF32 = false; ///< f32 products use the tf32 ceiling
  int64_t threads = 1;    ///< that share a kernel of the device's own
  /// Each op alone, again and again: its operands are where its last call left
  /// them, not where the other ops of a run do.
  bool alone = false;
};

/// Numbers that placement needs of one op's work, all bound.
struct BoundWork {
  struct Term {
    ComputeClass cls;
    ElementType type;
    double count;
  };
  llvm::SmallVector<Term, 2> flops;
  double bytes = 0;
  double launches = 0;
  double times = 1; ///< trips; counts above are for one
};

/// What the device's own kernels take beyond the roof, by cause, in seconds;
/// for a placement that is theirs (KernelModel.h).
struct KernelGap {
  double roof = 0;       ///< what the roofs alone allow
  double launch = 0;     ///< the call
  double tiles = 0;      ///< register tiles left over at the edges
  double packing = 0;    ///< operands copied to where they are read in order
  double vectors = 0;    ///< vectors filled in part
  double cacheLevel = 0; ///< bytes from another level than DRAM: < 0 if nearer
  double writeAllocate = 0; ///< lines read before they are written
  double error = 0;         ///< relative, of nine predictions in ten
};

struct Placement {
  Bound bound = Bound::Unknown;
  /// What is exhausted first: "dram", "matmul:f16", "launch"; empty for none.
  std::string limiter;
  std::optional<double> intensity;  ///< FLOP per DRAM byte; nothing if no bytes
  std::optional<double> attainable; ///< FLOP/s, min(P, B·I)
  std::optional<double> seconds;    ///< max(compute, memory) + launch
  /// There if `seconds` is what the device's own kernels are expected to take:
  /// its file has a model of them.
  std::shared_ptr<const KernelGap> gap;
  double computeSeconds = 0; ///< the slowest class
  double memorySeconds = 0;  ///< bytes / B
  double launchSeconds = 0;
  /// The ceiling that stood in, where the device lacks the type: "f32" for
  /// bf16.
  std::optional<ElementType> usedType;
};

/// The ceiling for work of (`cls`, `type`): the device's, or the tf32 one where
/// the options give it to f32 products. Null where there is none.
const ComputeCeiling *ceilingFor(ComputeClass cls, ElementType type,
                                 const Device &device,
                                 const PlacementOptions &options);

/// time = max over classes of flops/P, over levels of bytes/B, plus launches;
/// times `times`. Work that is all zero has Bound::None and 0 seconds.
Placement place(const BoundWork &work, const Device &device,
                const PlacementOptions &options = {});

} // namespace roofline

#endif // ROOFLINE_COST_PLACEMENT_H
