//===- TensorTest.cpp - tensors in memory, and made-up ones ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "roofline/Runtime/MadeUp.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline::runtime;
using mlir::RankedTensorType;

namespace {

class Tensors : public testing::Test {
protected:
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::Builder b{&context};

  template <typename T> static ArrayRef<T> elements(const Tensor &tensor) {
    return {reinterpret_cast<const T *>(tensor.data()),
            size_t(tensor.elementCount())};
  }
};

TEST_F(Tensors, ElementsTakeWholeBytes) {
  EXPECT_EQ(storageBytes(b.getF32Type()), 4u);
  EXPECT_EQ(storageBytes(b.getI1Type()), 1u);
  EXPECT_EQ(storageBytes(b.getIntegerType(4)), 1u);
  EXPECT_EQ(storageBytes(b.getBF16Type()), 2u);
  EXPECT_EQ(storageBytes(mlir::ComplexType::get(b.getF32Type())), 8u);
  EXPECT_EQ(storageBytes(b.getIndexType()), 0u);
}

TEST_F(Tensors, AreZerosOnAPage) {
  Expected<Tensor> tensor =
      Tensor::create(RankedTensorType::get({3, 5}, b.getF64Type()));
  ASSERT_TRUE(bool(tensor));
  EXPECT_EQ(tensor->byteSize(), 120u);
  EXPECT_EQ(uintptr_t(tensor->data()) % 4096, 0u);
  for (double element : elements<double>(*tensor))
    EXPECT_EQ(element, 0);
}

TEST_F(Tensors, ScalarsAndEmptyOnesAreTensors) {
  Expected<Tensor> scalar =
      Tensor::create(RankedTensorType::get({}, b.getF32Type()));
  ASSERT_TRUE(bool(scalar));
  EXPECT_EQ(scalar->byteSize(), 4u);
  Expected<Tensor> empty =
      Tensor::create(RankedTensorType::get({0, 7}, b.getF32Type()));
  ASSERT_TRUE(bool(empty));
  EXPECT_EQ(empty->byteSize(), 0u);
  EXPECT_TRUE(bool(*empty)); // still memory that a kernel may be given
}

TEST_F(Tensors, ViewsShareTheirBytes) {
  Expected<Tensor> tensor =
      Tensor::create(RankedTensorType::get({6}, b.getI8Type()));
  ASSERT_TRUE(bool(tensor));
  EXPECT_TRUE(tensor->isUnshared());
  Tensor view = tensor->viewedAs(RankedTensorType::get({2, 3}, b.getI8Type()));
  EXPECT_EQ(view.data(), tensor->data());
  EXPECT_EQ(view.type().getRank(), 2);
  EXPECT_FALSE(tensor->isUnshared());
}

TEST_F(Tensors, WhatIsTooLargeIsRefused) {
  auto errorOf = [&](ArrayRef<int64_t> shape, mlir::Type element) {
    Expected<Tensor> tensor =
        Tensor::create(RankedTensorType::get(shape, element));
    return tensor ? "" : toString(tensor.takeError());
  };
  int64_t half = int64_t(1) << 32; // 2^64 bytes and more wrap around
  EXPECT_EQ(errorOf({half, half, half}, b.getF64Type()),
            "a tensor is too large for this machine");
  EXPECT_EQ(errorOf({half, half}, b.getI8Type()),
            "a tensor is too large for this machine");
  StringRef unknown =
      "no memory can be given to a tensor of unknown size or of "
      "elements that aren't numbers";
  EXPECT_EQ(errorOf({2, mlir::ShapedType::kDynamic}, b.getF32Type()), unknown);
  EXPECT_EQ(errorOf({2}, b.getIndexType()), unknown);
}

// Sums over 3 · 4 elements stay near 1: within ±√(3/12) = ±0.5.
TEST_F(Tensors, MadeUpFloatsHaveAnAmplitude) {
  Expected<Tensor> tensor =
      makeUp(RankedTensorType::get({1000, 3, 4}, b.getF32Type()), 1);
  ASSERT_TRUE(bool(tensor));
  float most = 0;
  for (float element : elements<float>(*tensor)) {
    EXPECT_NE(std::fpclassify(element), FP_SUBNORMAL);
    most = std::max(most, std::abs(element));
  }
  EXPECT_LE(most, 0.5f);
  EXPECT_GT(most, 0.49f);
}

TEST_F(Tensors, MadeUpOnesAreTheirSeeds) {
  auto type = RankedTensorType::get({64}, b.getF32Type());
  Expected<Tensor> x = makeUp(type, 1), y = makeUp(type, 1),
                   z = makeUp(type, 2);
  ASSERT_TRUE(x && y && z);
  EXPECT_EQ(elements<float>(*x), elements<float>(*y));
  EXPECT_NE(elements<float>(*x), elements<float>(*z));
}

// Within ±√(3/2^20) = ±0.0017 one half in 28 is below the least normal one,
// 2^−14.
TEST_F(Tensors, MadeUpHalvesAreNoDenormals) {
  Expected<Tensor> tensor =
      makeUp(RankedTensorType::get({1, 1 << 20}, b.getF16Type()), 1);
  ASSERT_TRUE(bool(tensor));
  for (uint16_t bits : elements<uint16_t>(*tensor))
    EXPECT_TRUE((bits & 0x7c00) != 0 || (bits & 0x3ff) == 0);
}

TEST_F(Tensors, MadeUpIntegersAreZeroOrOne) {
  Expected<Tensor> tensor =
      makeUp(RankedTensorType::get({200}, b.getI64Type()), 1);
  ASSERT_TRUE(bool(tensor));
  int64_t sum = 0;
  for (int64_t element : elements<int64_t>(*tensor)) {
    EXPECT_TRUE(element == 0 || element == 1);
    sum += element;
  }
  EXPECT_GT(sum, 50);
  EXPECT_LT(sum, 150);
}

} // namespace
