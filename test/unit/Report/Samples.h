//===- Samples.h - reports built by hand for the tests ----------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TEST_UNIT_REPORT_SAMPLES_H
#define ROOFLINE_TEST_UNIT_REPORT_SAMPLES_H

#include "roofline/Report/Report.h"

namespace roofline::samples {

/// A device of round numbers: f16 products 100 TFLOP/s, f16 and f32 vectors 10,
/// f32 products 50, tf32 80; DRAM 1 TB/s of 16 GB, L2 4 TB/s; launch 1 µs. Its
/// ridge for f16 products is 100.
Device device();

/// Builds a report op by op and keeps its totals.
class Builder {
public:
  explicit Builder(llvm::StringRef model, Device device = samples::device());

  struct Flop {
    ComputeClass cls;
    ElementType type;
    int64_t count;
  };
  Report::Op &op(llvm::StringRef name, llvm::StringRef type,
                 llvm::ArrayRef<Flop> flops, int64_t read, int64_t written,
                 double launches = 1);
  /// An op of which nothing but its outputs is known.
  Report::Op &opaque(llvm::StringRef name, llvm::StringRef type,
                     llvm::StringRef domain);
  /// Marks the ops of `indices` as one kernel that moves `bytesAfter`.
  Report::FusionGroup &fuse(llvm::StringRef kind, std::vector<unsigned> indices,
                            int64_t bytesAfter);
  Report take();

private:
  Report report;
};

/// A product, an add and a view, each figure easy by hand.
Report tiny();
/// Five ops with a fusion group.
Report five(Device device = samples::device());
/// A decoder-only transformer's forward pass of `layers` layers.
Report transformer(unsigned layers, Device device = samples::device());
/// `count` ops of every kind and size, by a fixed generator.
Report crowd(unsigned count, Device device = samples::device());
/// Nothing bound: formulas, an opaque op, a warning, names of odd bytes.
Report open();

} // namespace roofline::samples

#endif // ROOFLINE_TEST_UNIT_REPORT_SAMPLES_H
