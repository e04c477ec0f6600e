//===- RulesFoldTest.cpp - constants computed while importing -------------===//
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

TEST(RulesFold, IntegerDivisionTruncates) {
  Inferred m(R"(g () => (d, r, f)
      <int64[3] a = {-7, 7, 6}, int64[3] b = {2, 2, 3}> {
    d = Div(a, b)
    r = Mod(a, b)
    f = Mod<fmod = 1>(a, b)
  })");
  EXPECT_EQ(m["d"], "[3] i64 {-3, 3, 2}");
  EXPECT_EQ(m["r"], "[3] i64 {1, 1, 0}");
  EXPECT_EQ(m["f"], "[3] i64 {-1, 1, 0}");
}

TEST(RulesFold, FormulasDivideWhereNothingIsNegative) {
  Inferred m(R"(g (float[n] x) => (a, b, c) <int64 two = {2}, int64 one = {1}> {
    s = Shape(x)
    t = Mul(s, two)
    a = Div(t, two)
    b = Div(s, two)
    l = Sub(s, two)
    c = Div(l, two)
  })");
  EXPECT_EQ(m["a"], "[1] i64 {n}");
  EXPECT_EQ(m["b"], "[1] i64 {floordiv(n, 2)}");
  EXPECT_EQ(m["c"], "[1] i64"); // n - 2 may be negative
}

// Names stand for sizes: a size is never -1, and it is itself.
TEST(RulesFold, ComparisonsOfFormulas) {
  Inferred m(R"(g (float[n, k] x) => (a, b, c, d)
      <int64[2] minus = {-1, -1}, int64[2] one = {1, 1}> {
    s = Shape(x)
    a = Equal(s, minus)
    b = Equal(s, s)
    c = Equal(s, one)
    d = Where(a, one, s)
  })");
  EXPECT_EQ(m["a"], "[2] bool {0, 0}");
  EXPECT_EQ(m["b"], "[2] bool {1, 1}");
  EXPECT_EQ(m["c"], "[2] bool");
  EXPECT_EQ(m["d"], "[2] i64 {n, k}");
}

// An unknown choice between equal sides is no choice.
TEST(RulesFold, WhereWithAnUnknownCondition) {
  Inferred m(R"(g (bool[2] c) => (y)
      <int64[2] a = {1, 2}, int64[2] b = {1, 3}> { y = Where(c, a, b) })");
  EXPECT_EQ(m["y"], "[2] i64 {1, ?}");
}

// f32 arithmetic rounds after each step: 320 / 1000 * 1000 is 320 again, and
// 0.7f * 10 is 7 where the exact product is below.
TEST(RulesFold, FloatsRoundToTheirType) {
  Inferred m(R"(g () => (i, k)
      <float a = {320}, float b = {1000}, float c = {0.7}, float ten = {10}> {
    q = Div(a, b)
    p = Mul(q, b)
    f = Floor(p)
    i = Cast<to = 7>(f)
    s = Mul(c, ten)
    t = Floor(s)
    k = Cast<to = 7>(t)
  })");
  EXPECT_EQ(m["i"], "[] i64 {320}");
  EXPECT_EQ(m["k"], "[] i64 {7}");
}

// Sizes scaled in floats, as exporters of detectors write it.
TEST(RulesFold, ScaledSizes) {
  Inferred m(R"(g (float[n] x) => (a, b, c)
      <float half = {0.5}, float third = {0.33333334}, float two = {2}> {
    s = Shape(x)
    f = Cast<to = 1>(s)
    h = Mul(f, half)
    hf = Floor(h)
    a = Cast<to = 7>(hf)
    t = Mul(f, third)
    b = Cast<to = 7>(t)
    d = Mul(f, two)
    c = Cast<to = 7>(d)
  })");
  EXPECT_EQ(m["a"], "[1] i64 {floordiv(n, 2)}");
  EXPECT_EQ(m["b"], "[1] i64 {floordiv(n, 3)}");
  EXPECT_EQ(m["c"], "[1] i64 {2*n}");
}

// Parts of a shape that aren't known leave the others known.
TEST(RulesFold, UnknownElementsStayAlone) {
  Inferred m(R"(g (float[n] x, int64[2, 2] given) => (y)
      <int64[1] three = {3}, int64[1] row = {1}> {
    s = Shape(x)
    u = ReduceMax<keepdims = 0>(given)
    u1 = Reshape(u, row)
    y = Concat<axis = 0>(s, u1, three)
  })");
  EXPECT_EQ(m["y"], "[3] i64 {n, ?, 3}") << m.message;
}

TEST(RulesFold, Movement) {
  Inferred m(R"(g () => (t, s, g, r, p, q, c, k, i)
      <int64[2,3] a = {1, 2, 3, 4, 5, 6}, int64[1] i0 = {0}, int64[1] i1 = {1},
       int64[1] m1 = {-1}, int64[1] low = {-10}, int64 one = {1},
       int64[1] two = {2}> {
    t = Transpose(a)
    s = Slice(a, m1, low, i1, m1)
    g = Gather<axis = 1>(a, one)
    r = ReduceSum<keepdims = 0>(a, i0)
    p, q = Split<axis = 0, num_outputs = 2>(a)
    c = CumSum(a, one)
    k, i = TopK<axis = 1>(a, two)
  })");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["t"], "[3, 2] i64 {1, 4, 2, 5, 3, 6}");
  EXPECT_EQ(m["s"], "[2, 3] i64 {3, 2, 1, 6, 5, 4}");
  EXPECT_EQ(m["g"], "[2] i64 {2, 5}");
  EXPECT_EQ(m["r"], "[3] i64 {5, 7, 9}");
  EXPECT_EQ(m["q"], "[1, 3] i64 {4, 5, 6}");
  EXPECT_EQ(m["c"], "[2, 3] i64 {1, 3, 6, 4, 9, 15}");
  EXPECT_EQ(m["k"], "[2, 2] i64 {3, 2, 6, 5}");
  EXPECT_EQ(m["i"], "[2, 2] i64 {2, 1, 2, 1}");
}

} // namespace
