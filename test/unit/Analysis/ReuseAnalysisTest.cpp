//===- ReuseAnalysisTest.cpp - what is touched between two uses -----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/ReuseAnalysis.h"
#include "Parse.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline;

namespace {

/// A line for each row: "bytes@distance<row" for what it reads, then what it
/// writes; a row of the run before has a minus.
std::string reuseOf(StringRef body, ArrayRef<double> ownBytes = {}) {
  return describeCosts(body, [&](const CostAnalysis &costs) -> std::string {
    std::string text;
    for (const RowReuse &row : reuseDistances(costs, ownBytes)) {
      auto add = [&](const ReuseShare &share) {
        text += formatv(" {0:f0}@{1:f0}<{2}{3}", share.bytes, share.distance,
                        share.inRunBefore ? "-" : "", share.lastRow);
      };
      for (const ReuseShare &share : row.read)
        add(share);
      text += " ->";
      for (const ReuseShare &share : row.written)
        add(share);
      text += ";";
    }
    return text;
  });
}

// One op alone: between two uses lie both of its tensors, 400 bytes each.
TEST(Reuse, AnOpAloneHasItsWorkingSet) {
  EXPECT_EQ(reuseOf(R"(
    func.func @f(%x: tensor<100xf32>) -> tensor<100xf32> {
      %0 = rl.map "relu"(%x) : (tensor<100xf32>) -> tensor<100xf32>
      return %0 : tensor<100xf32>
    })"),
            " 400@800<-0 -> 400@800<-0;");
}

// b was just written: its own 400 bytes, half of x, half of c. x was last read
// in the run before: its own, b and c. As many for b's writing: its own, and x
// and c by halves of two ops each; c's: its own, half of b twice, and x.
TEST(Reuse, AChain) {
  EXPECT_EQ(reuseOf(R"(
    func.func @f(%x: tensor<100xf32>) -> tensor<100xf32> {
      %b = rl.map "relu"(%x) : (tensor<100xf32>) -> tensor<100xf32>
      %c = rl.map "neg"(%b) : (tensor<100xf32>) -> tensor<100xf32>
      return %c : tensor<100xf32>
    })"),
            " 400@1200<-0 -> 400@800<-1; 400@800<0 -> 400@1200<-1;");
}

// d takes the buffer of b, whose last reader is done, so that two of 400 bytes
// are in use, B (b, d) and C.
//
//   row 0  x: its own, C, what row 3 read of B, and e: 400 + 400 + 100 + 100;
//          b: its own since row 3, half of e and of x: 400 + 50 + 200
//   row 1  b: its own, half of x and of C; c: its own since row 2, B, x and e:
//          400 + 400 + 400 + 100
//   row 2  c: its own, half of B twice; d: its own, half of C twice
//   row 3  d: a quarter of its own, half of C and of e: 100 + 200 + 50; e: its
//          own, x, B and C: 100 + 3 · 400
TEST(Reuse, ResultsTakeFreedBuffers) {
  EXPECT_EQ(reuseOf(R"(
    func.func @f(%x: tensor<100xf32>) -> tensor<25xf32> {
      %b = rl.map "relu"(%x) : (tensor<100xf32>) -> tensor<100xf32>
      %c = rl.map "neg"(%b) : (tensor<100xf32>) -> tensor<100xf32>
      %d = rl.map "abs"(%c) : (tensor<100xf32>) -> tensor<100xf32>
      %e = rl.copy "slice"(%d) picks : (tensor<100xf32>) -> tensor<25xf32>
      return %e : tensor<25xf32>
    })"),
            " 400@1000<-0 -> 400@650<-3; 400@800<0 -> 400@1300<-2; "
            "400@800<1 -> 400@800<1; 100@350<2 -> 100@1300<-3;");
}

// A view has its operand's buffer, and a shape is asked of no bytes: rows 1 and
// 2 touch nothing. Row 3 finds b where row 0 left it.
TEST(Reuse, ViewsTouchNothing) {
  EXPECT_EQ(reuseOf(R"(
    func.func @f(%x: tensor<100xf32>) -> tensor<4x25xf32> {
      %b = rl.map "relu"(%x) : (tensor<100xf32>) -> tensor<100xf32>
      %v = rl.view "reshape"(%b) : (tensor<100xf32>) -> tensor<4x25xf32>
      %w = rl.view "identity"(%v) : (tensor<4x25xf32>) -> tensor<4x25xf32>
      %c = rl.map "neg"(%w) : (tensor<4x25xf32>) -> tensor<4x25xf32>
      return %c : tensor<4x25xf32>
    })"),
            " 400@1200<-0 -> 400@800<-3; ->; ->; 400@800<0 -> 400@1200<-3;");
}

// The same chain, whose second op has 1000 bytes for itself: b lies behind half
// of them, and so does its writing; x, which comes before and after them,
// behind all; and c behind one half of them in each of two runs.
TEST(Reuse, WhatAnOpHasForItselfLiesBetween) {
  EXPECT_EQ(reuseOf(R"(
    func.func @f(%x: tensor<100xf32>) -> tensor<100xf32> {
      %b = rl.map "relu"(%x) : (tensor<100xf32>) -> tensor<100xf32>
      %c = rl.map "neg"(%b) : (tensor<100xf32>) -> tensor<100xf32>
      return %c : tensor<100xf32>
    })",
                    {0, 1000}),
            " 400@2200<-0 -> 400@1300<-1; 400@1300<0 -> 400@2200<-1;");
}

// Rows 0 and 2 are the same kernel. d is returned, so it has a buffer of its
// own, D. Row 2 finds its code behind half of x, which nothing has touched
// since row 0, and of D, and behind B and C: 400 + 800; row 1 behind C, D, x
// and B. Row 0 finds it where row 2 left it, behind half of all that the two
// touch: C and D, x and B.
TEST(Reuse, OpsOfAKindShareTheirCode) {
  std::string code = describeCosts(
      R"(
    func.func @f(%x: tensor<100xf32>) -> tensor<100xf32> {
      %b = rl.map "relu"(%x) : (tensor<100xf32>) -> tensor<100xf32>
      %c = rl.map "neg"(%b) : (tensor<100xf32>) -> tensor<100xf32>
      %d = rl.map "relu"(%c) : (tensor<100xf32>) -> tensor<100xf32>
      return %d : tensor<100xf32>
    })",
      [&](const CostAnalysis &costs) -> std::string {
        std::string text;
        for (const RowReuse &row : reuseDistances(costs))
          text += formatv("{0:f0}<{1}{2};", row.code->distance,
                          row.code->inRunBefore ? "-" : "", row.code->lastRow);
        return text;
      });
  EXPECT_EQ(code, "800<-2;1600<-1;1200<0;");
}

// Rows of 2, 4 and 6 seconds have their middles at 1, 4 and 9: from row 0 to
// row 2 it is 8, and from row 2 of the run before to row 0, 12 - 8.
TEST(RunClock, CountsFromMiddleToMiddle) {
  double seconds[] = {2, 4, 6};
  RunClock clock(seconds);
  RowReuse reuse;
  reuse.read = {{100, 300, 0, false}};
  reuse.written = {{50, 200, 2, true}};
  EXPECT_DOUBLE_EQ(clock.reuseOf(reuse, 2).read[0].seconds, 8);
  KernelReuse first = clock.reuseOf(reuse, 0);
  EXPECT_DOUBLE_EQ(first.written[0].seconds, 4);
  EXPECT_EQ(first.written[0].bytes, 50);
  EXPECT_EQ(first.written[0].distance, 200);
}

} // namespace
