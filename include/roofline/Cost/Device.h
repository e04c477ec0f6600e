//===- Device.h - a device as a ladder of ceilings --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device is data (devices/*.json): compute ceilings by class and element
// type, memory levels with bandwidth and capacity, a launch overhead. Every
// figure has a unit, an origin and a source.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_COST_DEVICE_H
#define ROOFLINE_COST_DEVICE_H

#include "roofline/Cost/KernelModel.h"
#include "roofline/Cost/Work.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace roofline {

/// Where a figure comes from.
enum class Origin : uint8_t { Datasheet, Derived, Estimate, Measured };
llvm::StringRef name(Origin origin);
std::optional<Origin> parseOrigin(llvm::StringRef name);

/// One of the measurements that a figure was chosen from.
struct MeasuredFigure {
  std::string kind; ///< what ran: "fma", "read", "copy (streaming)" …
  unsigned threads; ///< how many threads ran it, each on a core of its own
  double value;     ///< of all threads together, in base units
  double spread;    ///< quartile range over median of the samples
};

struct ComputeCeiling {
  ComputeClass cls;
  ElementType type;
  double perSecond; ///< operations per second, dense
  Origin origin;
  std::string source;
  std::vector<MeasuredFigure> measured = {};
};

struct MemoryLevel {
  std::string level; ///< "dram", "l2", "l1" …
  double bytesPerSecond = 0;
  std::optional<int64_t> capacityBytes;
  Origin origin = Origin::Estimate; ///< of the bandwidth, as is the source
  std::string source;
  Origin capacityOrigin = Origin::Datasheet;
  std::string capacitySource; ///< empty where there is no capacity
  std::vector<MeasuredFigure> measured = {};
};

struct Device {
  std::string name;   ///< as --device takes it, "h100-sxm"
  std::string vendor; ///< "NVIDIA"
  std::string title;  ///< "NVIDIA H100 SXM5 80 GB"
  std::string kind;   ///< "gpu", "cpu", "npu"
  std::vector<ComputeCeiling> compute;
  std::vector<MemoryLevel> memory; ///< outermost ("dram") first
  double launchSeconds = 0;        ///< between back-to-back kernels
  Origin launchOrigin = Origin::Estimate;
  std::string launchSource;
  std::vector<MeasuredFigure> launchMeasured;
  /// What the figures were measured on; empty where none was. For people, and
  /// to tell whether two measurements can be compared: no formula reads it.
  llvm::json::Object environment;

  /// How long this project's own kernels take on it, for each number of threads
  /// that a sweep was run with.
  std::vector<KernelModel> kernels;

  /// Those of `threads`; null where no sweep was run with so many.
  const KernelModel *kernelsFor(int64_t threads) const;
  /// Adds a model, in place of one of as many threads.
  void addKernels(KernelModel model);

  /// The ceiling for work of (`cls`, `type`). Products: the class's own for the
  /// type, else the vector pipes', then the same for each wider type. Special
  /// functions: their own pipes along the wider types, then the vector pipes.
  /// Null where none is.
  const ComputeCeiling *ceiling(ComputeClass cls, ElementType type) const;
  const MemoryLevel *dram() const;
  /// Ridge I* = P / B in FLOP/byte for (`cls`, `type`) against DRAM.
  std::optional<double> ridge(ComputeClass cls, ElementType type) const;

  /// Reads a device file's text; errors name `file`, the field and the cause.
  static llvm::Expected<Device> parse(llvm::StringRef text,
                                      llvm::StringRef file);
  /// Writes what `parse` reads.
  void write(llvm::raw_ostream &os) const;
};

/// The bundled devices' names (compiled in), sorted.
std::vector<llvm::StringRef> bundledDeviceNames();
/// A bundled device by name, "host" for this machine as the user has it
/// calibrated, else the device file at that path. An error lists near matches.
llvm::Expected<Device> findDevice(llvm::StringRef nameOrFile);

/// Where `rl-run calibrate` keeps this machine's device: in the user's folder
/// of configurations; empty where the system names none.
std::string hostDevicePath();

/// Names in `candidates` close to `word`, best first, for "did you mean".
std::vector<std::string>
nearMatches(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace roofline

#endif // ROOFLINE_COST_DEVICE_H
