//===- StoredDataTest.cpp - parameters, stored sizes, external files ------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExternalFile.h"
#include "ResolveSupport.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;
using namespace roofline::onnx_import::test;

namespace {

/// A folder that goes away with the test.
class Folder {
public:
  Folder() {
    EXPECT_FALSE(sys::fs::createUniqueDirectory("roofline-test", path));
  }
  ~Folder() { EXPECT_FALSE(sys::fs::remove_directories(path)); }
  std::string str() const { return path.str().str(); }
  std::string file(StringRef name, StringRef content) {
    std::string full = str() + "/" + name.str();
    std::error_code error;
    raw_fd_ostream(full, error) << content;
    return full;
  }
  void link(StringRef target, StringRef name) {
    EXPECT_EQ(symlink(target.str().c_str(), (str() + "/" + name.str()).c_str()),
              0);
  }

private:
  SmallString<64> path;
};

onnx::ModelProto emptyModel() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(18);
  model.mutable_graph()->set_name("g");
  return model;
}

onnx::TensorProto &addWeight(onnx::ModelProto &model, StringRef name,
                             ArrayRef<int64_t> dims,
                             int type = onnx::TensorProto::FLOAT) {
  onnx::TensorProto &tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name(name.str());
  tensor.set_data_type(type);
  for (int64_t dim : dims)
    tensor.add_dims(dim);
  return tensor;
}

void setExternal(onnx::TensorProto &tensor, StringRef location,
                 StringRef offset = "", StringRef length = "") {
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  auto add = [&](StringRef key, StringRef value) {
    if (value.empty())
      return;
    onnx::StringStringEntryProto &entry = *tensor.add_external_data();
    entry.set_key(key.str());
    entry.set_value(value.str());
  };
  add("location", location);
  add("offset", offset);
  add("length", length);
}

std::vector<std::string> warnings(const onnx::ModelProto &model,
                                  StringRef folder = "") {
  auto m = Resolved::fromBytes(model.SerializeAsString());
  EXPECT_EQ(m->message, "");
  ImportOptions options;
  options.folder = folder.str();
  checkStoredData(m->model, options);
  std::vector<std::string> texts;
  for (const ImportWarning &warning : m->model.warnings)
    texts.push_back(warning.message);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(StoredData, DisagreementsAreTold) {
  onnx::ModelProto model = emptyModel();
  addWeight(model, "w", {500, 500}).set_raw_data(std::string(12, 'x'));
  // What is dropped when the file is read still counts.
  addWeight(model, "long", {3}).set_raw_data(std::string(40000, 'x'));
  addWeight(model, "good", {3}).set_raw_data(std::string(12, 'x'));
  addWeight(model, "packed", {5}, onnx::TensorProto::INT4)
      .set_raw_data(std::string(3, 'x'));
  EXPECT_EQ(warnings(model),
            (Texts{"tensor 'w' stores 12 bytes, 500x500 f32 needs 1000000; the "
                   "declared shape is used",
                   "tensor 'long' stores 40000 bytes, 3 f32 needs 12; the "
                   "declared shape is used"}));
}

TEST(StoredData, StrippedWeightsAreSummedUp) {
  onnx::ModelProto model = emptyModel();
  addWeight(model, "a", {500, 500});
  addWeight(model, "b", {7});
  addWeight(model, "empty", {0});
  EXPECT_EQ(warnings(model),
            (Texts{"2 tensors without data; their declared shapes and types "
                   "are used"}));
}

TEST(StoredData, HugeAndUnknown) {
  onnx::ModelProto model = emptyModel();
  addWeight(model, "h", {INT64_MAX, INT64_MAX}).set_raw_data("xx");
  addWeight(model, "t", {2}, 99).set_raw_data("xx");
  // (2^63 - 1)^2 * 4
  EXPECT_EQ(
      warnings(model),
      (Texts{"tensor 'h' stores 2 bytes, "
             "9223372036854775807x9223372036854775807 f32 needs "
             "340282366920938463389587631136930004996; the declared shape "
             "is used",
             "tensor 't' has the unknown data type 99; its size isn't "
             "known"}));
}

TEST(StoredData, OneWarningAFile) {
  Folder folder;
  onnx::ModelProto model = emptyModel();
  setExternal(addWeight(model, "a", {4}), "gone.bin", "0", "16");
  setExternal(addWeight(model, "b", {4}), "gone.bin", "16", "16");
  setExternal(addWeight(model, "c", {4}), "../../etc/passwd");
  EXPECT_EQ(warnings(model, folder.str()),
            (Texts{"external data 'gone.bin' isn't there (2 tensors); declared "
                   "shapes and types are used",
                   "external data '../../etc/passwd' lies outside the model's "
                   "folder, refused (1 tensor)"}));
  // From standard input there is no folder to look in.
  EXPECT_EQ(warnings(model, "").front(),
            "read from standard input: external data 'gone.bin' isn't looked "
            "for (2 tensors); declared shapes and types are used");
  EXPECT_EQ(warnings(model, "").size(), 2u);
}

TEST(StoredData, FilesThatAreTooShort) {
  Folder folder;
  folder.file("w.bin", "0123456789abcdef"); // 16 bytes
  onnx::ModelProto model = emptyModel();
  setExternal(addWeight(model, "fits", {2}), "w.bin", "8", "8");
  setExternal(addWeight(model, "whole", {4}), "w.bin");
  EXPECT_EQ(warnings(model, folder.str()), Texts{});
  setExternal(addWeight(model, "late", {2}), "w.bin", "12", "8");
  setExternal(addWeight(model, "far", {2}), "w.bin", "18446744073709551615",
              "8");
  EXPECT_EQ(warnings(model, folder.str()),
            (Texts{"external data 'w.bin' is too short for 2 tensors, first "
                   "'late'"}));
  setExternal(addWeight(model, "odd", {2}), "w.bin", "0", "4");
  EXPECT_EQ(warnings(model, folder.str()).back(),
            "external data 'w.bin': stored and declared sizes disagree for 1 "
            "tensor, first 'odd'");
}

TEST(ExternalFile, StaysInTheFolder) {
  for (StringRef path : {"/etc/passwd", "..", "../x", "a/../../x", "a\\..\\x",
                         "C:\\x", "\\\\host\\x", ""})
    EXPECT_TRUE(leavesFolder(path)) << path.str();
  EXPECT_TRUE(leavesFolder(StringRef("a\0b", 3)));
  for (StringRef path : {"w.bin", "a/b.bin", "./w", "..w", "w..", "a..b/c"})
    EXPECT_FALSE(leavesFolder(path)) << path.str();
}

TEST(ExternalFile, FollowsLinksInsideOnly) {
  Folder folder;
  folder.file("w.bin", "12345");
  EXPECT_FALSE(sys::fs::create_directory(folder.str() + "/sub"));
  folder.link("w.bin", "inside");
  folder.link("../w.bin", "sub/back");
  folder.link("/etc/passwd", "absolute");
  folder.link("../../../../../../etc/passwd", "climbing");
  folder.link("/", "root");
  folder.link("loop", "loop");
  auto status = [&](StringRef name) {
    return findExternalFile(folder.str(), name).status;
  };
  EXPECT_EQ(findExternalFile(folder.str(), "inside").size, 5u);
  EXPECT_EQ(findExternalFile(folder.str(), "sub/back").size, 5u);
  EXPECT_EQ(status("absolute"), ExternalFile::Refused);
  EXPECT_EQ(status("climbing"), ExternalFile::Refused);
  EXPECT_EQ(status("root/etc/passwd"), ExternalFile::Refused);
  EXPECT_EQ(status("loop"), ExternalFile::Missing);
  EXPECT_EQ(status("sub"), ExternalFile::Missing);
  EXPECT_EQ(status("w.bin/x"), ExternalFile::Missing);
}

// --- Parameters --------------------------------------------------------------

std::string parameters(Resolved &m) {
  EXPECT_EQ(m.message, "");
  countParameters(m.model);
  return toString(m.model.parameters) + " in " +
         toString(m.model.parameterBytes);
}

TEST(Parameters, CountsStoredTensorsOnce) {
  // w: 6 f32 in 24 bytes, k: 4 f32 in 16. Not counted: the scalar and the i64
  // indices.
  Resolved m("g (float[2, 3] x) => (float[2, 3] y)"
             "  <float[2, 3] w = {1,2,3,4,5,6}, float s = {1},"
             "   int64[4] i = {1,2,3,4}> {"
             "  a = Mul(x, w)\n b = Mul(a, w)\n c = Mul(b, s)\n"
             "  k = Constant <value = float[4] {1,2,3,4}> ()\n"
             "  y = far.Op(c, k, i)"
             "}");
  EXPECT_EQ(parameters(m), "10 in 40");
}

TEST(Parameters, CountsAFunctionsConstantOnce) {
  Resolved m("g (float[2] x) => (float[2] r) {"
             "  q = local.F(x)\n r = local.F(q)"
             "}"
             "<domain: \"local\", opset_import: [\"\" : 18]>"
             "F (a) => (b) { k = Constant <value_floats = [1.0, 2.0]> ()"
             "               b = Mul(a, k) }");
  EXPECT_EQ(parameters(m), "2 in 8");
}

TEST(Parameters, FourBitValues) {
  // 5 values of 4 bits take 3 bytes. 16 bytes that an op's `bits` says to be
  // packed are 32 values.
  onnx::ModelProto model = emptyModel();
  model.add_opset_import()->set_version(1);
  model.mutable_opset_import(1)->set_domain("com.microsoft");
  addWeight(model, "plain", {5}, onnx::TensorProto::UINT4);
  addWeight(model, "packed", {2, 1, 8}, onnx::TensorProto::UINT8);
  addWeight(model, "bytes", {4}, onnx::TensorProto::UINT8);
  onnx::NodeProto &node = *model.mutable_graph()->add_node();
  node.set_op_type("MatMulNBits");
  node.set_domain("com.microsoft");
  node.add_input("plain");
  node.add_input("packed");
  node.add_output("y");
  onnx::AttributeProto &bits = *node.add_attribute();
  bits.set_name("bits");
  bits.set_type(onnx::AttributeProto::INT);
  bits.set_i(4);
  auto m = Resolved::fromBytes(model.SerializeAsString());
  EXPECT_EQ(parameters(*m), "41 in 23");
}

TEST(Parameters, ExternalTensorsByTheirPlace) {
  onnx::ModelProto model = emptyModel();
  setExternal(addWeight(model, "a", {4}), "w.bin", "0", "16");
  setExternal(addWeight(model, "b", {4}), "w.bin", "16", "16");
  setExternal(addWeight(model, "tied", {2, 2}), "w.bin", "0", "16");
  auto m = Resolved::fromBytes(model.SerializeAsString());
  EXPECT_EQ(parameters(*m), "8 in 32");
}

} // namespace
