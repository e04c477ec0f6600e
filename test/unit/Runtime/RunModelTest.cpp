//===- RunModelTest.cpp - how long a model's kernels take
//------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/RunModel.h"
#include "HostTest.h"
#include "mlir/Parser/Parser.h"
#include "roofline/Runtime/MadeUp.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline::runtime;

namespace {

/// One product, whose kernel takes about a microsecond.
class RunModel : public HostTest {
protected:
  void SetUp() override {
    module = mlir::parseSourceString<mlir::ModuleOp>(R"(
      func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>)
          -> tensor<4x4xf32> {
        %y = rl.contract "mk,kn->mn"(%a, %b)
            : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
        return %y : tensor<4x4xf32>
      })",
                                                     &context);
    ASSERT_TRUE(module);
    function = *module->getOps<mlir::func::FuncOp>().begin();
    compiler = cantFail(HostCompiler::create({}));
    program = Program::build(function, *compiler);
    ASSERT_EQ(program.steps().size(), 1U);
    ASSERT_EQ(program.steps()[0].error, "");
    options.measure.minSamples = options.measure.maxSamples = 5;
    options.measure.maxWarmUp = 1;
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  std::unique_ptr<HostCompiler> compiler;
  Program program;
  RunOptions options;
};

TEST_F(RunModel, BatchesShortCalls) {
  Expected<Measurement> measured = measureStep(program.steps()[0], options);
  ASSERT_TRUE(bool(measured)) << toString(measured.takeError());
  EXPECT_GT(measured->batch, 1U);
}

// A pause before each call of a batch would take hundreds of times as long.
TEST_F(RunModel, OneCallASampleAfterAPause) {
  options.pauseSeconds = 1e-3;
  Expected<Measurement> measured = measureStep(program.steps()[0], options);
  ASSERT_TRUE(bool(measured)) << toString(measured.takeError());
  EXPECT_EQ(measured->batch, 1U);
  EXPECT_EQ(measured->cpu.count, 5U);
  EXPECT_LT(measured->cpu.median, 1e-3); // without the pause
}

TEST_F(RunModel, TooFewCallsAfterAPauseAreAnError) {
  options.pauseSeconds = 1e-2;
  options.measure.maxSeconds = 1e-2;
  Expected<Measurement> measured = measureStep(program.steps()[0], options);
  ASSERT_FALSE(bool(measured));
  std::string text = toString(measured.takeError());
  EXPECT_NE(text.find("calls after pauses were measured in 0.01 seconds, not "
                      "5"),
            std::string::npos)
      << text;
}

// Of a step within a run wall time alone is known; of the run both are.
TEST_F(RunModel, StepsOfARunHaveWallTimes) {
  std::vector<Tensor> inputs;
  for (mlir::Type type : function.getArgumentTypes())
    inputs.push_back(
        cantFail(makeUp(cast<mlir::RankedTensorType>(type), /*seed=*/1)));
  Expected<ProgramTimes> times = measureProgram(
      program, inputs,
      [](StringRef, mlir::RankedTensorType type) {
        return Tensor::create(type);
      },
      options);
  ASSERT_TRUE(bool(times)) << toString(times.takeError());
  EXPECT_EQ(times->whole.cpu.count, 5U);
  EXPECT_FALSE(times->whole.byWall);
  ASSERT_EQ(times->steps.size(), 1U);
  const Measurement &step = times->steps[0];
  EXPECT_TRUE(step.byWall);
  EXPECT_TRUE(step.cpuSamples.empty());
  EXPECT_TRUE(step.hasSamples());
  EXPECT_EQ(step.judged().median, step.wall.median);
  EXPECT_LE(step.wall.median, times->whole.wall.max);
}

} // namespace
