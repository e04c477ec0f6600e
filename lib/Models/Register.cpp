//===- Register.cpp - cost models for upstream dialects -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Models/Register.h"
#include "Models.h"

void roofline::registerModels(mlir::DialectRegistry &registry) {
  models::registerAffineModels(registry);
  models::registerArithModels(registry);
  models::registerBufferizationModels(registry);
  models::registerBuiltinModels(registry);
  models::registerControlFlowModels(registry);
  models::registerIndexModels(registry);
  models::registerLinalgModels(registry);
  models::registerMathModels(registry);
  models::registerMemRefModels(registry);
  models::registerMLProgramModels(registry);
  models::registerSCFModels(registry);
  models::registerTensorModels(registry);
  models::registerTosaModels(registry);
}
