//===- Statistics.h - figures that sum up samples ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times on a shared machine have a long tail, so what is judged is a median and
// how far apart the middle half lies, not a mean and a standard deviation.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_STATISTICS_H
#define ROOFLINE_RUNTIME_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

namespace roofline::runtime {

/// The value below which a part `fraction` (0 to 1) of the sorted samples lies:
/// at place fraction · (n − 1), counted from 0, on the straight line between
/// the two samples beside it (what numpy and R's type 7 do). 0 without samples.
double quantile(llvm::ArrayRef<double> sorted, double fraction);

/// The mean of the middle half of samples in any order: of a machine that is
/// now in one state, now in another, between the two, where a median is one of
/// them. 0 without samples.
double middleMean(llvm::ArrayRef<double> samples);

struct Statistics {
  size_t count = 0;
  double min = 0;
  double max = 0;
  double mean = 0;
  double median = 0; ///< quantile 0.5
  double p95 = 0;    ///< quantile 0.95
  double p99 = 0;    ///< quantile 0.99
  /// (quantile 0.75 − quantile 0.25) / median: how wide the middle half of the
  /// samples is. 0 where the median is.
  double spread = 0;

  /// Of samples in any order; all 0 without samples.
  static Statistics of(llvm::ArrayRef<double> samples);
};

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_STATISTICS_H
