//===- SweepRuns.cpp - the runs of a sweep --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Chains of ops whose operands lie where the ops before left them: in the
// nearest caches, further off, or, weights and the first buffers of a size, as
// far as a whole run goes. Sizes are no model's.
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/KernelSweep.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace roofline::runtime {
namespace {

/// A model that is written op by op. Weights are inputs, which a run finds
/// where the one before left them.
class Chain {
public:
  /// Planes of an image.
  struct Planes {
    std::string name;
    int64_t channels, size;
  };

  Planes input(int64_t channels, int64_t size) {
    return {operand({1, channels, size, size}), channels, size};
  }

  Planes conv(const Planes &x, int64_t channels, int64_t kernel = 1,
              int64_t stride = 1, int64_t group = 1) {
    std::string w = operand({channels, x.channels / group, kernel, kernel});
    std::string bias = operand({channels});
    std::string attributes = formatv(
        "strides = [{0}, {0}], pads = [{1}, {1}, {1}, {1}], group = {2}",
        stride, kernel / 2, group);
    return {op("Conv", {x.name, w, bias}, attributes), channels,
            (x.size + 2 * (kernel / 2) - kernel) / stride + 1};
  }
  Planes depthwise(const Planes &x, int64_t kernel, int64_t stride = 1) {
    return conv(x, x.channels, kernel, stride, x.channels);
  }
  Planes map(StringRef name, const Planes &x) {
    return {op(name, {x.name}), x.channels, x.size};
  }
  Planes map(StringRef name, const Planes &a, const Planes &b) {
    return {op(name, {a.name, b.name}), a.channels, a.size};
  }
  Planes normalize(const Planes &x) {
    std::initializer_list<int64_t> sizes = {x.channels};
    return {op("BatchNormalization", {x.name, operand(sizes), operand(sizes),
                                      operand(sizes), operand(sizes)}),
            x.channels, x.size};
  }
  /// x · sigmoid(x), as two ops, with a sigmoid of that name.
  Planes swish(StringRef sigmoid, const Planes &x) {
    return map("Mul", x, map(sigmoid, x));
  }
  /// Channels weighted by what two products say of their means.
  Planes excite(StringRef sigmoid, const Planes &x, int64_t inner) {
    Planes mean = {op("GlobalAveragePool", {x.name}), x.channels, 1};
    Planes few = conv(mean, inner);
    few = sigmoid == "Sigmoid" ? swish(sigmoid, few) : map("Relu", few);
    return map("Mul", x, map(sigmoid, conv(few, x.channels)));
  }

  std::string operand(std::initializer_list<int64_t> sizes) {
    std::string name = formatv("w{0}", count++), text;
    for (int64_t size : sizes)
      text += (text.empty() ? "" : ",") + std::to_string(size);
    inputs +=
        formatv("{0}float[{1}] {2}", inputs.empty() ? "" : ", ", text, name);
    return name;
  }

  std::string op(StringRef name, std::initializer_list<StringRef> operands,
                 StringRef attributes = "") {
    std::string result = formatv("t{0}", count++), arguments;
    for (StringRef operand : operands)
      arguments += (arguments.empty() ? "" : ", ") + operand.str();
    std::string settings =
        attributes.empty() ? "" : ("<" + attributes + ">").str();
    nodes += formatv(" {0} = {1}{2}({3})\n", result, name, settings, arguments);
    return result;
  }

  std::string reshape(StringRef operand, StringRef shape) {
    std::string name = formatv("t{0}", count++), to = "to_" + name;
    nodes += formatv(" {0} = Constant<value_ints = {1}>()\n"
                     " {2} = Reshape({3}, {0})\n",
                     to, shape, name, operand);
    return name;
  }

  /// Ops of which little is to be done, one after the other.
  void few(int64_t rows, int64_t width) {
    std::string x = operand({rows, width}), bias = operand({width});
    for (StringRef name : {"Sqrt", "Relu", "Sigmoid", "HardSigmoid", "Erf"})
      x = op(name, {x});
    for (StringRef name : {"Add", "Sub", "Mul", "Div"})
      x = op(name, {x, bias});
    x = op("LayerNormalization", {x, bias, bias});
    x = op("Softmax", {x});
    std::string mean = op("ReduceMean", {x, "last"}, "keepdims = 1");
    std::string most = op("ReduceMax", {x, "last"}, "keepdims = 1");
    x = op("Concat", {x, mean, most}, "axis = 1");
    results += ", " + op("Transpose", {x}, "perm = [1, 0]");
  }

  SweepModel end(StringRef result) const {
    SweepModel model;
    model.text = formatv("<ir_version: 10, opset_import: [\"\" : 21]>\n"
                         "g ({0}) => (y{1}) <int64[1] last = {{1}> {{\n"
                         "{2} y = Identity({3})\n}\n",
                         inputs, results, nodes, result);
    return model;
  }

private:
  std::string inputs, nodes, results;
  unsigned count = 0;
};

using Planes = Chain::Planes;

/// Wide, filtered and narrowed: what is in between is several times as large as
/// what goes in.
Planes addBottleneck(Chain &c, StringRef sigmoid, const Planes &x, int64_t wide,
                     int64_t narrow, int64_t kernel, int64_t stride, bool swish,
                     int64_t excited = 0) {
  auto activate = [&](const Planes &y) {
    return swish ? c.swish(sigmoid, y) : c.map("Relu", y);
  };
  Planes y = activate(c.conv(x, wide));
  y = activate(c.depthwise(y, kernel, stride));
  if (excited)
    y = c.excite(sigmoid, y, excited);
  y = c.conv(y, narrow);
  bool isSame = stride == 1 && narrow == x.channels;
  return isSame ? c.map("Add", x, y) : y;
}

SweepModel bottlenecks(StringRef sigmoid, int64_t size) {
  Chain c;
  Planes x = c.swish(sigmoid, c.conv(c.input(3, size), 20, 3, 2));
  x = addBottleneck(c, sigmoid, x, 52, 28, 3, 2, false);
  x = addBottleneck(c, sigmoid, x, 90, 28, 3, 1, false);
  x = addBottleneck(c, sigmoid, x, 90, 44, 5, 2, false, 26);
  x = addBottleneck(c, sigmoid, x, 130, 44, 5, 1, false, 36);
  x = addBottleneck(c, sigmoid, x, 260, 90, 3, 2, true);
  x = addBottleneck(c, sigmoid, x, 220, 90, 3, 1, true);
  x = addBottleneck(c, sigmoid, x, 520, 120, 3, 1, true, 132);
  x = addBottleneck(c, sigmoid, x, 700, 120, 3, 1, true, 180);
  x = addBottleneck(c, sigmoid, x, 740, 150, 5, 2, true, 180);
  x = addBottleneck(c, sigmoid, x, 900, 150, 5, 1, true, 228);
  x = c.swish(sigmoid, c.conv(x, 1000));
  return c.end(x.name);
}

/// Narrowed, filtered and widened, with large weights.
SweepModel residuals(int64_t size) {
  Chain c;
  auto conv = [&](const Planes &x, int64_t channels, int64_t kernel = 1,
                  int64_t stride = 1) {
    return c.normalize(c.conv(x, channels, kernel, stride));
  };
  Planes x = c.map("Relu", conv(c.input(3, size), 50, 7, 2));
  for (auto [narrow, wide, stride] : {std::array<int64_t, 3>{50, 180, 1},
                                      {90, 300, 2},
                                      {150, 600, 2},
                                      {300, 1100, 2}}) {
    Planes y = c.map("Relu", conv(x, narrow));
    y = c.map("Relu", conv(y, narrow, 3, stride));
    x = c.map("Relu", c.map("Add", conv(y, wide), conv(x, wide, 1, stride)));
    y = c.map("Relu", conv(x, narrow));
    y = c.map("Relu", conv(y, narrow, 3));
    x = c.map("Relu", c.map("Add", x, conv(y, wide)));
    c.few(7 + narrow / 30, 60 + narrow / 10);
  }
  return c.end(x.name);
}

/// Products of sequences with weights, and maps between them.
SweepModel layers(int64_t length, int64_t width, int64_t wide, unsigned count) {
  Chain c;
  std::string x = c.operand({length, width});
  for (unsigned i = 0; i < count; ++i) {
    std::string norm =
        c.op("LayerNormalization", {x, c.operand({width}), c.operand({width})});
    std::string q =
        c.op("Add", {c.op("MatMul", {norm, c.operand({width, width})}),
                     c.operand({width})});
    std::string k = c.op("MatMul", {norm, c.operand({width, width})});
    std::string v = c.op("MatMul", {norm, c.operand({width, width})});
    std::string scores =
        c.op("MatMul", {q, c.op("Transpose", {k}, "perm = [1, 0]")});
    std::string mixed = c.op("MatMul", {c.op("Softmax", {scores}), v});
    x = c.op("Add", {x, mixed});
    std::string y = c.op("MatMul", {x, c.operand({width, wide})});
    y = c.op("Relu", {c.op("Add", {y, c.operand({wide})})});
    x = c.op("Add", {x, c.op("MatMul", {y, c.operand({wide, width})})});
  }
  return c.end(x);
}

/// Sequences whose heads are told apart and put together again, each a
/// transpose of what products wrote a while ago.
SweepModel heads(int64_t length, int64_t count, int64_t width,
                 unsigned layers) {
  Chain c;
  int64_t whole = count * width;
  std::string x = c.operand({length, whole});
  std::string apart = formatv("[{0}, {1}, {2}]", length, count, width);
  std::string together = formatv("[{0}, {1}]", length, whole);
  auto split = [&](StringRef y, StringRef permutation) {
    return c.op("Transpose", {c.reshape(y, apart)},
                ("perm = " + permutation).str());
  };
  for (unsigned i = 0; i < layers; ++i) {
    auto product = [&](StringRef y) {
      return c.op("Add", {c.op("MatMul", {y, c.operand({whole, whole})}),
                          c.operand({whole})});
    };
    std::string q = product(x), k = product(x), v = product(x);
    q = split(q, "[1, 0, 2]");
    k = split(k, "[1, 2, 0]");
    v = split(v, "[1, 0, 2]");
    std::string scores = c.op("Softmax", {c.op("MatMul", {q, k})});
    std::string mixed = c.op("MatMul", {scores, v});
    mixed = c.op("Transpose", {mixed}, "perm = [1, 0, 2]");
    std::string y = product(c.reshape(mixed, together));
    x = c.op("Add", {x, y});
    x = c.op("Transpose",
             {c.op("Sigmoid", {c.op("Transpose", {x}, "perm = [1, 0]")})},
             "perm = [1, 0]");
  }
  return c.end(x);
}

} // namespace

std::vector<SweepModel> sweepRuns() {
  return {bottlenecks("HardSigmoid", 208),
          bottlenecks("HardSigmoid", 104),
          bottlenecks("Sigmoid", 304),
          residuals(160),
          layers(112, 208, 720, 4),
          layers(208, 336, 1040, 2),
          heads(92, 10, 58, 4),
          heads(210, 7, 84, 3)};
}

} // namespace roofline::runtime
