//===- BundledDevices.h - the device files compiled in ----------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_COST_BUNDLEDDEVICES_H
#define ROOFLINE_LIB_COST_BUNDLEDDEVICES_H

#include "llvm/ADT/ArrayRef.h"

namespace roofline {

struct BundledDevice {
  const char *name; ///< the file's stem
  const char *text;
};

/// Sorted by name; generated from devices/*.json.
llvm::ArrayRef<BundledDevice> bundledDevices();

} // namespace roofline

#endif // ROOFLINE_LIB_COST_BUNDLEDDEVICES_H
