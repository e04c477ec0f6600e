//===- FunctionsTest.cpp - how exact kernels' functions are ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of f32 against the library's of f64, at every 977th of all f32
// (all of exp and erf were run once): with AVX-512, exp is less than 1.1 units
// in the last place off, erf less than 2.5, a sigmoid less than 3. exp
// is infinite where the rounded value is, subnormal numbers are kept, both give
// NaN for NaN. A softmax, whose maximum passes over NaN, still is NaN in each
// row that has one, and in no other.
//
//===----------------------------------------------------------------------===//

#include "HostTest.h"
#include "mlir/Parser/Parser.h"
#include "roofline/Runtime/Program.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline::runtime;

namespace {

constexpr int64_t atOnce = (1 << 20) + 7; ///< a rest of a vector
constexpr uint32_t stride = 977;

/// Units in the last place of a number.
double unitsOff(float is, double wanted, double number) {
  if (std::isnan(wanted) || std::isnan(is))
    return std::isnan(wanted) && std::isnan(is) ? 0 : INFINITY;
  constexpr double most = 0x1p128; // where f32 ends
  double magnitude = std::min(std::abs(number), most);
  int exponent = magnitude == 0 ? -126 : std::ilogb(magnitude);
  double unit = std::ldexp(1, std::clamp(exponent, -126, 127) - 23);
  return std::abs(std::clamp<double>(is, -most, most) -
                  std::clamp(wanted, -most, most)) /
         unit;
}

struct Tolerance {
  double least = 0;        ///< below it results may be anything below it
  bool byArgument = false; ///< in units of the argument's last place
};

class Functions : public HostTest {
protected:
  static bool hasTables() {
    return cantFail(HostCompiler::create({}))->vectorBits() >= 512;
  }

  /// The largest error at every `stride`-th float.
  double worst(StringRef kind, double (*reference)(double),
               Tolerance tolerance = {}) {
    auto compiler = cantFail(HostCompiler::create({}));
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        formatv(R"(func.func @f(%x: tensor<{0}xf32>) -> tensor<{0}xf32> {{
          %0 = rl.map "{1}"(%x) : (tensor<{0}xf32>) -> tensor<{0}xf32>
          return %0 : tensor<{0}xf32>
        })",
                atOnce, kind)
            .str(),
        &context);
    mlir::func::FuncOp function = *module->getOps<mlir::func::FuncOp>().begin();
    Program program = Program::build(function, *compiler);
    auto type = cast<mlir::RankedTensorType>(function.getArgumentTypes()[0]);
    std::vector<Tensor> inputs;
    inputs.push_back(cantFail(Tensor::create(type)));
    auto *x = reinterpret_cast<float *>(inputs.front().data());
    double worst = 0;
    for (uint64_t from = 0; from <= UINT32_MAX; from += atOnce * stride) {
      for (int64_t i = 0; i < atOnce; ++i)
        x[i] = bit_cast<float>(
            uint32_t(std::min<uint64_t>(from + i * stride, UINT32_MAX)));
      std::vector<Tensor> results = cantFail(program.run(inputs, noWeights));
      const auto *y = reinterpret_cast<const float *>(results.front().data());
      for (int64_t i = 0; i < atOnce; ++i) {
        double wanted = reference(double(x[i]));
        double off = unitsOff(y[i], wanted,
                              tolerance.byArgument ? double(x[i]) : wanted);
        bool isSmall = std::abs(wanted) < tolerance.least &&
                       std::abs(y[i]) < tolerance.least;
        if (off > worst && !isSmall) {
          worst = off;
          at = x[i];
        }
      }
    }
    return worst;
  }

  float at = 0;
};

TEST_F(Functions, ExpIsOffByOneUnit) {
  if (!hasTables())
    GTEST_SKIP() << "this CPU has no AVX-512";
  EXPECT_LT(worst("exp", std::exp), 1.1) << at;
}

TEST_F(Functions, ErfIsOffByTwoAndAHalf) {
  if (!hasTables())
    GTEST_SKIP() << "this CPU has no AVX-512";
  EXPECT_LT(worst("erf", std::erf), 2.5) << at;
}

TEST_F(Functions, SigmoidIsOffByThree) {
  if (!hasTables())
    GTEST_SKIP() << "this CPU has no AVX-512";
  auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  constexpr double leastNormal = 0x1p-126; // e^-x is infinite soon after
  EXPECT_LT(worst("sigmoid", sigmoid, {leastNormal}), 3) << at;
}

// Of large numbers below 0 nothing is left; in between no more than units of x
// are lost.
TEST_F(Functions, GeluIsOffByLessThanTwoOfX) {
  if (!hasTables())
    GTEST_SKIP() << "this CPU has no AVX-512";
  auto gelu = [](double x) {
    return std::isinf(x) ? std::max(x, 0.0) : x / 2 * std::erfc(-x * M_SQRT1_2);
  };
  EXPECT_LT(worst("gelu", gelu, {0, /*byArgument=*/true}), 1.75) << at;
}

TEST_F(Functions, SoftmaxIsNaNWhereItsRowHasOne) {
  auto compiler = cantFail(HostCompiler::create({}));
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      R"(func.func @f(%x: tensor<3x100xf32>) -> tensor<3x100xf32> {
        %0 = rl.softmax "softmax"(%x) axis 1 : (tensor<3x100xf32>) -> tensor<3x100xf32>
        return %0 : tensor<3x100xf32>
      })",
      &context);
  mlir::func::FuncOp function = *module->getOps<mlir::func::FuncOp>().begin();
  Program program = Program::build(function, *compiler);
  auto type = cast<mlir::RankedTensorType>(function.getArgumentTypes()[0]);
  for (int64_t place : {0, 37, 99}) { // first, in a vector, in the rest
    std::vector<Tensor> inputs;
    inputs.push_back(cantFail(Tensor::create(type)));
    auto *x = reinterpret_cast<float *>(inputs.front().data());
    std::fill_n(x, 300, 1.0F);
    x[100 + place] = NAN;
    std::fill_n(x + 200, 98, -INFINITY); // leaves two elements
    std::vector<Tensor> results = cantFail(program.run(inputs, noWeights));
    const auto *y = reinterpret_cast<const float *>(results.front().data());
    for (int64_t i = 0; i < 100; ++i) {
      EXPECT_FLOAT_EQ(y[i], 0.01F);
      EXPECT_TRUE(std::isnan(y[100 + i])) << place << ' ' << i;
      EXPECT_EQ(y[200 + i], i < 98 ? 0 : 0.5F);
    }
  }
}

} // namespace
