//===- SchemaTest.cpp - reports conform to the published schema -----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schema.h"
#include "Samples.h"
#include "roofline/Report/Writers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace roofline;

namespace {

json::Value parse(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  EXPECT_TRUE(bool(value)) << toString(value.takeError());
  return value ? std::move(*value) : json::Value(nullptr);
}

json::Object schema() {
  auto file = MemoryBuffer::getFile(ROOFLINE_REPORT_SCHEMA);
  if (!file) {
    ADD_FAILURE() << ROOFLINE_REPORT_SCHEMA;
    return {};
  }
  return std::move(*parse((*file)->getBuffer()).getAsObject());
}

json::Value reportOf(ArrayRef<Report> reports) {
  std::string text;
  raw_string_ostream os(text);
  writeJSON(reports, os);
  return parse(text);
}

TEST(Schema, AcceptsReports) {
  json::Object rules = schema();
  for (const Report &report :
       {samples::tiny(), samples::five(), samples::transformer(2),
        samples::crowd(200), samples::open()}) {
    std::vector<std::string> wrong =
        samples::violations(reportOf(report), rules);
    EXPECT_TRUE(wrong.empty()) << report.model.name << "\n"
                               << join(wrong, "\n");
  }
}

TEST(Schema, AcceptsSeveralDevices) {
  std::vector<Report> reports = {samples::tiny(), samples::five()};
  EXPECT_TRUE(samples::violations(reportOf(reports), schema()).empty());
}

TEST(Schema, AcceptsIntegersBeyond64Bits) {
  Report report = samples::tiny();
  report.totals.flops = Int(1);
  for (int i = 0; i < 40; ++i)
    *report.totals.flops *= Int(1000);
  EXPECT_TRUE(samples::violations(reportOf(report), schema()).empty());
}

/// Each spoils one thing; the schema must see it.
TEST(Schema, RejectsMistakes) {
  json::Object rules = schema();
  using Spoil = void (*)(json::Object &);
  std::pair<StringRef, Spoil> mistakes[] = {
      {"no ops", [](json::Object &r) { r.erase("ops"); }},
      {"another version",
       [](json::Object &r) { r["schema"] = "roofline-report/2"; }},
      {"a bound of no meaning",
       [](json::Object &r) {
         (*(*r.getArray("ops"))[0].getAsObject())["bound"] = "fast";
       }},
      {"fractional FLOPs",
       [](json::Object &r) {
         (*(*r.getArray("ops"))[0].getAsObject())["flops"] = 1.5;
       }},
      {"a negative size",
       [](json::Object &r) {
         (*(*r.getArray("ops"))[0].getAsObject())["bytes_read"] = -1;
       }},
      {"a number as text",
       [](json::Object &r) {
         (*(*r.getArray("ops"))[0].getAsObject())["seconds"] = "NaN";
       }},
      {"a ceiling of no kind",
       [](json::Object &r) {
         (*(*r.getObject("device")->getArray("ceilings"))[0]
               .getAsObject())["kind"] = "magic";
       }},
      {"an unknown class",
       [](json::Object &r) {
         (*r.getObject("totals")->getObject("flops_by_class"))["tensor"] =
             json::Object();
       }},
      {"half an interval",
       [](json::Object &r) {
         (*r.getObject("totals"))["seconds_interval"] = json::Array({1.0});
       }},
      {"a lost role", [](json::Object &r) {
         r.getObject("totals")->getObject("bytes_by_role")->erase("kv_cache");
       }}};
  for (auto [what, spoil] : mistakes) {
    json::Value value = reportOf(samples::tiny());
    spoil(*value.getAsObject());
    EXPECT_FALSE(samples::violations(value, rules).empty()) << what.str();
  }
}

} // namespace
