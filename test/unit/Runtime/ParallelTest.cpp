//===- ParallelTest.cpp - kernels that threads share ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTest.h"
#include "ParallelFor.h"
#include "mlir/Parser/Parser.h"
#include "roofline/Runtime/HostCompiler.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline::runtime;

namespace {

//===----------------------------------------------------------------------===//
// parallelFor
//===----------------------------------------------------------------------===//

TEST(ParallelFor, WithoutThreadsOneAfterTheOther) {
  std::vector<int64_t> seen;
  parallelFor(
      [](void *context, int64_t i) {
        static_cast<std::vector<int64_t> *>(context)->push_back(i);
      },
      &seen, 3);
  EXPECT_EQ(seen, (std::vector<int64_t>{0, 1, 2}));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

class SharedKernels : public HostTest {
protected:
  static std::unique_ptr<HostCompiler> compilerFor(int64_t threads) {
    HostCompilerOptions options;
    options.threads = {threads, /*leastCycles=*/0};
    return cantFail(HostCompiler::create(options));
  }

  /// The results of a kernel of floats; operands are of the sizes given.
  static std::vector<float> results(function_ref<void(ArrayRef<void *>)> kernel,
                                    ArrayRef<size_t> operands, size_t size) {
    std::vector<std::vector<float>> memory;
    for (size_t count : operands) {
      memory.emplace_back(count);
      for (auto [i, element] : enumerate(memory.back()))
        element = operand(i);
    }
    std::vector<float> result(size, -1);
    SmallVector<void *> pointers;
    for (std::vector<float> &elements : memory)
      pointers.push_back(elements.data());
    pointers.push_back(result.data());
    kernel(pointers);
    return result;
  }

  /// How many parts the kernel's loops are given out in.
  int64_t countParts(StringRef text, ArrayRef<size_t> operands, size_t size) {
    std::unique_ptr<HostCompiler> compiler = compilerFor(2);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    auto jit = cantFail(orc::LLJITBuilder().create());
    orc::JITDylib &library = jit->getMainJITDylib();
    orc::ExecutorSymbolDef counting(
        orc::ExecutorAddr::fromPtr(
            +[](void (*body)(void *, int64_t), void *context, int64_t count) {
              parts += count;
              parallelFor(body, context, count);
            }),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable);
    cantFail(library.define(orc::absoluteSymbols(
        {{jit->mangleAndIntern(parallelForName), counting}})));
    library.addGenerator(
        cantFail(orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
            jit->getDataLayout().getGlobalPrefix())));
    cantFail(jit->addObjectFile(cantFail(compiler->compileObject(*module))));
    auto *kernel =
        cantFail(jit->lookup("kernel_packed")).toPtr<HostKernel::Function>();
    parts = 0;
    (void)results(
        [&](ArrayRef<void *> pointers) {
          kernel(const_cast<void **>(pointers.data()));
        },
        operands, size);
    return parts;
  }

  /// Any number of threads computes the same bits, and what is `wanted`.
  void expectSame(StringRef text, ArrayRef<size_t> operands, size_t size,
                  function_ref<double(size_t)> wanted) {
    std::vector<float> one;
    for (int64_t threads : {1, 2, 3}) {
      std::unique_ptr<HostCompiler> compiler = compilerFor(threads);
      auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
      HostKernel kernel = cantFail(compiler->compile(*module));
      std::vector<float> found =
          results([&](ArrayRef<void *> pointers) { kernel.call(pointers); },
                  operands, size);
      if (threads == 1)
        one = found;
      EXPECT_EQ(memcmp(one.data(), found.data(), size * sizeof(float)), 0)
          << threads << " threads";
    }
    for (size_t i = 0; i < size; ++i)
      EXPECT_NEAR(one[i], wanted(i), 1e-5) << "element " << i;
  }

  /// Beside that, the work is given out.
  void expectShared(StringRef text, ArrayRef<size_t> operands, size_t size,
                    function_ref<double(size_t)> wanted) {
    expectSame(text, operands, size, wanted);
    EXPECT_GE(countParts(text, operands, size), 2);
  }

  /// Element i of each operand.
  static float operand(size_t i) { return float(i * 7919 % 1009) / 997 - 0.5f; }

  static inline int64_t parts = 0; ///< that `countParts` has seen
};

// Two blocks of k (of 400 steps 384 are the most), tiles that are left over.
TEST_F(SharedKernels, AProduct) {
  expectShared(R"(
    func.func @kernel(%a: tensor<37x400xf32>, %b: tensor<400x83xf32>)
        -> tensor<37x83xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<37x83xf32>
      %c = linalg.fill ins(%zero : f32) outs(%e : tensor<37x83xf32>)
          -> tensor<37x83xf32>
      %0 = linalg.matmul
          ins(%a, %b : tensor<37x400xf32>, tensor<400x83xf32>)
          outs(%c : tensor<37x83xf32>) -> tensor<37x83xf32>
      return %0 : tensor<37x83xf32>
    })",
               {37 * 400, 400 * 83}, 37 * 83, [](size_t i) {
                 size_t m = i / 83, n = i % 83;
                 double sum = 0;
                 for (size_t k = 0; k < 400; ++k)
                   sum += double(operand(m * 400 + k)) * operand(k * 83 + n);
                 return sum;
               });
}

TEST_F(SharedKernels, ABatchOfProducts) {
  expectShared(R"(
    func.func @kernel(%a: tensor<7x5x8xf32>, %b: tensor<7x8x19xf32>)
        -> tensor<7x5x19xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<7x5x19xf32>
      %c = linalg.fill ins(%zero : f32) outs(%e : tensor<7x5x19xf32>)
          -> tensor<7x5x19xf32>
      %0 = linalg.batch_matmul
          ins(%a, %b : tensor<7x5x8xf32>, tensor<7x8x19xf32>)
          outs(%c : tensor<7x5x19xf32>) -> tensor<7x5x19xf32>
      return %0 : tensor<7x5x19xf32>
    })",
               {7 * 5 * 8, 7 * 8 * 19}, 7 * 5 * 19, [](size_t i) {
                 size_t row = i / 19, b = row / 5, n = i % 19;
                 double sum = 0;
                 for (size_t k = 0; k < 8; ++k)
                   sum += double(operand(row * 8 + k)) *
                          operand((b * 8 + k) * 19 + n);
                 return sum;
               });
}

TEST_F(SharedKernels, AConvolution) {
  expectShared(R"(
    func.func @kernel(%x: tensor<1x3x13x13xf32>, %w: tensor<10x3x3x3xf32>)
        -> tensor<1x10x11x11xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x10x11x11xf32>
      %c = linalg.fill ins(%zero : f32) outs(%e : tensor<1x10x11x11xf32>)
          -> tensor<1x10x11x11xf32>
      %0 = linalg.conv_2d_nchw_fchw
          ins(%x, %w : tensor<1x3x13x13xf32>, tensor<10x3x3x3xf32>)
          outs(%c : tensor<1x10x11x11xf32>) -> tensor<1x10x11x11xf32>
      return %0 : tensor<1x10x11x11xf32>
    })",
               {3 * 13 * 13, 10 * 27}, 10 * 121, [](size_t i) {
                 size_t f = i / 121, y = i % 121 / 11, x = i % 11;
                 double sum = 0;
                 for (size_t k = 0; k < 27; ++k) { // channel, row, column
                   size_t c = k / 9, row = y + k % 9 / 3, column = x + k % 3;
                   sum += double(operand((c * 13 + row) * 13 + column)) *
                          operand(f * 27 + k);
                 }
                 return sum;
               });
}

// One loop by vectors, with a rest of several vectors and a part of one.
TEST_F(SharedKernels, ALoopOfVectors) {
  expectShared(R"(
    #id = affine_map<(i) -> (i)>
    func.func @kernel(%x: tensor<1003xf32>) -> tensor<1003xf32> {
      %e = tensor.empty() : tensor<1003xf32>
      %0 = linalg.generic {indexing_maps = [#id, #id],
                           iterator_types = ["parallel"]}
          ins(%x : tensor<1003xf32>) outs(%e : tensor<1003xf32>) {
      ^bb0(%a: f32, %c: f32):
        %s = math.exp %a : f32
        linalg.yield %s : f32
      } -> tensor<1003xf32>
      return %0 : tensor<1003xf32>
    })",
               {1003}, 1003,
               [](size_t i) { return std::exp(double(operand(i))); });
}

// Rows' sums of exponentials, then quotients: rows are shared, and each thread
// has an intermediate one of its own.
TEST_F(SharedKernels, Rows) {
  expectShared(R"(
    #id = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    func.func @kernel(%x: tensor<11x45xf32>) -> tensor<11x45xf32> {
      %zero = arith.constant 0.0 : f32
      %e0 = tensor.empty() : tensor<11x45xf32>
      %e = linalg.generic {indexing_maps = [#id, #id],
                           iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<11x45xf32>) outs(%e0 : tensor<11x45xf32>) {
      ^bb0(%a: f32, %c: f32):
        %s = math.exp %a : f32
        linalg.yield %s : f32
      } -> tensor<11x45xf32>
      %s0 = tensor.empty() : tensor<11xf32>
      %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<11xf32>)
          -> tensor<11xf32>
      %sum = linalg.generic {indexing_maps = [#id, #row],
                             iterator_types = ["parallel", "reduction"]}
          ins(%e : tensor<11x45xf32>) outs(%s1 : tensor<11xf32>) {
      ^bb0(%a: f32, %c: f32):
        %s = arith.addf %c, %a : f32
        linalg.yield %s : f32
      } -> tensor<11xf32>
      %z0 = tensor.empty() : tensor<11x45xf32>
      %z = linalg.generic {indexing_maps = [#id, #row, #id],
                           iterator_types = ["parallel", "parallel"]}
          ins(%e, %sum : tensor<11x45xf32>, tensor<11xf32>)
          outs(%z0 : tensor<11x45xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %s = arith.divf %a, %b : f32
        linalg.yield %s : f32
      } -> tensor<11x45xf32>
      return %z : tensor<11x45xf32>
    })",
               {11 * 45}, 11 * 45, [](size_t i) {
                 double sum = 0;
                 for (size_t j = 0; j < 45; ++j)
                   sum += std::exp(double(operand(i / 45 * 45 + j)));
                 return std::exp(double(operand(i))) / sum;
               });
}

// Nothing to share: the only loop is a reduction.
TEST_F(SharedKernels, ASumStaysWhole) {
  constexpr StringLiteral text = R"(
    func.func @kernel(%x: tensor<777xf32>) -> tensor<f32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<f32>
      %c = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
      %0 = linalg.reduce { arith.addf } ins(%x : tensor<777xf32>)
          outs(%c : tensor<f32>) dimensions = [0]
      return %0 : tensor<f32>
    })";
  expectSame(text, {777}, 1, [](size_t) {
    double sum = 0;
    for (size_t i = 0; i < 777; ++i)
      sum += operand(i);
    return sum;
  });
  EXPECT_EQ(countParts(text, {777}, 1), 0);
}

} // namespace
