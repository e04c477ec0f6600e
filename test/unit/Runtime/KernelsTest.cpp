//===- KernelsTest.cpp - the loops compute what they say ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

using namespace llvm;
using namespace roofline::runtime::micro;

namespace {

std::vector<const KernelSet *> setsOfThisCpu() {
  std::vector<const KernelSet *> sets;
  for (const KernelSet &set : allKernelSets())
    if (set.title && hasAll(set.features, hostHas))
      sets.push_back(&set);
  return sets;
}

std::string nameOf(const ComputeKernel &kernel) {
  return std::string(kernel.cls) + " " + kernel.type + " " + kernel.kind;
}

TEST(Kernels, OneOfEachIsChosen) {
  std::set<std::string> names;
  for (const ChosenCompute &chosen : chooseKernels(hostHas).compute)
    EXPECT_TRUE(names.insert(nameOf(*chosen.kernel)).second)
        << nameOf(*chosen.kernel);
#if defined(__x86_64__) || defined(__aarch64__)
  for (const char *expected :
       {"matmul f32 fma", "matmul f64 fma", "vector f32 add", "vector i8 add",
        "special f32 exp", "special f32 tanh", "special f64 sqrt"})
    EXPECT_TRUE(names.count(expected)) << expected;
#endif
}

#if defined(__x86_64__)
/// What a CPU lacks is absent, what it has replaces the narrower.
TEST(Kernels, AreChosenByFeatures) {
  auto titleOf = [](const Kernels &kernels, StringRef name) {
    for (const ChosenCompute &chosen : kernels.compute)
      if (nameOf(*chosen.kernel) == name)
        return StringRef(chosen.set->title);
    return StringRef("absent");
  };
  auto with = [](std::set<StringRef> features) {
    return chooseKernels(
        [&](StringRef feature) { return features.count(feature) != 0; });
  };
  Kernels plain = with({});
  EXPECT_EQ(titleOf(plain, "matmul f32 fma"), "SSE2");
  EXPECT_EQ(titleOf(plain, "matmul i8 dot"), "absent");
  EXPECT_EQ(titleOf(plain, "matmul bf16 dot"), "absent");
  EXPECT_STREQ(plain.streamSet->title, "SSE2");
  EXPECT_EQ(titleOf(with({"avx2"}), "matmul f32 fma"), "SSE2"); // without FMA
  Kernels client = with({"avx2", "fma", "avxvnni"});
  EXPECT_EQ(titleOf(client, "matmul f32 fma"), "AVX2");
  EXPECT_EQ(titleOf(client, "matmul i8 dot"), "AVX-VNNI");
  Kernels server = with({"avx2", "fma", "avx512f", "avx512bw", "avx512dq",
                         "avx512vl", "avx512vnni", "avx512bf16"});
  EXPECT_EQ(titleOf(server, "special f64 exp"), "AVX-512");
  EXPECT_EQ(titleOf(server, "matmul i8 dot"), "AVX-512 VNNI");
  EXPECT_EQ(titleOf(server, "matmul bf16 dot"), "AVX-512 BF16");
  EXPECT_EQ(titleOf(server, "matmul f16 fma"), "absent");
  EXPECT_STREQ(server.streamSet->title, "AVX-512");
}
#endif

TEST(Kernels, Run) {
  for (const KernelSet *set : setsOfThisCpu())
    for (const ComputeKernel &kernel :
         ArrayRef(set->compute, set->numCompute)) {
      SCOPED_TRACE(std::string(set->title) + " " + nameOf(kernel));
      EXPECT_GT(kernel.operations, 0u);
      kernel.run(3);
    }
}

double reference(StringRef kind, double x) {
  if (kind == "exp")
    return std::exp(x);
  if (kind == "div")
    return 1.7 / x;
  if (kind == "sqrt")
    return std::sqrt(x);
  return std::tanh(x);
}

/// Compares each lane for some arguments; `tolerance` is relative.
template <typename T>
void checkSpecial(const KernelSet &set, const ComputeKernel &kernel,
                  double tolerance) {
  alignas(64) T values[64 / sizeof(T)];
  size_t lanes = set.vectorBytes / sizeof(T);
  for (T x : {T(0.01), T(0.5), T(1), T(1.3), T(3), T(17.5), T(80)}) {
    for (size_t i = 0; i < lanes; ++i)
      values[i] = x + T(i) / 64;
    kernel.apply(values);
    for (size_t i = 0; i < lanes; ++i) {
      double expected = reference(kernel.kind, double(x + T(i) / 64));
      EXPECT_NEAR(values[i] / expected, 1, tolerance) << kernel.kind << x;
    }
  }
}

TEST(Kernels, SpecialFunctionsAreThoseFunctions) {
  for (const KernelSet *set : setsOfThisCpu())
    for (const ComputeKernel &kernel :
         ArrayRef(set->compute, set->numCompute)) {
      if (!kernel.apply)
        continue;
      SCOPED_TRACE(std::string(set->title) + " " + nameOf(kernel));
      // tanh loses digits near 0, as 1 − 2 / (exp(2x) + 1) must.
      bool isTanh = StringRef(kernel.kind) == "tanh";
      if (StringRef(kernel.type) == "f32")
        checkSpecial<float>(*set, kernel, isTanh ? 2e-5 : 3e-7);
      else
        checkSpecial<double>(*set, kernel, isTanh ? 4e-14 : 2e-15);
    }
}

/// 4 KiB arrays, 1 KiB of which a loop goes through.
struct Arrays {
  Arrays() {
    for (size_t i = 0; i < 1024; ++i) {
      a[i] = -1;
      b[i] = float(i);
      c[i] = float(2 * i);
    }
  }
  alignas(64) float a[1024], b[1024], c[1024];
};

TEST(Kernels, StreamsDoWhatTheySay) {
  constexpr size_t bytes = 1024, count = bytes / sizeof(float);
  for (const KernelSet *set : setsOfThisCpu())
    for (const StreamKernel &kernel : ArrayRef(set->streams, set->numStreams)) {
      SCOPED_TRACE(std::string(set->title) + " " + kernel.kind);
      Arrays arrays;
      kernel.run(reinterpret_cast<char *>(arrays.a),
                 reinterpret_cast<const char *>(arrays.b),
                 reinterpret_cast<const char *>(arrays.c), bytes, 2);
      StringRef kind = StringRef(kernel.kind).split(' ').first;
      EXPECT_EQ(kernel.bypassesCaches,
                StringRef(kernel.kind).ends_with("(streaming)"));
      for (size_t i = 0; i < count; ++i)
        ASSERT_EQ(arrays.a[i], kind == "read"    ? -1.0F
                               : kind == "write" ? 1.0F
                               : kind == "copy"  ? float(i)
                                                 : float(i) + float(i));
      EXPECT_EQ(arrays.a[count], -1); // and no further
    }
}

} // namespace
