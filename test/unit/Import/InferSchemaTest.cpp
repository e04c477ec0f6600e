//===- InferSchemaTest.cpp - inference by ONNX's schemas ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferContext.h"
#include "InferSupport.h"
#include "SchemaInference.h"
#include "SchemaTable.h"
#include "onnx/defs/schema.h"

using namespace roofline;
using namespace roofline::onnx_import;
using roofline::onnx_import::test::Inferred;

namespace {

TEST(SchemaTable, NewestVersionUpToTheModels) {
  auto version = [](llvm::StringRef domain, llvm::StringRef op, int opset) {
    const onnx::OpSchema *schema = findSchema(domain, op, opset);
    return schema ? schema->SinceVersion() : 0;
  };
  EXPECT_EQ(version("", "Relu", 5), 1);
  EXPECT_EQ(version("", "Relu", 6), 6);
  EXPECT_EQ(version("ai.onnx", "Relu", 13), 13);
  EXPECT_EQ(version("", "AddN", 13), 0);
  EXPECT_EQ(version("", "Gelu", 19), 0);
  EXPECT_EQ(version("ai.onnx.ml", "Scaler", 3), 1);
  EXPECT_EQ(version("com.microsoft", "Gelu", 1), 0);
  // Deprecated at 10: the version before still says what it does.
  EXPECT_EQ(version("", "Upsample", 11), 9);
}

/// Infers the first node of an op once more, by its schema alone.
std::string bySchema(Inferred &m, llvm::StringRef op, llvm::StringRef result) {
  Node *node = const_cast<Node *>(m.node(op));
  if (!node)
    return "no node";
  for (Value *output : node->outputs) {
    output->type = ValueType();
    output->declared = nullptr;
  }
  ImportOptions options;
  InferContext ctx(m.model, options);
  if (llvm::Error error = inferBySchema(*node, ctx))
    return toString(std::move(error));
  return m[result];
}

TEST(SchemaInference, FormulasPassThrough) {
  Inferred m("g (float[batch, 3] x) => (y) {"
             "  c = Concat <axis = 0> (x, x)"
             "  y = Transpose(c)"
             "}");
  EXPECT_EQ(bySchema(m, "Transpose", "y"), "[3, 2*batch] f32");
}

TEST(SchemaInference, SymbolicShapes) {
  Inferred m(R"(g (float[n, 6] x) => (y) <int64[3] r = {0, 2, 3}> {
    s = Shape(x)
    z = ConstantOfShape(s)
    y = Reshape(x, r)
  })");
  EXPECT_EQ(bySchema(m, "ConstantOfShape", "z"), "[n, 6] f32");
  EXPECT_EQ(bySchema(m, "Reshape", "y"), "[n, 2, 3] f32");
}

TEST(SchemaInference, ContradictionsAreErrors) {
  Inferred m("g (float[2, 6] x, float[6, 2] w) => (y) { y = MatMul(x, w) }");
  const_cast<Value *>(m.find("w"))->type.dims[0] = Expr(5);
  EXPECT_NE(bySchema(m, "MatMul", "y").find("(MatMul)"), std::string::npos);
}

// With a size that isn't known the fault may be ours: no error.
TEST(SchemaInference, DoubtsAreWarnings) {
  Inferred m("g (float[n, 6] x, float[6, 2] w) => (y) { y = MatMul(x, w) }");
  const_cast<Value *>(m.find("w"))->type.dims[0] = Expr(5);
  EXPECT_EQ(bySchema(m, "MatMul", "y"), "?");
  EXPECT_EQ(m.model.warnings.size(), 1u);
}

TEST(SchemaInference, UnknownOpsAreUnknown) {
  Inferred m("g (float[2] x) => (y) { y = other.Swirl(x) }");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["y"], "?");
}

} // namespace
