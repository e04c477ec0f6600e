//===- SVGTest.cpp - the roofline as a picture ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pictures are well formed, hold what they must, and stay small. With
// ROOFLINE_SAMPLE_DIR set they are also written there, to be looked at.
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "roofline/Report/Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <limits>

using namespace llvm;
using namespace roofline;

namespace {

std::string svg(ArrayRef<Report> reports, StringRef sample = "") {
  std::string text;
  raw_string_ostream os(text);
  writeSVG(reports, os);
  const char *folder = std::getenv("ROOFLINE_SAMPLE_DIR");
  if (folder && !sample.empty()) {
    std::error_code error;
    raw_fd_ostream file((Twine(folder) + "/" + sample + ".svg").str(), error);
    EXPECT_FALSE(error);
    file << text;
  }
  return text;
}

/// "" where every element is closed in order and attributes are quoted, else
/// what is wrong.
std::string malformed(StringRef text) {
  std::vector<StringRef> open;
  while (!text.empty()) {
    auto [content, rest] = text.split('<');
    if (content.contains('>'))
      return "a stray >";
    if (rest.empty())
      break;
    auto [tag, after] = rest.split('>');
    text = after;
    if (tag.count('"') % 2)
      return ("a quote isn't closed in <" + tag).str();
    if (tag.consume_front("/")) {
      if (open.empty() || open.back() != tag)
        return ("</" + tag + "> closes nothing").str();
      open.pop_back();
    } else if (!tag.ends_with("/")) {
      open.push_back(tag.split(' ').first);
    }
  }
  return open.empty() ? "" : ("<" + open.back() + "> stays open").str();
}

void expectSound(StringRef text) {
  EXPECT_EQ(malformed(text), "");
  for (StringRef word : {"nan", "inf\"", "=\"-inf", "e+", "=\"\""})
    EXPECT_FALSE(text.contains(word)) << word.str();
}

TEST(SVG, NamesWhatItShows) {
  std::string text = svg(samples::five(), "five");
  expectSound(text);
  StringRef ref = text;
  EXPECT_TRUE(ref.contains("Roofline of two-layer on round (Round Numbers 1)"));
  EXPECT_TRUE(ref.contains("dimensions: batch = 512; 5 of 5 ops covered"));
  EXPECT_TRUE(ref.contains("dram 1.00 TB/s"));
  EXPECT_TRUE(ref.contains("l2 4.00 TB/s"));
  EXPECT_TRUE(ref.contains("matmul f16 100 TFLOP/s"));
  EXPECT_TRUE(ref.contains("ridge 100 FLOP/byte"));
  EXPECT_TRUE(ref.contains(">1 TFLOP/s<"));
  EXPECT_TRUE(ref.contains("1 op without arithmetic, by time"));
  EXPECT_TRUE(ref.contains("elementwise group 0 fused"));
  EXPECT_TRUE(ref.contains("fc1/MatMul (MatMul)"));
}

TEST(SVG, MergesTheLayersOfAModel) {
  Report report = samples::transformer(6);
  EXPECT_EQ(report.ops.size(), 109u);
  std::string text = svg(report, "transformer");
  expectSound(text);
  StringRef ref = text;
  EXPECT_TRUE(ref.contains("up_proj/MatMul, down_proj/MatMul ×12"));
  EXPECT_TRUE(ref.contains("6 ops without work, not drawn"));
  EXPECT_LT(ref.count("<circle"), 80u);
}

TEST(SVG, StaysReadableWithThousands) {
  std::string text = svg(samples::crowd(5000), "crowd");
  expectSound(text);
  StringRef ref = text;
  EXPECT_TRUE(ref.contains("99 ops of unknown cost, not drawn"));
  EXPECT_LT(ref.count("<circle"), 2500u);
  EXPECT_LT(text.size(), 2000000u);
}

TEST(SVG, StacksDevicesOnTheSameAxes) {
  Device slow = samples::device();
  slow.name = "slow";
  for (ComputeCeiling &ceiling : slow.compute)
    ceiling.perSecond /= 8;
  std::vector<Report> reports = {samples::five(), samples::five(slow)};
  std::string text = svg(reports, "devices");
  expectSound(text);
  EXPECT_EQ(StringRef(text).count("arithmetic intensity"), 2u);
  EXPECT_EQ(StringRef(text).count(">100 TFLOP/s<"), 2u);
}

TEST(SVG, DrawsADeviceWithNothingOnIt) {
  Report nothing = samples::open();
  std::string text = svg(nothing, "open");
  expectSound(text);
  EXPECT_TRUE(StringRef(text).contains("2 ops of unknown cost, not drawn"));
  Report bare;
  expectSound(svg(bare));
}

/// Where names are numbers the types say more.
TEST(SVG, NamesNumberedOpsByType) {
  samples::Builder builder("mlir");
  auto matmul = [&](StringRef name, int64_t flops) {
    builder.op(name, "linalg.matmul",
               {{ComputeClass::Matmul, ElementType::F16, flops}}, 1000000,
               1000000);
  };
  matmul("%1", 1000000000);
  matmul("%2", 1000000000);
  matmul("%3", 1000000);
  std::string text = svg(builder.take());
  EXPECT_TRUE(StringRef(text).contains(">linalg.matmul ×2 "));
  EXPECT_TRUE(StringRef(text).contains(">%3 linalg.matmul "));
}

TEST(SVG, LeavesOutWhatIsNotFinite) {
  Report report = samples::five();
  double infinity = std::numeric_limits<double>::infinity();
  report.ops[0].placement.seconds = infinity;
  report.ops[4].placement.seconds = infinity;
  std::string text = svg(report);
  expectSound(text);
  EXPECT_TRUE(StringRef(text).contains("2 ops of unknown cost, not drawn"));
}

TEST(SVG, EscapesNames) {
  samples::Builder builder("a<b>&\"c\"");
  builder.op("<x>\x01&", "T", {{ComputeClass::Vector, ElementType::F16, 1000}},
             2000, 1000);
  std::string text = svg(builder.take());
  expectSound(text);
  EXPECT_TRUE(StringRef(text).contains("a&lt;b&gt;&amp;&quot;c&quot;"));
  EXPECT_TRUE(StringRef(text).contains("&lt;x&gt;\xef\xbf\xbd&amp;"));
}

/// With ROOFLINE_SAMPLE_DIR and a device file, the samples on a real device.
TEST(SVG, DrawsARealDevice) {
  Expected<Device> device = findDevice("a100-40gb");
  if (const char *file = std::getenv("ROOFLINE_SAMPLE_DEVICE")) {
    consumeError(device.takeError());
    device = findDevice(file);
  }
  ASSERT_TRUE(bool(device)) << toString(device.takeError());
  expectSound(svg(samples::five(*device), "real-five"));
  expectSound(svg(samples::transformer(24, *device), "real-transformer"));
  expectSound(svg(samples::crowd(5000, *device), "real-crowd"));
}

} // namespace
