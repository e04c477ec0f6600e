//===- RulesShapeTest.cpp - shapes of the ops that state or move shapes ---===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferSupport.h"

using namespace roofline;
using roofline::onnx_import::test::Inferred;

namespace {

TEST(RulesShape, ReshapeCopiesAndDeduces) {
  Inferred m(R"(g (float[batch, 12, 64] x, float[0, 3] e) => (a, b, c, d)
      <int64[3] s1 = {0, -1, 8}, int64[2] s2 = {0, -1}, int64[1] s3 = {-1},
       int64[2] s4 = {3, 0}> {
    a = Reshape(x, s1)
    b = Reshape(x, s2)
    c = Reshape(x, s3)
    d = Reshape<allowzero = 1>(e, s4)
  })");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["a"], "[batch, 96, 8] f32");
  EXPECT_EQ(m["b"], "[batch, 768] f32");
  EXPECT_EQ(m["c"], "[768*batch] f32");
  EXPECT_EQ(m["d"], "[3, 0] f32");
}

TEST(RulesShape, ReshapeNamesBothCounts) {
  Inferred m(R"(g (float[2, 3] x) => (y) <int64[2] s = {2, 4}> {
    y = Reshape(x, s)
  })");
  EXPECT_NE(m.message.find('6'), std::string::npos) << m.message;
  EXPECT_NE(m.message.find('8'), std::string::npos) << m.message;
  Inferred rest(R"(g (float[2, 3] x) => (y) <int64[2] s = {4, -1}> {
    y = Reshape(x, s)
  })");
  EXPECT_NE(rest.message.find("a multiple of 4"), std::string::npos)
      << rest.message;
}

// A shape put together of sizes: Shape, Gather, Unsqueeze, Concat, Reshape.
TEST(RulesShape, ShapeArithmeticOnNames) {
  Inferred m(R"(g (float[batch, seq, 768] x) => (y)
      <int64 one = {1}, int64 zero = {0}, int64[1] axis = {0},
       int64[2] tail = {12, 64}> {
    s = Shape(x)
    b = Gather(s, zero)
    n = Gather(s, one)
    b1 = Unsqueeze(b, axis)
    n1 = Unsqueeze(n, axis)
    t = Concat<axis = 0>(b1, n1, tail)
    y = Reshape(x, t)
  })");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["t"], "[4] i64 {batch, seq, 12, 64}");
  EXPECT_EQ(m["y"], "[batch, seq, 12, 64] f32");
}

TEST(RulesShape, ShapeStartAndEnd) {
  Inferred m(R"(g (float[2, n, 5, 7] x) => (a, b, c) {
    a = Shape<start = 1, end = 3>(x)
    b = Shape<start = -1>(x)
    c = Size(x)
  })");
  EXPECT_EQ(m["a"], "[2] i64 {n, 5}");
  EXPECT_EQ(m["b"], "[1] i64 {7}");
  EXPECT_EQ(m["c"], "[] i64 {70*n}");
}

TEST(RulesShape, SqueezeAndUnsqueezeByAttribute) {
  Inferred m(R"(g (float[1, n, 1] x) => (a, b, c) {
    a = Squeeze<axes = [0, -1]>(x)
    b = Unsqueeze<axes = [0, 4]>(x)
    c = Squeeze(x)
  })",
             {}, 11);
  EXPECT_EQ(m["a"], "[n] f32");
  EXPECT_EQ(m["b"], "[1, 1, n, 1, 1] f32");
  EXPECT_EQ(m["c"], "[*] f32"); // n may be 1
}

TEST(RulesShape, SqueezeOfALargeDimension) {
  Inferred m(
      "g (float[2, 3] x) => (y) <int64[1] a = {1}> { y = Squeeze(x, a) }");
  EXPECT_NE(m.message.find("size 3"), std::string::npos) << m.message;
}

TEST(RulesShape, ExpandTileConstantOfShapeRange) {
  Inferred m(R"(g (float[1, n] x, int64 k) => (a, b, c, d)
      <int64[3] s = {4, 3, 1}, int64[2] r = {2, 3}, int64[2] z = {2, 3},
       int64 start = {0}, int64 step = {2}> {
    a = Expand(x, s)
    b = Tile(x, r)
    c = ConstantOfShape(z)
    d = Range(start, k, step)
  })");
  EXPECT_EQ(m["a"], "[4, 3, n] f32");
  EXPECT_EQ(m["b"], "[2, 3*n] f32");
  EXPECT_EQ(m["c"].substr(0, 10), "[2, 3] f32");
  EXPECT_EQ(m["d"], "[ceildiv(k, 2)] i64");
}

TEST(RulesShape, SliceInNumbersAndNames) {
  Inferred m(R"(g (float[10, n] x) => (a, b, c, d, e, f)
      <int64[1] i0 = {0}, int64[1] i1 = {1}, int64[1] m1 = {-1},
       int64[1] m3 = {-3}, int64[1] top = {9223372036854775807},
       int64[1] low = {-9223372036854775807}, int64[1] i2 = {2},
       int64[1] m2 = {-2}, int64[1] i8 = {8}> {
    a = Slice(x, i2, i8, i0, i2)
    b = Slice(x, m3, top, i0)
    c = Slice(x, m1, low, i0, m2)
    d = Slice(x, i0, m1, i1)
    e = Slice(x, i0, top, i1)
    f = Slice(x, i0, i8, i1)
  })");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["a"], "[3, n] f32");
  EXPECT_EQ(m["b"], "[3, n] f32");
  EXPECT_EQ(m["c"], "[5, n] f32");
  EXPECT_EQ(m["d"], "[10, max(n - 1, 0)] f32");
  EXPECT_EQ(m["e"], "[10, n] f32");
  EXPECT_EQ(m["f"], "[10, min(n, 8)] f32");
}

TEST(RulesShape, SliceByAttributeAndStepZero) {
  Inferred m("g (float[10, 4] x) => (y) "
             "{ y = Slice<axes = [0], starts = [2], ends = [-1]>(x) }",
             {}, 9);
  EXPECT_EQ(m["y"], "[7, 4] f32");
  Inferred zero(R"(g (float[10] x) => (y)
      <int64[1] a = {0}, int64[1] b = {5}> { y = Slice(x, a, b, a, a) })");
  EXPECT_NE(zero.message.find("step of axis 0 is 0"), std::string::npos)
      << zero.message;
}

TEST(RulesShape, ConcatAndSplit) {
  Inferred m(R"(g (float[2, n] x, float[2, 3] y) => (c, p, q, r, s)
      <int64[2] parts = {1, 2}> {
    c = Concat<axis = 1>(x, y)
    p, q = Split<axis = 1>(y, parts)
    r, s = Split<axis = 1, num_outputs = 2>(y)
  })");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["c"], "[2, n + 3] f32");
  EXPECT_EQ(m["p"], "[2, 1] f32");
  EXPECT_EQ(m["q"], "[2, 2] f32");
  EXPECT_EQ(m["r"], "[2, 2] f32"); // the last part is the smaller one
  EXPECT_EQ(m["s"], "[2, 1] f32");
  Inferred clash("g (float[2, 3] x, float[4, 3] y) => (c) "
                 "{ c = Concat<axis = 1>(x, y) }");
  EXPECT_NE(clash.message.find("sizes 2 and 4"), std::string::npos)
      << clash.message;
}

TEST(RulesShape, PadByAttributeAndByOperand) {
  Inferred old("g (float[2, n] x) => (y) { y = Pad<pads = [0, 1, 0, 2]>(x) }",
               {}, 10);
  EXPECT_EQ(old["y"], "[2, n + 3] f32");
  Inferred axes(R"(g (float[2, n] x) => (y)
      <int64[2] p = {1, 2}, int64[1] a = {-1}, float v = {0}>
      { y = Pad(x, p, v, a) })");
  EXPECT_EQ(axes["y"], "[2, n + 3] f32");
}

TEST(RulesShape, GatherFamily) {
  Inferred m(R"(g (float[a, b, c] x, int64[p, q] i, int64[r, 2] j)
      => (y, z) {
    y = Gather<axis = 1>(x, i)
    z = GatherND(x, j)
  })");
  EXPECT_EQ(m["y"], "[a, p, q, c] f32");
  EXPECT_EQ(m["z"], "[r, c] f32");
}

TEST(RulesShape, AxisOutOfRange) {
  Inferred m("g (float[2, 3] x) => (y) { y = Concat<axis = 2>(x, x) }");
  EXPECT_NE(m.message.find("axis 2"), std::string::npos) << m.message;
}

TEST(RulesShape, SelectionsAreUpperBounds) {
  Inferred m(R"(g (float[2, n] x, float[1, 100, 4] boxes,
      float[1, 20, 100] scores) => (y, z)
      <int64 most = {10}, float t = {0.5}> {
    y = NonZero(x)
    z = NonMaxSuppression(boxes, scores, most, t, t)
  })");
  EXPECT_EQ(m["y"], "[2, 2*n] i64 at most");
  EXPECT_EQ(m["z"], "[200, 3] i64 at most");
}

TEST(RulesShape, NonZeroOfAConstantIsExact) {
  Inferred m("g () => (y) <int64[4] c = {0, 5, 0, 7}> { y = NonZero(c) }");
  EXPECT_EQ(m["y"], "[1, 2] i64 {1, 3}");
}

} // namespace
