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
//                               + Σ bytes written · w(distance)) + far
//
// where `distance` is what is touched between two uses of those bytes. Where
// operands are packed the three phases come after each other:
//
//   call + Σ amount · cost of packed arithmetic
//        + max(Σ amount · cost of packing, Σ bytes read · r(distance))
//        + max(amount · cost of stores, Σ bytes written · w(distance)) + far
//
// `far` is what operands take beyond that where they were driven from the
// nearest caches: for each, by its distance,
//
//   bytes · byte + first bytes · head_byte + operand + pieces · piece
//
// or, of what arithmetic reads where it lies, pieces · piece_in_place.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_COST_KERNELMODEL_H
#define ROOFLINE_COST_KERNELMODEL_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roofline {

/// Where what a kernel reads and writes was left: bytes by how many are touched
/// between two uses of them, their own among those, and how long that is.
struct KernelReuse {
  struct Share {
    double bytes, distance;
    double seconds = 0;
  };
  std::vector<Share> read, written;
  std::optional<Share> code; ///< none: a call like the one before
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
    /// In how many runs of bytes that lie side by side operands are read, in
    /// order, and, last, results are written; where none are given all lie so.
    std::vector<double> pieces = {};
    /// Of these operands, which arithmetic reads where they lie: it waits for
    /// their pieces. Where none are given none is.
    std::vector<bool> readInPlace = {};
    /// Of threads that share it, the share of the one that has the most to do:
    /// amounts are its own.
    double share = 1;
    /// The same of what it reads and, last, writes, in the order of `pieces`:
    /// threads that have rows of a product each read all of its columns. Where
    /// none are given it is `share` of all.
    std::vector<double> shares = {};
    double handovers = 0; ///< how often work is handed to other threads
    /// What the kernel writes and reads again itself, and what it touches
    /// between the two.
    double scratchBytes = 0, scratchDistance = 0;
    /// What else it touches of its own, in the nearer caches: packed operands,
    /// a plane with its border.
    double bufferBytes = 0;
  };
  std::vector<Part> parts; ///< several of a fused kernel
  double bytesRead = 0, bytesWritten = 0;
  bool streams = false; ///< results are written past the caches

  /// Of what is read and written, that thread's.
  double share() const;
  /// The same of operand `i`.
  double shareOfOperand(size_t i) const;
  double handovers() const;
  /// What it touches besides operands and results.
  double ownBytes() const;

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

/// What operands take that aren't near, beyond what near ones take: seconds by
/// distance.
struct FarCosts {
  enum Term : uint8_t {
    Byte,
    HeadByte, ///< of an operand's first `headBytes`: fetching ahead sets in
    Operand,
    Piece, ///< bytes that lie side by side: fetching ahead ends at their end
    PieceInPlace ///< the same of what arithmetic waits for
  };
  static constexpr unsigned numTerms = 5;
  static constexpr double headBytes = 256 << 10;
  ByteCosts terms[numTerms];
};

/// The amounts that far costs are counted by, of an operand or a result.
struct FarShare {
  bool isWrite;
  double distance; ///< with what others bring into the caches meanwhile
  double amounts[FarCosts::numTerms];
};

struct KernelTime {
  double call = 0; ///< seconds, as the next
  /// Arithmetic on packed operands, which are in the caches.
  double packed = 0;
  double packing = 0, storing = 0; ///< before and after it
  double compute = 0;              ///< all other work
  double reading = 0, writing = 0; ///< what memory takes
  double far = 0; ///< what it takes beyond that where operands aren't near
  double wasted[3] = {}; ///< of all work, by cause
  bool isMap = false;    ///< and nothing else
  /// Of `writing`: what lines cost that are read before they are written.
  double writeAllocate = 0;
  /// How far off the sweep's own shapes nine of ten predictions are at most.
  double error = 0;
  double work() const { return packed + packing + storing + compute; }
  double memory() const { return reading + writing; }
  /// How much of `far` goes on beside the work of a map, whose vectors don't
  /// depend on each other, where that takes longer than near operands.
  double hides() const;
  double seconds() const;
};

/// Of kernels that so many threads may share.
struct KernelModel {
  unsigned vectorBits = 0; ///< what kernels were compiled for
  int64_t threads = 1;
  double handoverSeconds = 0; ///< giving work to threads and waiting for them
  double callSeconds = 0;     ///< of a kernel that is called again and again
  /// What a call takes more whose code and constants come from memory, by
  /// kernel.
  std::map<std::string, double> farCalls;
  double farCallSeconds = 0; ///< the same of other kernels
  /// How much of that by how far off the code is.
  ByteCosts farCallShare;
  ByteCosts read, write;
  FarCosts farRead, farWrite;
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
  /// The kinds of kernels whose code and constants a call needs, each once.
  static std::set<std::string> codeOf(const KernelFeatures &features);
  /// A call among others.
  double callOf(const KernelFeatures &features, const KernelReuse &reuse) const;
  /// What it takes more at most.
  double farCallOf(const KernelFeatures &features) const;
  /// A distance with what others bring into the caches meanwhile.
  double distanceOf(const KernelReuse::Share &share) const {
    return share.distance + foreignBytesPerSecond * share.seconds;
  }
  /// A kernel's operands and results as far costs take them.
  std::vector<FarShare> farShares(const KernelFeatures &features,
                                  const KernelReuse &reuse) const;

  llvm::json::Object toJSON() const;
  /// The reverse; an error names the field.
  static llvm::Expected<KernelModel> fromJSON(const llvm::json::Object &object);
};

/// Costs ≥ 0 that make `Σ amounts[i][j] · cost[j]` come near `seconds[i]` for
/// all i, in relative terms: least squares of what is left over `scales[i]`.
std::vector<double> fitCosts(const std::vector<std::vector<double>> &amounts,
                             const std::vector<double> &seconds,
                             const std::vector<double> &scales);

} // namespace roofline

#endif // ROOFLINE_COST_KERNELMODEL_H
