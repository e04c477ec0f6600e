//===- WorkTest.cpp - work vectors and element types ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Work.h"
#include <gtest/gtest.h>

using namespace roofline;

namespace {

TEST(ElementType, NamesRoundTrip) {
#define ROOFLINE_ELEMENT_TYPE(ENUM, NAME, BITS, KIND, WIDER)                   \
  EXPECT_EQ(parseElementType(name(ElementType::ENUM)), ElementType::ENUM);
#include "roofline/Cost/ElementTypes.def"
  EXPECT_FALSE(parseElementType("float"));
  EXPECT_FALSE(parseElementType(""));
}

TEST(ElementType, WiderChainsEnd) {
#define ROOFLINE_ELEMENT_TYPE(ENUM, NAME, BITS, KIND, WIDER)                   \
  {                                                                            \
    ElementType type = ElementType::ENUM;                                      \
    for (int i = 0; i != 8; ++i)                                               \
      type = wider(type);                                                      \
    EXPECT_EQ(type, wider(type)) << NAME;                                      \
  }
#include "roofline/Cost/ElementTypes.def"
}

TEST(ElementType, Widths) {
  EXPECT_EQ(bitWidth(ElementType::F16), 16u);
  EXPECT_EQ(bitWidth(ElementType::U4), 4u);
  EXPECT_FALSE(bitWidth(ElementType::String));
  EXPECT_FALSE(bitWidth(ElementType::Unknown));
  EXPECT_EQ(kind(ElementType::Index), ElementKind::Integer);
}

TEST(ElementType, Promotion) {
  using T = ElementType;
  EXPECT_EQ(promote(T::F16, T::F16), T::F16);
  EXPECT_EQ(promote(T::F16, T::I4), T::F16);
  EXPECT_EQ(promote(T::I64, T::F16), T::F16);
  EXPECT_EQ(promote(T::F16, T::F32), T::F32);
  EXPECT_EQ(promote(T::F16, T::BF16), T::F32);
  EXPECT_EQ(promote(T::F8E5M2, T::F8E4M3), T::F8E4M3);
  EXPECT_EQ(promote(T::U8, T::I8), T::I8);
  EXPECT_EQ(promote(T::I8, T::I32), T::I32);
  EXPECT_EQ(promote(T::Bool, T::I4), T::I4);
  EXPECT_EQ(promote(T::C64, T::F64), T::C128);
  EXPECT_EQ(promote(T::C64, T::F32), T::C64);
  EXPECT_EQ(promote(T::Unknown, T::F32), T::Unknown);
  EXPECT_EQ(promote(T::F32, T::String), T::Unknown);
}

TEST(Work, EnumNames) {
  EXPECT_EQ(parseComputeClass("special"), ComputeClass::Special);
  EXPECT_FALSE(parseComputeClass("tensor"));
  EXPECT_EQ(name(Role::KVCache), "kv_cache");
  EXPECT_EQ(parseRole("weight"), Role::Weight);
}

TEST(Work, PackedBytes) {
  Expr n = Expr::symbol("n");
  EXPECT_EQ(packedBytes(n, ElementType::F16), Expr(2) * n);
  // 4 bits are half a byte, rounded up per tensor: ⌈n / 2⌉.
  EXPECT_EQ(packedBytes(n, ElementType::I4), Expr::ceilDiv(n, 2));
  EXPECT_EQ(packedBytes(7, ElementType::I4), Expr(4));
  EXPECT_EQ(packedBytes(3, ElementType::F6E2M3), Expr(3)); // 18 bits
  EXPECT_EQ(packedBytes(5, ElementType::I2), Expr(2));     // 10 bits
  EXPECT_EQ(packedBytes(5, ElementType::Bool), Expr(5));
  EXPECT_FALSE(packedBytes(5, ElementType::String));
}

TEST(Work, Elements) {
  Dims dims = {Expr::symbol("batch"), 3, 4};
  EXPECT_EQ(numElements(dims), Expr(12) * Expr::symbol("batch"));
  EXPECT_EQ(numElements({}), Expr(1));
}

TEST(Work, FlopsOfOneKindAddUp) {
  Work work;
  work.addFlops(ComputeClass::Vector, ElementType::F16, 10);
  work.addFlops(ComputeClass::Vector, ElementType::F16, 5);
  work.addFlops(ComputeClass::Vector, ElementType::F32, 1);
  work.addFlops(ComputeClass::Matmul, ElementType::F16, 0);
  ASSERT_EQ(work.flops.size(), 2u);
  EXPECT_EQ(work.flops[0].count, Expr(15));
  EXPECT_EQ(work.totalFlops(), Expr(16));
  work.flopsKnown = false;
  EXPECT_FALSE(work.totalFlops());
}

TEST(Work, UnknownBytesMakeUnknownSums) {
  Work work;
  work.read(0, Expr(8));
  work.read(1, Expr(4), Role::Weight);
  work.write(0, std::nullopt);
  EXPECT_EQ(work.bytesRead(), Expr(12));
  EXPECT_FALSE(work.bytesWritten());
  EXPECT_FALSE(work.isZero());
}

TEST(Work, None) {
  EXPECT_TRUE(Work::none().isZero());
  EXPECT_FALSE(Work().isZero()); // it launches a kernel
  Work view = Work::none();
  view.read(0, Expr(0));
  EXPECT_TRUE(view.isZero());
  view.write(0, std::nullopt);
  EXPECT_FALSE(view.isZero());
}

} // namespace
