//===- TextTest.cpp - the report for a terminal ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "Samples.h"
#include "roofline/Report/Writers.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace roofline;

namespace {

std::string text(ArrayRef<Report> reports, const WriterOptions &options = {}) {
  std::string out;
  raw_string_ostream os(out);
  writeText(reports, options, os);
  return out;
}

/// The widest line in terminal columns.
unsigned widest(StringRef text) {
  unsigned width = 0;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    width = std::max(width, report::columns(line));
  return width;
}

#define EXPECT_HAS(TEXT, PART)                                                 \
  EXPECT_TRUE(StringRef(TEXT).contains(PART)) << TEXT

TEST(Text, Tiny) {
  std::string out = text(samples::tiny());
  EXPECT_HAS(out, R"(Roofline report: tiny
  source      tiny.onnx (IR version 8, opset 18)
  parameters  1.05 M (2.10 MB)
  dimensions  n = 1024
  device      round (Round Numbers 1)
)");
  EXPECT_HAS(out, "  coverage    3 of 3 ops covered\n");
  EXPECT_HAS(out, "ridge 100 FLOP/byte (matmul f16)");
  // mm: 2^31 FLOPs at 100 TFLOP/s are 21.47 µs, plus 1 µs of launch; the share
  // of its roof is 21.47 / 22.47. add: 6·2^20 bytes at 1 TB/s, plus 1 µs.
  EXPECT_HAS(out,
             R"(Heaviest ops by time (3 of 3)
#  op    type        time  share     sum  bound    limiter      FLOPs    bytes  FLOP/B  of roof
0  mm    MatMul   22.5 µs  75.5%   75.5%  compute  matmul:f16  2.15 G  6.29 MB     341    95.6%
1  a|b   Add      7.29 µs  24.5%  100.0%  memory   dram        1.05 M  6.29 MB   0.167     1.4%
2  _out  Reshape      0 s   0.0%  100.0%  none                      0      0 B       -        -
)");
  EXPECT_HAS(out, "Why\n  #0 mm: Bound: compute.\n");
  EXPECT_HAS(out, "FLOPs       2.15 GFLOP = 2 148 532 224\n");
  EXPECT_HAS(out, "time        29.8 µs, between 22.5 µs and 29.8 µs, 2 kernel");
  EXPECT_HAS(out, "peak memory 8.39 MB, fits in 16.0 GB\n");
  EXPECT_HAS(out, R"(Traffic models
  model         bytes     time  what moves
  unfused     12.6 MB  29.8 µs  each op's operands and results
  fused       8.39 MB  22.5 µs  only the boundary of a fusion group
  compulsory  8.39 MB  21.5 µs  weights, inputs and outputs once
)");
  EXPECT_HAS(out, "  group 0: epilogue, 2 ops: saves 7.29 µs (1.32×), 4.19 MB "
                  "(12.6 MB → 8.39 MB)\n      mm, a|b\n"
                  "      ends there: nothing follows\n");
  EXPECT_FALSE(StringRef(out).contains("\x1b"));
}

TEST(Text, OpenDimensions) {
  std::string out = text(samples::open());
  EXPECT_HAS(out, "dimensions  unbound: batch, x[1]\n");
  EXPECT_HAS(out, "coverage    1 of 2 ops covered; opaque: Foo (com.x); totals "
                  "leave out what is unknown\n");
  EXPECT_HAS(out, "formula: 2097152*batch\n");
  EXPECT_HAS(out, "formula: 4096*batch + 2097152\n");
  EXPECT_HAS(out, "\n      --dim=batch=1 '--dim=x[1]=1'\n");
  EXPECT_HAS(out, "upper bound data decides");
  EXPECT_HAS(out, "warnings    2 ");
  EXPECT_FALSE(StringRef(out).contains('\a'));
}

/// A row of unknown cost may be the heaviest: it stands before the views.
TEST(Text, UnknownBeforeNothing) {
  samples::Builder builder("m");
  builder.op("view", "Reshape", {}, 0, 0, 0);
  builder.opaque("mystery", "Foo", "com.x");
  std::string out = text(builder.take());
  EXPECT_LT(out.find("mystery"), out.find("view"));
  EXPECT_HAS(out, "Totals of what is known\n");
  EXPECT_HAS(out, "time        ?");
}

TEST(Text, SaysHowProductsOfF32AreCounted) {
  samples::Builder builder("m");
  builder.op("mm", "MatMul", {{ComputeClass::Matmul, ElementType::F32, 1000}},
             400, 400);
  Report report = builder.take();
  EXPECT_HAS(text(report), "f32 products use the f32 ceiling; --allow-tf32");
  report.options.allowTF32 = true;
  EXPECT_HAS(text(report), "f32 products use the tf32 ceiling (--allow-tf32)");
}

TEST(Text, FitsTheTerminal) {
  for (unsigned width : {40u, 60u, 80u, 100u, 160u}) {
    WriterOptions options;
    options.width = width;
    std::string out = text(samples::transformer(3), options);
    EXPECT_LE(widest(out), width);
    EXPECT_HAS(out, "time");
  }
}

TEST(Text, DropsTheLeastImportantColumnsFirst) {
  WriterOptions options;
  options.width = 70;
  std::string narrow = text(samples::tiny(), options);
  EXPECT_HAS(narrow, "#  op    type        time  share  bound     FLOPs");
  EXPECT_FALSE(StringRef(narrow).contains("of roof"));
  options.width = 40;
  EXPECT_HAS(text(samples::tiny(), options), "op       time  share  bound");
}

TEST(Text, TopAndSort) {
  WriterOptions options;
  options.top = 1;
  options.sort = SortKey::Order;
  std::string out = text(samples::five(), options);
  EXPECT_HAS(out, "Ops in execution order (1 of 5)");
  EXPECT_HAS(out, "fc1/MatMul");
  EXPECT_FALSE(StringRef(out).contains("Transpose"));
  options.sort = SortKey::Bytes;
  options.top = 0;
  EXPECT_HAS(text(samples::five(), options), "Heaviest ops by bytes (5 of 5)");
}

TEST(Text, GroupsByOpType) {
  WriterOptions options;
  options.groupBy = GroupKey::OpType;
  std::string out = text(samples::five(), options);
  EXPECT_HAS(out, "By op type, by time (4 of 4)");
  EXPECT_HAS(out, "MatMul       2");
  EXPECT_HAS(out, "overhead 100%");
  EXPECT_FALSE(StringRef(out).contains("Heaviest"));
}

TEST(Text, GroupsByScope) {
  Report report = samples::five();
  report.ops[0].scope = "loop/body";
  WriterOptions options;
  options.groupBy = GroupKey::Scope;
  std::string out = text(report, options);
  EXPECT_HAS(out, "By scope, by time (2 of 2)");
  EXPECT_HAS(out, "loop/body      1");
  EXPECT_HAS(out, "(top level)    4");
}

TEST(Text, ColoursBounds) {
  WriterOptions options;
  options.color = true;
  std::string out = text(samples::tiny(), options);
  EXPECT_HAS(out, "\x1b[32mcompute\x1b[0m");
  EXPECT_HAS(out, "\x1b[33mmemory\x1b[0m");
}

TEST(Text, DevicesSideBySide) {
  Device slow = samples::device();
  slow.name = "slow";
  for (ComputeCeiling &ceiling : slow.compute)
    ceiling.perSecond /= 10;
  std::vector<Report> reports = {samples::five(), samples::five(slow)};
  std::string out = text(reports);
  EXPECT_HAS(out, "Totals by device\ndevice");
  EXPECT_HAS(out, "slow    1.77 ms");
  EXPECT_HAS(out, "10.0 FLOP/byte (matmul f16)");
  EXPECT_HAS(out, "Heaviest ops by time (5 of 5) on round");
  EXPECT_HAS(out, "    round     slow");
}

TEST(Text, NothingToReport) {
  Report bare;
  EXPECT_HAS(text(bare), "coverage    0 of 0 ops covered");
  EXPECT_EQ(text({}), "");
}

} // namespace
