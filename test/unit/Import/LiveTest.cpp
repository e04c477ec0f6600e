//===- LiveTest.cpp - what the outputs depend on --------------------------===//
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

/// The op types of live nodes, in order.
std::string live(Model &model) {
  markLive(model);
  std::string text;
  forEachGraph(*model.graph, [&](Graph &graph) {
    for (const auto &node : graph.nodes)
      if (node->live)
        text += (text.empty() ? "" : " ") + node->opType().str();
  });
  return text;
}

TEST(Live, FollowsWhatOutputsNeed) {
  Resolved m("g (float[2] x) => (float[2] y) {"
             "  a = Abs(x)\n unused = Exp(a)\n y = Relu(a)"
             "}");
  EXPECT_EQ(live(m.model), "Abs Relu");
  EXPECT_TRUE(m.node("Abs")->output(0)->live);
  EXPECT_FALSE(m.node("Exp")->output(0)->live);
}

TEST(Live, ShapesAndConstantsHaveNoRows) {
  // Exp only feeds a shape; Neg computes the shape; the weight's Transpose is
  // work, as written.
  Resolved m("g (float[2, 3] x) => (float y) <float[2, 3] w = {1,2,3,4,5,6}> {"
             "  e = Exp(x)\n s = Shape(e)\n n = Neg(s)\n"
             "  t = Transpose(w)\n c = Constant <value_float = 1.0> ()\n"
             "  r = Reshape(t, n)\n y = Add(r, c)"
             "}");
  EXPECT_EQ(live(m.model), "Transpose Reshape Add");
  EXPECT_TRUE(m.node("Constant")->output(0)->live);
}

// What is read as data runs, known or not; Shape moves nothing but has a row.
TEST(Live, FoldedNodesThatAreReadHaveRows) {
  Resolved m("g (float[2] x) => (float[2] y) {"
             "  s = Shape(x)\n f = Cast <to = 1> (s)\n y = Div(x, f)"
             "}");
  m.model.graph->nodes[1]->output(0)->constant = std::make_shared<Constant>();
  EXPECT_EQ(live(m.model), "Shape Cast Div");
}

const char *const branches =
    "g (float[2] x) => (float[2] y) {"
    "  k = Abs(x)\n p = Exp(x)\n c = Less(p, x)\n"
    "  y = If(c) <then_branch = t () => (float[2] r)"
    "               {d = Sin(k) r = Neg(k)},"
    "             else_branch = e () => (float[2] s) {s = Relu(x)}>"
    "}";

TEST(Live, BranchesAndWhatTheyUse) {
  Resolved m(branches);
  EXPECT_EQ(live(m.model), "Abs Exp Less If Neg Relu");
}

TEST(Live, AKnownConditionIsNotRead) {
  Resolved m(branches);
  m.model.graph->nodes[3]->taken = 0;
  EXPECT_EQ(live(m.model), "Abs If Neg Relu");
}

/// A loop whose trip count (Neg) is the host's.
const char *const loop =
    "g (int64 n, bool c, float[2] x) => (float[2] y) {"
    "  m = Neg(n)\n d = Not(c)\n"
    "  y = Loop(m, d, x) <body = b (int64 i, bool ci, float[2] v)"
    "    => (bool co, float[2] w) {co = Or(ci, c) w = Abs(v)}>"
    "}";

const std::shared_ptr<const Constant> yes =
    std::make_shared<const Constant>(Constant{{Scalar(Expr(1))}});

TEST(Live, LoopsThatDataEnds) {
  Resolved m(loop);
  EXPECT_EQ(live(m.model), "Not Loop Or Abs");
}

TEST(Live, AKnownConditionOfALoopIsTheHosts) {
  Resolved m(loop);
  m.node("Not")->output(0)->constant = yes;
  m.node("Or")->output(0)->constant = yes;
  EXPECT_EQ(live(m.model), "Loop Abs");
}

TEST(Live, ALoopThatHandsItsConditionOn) {
  Resolved m("g (int64 n, float[2] x) => (float[2] y) {"
             "  y = Loop(n, , x) <body = b (int64 i, bool ci, float[2] v)"
             "    => (bool ci, float[2] w) {w = Abs(v)}>"
             "}");
  EXPECT_EQ(live(m.model), "Loop Abs");
  EXPECT_FALSE(m.node("Loop")->subgraphs[0]->inputs[1]->live);
}

} // namespace
