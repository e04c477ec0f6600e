//===- RooflinePlugin.cpp - the passes in a stock mlir-opt ----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   mlir-opt --load-pass-plugin=RooflinePlugin.so \
//     --load-dialect-plugin=RooflinePlugin.so \
//     --pass-pipeline='builtin.module(rl-count-cost)' x.mlir
//
//===----------------------------------------------------------------------===//

#include "roofline/Dialect/RL/RL.h"
#include "roofline/Models/Register.h"
#include "roofline/Transforms/Passes.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

static void registerDialects(mlir::DialectRegistry *registry) {
  registry->insert<roofline::rl::RLDialect>();
  roofline::registerModels(*registry);
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Roofline", LLVM_VERSION_STRING,
          [] { roofline::registerPasses(); }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Roofline", LLVM_VERSION_STRING,
          registerDialects};
}
