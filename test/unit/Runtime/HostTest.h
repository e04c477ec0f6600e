//===- HostTest.h - what tests of host kernels begin with -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TEST_UNIT_RUNTIME_HOSTTEST_H
#define ROOFLINE_TEST_UNIT_RUNTIME_HOSTTEST_H

#include "mlir/IR/MLIRContext.h"
#include "roofline/Runtime/Program.h"
#include <gtest/gtest.h>

namespace roofline::runtime {

/// The same numbers every time (Numerical Recipes' generator).
class Numbers {
public:
  uint32_t operator()() {
    state = state * 1664525 + 1013904223;
    return state >> 16;
  }

private:
  uint32_t state = 1;
};

/// A context with all that kernels are lowered through.
class HostContext {
protected:
  HostContext() {
    mlir::DialectRegistry registry;
    registerHostDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// For models without any.
  static llvm::Expected<Tensor> noWeights(llvm::StringRef name,
                                          mlir::RankedTensorType) {
    return llvm::createStringError("no weight '" + name + "'");
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

class HostTest : public testing::Test, protected HostContext {};

} // namespace roofline::runtime

#endif // ROOFLINE_TEST_UNIT_RUNTIME_HOSTTEST_H
