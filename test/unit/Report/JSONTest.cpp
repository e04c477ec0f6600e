//===- JSONTest.cpp - the report as JSON ----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/JSON.h"
#include "Samples.h"
#include "roofline/Report/Writers.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <limits>

using namespace llvm;
using namespace roofline;

namespace {

std::string json(ArrayRef<Report> reports) {
  std::string out;
  raw_string_ostream os(out);
  writeJSON(reports, os);
  return out;
}

json::Value parsed(ArrayRef<Report> reports) {
  Expected<json::Value> value = llvm::json::parse(json(reports));
  EXPECT_TRUE(bool(value)) << toString(value.takeError());
  return value ? std::move(*value) : llvm::json::Value(nullptr);
}

#define EXPECT_HAS(TEXT, PART)                                                 \
  EXPECT_TRUE(StringRef(TEXT).contains(PART)) << TEXT

TEST(JSON, Totals) {
  EXPECT_HAS(
      json(samples::tiny()),
      R"("totals":{"flops":2148532224,"flops_by_class":{"matmul":{"f16":2147483648},"vector":{"f16":1048576}},"bytes_read":8388608,"bytes_written":4194304,"bytes_by_role":{"weight":2097152,"activation":10485760,"kv_cache":0},"seconds":2.976629248e-05,"launches":2,"traffic":{"unfused":{"bytes":12582912,"seconds":2.976629248e-05},"fused":{"bytes":8388608,"seconds":2.247483648e-05},"compulsory":{"bytes":8388608,"seconds":2.147483648e-05}},"seconds_interval":[2.247483648e-05,2.976629248e-05],"peak_memory_bytes":8388608,"fits":true,"flops_formula":null,"bytes_formula":null,"complete":true,"upper_bound":false,"uncovered":[],"unbound_dims":[],"bind_flags":[]},
)");
}

TEST(JSON, Row) {
  EXPECT_HAS(
      json(samples::tiny()),
      R"({"index":0,"name":"mm","op_type":"MatMul","domain":"","scope":"","times":1,"inputs":[{"name":"x","shape":[1024,1024],"type":"f16","role":"activation"},{"name":"w","shape":[1024,1024],"type":"f16","role":"weight"}],"outputs":[{"name":"y","shape":[1024,1024],"type":"f16","role":"activation"}],"flops":2147483648,"flops_formula":null,"flops_min":null,"flops_causal":null,"data_dependent":false,"flops_by_class":{"matmul":{"f16":2147483648}},"bytes_read":4194304,"bytes_written":2097152,"intensity":341.3333333333333,"seconds":2.247483648e-05,"attainable_flops":1e+14,"bound":"compute","limiter":"matmul:f16","sentence":"Bound: compute.","fusion_group":0,"measured":null,)");
}

TEST(JSON, UnknownIsNull) {
  std::string out = json(samples::open());
  EXPECT_HAS(
      out,
      R"("times":null,"inputs":[{"name":"x","shape":["batch",1024],"type":"f16","role":"activation"}],"outputs":[{"name":"y","shape":["batch",null],"type":"f16","role":"activation"}],"flops":null,"flops_formula":"2097152*batch",)");
  EXPECT_HAS(out, R"("name":"z","shape":null)");
  EXPECT_HAS(out, R"("bytes_by_role":{"weight":null,)");
  EXPECT_HAS(out, R"("seconds_interval":null,"peak_memory_bytes":null,)"
                  R"("fits":null)");
  EXPECT_HAS(out, R"({"node":null,"message":"old"})");
}

TEST(JSON, NumbersThatAreNotFiniteAreNull) {
  Report report = samples::tiny();
  report.ops[0].placement.intensity = std::numeric_limits<double>::infinity();
  report.ops[0].placement.seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_HAS(json(report), R"("intensity":null,"seconds":null)");
}

TEST(JSON, IntegersOfAnySize) {
  Report report = samples::tiny();
  Int big(9007199254740993); // 2^53 + 1: no double holds it
  report.ops[0].flops = big;
  report.ops[0].bytesRead = big * big;
  std::string out = json(report);
  EXPECT_HAS(out, R"("flops":9007199254740993,)");
  EXPECT_HAS(out, R"("bytes_read":81129638414606699710187514626049,)");
}

TEST(JSON, NamesOfAnyBytes) {
  Report report = samples::tiny();
  report.ops[0].name = std::string("q\" b\\ n\n \x01 \xff größe ") + '\0';
  report.dims = {{"a\"b", Int(3)}};
  std::string out = json(report);
  EXPECT_HAS(out, "\"name\":\"q\\\" b\\\\ n\\n \\u0001 \xef\xbf\xbd größe "
                  "\\u0000\"");
  EXPECT_HAS(out, R"("dims":{"a\"b":3})");
  EXPECT_TRUE(llvm::json::isUTF8(out));
  parsed(report);
}

TEST(JSON, SeveralDevicesAreAnArray) {
  std::vector<Report> reports = {samples::tiny(), samples::open()};
  json::Value value = parsed(reports);
  ASSERT_TRUE(value.getAsArray());
  EXPECT_EQ(value.getAsArray()->size(), 2u);
  EXPECT_TRUE(parsed(samples::tiny()).getAsObject());
}

/// Longer than the writer's buffer, and a name longer than that on its own.
TEST(JSON, LargeReports) {
  Report report = samples::crowd(3000);
  report.ops[7].name = std::string(200000, 'x');
  json::Value value = parsed(report);
  const json::Array &ops = *value.getAsObject()->getArray("ops");
  ASSERT_EQ(ops.size(), report.ops.size());
  EXPECT_EQ(ops[7].getAsObject()->getString("name")->size(), 200000u);
  EXPECT_EQ(*ops.back().getAsObject()->getInteger("index"),
            int64_t(report.ops.size() - 1));
}

} // namespace
