//===- TablesTest.cpp - CSV and Markdown ----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "roofline/Report/Writers.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace roofline;

namespace {

std::string write(ArrayRef<Report> reports, ReportFormat format,
                  const WriterOptions &options = {}) {
  std::string out;
  raw_string_ostream os(out);
  writeReports(reports, format, options, os);
  return out;
}

TEST(CSV, Tiny) {
  EXPECT_EQ(write(samples::tiny(), ReportFormat::CSV),
            R"(# roofline-report/1
# model: tiny; tiny.onnx (IR version 8, opset 18)
# dimensions: n = 1024
# device: round (Round Numbers 1); matmul f16 100 TFLOP/s, vector f16 10.0 TFLOP/s, dram 1.00 TB/s (16.0 GB), l2 4.00 TB/s (40.0 MB), launch 1.00 µs
# coverage: 3 of 3 ops covered
device,index,name,op_type,domain,scope,times,inputs,outputs,flops,flops_formula,flops_min,flops_causal,flops_matmul,flops_vector,flops_special,data_dependent,bytes_read,bytes_written,bytes_formula,intensity,seconds,time_share,attainable_flops,bound,limiter,fusion_group,covered,sentence
round,0,mm,MatMul,,,1,"x:f16[1024,1024]; w:f16[1024,1024]","y:f16[1024,1024]",2147483648,,,,2147483648,0,0,false,4194304,2097152,,341.3333333333333,2.247483648e-05,0.755043191727719,1e+14,compute,matmul:f16,0,true,Bound: compute.
round,1,a|b,Add,,,1,,a|b_out:f16[1],1048576,,,,0,1048576,0,false,4194304,2097152,,0.16666666666666666,7.291456e-06,0.244956808272281,166666666666.66666,memory,dram,0,true,Bound: memory.
round,2,,Reshape,,,1,,_out:f16[1],0,,,,0,0,0,false,0,0,,,0,0,,none,,,true,Bound: none.
)");
}

TEST(CSV, QuotesWhatIsOdd) {
  std::string out = write(samples::open(), ReportFormat::CSV);
  StringRef text = out;
  // Unknown is empty, a formula stands in its own column, quotes are doubled.
  EXPECT_TRUE(text.contains(
      "round,0,mm,MatMul,,,,\"x:f16[batch,1024]\",\"y:f16[batch,?]\",,"
      "2097152*batch,,,,,,false,,,4096*batch + 2097152,,,,,unknown,,,true,\n"));
  EXPECT_TRUE(text.contains("<\"\"name\"\">"));
  EXPECT_TRUE(text.contains("# to bind: --dim=batch=1 '--dim=x[1]=1'\n"));

  samples::Builder builder("m");
  builder.op("=1+1", "T", {}, 8, 8);
  builder.op("a#b", "T", {}, 8, 8);
  std::string odd = write(builder.take(), ReportFormat::CSV);
  EXPECT_TRUE(StringRef(odd).contains("round,0,\"=1+1\",T"));
  EXPECT_TRUE(StringRef(odd).contains("round,1,\"a#b\",T"));
}

TEST(CSV, ColumnsAreTheSameInEveryRow) {
  std::string out = write(samples::crowd(120), ReportFormat::CSV);
  SmallVector<StringRef> lines;
  StringRef(out).split(lines, '\n', -1, false);
  size_t columns = 0;
  for (StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    size_t commas = 0;
    bool quoted = false;
    for (char c : line) {
      quoted ^= c == '"';
      commas += c == ',' && !quoted;
    }
    columns = columns ? columns : commas;
    EXPECT_EQ(commas, columns) << line.str();
  }
  EXPECT_EQ(columns, 28u);
}

TEST(Markdown, Tiny) {
  EXPECT_EQ(write(samples::tiny(), ReportFormat::Markdown),
            R"(# Roofline report: tiny

|  |  |
| --- | --- |
| source | tiny.onnx (IR version 8, opset 18) |
| parameters | 1.05 M (2.10 MB) |
| dimensions | n = 1024 |
| device | round (Round Numbers 1): matmul f16 100 TFLOP/s, vector f16 10.0 TFLOP/s, dram 1.00 TB/s (16.0 GB), l2 4.00 TB/s (40.0 MB), launch 1.00 µs; ridge 100 FLOP/byte (matmul f16) |
| coverage | 3 of 3 ops covered |

## Totals

|  | round |
| --- | ---: |
| FLOPs | 2.15 GFLOP |
| by class | matmul f16 2.15 GFLOP, vector f16 1.05 MFLOP |
| bytes read | 8.39 MB |
| bytes written | 4.19 MB |
| time | 29.8 µs |
| bound by time | compute 76%, memory 24% |
| launches | 2 |
| peak memory | 8.39 MB, fits in 16.0 GB |
| traffic, unfused | 12.6 MB, 29.8 µs |
| traffic, fused | 8.39 MB, 22.5 µs |
| traffic, compulsory | 8.39 MB, 21.5 µs |

## Ops (3 of 3)

| # | op | type | FLOPs | bytes | FLOP/byte | time | share | bound |
| ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
| 0 | `mm` | MatMul | 2.15 G | 6.29 MB | 341 | 22.5 µs | 75.5% | compute |
| 1 | `a\|b` | Add | 1.05 M | 6.29 MB | 0.167 | 7.29 µs | 24.5% | memory |
| 2 | `_out` | Reshape | 0 | 0 B | - | 0 s | 0.0% | none |

## Fusion groups on round (1 of 1)

| group | kind | ops | bytes before | bytes after | time saved | speed-up | ends there |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | --- |
| 0 | epilogue | 2 | 12.6 MB | 8.39 MB | 7.29 µs | 1.32× | nothing follows |
)");
}

TEST(Markdown, SaysWhatIsOpen) {
  std::string out = write(samples::open(), ReportFormat::Markdown);
  StringRef text = out;
  EXPECT_TRUE(text.contains("| dimensions | unbound: batch, x\\[1\\] |"));
  EXPECT_TRUE(text.contains("    --dim=batch=1 '--dim=x[1]=1'\n"));
  EXPECT_TRUE(text.contains("- `mm`: weights \"w.bin\" are missing\n- old\n"));
}

TEST(Markdown, GroupsAndDevices) {
  WriterOptions options;
  options.groupBy = GroupKey::OpType;
  std::vector<Report> reports = {samples::five(), samples::five()};
  std::string out = write(reports, ReportFormat::Markdown, options);
  EXPECT_EQ(StringRef(out).count("## By op type on round"), 2u);
  EXPECT_FALSE(StringRef(out).contains("## Ops"));
  options.groupBy = GroupKey::None;
  out = write(reports, ReportFormat::Markdown, options);
  EXPECT_TRUE(StringRef(out).contains("| time, round | share, round | bound, "
                                      "round | time, round |"));
}

} // namespace
