//===- ProgramTest.cpp - kernels compiled, kept and run -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Program.h"
#include "HostTest.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline::runtime;

namespace {

class Programs : public HostTest {
protected:
  void SetUp() override {
    context.getDiagEngine().registerHandler(
        [](mlir::Diagnostic &) { return mlir::success(); });
    ASSERT_FALSE(sys::fs::createUniqueDirectory("roofline-kernels", folder));
  }
  void TearDown() override {
    EXPECT_FALSE(sys::fs::remove_directories(folder));
  }

  std::unique_ptr<HostCompiler> compiler(bool keeps = false) {
    HostCompilerOptions options;
    if (keeps)
      options.cacheFolder = folder.str().str();
    return cantFail(HostCompiler::create(options));
  }

  mlir::func::FuncOp parse(StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    return *module->getOps<mlir::func::FuncOp>().begin();
  }

  Tensor floats(ArrayRef<float> elements) {
    auto type = mlir::RankedTensorType::get({int64_t(elements.size())},
                                            mlir::Float32Type::get(&context));
    Tensor tensor = cantFail(Tensor::create(type));
    llvm::copy(elements, reinterpret_cast<float *>(tensor.data()));
    return tensor;
  }

  static std::vector<float> read(const Tensor &tensor) {
    const auto *first = reinterpret_cast<const float *>(tensor.data());
    return {first, first + tensor.elementCount()};
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  SmallString<64> folder;
};

constexpr StringLiteral sumAndRelu = R"(
  func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
    %0 = rl.map "add"(%x, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %1 = rl.view "reshape"(%0) : (tensor<3xf32>) -> tensor<1x3xf32>
    %2 = rl.view "reshape"(%1) : (tensor<1x3xf32>) -> tensor<3xf32>
    %3 = rl.map "relu"(%2) : (tensor<3xf32>) -> tensor<3xf32>
    return %3 : tensor<3xf32>
  })";

// Ops of one kind and types, here with names of their own, are one kernel: its
// code is in the caches when the second is called.
TEST_F(Programs, EqualOpsShareAKernel) {
  auto compiler = this->compiler();
  Program program = Program::build(parse(R"(
    func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = rl.map "relu"(%x) : (tensor<3xf32>) -> tensor<3xf32> loc(#rl.node<"first" -> "a" in loc(unknown)>)
      %1 = rl.map "neg"(%0) : (tensor<3xf32>) -> tensor<3xf32>
      %2 = rl.map "relu"(%1) : (tensor<3xf32>) -> tensor<3xf32> loc(#rl.node<"second" -> "b" in loc(unknown)>)
      return %2 : tensor<3xf32>
    })"),
                                   *compiler);
  ArrayRef<Step> steps = program.steps();
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].kernel.function, steps[2].kernel.function);
  EXPECT_NE(steps[0].kernel.function, steps[1].kernel.function);
  EXPECT_GT(steps[0].kernel.compileSeconds, 0);
  EXPECT_EQ(steps[2].kernel.compileSeconds, 0);
}

TEST_F(Programs, ComputeWhatTheModelSays) {
  auto host = compiler();
  Program program = Program::build(parse(sumAndRelu), *host);
  ASSERT_FALSE(bool(program.firstError()));
  EXPECT_EQ(program.steps().size(), 4u);
  EXPECT_EQ(program.kernelCount(), 2u); // views have none
  auto first =
      program.run({floats({1, 2, 3}), floats({0.5, -4, 1})}, noWeights);
  ASSERT_TRUE(bool(first)) << toString(first.takeError());
  EXPECT_EQ(read(first->front()), (std::vector<float>{1.5, 0, 4}));
  // The next run takes memory of its own for what the caller holds.
  auto second =
      program.run({floats({-1, -1, -1}), floats({2, 2, 2})}, noWeights);
  ASSERT_TRUE(bool(second));
  EXPECT_EQ(read(second->front()), (std::vector<float>{1, 1, 1}));
  EXPECT_EQ(read(first->front()), (std::vector<float>{1.5, 0, 4}));
}

// A constant is computed once. That of 3 ones has the size of %0, which is read
// for the last time before, and %0 is written again in each run.
TEST_F(Programs, KeepConstants) {
  auto host = compiler();
  Program program = Program::build(parse(R"(
    func.func @f(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %0 = rl.map "neg"(%x) : (tensor<3xf32>) -> tensor<3xf32>
      %1 = rl.reduce "sum"(%0) axes [0] : (tensor<3xf32>) -> tensor<1xf32>
      %ones = rl.fill {rl.op_type = "ConstantOfShape"} : tensor<3xf32>
      %2 = rl.map "add"(%ones, %1) : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
      return %2, %ones : tensor<3xf32>, tensor<3xf32>
    })"),
                                   *host);
  ASSERT_FALSE(bool(program.firstError()));
  for (float x : {1.0F, 5.0F, -2.0F}) {
    auto results = program.run({floats({x, x, x})}, noWeights);
    ASSERT_TRUE(bool(results)) << toString(results.takeError());
    std::vector<float> fill = read((*results)[1]);
    EXPECT_EQ(fill, std::vector<float>(3, fill.front()));
    EXPECT_EQ(read(results->front()),
              std::vector<float>(3, fill.front() - 3 * x));
  }
}

TEST_F(Programs, CountTheirInputs) {
  auto host = compiler();
  Program program = Program::build(parse(sumAndRelu), *host);
  auto results = program.run({floats({1, 2, 3})}, noWeights);
  ASSERT_FALSE(bool(results));
  EXPECT_EQ(toString(results.takeError()),
            "the model has 2 inputs, 1 are given");
}

/// The kernels' compile times, in order.
std::vector<double> compileSeconds(const Program &program) {
  std::vector<double> seconds;
  for (const Step &step : program.steps())
    if (!step.isView)
      seconds.push_back(step.kernel.compileSeconds);
  return seconds;
}

TEST_F(Programs, KernelsAreCompiledOnce) {
  auto first = compiler(/*keeps=*/true);
  for (double seconds :
       compileSeconds(Program::build(parse(sumAndRelu), *first)))
    EXPECT_GT(seconds, 0);
  auto second = compiler(/*keeps=*/true);
  Program again = Program::build(parse(sumAndRelu), *second);
  EXPECT_EQ(compileSeconds(again), (std::vector<double>{0, 0}));
  auto results = again.run({floats({1, 2, 3}), floats({1, 1, 1})}, noWeights);
  ASSERT_TRUE(bool(results));
  EXPECT_EQ(read(results->front()), (std::vector<float>{2, 3, 4}));
}

/// All that was kept is cut to `bytes`, or replaced.
void damage(StringRef folder, std::optional<size_t> bytes) {
  std::error_code error;
  for (sys::fs::directory_iterator file(folder, error), end;
       file != end && !error; file.increment(error)) {
    auto whole =
        cantFail(errorOrToExpected(MemoryBuffer::getFile(file->path())));
    std::string text =
        bytes ? whole->getBuffer().take_front(*bytes).str() : "no object";
    raw_fd_ostream os(file->path(), error);
    os << text;
  }
}

TEST_F(Programs, DamagedKernelsAreCompiledAgain) {
  for (std::optional<size_t> bytes :
       {std::optional<size_t>(), std::optional<size_t>(0),
        std::optional<size_t>(100), std::optional<size_t>(400)}) {
    auto first = compiler(/*keeps=*/true);
    (void)Program::build(parse(sumAndRelu), *first);
    damage(folder, bytes);
    auto second = compiler(/*keeps=*/true);
    Program again = Program::build(parse(sumAndRelu), *second);
    for (double seconds : compileSeconds(again))
      EXPECT_GT(seconds, 0);
    auto results = again.run({floats({1, 2, 3}), floats({1, 1, 1})}, noWeights);
    ASSERT_TRUE(bool(results)) << toString(results.takeError());
    EXPECT_EQ(read(results->front()), (std::vector<float>{2, 3, 4}));
  }
}

TEST_F(Programs, AnOpWithoutARuleLeavesTheOthers) {
  auto host = compiler();
  Program program = Program::build(parse(R"(
    func.func @f(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %0 = rl.opaque "Frob"(%x) {rl.op_type = "Frob"} : (tensor<3xf32>) -> tensor<3xf32> loc(#rl.node<"strange" -> "h" in loc(unknown)>)
      %1 = rl.map "relu"(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %0, %1 : tensor<3xf32>, tensor<3xf32>
    })"),
                                   *host);
  EXPECT_EQ(toString(program.firstError()),
            "node 'strange' (Frob): can't be lowered: no rule for rl.opaque "
            "Frob");
  EXPECT_EQ(program.steps()[0].kernel.function, nullptr);
  EXPECT_TRUE(program.steps()[1].error.empty());
  EXPECT_NE(program.steps()[1].kernel.function, nullptr);
  auto results = program.run({floats({1, 2, 3})}, noWeights);
  EXPECT_FALSE(bool(results)); // not as a whole
  consumeError(results.takeError());
}

TEST_F(Programs, AMissingWeightIsAnError) {
  auto host = compiler();
  Program program = Program::build(parse(R"(
    func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      %w = rl.weight "scale" : tensor<3xf32>
      %0 = rl.map "mul"(%x, %w) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    })"),
                                   *host);
  auto results = program.run({floats({1, 2, 3})}, noWeights);
  ASSERT_FALSE(bool(results));
  EXPECT_EQ(toString(results.takeError()), "rl.weight: no weight 'scale'");
}

TEST(HostCompilers, KnowTheirCPU) {
  auto errorFor = [](StringRef cpu) {
    HostCompilerOptions options;
    options.cpu = cpu.str();
    auto compiler = HostCompiler::create(options);
    return compiler ? "" : toString(compiler.takeError());
  };
  EXPECT_EQ(errorFor(""), "");
  EXPECT_EQ(errorFor("no-such"), "LLVM knows no CPU 'no-such'");
#if defined(__x86_64__)
  EXPECT_EQ(errorFor("x86-64"), "");
  EXPECT_EQ(errorFor("i386"), "'i386' is no CPU of 64 bits");
#endif
}

} // namespace
