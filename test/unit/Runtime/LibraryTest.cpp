//===- LibraryTest.cpp - ops computed by a library ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTest.h"
#include "LibraryProblem.h"
#include "mlir/Parser/Parser.h"
#include "roofline/Runtime/RunModel.h"
#include "roofline/Runtime/Threads.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <functional>
#include <gtest/gtest.h>
#include <sched.h>

using namespace llvm;
using namespace roofline::runtime;

namespace {

using Sizes = std::vector<int64_t>;

class Libraries : public HostTest {
protected:
  /// The first op of a function that takes `arguments` and returns `result`.
  mlir::Operation *parse(StringRef arguments, StringRef op, StringRef result) {
    std::string text =
        ("func.func @f(" + arguments + ") -> " + result + " {\n %y = " + op +
         " -> " + result + "\n return %y : " + result + "\n}")
            .str();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return nullptr;
    function = *module->getOps<mlir::func::FuncOp>().begin();
    return &function.front().front();
  }

  mlir::Operation *product(StringRef equation, StringRef left, StringRef right,
                           StringRef result) {
    std::string arguments = ("%a: " + left + ", %b: " + right).str();
    std::string op = ("rl.contract \"" + equation + "\"(%a, %b) : (" + left +
                      ", " + right + ")")
                         .str();
    return parse(arguments, op, result);
  }

  /// That the library computes what the kernel does: the measurement compares.
  void expectEqual(int64_t threads = 1) {
    Expected<std::unique_ptr<KernelLibrary>> library =
        createOneDNN(unsigned(threads));
    if (!library) {
      std::string why = toString(library.takeError());
      GTEST_SKIP() << why;
    }
    HostCompilerOptions compiling;
    compiling.threads.count = threads;
    std::unique_ptr<HostCompiler> compiler =
        cantFail(HostCompiler::create(compiling));
    Program program = Program::build(function, *compiler);
    ASSERT_EQ(program.steps().size(), 1U);
    ASSERT_EQ(program.steps()[0].error, "");
    RunOptions options;
    options.measure.minSamples = options.measure.maxSamples = 1;
    options.measure.maxWarmUp = 1;
    options.measure.minSampleSeconds = 0;
    Expected<std::optional<Measurement>> measured =
        measureByLibrary(**library, program.steps()[0], options);
    ASSERT_TRUE(bool(measured)) << toString(measured.takeError());
    ASSERT_TRUE(measured->has_value());
    EXPECT_GT((*measured)->cpu.median, 0);
    inspect();
  }

  /// Looks at what has been measured, while its threads are there.
  std::function<void()> inspect = [] {};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// A batch that only one factor has is part of its rows.
TEST_F(Libraries, BatchOfOneFactorIsRows) {
  mlir::Operation *op = product("bmk,kn->bmn", "tensor<3x5x7xf32>",
                                "tensor<7x4xf32>", "tensor<3x5x4xf32>");
  std::optional<ProductProblem> problem = productProblem(op);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->b, 1);
  EXPECT_EQ(problem->m, 15);
  EXPECT_EQ(problem->k, 7);
  EXPECT_EQ(problem->n, 4);
  expectEqual();
}

// d is a batch; labels stand for themselves whatever their order in memory: the
// left factor's dimensions a d k are looked at as d a k.
TEST_F(Libraries, OrdersByStrides) {
  mlir::Operation *op = product("adk,nkd->dna", "tensor<2x3x5xf32>",
                                "tensor<7x5x3xf32>", "tensor<3x7x2xf32>");
  std::optional<ProductProblem> problem = productProblem(op);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->b, 3);
  EXPECT_EQ(problem->left.sizes, (Sizes{3, 2, 5}));
  EXPECT_EQ(problem->left.strides, (Sizes{5, 15, 1}));
  EXPECT_EQ(problem->right.sizes, (Sizes{3, 5, 7}));
  EXPECT_EQ(problem->right.strides, (Sizes{1, 3, 15}));
  EXPECT_EQ(problem->result.strides, (Sizes{14, 1, 2}));
  expectEqual();
}

// A size of 1 against a larger one is broadcast: b is the right factor's alone.
TEST_F(Libraries, BroadcastsSizeOne) {
  mlir::Operation *op = product("bmk,bkn->bmn", "tensor<1x5x6xf32>",
                                "tensor<4x6x3xf32>", "tensor<4x5x3xf32>");
  std::optional<ProductProblem> problem = productProblem(op);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->b, 1);
  EXPECT_EQ(problem->n, 12);
  expectEqual();
}

TEST_F(Libraries, ComputesBF16) {
  product("mk,kn->mn", "tensor<33x65xbf16>", "tensor<65x17xbf16>",
          "tensor<33x17xbf16>");
  expectEqual();
}

/// Of how many of this process's threads it is said that they may run on
/// `cpus`.
static unsigned threadsOn(size_t cpus) {
  unsigned count = 0;
  std::error_code error;
  for (sys::fs::directory_iterator it("/proc/self/task", error), end;
       it != end && !error; it.increment(error)) {
    cpu_set_t set;
    pid_t thread = 0;
    if (!sys::path::filename(it->path()).getAsInteger(10, thread) &&
        sched_getaffinity(thread, sizeof(set), &set) == 0)
      count += size_t(CPU_COUNT(&set)) == cpus;
  }
  return count;
}

// Ours are kept on a CPU each, the caller among them; the library's own are
// started by the caller, and must not all stay on its CPU.
TEST_F(Libraries, HasItsThreadsApart) {
  size_t all = usableCpus().size();
  if (all < 2)
    GTEST_SKIP() << "there is one CPU alone";
  product("mk,kn->mn", "tensor<512x512xf32>", "tensor<512x512xf32>",
          "tensor<512x512xf32>");
  unsigned free = 0, kept = 0;
  inspect = [&] {
    free = threadsOn(all);
    kept = threadsOn(1);
  };
  expectEqual(2);
  if (!IsSkipped()) {
    EXPECT_GE(free, 1u);
    EXPECT_EQ(kept, 2u);
  }
}

TEST_F(Libraries, LeavesWhatIsMore) {
  // A diagonal; a label summed over alone; types that no library combines.
  EXPECT_FALSE(productProblem(product("mm,mn->mn", "tensor<4x4xf32>",
                                      "tensor<4x3xf32>", "tensor<4x3xf32>")));
  EXPECT_FALSE(productProblem(product("mkj,kn->mn", "tensor<4x5x6xf32>",
                                      "tensor<5x3xf32>", "tensor<4x3xf32>")));
  EXPECT_FALSE(productProblem(product("mk,kn->mn", "tensor<4x5xf64>",
                                      "tensor<5x3xf64>", "tensor<4x3xf64>")));
  EXPECT_FALSE(productProblem(product("mk,kn->mn", "tensor<4x0xf32>",
                                      "tensor<0x3xf32>", "tensor<4x3xf32>")));
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

constexpr StringLiteral convTypes =
    "(tensor<2x6x9x9xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>)";

// Two groups of 3 channels; steps of 2 from -1 on: the last of 5 windows ends
// at 9, where a pad is: (5 - 1)·2 + 3 - 9 - 1 = 1.
TEST_F(Libraries, SplitsGroups) {
  mlir::Operation *op = parse(
      "%x: tensor<2x6x9x9xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>",
      ("rl.conv(%x, %w) aux(%b) strides [2, 2] pads [1, 1, 1, 1] dilations "
       "[1, 1] {group = 2 : i64, rl.op_type = \"Conv\"} : " +
       convTypes)
          .str(),
      "tensor<2x4x5x5xf32>");
  ASSERT_TRUE(op);
  std::optional<ConvProblem> problem = convProblem(op);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->filter.sizes, (Sizes{2, 2, 3, 3, 3}));
  EXPECT_EQ(problem->filter.strides, (Sizes{54, 27, 9, 3, 1}));
  EXPECT_EQ(problem->padsEnd, (Sizes{1, 1}));
  ASSERT_TRUE(problem->bias);
  expectEqual();
}

// The fourth column of a row of 4 is never read by windows of 1 in steps of 2:
// (2 - 1)·2 + 1 - 4 = -1, said as a negative pad.
TEST_F(Libraries, CutsWhatNoWindowReaches) {
  mlir::Operation *op =
      parse("%x: tensor<1x3x4xf32>, %w: tensor<2x3x1xf32>",
            "rl.conv(%x, %w) strides [2] pads [0, 0] dilations [1] "
            "{rl.op_type = \"Conv\"} : (tensor<1x3x4xf32>, "
            "tensor<2x3x1xf32>)",
            "tensor<1x2x2xf32>");
  ASSERT_TRUE(op);
  std::optional<ConvProblem> problem = convProblem(op);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->padsEnd, (Sizes{-1}));
  expectEqual();
}

TEST_F(Libraries, LeavesTransposedConvolutions) {
  mlir::Operation *op =
      parse("%x: tensor<1x3x4xf32>, %w: tensor<3x2x1xf32>",
            "rl.conv transposed(%x, %w) strides [1] pads [0, 0] dilations [1] "
            "{rl.op_type = \"ConvTranspose\"} : (tensor<1x3x4xf32>, "
            "tensor<3x2x1xf32>)",
            "tensor<1x2x4xf32>");
  ASSERT_TRUE(op);
  EXPECT_FALSE(convProblem(op));
}

} // namespace
