//===- JoinTest.cpp - each rule of the join -------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Profile/Join.h"
#include "gtest/gtest.h"

using namespace roofline::profile;

namespace {

ModelNode node(std::string name, std::string opType,
               std::vector<std::string> inputs,
               std::vector<std::string> outputs,
               std::vector<TensorShape> shapes = {}) {
  ModelNode node;
  node.name = std::move(name);
  node.opType = std::move(opType);
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  node.inputShapes = std::move(shapes);
  return node;
}

Measurement event(std::string name, std::string opType,
                  std::vector<TensorShape> shapes = {}) {
  Measurement measured;
  measured.name = std::move(name);
  measured.opType = std::move(opType);
  measured.inputs = std::move(shapes);
  return measured;
}

/// x -> conv -> bn -> relu -> mm -> add -> y
std::vector<ModelNode> chain() {
  return {node("conv", "Conv", {"x", "w"}, {"c"}),
          node("bn", "BatchNormalization", {"c", "s"}, {"b"}),
          node("relu", "Relu", {"b"}, {"r"}),
          node("/m/mm", "MatMul", {"r", "v"}, {"p"}),
          node("add", "Add", {"p", "bias"}, {"y"})};
}

using Rows = std::vector<unsigned>;

void expectJoin(const Joined &joined, JoinRule rule, const Rows &nodes) {
  EXPECT_EQ(name(joined.rule), name(rule));
  EXPECT_EQ(joined.nodes, nodes);
}

TEST(Join, ByName) {
  std::vector<Measurement> events = {event("relu", "Relu"),
                                     event("nothing", "Relu")};
  auto joined = join(chain(), Format::OnnxRuntime, events);
  expectJoin(joined[0], JoinRule::Exact, {2});
  // Nothing shows that the model was rewritten: the node has no row.
  expectJoin(joined[1], JoinRule::None, {});
}

TEST(Join, RepeatedNamesAreToldApartByType) {
  std::vector<ModelNode> nodes = {node("n", "Relu", {"x"}, {"a"}),
                                  node("n", "Add", {"a"}, {"b"}),
                                  node("n", "Add", {"b"}, {"c"})};
  std::vector<Measurement> events = {event("n", "Relu"), event("n", "Add"),
                                     event("n", "Fused")};
  auto joined = join(nodes, Format::OnnxRuntime, events);
  expectJoin(joined[0], JoinRule::Exact, {0});
  expectJoin(joined[1], JoinRule::Exact, {1, 2});
  expectJoin(joined[2], JoinRule::Exact, {0, 1, 2});
}

TEST(Join, FusedKeepsItsFirstNodesName) {
  for (const char *name : {"/m/mm/MatMulAddFusion", "/m/mm/MatMulAddFusion/",
                           "/m/mm/MatMulAddFusion_token_12",
                           "/m/mm/AFusion/BFusion", "fused /m/mm"}) {
    auto joined = join(chain(), Format::OnnxRuntime,
                       {event(name, "Gemm"), event("relu", "Relu")});
    expectJoin(joined[0], JoinRule::Fused, {3});
    // The addition that has no time of its own.
    EXPECT_EQ(joined[0].inferred, Rows{4}) << name;
  }
}

TEST(Join, InfersOnlyWhatIsNeighbourOfOneFusedNode) {
  // mm1 -> add <- mm2: the addition may be part of either.
  std::vector<ModelNode> nodes = {node("mm1", "MatMul", {"x"}, {"a"}),
                                  node("mm2", "MatMul", {"y"}, {"b"}),
                                  node("add", "Add", {"a", "b"}, {"c"})};
  auto joined = join(nodes, Format::OnnxRuntime,
                     {event("mm1/MatMulAddFusion", "Gemm"),
                      event("mm2/MatMulAddFusion", "Gemm")});
  EXPECT_TRUE(joined[0].inferred.empty());
  EXPECT_TRUE(joined[1].inferred.empty());
}

TEST(Join, Renamed) {
  auto joined = join(chain(), Format::OnnxRuntime,
                     {event("add_new_reshape", "Reshape"),
                      event("gemm_output_reshape_new_reshape", "Reshape")});
  expectJoin(joined[0], JoinRule::Renamed, {4});
  expectJoin(joined[1], JoinRule::Made, {});
}

TEST(Join, OutputCoversFromTheOpToTheValue) {
  auto joined =
      join(chain(), Format::OnnxRuntime,
           {event("r_nchwc", "Conv"), event("ReorderOutput", "ReorderOutput"),
            event("p", "MatMul")});
  expectJoin(joined[0], JoinRule::Output, {0, 1, 2});
  EXPECT_EQ(joined[0].node, 2U);
  expectJoin(joined[1], JoinRule::Made, {});
  expectJoin(joined[2], JoinRule::Output, {3});
}

// Rows leave a constant out at the front: positions are one more than rows.
TEST(Join, PositionGoesByOrderWhereAllWereMeasured) {
  std::vector<ModelNode> nodes = {node("a", "Relu", {"x"}, {"a"}),
                                  node("b", "Relu", {"a"}, {"b"}),
                                  node("named", "Relu", {"b"}, {"c"})};
  auto joined = join(nodes, Format::OnnxRuntime,
                     {event("Relu_2", "Relu"), event("Relu_1", "Relu"),
                      event("named", "Relu")});
  expectJoin(joined[0], JoinRule::Position, {1});
  expectJoin(joined[1], JoinRule::Position, {0});
}

TEST(Join, PositionMustFitWhereSomeAreMissing) {
  std::vector<ModelNode> nodes = {node("a", "Relu", {"x"}, {"a"}),
                                  node("b", "Add", {"a"}, {"b"}),
                                  node("c", "Relu", {"b"}, {"c"})};
  auto fits = join(nodes, Format::OnnxRuntime, {event("Relu_2", "Relu")});
  expectJoin(fits[0], JoinRule::Position, {2});
  auto shifted = join(nodes, Format::OnnxRuntime, {event("Relu_1", "Relu")});
  expectJoin(shifted[0], JoinRule::None, {});
}

TEST(Join, IndexMustFitTheOp) {
  Measurement right = event("", "Conv"), wrong = event("bn", "Conv"),
              group = event("", "");
  right.rows = {0};
  wrong.rows = {3};
  group.rows = {3, 4};
  auto joined = join(chain(), Format::Roofline, {right, wrong, group});
  expectJoin(joined[0], JoinRule::Index, {0});
  expectJoin(joined[1], JoinRule::Exact, {1}); // by its name
  expectJoin(joined[2], JoinRule::Index, {3, 4});
  group.rows = {99};
  expectJoin(join(chain(), Format::Roofline, {group})[0], JoinRule::None, {});
}

TEST(Join, ShapesGoByOrder) {
  std::vector<TensorShape> small = {{"f32", {2, 2}}}, large = {{"f32", {8, 8}}};
  std::vector<ModelNode> nodes = {node("a", "Gelu", {"x"}, {"1"}, small),
                                  node("b", "Gelu", {"1"}, {"2"}, large),
                                  node("c", "Gelu", {"2"}, {"3"}, small)};
  auto joined = join(nodes, Format::Roofline,
                     {event("u", "Gelu", large), event("v", "Gelu", small),
                      event("w", "Gelu", small)});
  expectJoin(joined[0], JoinRule::Shape, {1});
  expectJoin(joined[1], JoinRule::Shape, {0});
  expectJoin(joined[2], JoinRule::Shape, {2});
  // Three for two: which is which can't be told.
  auto tooMany = join(nodes, Format::Roofline,
                      {event("u", "Gelu", small), event("v", "Gelu", small),
                       event("w", "Gelu", small)});
  for (const Joined &one : tooMany)
    expectJoin(one, JoinRule::None, {});
}

TEST(Join, ShapesJoinPyTorchsOps) {
  std::vector<TensorShape> shape = {{"f32", {2, 2}}};
  std::vector<ModelNode> nodes = {node("a", "MatMul", {"x"}, {"1"}, shape),
                                  node("b", "MatMul", {"1"}, {"2"}, shape)};
  Measurement op = event("aten::matmul", "", shape);
  op.category = Category::CpuOp;
  expectJoin(join(nodes, Format::Chrome, {op})[0], JoinRule::Shape, {0, 1});
  op.category = Category::Kernel;
  expectJoin(join(nodes, Format::Chrome, {op})[0], JoinRule::None, {});
}

} // namespace
