//===- DeviceFromIR.h - a device given as a DLTI attribute ------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_ANALYSIS_DEVICEFROMIR_H
#define ROOFLINE_ANALYSIS_DEVICEFROMIR_H

#include "mlir/IR/Operation.h"
#include "roofline/Cost/Device.h"

namespace roofline {

/// The device that a module's `dlti.target_system_spec` describes; nothing
/// where it has none with ceilings. docs/embedding.md has an example; the
/// keys:
///
///   "peak_flops" = map of element types (matmul, and vector unless that is
///                  given) and of classes to maps of element types; operations
///                  per second
///   "memory"     = map of levels to maps with "bandwidth" in bytes per second
///                  and, where known, "capacity" in bytes
///   "launch_seconds"
llvm::Expected<std::optional<Device>> deviceFromIR(mlir::Operation *module);

/// The device to use: `nameOrFile` if given, else the module's own, else
/// the default, h100-sxm.
llvm::Expected<Device> chooseDevice(llvm::StringRef nameOrFile,
                                    mlir::Operation *module);

} // namespace roofline

#endif // ROOFLINE_ANALYSIS_DEVICEFROMIR_H
