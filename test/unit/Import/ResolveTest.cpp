//===- ResolveTest.cpp - names, order, functions --------------------------===//
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

TEST(Resolve, ConnectsNodes) {
  Resolved m("g (float[2] x) => (float[2] y) <float[2] w = {1.0, 2.0}> {"
             "  t = Mul(x, w)\n"
             "  y = Clip(t, , w)\n"
             "}");
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.nodes(), "Mul(x, w) -> t\nClip(t, -, w) -> y\n");
  EXPECT_EQ(Resolved::list(m.model.graph->inputs), "x");
  EXPECT_EQ(Resolved::list(m.model.graph->outputs), "y");
  const Node &mul = *m.node("Mul");
  EXPECT_EQ(mul.opsetVersion, 18);
  EXPECT_EQ(mul.input(0)->origin, Value::Input);
  EXPECT_EQ(mul.input(1)->origin, Value::Initializer);
  EXPECT_EQ(mul.input(1)->tensor->float_data_size(), 2);
  EXPECT_EQ(mul.output(0)->producer, &mul);
}

TEST(Resolve, InitializersThatAreInputsAreNoInputs) {
  Resolved m("g (float[2] x, float[2] w = {1.0, 2.0}) => (float[2] y) {"
             "  y = Mul(x, w)"
             "}");
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(Resolved::list(m.model.graph->inputs), "x");
  EXPECT_EQ(m.node("Mul")->input(1)->origin, Value::Initializer);
}

TEST(Resolve, SortsNodesAndKeepsTheOrderWhereItCan) {
  Resolved m("g (float[2] x) => (float[2] y) {"
             "  y = Add(c, a)\n"
             "  b = Relu(x)\n"
             "  a = Abs(x)\n"
             "  c = Exp(b)\n"
             "}");
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.nodes(), "Relu(x) -> b\nAbs(x) -> a\nExp(b) -> c\n"
                       "Add(c, a) -> y\n");
  EXPECT_EQ(m.model.graph->nodes[3]->index, 3u);
}

TEST(Resolve, SortsByWhatANestedGraphUses) {
  Resolved m("g (bool c, float[2] x) => (float[2] y) {"
             "  y = If(c) <then_branch = t () => (float[2] r) {r = Abs(late)},"
             "             else_branch = e () => (float[2] s) {s = Exp(x)}>\n"
             "  late = Relu(x)\n"
             "}");
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.nodes(), "Relu(x) -> late\nIf(c) -> y\n");
}

TEST(Resolve, CyclesNameAValue) {
  Resolved m("g (float[2] x) => (float[2] y) {"
             "  before = Abs(x)\n"
             "  p = Add(before, q)\n"
             "  q = Relu(p)\n"
             "  y = Exp(q)\n"
             "}");
  EXPECT_EQ(m.message, "the graph has a cycle: value 'q' depends on itself, so "
                       "no order of execution exists");
  Resolved self("g (bool c) => (float[2] y) {"
                "  y = If(c) <then_branch = t () => (float[2] r) {r = Abs(y)},"
                "             else_branch = e () => (float[2] s) {s = Exp(y)}>"
                "}");
  EXPECT_EQ(self.message, "the graph has a cycle: value 'y' depends on itself, "
                          "so no order of execution exists");
}

TEST(Resolve, BadNames) {
  EXPECT_EQ(Resolved("g (float[2] x) => (float[2] y) {"
                     "  [mul] y = Mul(x, gone)"
                     "}")
                .message,
            "node 'mul' (Mul): input 'gone' is not produced by any node, and "
            "is no graph input or initializer");
  EXPECT_EQ(
      Resolved("g (float[2] x) => (float[2] y) { y = Mul(x, gone) }").message,
      "the node of 'y' (Mul): input 'gone' is not produced by any node, "
      "and is no graph input or initializer");
  EXPECT_EQ(Resolved("g (float[2] x) => (float[2] z) { y = Abs(x) }").message,
            "graph output 'z' is not produced by any node");
  EXPECT_EQ(Resolved("g (float[2] x) => (float[2] y) {"
                     "  y = Abs(x)\n y = Exp(x)"
                     "}")
                .message,
            "value 'y' is defined more than once");
}

TEST(Resolve, NestedGraphsSeeTheNamesAroundThem) {
  Resolved m("g (bool c, float[2] x) => (float[2] y) {"
             "  k = Abs(x)\n"
             "  y = If(c) <else_branch = e () => (float[2] s) {"
             "               k = Exp(x) s = Relu(k)},"
             "             then_branch = t () => (float[2] r) {r = Neg(k)}>"
             "}");
  ASSERT_EQ(m.message, "");
  const Node &node = *m.node("If");
  ASSERT_EQ(node.subgraphs.size(), 2u);
  EXPECT_EQ(Resolved::nodes(*node.subgraphs[0]), "Neg(k) -> r\n");
  EXPECT_EQ(Resolved::nodes(*node.subgraphs[1]), "Exp(x) -> k\nRelu(k) -> s\n");
  EXPECT_EQ(m.node("Neg")->input(0)->graph, m.model.graph.get());
  EXPECT_EQ(m.node("Relu")->input(0)->graph, node.subgraphs[1].get());
  EXPECT_EQ(node.subgraphs[0]->owner, &node);
  EXPECT_EQ(node.subgraphs[0]->parent, m.model.graph.get());
}

TEST(Resolve, ControlNodesNeedTheirGraphs) {
  EXPECT_EQ(Resolved("g (bool c) => (float[2] y) {"
                     "  [i] y = If(c) <then_branch = t () => (float[2] r) "
                     "{r = Constant <value_floats = [1.0, 2.0]> ()}>"
                     "}")
                .message,
            "node 'i' (If): it needs two branches, and has 1");
  EXPECT_EQ(Resolved("g (int64 n) => (float[2] y) { [l] y = Loop(n) }").message,
            "node 'l' (Loop): it has no body");
}

TEST(Resolve, ConstantNodesHaveTensors) {
  Resolved m("g () => (int64[3] a, float b) {"
             "  a = Constant <value_ints = [4, 5, 6]> ()\n"
             "  b = Constant <value_float = 2.5> ()"
             "}");
  ASSERT_EQ(m.message, "");
  const Value &a = *m.model.graph->outputs[0], &b = *m.model.graph->outputs[1];
  EXPECT_EQ(a.origin, Value::ConstantNode);
  EXPECT_EQ(a.tensor->dims(0), 3);
  EXPECT_EQ(a.tensor->int64_data(2), 6);
  EXPECT_EQ(b.tensor->dims_size(), 0);
  EXPECT_EQ(b.tensor->float_data(0), 2.5);
}

TEST(Resolve, OpsetVersions) {
  EXPECT_EQ(Resolved("g (float x) => (float y) { y = Abs(x) }", {}, 6).message,
            "opset 6 is too old: opset 7 and newer are read; "
            "onnx.version_converter in Python brings the model up to date");
  EXPECT_EQ(
      Resolved("g (float x) => (float y) { y = Abs(x) }", {}, 999).message, "");
  Resolved m("g (float x) => (float y) { t = ai.onnx.Abs(x) y = far.Op(t) }");
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.node("Abs")->domain(), "");
  EXPECT_EQ(m.node("Abs")->opsetVersion, 18);
  EXPECT_EQ(m.node("Op")->opsetVersion, 0);
}

TEST(Resolve, NegativeSizesAreErrors) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(18);
  onnx::ValueInfoProto &input = *model.mutable_graph()->add_input();
  input.set_name("x");
  auto &dim =
      *input.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim();
  dim.set_dim_value(-1); // written for unknown
  EXPECT_EQ(Resolved::fromBytes(model.SerializeAsString())->message, "");
  dim.set_dim_value(-5);
  EXPECT_EQ(Resolved::fromBytes(model.SerializeAsString())->message,
            "value 'x' has a dimension of -5: sizes can't be negative");
  dim.set_dim_value(5);
  onnx::TensorProto &tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.add_dims(-1);
  EXPECT_EQ(Resolved::fromBytes(model.SerializeAsString())->message,
            "tensor 'w' has a dimension of -1: sizes can't be negative");
}

TEST(Resolve, LongChainsTakeNoStack) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(18);
  onnx::GraphProto &graph = *model.mutable_graph();
  constexpr int count = 100000;
  graph.add_input()->set_name("v" + std::to_string(count));
  for (int i = 0; i < count; ++i) { // backwards
    onnx::NodeProto &node = *graph.add_node();
    node.set_op_type("Abs");
    node.add_input("v" + std::to_string(i + 1));
    node.add_output("v" + std::to_string(i));
  }
  graph.add_output()->set_name("v0");
  auto m = Resolved::fromBytes(model.SerializeAsString());
  ASSERT_EQ(m->message, "");
  EXPECT_EQ(m->model.graph->nodes.front()->output(0)->name, "v99999");
  EXPECT_EQ(m->model.graph->nodes.back()->output(0)->name, "v0");
  markLive(m->model);
  EXPECT_TRUE(m->model.graph->nodes.front()->live);
}

// --- Functions ---------------------------------------------------------------

/// A function `local.Twice`.
const char *const twice = "<domain: \"local\", opset_import: [\"\" : 17]>"
                          "Twice (a) => (b) { u = Add(a, a) b = Relu(u) }";

TEST(Functions, AreExpandedAtEveryCall) {
  Resolved m(std::string("g (float[2] x) => (float[2] r, float[2] q) {"
                         "  r = local.Twice(x)\n"
                         "  q = local.Twice(r)"
                         "}") +
             twice);
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.nodes(), "Add(x, x) -> r/u\nRelu(r/u) -> r\n"
                       "Add(r, r) -> q/u\nRelu(q/u) -> q\n");
  EXPECT_EQ(m.model.graph->nodes[0]->scope, "r");
  EXPECT_EQ(m.model.graph->nodes[0]->opsetVersion, 17);
}

TEST(Functions, CallEachOther) {
  Resolved m(std::string("g (float[2] x) => (float[2] r) {"
                         "  r = local.Outer(x)"
                         "}"
                         "<domain: \"local\", opset_import: [\"\" : 18, "
                         "\"local\" : 1]>"
                         "Outer (a) => (c) {"
                         "  m = local.Twice(a)\n"
                         "  c = local.Twice(m)"
                         "}") +
             twice);
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.nodes(), "Add(x, x) -> r/m/u\nRelu(r/m/u) -> r/m\n"
                       "Add(r/m, r/m) -> r/Twice/u\nRelu(r/Twice/u) -> r\n");
}

TEST(Functions, SubstituteAttributes) {
  Resolved m("g (float[2] x) => (float[2] r, float[2] q) {"
             "  r = local.F <axis = 3> (x)\n"
             "  q = local.F (x)"
             "}"
             "<domain: \"local\", opset_import: [\"\" : 18]>"
             "F <alpha: float = 0.5, axis> (a) => (b) {"
             "  b = Op <given: int = @axis, default: float = @alpha, k = 7> (a)"
             "}");
  ASSERT_EQ(m.message, "");
  const Node &first = *m.model.graph->nodes[0],
             &second = *m.model.graph->nodes[1];
  EXPECT_EQ(first.attributeInt("given", -1), 3);
  EXPECT_EQ(first.attributeFloat("default", 0), 0.5);
  EXPECT_EQ(first.attributeInt("k", 0), 7);
  EXPECT_EQ(second.attributeInt("given", -1), -1);
  EXPECT_EQ(second.attribute("given"), nullptr);
}

TEST(Functions, AttributesReachNestedGraphs) {
  Resolved m("g (bool c, float[2] x) => (float[2] r) {"
             "  r = local.F <k = 3> (c, x)"
             "}"
             "<domain: \"local\", opset_import: [\"\" : 18]>"
             "F <k> (c, a) => (b) {"
             "  b = If(c) <then_branch = t () => (float[2] s)"
             "               { s = Op <n: int = @k> (a) },"
             "             else_branch = e () => (float[2] w) { w = Abs(a) }>"
             "}");
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.node("Op")->attributeInt("n", 0), 3);
  EXPECT_EQ(m.node("Op")->output(0)->name, "r/s");
  EXPECT_EQ(m.node("Abs")->input(0)->name, "x");
}

TEST(Functions, FewerInputsAndUnusedOutputs) {
  Resolved m("g (float[2] x) => (float[2] r) {"
             "  r = local.F (x)"
             "}"
             "<domain: \"local\", opset_import: [\"\" : 18]>"
             "F (a, lo) => (b, more) { b = Clip(a, lo) more = Abs(a) }");
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.nodes(), "Clip(x, -) -> r\nAbs(x) -> r/more\n");
  EXPECT_EQ(Resolved("g (float[2] x) => (float[2] r) {"
                     "  r = local.F (x, x)"
                     "}"
                     "<domain: \"local\", opset_import: [\"\" : 18]>"
                     "F (a) => (b) { b = Abs(a) }")
                .message,
            "node 'r' (F): it has 2 inputs and 1 outputs; the function has 1 "
            "and 1");
}

TEST(Functions, ResultsThatTheBodyDoesNotCompute) {
  Resolved m("g (float[2] x) => (float[2] r, float[2] s, float[2] t) {"
             "  r, s, t = local.F (x)"
             "}"
             "<domain: \"local\", opset_import: [\"\" : 18]>"
             "F (a) => (a, b, b) { b = Abs(a) }");
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.nodes(), "Abs(x) -> s\nIdentity(x) -> r\nIdentity(s) -> t\n");
}

TEST(Functions, TakePrecedenceOverOps) {
  Resolved m("g (float[2] x) => (float[2] r) { r = Relu(x) }"
             "<domain: \"\", opset_import: [\"\" : 18]>"
             "Relu (a) => (b) { b = Abs(a) }");
  ASSERT_EQ(m.message, "");
  EXPECT_EQ(m.nodes(), "Abs(x) -> r\n");
}

TEST(Functions, SeeOnlyTheirOwnNames) {
  EXPECT_EQ(Resolved("g (float[2] x) => (float[2] r) { r = local.F(x) }"
                     "<domain: \"local\", opset_import: [\"\" : 18]>"
                     "F (a) => (b) { b = Add(a, x) }")
                .message,
            "the node of 'r' (Add): input 'x' is not produced by any node, and "
            "is no graph input or initializer");
}

TEST(Functions, CannotRecurse) {
  EXPECT_EQ(Resolved("g (float[2] x) => (float[2] r) { r = local.F(x) }"
                     "<domain: \"local\", opset_import: [\"local\" : 1]>"
                     "F (a) => (b) { b = local.G(a) }"
                     "<domain: \"local\", opset_import: [\"local\" : 1]>"
                     "G (a) => (b) { b = local.F(a) }")
                .message,
            "function 'F' calls itself (F, G, F): ONNX functions can't "
            "recurse");
}

/// `levels` functions that each call the next one `width` times.
std::string nestedFunctions(unsigned levels, unsigned width) {
  std::string text = "g (float[2] x) => (float[2] r) { r = local.F0(x) }";
  for (unsigned i = 0; i < levels; ++i) {
    std::string callee = "local.F" + std::to_string(i + 1);
    text += "<domain: \"local\", opset_import: [\"\" : 18, \"local\" : 1]>F" +
            std::to_string(i) + " (a) => (b) {";
    for (unsigned k = 0; k + 1 < width; ++k)
      text += "t" + std::to_string(k) + " = " + callee + "(a)\n";
    text += "b = " + callee + "(a) }";
  }
  return text + "<domain: \"local\", opset_import: [\"\" : 18]>F" +
         std::to_string(levels) + " (a) => (b) { b = Abs(a) }";
}

TEST(Functions, BoundsExpansion) {
  EXPECT_EQ(Resolved(nestedFunctions(40, 2)).message,
            "the model's functions expand to more nodes than the limit of "
            "2000000");
  EXPECT_EQ(Resolved(nestedFunctions(98, 1)).message, "");
  EXPECT_EQ(Resolved(nestedFunctions(5000, 1)).message,
            "functions call each other deeper than the limit of 100 levels, at "
            "'F100'");
}

TEST(Functions, BoundsTheLengthOfNames) {
  // A million names with a prefix of 1 000 letters each.
  std::string text = "g (float[2] x) => (float[2] r) {";
  for (int i = 0; i < 1000; ++i)
    text += std::string(1000, 'a') + std::to_string(i) + " = local.F(x)\n";
  text += "r = Abs(x) } <domain: \"local\", opset_import: [\"\" : 18]>"
          "F (a) => (b) {";
  for (int i = 0; i < 1000; ++i)
    text += "t" + std::to_string(i) + " = Abs(a)\n";
  EXPECT_EQ(Resolved(text + "b = Abs(a) }").message,
            "the model's functions expand to more names and attributes than "
            "the limit of 512 MB");
}

} // namespace
