//===- ReaderTest.cpp - what is a model, and reading it without weights ---===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorData.h"
#include "WireFormat.h"
#include "llvm/Support/MathExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

namespace {

onnx::ModelProto makeModel() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(18);
  onnx::GraphProto &graph = *model.mutable_graph();
  graph.set_name("g");
  graph.add_output()->set_name("y");
  onnx::NodeProto &node = *graph.add_node();
  node.set_op_type("Relu");
  node.add_input("x");
  node.add_output("y");
  graph.add_input()->set_name("x");
  return model;
}

onnx::TensorProto &addTensor(onnx::ModelProto &model, StringRef name,
                             onnx::TensorProto::DataType type, int64_t size) {
  onnx::TensorProto &tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name(name.str());
  tensor.set_data_type(type);
  tensor.add_dims(size);
  return tensor;
}

std::string errorOf(StringRef bytes, StringRef name = "m.onnx") {
  auto model = readModel(bytes, name);
  return model ? "" : toString(model.takeError());
}

std::shared_ptr<onnx::ModelProto> read(const onnx::ModelProto &model) {
  auto result = readModel(model.SerializeAsString(), "m.onnx");
  if (!result) {
    ADD_FAILURE() << toString(result.takeError());
    return std::make_shared<onnx::ModelProto>();
  }
  return *result;
}

TEST(Reader, KeepsAModelWithoutPayloadsAsItIs) {
  onnx::ModelProto model = makeModel();
  std::string bytes = model.SerializeAsString();
  auto stripped = stripPayloads(bytes);
  ASSERT_TRUE(bool(stripped));
  EXPECT_FALSE(stripped->has_value());
  EXPECT_EQ(read(model)->SerializeAsString(), bytes);
}

TEST(Reader, DropsRawDataAndLeavesItsSize) {
  onnx::ModelProto model = makeModel();
  // 2 000 floats are 8 000 bytes: more than the 4 KB that are kept.
  addTensor(model, "w", onnx::TensorProto::FLOAT, 2000)
      .set_raw_data(std::string(8000, 'x'));
  addTensor(model, "small", onnx::TensorProto::FLOAT, 2)
      .set_raw_data(std::string(8, 'x'));
  auto result = read(model);
  const onnx::GraphProto &graph = result->graph();
  ASSERT_EQ(graph.initializer_size(), 2);
  EXPECT_EQ(graph.initializer(0).name(), "w");
  EXPECT_EQ(graph.initializer(0).dims(0), 2000);
  EXPECT_FALSE(graph.initializer(0).has_raw_data());
  EXPECT_EQ(storedBytes(graph.initializer(0)), 8000u);
  EXPECT_EQ(graph.initializer(1).raw_data().size(), 8u);
  EXPECT_EQ(storedBytes(graph.initializer(1)), 8u);
  EXPECT_EQ(graph.node(0).op_type(), "Relu");
  EXPECT_EQ(graph.output(0).name(), "y");
}

TEST(Reader, KeepsIntegersUpTo64KB) {
  onnx::ModelProto model = makeModel();
  addTensor(model, "shape", onnx::TensorProto::INT64, 8192)
      .set_raw_data(std::string(65000, 'x'));
  addTensor(model, "table", onnx::TensorProto::INT64, 8193)
      .set_raw_data(std::string(66000, 'x'));
  auto result = read(model);
  EXPECT_TRUE(result->graph().initializer(0).has_raw_data());
  EXPECT_FALSE(result->graph().initializer(1).has_raw_data());
}

TEST(Reader, DropsTypedData) {
  onnx::ModelProto model = makeModel();
  auto &floats = addTensor(model, "f", onnx::TensorProto::FLOAT, 3000);
  auto &doubles = addTensor(model, "d", onnx::TensorProto::DOUBLE, 3000);
  auto &halves = addTensor(model, "h", onnx::TensorProto::FLOAT16, 3000);
  auto &longs = addTensor(model, "l", onnx::TensorProto::INT64, 30000);
  auto &words = addTensor(model, "u", onnx::TensorProto::UINT32, 3000);
  auto &strings = addTensor(model, "s", onnx::TensorProto::STRING, 3000);
  for (int i = 0; i < 3000; ++i) {
    floats.add_float_data(1);
    doubles.add_double_data(1);
    halves.add_int32_data(i * 20); // varints of one to three bytes
    words.add_uint64_data(i);
    strings.add_string_data("ab");
  }
  for (int i = 0; i < 30000; ++i)
    longs.add_int64_data(-1); // ten bytes each
  auto result = read(model);
  std::vector<std::optional<uint64_t>> sizes;
  for (const onnx::TensorProto &tensor : result->graph().initializer()) {
    EXPECT_LT(tensor.ByteSizeLong(), 100u) << tensor.name();
    sizes.push_back(storedBytes(tensor));
  }
  EXPECT_EQ(sizes, (std::vector<std::optional<uint64_t>>{
                       12000, 24000, 6000, 240000, 12000, std::nullopt}));
}

TEST(Reader, DropsUnpackedData) {
  // 2 000 elements of float_data, each with its own tag.
  std::string data;
  for (int i = 0; i < 2000; ++i)
    data += std::string("\x25\0\0\0\0", 5);
  onnx::ModelProto model = makeModel();
  addTensor(model, "w", onnx::TensorProto::FLOAT, 2000);
  std::string tensor = model.graph().initializer(0).SerializeAsString() + data;
  model.mutable_graph()->clear_initializer();
  auto varint = [](uint64_t n) {
    std::string text;
    for (; n > 127; n >>= 7)
      text += char((n & 127) | 128);
    return text + char(n);
  };
  std::string graph = model.graph().SerializeAsString() + "\x2a" +
                      varint(tensor.size()) + tensor;
  model.clear_graph();
  std::string bytes =
      model.SerializeAsString() + "\x3a" + varint(graph.size()) + graph;
  auto result = readModel(bytes, "m.onnx");
  ASSERT_TRUE(bool(result));
  EXPECT_EQ((*result)->graph().initializer(0).float_data_size(), 0);
  EXPECT_EQ(storedBytes((*result)->graph().initializer(0)), 8000u);
}

TEST(Reader, DropsPayloadsWhereverTensorsAre) {
  onnx::ModelProto model = makeModel();
  auto fill = [](onnx::TensorProto &tensor) {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(10000);
    tensor.set_raw_data(std::string(40000, 'x'));
  };
  onnx::GraphProto &graph = *model.mutable_graph();
  onnx::AttributeProto &attribute = *graph.mutable_node(0)->add_attribute();
  fill(*attribute.mutable_t());
  fill(*attribute.add_tensors());
  fill(*attribute.mutable_sparse_tensor()->mutable_values());
  fill(*attribute.mutable_g()->add_initializer());
  fill(*attribute.mutable_g()->add_node()->add_attribute()->mutable_t());
  fill(*attribute.add_graphs()->add_initializer());
  fill(*graph.add_sparse_initializer()->mutable_values());
  fill(*model.add_functions()->add_node()->add_attribute()->mutable_t());
  auto result = read(model);
  EXPECT_LT(result->ByteSizeLong(), 1000u);
  const onnx::AttributeProto &read = result->graph().node(0).attribute(0);
  EXPECT_EQ(storedBytes(read.t()), 40000u);
  EXPECT_EQ(storedBytes(read.tensors(0)), 40000u);
  EXPECT_EQ(storedBytes(read.g().initializer(0)), 40000u);
  EXPECT_EQ(storedBytes(read.g().node(0).attribute(0).t()), 40000u);
  EXPECT_EQ(storedBytes(read.graphs(0).initializer(0)), 40000u);
  EXPECT_EQ(storedBytes(result->functions(0).node(0).attribute(0).t()), 40000u);
}

TEST(Reader, EveryCutOffFileIsAnError) {
  onnx::ModelProto model = makeModel();
  addTensor(model, "w", onnx::TensorProto::FLOAT, 2000)
      .set_raw_data(std::string(8000, 'x'));
  std::string bytes = model.SerializeAsString();
  for (size_t size = 0; size < bytes.size(); size += 1 + size / 50)
    EXPECT_NE(errorOf(StringRef(bytes).take_front(size)), "") << size;
  EXPECT_EQ(errorOf(StringRef(bytes).drop_back(20)),
            "the file ends in the middle of a graph: truncated or corrupt");
}

TEST(Reader, RefusesWhatIsNoModel) {
  EXPECT_EQ(errorOf(""), "the file is empty");
  EXPECT_EQ(errorOf("Once upon a time"), "not an ONNX model: plain text");
  EXPECT_EQ(errorOf("ML\xefR\r"), "not an ONNX model: MLIR bytecode");
  EXPECT_EQ(errorOf(StringRef("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)),
            "not an ONNX model: invalid protobuf (a field without a number "
            "in the model)");
  EXPECT_EQ(
      errorOf("version https://git-lfs.github.com/spec/v1\noid sha256:0"),
      "not an ONNX model: a Git LFS pointer to one; `git lfs pull` brings "
      "the model itself");
  onnx::ModelProto model = makeModel();
  model.clear_graph();
  EXPECT_EQ(errorOf(model.SerializeAsString()),
            "not an ONNX model: no graph in it");
  model = makeModel();
  model.clear_opset_import();
  EXPECT_EQ(errorOf(model.SerializeAsString()),
            "the model imports no opset, so its ops have no meaning");
  model = makeModel();
  model.set_ir_version(123456);
  EXPECT_EQ(errorOf(model.SerializeAsString()),
            "not an ONNX model: IR version 123456");
}

TEST(Reader, LengthsBeyondTheEndAreErrors) {
  // A graph that claims 2^63 bytes, and a varint without an end.
  EXPECT_EQ(errorOf(StringRef("\x08\x08\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
                              "\x0a",
                              13)),
            "the file ends in the middle of a graph: truncated or corrupt");
  EXPECT_NE(errorOf(std::string("\x08") + std::string(30, '\xff')), "");
  // A node that is longer than its graph.
  EXPECT_EQ(errorOf(StringRef("\x08\x08\x3a\x04\x0a\x09\x0a\x01"
                              "\x42\x00",
                              10)),
            "not an ONNX model: invalid protobuf (a field reaches beyond the "
            "end of a graph)");
}

onnx::ModelProto nestedIfs(unsigned levels) {
  onnx::ModelProto model = makeModel();
  onnx::GraphProto *graph = model.mutable_graph();
  for (unsigned i = 0; i < levels; ++i) {
    onnx::AttributeProto &attribute = *graph->mutable_node(0)->add_attribute();
    attribute.set_name("then_branch");
    graph = attribute.mutable_g();
    graph->add_node()->set_op_type("If");
  }
  return model;
}

TEST(Reader, BoundsNesting) {
  std::string allowed = nestedIfs(maxGraphNesting).SerializeAsString();
  EXPECT_EQ(errorOf(allowed), "");
  EXPECT_EQ(errorOf(nestedIfs(maxGraphNesting + 1).SerializeAsString()),
            "graphs nest deeper than the limit of 100 levels (branches and "
            "loop bodies inside each other)");
  EXPECT_NE(errorOf(nestedIfs(5000).SerializeAsString()), "");
}

TEST(Reader, ReadsTextForm) {
  auto model = readModel("<ir_version: 8, opset_import: [\"\" : 18]>\n"
                         "g (float[2] x) => (float[2] y) { y = Relu(x) }",
                         "-");
  ASSERT_TRUE(bool(model));
  EXPECT_EQ((*model)->graph().node(0).op_type(), "Relu");
}

TEST(Reader, TextFormErrorsGiveThePlace) {
  EXPECT_EQ(errorOf("<ir_version: 8,\n opset_import: [\"\" 18]>", "m.onnxtxt"),
            "text form, line 2 column 20: Expected character : not found. (at "
            "`opset_import: [\"\" 18]>`)");
  EXPECT_NE(errorOf("<ir_version: 99999999999999999999>", "m.onnxtxt"), "");
  EXPECT_EQ(errorOf("g (" + std::string(1000, '(') + " => ", "m.onnxtxt"),
            "text form: brackets nest deeper than the limit of 220 levels");
}

TEST(Reader, TellsONNXFromMLIR) {
  std::string bytes = makeModel().SerializeAsString();
  EXPECT_TRUE(looksLikeONNX(bytes, "m.onnx"));
  EXPECT_TRUE(looksLikeONNX(bytes, "-"));
  EXPECT_TRUE(looksLikeONNX(bytes, "m.mlir"));
  EXPECT_TRUE(looksLikeONNX("", "m.onnx"));
  EXPECT_FALSE(looksLikeONNX("", "-"));
  EXPECT_FALSE(looksLikeONNX("ML\xefR\x0d", "m.onnx"));
  EXPECT_TRUE(looksLikeONNX("A text.", "m.onnx"));
  EXPECT_FALSE(looksLikeONNX("A text.", "m.txt"));
  for (StringRef text :
       {"module {\n}", "// RUN: x\nfunc.func @f() {", "\"builtin.module\"() ({",
        "#map = affine_map<(d0) -> (d0)>\nmodule {", "!t = i32"}) {
    EXPECT_FALSE(looksLikeONNX(text, "m.mlir")) << text.str();
    EXPECT_FALSE(looksLikeONNX(text, "m.onnx")) << text.str();
  }
  for (StringRef text : {"<ir_version: 8>", "# a comment\n<ir_version: 8>",
                         "g (float x) => (float y) {}"})
    EXPECT_TRUE(looksLikeONNX(text, "-")) << text.str();
}

} // namespace
