//===- Report.h - the one report object -------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything a report says, as plain values; the writers in Writers.h are views
// of it. Its fields are those of the JSON form (docs/report-format.md).
// Nothing here knows of MLIR or ONNX. std::nullopt is "unknown", never 0.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_REPORT_REPORT_H
#define ROOFLINE_REPORT_REPORT_H

#include "roofline/Cost/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace roofline {

struct Measured;

struct Report {
  /// One dimension: a number, a formula in dimension names, or unknown.
  using Dim = std::optional<Expr>;
  struct Tensor {
    std::string name;
    bool ranked = true; ///< false: the shape itself is unknown (null)
    std::vector<Dim> shape;
    llvm::StringRef type; ///< "f16"; a literal
    Role role = Role::Activation;
  };
  /// Operations by class and type, in the order of both. An op has one or two.
  class FlopsByClass {
  public:
    struct Entry {
      ComputeClass cls;
      ElementType type;
      Int count;
    };
    void add(ComputeClass cls, ElementType type, const Int &count) {
      auto *at = llvm::find_if(entries, [&](const Entry &entry) {
        return std::tie(entry.cls, entry.type) >= std::tie(cls, type);
      });
      if (at != entries.end() && at->cls == cls && at->type == type)
        at->count += count;
      else
        entries.insert(at, {cls, type, count});
    }
    llvm::ArrayRef<Entry> all() const { return entries; }

  private:
    llvm::SmallVector<Entry, 1> entries;
  };

  struct Op {
    unsigned index = 0;
    std::string name, opType, domain, scope;
    std::optional<Int> times = Int(1);
    std::string timesFormula; ///< where `times` isn't known
    std::vector<Tensor> inputs, outputs;
    std::optional<Int> flops, flopsMin, flopsCausal;
    std::string flopsFormula, bytesFormula; ///< "" where there is none
    FlopsByClass flopsByClass;
    std::optional<Int> bytesRead, bytesWritten;
    bool dataDependent = false;
    bool covered = true; ///< false for an opaque op
    double launches = 0;
    Placement placement; ///< all unknown where the work is
    std::string sentence;
    std::optional<unsigned> fusionGroup;
  };

  struct FusionGroup {
    unsigned id = 0;
    std::vector<unsigned> ops;
    std::string
        kind; ///< "elementwise", "softmax", "norm", "reduction", "epilogue" …
    std::optional<Int> bytesBefore, bytesAfter, bytesSaved;
    std::optional<double> secondsBefore, secondsAfter, secondsSaved, speedup;
    std::optional<double>
        flops;             ///< of the whole group, for its place in a chart
    std::string blockedBy; ///< why it ends where it does; "" is null
  };

  struct Diagnostic {
    std::string rule, severity;
    std::vector<unsigned> ops;
    std::string message, fix;
    std::optional<double> secondsSaved, speedup;
  };

  struct Warning {
    std::string node; ///< "" is null
    std::string message;
  };

  struct TrafficModel {
    std::optional<Int> bytes;
    std::optional<double> seconds;
  };

  struct Uncovered {
    std::string opType, domain;
    unsigned count = 0;
  };

  struct Model {
    std::string name, source;
    std::optional<int64_t> irVersion;
    std::map<std::string, int64_t> opsets;
    std::optional<Int> parameters, parameterBytes;
  } model;

  Device device;
  PlacementOptions options;
  std::map<std::string, Int> dims; ///< what each name was bound to

  struct Totals {
    std::optional<Int> flops, bytesRead, bytesWritten, peakMemoryBytes;
    FlopsByClass flopsByClass;
    std::map<Role, Int> bytesByRole;
    std::optional<double> seconds, launches;
    TrafficModel unfused, fused, compulsory;
    std::optional<std::pair<double, double>> secondsInterval;
    std::optional<bool> fits;
    std::string flopsFormula, bytesFormula; ///< "" is null
    bool complete = true, upperBound = false;
    std::vector<Uncovered> uncovered;
    std::vector<std::string> unboundDims;
    /// The flags that would bind them, ready to copy ("--dim=batch=…").
    std::vector<std::string> bindFlags;
  } totals;

  std::vector<Warning> warnings;
  std::vector<Op> ops;
  std::vector<FusionGroup> fusionGroups;
  std::vector<Diagnostic> diagnostics;
  /// What a run measured (Measured.h); null where nothing was.
  std::shared_ptr<const Measured> measured;
};

} // namespace roofline

#endif // ROOFLINE_REPORT_REPORT_H
