//===- RulesProductTest.cpp - shapes of products, windows, attention ------===//
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

TEST(RulesProduct, MatMul) {
  Inferred m(R"(g (float[b, 1, s, 4] x, float[3, 4, 5] y, float[4] v)
      => (p, q, r) {
    p = MatMul(x, y)
    q = MatMul(x, v)
    r = MatMul(v, y)
  })");
  EXPECT_EQ(m["p"], "[b, 3, s, 5] f32");
  EXPECT_EQ(m["q"], "[b, 1, s] f32");
  EXPECT_EQ(m["r"], "[3, 5] f32");
}

TEST(RulesProduct, InnerDimensionsDiffer) {
  Inferred m("g (float[2, 6] x, float[5, 3] y) => (z) { z = MatMul(x, y) }");
  EXPECT_NE(m.message.find("inner dimensions 6 and 5 differ"),
            std::string::npos)
      << m.message;
  Inferred gemm("g (float[2, 6] x, float[3, 5] y) => (z) "
                "{ z = Gemm<transB = 1>(x, y) }");
  EXPECT_NE(gemm.message.find("inner dimensions 6 and 5 differ"),
            std::string::npos)
      << gemm.message;
}

TEST(RulesProduct, FormulasNeverContradict) {
  Inferred m("g (float[2, n] x, float[k, 3] y) => (z) { z = MatMul(x, y) }");
  EXPECT_EQ(m["z"], "[2, 3] f32");
}

TEST(RulesProduct, Einsum) {
  Inferred m(R"(g (float[b, h, q, d] x, float[b, h, k, d] y) => (s, t, u) {
    s = Einsum<equation = "bhqd,bhkd->bhqk">(x, y)
    t = Einsum<equation = "...qd, ...kd -> ...qk">(x, y)
    u = Einsum<equation = "bhqd,bhkd">(x, y)
  })");
  EXPECT_EQ(m["s"], "[b, h, q, k] f32");
  EXPECT_EQ(m["t"], "[b, h, q, k] f32");
  EXPECT_EQ(m["u"], "[k, q] f32"); // letters that occur once, sorted
}

// 224 with a kernel of 7, stride 2, pads 3: (224 + 6 - 7) / 2 + 1 = 112.
TEST(RulesProduct, Conv) {
  Inferred m(R"(g (float[n, 3, 224, w] x, float[64, 3, 7, 7] f) => (a, b, c) {
    a = Conv<strides = [2, 2], pads = [3, 3, 3, 3]>(x, f)
    b = Conv<strides = [2, 2], auto_pad = "SAME_UPPER">(x, f)
    c = Conv<dilations = [2, 2]>(x, f)
  })");
  EXPECT_EQ(m["a"], "[n, 64, 112, ceildiv(w, 2)] f32");
  EXPECT_EQ(m["b"], "[n, 64, 112, ceildiv(w, 2)] f32");
  EXPECT_EQ(m["c"], "[n, 64, 212, w - 12] f32");
}

TEST(RulesProduct, ConvErrors) {
  Inferred channels("g (float[1, 3, 8, 8] x, float[4, 4, 3, 3] f) => (y) "
                    "{ y = Conv(x, f) }");
  EXPECT_NE(channels.message.find("3 channels, the filter takes 4"),
            std::string::npos)
      << channels.message;
  Inferred group("g (float[1, 4, 8, 8] x, float[4, 4, 3, 3] f) => (y) "
                 "{ y = Conv<group = 0>(x, f) }");
  EXPECT_NE(group.message.find("group has the value 0"), std::string::npos)
      << group.message;
  Inferred small("g (float[1, 4, 2, 2] x, float[4, 4, 3, 3] f) => (y) "
                 "{ y = Conv(x, f) }");
  EXPECT_NE(small.message.find("larger than the padded input"),
            std::string::npos)
      << small.message;
}

// 2 * (8 - 1) + 1 + 3 - 2 = 16.
TEST(RulesProduct, ConvTranspose) {
  Inferred m(R"(g (float[1, 4, 8, w] x, float[4, 2, 3, 3] f) => (y) {
    y = ConvTranspose<strides = [2, 2], pads = [1, 1, 1, 1],
                      output_padding = [1, 1], group = 3>(x, f)
  })");
  EXPECT_EQ(m["y"], "[1, 6, 16, 2*w] f32");
}

// A window that would start in the right pad is left out: 6 with kernel 3,
// stride 3, pads 1 would give 3 with ceil, the third starting at 5 of 5.
TEST(RulesProduct, PoolsThatRoundUp) {
  Inferred m(R"(g (float[1, 4, 5, 6] x) => (a, i, b) {
    a, i = MaxPool<kernel_shape = [3, 2], strides = [2, 2], ceil_mode = 1>(x)
    b = AveragePool<kernel_shape = [1, 1], strides = [2, 2], ceil_mode = 1,
                    pads = [0, 0, 0, 1]>(x)
  })");
  EXPECT_EQ(m["a"], "[1, 4, 2, 3] f32");
  EXPECT_EQ(m["i"], "[1, 4, 2, 3] i64");
  EXPECT_EQ(m["b"], "[1, 4, 3, 3] f32");
}

TEST(RulesProduct, Reductions) {
  Inferred old("g (float[a, b, c] x) => (y) "
               "{ y = ReduceMean<axes = [-1, 0], keepdims = 0>(x) }",
               {}, 13);
  EXPECT_EQ(old["y"], "[b] f32");
  Inferred m(R"(g (float[a, b, c] x) => (y, z, w)
      <int64[1] last = {-1}, int64[0] none = {}> {
    y = ReduceMax(x, last)
    z = ReduceSum<keepdims = 0>(x)
    w = ReduceSum<noop_with_empty_axes = 1>(x, none)
  })");
  EXPECT_EQ(m["y"], "[a, b, 1] f32");
  EXPECT_EQ(m["z"], "[] f32");
  EXPECT_EQ(m["w"], "[a, b, c] f32");
}

TEST(RulesProduct, Resize) {
  Inferred m(R"(g (float[1, 3, 10, w] x) => (a, b, c)
      <float[4] s = {1, 1, 2, 0.5}, int64[2] z = {20, 30},
       int64[2] k = {5, 20}> {
    a = Resize(x, , s)
    b = Resize<axes = [2, 3]>(x, , , z)
    c = Resize<axes = [1, 2], keep_aspect_ratio_policy = "not_larger">(x, , , k)
  })");
  EXPECT_EQ(m["a"], "[1, 3, 20, floordiv(w, 2)] f32");
  EXPECT_EQ(m["b"], "[1, 3, 20, 30] f32");
  // 5/3 and 20/10: the smaller ratio gives 5 and 16.67.
  EXPECT_EQ(m["c"], "[1, 5, 17, w] f32");
}

TEST(RulesProduct, AttentionWithAPast) {
  Inferred m(R"(g (float[b, 8, q, 64] q, float[b, 2, k, 64] k,
      float[b, 2, k, 32] v, float[b, 2, p, 64] pk, float[b, 2, p, 32] pv)
      => (y, nk, nv, s) {
    y, nk, nv, s = Attention(q, k, v, , pk, pv)
  })",
             {}, 23);
  EXPECT_EQ(m["y"], "[b, 8, q, 32] f32");
  EXPECT_EQ(m["nk"], "[b, 2, k + p, 64] f32");
  EXPECT_EQ(m["nv"], "[b, 2, k + p, 32] f32");
  EXPECT_EQ(m["s"], "[b, 8, q, k + p] f32");
}

TEST(RulesProduct, Recurrent) {
  Inferred m(R"(g (float[t, b, 10] x, float[2, 80, 10] w, float[2, 80, 20] r)
      => (y, h, c) {
    y, h, c = LSTM<hidden_size = 20, direction = "bidirectional">(x, w, r)
  })");
  EXPECT_EQ(m["y"], "[t, 2, b, 20] f32");
  EXPECT_EQ(m["h"], "[2, b, 20] f32");
  EXPECT_EQ(m["c"], "[2, b, 20] f32");
}

} // namespace
