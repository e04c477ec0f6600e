//===- AttentionTest.cpp - attention by blocks and with all scores --------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both ways to compute an attention are given the same made-up operands, of
// sizes that leave a rest after the last block, and must agree.
//
//===----------------------------------------------------------------------===//

#include "HostTest.h"
#include "mlir/Parser/Parser.h"
#include "roofline/Runtime/Program.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace llvm;
using namespace roofline::runtime;

namespace {

struct Case {
  const char *name;
  int64_t heads, sharedHeads, queries, keys, size, valueSize;
  const char *attributes = "";
  const char *mask = nullptr; ///< the type of operand 3
  bool counts = false;        ///< operand 6
};

std::string tensorType(ArrayRef<int64_t> shape, StringRef element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element.str() + ">";
}

/// A module whose function is one attention of two samples.
std::string moduleOf(const Case &c) {
  std::string q = tensorType({2, c.heads, c.queries, c.size}, "f32");
  std::string k = tensorType({2, c.sharedHeads, c.keys, c.size}, "f32");
  std::string v = tensorType({2, c.sharedHeads, c.keys, c.valueSize}, "f32");
  std::string y = tensorType({2, c.heads, c.queries, c.valueSize}, "f32");
  std::string arguments = formatv("%q: {0}, %k: {1}, %v: {2}", q, k, v);
  std::string names = "%q, %k, %v", numbers = "0, 1, 2";
  std::string types = formatv("{0}, {1}, {2}", q, k, v);
  auto add = [&](StringRef name, StringRef number, const std::string &type) {
    arguments += formatv(", %{0}: {1}", name, type).str();
    names += formatv(", %{0}", name).str();
    numbers += formatv(", {0}", number).str();
    types += ", " + type;
  };
  if (c.mask)
    add("mask", "3", c.mask);
  if (c.counts)
    add("counts", "6", "tensor<2xi64>");
  return formatv(
      R"(func.func @f({0}) -> {1} {{
        %y = rl.attention({2}) extents <[2, {3}, {4}, {5}, {6}, {7}, {8}]>
          {{rl.op_type = "Attention", rl.onnx = {{attributes = {{{9}},
            constants = {{}, operands = array<i64: {10}>, opset = 25 : i64,
            results = array<i64: 0>}} : ({11}) -> {1}
        return %y : {1}
      })",
      arguments, y, names, c.heads, c.sharedHeads, c.queries, c.keys, c.size,
      c.valueSize, c.attributes, numbers, types);
}

class Attentions : public testing::TestWithParam<Case>, protected HostContext {
protected:
  Tensor madeUp(mlir::Type type, Numbers &random) {
    auto tensorType = mlir::cast<mlir::RankedTensorType>(type);
    Tensor tensor = cantFail(Tensor::create(tensorType));
    mlir::Type element = tensorType.getElementType();
    for (int64_t i = 0; i < tensor.elementCount(); ++i) {
      // Halves: -2 ... 2, and for the counts 3 and 70.
      auto number = int64_t(random() % 9);
      if (element.isF32())
        reinterpret_cast<float *>(tensor.data())[i] = float(number - 4) / 2;
      else if (element.isInteger(64))
        reinterpret_cast<int64_t *>(tensor.data())[i] = i == 0 ? 3 : 70;
      else
        tensor.data()[i] = number % 3 != 0;
    }
    return tensor;
  }

  std::vector<float> run(bool byBlocks) {
    HostCompilerOptions options;
    options.attentionByBlocks = byBlocks;
    auto compiler = cantFail(HostCompiler::create(options));
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(moduleOf(GetParam()), &context);
    if (!module)
      return {};
    mlir::func::FuncOp function = *module->getOps<mlir::func::FuncOp>().begin();
    Program program = Program::build(function, *compiler);
    Numbers random;
    std::vector<Tensor> inputs;
    for (mlir::Type type : function.getArgumentTypes())
      inputs.push_back(madeUp(type, random));
    auto results = program.run(inputs, noWeights);
    if (!results) {
      ADD_FAILURE() << toString(results.takeError());
      return {};
    }
    const auto *first =
        reinterpret_cast<const float *>(results->front().data());
    return {first, first + results->front().elementCount()};
  }
};

TEST_P(Attentions, AreTheSameEitherWay) {
  std::vector<float> blocks = run(true), whole = run(false);
  const Case &c = GetParam();
  ASSERT_EQ(blocks.size(), size_t(2 * c.heads * c.queries * c.valueSize));
  ASSERT_EQ(whole.size(), blocks.size());
  float most = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    ASSERT_TRUE(std::isfinite(whole[i])) << i;
    ASSERT_NEAR(blocks[i], whole[i], 2e-6) << i;
    most = std::max(most, std::abs(whole[i]));
  }
  EXPECT_GT(most, 0.1); // not all of them 0
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Attentions,
    testing::Values(
        Case{"Plain", 2, 2, 64, 256, 8, 8},
        Case{"WithRests", 2, 2, 70, 150, 8, 5},
        // Scores of the keys behind a block have the results' type.
        Case{"WithARestAsWideAsValues", 2, 2, 64, 136, 8, 8},
        Case{"OfFewQueries", 2, 2, 3, 150, 8, 5},
        Case{"OfOneQuery", 2, 2, 1, 150, 8, 5},
        Case{"OfFewKeys", 2, 2, 70, 3, 8, 5},
        Case{"WithSharedHeads", 6, 2, 70, 70, 4, 4},
        Case{"Causal", 2, 2, 300, 300, 4, 4, "is_causal = 1 : i64"},
        Case{"InWindows", 1, 1, 300, 300, 4, 4,
             "left_window_size = 20 : i64, right_window_size = 3 : i64"},
        Case{"Capped", 2, 2, 70, 70, 8, 8, "softcap = 1.5 : f32"},
        Case{"Scaled", 2, 2, 70, 70, 8, 8, "scale = 1.0 : f32"},
        Case{"WithABoolMask", 2, 2, 70, 70, 4, 4, "", "tensor<70x70xi1>"},
        Case{"WithAMaskOfHeads", 4, 2, 70, 70, 4, 4, "", "tensor<4x70x70xf32>"},
        Case{"WithAMaskOfKeys", 2, 2, 70, 70, 4, 4, "", "tensor<2x1x1x70xi1>"},
        Case{"WithAShortMask", 2, 2, 70, 70, 4, 4, "", "tensor<70x66xf32>"},
        Case{"WithCounts", 2, 2, 70, 70, 4, 4, "", nullptr, true},
        Case{"CausalWithCounts", 2, 2, 70, 90, 4, 4, "is_causal = 1 : i64",
             nullptr, true}),
    [](const testing::TestParamInfo<Case> &info) { return info.param.name; });

} // namespace
