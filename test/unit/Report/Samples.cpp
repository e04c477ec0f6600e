//===- Samples.cpp - reports built by hand for the tests ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace roofline::samples {

namespace {
constexpr ComputeClass matmul = ComputeClass::Matmul;
constexpr ComputeClass vector = ComputeClass::Vector;
constexpr ComputeClass special = ComputeClass::Special;
constexpr ElementType f16 = ElementType::F16;
constexpr ElementType f32 = ElementType::F32;
} // namespace

Device device() {
  Device device;
  device.name = "round";
  device.vendor = "Nobody";
  device.title = "Round Numbers 1";
  device.kind = "gpu";
  auto ceiling = [&](ComputeClass cls, ElementType type, double perSecond) {
    device.compute.push_back(
        {cls, type, perSecond, Origin::Datasheet, "a test"});
  };
  ceiling(matmul, f16, 100e12);
  ceiling(matmul, ElementType::TF32, 80e12);
  ceiling(matmul, f32, 50e12);
  ceiling(vector, f16, 10e12);
  ceiling(vector, f32, 10e12);
  ceiling(special, f32, 2.5e12);
  auto level = [&](StringRef name, double bandwidth, int64_t capacity) {
    MemoryLevel &level = device.memory.emplace_back();
    level.level = name.str();
    level.bytesPerSecond = bandwidth;
    level.capacityBytes = capacity;
    level.origin = Origin::Datasheet;
    level.source = level.capacitySource = "a test";
  };
  level("dram", 1e12, 16000000000);
  level("l2", 4e12, 40000000);
  device.launchSeconds = 1e-6;
  device.launchSource = "a test";
  return device;
}

Builder::Builder(StringRef model, Device device) {
  report.model.name = model.str();
  report.model.source = (model + ".onnx").str();
  report.model.irVersion = 8;
  report.model.opsets = {{"", 18}};
  report.device = std::move(device);
  Report::Totals &totals = report.totals;
  totals.flops = totals.bytesRead = totals.bytesWritten = Int(0);
  totals.seconds = totals.launches = 0;
}

Report::Op &Builder::op(StringRef name, StringRef type, ArrayRef<Flop> flops,
                        int64_t read, int64_t written, double launches) {
  Report::Op &op = report.ops.emplace_back();
  op.index = report.ops.size() - 1;
  op.name = name.str();
  op.opType = type.str();
  op.outputs.push_back({(name + "_out").str(), true, {Expr(1)}, "f16"});
  op.flops = Int(0);
  op.bytesRead = Int(read);
  op.bytesWritten = Int(written);
  op.launches = launches;
  Report::Totals &totals = report.totals;
  BoundWork work;
  for (const Flop &flop : flops) {
    *op.flops += Int(flop.count);
    op.flopsByClass.add(flop.cls, flop.type, Int(flop.count));
    totals.flopsByClass.add(flop.cls, flop.type, Int(flop.count));
    work.flops.push_back({flop.cls, flop.type, double(flop.count)});
  }
  work.bytes = double(read) + double(written);
  work.launches = launches;
  op.placement = place(work, report.device, report.options);
  op.sentence = ("Bound: " + roofline::name(op.placement.bound) + ".").str();
  *totals.flops += *op.flops;
  *totals.bytesRead += *op.bytesRead;
  *totals.bytesWritten += *op.bytesWritten;
  *totals.seconds += op.placement.seconds.value_or(0);
  *totals.launches += launches;
  return op;
}

Report::Op &Builder::opaque(StringRef name, StringRef type, StringRef domain) {
  Report::Op &op = report.ops.emplace_back();
  op.index = report.ops.size() - 1;
  op.name = name.str();
  op.opType = type.str();
  op.domain = domain.str();
  op.covered = false;
  report.totals.complete = false;
  report.totals.uncovered.push_back({type.str(), domain.str(), 1});
  return op;
}

Report::FusionGroup &Builder::fuse(StringRef kind,
                                   std::vector<unsigned> indices,
                                   int64_t bytesAfter) {
  Report::FusionGroup &group = report.fusionGroups.emplace_back();
  group.id = report.fusionGroups.size() - 1;
  group.kind = kind.str();
  Int before(0);
  double secondsBefore = 0, flops = 0;
  BoundWork work;
  for (unsigned index : indices) {
    Report::Op &op = report.ops[index];
    op.fusionGroup = group.id;
    before += *op.bytesRead + *op.bytesWritten;
    secondsBefore += *op.placement.seconds;
    flops += toDouble(*op.flops);
    for (const auto &[cls, type, count] : op.flopsByClass.all())
      work.flops.push_back({cls, type, toDouble(count)});
  }
  work.bytes = double(bytesAfter);
  work.launches = 1;
  group.ops = std::move(indices);
  group.bytesBefore = before;
  group.bytesAfter = Int(bytesAfter);
  group.bytesSaved = before - Int(bytesAfter);
  group.secondsBefore = secondsBefore;
  group.secondsAfter = place(work, report.device).seconds;
  group.secondsSaved = secondsBefore - *group.secondsAfter;
  group.speedup = secondsBefore / *group.secondsAfter;
  group.flops = flops;
  return group;
}

Report Builder::take() {
  Report::Totals &totals = report.totals;
  Int bytes = *totals.bytesRead + *totals.bytesWritten;
  Int saved(0);
  double secondsSaved = 0;
  for (const Report::FusionGroup &group : report.fusionGroups) {
    saved += *group.bytesSaved;
    secondsSaved += *group.secondsSaved;
  }
  totals.unfused = {bytes, totals.seconds};
  totals.fused = {bytes - saved, *totals.seconds - secondsSaved};
  totals.secondsInterval = {*totals.fused.seconds, *totals.seconds};
  return std::move(report);
}

Report tiny() {
  Builder builder("tiny");
  // 2·1024³ FLOPs over 3·2·1024² bytes: 341.33 FLOP/byte, above the ridge.
  Report::Op &product =
      builder.op("mm", "MatMul", {{matmul, f16, 2147483648}}, 4194304, 2097152);
  product.inputs = {{"x", true, {Expr(1024), Expr(1024)}, "f16"},
                    {"w", true, {Expr(1024), Expr(1024)}, "f16", Role::Weight}};
  product.outputs = {{"y", true, {Expr(1024), Expr(1024)}, "f16"}};
  product.fusionGroup = 0;
  builder.op("a|b", "Add", {{vector, f16, 1048576}}, 4194304, 2097152);
  builder.op("", "Reshape", {}, 0, 0, 0);
  builder.fuse("epilogue", {0, 1}, 8388608).blockedBy = "nothing follows";
  Report report = builder.take();
  Report::Totals &totals = report.totals;
  report.model.parameters = Int(1048576);
  report.model.parameterBytes = Int(2097152);
  report.dims = {{"n", Int(1024)}};
  totals.compulsory = {Int(8388608), 2.147483648e-05};
  totals.bytesByRole = {{Role::Weight, Int(2097152)},
                        {Role::Activation, Int(10485760)}};
  totals.peakMemoryBytes = Int(8388608);
  totals.fits = true;
  return report;
}

Report five(Device device) {
  Builder builder("two-layer", std::move(device));
  int64_t n = 4096, rows = 512, act = rows * n * 2;
  builder.op("fc1/MatMul", "MatMul", {{matmul, f16, 2 * rows * n * n}},
             act + n * n * 2, act);
  builder.op("fc1/Add", "Add", {{vector, f16, rows * n}}, act + n * 2, act);
  builder.op("fc1/Tanh", "Tanh", {{special, f16, rows * n}}, act, act);
  builder.op("fc2/MatMul", "MatMul", {{matmul, f16, 2 * rows * n * 64}},
             act + n * 64 * 2, rows * 64 * 2);
  builder.op("Transpose", "Transpose", {}, rows * 64 * 2, rows * 64 * 2);
  builder.fuse("elementwise", {1, 2}, 2 * act + n * 2);
  Report report = builder.take();
  report.dims = {{"batch", Int(512)}};
  report.totals.peakMemoryBytes = Int(2 * act + n * n * 2);
  report.totals.fits = true;
  return report;
}

Report transformer(unsigned layers, Device device) {
  Builder builder("decoder", std::move(device));
  int64_t d = 2048, seq = 512, heads = 16, act = seq * d * 2;
  int64_t scores = heads * seq * seq;
  auto linear = [&](const std::string &name, int64_t in, int64_t out) {
    builder.op(name, "MatMul", {{matmul, f16, 2 * seq * in * out}},
               (seq * in + in * out) * 2, seq * out * 2);
  };
  for (unsigned layer = 0; layer < layers; ++layer) {
    std::string at = "/model/layers." + std::to_string(layer);
    unsigned first = layer * 18;
    builder.op(at + "/input_norm/Norm", "SimplifiedLayerNormalization",
               {{vector, f16, 4 * seq * d}, {special, f16, 2 * seq}}, act, act);
    linear(at + "/attn/q_proj/MatMul", d, d);
    linear(at + "/attn/k_proj/MatMul", d, d / 4);
    linear(at + "/attn/v_proj/MatMul", d, d / 4);
    builder.op(at + "/attn/Reshape", "Reshape", {}, 0, 0, 0);
    builder.op(at + "/attn/Transpose", "Transpose", {}, act, act);
    builder.op(at + "/attn/qk/MatMul", "MatMul",
               {{matmul, f16, 2 * scores * d / heads}}, act * 5 / 4,
               scores * 2);
    builder.op(at + "/attn/Mul", "Mul", {{vector, f16, scores}}, scores * 2,
               scores * 2);
    builder.op(at + "/attn/Add", "Add", {{vector, f16, scores}},
               scores * 2 + seq * seq * 2, scores * 2);
    builder.op(at + "/attn/Softmax", "Softmax",
               {{vector, f16, 3 * scores}, {special, f16, 2 * scores}},
               scores * 2, scores * 2);
    builder.op(at + "/attn/av/MatMul", "MatMul",
               {{matmul, f16, 2 * scores * d / heads}}, act / 4 + scores * 2,
               act);
    linear(at + "/attn/o_proj/MatMul", d, d);
    builder.op(at + "/residual/Add", "Add", {{vector, f16, seq * d}}, 2 * act,
               act);
    linear(at + "/mlp/up_proj/MatMul", d, 4 * d);
    builder.op(at + "/mlp/Gelu", "Gelu",
               {{vector, f16, 16 * seq * d}, {special, f16, 4 * seq * d}},
               4 * act, 4 * act);
    linear(at + "/mlp/down_proj/MatMul", 4 * d, d);
    builder.op(at + "/mlp/Gather", "Gather", {}, 64, 64);
    builder.op(at + "/mlp/Cast", "Cast", {{vector, f32, 12}}, 24, 48);
    builder
        .fuse("softmax", {first + 7, first + 8, first + 9},
              scores * 4 + seq * seq * 2)
        .blockedBy = "the second product reads the scores";
    builder.fuse("epilogue", {first + 13, first + 14},
                 (seq * d + 4 * d * d + 4 * seq * d) * 2);
  }
  linear("/lm_head/MatMul", d, 32000);
  Report report = builder.take();
  report.model.parameters = Int(layers * 12 * d * d + d * 32000);
  report.model.parameterBytes = *report.model.parameters * Int(2);
  report.dims = {{"batch", Int(1)}, {"seq", Int(512)}};
  report.totals.peakMemoryBytes = Int(3000000000);
  report.totals.fits = true;
  report.totals.compulsory = {*report.model.parameterBytes + Int(2 * act),
                              toDouble(*report.model.parameterBytes) / 1e12};
  return report;
}

Report crowd(unsigned count, Device device) {
  Builder builder("crowd", std::move(device));
  uint64_t state = 42;
  auto uniform = [&] { // a linear congruential generator: the same everywhere
    state = state * 6364136223846793005u + 1442695040888963407u;
    return double(state >> 40) / double(1 << 24);
  };
  for (unsigned i = 0; i < count; ++i) {
    int64_t bytes = int64_t(std::pow(10.0, 3 + 5.5 * uniform()));
    double kind = uniform(), intensity = std::pow(10.0, 3.2 * uniform());
    std::string name =
        "/blocks/" + std::to_string(i / 9) + "/node" + std::to_string(i);
    if (kind < 0.4)
      builder.op(name, "Conv",
                 {{matmul, f16, int64_t(double(bytes) * intensity)}}, bytes,
                 bytes / 3 + 1);
    else if (kind < 0.8)
      builder.op(name, "Add",
                 {{vector, f32, int64_t(double(bytes) * intensity / 400) + 1}},
                 bytes, bytes / 2 + 1);
    else if (kind < 0.9)
      builder.op(name, "Transpose", {}, bytes, bytes);
    else
      builder.op(name, "Reshape", {}, 0, 0, 0);
    if (i % 50 == 49 && i > 60)
      builder.opaque(name + "/custom", "Mystery", "com.example");
  }
  Report report = builder.take();
  report.totals.uncovered = {
      {"Mystery", "com.example", unsigned(report.totals.uncovered.size())}};
  return report;
}

Report open() {
  Builder builder("open");
  Report::Op &product = builder.opaque("mm", "MatMul", "");
  product.covered = true;
  product.flopsFormula = "2097152*batch";
  product.bytesFormula = "4096*batch + 2097152";
  product.inputs = {{"x", true, {Expr::symbol("batch"), Expr(1024)}, "f16"}};
  product.outputs = {{"y", true, {Expr::symbol("batch"), std::nullopt}, "f16"}};
  product.times = std::nullopt;
  product.timesFormula = "trips(loop)";
  Report::Op &odd = builder.opaque("bell\a \xff <\"name\">", "Foo", "com.x");
  odd.outputs = {{"z", false, {}, "unknown"}};
  Report report = builder.take();
  Report::Totals &totals = report.totals;
  totals = {};
  totals.flopsFormula = "2097152*batch";
  totals.bytesFormula = "4096*batch + 2097152";
  totals.complete = false;
  totals.upperBound = true;
  totals.uncovered = {{"Foo", "com.x", 1}};
  totals.unboundDims = {"batch", "x[1]"};
  totals.bindFlags = {"--dim=batch=1", "--dim=x[1]=1"};
  report.warnings = {{"mm", "weights \"w.bin\" are\nmissing"}, {"", "old"}};
  return report;
}

} // namespace roofline::samples
