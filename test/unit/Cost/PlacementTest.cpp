//===- PlacementTest.cpp - where work lands -------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Placement.h"
#include <gtest/gtest.h>

using namespace roofline;

namespace {

using Cls = ComputeClass;
using T = ElementType;

/// 312 TFLOP/s of f16 products, 156 of tf32, 20 of f32 vector work, 5 of
/// special functions; 2.0 TB/s; 2 µs a launch.
Device makeDevice() {
  Device device;
  auto add = [&](Cls cls, T type, double perSecond) {
    device.compute.push_back({cls, type, perSecond, Origin::Datasheet, "test"});
  };
  add(Cls::Matmul, T::F16, 312e12);
  add(Cls::Matmul, T::TF32, 156e12);
  add(Cls::Vector, T::F32, 20e12);
  add(Cls::Special, T::F32, 5e12);
  MemoryLevel dram;
  dram.level = "dram";
  dram.bytesPerSecond = 2e12;
  device.memory.push_back(dram);
  device.launchSeconds = 2e-6;
  return device;
}

BoundWork makeWork(std::initializer_list<BoundWork::Term> flops, double bytes,
                   double launches = 0) {
  BoundWork work;
  work.flops = flops;
  work.bytes = bytes;
  work.launches = launches;
  return work;
}

// 312e12 / 2e12 = 156.
TEST(Placement, Ridge) {
  EXPECT_DOUBLE_EQ(*makeDevice().ridge(Cls::Matmul, T::F16), 156.0);
}

// 14e9 bytes a token / 2e12 bytes/s = 7 ms: 142.857 tokens/s.
TEST(Placement, SevenBillionParametersDecoding) {
  Placement token =
      place(makeWork({{Cls::Matmul, T::F16, 14e9}}, 14e9), makeDevice());
  EXPECT_EQ(token.bound, Bound::Memory);
  EXPECT_EQ(token.limiter, "dram");
  EXPECT_DOUBLE_EQ(*token.seconds, 7e-3);
  EXPECT_NEAR(1 / *token.seconds, 142.857, 1e-3);
}

// N = 1024 in f16: 2·1024³ operations, 3·2·1024² bytes, 341.33 a byte: above
// the ridge of 156.
TEST(Placement, SquareProduct) {
  Placement p = place(makeWork({{Cls::Matmul, T::F16, 2147483648.0}}, 6291456),
                      makeDevice());
  EXPECT_EQ(p.bound, Bound::Compute);
  EXPECT_EQ(p.limiter, "matmul:f16");
  EXPECT_NEAR(*p.intensity, 341.333, 1e-3);
  EXPECT_EQ(*p.attainable, 312e12);
  EXPECT_DOUBLE_EQ(*p.seconds, 2147483648.0 / 312e12);
  EXPECT_FALSE(p.usedType);
}

// 4096×4096 by a vector in f16: 33554432 operations, 33570816 bytes.
TEST(Placement, MatrixVector) {
  Placement p = place(makeWork({{Cls::Matmul, T::F16, 33554432}}, 33570816),
                      makeDevice());
  EXPECT_EQ(p.bound, Bound::Memory);
  EXPECT_NEAR(*p.intensity, 0.9995, 1e-4);
  EXPECT_DOUBLE_EQ(*p.attainable, 2e12 * 33554432 / 33570816);
}

// Linear 4096 to 1024: batch 512 has 315.08 operations a byte, batch 1 0.9988.
TEST(Placement, LinearLayer) {
  Device device = makeDevice();
  Placement large =
      place(makeWork({{Cls::Matmul, T::F16, 4294967296.0}}, 13631488), device);
  EXPECT_NEAR(*large.intensity, 315.08, 1e-2);
  EXPECT_EQ(large.bound, Bound::Compute);
  Placement one =
      place(makeWork({{Cls::Matmul, T::F16, 8388608}}, 8398848), device);
  EXPECT_NEAR(*one.intensity, 0.9988, 1e-4);
  EXPECT_EQ(one.bound, Bound::Memory);
}

// Adding n f16 elements: n operations, 6n bytes; f32 pipes stand in for f16.
TEST(Placement, Addition) {
  Placement p =
      place(makeWork({{Cls::Vector, T::F16, 1e6}}, 6e6), makeDevice());
  EXPECT_DOUBLE_EQ(*p.intensity, 1.0 / 6);
  EXPECT_EQ(p.bound, Bound::Memory);
  EXPECT_EQ(p.usedType, T::F32);
}

// One class's types add up, classes overlap: matmul 312e6/312e12 = 1 µs,
// vector 40e6/20e12 + 20e6/20e12 = 3 µs, special 10e6/5e12 = 2 µs.
TEST(Placement, ClassesOverlapTypesAdd) {
  Placement p = place(makeWork({{Cls::Matmul, T::F16, 312e6},
                                {Cls::Vector, T::F32, 40e6},
                                {Cls::Vector, T::F16, 20e6},
                                {Cls::Special, T::F32, 10e6}},
                               2e6),
                      makeDevice());
  EXPECT_DOUBLE_EQ(p.computeSeconds, 3e-6);
  EXPECT_DOUBLE_EQ(p.memorySeconds, 1e-6);
  EXPECT_EQ(p.limiter, "vector:f32");
  EXPECT_FALSE(p.usedType);
  // All 382e6 operations take 3 µs.
  EXPECT_DOUBLE_EQ(*p.attainable, 382e6 / 3e-6);
}

TEST(Placement, LaunchExceedsAll) {
  // 1 µs of memory, 2 µs of launch.
  Placement p = place(makeWork({}, 2e6, 1), makeDevice());
  EXPECT_EQ(p.bound, Bound::Overhead);
  EXPECT_EQ(p.limiter, "launch");
  EXPECT_DOUBLE_EQ(*p.seconds, 3e-6);
  EXPECT_EQ(*p.intensity, 0);
  EXPECT_EQ(*p.attainable, 0);
}

TEST(Placement, TimesMultiplies) {
  BoundWork work = makeWork({{Cls::Matmul, T::F16, 312e6}}, 2e6, 1);
  work.times = 10;
  Placement p = place(work, makeDevice());
  EXPECT_DOUBLE_EQ(p.computeSeconds, 10e-6);
  EXPECT_DOUBLE_EQ(p.memorySeconds, 10e-6);
  EXPECT_DOUBLE_EQ(p.launchSeconds, 20e-6);
  EXPECT_DOUBLE_EQ(*p.seconds, 30e-6);
  EXPECT_DOUBLE_EQ(*p.intensity, 156); // a ratio: trips cancel
}

TEST(Placement, NoWorkHasNoBound) {
  Placement view = place(makeWork({}, 0), makeDevice());
  EXPECT_EQ(view.bound, Bound::None);
  EXPECT_EQ(view.seconds, 0.0);
  EXPECT_EQ(view.limiter, "");
  EXPECT_FALSE(view.intensity);
  BoundWork untaken = makeWork({{Cls::Matmul, T::F16, 1e6}}, 1e6, 1);
  untaken.times = 0;
  EXPECT_EQ(place(untaken, makeDevice()).bound, Bound::None);
}

TEST(Placement, NoCeilingIsUnknown) {
  Placement p =
      place(makeWork({{Cls::Vector, T::I32, 1e6}}, 2e6, 1), makeDevice());
  EXPECT_EQ(p.bound, Bound::Unknown);
  EXPECT_FALSE(p.seconds);
  EXPECT_FALSE(p.attainable);
  EXPECT_DOUBLE_EQ(p.memorySeconds, 1e-6);
}

TEST(Placement, NoBytesHaveNoIntensity) {
  Placement p =
      place(makeWork({{Cls::Matmul, T::F16, 312e6}}, 0), makeDevice());
  EXPECT_FALSE(p.intensity);
  EXPECT_EQ(*p.attainable, 312e12);
  EXPECT_EQ(p.bound, Bound::Compute);
}

// The device has no f32 products: its vector pipes retire them, or its tf32
// units where they may.
TEST(Placement, TF32OnlyWhereAllowed) {
  BoundWork work = makeWork({{Cls::Matmul, T::F32, 156e6}}, 0);
  Placement plain = place(work, makeDevice());
  EXPECT_DOUBLE_EQ(plain.computeSeconds, 156e6 / 20e12);
  EXPECT_EQ(plain.limiter, "matmul:f32");
  EXPECT_FALSE(plain.usedType);
  PlacementOptions options;
  options.allowTF32 = true;
  Placement fast = place(work, makeDevice(), options);
  EXPECT_DOUBLE_EQ(fast.computeSeconds, 1e-6);
  EXPECT_EQ(fast.usedType, T::TF32);
}

TEST(Placement, BoundNames) {
  EXPECT_EQ(name(Bound::Overhead), "overhead");
  EXPECT_EQ(name(Bound::Unknown), "unknown");
}

} // namespace
