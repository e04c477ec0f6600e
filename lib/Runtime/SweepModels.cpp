//===- SweepModels.cpp - the models of a sweep ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Sizes are chosen to be no model's: not powers of two, nor multiples of them,
// except where a size must fill vectors. Each kind of kernel has as many shapes
// as it has units, and some more.
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/KernelSweep.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace roofline::runtime {
namespace {

using Sizes = std::vector<int64_t>;

std::string type(const Sizes &sizes, StringRef element = "float") {
  if (sizes.empty())
    return element.str(); // with brackets it would be of any rank
  std::string text = element.str() + "[";
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i ? "," : "") + std::to_string(sizes[i]);
  return text + "]";
}

class Models {
public:
  /// y = OP(a, b, …) with operands of these types; "i" is one that `constants`
  /// defines.
  void add(StringRef op, std::vector<std::string> operands,
           StringRef attributes = "", StringRef constants = "",
           StringRef results = "y") {
    static constexpr StringLiteral names[] = {"a", "b", "c", "d", "e"};
    std::string inputs, arguments;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i] != "i") { // a constant
        inputs +=
            (inputs.empty() ? "" : ", ") + operands[i] + " " + names[i].str();
      }
      arguments += (i ? ", " : "") + names[i].str();
    }
    std::string extra = constants.empty() ? "" : ("<" + constants + ">").str();
    std::string settings =
        attributes.empty() ? "" : ("<" + attributes + ">").str();
    models.push_back(
        {formatv("<ir_version: 10, opset_import: [\"\" : 23]>\n"
                 "g ({0}) => ({5}) {1} {{ {5} = {2}{3}({4}) }\n",
                 inputs, extra, op, settings, arguments, results)});
  }
  std::vector<SweepModel> models;
};

/// Bytes from a quarter of the first level to well beyond the last.
void addSets(Models &m) {
  for (int64_t octave = 10; octave <= 25; ++octave)
    for (int64_t n : {int64_t(5) << octave >> 2, int64_t(7) << octave >> 2}) {
      int64_t rows = std::max<int64_t>(1, n / 3000);
      m.add("Relu", {type({n})});
      m.add("ReduceSum", {type({rows, std::min<int64_t>(n, 3000)}), "i"},
            "keepdims = 0", "int64[1] b = {1}");
    }
  // Left alone meanwhile.
  for (double pause : {2e-3, 5e-3, 12e-3}) {
    m.add("ReduceSum", {type({137, 2900}), "i"}, "keepdims = 0",
          "int64[1] b = {1}");
    m.models.back().pauseSeconds = pause;
  }
  // Results that are too small to go past the caches, and far from the last
  // ones.
  for (unsigned rotation : {2, 3, 4, 6, 9, 13, 19}) {
    m.add("Relu", {type({900'000})});
    m.models.back().rotation = rotation;
  }
}

void addMaps(Models &m) {
  for (StringRef op :
       {"Abs",         "Neg",       "Relu",      "Sigmoid",    "Tanh",
        "Exp",         "Log",       "Sqrt",      "Erf",        "Gelu",
        "HardSigmoid", "HardSwish", "LeakyRelu", "Elu",        "Softplus",
        "Floor",       "Ceil",      "Round",     "Reciprocal", "Sin",
        "Cos",         "Softsign",  "Mish",      "Sign",       "Selu"}) {
    m.add(op, {type({9 * 1024 + 16})});
    m.add(op, {type({70, 400})});
  }
  m.add("Gelu", {type({9 * 1024 + 16})}, "approximate = \"tanh\"");
  m.add("Clip", {type({9 * 1024 + 16}), type({}), type({})});
  // To float (1), int32 (6), int64 (7), bool (9), float16 (10).
  for (const auto &[from, to] :
       std::initializer_list<std::pair<const char *, int>>{{"int32", 1},
                                                           {"int64", 1},
                                                           {"bool", 1},
                                                           {"float16", 1},
                                                           {"uint8", 1},
                                                           {"float", 1},
                                                           {"float", 6},
                                                           {"float", 7},
                                                           {"float", 9},
                                                           {"float", 10},
                                                           {"int64", 6},
                                                           {"int32", 7},
                                                           {"bool", 7},
                                                           {"int64", 9},
                                                           {"bool", 9},
                                                           {"int64", 7}})
    for (const Sizes &sizes : {Sizes{9 * 1024 + 16}, Sizes{300}, Sizes{70'003}})
      m.add("Cast", {type(sizes, from)}, formatv("to = {0}", to).str());
  for (StringRef op :
       {"Add", "Sub", "Mul", "Div", "Max", "Min", "Pow", "PRelu", "Equal",
        "Greater", "Less", "LessOrEqual", "GreaterOrEqual"}) {
    m.add(op, {type({9 * 1024 + 16}), type({9 * 1024 + 16})});
    m.add(op, {type({72, 96}), type({96})});
    m.add(op, {type({700, 23}), type({23})});
    m.add(op, {type({1, 40, 19, 19}), type({40, 1, 1})});
    m.add(op, {type({30, 300}), type({30, 1})});
    m.add(op, {type({310, 48}), type({48})});
    m.add(op, {type({9 * 1024 + 16}), type({})});
  }
  m.add("Where", {type({9 * 1024 + 16}, "bool"), type({9 * 1024 + 16}),
                  type({9 * 1024 + 16})});
  for (const Sizes &sizes : {Sizes{9 * 1024 + 16}, Sizes{300}, Sizes{70'003}}) {
    for (StringRef op : {"And", "Or", "Xor"})
      m.add(op, {type(sizes, "bool"), type(sizes, "bool")});
    m.add("Not", {type(sizes, "bool")});
    m.add("IsNaN", {type(sizes)});
  }
  m.add("Where", {type({310, 48}, "bool"), type({48}), type({310, 48})});
  m.add("Where", {type({700, 23}, "bool"), type({}), type({700, 23})});
  m.add("Where", {type({72, 96}, "bool"), type({72, 96}), type({})});
}

void addRows(Models &m) {
  for (const Sizes &sizes : {Sizes{70, 160}, Sizes{250, 70}, Sizes{30, 1100},
                             Sizes{10, 4500}, Sizes{600, 19}, Sizes{90, 450},
                             Sizes{170, 48}, Sizes{50, 720}, Sizes{20, 1552}}) {
    int64_t n = sizes[1];
    m.add("Softmax", {type(sizes)}, "axis = -1");
    m.add("LogSoftmax", {type(sizes)}, "axis = -1");
    m.add("LayerNormalization", {type(sizes), type({n}), type({n})});
    m.add("RMSNormalization", {type(sizes), type({n})});
    m.add("ReduceMean", {type(sizes), "i"}, "keepdims = 1",
          "int64[1] b = {-1}");
    m.add("ReduceMax", {type(sizes), "i"}, "keepdims = 1", "int64[1] b = {-1}");
    for (StringRef op : {"ReduceSum", "ReduceMax"})
      m.add(op, {type(sizes), "i"}, "keepdims = 1", "int64[1] b = {0}");
  }
  for (const Sizes &sizes : {Sizes{1, 40, 19, 19}, Sizes{1, 200, 7, 7},
                             Sizes{2, 20, 50, 50}, Sizes{1, 10, 90, 90}}) {
    std::string channel = type({sizes[1]});
    m.add("BatchNormalization",
          {type(sizes), channel, channel, channel, channel});
    m.add("InstanceNormalization", {type(sizes), channel, channel});
    m.add("GlobalAveragePool", {type(sizes)});
    m.add("GlobalMaxPool", {type(sizes)});
    for (int64_t size : {3, 7})
      m.add("LRN", {type(sizes)}, formatv("size = {0}", size).str());
    m.add("ReduceMean", {type(sizes), "i"}, "", "int64[1] b = {1}");
  }
}

void addProducts(Models &m) {
  for (const Sizes &s :
       {Sizes{90, 90, 90}, Sizes{48, 330, 200}, Sizes{160, 650, 72},
        Sizes{33, 47, 130}, Sizes{320, 84, 520}, Sizes{700, 100, 60},
        Sizes{250, 250, 250}, Sizes{18, 640, 650}, Sizes{200, 1010, 300},
        Sizes{500, 500, 500}, Sizes{100, 20, 900}, Sizes{70, 1500, 80},
        Sizes{400, 700, 1100}, Sizes{8, 300, 2000}}) {
    m.add("MatMul", {type({s[0], s[1]}), type({s[1], s[2]})});
    m.add("Einsum", {type({s[0], s[1]}), type({s[2], s[1]})},
          "equation = \"mk,nk->mn\"");
  }
  for (const Sizes &s : {Sizes{10, 70, 48, 90}, Sizes{24, 40, 160, 40},
                         Sizes{6, 150, 150, 70}, Sizes{48, 30, 30, 30}})
    m.add("MatMul", {type({s[0], s[1], s[2]}), type({s[0], s[2], s[3]})});
  for (const Sizes &s :
       {Sizes{500, 700}, Sizes{800, 90}, Sizes{130, 1800}, Sizes{1500, 1100},
        Sizes{2100, 4500}, Sizes{592, 208}, Sizes{304, 1360}}) {
    m.add("MatMul", {type({1, s[0]}), type({s[0], s[1]})});
    m.add("Gemm", {type({1, s[0]}), type({s[1], s[0]}), type({s[1]})},
          "transB = 1");
  }
}

void addConvolutions(Models &m) {
  auto conv = [&](int64_t in, int64_t size, int64_t out, int64_t kernel,
                  int64_t stride, int64_t pad, int64_t group = 1) {
    m.add("Conv",
          {type({1, in, size, size}), type({out, in / group, kernel, kernel})},
          formatv("strides = [{0}, {0}], pads = [{1}, {1}, {1}, {1}], group = "
                  "{2}",
                  stride, pad, group)
              .str());
  };
  for (int64_t size : {9, 10, 13, 18, 27, 30, 50, 83, 99, 118, 150, 230, 310})
    for (int64_t stride : {1, 2}) {
      conv(60, size, 60, 3, stride, 1, 60);
      conv(90, size, 90, 5, stride, 2, 90);
    }
  for (int64_t size : {11, 22, 37, 60}) {
    conv(50, size, 70, 3, 1, 1);
    conv(110, size, 40, 3, 1, 1);
    conv(90, size, 60, 1, 1, 0);
    conv(200, size, 150, 1, 1, 0);
    conv(50, size, 90, 3, 2, 1);
    conv(130, size, 70, 1, 2, 0);
    conv(20, size, 30, 5, 1, 2);
  }
  // Operands beyond the caches.
  conv(100, 140, 90, 3, 1, 1);
  conv(200, 75, 190, 3, 1, 1);
  conv(30, 300, 40, 3, 1, 1);
  // Many channels of small planes.
  for (int64_t stride : {1, 2}) {
    conv(330, 13, 330, 3, stride, 1, 330);
    conv(450, 15, 450, 5, stride, 2, 450);
    conv(250, 29, 250, 3, stride, 1, 250);
  }
  // Few steps of k, or few rows of results.
  conv(14, 90, 50, 1, 1, 0);
  conv(18, 100, 20, 1, 1, 0);
  conv(70, 50, 26, 1, 1, 0);
  conv(220, 15, 70, 1, 1, 0);
  conv(150, 9, 850, 1, 1, 0);
  conv(330, 13, 90, 1, 1, 0);
  conv(3, 150, 40, 7, 2, 3);
  conv(3, 180, 24, 3, 2, 1);
  conv(400, 8, 500, 3, 1, 1);
  conv(700, 8, 300, 1, 1, 0);
  // Planes of one element.
  for (const Sizes &s : {Sizes{38, 900}, Sizes{22, 490}, Sizes{1000, 42},
                         Sizes{130, 30}, Sizes{70, 290}})
    conv(s[0], 1, s[1], 1, 1, 0);
  auto transposed = [&](int64_t in, int64_t size, int64_t out, int64_t kernel,
                        int64_t stride, int64_t pad) {
    m.add("ConvTranspose",
          {type({1, in, size, size}), type({in, out, kernel, kernel})},
          formatv("strides = [{0}, {0}], pads = [{1}, {1}, {1}, {1}]", stride,
                  pad)
              .str());
  };
  transposed(60, 20, 40, 2, 2, 0);
  transposed(30, 45, 50, 2, 2, 0);
  transposed(130, 12, 70, 2, 2, 0);
  transposed(40, 70, 22, 2, 2, 0);
  transposed(40, 20, 30, 4, 2, 1);
  transposed(70, 11, 90, 3, 2, 1);
  transposed(50, 30, 60, 3, 1, 1);
  for (int64_t size : {10, 21, 45, 85, 102, 130, 235, 330})
    for (StringRef op : {"MaxPool", "AveragePool"}) {
      std::string input = type({1, 40, size, size});
      m.add(op, {input},
            "kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]");
      m.add(op, {input}, "kernel_shape = [2, 2], strides = [2, 2]");
      m.add(op, {input},
            "kernel_shape = [3, 3], strides = [1, 1], pads = [1, 1, 1, 1]");
      m.add(op, {input},
            "kernel_shape = [5, 5], strides = [1, 1], pads = [2, 2, 2, 2]");
      if (size < 50)
        m.add(op, {input},
              "kernel_shape = [11, 11], strides = [1, 1], pads = [5, 5, 5, 5]");
    }
}

void addCopies(Models &m) {
  for (const Sizes &s : {Sizes{90, 12, 70}, Sizes{300, 6, 40},
                         Sizes{40, 40, 110}, Sizes{60, 20, 96}})
    m.add("Transpose", {type({1, s[0], s[1], s[2]})}, "perm = [0, 2, 1, 3]");
  for (const Sizes &s :
       {Sizes{90, 130}, Sizes{300, 70}, Sizes{600, 600}, Sizes{48, 350},
        Sizes{720, 80}, Sizes{50, 45}, Sizes{1400, 1100},
        // One side is shorter than a vector.
        Sizes{3, 700}, Sizes{5, 2100}, Sizes{3, 90}, Sizes{700, 3},
        Sizes{2100, 5}, Sizes{90, 3}})
    m.add("Transpose", {type(s)}, "perm = [1, 0]");
  for (const Sizes &s : {Sizes{40, 22, 60}, Sizes{11, 150, 70}})
    m.add("Transpose", {type(s)}, "perm = [0, 2, 1]");
  for (const Sizes &s : {Sizes{1, 60, 500}, Sizes{90, 70, 70},
                         Sizes{300, 20, 30}, Sizes{50, 48, 80}})
    m.add("Concat", {type({s[0], s[1]}), type({s[0], s[2]})}, "axis = 1");
  for (const Sizes &s :
       {Sizes{60, 500}, Sizes{300, 40}, Sizes{20, 2100}, Sizes{70, 293}})
    m.add("Slice", {type(s), "i", "i", "i"}, "",
          formatv("int64[1] b = {{3}, int64[1] c = {{{0}}, int64[1] d = {{1}",
                  s[1] - 5)
              .str());
  for (const Sizes &s : {Sizes{60, 500}, Sizes{300, 41}, Sizes{3, 2900}}) {
    m.add("Expand", {type({s[0], 1}), "i"}, "",
          formatv("int64[2] b = {{{0}, {1}}", s[0], s[1]).str());
    m.add("Expand", {type({s[1]}), "i"}, "",
          formatv("int64[2] b = {{{0}, {1}}", s[0], s[1]).str());
    m.add("Pad", {type(s), "i"}, "", "int64[4] b = {2, 3, 1, 6}");
    m.add("GatherElements", {type(s), type(s, "int64")}, "axis = 1");
  }
  for (StringRef mode : {"nearest", "linear"})
    for (const Sizes &s : {Sizes{10, 21, 30}, Sizes{30, 13, 13},
                           Sizes{20, 40, 45}, Sizes{50, 9, 70}})
      for (StringRef scales : {"1, 1, 2, 2", "1, 1, 4, 4", "1, 1, 3, 1"})
        m.add("Resize", {type({1, s[0], s[1], s[2]}), "i", "i"},
              formatv("mode = \"{0}\", coordinate_transformation_mode = "
                      "\"asymmetric\", nearest_mode = \"floor\"",
                      mode)
                  .str(),
              formatv("float[0] b = {{}, float[4] c = {{{0}}", scales).str());
  for (const Sizes &s :
       {Sizes{10, 21, 30}, Sizes{30, 14, 22}, Sizes{20, 50, 40}})
    m.add("Resize", {type({1, s[0], s[1], s[2]}), "i", "i"},
          "mode = \"nearest\"",
          "float[0] b = {}, float[4] c = {1, 1, 1.5, 1.5}");
  for (const Sizes &s : {Sizes{500, 300, 60}, Sizes{2000, 90, 300},
                         Sizes{90, 900, 40}, Sizes{300, 336, 50}})
    m.add("Gather", {type({s[0], s[1]}), type({s[2]}, "int64")});
}

/// Kernels that are loops over others.
void addLoops(Models &m) {
  for (const Sizes &s : // steps, batch, inputs, hidden
       {Sizes{11, 1, 90, 70}, Sizes{5, 6, 40, 200}, Sizes{20, 3, 150, 140},
        Sizes{1, 2, 100, 300}, Sizes{30, 1, 60, 24}})
    for (const auto &[op, gates] :
         std::initializer_list<std::pair<const char *, int64_t>>{
             {"LSTM", 4}, {"GRU", 3}, {"RNN", 1}})
      m.add(op,
            {type({s[0], s[1], s[2]}), type({1, gates * s[3], s[2]}),
             type({1, gates * s[3], s[3]}), type({1, 2 * gates * s[3]})},
            formatv("hidden_size = {0}", s[3]).str());
  for (const Sizes &s : // heads, queries, keys, size
       {Sizes{6, 70, 70, 24}, Sizes{3, 30, 300, 48}, Sizes{11, 9, 50, 72},
        Sizes{2, 210, 210, 40}, Sizes{20, 1, 170, 56}, Sizes{5, 130, 40, 96},
        Sizes{4, 90, 700, 33}}) {
    std::string keys = type({1, s[0], s[2], s[3]});
    m.add("Attention", {type({1, s[0], s[1], s[3]}), keys, keys});
  }
  for (const Sizes &s :
       {Sizes{1, 3000, 250}, Sizes{40, 90, 5}, Sizes{6, 700, 1},
        Sizes{2, 1100, 1100}, Sizes{1, 20'000, 40}})
    m.add("TopK", {type({s[0], s[1]}), "i"}, "",
          formatv("int64[1] b = {{{0}}", s[2]).str(), "y, z");
}

} // namespace

std::vector<SweepModel> sweepModels() {
  Models m;
  // Sets at several times: what others do to shared caches changes.
  addSets(m);
  addMaps(m);
  addRows(m);
  addSets(m);
  addProducts(m);
  addConvolutions(m);
  addCopies(m);
  addLoops(m);
  addSets(m);
  return std::move(m.models);
}

} // namespace roofline::runtime
