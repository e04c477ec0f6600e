//===- Entry.h - the function that a pass works on --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TRANSFORMS_ENTRY_H
#define ROOFLINE_TRANSFORMS_ENTRY_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "roofline/Cost/Device.h"
#include "llvm/Support/Error.h"

namespace roofline {

/// The function called `entry`, or with an empty name the single public one.
/// Errors list what there is.
llvm::Expected<mlir::FunctionOpInterface> findEntryNamed(mlir::ModuleOp module,
                                                         llvm::StringRef entry);

/// What a pass that places ops works on.
struct PlacementTarget {
  mlir::FunctionOpInterface func;
  Device device;
};

/// The function as above, and the device as `chooseDevice` finds it.
llvm::Expected<PlacementTarget> findPlacementTarget(mlir::ModuleOp module,
                                                    llvm::StringRef entry,
                                                    llvm::StringRef device);

} // namespace roofline

#endif // ROOFLINE_TRANSFORMS_ENTRY_H
