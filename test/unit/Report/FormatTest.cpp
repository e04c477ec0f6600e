//===- FormatTest.cpp - numbers and names as people read them -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "gtest/gtest.h"
#include <limits>

using namespace roofline;
using namespace roofline::report;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Format, SI) {
  EXPECT_EQ(si(0, "B"), "0 B");
  EXPECT_EQ(si(1, "B"), "1.00 B");
  EXPECT_EQ(si(999.4, "B"), "999 B");
  EXPECT_EQ(si(999.6, "B"), "1.00 kB"); // never "1000 B"
  EXPECT_EQ(si(9.996, "s"), "10.0 s");
  EXPECT_EQ(si(1.5e-6, "s"), "1.50 µs");
  EXPECT_EQ(si(989e12, "FLOP/s"), "989 TFLOP/s");
  EXPECT_EQ(si(1e30, "B"), "1e+30 B");
  EXPECT_EQ(si(infinity, "B"), "?");
}

TEST(Format, Counts) {
  EXPECT_EQ(si(std::optional<Int>(Int(999)), "FLOP"), "999 FLOP");
  EXPECT_EQ(si(std::optional<Int>(Int(2147483648)), "FLOP"), "2.15 GFLOP");
  EXPECT_EQ(si(std::optional<Int>(), "FLOP"), "?");
  EXPECT_EQ(bytes(Int(6291456)), "6.29 MB");
  EXPECT_EQ(grouped(Int(1234567)), "1 234 567");
  EXPECT_EQ(grouped(Int(-123)), "-123");
  EXPECT_EQ(count(40), "40");
  EXPECT_EQ(count(2.5e6), "2.50 M");
  EXPECT_EQ(exact(Int(1) * Int(1000000007) * Int(1000000007) * Int(1000000007)),
            "1000000021000000147000000343");
}

TEST(Format, Ratios) {
  EXPECT_EQ(ratio(1.0 / 6), "0.167");
  EXPECT_EQ(ratio(341.33), "341");
  EXPECT_EQ(ratio(1234.4), "1234");
  EXPECT_EQ(ratio(1e-6), "1e-06");
  EXPECT_EQ(ratio(infinity), "?");
  EXPECT_EQ(percent(0.755), "75.5%");
  EXPECT_EQ(percent(0.0001), "<0.1%");
  EXPECT_EQ(percent(std::nullopt), "?");
}

TEST(Format, PrintableNames) {
  EXPECT_EQ(printable("plain/name.1"), "plain/name.1");
  EXPECT_EQ(printable("a\nb\tc"), "a b c");
  EXPECT_EQ(printable("red\x1b[31m"), "red\xef\xbf\xbd[31m");
  EXPECT_EQ(printable("\xc2\x85"), "\xef\xbf\xbd"); // C1 control
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "txt"),
            "\xef\xbf\xbdtxt"); // override
  EXPECT_EQ(printable("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(printable("größe"), "größe");
}

TEST(Format, Shortening) {
  EXPECT_EQ(shorten("short", 10), "short");
  EXPECT_EQ(shorten("/model/layers.12/MatMul", 12), "/mo…2/MatMul");
  EXPECT_EQ(shorten("anything", 1), "…");
  EXPECT_EQ(shorten("anything", 0), "");
  EXPECT_EQ(columns("größe"), 5u);
  EXPECT_EQ(columns("模型"), 4u); // wide characters take two columns
  EXPECT_EQ(columns(shorten("模型模型模型模型", 7)), 7u);
}

} // namespace
