//===- Register.h - cost models for upstream dialects -----------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_MODELS_REGISTER_H
#define ROOFLINE_MODELS_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace roofline {

/// Makes each upstream dialect bring its cost models when it is loaded. Loads
/// no dialect itself.
void registerModels(mlir::DialectRegistry &registry);

} // namespace roofline

#endif // ROOFLINE_MODELS_REGISTER_H
