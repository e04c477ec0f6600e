//===- KernelModelTest.cpp - what kernels cost ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/KernelModel.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline;

namespace {

TEST(ByteCosts, AreLinearInTheLogarithm) {
  ByteCosts costs{{{1024, 1}, {16384, 3}}};
  EXPECT_EQ(costs.at(1), 1);
  EXPECT_EQ(costs.at(1024), 1);
  EXPECT_DOUBLE_EQ(costs.at(4096), 2); // 2 of 4 doublings
  EXPECT_DOUBLE_EQ(costs.at(16384), 3);
  EXPECT_EQ(costs.at(1e12), 3);
  EXPECT_EQ(ByteCosts().at(100), 0);
}

TEST(ByteCosts, DistanceIsTheReverse) {
  ByteCosts costs;
  costs.points = {{1024, 1}, {4096, 1}, {16384, 3}};
  EXPECT_EQ(costs.distanceAt(0.5), 1024);
  EXPECT_EQ(costs.distanceAt(1), 1024); // the least
  EXPECT_DOUBLE_EQ(costs.distanceAt(2), 8192);
  EXPECT_EQ(costs.distanceAt(9), 16384);
  EXPECT_EQ(ByteCosts().distanceAt(1), 0);
}

KernelModel sample() {
  KernelModel model;
  model.vectorBits = 256;
  model.threads = 3;
  model.handoverSeconds = 11;
  model.callSeconds = 0.5;
  model.farCallSeconds = 1.5;
  model.farCallShare.points = {{2000, 0}, {8000, 1}};
  model.streamedWriteSeconds = 0.3;
  model.foreignBytesPerSecond = 7;
  model.read.points = {{1000, 0.01}, {2000, 0.02}};
  model.write.points = {{1000, 0.1}};
  model.farCalls["gather"] = 3;
  model.farRead.terms[FarCosts::Byte].points = {{2000, 0}, {8000, 0.5}};
  model.farRead.terms[FarCosts::Operand].points = {{2000, 0}, {8000, 40}};
  model.farWrite.terms[FarCosts::Piece].points = {{1000, 0}, {3000, 5}};
  model.costs["map:add"] = {{"row", 2}, {"vector", 0.25}};
  model.costs["gather"] = {{"row", 4}};
  model.fitErrors["map:add"] = 0.125;
  return model;
}

KernelFeatures features(double rows, double vectors) {
  KernelFeatures f;
  f.parts = {{"map:add", {{"row", rows}, {"vector", vectors}}}};
  f.bytesRead = 900;
  f.bytesWritten = 100;
  return f;
}

// 900 · 0.01 + 100 · 0.1 = 19 for bytes, against 3 · 2 + 8 / 4 = 8 or 26 for
// work.
TEST(Predict, TheSlowerDecides) {
  std::optional<KernelTime> time = sample().predict(features(3, 8));
  ASSERT_TRUE(time.has_value());
  EXPECT_DOUBLE_EQ(time->compute, 8);
  EXPECT_DOUBLE_EQ(time->memory(), 19);
  EXPECT_DOUBLE_EQ(time->seconds(), 19.5);
  EXPECT_DOUBLE_EQ(time->writeAllocate, 1); // 100 · 0.01
  EXPECT_EQ(time->error, 0.125);            // the kernel's
  EXPECT_DOUBLE_EQ(sample().predict(features(12, 8))->seconds(), 26.5);
}

// What comes from far has its own cost, as the call has: 600 · 0.01 of 900 and
// 300 · 0.02, 100 · 0.1, and 2.
TEST(Predict, OperandsComeFromWhereTheyWereLeft) {
  KernelReuse reuse;
  reuse.read = {{600, 500}, {300, 2000}};
  reuse.written = {{100, 400}};
  reuse.code = {0, 8000};
  std::optional<KernelTime> time = sample().predict(features(3, 8), reuse);
  ASSERT_TRUE(time.has_value());
  EXPECT_DOUBLE_EQ(time->reading, 12);
  EXPECT_DOUBLE_EQ(time->writing, 10);
  EXPECT_DOUBLE_EQ(time->seconds(), 24);
}

// Past the caches: 900 · 0.01 + 100 · 0.3, and no line is read to be written.
TEST(Predict, StreamsHaveOneCost) {
  KernelFeatures f = features(3, 8);
  f.streams = true;
  std::optional<KernelTime> time = sample().predict(f);
  ASSERT_TRUE(time.has_value());
  EXPECT_DOUBLE_EQ(time->memory(), 39);
  EXPECT_EQ(time->writeAllocate, 0);
}

// A product packs while it reads, multiplies, and stores while it writes:
// 0.5 + max(4 · 2, 900 · 0.01) + 10 · 3 + max(6 · 0.5, 100 · 0.1).
TEST(Predict, PhasesOfAProductComeAfterEachOther) {
  KernelModel model = sample();
  model.costs["product"] = {{"pack_a", 2}, {"multiply", 3}, {"store", 0.5}};
  KernelFeatures f = features(0, 0);
  f.parts = {{"product", {{"pack_a", 4}, {"multiply", 10}, {"store", 6}}}};
  std::optional<KernelTime> time = model.predict(f);
  ASSERT_TRUE(time.has_value());
  EXPECT_DOUBLE_EQ(time->work(), 41);
  EXPECT_DOUBLE_EQ(time->seconds(), 0.5 + 9 + 30 + 10);
}

/// Reads of which a third are far, and results that are.
KernelReuse farReuse() {
  KernelReuse reuse;
  reuse.read = {{600, 500}, {300, 4000, 4000.0 / 7}};
  reuse.written = {{100, 3000}};
  return reuse;
}

// What is far takes more: of 900 bytes 600 are near, 300 lie at 4000, to which
// others add 7 · 571.43: 8000, so 300 · 0.5 and 40 for the operand; results in
// four pieces, at 5 each.
TEST(Predict, FarOperandsTakeMore) {
  KernelFeatures f = features(3, 8);
  f.parts[0].pieces = {1, 1, 4};
  KernelReuse reuse = farReuse();
  reuse.code = {0, 9000};
  std::optional<KernelTime> time = sample().predict(f, reuse);
  ASSERT_TRUE(time.has_value());
  EXPECT_DOUBLE_EQ(time->far, 150 + 40 + 20);
  EXPECT_DOUBLE_EQ(time->seconds(), 2 + 22 + 210);
}

// What arithmetic reads where it lies waits for each piece: the second
// operand's three, at 9 each.
TEST(Predict, PiecesThatAreReadInPlace) {
  KernelModel model = sample();
  model.farWrite = {};
  model.farRead = {};
  model.farRead.terms[FarCosts::PieceInPlace].points = {{1000, 0}, {8000, 9}};
  KernelFeatures f = features(3, 8);
  f.parts[0].pieces = {1, 3, 4};
  EXPECT_DOUBLE_EQ(model.predict(f, farReuse())->far, 0);
  f.parts[0].readInPlace = {true, true};
  EXPECT_DOUBLE_EQ(model.predict(f, farReuse())->far, 27);
}

// The head of a large operand costs once more.
TEST(Predict, AnOperandHasAHead) {
  KernelModel model = sample();
  model.farWrite = {};
  model.farRead = {};
  model.farRead.terms[FarCosts::HeadByte].points = {{1, 1}};
  KernelFeatures f = features(3, 8);
  f.bytesRead = 1 << 20;
  EXPECT_DOUBLE_EQ(model.predict(f)->far, 256 << 10);
}

// It goes on beside what a map computes, where that takes longer than half as
// much again as near operands: 202 - 1.5 · 22 of 210.
TEST(Predict, LongWorkOfAMapHidesWhatIsFar) {
  KernelFeatures f = features(100, 8);
  f.parts[0].pieces = {1, 1, 4};
  KernelReuse reuse = farReuse();
  std::optional<KernelTime> time = sample().predict(f, reuse);
  ASSERT_TRUE(time.has_value());
  EXPECT_DOUBLE_EQ(time->hides(), 169);
  EXPECT_DOUBLE_EQ(time->seconds(), 0.5 + 202 + 41);
  f.parts.push_back({"gather", {{"row", 0}}}); // that isn't all it does
  EXPECT_DOUBLE_EQ(sample().predict(f, reuse)->seconds(), 0.5 + 202 + 210);
}

// Code and constants that are far, of each kind of kernel once; half as much at
// half the way, in the logarithm.
TEST(Predict, FarCodeTakesMore) {
  KernelFeatures f = features(3, 8);
  f.parts.push_back({"gather", {{"row", 5}}});
  f.parts.push_back({"gather", {{"row", 5}}});
  KernelReuse reuse;
  reuse.read = {{900, 500}};
  reuse.written = {{100, 500}};
  EXPECT_DOUBLE_EQ(sample().predict(f, reuse)->call, 0.5);
  reuse.code = {0, 8000};
  EXPECT_DOUBLE_EQ(sample().predict(f, reuse)->call, 0.5 + 3);
  reuse.code->distance = 4000;
  EXPECT_DOUBLE_EQ(sample().predict(f, reuse)->call, 0.5 + 1.5);
  EXPECT_DOUBLE_EQ(sample().predict(f)->call, 0.5);
}

TEST(Predict, PartsAddUp) {
  KernelFeatures f = features(3, 8);
  f.parts.push_back({"gather", {{"row", 5}}});
  EXPECT_DOUBLE_EQ(sample().predict(f)->compute, 8 + 20);
}

// 2 of the 8 vectors are for nothing: 2 · 0.25. Units without a cost cause
// none.
TEST(Predict, WasteIsPartOfTheWork) {
  KernelFeatures f = features(3, 8);
  f.parts[0].waste = {{KernelFeatures::Vectors, "vector", 2},
                      {KernelFeatures::Packing, "pack_a", 2}};
  std::optional<KernelTime> time = sample().predict(f);
  EXPECT_DOUBLE_EQ(time->compute, 8);
  EXPECT_DOUBLE_EQ(time->wasted[KernelFeatures::Vectors], 0.5);
  EXPECT_EQ(time->wasted[KernelFeatures::Packing], 0);
  EXPECT_EQ(time->wasted[KernelFeatures::Tiles], 0);
}

TEST(Predict, NothingForWhatTheSweepLacked) {
  KernelFeatures f = features(3, 8);
  f.parts[0].kernel = "map:sub";
  EXPECT_FALSE(sample().predict(f).has_value());
  f = features(3, 8);
  f.parts[0].amounts.push_back({"element", 1});
  EXPECT_FALSE(sample().predict(f).has_value());
}

/// Times of 2 a row and 0.25 a vector.
TEST(FitCosts, RecoversThem) {
  std::vector<double> costs = fitCosts({{1, 8}, {10, 40}, {100, 100}, {3, 900}},
                                       {4, 30, 225, 231}, {4, 30, 225, 231});
  ASSERT_EQ(costs.size(), 2u);
  EXPECT_NEAR(costs[0], 2, 1e-6);
  EXPECT_NEAR(costs[1], 0.25, 1e-6);
}

/// The second unit would have to make things faster.
TEST(FitCosts, AreNeverBelowZero) {
  std::vector<double> costs = fitCosts({{1, 0}, {1, 1}}, {4, 2}, {4, 2});
  EXPECT_EQ(costs[1], 0);
  // 1/4 and 1/2 of a cost near 1: (1/4 + 1/2) / (1/16 + 1/4) = 2.4.
  EXPECT_NEAR(costs[0], 2.4, 1e-9);
}

/// 1 and 5 at one cost: by scales of 1 and 2, (1 + 5/4) / (1 + 1/4) = 1.8.
/// Where less than nothing is left to explain, nothing costs.
TEST(FitCosts, ScalesWeigh) {
  EXPECT_NEAR(fitCosts({{1}, {1}}, {1, 5}, {1, 2})[0], 1.8, 1e-9);
  EXPECT_EQ(fitCosts({{1}}, {-1}, {1})[0], 0);
}

TEST(FitCosts, OfNothing) {
  EXPECT_TRUE(fitCosts({}, {}, {}).empty());
  EXPECT_EQ(fitCosts({{0, 2}}, {4}, {4}), (std::vector<double>{0, 2}));
}

// Of two threads one has 3/4 of the work and of the bytes: 3/4 of 19, and what
// handing the other its part takes.
TEST(Predict, TheThreadWithTheMost) {
  KernelModel model = sample();
  model.threads = 2;
  model.handoverSeconds = 6;
  KernelFeatures f = features(3, 8);
  f.parts[0].share = 0.75;
  f.parts[0].handovers = 1;
  EXPECT_DOUBLE_EQ(model.predict(f)->memory(), 14.25);
  EXPECT_DOUBLE_EQ(model.predict(f)->seconds(), 0.5 + 6 + 14.25);
}

// Each thread has half of the first operand and all of the second: half of 600
// and all of 300 bytes at 0.01, and half of 100 at 0.1.
TEST(Predict, OperandsThatAllThreadsRead) {
  KernelFeatures f = features(3, 8);
  f.parts[0].share = 0.5;
  f.parts[0].shares = {0.5, 1, 0.5};
  KernelReuse reuse;
  reuse.read = {{600, 1000}, {300, 1000}};
  EXPECT_DOUBLE_EQ(sample().predict(f, reuse)->memory(), 3 + 3 + 5);
}

// 1000 bytes at a distance of 2000 are written and read again: 20 and 100.
TEST(Predict, ScratchIsWrittenAndReadAgain) {
  KernelFeatures f = features(3, 8);
  f.parts[0].scratchBytes = 1000;
  f.parts[0].scratchDistance = 2000;
  EXPECT_DOUBLE_EQ(sample().predict(f)->memory(), 19 + 20 + 100);
}

TEST(KernelModelJSON, IsReadBackAsItWasWritten) {
  json::Object object = sample().toJSON();
  Expected<KernelModel> read = KernelModel::fromJSON(object);
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  EXPECT_EQ(read->vectorBits, 256u);
  EXPECT_EQ(read->threads, 3);
  EXPECT_EQ(read->handoverSeconds, 11);
  EXPECT_EQ(read->callSeconds, 0.5);
  EXPECT_EQ(read->farCallSeconds, 1.5);
  EXPECT_EQ(read->farCallShare.points, sample().farCallShare.points);
  EXPECT_EQ(read->streamedWriteSeconds, 0.3);
  EXPECT_EQ(read->foreignBytesPerSecond, 7);
  EXPECT_EQ(read->read.points, sample().read.points);
  EXPECT_EQ(read->write.points, sample().write.points);
  EXPECT_EQ(read->costs, sample().costs);
  EXPECT_EQ(read->fitErrors, sample().fitErrors);
  EXPECT_EQ(read->farCalls, sample().farCalls);
  for (unsigned term = 0; term < FarCosts::numTerms; ++term) {
    EXPECT_EQ(read->farRead.terms[term].points,
              sample().farRead.terms[term].points);
    EXPECT_EQ(read->farWrite.terms[term].points,
              sample().farWrite.terms[term].points);
  }
  EXPECT_FALSE(read->empty());
  EXPECT_TRUE(KernelModel().empty());
}

/// The error of the sample with one field replaced, or without it.
std::string errorWith(StringRef field, StringRef value) {
  json::Object object = sample().toJSON();
  object.erase(field);
  if (!value.empty())
    object[field] = cantFail(json::parse(value));
  Expected<KernelModel> read = KernelModel::fromJSON(object);
  return read ? "" : toString(read.takeError());
}

TEST(KernelModelJSON, ErrorsNameTheField) {
  EXPECT_EQ(errorWith("vector_bits", ""),
            "vector_bits: expected a number from 0 on");
  EXPECT_EQ(errorWith("vector_bits", "100"),
            "vector_bits: expected 128, 256 or 512");
  EXPECT_EQ(errorWith("threads", ""), "threads: expected a number from 1 on");
  EXPECT_EQ(errorWith("threads", "0"), "threads: expected a number from 1 on");
  EXPECT_EQ(errorWith("handover_seconds", "-1"),
            "handover_seconds: expected a number from 0 on");
  EXPECT_EQ(errorWith("call_seconds", "-1"),
            "call_seconds: expected a number from 0 on");
  EXPECT_EQ(errorWith("call_seconds", "1e999"),
            "call_seconds: expected a number from 0 on");
  EXPECT_EQ(errorWith("read_seconds_per_byte", "1"),
            "read_seconds_per_byte: expected a list of [bytes, "
            "seconds]");
  const char *points = "write_seconds_per_byte: expected [bytes, "
                       "seconds] with growing bytes";
  for (const char *wrong :
       {"[1]", "[[1]]", "[[0, 1]]", "[[1, -1]]", "[[1, 1e999]]",
        "[[2, 1], [2, 1]]", "[[2, 1], [1, 1]]"})
    EXPECT_EQ(errorWith("write_seconds_per_byte", wrong), points) << wrong;
  EXPECT_EQ(errorWith("unit_seconds", ""),
            "unit_seconds: expected an object of kernels");
  EXPECT_EQ(errorWith("unit_seconds", R"({"gather": 1})"),
            "unit_seconds: expected an object for each kernel");
  for (const char *wrong : {"-1", "null", "1e999"})
    EXPECT_EQ(errorWith("unit_seconds",
                        (Twine(R"({"gather": {"row": )") + wrong + "}}").str()),
              "unit_seconds: expected seconds from 0 on")
        << wrong;
  EXPECT_EQ(errorWith("far_read_seconds", ""), ""); // may be left out
  EXPECT_EQ(errorWith("far_write_seconds", "1"),
            "far_write_seconds: expected an object of byte, head_byte, "
            "operand, piece, piece_in_place");
  EXPECT_EQ(errorWith("far_write_seconds", "{}"),
            "far_write_seconds.byte: expected a list of [bytes, "
            "seconds]");
  EXPECT_EQ(errorWith("far_calls", ""), "");
  EXPECT_EQ(errorWith("far_calls", "1"),
            "far_calls: expected an object of kernels");
  EXPECT_EQ(errorWith("far_call_seconds", ""),
            "far_call_seconds: expected a number from 0 on");
  EXPECT_EQ(errorWith("far_call_share", ""),
            "far_call_share: expected a list of [bytes, share]");
  EXPECT_EQ(errorWith("fit_errors", ""), "");
  EXPECT_EQ(errorWith("fit_errors", "1"),
            "fit_errors: expected an object of kernels");
  EXPECT_EQ(errorWith("fit_errors", R"({"gather": -1})"),
            "fit_errors: expected numbers from 0 on");
}

} // namespace
