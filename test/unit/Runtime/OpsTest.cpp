//===- OpsTest.cpp - ops against plain loops ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops whose kernels have forms of their own for sizes, strides or data, each
// against the loops that define it. Numbers are quarters, so that sums of them
// are exact and any order of adding gives the same.
//
//===----------------------------------------------------------------------===//

#include "HostTest.h"
#include "mlir/Parser/Parser.h"
#include "roofline/Runtime/Program.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace llvm;
using namespace roofline::runtime;

namespace {

class Ops : public HostTest {
protected:
  using Floats = std::vector<float>;

  Floats madeUp(int64_t count) {
    Floats values(count);
    for (float &value : values)
      value = float(int64_t(random() % 17) - 8) / 4;
    return values;
  }

  /// The results of a function of f32 tensors.
  std::vector<Tensor> run(StringRef text, ArrayRef<Floats> operands) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return {};
    mlir::func::FuncOp function = *module->getOps<mlir::func::FuncOp>().begin();
    Program program = Program::build(function, *compiler);
    std::vector<Tensor> inputs;
    for (auto [type, values] : zip(function.getArgumentTypes(), operands)) {
      inputs.push_back(
          cantFail(Tensor::create(cast<mlir::RankedTensorType>(type))));
      EXPECT_EQ(inputs.back().elementCount(), int64_t(values.size()));
      memcpy(inputs.back().data(), values.data(), values.size() * 4);
    }
    auto results = program.run(inputs, noWeights);
    if (!results) {
      ADD_FAILURE() << toString(results.takeError());
      return {};
    }
    return std::move(*results);
  }

  template <typename T> static std::vector<T> valuesOf(const Tensor &tensor) {
    const auto *data = reinterpret_cast<const T *>(tensor.data());
    return {data, data + tensor.elementCount()};
  }

  Floats runOne(StringRef text, ArrayRef<Floats> operands) {
    std::vector<Tensor> results = run(text, operands);
    return results.empty() ? Floats() : valuesOf<float>(results.front());
  }

  Numbers random;
  std::unique_ptr<HostCompiler> compiler = cantFail(HostCompiler::create({}));
};

//===----------------------------------------------------------------------===//
// TopK
//===----------------------------------------------------------------------===//

// Equal elements come by position, NaN before or behind all numbers.
TEST_F(Ops, TheFirstOfALine) {
  constexpr int64_t size = 777;
  Floats line = madeUp(size); // 17 numbers, each some 45 times
  line[5] = line[700] = NAN;
  line[30] = INFINITY;
  line[31] = -INFINITY;
  auto order = [](float x) { // NaN, which equals NaN, behind infinity
    return std::pair(std::isnan(x), std::isnan(x) ? 0 : x);
  };
  for (bool largest : {true, false})
    for (int64_t count : {1, 2, 3, 100, 776, 777}) {
      SCOPED_TRACE(formatv("{0} {1}", largest, count).str());
      std::vector<int64_t> places(size);
      std::iota(places.begin(), places.end(), 0);
      sort(places, [&](int64_t i, int64_t j) {
        auto x = order(line[i]), y = order(line[j]);
        return x == y ? i < j : largest ? x > y : x < y;
      });
      places.resize(count);
      std::vector<Tensor> results = run(formatv(R"(
          func.func @f(%x: tensor<{0}xf32>) -> (tensor<{1}xf32>, tensor<{1}xi64>) {{
            %0:2 = rl.topk(%x) axis 0 {{rl.op_type = "TopK", rl.onnx = {{
              attributes = {{largest = {2} : si64}, constants = {{},
              operands = array<i64: 0>, opset = 25 : i64,
              results = array<i64: 0, 1>}}
              : (tensor<{0}xf32>) -> (tensor<{1}xf32>, tensor<{1}xi64>)
            return %0#0, %0#1 : tensor<{1}xf32>, tensor<{1}xi64>
          })",
                                                size, count, int(largest))
                                            .str(),
                                        line);
      ASSERT_EQ(results.size(), 2u);
      EXPECT_EQ(valuesOf<int64_t>(results[1]), places);
    }
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

// Squares of 16, what is left over of them on either side, and sizes for which
// elements are gathered or scattered.
TEST_F(Ops, ATransposeOfAnySize) {
  for (int64_t rows : {1, 2, 3, 7, 8, 16, 17, 40, 67})
    for (int64_t columns : {1, 2, 3, 7, 8, 16, 31, 33, 64}) {
      SCOPED_TRACE(formatv("{0} x {1}", rows, columns).str());
      constexpr int64_t batch = 3;
      Floats x = madeUp(batch * rows * columns), wanted(x.size());
      for (int64_t n = 0; n < batch; ++n)
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < columns; ++j)
            wanted[(n * columns + j) * rows + i] =
                x[(n * rows + i) * columns + j];
      EXPECT_EQ(runOne(formatv(R"(
          func.func @f(%x: tensor<3x{0}x{1}xf32>) -> tensor<3x{1}x{0}xf32> {{
            %0 = rl.copy "transpose"(%x) permutation [0, 2, 1]
              : (tensor<3x{0}x{1}xf32>) -> tensor<3x{1}x{0}xf32>
            return %0 : tensor<3x{1}x{0}xf32>
          })",
                               rows, columns)
                           .str(),
                       x),
                wanted);
    }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// Each factor with its rows or its columns side by side, vectors among them:
// blocks of k (384 at most), squares that are turned, and what is left over.
TEST_F(Ops, AProductOfAnyLayout) {
  const int64_t sizes[][3] = {{1, 9, 70},
                              {1, 64, 37},
                              {5, 1, 70},
                              {8, 24, 33},
                              {3, 49, 400},
                              {13, 17, 391},
                              {14, 65, 16},
                              {33, 7, 5},
                              // One or two columns behind whole vectors.
                              {40, 49, 400},
                              {31, 34, 37},
                              {29, 17, 5},
                              {64, 18, 770}};
  for (const auto &[m, n, k] : sizes)
    for (bool turnsA : {false, true})
      for (bool turnsB : {false, true}) {
        SCOPED_TRACE(
            formatv("{0} x {1} x {2} {3}{4}", m, n, k, turnsA, turnsB).str());
        Floats a = madeUp(m * k), b = madeUp(k * n), wanted(m * n);
        for (int64_t i = 0; i < m; ++i)
          for (int64_t j = 0; j < n; ++j)
            for (int64_t l = 0; l < k; ++l)
              wanted[i * n + j] += a[turnsA ? l * m + i : i * k + l] *
                                   b[turnsB ? j * k + l : l * n + j];
        auto type = [](bool turned, int64_t x, int64_t y) {
          return formatv("tensor<{0}x{1}xf32>", turned ? y : x, turned ? x : y)
              .str();
        };
        EXPECT_EQ(runOne(formatv(R"(
            func.func @f(%a: {0}, %b: {1}) -> {2} {{
              %0 = rl.contract "{3},{4}->mn"(%a, %b) : ({0}, {1}) -> {2}
              return %0 : {2}
            })",
                                 type(turnsA, m, k), type(turnsB, k, n),
                                 type(false, m, n), turnsA ? "km" : "mk",
                                 turnsB ? "nk" : "kn")
                             .str(),
                         {a, b}),
                  wanted);
      }
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// Planes of one or two positions more than whole vectors, more filters than two
// tiles have rows, and steps of k beyond one block, with a bias.
TEST_F(Ops, AConvolutionOfSmallPlanes) {
  constexpr int64_t filters = 37;
  const int64_t sizes[][4] = {// channels, height, width, taps
                              {50, 7, 7, 3}, {450, 7, 7, 1}, {6, 3, 11, 3},
                              {5, 5, 5, 1},  {30, 2, 9, 3},  {3, 10, 5, 3}};
  for (const auto &[channels, height, width, taps] : sizes) {
    SCOPED_TRACE(
        formatv("{0} x {1} x {2}, {3}", channels, height, width, taps).str());
    int64_t pad = taps / 2, plane = height * width;
    Floats x = madeUp(channels * plane),
           w = madeUp(filters * channels * taps * taps), bias = madeUp(filters),
           wanted(filters * plane);
    for (int64_t f = 0; f < filters; ++f)
      for (int64_t i = 0; i < plane; ++i) {
        float sum = bias[f];
        for (int64_t c = 0; c < channels; ++c)
          for (int64_t t = 0; t < taps * taps; ++t) {
            int64_t row = i / width + t / taps - pad,
                    column = i % width + t % taps - pad;
            if (row >= 0 && row < height && column >= 0 && column < width)
              sum += x[c * plane + row * width + column] *
                     w[(f * channels + c) * taps * taps + t];
          }
        wanted[f * plane + i] = sum;
      }
    EXPECT_EQ(runOne(formatv(R"(
          func.func @f(%x: tensor<1x{0}x{1}x{2}xf32>, %w: tensor<37x{0}x{3}x{3}xf32>, %b: tensor<37xf32>) -> tensor<1x37x{1}x{2}xf32> {{
            %0 = rl.conv(%x, %w) aux(%b) strides [1, 1] pads [{4}, {4}, {4}, {4}] dilations [1, 1] epilogue <vector = 1> {{rl.op_type = "Conv"} : (tensor<1x{0}x{1}x{2}xf32>, tensor<37x{0}x{3}x{3}xf32>, tensor<37xf32>) -> tensor<1x37x{1}x{2}xf32>
            return %0 : tensor<1x37x{1}x{2}xf32>
          })",
                             channels, height, width, taps, pad)
                         .str(),
                     {x, w, bias}),
              wanted);
  }
}

//===----------------------------------------------------------------------===//
// Transposed convolutions
//===----------------------------------------------------------------------===//

// 2 groups of 2 channels in and 3 out, of 5 x 4. Steps of the taps by stride
// and dilation: all equal, in turns, and with results that no tap reaches.
TEST_F(Ops, ATransposedConvolution) {
  constexpr int64_t height = 5, width = 4;
  for (int64_t stride : {1, 2, 3})
    for (int64_t kernel : {1, 2, 3, 4})
      for (int64_t dilation : {1, 2, 3})
        for (int64_t pad : {0, 1, 2}) {
          int64_t extent = (kernel - 1) * dilation + 1;
          int64_t outHeight = (height - 1) * stride + extent - 2 * pad;
          int64_t outWidth = (width - 1) * stride + 2; // 2 taps side by side
          if (outHeight < 1)
            continue;
          SCOPED_TRACE(formatv("stride {0}, {1} taps, dilation {2}, pad {3}",
                               stride, kernel, dilation, pad)
                           .str());
          Floats x = madeUp(4 * height * width), w = madeUp(4 * 3 * kernel * 2);
          Floats wanted(6 * outHeight * outWidth);
          for (int64_t in = 0; in < 4; ++in)
            for (int64_t out = 0; out < 3; ++out)
              for (int64_t i = 0; i < height; ++i)
                for (int64_t j = 0; j < width; ++j)
                  for (int64_t s = 0; s < kernel; ++s)
                    for (int64_t t = 0; t < 2; ++t) {
                      int64_t row = i * stride + s * dilation - pad;
                      int64_t channel = in / 2 * 3 + out;
                      if (row < 0 || row >= outHeight)
                        continue;
                      wanted[(channel * outHeight + row) * outWidth +
                             j * stride + t] +=
                          x[(in * height + i) * width + j] *
                          w[((in * 3 + out) * kernel + s) * 2 + t];
                    }
          EXPECT_EQ(
              runOne(formatv(R"(
              func.func @f(%x: tensor<1x4x5x4xf32>, %w: tensor<4x3x{0}x2xf32>)
                  -> tensor<1x6x{1}x{2}xf32> {{
                %0 = rl.conv transposed(%x, %w) strides [{3}, {3}]
                  pads [{4}, 0, {4}, 0] dilations [{5}, 1]
                  {{group = 2 : i64, rl.op_type = "ConvTranspose"}
                  : (tensor<1x4x5x4xf32>, tensor<4x3x{0}x2xf32>)
                  -> tensor<1x6x{1}x{2}xf32>
                return %0 : tensor<1x6x{1}x{2}xf32>
              })",
                             kernel, outHeight, outWidth, stride, pad, dilation)
                         .str(),
                     {x, w}),
              wanted);
        }
}

} // namespace
