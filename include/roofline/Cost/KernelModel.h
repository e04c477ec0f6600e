//===- KernelModel.h - how long a device's own kernels take -----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A roofline says what no kernel can beat. How close a given compiler's kernels
// come is measured once on a device, by a sweep over shapes of its own: what a
// call costs, what each unit of work of a kind of kernel costs, and what a byte
// costs by the size of the set it is part of. A kernel's time is then
//
//   call + max(Σ amount · cost, Σ bytes read · r(distance)
//                               + Σ bytes written · w(distance))
//
// where `distance` is what is touched between two uses of those bytes. Where
// operands are packed the three phases come after each other:
//
//   call + Σ amount · cost of packed arithmetic
//        + max(Σ amount · cost of packing, Σ bytes read · r(distance))
//        + max(amount · cost of stores, Σ bytes written · w(distance))
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_COST_KERNELMODEL_H
#define ROOFLINE_COST_KERNELMODEL_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roofline {

/// Where what a kernel reads and writes was left: bytes by how many are touched
/// between two uses of them, their own among those.
struct KernelReuse {
  struct Share {
    double bytes, distance;
  };
  std::vector<Share> read, written;
};

/// What a kernel does, in the terms of the model.
struct KernelFeatures {
  /// Why a kernel does more than its arithmetic.
  enum Cause : uint8_t {
    Tiles,   ///< register tiles that are left over at the edges
    Packing, ///< operands copied to where they are read in order
    Vectors  ///< vectors that a row's end fills in part
  };
  struct Waste {
    Cause cause;
    std::string unit;
    double amount; ///< of the part's amount of that unit
  };
  struct Part {
    std::string kernel; ///< a kind: "product", "map:add", "softmax:softmax"
    /// Units of work by name ("vector", "row"), each at most once.
    std::vector<std::pair<std::string, double>> amounts;
    std::vector<Waste> waste = {};
  };
  std::vector<Part> parts; ///< several of a fused kernel
  double bytesRead = 0, bytesWritten = 0;
  bool streams = false; ///< results are written past the caches

  /// Of a kernel that is called again and again.
  double workingSet() const { return bytesRead + bytesWritten; }
};

/// Seconds per byte by the size of the working set: linear between points in
/// the logarithm of the size, constant beyond the ends.
struct ByteCosts {
  std::vector<std::pair<double, double>> points; ///< bytes, seconds per byte

  double at(double bytes) const;
  /// The reverse: the least distance at which a byte costs so much, at most the
  /// last point's.
  double distanceAt(double seconds) const;
};

struct KernelTime {
  double call = 0; ///< seconds, as the next
  /// Arithmetic on packed operands, which are in the caches.
  double packed = 0;
  double packing = 0, storing = 0; ///< before and after it
  double compute = 0;              ///< all other work
  double reading = 0, writing = 0; ///< what memory takes
  double wasted[3] = {};           ///< of all work, by cause
  /// Of `writing`: what lines cost that are read before they are written.
  double writeAllocate = 0;
  /// How far off the sweep's own shapes nine of ten predictions are at most.
  double error = 0;
  double work() const { return packed + packing + storing + compute; }
  double memory() const { return reading + writing; }
  double seconds() const;
};

struct KernelModel {
  unsigned vectorBits = 0; ///< what kernels were compiled for
  double callSeconds = 0;  ///< of a kernel that is called again and again
  /// Of one whose code others have driven from the nearest caches meanwhile.
  double farCallSeconds = 0;
  ByteCosts read, write;
  double streamedWriteSeconds = 0; ///< a byte, past the caches
  /// Bytes a second that others bring into the caches this core shares with
  /// them: what lies there for long is gone.
  double foreignBytesPerSecond = 0;
  /// Seconds of a unit, by kernel and unit.
  std::map<std::string, std::map<std::string, double>> costs;
  /// By kernel, the relative error that nine of ten of the sweep's own shapes
  /// stay below.
  std::map<std::string, double> fitErrors;

  bool empty() const { return vectorBits == 0; }
  /// Nothing for a kernel the sweep didn't have. Without `reuse` of one that is
  /// called again and again on the same operands; with it of one among others.
  std::optional<KernelTime> predict(const KernelFeatures &features,
                                    const KernelReuse &reuse = {}) const;

  llvm::json::Object toJSON() const;
  /// The reverse; an error names the field.
  static llvm::Expected<KernelModel> fromJSON(const llvm::json::Object &object);
};

/// Costs ≥ 0 that make `Σ amounts[i][j] · cost[j]` come near `seconds[i]` for
/// all i, in relative terms (least squares of the ratio to 1).
std::vector<double> fitCosts(const std::vector<std::vector<double>> &amounts,
                             const std::vector<double> &seconds);

} // namespace roofline

#endif // ROOFLINE_COST_KERNELMODEL_H
