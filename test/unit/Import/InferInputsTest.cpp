//===- InferInputsTest.cpp - inputs, options, declared types --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferSupport.h"

using namespace roofline;
using roofline::onnx_import::test::Inferred;

namespace {

ImportOptions withValue(std::string name, std::string text) {
  ImportOptions options;
  options.values.push_back({std::move(name), std::move(text)});
  return options;
}

TEST(InferInputs, DimensionsKeepTheirNames) {
  Inferred m("g (float[batch, 3] x) => (float[a, b] y) { y = Relu(x) }");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["y"], "[batch, 3] f32");
}

TEST(InferInputs, DimOptionBindsEverywhere) {
  ImportOptions options;
  options.dims.push_back({"batch", 4});
  Inferred m(
      "g (float[batch, 3] x, float[batch, 1] z) => (y) { y = Add(x, z) }",
      options);
  EXPECT_EQ(m["x"], "[4, 3] f32");
  EXPECT_EQ(m["y"], "[4, 3] f32");
}

TEST(InferInputs, ShapeOption) {
  ImportOptions options;
  options.shapes.push_back({"x", {2, 3}});
  Inferred m("g (float[batch, c] x) => (y) { y = Relu(x) }", options);
  EXPECT_EQ(m["y"], "[2, 3] f32");
}

TEST(InferInputs, ShapeOptionContradictsTheModel) {
  ImportOptions options;
  options.shapes.push_back({"x", {2, 4}});
  Inferred m("g (float[batch, 3] x) => (y) { y = Relu(x) }", options);
  EXPECT_TRUE(m.usage);
  EXPECT_NE(m.message.find('3'), std::string::npos) << m.message;
  EXPECT_NE(m.message.find('4'), std::string::npos) << m.message;
}

// An integer scalar stands for itself until it has a value.
TEST(InferInputs, IntegerScalarsAreFormulas) {
  const char *text = "g (int64 n) => (y) { y = Identity(n) }";
  EXPECT_EQ(Inferred(text)["n"], "[] i64 {n}");
  EXPECT_EQ(Inferred(text, withValue("n", "5"))["n"], "[] i64 {5}");
  EXPECT_EQ(Inferred("g (int32[1] n) => (y) { y = Identity(n) }")["n"],
            "[1] i32 {n}");
  EXPECT_EQ(Inferred("g (int64[0] n) => (y) { y = Identity(n) }")["n"],
            "[0] i64 {}");
}

TEST(InferInputs, BoolsAreUnknownWithoutAValue) {
  const char *text = "g (bool b) => (y) { y = Identity(b) }";
  EXPECT_EQ(Inferred(text)["b"], "[] bool");
  EXPECT_EQ(Inferred(text, withValue("b", "true"))["b"], "[] bool {1}");
  EXPECT_EQ(Inferred(text, withValue("b", "0"))["b"], "[] bool {0}");
}

TEST(InferInputs, ListsOfValues) {
  Inferred m("g (int64[k] s) => (y) { y = Identity(s) }",
             withValue("s", "2, 3,4"));
  EXPECT_EQ(m["s"], "[3] i64 {2, 3, 4}");
}

TEST(InferInputs, WrongValues) {
  const char *text = "g (int64[2] s) => (y) { y = Identity(s) }";
  Inferred count(text, withValue("s", "1,2,3"));
  EXPECT_TRUE(count.usage);
  EXPECT_EQ(count.message, "--value s=1,2,3: the input has 2 elements, the "
                           "option gives 3 values");
  Inferred type(text, withValue("s", "1,x"));
  EXPECT_TRUE(type.usage);
  EXPECT_EQ(type.message, "--value s=1,x: 'x' is no value of type i64");
  EXPECT_TRUE(Inferred(text, withValue("t", "1")).usage);
}

TEST(InferInputs, DeclaredSizesFillWhatIsUnknown) {
  Inferred m("g (float[2] x) => (float[a, 5] y) { y = other.Swirl(x) }");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["y"], "[a, 5] f32");
}

// What follows wins over what the file says; the file is told so.
TEST(InferInputs, DeclaredSizesThatDisagree) {
  Inferred m("g (float[2, 3] x) => (float[2, 7] y) { y = Relu(x) }");
  EXPECT_EQ(m["y"], "[2, 3] f32");
  ASSERT_EQ(m.model.warnings.size(), 1u);
  EXPECT_EQ(m.model.warnings[0].message,
            "value 'y' is declared [2, 7], but follows as [2, 3], which is "
            "used");
}

TEST(InferInputs, StoredTensors) {
  Inferred m(R"(g (float[2] x) => (y)
    <int64[3] i = {1, -2, 3}, float[2] f = {0.5, 2.0}, bool[2] b = {1, 0}> {
      y = Identity(x)
    })");
  EXPECT_EQ(m["i"], "[3] i64 {1, -2, 3}");
  EXPECT_EQ(m["f"], "[2] f32 {0.500000, 2.000000}");
  EXPECT_EQ(m["b"], "[2] bool {1, 0}");
}

} // namespace
