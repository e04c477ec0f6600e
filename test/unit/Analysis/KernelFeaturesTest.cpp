//===- KernelFeaturesTest.cpp - kernels and their units -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/KernelFeatures.h"
#include "Parse.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline;

namespace {

/// The features of a function's last row as one line: kernels with their
/// amounts, then bytes read and written. "-" where there are none.
std::string featuresOf(StringRef body, unsigned vectorBits,
                       const HostThreads &threads = {}) {
  return describeCosts(body, [&](const CostAnalysis &costs) -> std::string {
    std::optional<KernelFeatures> features =
        kernelFeatures(costs.rows().back(), vectorBits, threads);
    if (!features)
      return "-";
    std::string text;
    for (const KernelFeatures::Part &part : features->parts) {
      text += part.kernel;
      if (part.handovers > 0)
        text += formatv(" {0:f0}x{1:f3}", part.handovers, part.share);
      for (const auto &[unit, amount] : part.amounts)
        text += formatv(" {0}={1:f0}", unit, amount);
      if (part.scratchBytes > 0)
        text += formatv(" scratch={0:f0}", part.scratchBytes);
      text += ", ";
    }
    return text +
           formatv("{0:f0}+{1:f0}", features->bytesRead, features->bytesWritten)
               .str();
  });
}

// 40 channels of 361 elements: the second operand repeats itself within one and
// changes with the next. A channel is 22 vectors of 16 and a tail.
TEST(KernelFeatures, ABroadcastEndsARow) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x40x19x19xf32>, %y: tensor<40x1x1xf32>) {
      %0 = rl.map "add"(%x, %y) : (tensor<1x40x19x19xf32>, tensor<40x1x1xf32>) -> tensor<1x40x19x19xf32>
      return
    })",
                       512),
            "map:add row=40 vector=880 tail=40, 57920+57760");
}

// A factor without a label isn't a product's.
TEST(KernelFeatures, AScalarFactor) {
  for (const char *equation : {",i->i", "i,->i"}) {
    bool isFirst = equation[0] == ',';
    EXPECT_EQ(
        featuresOf(formatv(R"(
    func.func @f(%a: tensor<f32>, %b: tensor<8xf32>) {{
      %0 = rl.contract "{0}"(%{1}, %{2}) : (tensor<{3}f32>, tensor<{4}f32>) -> tensor<8xf32>
      return
    })",
                           equation, isFirst ? "a" : "b", isFirst ? "b" : "a",
                           isFirst ? "" : "8x", isFirst ? "8x" : "")
                       .str(),
                   512),
        "-")
        << equation;
  }
}

// Operands of one shape are one row: 14440 elements, 902 vectors and a tail.
TEST(KernelFeatures, OneShapeIsOneRow) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x40x19x19xf32>) {
      %0 = rl.map "relu"(%x) : (tensor<1x40x19x19xf32>) -> tensor<1x40x19x19xf32>
      return
    })",
                       512),
            "map:relu row=1 vector=902 tail=1, 57760+57760");
}

// A power by a known 2 or 3 is products, by 1/2 a root, by -1 a reciprocal.
TEST(KernelFeatures, APowerByAKnownNumber) {
  auto powerBy = [](StringRef exponent) {
    return featuresOf(formatv(R"(
    func.func @f(%x: tensor<64xf32>) {{
      %y = rl.weight "y" {0} : tensor<f32>
      %0 = rl.map "pow"(%x, %y) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
      return
    })",
                              exponent)
                          .str(),
                      512);
  };
  const char *rest = " row=1 vector=4 tail=0, 260+256";
  for (auto [exponent, kernel] :
       {std::pair("{rl.value = dense<2.0> : tensor<f32>}", "map:mul"),
        std::pair("{rl.value = dense<3.0> : tensor<f32>}", "map:mul"),
        std::pair("{rl.value = dense<0.5> : tensor<f32>}", "map:sqrt"),
        std::pair("{rl.value = dense<-1.0> : tensor<f32>}", "map:reciprocal"),
        std::pair("{rl.value = dense<1.5> : tensor<f32>}", "map:pow"),
        std::pair("", "map:pow")})
    EXPECT_EQ(powerBy(exponent), std::string(kernel) + rest) << exponent;
}

// 2 planes of 60, which are four vectors of 16 each, and 5 channels a window.
TEST(KernelFeatures, ALocalResponseSumsChannels) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x2x3x20xf32>) {
      %0 = rl.norm "local_response"(%x) {size = 5 : i64} : (tensor<1x2x3x20xf32>) -> tensor<1x2x3x20xf32>
      return
    })",
                       512),
            "norm:local_response row=2 vector=8 tap=40, 480+480");
}

// 30 rows of 100: 6 vectors of 16 and a tail.
TEST(KernelFeatures, SoftmaxGoesByRows) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<30x100xf32>) {
      %0 = rl.softmax "softmax"(%x) axis 1 : (tensor<30x100xf32>) -> tensor<30x100xf32>
      return
    })",
                       512),
            "softmax:softmax row=30 vector=180 tail=30, 12000+12000");
}

TEST(KernelFeatures, ASoftmaxOfOtherAxesIsUnknown) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<30x100xf32>) {
      %0 = rl.softmax "softmax"(%x) axis 0 : (tensor<30x100xf32>) -> tensor<30x100xf32>
      return
    })",
                       512),
            "-");
}

// With its border the input is 4 channels of 8 lines of 8: one vector each. It
// is written and read again as a whole, 4 · 64 · 4 bytes.
// 16 filters by 6 lines of 6 positions, 36 deep. 36 columns are 4 vectors of 8
// and half of one; in tiles of 9 rows by a vector 9 and 7 rows take 4 · 16
// cycles and, for the half, 5 (10 loads over two ports) + 4: 73, 36 times. (4 ×
// 3 take 4 · 12, 4 · 4 and 4 · 4.) Filters are packed, as two tiles' width
// doesn't hold all columns, in squares of 16: 2 · 16 · 36 elements. The input
// is copied in whole vectors: 36 · 6 lines of 8. 16 · 5 vectors of results.
TEST(KernelFeatures, AConvolutionWithABorder) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x4x6x6xf32>, %w: tensor<16x4x3x3xf32>) {
      %0 = rl.conv(%x, %w) strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] : (tensor<1x4x6x6xf32>, tensor<16x4x3x3xf32>) -> tensor<1x16x6x6xf32>
      return
    })",
                       256),
            "pad row=32 vector=32 scratch=1024, conv multiply=2628 "
            "pack_a=1152 pack_b=1728 "
            "turn_b=0 gather_b=0 store=80, 2880+2304");
}

// 40 lines of one position are one line of 40: a convolution in one dimension.
TEST(KernelFeatures, AConvolutionAlongOneDimension) {
  auto sizes = [](StringRef x, StringRef w, StringRef y, StringRef strides,
                  StringRef pads) {
    return featuresOf(formatv(R"(
    func.func @f(%x: tensor<1x4x{0}xf32>, %w: tensor<8x4x{1}xf32>) {{
      %0 = rl.conv(%x, %w) strides [{3}] pads [{4}] dilations [{3}] : (tensor<1x4x{0}xf32>, tensor<8x4x{1}xf32>) -> tensor<1x8x{2}xf32>
      return
    })",
                              x, w, y, strides, pads)
                          .str(),
                      512);
  };
  std::string line = sizes("42", "3", "40", "1", "0, 0");
  EXPECT_TRUE(StringRef(line).starts_with("conv multiply=")) << line;
  EXPECT_EQ(sizes("42x1", "3x1", "40x1", "1, 1", "0, 0, 0, 0"), line);
}

// 64 × 96 × 32 in tiles of 4 × 3 vectors of 8: 16 · 4 tiles of 12 cycles, 32
// times. 64 rows are copied by squares of 4. The second factor's columns are
// rows of memory, so squares of 8 of them are turned: 96 · 32 elements. 64 · 12
// vectors of results.
TEST(KernelFeatures, ATransposedProduct) {
  EXPECT_EQ(
      featuresOf(R"(
    func.func @f(%x: tensor<64x32xf32>, %y: tensor<96x32xf32>) {
      %0 = rl.contract "mk,nk->mn"(%x, %y) : (tensor<64x32xf32>, tensor<96x32xf32>) -> tensor<64x96xf32>
      return
    })",
                 256),
      "product multiply=24576 pack_a=2048 pack_b=0 turn_b=3072 gather_b=0 "
      "store=768, 20480+24576");
}

// k is 35: 4 squares of 8, and 3 steps of which elements are gathered. 21
// columns fill 3 vectors. 10 rows by 21 columns: 2 tiles of 5 rows by 2 vectors
// and, of 5 columns, 2 of one vector: 2 · 10 + 2 · 5 = 30 cycles, 35 times. The
// first factor stays where it is.
TEST(KernelFeatures, ATransposedProductsRest) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<10x35xf32>, %y: tensor<21x35xf32>) {
      %0 = rl.contract "mk,nk->mn"(%x, %y) : (tensor<10x35xf32>, tensor<21x35xf32>) -> tensor<10x21xf32>
      return
    })",
                       256),
            "product multiply=1050 pack_a=0 pack_b=0 turn_b=768 gather_b=63 "
            "store=30, 4340+840");
}

// 40 columns of the input by 70 rows of it: 3 times 5 squares of 16.
TEST(KernelFeatures, ATransposeBySquares) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<70x40xf32>) {
      %0 = rl.copy "transpose"(%x) permutation [1, 0] : (tensor<70x40xf32>) -> tensor<40x70xf32>
      return
    })",
                       512),
            "transpose row=3 square=15, 11200+11200");
}

// Squares would be 3 of 16 full. 500 elements lie side by side in the input: 3
// times 32 vectors are scattered; and in the results, where they are gathered.
TEST(KernelFeatures, ATransposeOfThree) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<3x500xf32>) {
      %0 = rl.copy "transpose"(%x) permutation [1, 0] : (tensor<3x500xf32>) -> tensor<500x3xf32>
      return
    })",
                       512),
            "transpose:scattered row=3 vector=96, 6000+6000");
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<500x3xf32>) {
      %0 = rl.copy "transpose"(%x) permutation [1, 0] : (tensor<500x3xf32>) -> tensor<3x500xf32>
      return
    })",
                       512),
            "transpose:gathered row=3 element=1500, 6000+6000");
}

// Dimensions that keep their order are one: 4 · 50 by 6 · 5 in each of 2.
TEST(KernelFeatures, ATransposeOfFourDimensions) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<2x6x5x4x50xf32>) {
      %0 = rl.copy "transpose"(%x) permutation [0, 3, 4, 1, 2] : (tensor<2x6x5x4x50xf32>) -> tensor<2x4x50x6x5xf32>
      return
    })",
                       512),
            "transpose row=26 square=52, 48000+48000");
}

// 4 phases of one tap each: 6 filters of 4 elements are gathered, 6 rows by 64
// positions by 4 are one tile of 24 cycles from operands as they lie, and 6 · 8
// lines of 8 results are scattered. A phase has a quarter of the results'
// 6144 bytes, and its lines hold those of another, too.
TEST(KernelFeatures, ATransposedConvolution) {
  std::string phase =
      "transpose:gathered row=6 element=24, "
      "conv multiply=96 pack_a=0 pack_b=0 turn_b=0 gather_b=0 store=24, "
      "copy:scattered row=48 vector=0 tail=48 scratch=3072, ";
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x4x8x8xf32>, %w: tensor<4x6x2x2xf32>) {
      %0 = rl.conv transposed(%x, %w) strides [2, 2] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x4x8x8xf32>, tensor<4x6x2x2xf32>) -> tensor<1x6x16x16xf32>
      return
    })",
                       512),
            phase + phase + phase + phase + "1408+6144");
}

// 50 rows of 32: 2 vectors of 16.
TEST(KernelFeatures, AProductWithAVector) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x50xf32>, %y: tensor<50x32xf32>) {
      %0 = rl.contract "mk,kn->mn"(%x, %y) : (tensor<1x50xf32>, tensor<50x32xf32>) -> tensor<1x32xf32>
      return
    })",
                       512),
            "matvec row=50 vector=100 tail=0, 6600+128");
}

// 32 results, each a row of 50 that is multiplied with the vector: 3 vectors of
// 16 and a tail. The bias is added to one row of 32.
TEST(KernelFeatures, AVectorWithRowsOfAMatrix) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x50xf32>, %y: tensor<32x50xf32>, %z: tensor<32xf32>) {
      %0 = rl.contract "mk,nk->mn"(%x, %y) aux(%z) : (tensor<1x50xf32>, tensor<32x50xf32>, tensor<32xf32>) -> tensor<1x32xf32>
      return
    })",
                       512),
            "matvec:dot row=32 vector=96 tail=32, map:add row=1 vector=2 "
            "tail=0, "
            "6728+128");
}

// With its border the input is 8 channels of 8 lines of 8, a vector each,
// though it isn't whole. Results are 8 · 3 lines of 3 of 9 taps, every other
// element: half a vector of 16 each.
TEST(KernelFeatures, AStridedDepthwiseConvolution) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x8x6x6xf32>, %w: tensor<8x1x3x3xf32>) {
      %0 = rl.conv(%x, %w) strides [2, 2] pads [1, 1, 1, 1] dilations [1, 1] {group = 8 : i64} : (tensor<1x8x6x6xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x3x3xf32>
      return
    })",
                       512),
            "pad row=64 vector=64, depthwise:even row=24 vector=108, "
            "1440+288");
}

// Lines of up to 3 vectors are added up one vector at a time: 8 · 48 lines of 3
// vectors of 9 taps, and with 49 positions, of 4.
TEST(KernelFeatures, ANarrowDepthwiseConvolution) {
  auto ofWidth = [](int width) {
    return featuresOf(formatv(R"(
    func.func @f(%x: tensor<1x8x50x{0}xf32>, %w: tensor<8x1x3x3xf32>) {{
      %0 = rl.conv(%x, %w) strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] {{group = 8 : i64} : (tensor<1x8x50x{0}xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x48x{1}xf32>
      return
    })",
                              width, width - 2)
                          .str(),
                      512);
  };
  EXPECT_EQ(ofWidth(50), "depthwise:narrow row=384 vector=10368, 80288+73728");
  EXPECT_EQ(ofWidth(51), "depthwise row=384 vector=13824, 81888+75264");
}

// A product of 64 × 96 × 32, whose columns are more than two tiles' of vectors
// of 8, packs both factors: 64 · 32 and 96 · 32 elements. A convolution has its
// input with a border, 4 planes of 8 · 8, for itself, 16 filters of 36, and 36
// rows of 36 positions; by planes, one of 8 · 8. A map has nothing.
TEST(KernelFeatures, WhatAKernelHasForItself) {
  auto ownBytes = [](StringRef body) {
    return describeCosts(body, [&](const CostAnalysis &costs) {
      return formatv("{0:f0}",
                     kernelFeatures(costs.rows().back(), 256, {})->ownBytes())
          .str();
    });
  };
  EXPECT_EQ(ownBytes(R"(
    func.func @f(%x: tensor<64x32xf32>, %y: tensor<96x32xf32>) {
      %0 = rl.contract "mk,nk->mn"(%x, %y) : (tensor<64x32xf32>, tensor<96x32xf32>) -> tensor<64x96xf32>
      return
    })"),
            std::to_string(4 * (64 * 32 + 96 * 32)));
  EXPECT_EQ(ownBytes(R"(
    func.func @f(%x: tensor<1x4x6x6xf32>, %w: tensor<16x4x3x3xf32>) {
      %0 = rl.conv(%x, %w) strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] : (tensor<1x4x6x6xf32>, tensor<16x4x3x3xf32>) -> tensor<1x16x6x6xf32>
      return
    })"),
            std::to_string(4 * (4 * 64 + 16 * 36 + 36 * 36)));
  EXPECT_EQ(ownBytes(R"(
    func.func @f(%x: tensor<1x8x6x6xf32>, %w: tensor<8x1x3x3xf32>) {
      %0 = rl.conv(%x, %w) strides [2, 2] pads [1, 1, 1, 1] dilations [1, 1] {group = 8 : i64} : (tensor<1x8x6x6xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x3x3xf32>
      return
    })"),
            std::to_string(4 * 64));
  EXPECT_EQ(ownBytes(R"(
    func.func @f(%x: tensor<64xf32>) {
      %0 = rl.map "relu"(%x) : (tensor<64xf32>) -> tensor<64xf32>
      return
    })"),
            "0");
}

// One window over all of a channel: 8 rows of 36, 2 vectors of 16 and a tail
// each.
TEST(KernelFeatures, AGlobalPoolReducesRows) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x8x6x6xf32>) {
      %0 = rl.pool "average"(%x) kernel [6, 6] strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x8x6x6xf32>) -> tensor<1x8x1x1xf32>
      return
    })",
                       512),
            "reduce:sum:inner row=8 vector=16 tail=8, 1152+32");
}

// Down the columns of 5 matrices of 6 rows of 40: 2 vectors and a tail.
TEST(KernelFeatures, AMiddleAxisReducesColumns) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<5x6x40xf32>) {
      %0 = rl.reduce "max"(%x) axes [1] : (tensor<5x6x40xf32>) -> tensor<5x40xf32>
      return
    })",
                       512),
            "reduce:max:outer row=30 vector=60 tail=30, 4800+800");
}

TEST(KernelFeatures, NothingIsKnownOfWhatIsEmpty) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<0x32xf32>, %y: tensor<32x8xf32>) {
      %0 = rl.contract "mk,kn->mn"(%x, %y) : (tensor<0x32xf32>, tensor<32x8xf32>) -> tensor<0x8xf32>
      return
    })",
                       512),
            "-");
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<2x0xf32>, %y: tensor<0x8xf32>) {
      %0 = rl.contract "mk,kn->mn"(%x, %y) : (tensor<2x0xf32>, tensor<0x8xf32>) -> tensor<2x8xf32>
      return
    })",
                       512),
            "-");
}

TEST(KernelFeatures, NothingIsKnownOfOpenSizes) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<?x32xf32>) {
      %0 = rl.map "relu"(%x) : (tensor<?x32xf32>) -> tensor<?x32xf32>
      return
    })",
                       512),
            "-");
}

// The input's products: 3 · 2 rows by 20 columns by 4, columns along k, of
// which no square of 16 is full: 80 elements are gathered. 20 columns are a
// vector and half of one, 6 and 4 cycles. The hidden state's weights are 20
// rows of 5, too short for squares. Each of 3 steps multiplies 2 rows by 20
// columns by 5, at 4 and 4 cycles, and maps 2 vectors.
TEST(KernelFeatures, ARecurrence) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<3x2x4xf32>, %w: tensor<1x20x4xf32>, %r: tensor<1x20x5xf32>) {
      %0 = rl.recurrent "lstm"(%x, %w, %r) extents <[3, 2, 4, 5, 1]> : (tensor<3x2x4xf32>, tensor<1x20x4xf32>, tensor<1x20x5xf32>) -> tensor<3x1x2x5xf32>
      return
    })",
                       512),
            "product multiply=40 pack_a=0 pack_b=0 turn_b=0 gather_b=80 "
            "store=12, transpose:gathered row=5 element=100, product "
            "multiply=120 pack_a=0 pack_b=0 turn_b=0 gather_b=0 store=12, "
            "recurrent:lstm step=3 vector=6, 816+120");
}

// 2 · 3 heads of 70 queries, in 2 blocks, by 130 keys, in 2 blocks of 9
// vectors: 24 blocks of a block, 420 rows. A row meets 130 keys of 8 + 8
// elements, half a vector each; a block of queries packs all of them.
TEST(KernelFeatures, AnAttention) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%q: tensor<2x3x70x8xf32>, %k: tensor<2x3x130x8xf32>) {
      %0 = rl.attention(%q, %k, %k) extents <[2, 3, 3, 70, 130, 8, 8]> : (tensor<2x3x70x8xf32>, tensor<2x3x130x8xf32>, tensor<2x3x130x8xf32>) -> tensor<2x3x70x8xf32>
      return
    })",
                       512),
            "attention block=24 row=420 score=3780 multiply=54600 pack=24960, "
            "38400+13440");
}

// Of 64 elements 7 are kept: 7 (2 + ln(64/7)) = 29.49 of them go down 3 levels.
TEST(KernelFeatures, TopK) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<2x64xf32>) {
      %0:2 = rl.topk(%x) axis 1 : (tensor<2x64xf32>) -> (tensor<2x7xf32>, tensor<2x7xi64>)
      return
    })",
                       512),
            "topk row=2 element=128 move=177, 512+168");
}

// 4 · 10 lines of 40: 2 vectors and a tail each.
TEST(KernelFeatures, AResizeThatRepeats) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x4x5x20xf32>) {
      %0 = rl.resize "nearest"(%x) over 2 : (tensor<1x4x5x20xf32>) -> tensor<1x4x10x40xf32>
      return
    })",
                       512),
            "resize:nearest row=40 vector=80 tail=40, 1600+6400");
}

// 5 lines become 10 of 20 elements, 800, and then 10 of 30, 1200. What the
// first pass writes the second reads.
TEST(KernelFeatures, AResizeAxisByAxis) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<1x4x5x20xf32>) {
      %0 = rl.resize "linear"(%x) over 2 : (tensor<1x4x5x20xf32>) -> tensor<1x4x10x30xf32>
      return
    })",
                       512),
            "resize:linear:picked element=2000 scratch=3200, 1600+4800");
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

// 101 rows of 500 vectors at 4 cycles are 202 000: enough for both, of which
// one has 51 rows.
TEST(KernelFeatures, RowsAreSharedOut) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<101x8000xf32>, %y: tensor<101x1xf32>) {
      %0 = rl.map "add"(%x, %y) : (tensor<101x8000xf32>, tensor<101x1xf32>) -> tensor<101x8000xf32>
      return
    })",
                       512, {2}),
            "map:add 1x0.505 row=51 vector=25500 tail=0, 3232404+3232000");
}

// 9998 vectors and a row at 4 cycles each are 39 996: no second thread's 20
// 000.
TEST(KernelFeatures, SmallOnesStayOnOneThread) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<159968xf32>) {
      %0 = rl.map "relu"(%x) : (tensor<159968xf32>) -> tensor<159968xf32>
      return
    })",
                       512, {2}),
            "map:relu row=1 vector=9998 tail=0, 639872+639872");
}

// Half of the rows are 16 tiles by 4 of 12 cycles, 64 times; half of the
// columns would pack all rows twice.
TEST(KernelFeatures, AProductIsSharedOut) {
  EXPECT_EQ(featuresOf(R"(
    func.func @f(%x: tensor<128x64xf32>, %y: tensor<64x96xf32>) {
      %0 = rl.contract "mk,kn->mn"(%x, %y) : (tensor<128x64xf32>, tensor<64x96xf32>) -> tensor<128x96xf32>
      return
    })",
                       256, {2}),
            "product 1x0.500 multiply=49152 pack_a=4096 pack_b=6144 turn_b=0 "
            "gather_b=0 store=768, 57344+49152");
}

} // namespace
