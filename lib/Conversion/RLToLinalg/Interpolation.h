//===- Interpolation.h - where a resized axis reads from -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_INTERPOLATION_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_INTERPOLATION_H

#include <cstdint>
#include <string>
#include <vector>

namespace roofline::lowering {

/// How one axis is resized, by ONNX's Resize.
struct AxisResize {
  int64_t from, to;
  double scale;            ///< as stated or, where sizes are, to / from
  std::string mode;        ///< nearest, linear, cubic
  std::string coordinates; ///< half_pixel …
  std::string rounding;    ///< of nearest
  double cubicA = -0.75;
  bool antialias = false, excludeOutside = false;
  double roiStart = 0, roiEnd = 1;
  double extrapolation = 0;
};

/// What each position of the resized axis reads: `taps` positions of the input
/// and their weights, after each other, or, where `outside`, none of it.
struct AxisTaps {
  int64_t taps = 0;
  std::vector<int64_t> indices;
  std::vector<double> weights;
  std::vector<bool> outside;
};

/// No taps where a mode isn't known.
AxisTaps tapsOf(const AxisResize &axis);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_INTERPOLATION_H
