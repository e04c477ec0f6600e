//===- DimNamesTest.cpp - dimensions, their names and what binds them -----===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResolveSupport.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using namespace roofline::onnx_import::test;

namespace {

const char *const model =
    "g (float[batch, seq, 8] x, float[?, k, 2] u, float v, int64 n)"
    "  => (float[batch, rows] y) {"
    "  y = far.Op(x, u, v, n)"
    "}";

/// "x[0]" or the text of a dimension of an input.
std::string dims(Resolved &m, unsigned input) {
  auto found = m.model.dimNames->inputDims(m.model.proto->graph().input(input));
  if (!found)
    return "unranked";
  std::string text;
  for (const MaybeDim &dim : *found)
    text += (text.empty() ? "" : ", ") + (dim ? dim->str() : std::string("?"));
  return text;
}

ImportOptions bind(std::vector<std::pair<std::string, int64_t>> dims) {
  ImportOptions options;
  options.dims = std::move(dims);
  return options;
}

ImportOptions shape(StringRef name, std::vector<int64_t> sizes) {
  ImportOptions options;
  options.shapes.push_back({name.str(), std::move(sizes)});
  return options;
}

TEST(DimNames, NamesAndPlaces) {
  Resolved m(model);
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(dims(m, 0), "batch, seq, 8");
  EXPECT_EQ(dims(m, 1), "u[0], k, 2");
}

TEST(DimNames, Bindings) {
  Resolved m(model, bind({{"batch", 4}, {"u[0]", 3}, {"rows", 7}}));
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(dims(m, 0), "4, seq, 8");
  EXPECT_EQ(dims(m, 1), "3, k, 2");
  EXPECT_EQ(m.model.dimNames->named("rows"), Expr(7)); // an output's
  EXPECT_EQ(m.model.boundDims, (std::map<std::string, int64_t>{
                                   {"batch", 4}, {"rows", 7}, {"u[0]", 3}}));
}

TEST(DimNames, APlaceOfANamedDimensionBindsTheName) {
  Resolved m(model, bind({{"x[0]", 4}, {"x[2]", 8}}));
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.model.boundDims, (std::map<std::string, int64_t>{{"batch", 4}}));
}

TEST(DimNames, Shapes) {
  Resolved m(model, shape("u", {5, 6, 2}));
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(dims(m, 1), "5, 6, 2");
  EXPECT_EQ(m.model.dimNames->named("k"), Expr(6));
}

TEST(DimNames, WrongOptions) {
  auto error = [](const ImportOptions &options) {
    Resolved m(model, options);
    EXPECT_TRUE(m.usage);
    return m.message;
  };
  EXPECT_EQ(error(bind({{"batsh", 1}})),
            "--dim: the model has no dimension 'batsh'; did you mean 'batch'?");
  EXPECT_EQ(error(bind({{"x[7]", 1}})),
            "--dim: input 'x' has 3 dimensions, so no axis 7");
  EXPECT_EQ(error(bind({{"x[2]", 9}})), "--dim: 'x[2]' has a fixed size of 8");
  EXPECT_EQ(error(bind({{"batch", -1}})),
            "--dim: 'batch' can't be -1: sizes are not negative");
  EXPECT_EQ(error(bind({{"batch", 1}, {"x[0]", 2}})),
            "'batch' is given two sizes, 1 and 2");
  EXPECT_EQ(error(shape("x", {1, 2})),
            "--shape: input 'x' has 3 dimensions, not 2");
  EXPECT_EQ(error(shape("x", {1, 2, 9})),
            "--shape: input 'x' has a fixed size of 8 on axis 2, not 9");
  EXPECT_NE(error(shape("nowhere", {1})).find("no input 'nowhere'"),
            std::string::npos);
  ImportOptions options;
  options.values.push_back({"nowhere", "1"});
  EXPECT_NE(error(options).find("no input 'nowhere'"), std::string::npos);
}

// --- Names that are formulas -------------------------------------------------

/// A model whose second input's dimensions have these names.
std::unique_ptr<Resolved> named(ArrayRef<std::string> names,
                                const ImportOptions &options = {}) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(18);
  auto addInput = [&](StringRef name, ArrayRef<std::string> dims) {
    onnx::ValueInfoProto &input = *model.mutable_graph()->add_input();
    input.set_name(name.str());
    auto &shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const std::string &dim : dims)
      shape.add_dim()->set_dim_param(dim);
  };
  addInput("a", {"batch", "past", "seq"});
  addInput("b", names);
  return Resolved::fromBytes(model.SerializeAsString(), options);
}

TEST(DimNames, FormulasAreEvaluated) {
  EXPECT_EQ(dims(*named({"past + 1", "197*batch", "((batch*seq)//batch)"}), 1),
            "past + 1, 197*batch, seq");
  EXPECT_EQ(
      dims(*named({"past + 1", "197*batch"}, bind({{"past", 5}, {"batch", 2}})),
           1),
      "6, 394");
}

TEST(DimNames, OtherTextIsOneName) {
  // `other` is no input's dimension, so the text isn't a formula.
  EXPECT_EQ(
      dims(*named({"other + 1", "p2o.DynamicDimension.0", "batch-size"}), 1),
      "`other + 1`, p2o.DynamicDimension.0, `batch-size`");
  EXPECT_EQ(dims(*named({"other + 1"}, bind({{"other + 1", 9}})), 1), "9");
  EXPECT_EQ(dims(*named({"other + 1"}, bind({{"other", 9}})), 1), "10");
}

TEST(DimNames, QuestionMarksAreNoName) {
  EXPECT_EQ(dims(*named({"?", "?", ""}), 1), "b[0], b[1], b[2]");
}

} // namespace
