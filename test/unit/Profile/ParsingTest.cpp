//===- ParsingTest.cpp - JSON as a stream, and CSV ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CSV.h"
#include "JSONReader.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace roofline::profile;

namespace {

TEST(JSONReader, KeepsNanosecondsOfMicroseconds) {
  // More digits than a double has: 1.7e15 µs and three decimals are 61 bits.
  EXPECT_EQ(microsecondsToNanoseconds("1695835542514261.123"),
            1695835542514261123);
  EXPECT_EQ(microsecondsToNanoseconds("1419247332972.3"), 1419247332972300);
  EXPECT_EQ(microsecondsToNanoseconds("7"), 7000);
  EXPECT_EQ(microsecondsToNanoseconds("-1.5"), -1500);
  EXPECT_EQ(microsecondsToNanoseconds("0.0004"), 0);
  EXPECT_EQ(microsecondsToNanoseconds("0.0006"), 1);
  EXPECT_EQ(microsecondsToNanoseconds("1.5e3"), 1500000);
}

TEST(JSONReader, RefusesWhatIsNoTime) {
  for (StringRef text :
       {"", "x", "nan", "Infinity", "1e300", "1.2.3", "99999999999999999999"})
    EXPECT_FALSE(microsecondsToNanoseconds(text)) << text.str();
}

std::string decode(StringRef json) {
  JSONReader reader(json);
  JSONToken token;
  return reader.value(token) ? token.decoded() : "error: " + reader.message();
}

TEST(JSONReader, DecodesTexts) {
  EXPECT_EQ(decode(R"("a\"b\\c\/d\n")"), "a\"b\\c/d\n");
  EXPECT_EQ(decode(R"("\u00b5s \ud83d\ude00")"), "\xc2\xb5s \xf0\x9f\x98\x80");
  EXPECT_EQ(decode(R"("\ud83d")"), "\xef\xbf\xbd"); // half a pair
  EXPECT_EQ(decode(R"("\u12")"), "\\u12");
  EXPECT_EQ(decode("\"open"), "error: line 1: a text isn't closed");
  EXPECT_EQ(decode("\"open\\"), "error: line 1: a text isn't closed");
  EXPECT_EQ(decode("\n\n["), "error: line 3: a bracket isn't closed");
  EXPECT_EQ(decode(R"({"a": ["}", {}]} rest)"), R"({"a": ["}", {}]})");
}

TEST(JSONReader, ReadsObjectsAndArrays) {
  JSONReader reader(R"({"a": [1, NaN, "x",], "b": {}})");
  std::string seen;
  EXPECT_TRUE(reader.object([&](StringRef key) {
    seen += key.str() + ":";
    if (key == "b")
      return reader.object([](StringRef) { return false; });
    return reader.array([&] {
      JSONToken token;
      bool read = reader.value(token);
      seen += token.text.str() + ";";
      return read;
    });
  }));
  EXPECT_EQ(seen, "a:1;NaN;x;b:");
  EXPECT_TRUE(reader.atEnd());
}

TEST(JSONReader, AnArrayMayEndWithTheFile) {
  JSONReader reader("[1, 2,\n");
  unsigned count = 0;
  EXPECT_TRUE(reader.array([&] {
    ++count;
    return reader.skip();
  }));
  EXPECT_EQ(count, 2U);
  EXPECT_TRUE(reader.wasCutOff());
}

TEST(JSONReader, SaysWhereItStopped) {
  auto message = [](StringRef text) {
    JSONReader reader(text);
    bool read = reader.object([&](StringRef) { return reader.skip(); });
    return read ? std::string("read") : reader.message();
  };
  EXPECT_EQ(message("[]"), "line 1: expected an object");
  EXPECT_EQ(message("{\n1"), "line 2: expected a text in quotes");
  EXPECT_EQ(message("{\"a\" 1}"), "line 1: expected ':' after a key");
  EXPECT_EQ(message("{\"a\": }"), "line 1: expected a value");
  EXPECT_EQ(message("{\"a\": 1 \"b\": 2}"),
            "line 1: expected ',' or '}' in an object");
}

std::string rowsOf(StringRef text) {
  CSVReader reader(text);
  std::vector<std::string> fields;
  std::string out;
  while (reader.next(fields))
    out += std::to_string(reader.line()) + "[" + join(fields, "|") + "]";
  return out + (reader.isUnclosed() ? "unclosed" : "");
}

TEST(CSV, ReadsQuotedFields) {
  EXPECT_EQ(rowsOf("a,b\r\n\n\"x, \"\"y\"\"\",\"l1\nl2\"\nlast"),
            "1[a|b]3[x, \"y\"|l1\nl2]5[last]");
  EXPECT_EQ(rowsOf(",\n"), "1[|]");
  EXPECT_EQ(rowsOf("\"a\"b,c"), "1[ab|c]");
  EXPECT_EQ(rowsOf("\"never"), "1[never]unclosed");
  EXPECT_EQ(rowsOf(""), "");
}

TEST(CSV, FindsColumnsWhateverTheirUnit) {
  std::vector<std::string> names = {"Start (ns)", "Total Time(nsec)", "Name"};
  CSVHeader header(names);
  EXPECT_EQ(header.find("start"), 0U);
  EXPECT_EQ(header.unit("Start"), "ns");
  EXPECT_EQ(header.unit("Total Time"), "nsec");
  EXPECT_FALSE(header.find("Total"));
  EXPECT_TRUE(header.has({"Name", "Start"}));
  EXPECT_FALSE(header.has({"Name", "CorrId"}));
}

TEST(CSV, ReadsNumbersAndUnits) {
  EXPECT_EQ(csvNumber("1,234,567.5"), 1234567.5);
  EXPECT_EQ(csvNumber(" 12 "), 12);
  EXPECT_FALSE(csvNumber("None"));
  EXPECT_FALSE(csvNumber(""));
  EXPECT_FALSE(csvNumber("inf"));
  EXPECT_EQ(secondsPerUnit("usecond"), 1e-6);
  EXPECT_FALSE(secondsPerUnit("cycle"));
  EXPECT_EQ(bytesPerUnit("Mbyte"), 1e6);
  EXPECT_EQ(bytesPerUnit("MiB"), 1048576);
}

} // namespace
