//===- MeasuredTest.cpp - measurements beside predictions -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Report/Measured.h"
#include "Samples.h"
#include "Schema.h"
#include "roofline/Report/Writers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace roofline;

namespace {

struct Timing {
  std::vector<unsigned> rows;
  const char *name;
  double seconds;
};

/// What rl-run would write.
profile::Profile profileOf(ArrayRef<Timing> timings) {
  profile::Profile profile;
  profile.format = profile::Format::Roofline;
  profile.file = "m.json";
  for (const Timing &timing : timings) {
    profile::Measurement &measured = profile.measurements.emplace_back();
    measured.name = timing.name;
    measured.rows = timing.rows;
    measured.seconds.median = measured.total = timing.seconds;
    measured.count = 10;
  }
  return profile;
}

/// samples::tiny on "round" (100 TFLOP/s, 1 TB/s, 1 µs a launch), measured. Of
/// its rows the product is to take 21.474 µs and a launch, the addition 6.2915
/// µs and a launch, the view nothing.
Report measuredTiny(ArrayRef<Timing> timings) {
  Report report = samples::tiny();
  addMeasured(report, profileOf(timings));
  return report;
}

std::string write(const Report &report, ReportFormat format) {
  std::string out;
  raw_string_ostream os(out);
  writeReports(report, format, {}, os);
  return out;
}

TEST(Measured, PlacesARowOnItsRoof) {
  // Twice the time that 2·1024³ FLOPs take at 100 TFLOP/s.
  Report report = measuredTiny({{{0}, "mm", 42.94967296e-6}});
  const MeasuredEvent *row = report.measured->ofRow(0);
  ASSERT_TRUE(row);
  EXPECT_NEAR(*row->roofShare, 0.5, 1e-12);
  EXPECT_NEAR(*row->flopsPerSecond, 5e13, 1);
  EXPECT_NEAR(*row->bytesPerSecond, 6291456 / 42.94967296e-6, 1);
  EXPECT_NEAR(*row->ratio(), 42.94967296 / 22.47483648, 1e-12);
  EXPECT_EQ(row->aboveRoof, "");
  EXPECT_FALSE(row->group);
  EXPECT_FALSE(report.measured->ofRow(1));
}

TEST(Measured, SaysWhyATimeIsAboveTheRoof) {
  // 6.29 MB in 4 µs are 1.57 TB/s; the cache holds 40 MB. The product in 10 µs
  // is twice what the ceiling allows.
  Report report =
      measuredTiny({{{1}, "a|b", 4e-6}, {{0}, "mm", 10.73741824e-6}});
  EXPECT_NEAR(*report.measured->ofRow(1)->roofShare, 6.291456 / 4, 1e-12);
  EXPECT_EQ(report.measured->ofRow(1)->aboveRoof,
            "its 6.29 MB fit in the l2 (40.0 MB), so they needn't come from "
            "DRAM");
  EXPECT_NEAR(*report.measured->ofRow(0)->roofShare, 2, 1e-12);
  EXPECT_TRUE(StringRef(report.measured->ofRow(0)->aboveRoof)
                  .starts_with("more work a second than the ceiling "
                               "matmul:f16 of round"));
  std::string text = write(report, ReportFormat::Text);
  EXPECT_TRUE(StringRef(text).contains("above roof")) << text;
}

TEST(Measured, AGroupHoldsItsTime) {
  Report report = measuredTiny({{{0, 1}, "", 25e-6}});
  const MeasuredEvent *event = report.measured->ofRow(0);
  ASSERT_TRUE(event);
  EXPECT_EQ(event, report.measured->ofRow(1));
  EXPECT_EQ(event->group, 0U);
  // The rows are the report's own fusion group: predicted and moved as one.
  EXPECT_EQ(event->predicted, report.fusionGroups[0].secondsAfter);
  EXPECT_NEAR(*event->bytesPerSecond, 8388608 / 25e-6, 1);
  EXPECT_NEAR(*event->roofShare, (21.47483648 + 0.1048576) / 25, 1e-9);
  std::string json = write(report, ReportFormat::JSON);
  EXPECT_TRUE(StringRef(json).contains(
      R"("measured":{"seconds":null,"covered_by":0,"event":"","join":"index","inferred":false})"))
      << json;
}

TEST(Measured, AGroupStandsBesideItsRows) {
  Report report = measuredTiny(
      {{{0}, "mm", 30e-6}, {{1}, "a|b", 8e-6}, {{0, 1}, "both", 25e-6}});
  const Measured &measured = *report.measured;
  // The rows keep their own times, and nobody is warned.
  EXPECT_EQ(measured.ofRow(0)->measured.name, "mm");
  EXPECT_EQ(measured.ofRow(1)->measured.name, "a|b");
  for (const Report::Warning &warning : report.warnings)
    EXPECT_FALSE(StringRef(warning.message).contains("another event"));
  // What the group took is no time that the rows didn't.
  EXPECT_NEAR(measured.total, 38e-6, 1e-15);
  EXPECT_NEAR(measured.claimed, 38e-6, 1e-15);
  EXPECT_EQ(measured.joinedEvents, 3U);
  EXPECT_EQ(measured.accuracy.compared, 3U);
  EXPECT_NEAR(*measured.accuracy.measured, 38e-6, 1e-15);
  const MeasuredEvent &both = measured.events[2];
  EXPECT_TRUE(both.isBeside);
  EXPECT_EQ(both.group, 0U);
  EXPECT_EQ(both.predicted, report.fusionGroups[0].secondsAfter);
}

TEST(Measured, ALibraryStandsBesideTheKernel) {
  // 2·1024³ FLOPs at 100 TFLOP/s are 21.47483648 µs.
  Report report = samples::tiny();
  profile::Profile profile = profileOf({{{0}, "mm", 42.94967296e-6}});
  profile.measurements[0].library.emplace();
  profile.measurements[0].library->name = "lib|1";
  profile.measurements[0].library->seconds.median = 26.8435456e-6;
  addMeasured(report, profile);
  const MeasuredEvent &event = *report.measured->ofRow(0);
  EXPECT_EQ(report.measured->libraryName(), "lib|1");
  EXPECT_NEAR(*event.roofSeconds, 21.47483648e-6, 1e-15);
  EXPECT_NEAR(*event.library->roofShare, 0.8, 1e-12);
  EXPECT_NEAR(*event.library->flopsPerSecond, 8e13, 1);
  std::string text = write(report, ReportFormat::Text);
  EXPECT_TRUE(StringRef(text).contains("26.8 µs")) << text;
  EXPECT_TRUE(StringRef(text).contains("median 0.625× of the kernel's time"))
      << text;
  std::string csv = write(report, ReportFormat::CSV);
  EXPECT_TRUE(StringRef(csv).contains(",library_roof_share\n")) << csv;
  EXPECT_TRUE(StringRef(csv).contains(",index,lib|1,2.68435456e-05,")) << csv;
  std::string markdown = write(report, ReportFormat::Markdown);
  EXPECT_TRUE(StringRef(markdown).contains("| library | roof |")) << markdown;
  std::string svg = write(report, ReportFormat::SVG);
  EXPECT_EQ(StringRef(svg).count("fill=\"#009e73\" stroke=\"#ffffff\""),
            2U) // the row's, and the legend's
      << svg;
}

TEST(Measured, MeasuresItsAccuracy) {
  Report report = measuredTiny(
      {{{0}, "mm", 42.94967296e-6}, {{1}, "a|b", 4e-6}, {{2}, "", 1e-6}});
  const Accuracy &accuracy = report.measured->accuracy;
  EXPECT_EQ(accuracy.compared, 2U);
  EXPECT_EQ(accuracy.free, 1U); // the view
  EXPECT_EQ(accuracy.freeSeconds, 1e-6);
  double first = 1 - 22.47483648 / 42.94967296, second = 7.291456 / 4 - 1;
  EXPECT_NEAR(*accuracy.medianError, (first + second) / 2, 1e-12);
  EXPECT_NEAR(*accuracy.p90Error, second, 1e-12);
  EXPECT_NEAR(*accuracy.rankCorrelation, 1, 1e-12);
  // The addition lies between 0.1 µs, fused, and 7.29 µs by itself; the product
  // takes longer than both its limits.
  EXPECT_EQ(accuracy.insideInterval, 0.5);
}

TEST(Measured, SaysWhatDidNotJoin) {
  Report report = measuredTiny({{{0}, "mm", 3e-6}, {{}, "elsewhere", 1e-6}});
  EXPECT_EQ(report.measured->joinedEvents, 1U);
  EXPECT_NEAR(report.measured->claimed, 3e-6, 1e-18);
  EXPECT_NEAR(report.measured->unmatched, 1e-6, 1e-18);
  ASSERT_EQ(report.warnings.size(), 2U);
  EXPECT_EQ(report.warnings[0].message,
            "measured: 1 event of 2 (1.00 µs, 25.0% of the time) joined no row "
            "of this report (nodes that only compute shapes have none)");
  EXPECT_EQ(report.warnings[1].message,
            "measured: 2 rows of this report without a measurement: fused, "
            "folded, or not run");
  EXPECT_TRUE(StringRef(write(report, ReportFormat::Text))
                  .contains("unmatched   elsewhere (1.00 µs)"));
}

TEST(Measured, FollowsTheSchema) {
  Report report = measuredTiny(
      {{{0, 1}, "g", 25e-6}, {{2}, "", 1e-6}, {{}, "elsewhere", 1e-6}});
  auto file = MemoryBuffer::getFile(ROOFLINE_REPORT_SCHEMA);
  ASSERT_TRUE(bool(file));
  Expected<json::Value> schema = json::parse((*file)->getBuffer());
  ASSERT_TRUE(bool(schema)) << toString(schema.takeError());
  Expected<json::Value> value = json::parse(write(report, ReportFormat::JSON));
  ASSERT_TRUE(bool(value)) << toString(value.takeError());
  std::vector<std::string> wrong =
      samples::violations(*value, *schema->getAsObject());
  EXPECT_TRUE(wrong.empty()) << join(wrong, "\n");
}

TEST(Measured, StandsInEveryForm) {
  Report report = measuredTiny({{{0}, "mm", 42.94967296e-6}});
  std::string csv = write(report, ReportFormat::CSV);
  EXPECT_TRUE(StringRef(csv).contains(
      ",sentence,measured_seconds,measured_ratio,measured_flops_per_second,"
      "measured_bytes_per_second,roof_share,above_roof,measured_group,"
      "measured_event,join\n"))
      << csv;
  EXPECT_TRUE(StringRef(csv).contains("Bound: none.,,,,,,,,,\n"))
      << csv; // nothing measured
  std::string markdown = write(report, ReportFormat::Markdown);
  EXPECT_TRUE(StringRef(markdown).contains("| time | measured | ratio |"))
      << markdown;
  EXPECT_TRUE(StringRef(markdown).contains("| 22.5 µs | 42.9 µs | 1.91× |"))
      << markdown;
  std::string svg = write(report, ReportFormat::SVG);
  EXPECT_TRUE(StringRef(svg).contains("mm, measured: 42.9 µs (50.0 TFLOP/s)"))
      << svg;
}

} // namespace
