//===- Parse.h - functions that tests are about -----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TEST_UNIT_ANALYSIS_PARSE_H
#define ROOFLINE_TEST_UNIT_ANALYSIS_PARSE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Dialect/RL/RL.h"

namespace roofline {

/// What `describe` says of the costs of the one function in `text`.
inline std::string
describeCosts(llvm::StringRef text,
              llvm::function_ref<std::string(const CostAnalysis &)> describe) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, rl::RLDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return "not parsed";
  return describe(CostAnalysis(*module->getOps<mlir::func::FuncOp>().begin()));
}

} // namespace roofline

#endif // ROOFLINE_TEST_UNIT_ANALYSIS_PARSE_H
