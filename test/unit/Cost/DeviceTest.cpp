//===- DeviceTest.cpp - device files and the bundled devices --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Device.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace roofline;

namespace {

using Cls = ComputeClass;
using T = ElementType;

Device bundled(llvm::StringRef name) {
  llvm::Expected<Device> device = findDevice(name);
  if (device)
    return *device;
  ADD_FAILURE() << toString(device.takeError());
  return {};
}

/// A small device file, in which `from` is replaced by `to`.
std::string file(llvm::StringRef from = "", llvm::StringRef to = "") {
  std::string text = R"({
    "name": "toy", "vendor": "me", "title": "A toy", "kind": "gpu",
    "compute": [
      {"class": "matmul", "type": "f16", "value": 10, "unit": "TFLOP/s",
       "origin": "datasheet", "source": "sheet"},
      {"class": "vector", "type": "i32", "value": 2, "unit": "TOP/s",
       "origin": "derived", "source": "lanes"}],
    "memory": [
      {"level": "dram",
       "bandwidth": {"value": 500, "unit": "GB/s", "origin": "datasheet",
                     "source": "sheet"},
       "capacity": {"value": 2, "unit": "GiB", "origin": "estimate",
                    "source": "guess"}}],
    "launch": {"value": 1500, "unit": "ns", "origin": "measured",
               "source": "run"}
  })";
  if (!from.empty()) {
    size_t at = text.find(from.str());
    EXPECT_NE(at, std::string::npos) << from.str();
    text.replace(at, from.size(), to.str());
  }
  return text;
}

std::string errorOf(const std::string &text) {
  llvm::Expected<Device> device = Device::parse(text, "toy.json");
  return device ? "no error" : toString(device.takeError());
}

TEST(DeviceFile, Reads) {
  llvm::Expected<Device> device = Device::parse(file(), "toy.json");
  ASSERT_TRUE(bool(device)) << toString(device.takeError());
  EXPECT_EQ(device->name, "toy");
  EXPECT_EQ(device->title, "A toy");
  ASSERT_EQ(device->compute.size(), 2u);
  EXPECT_EQ(device->compute[0].perSecond, 10e12);
  EXPECT_EQ(device->compute[1].type, T::I32);
  EXPECT_EQ(device->compute[1].perSecond, 2e12);
  EXPECT_EQ(device->dram()->bytesPerSecond, 500e9);
  EXPECT_EQ(device->dram()->capacityBytes, int64_t(2) << 30);
  EXPECT_EQ(device->dram()->capacityOrigin, Origin::Estimate);
  EXPECT_DOUBLE_EQ(device->launchSeconds, 1.5e-6);
  EXPECT_EQ(device->launchOrigin, Origin::Measured);
}

TEST(DeviceFile, ErrorsNameFileFieldAndCause) {
  EXPECT_EQ(errorOf("{").substr(0, 19), "toy.json: not JSON:");
  EXPECT_EQ(errorOf("[]"), "toy.json: a device file holds one JSON object");
  EXPECT_EQ(errorOf(file("\"vendor\"", "\"vendro\"")),
            "toy.json: vendro: unknown field; did you mean 'vendor'?");
  EXPECT_EQ(errorOf(file("\"title\": \"A toy\",", "")),
            "toy.json: title: missing");
  EXPECT_EQ(errorOf(file("\"gpu\"", "\"toaster\"")),
            "toy.json: kind: unknown kind 'toaster'; known are gpu, cpu, npu");
  EXPECT_EQ(errorOf(file("10,", "-10,")),
            "toy.json: compute[0].value: must be above 0");
  EXPECT_EQ(errorOf(file("10,", "\"10\",")),
            "toy.json: compute[0].value: expected a number");
  EXPECT_EQ(errorOf(file("\"TFLOP/s\"", "\"TB/s\"")),
            "toy.json: compute[0].unit: wrong unit 'TB/s'; expected PFLOP/s, "
            "TFLOP/s, GFLOP/s, MFLOP/s");
  EXPECT_EQ(errorOf(file("\"TOP/s\"", "\"TFLOP/s\"")),
            "toy.json: compute[1].unit: wrong unit 'TFLOP/s'; expected POP/s, "
            "TOP/s, GOP/s, MOP/s");
  EXPECT_EQ(errorOf(file("\"f16\"", "\"half\"")),
            "toy.json: compute[0].type: unknown element type 'half'");
  EXPECT_EQ(errorOf(file("\"matmul\"", "\"tensor\"")),
            "toy.json: compute[0].class: unknown class 'tensor'; known are "
            "matmul, vector, special");
  EXPECT_EQ(errorOf(file("\"vector\", \"type\": \"i32\"",
                         "\"matmul\", \"type\": \"f16\"")),
            "toy.json: compute[1]: a second ceiling for matmul f16");
  EXPECT_EQ(errorOf(file("\"derived\"", "\"hearsay\"")),
            "toy.json: compute[1].origin: unknown origin 'hearsay'; known are "
            "datasheet, derived, estimate, measured");
  EXPECT_EQ(errorOf(file("\"source\": \"lanes\"", "\"source\": \" \"")),
            "toy.json: compute[1].source: expected a text that isn't empty");
  EXPECT_EQ(errorOf(file("\"dram\"", "\"l2\"")),
            "toy.json: memory[0].level: the first level must be \"dram\"");
  EXPECT_EQ(errorOf(file("\"launch\"", "\"lunch\"")),
            "toy.json: lunch: unknown field; did you mean 'launch'?");
  EXPECT_EQ(errorOf(file("\"value\": 500, ", "")),
            "toy.json: memory[0].bandwidth.value: missing");
}

/// The figures behind a figure, and what they were measured on.
std::string measuredFile(llvm::StringRef from = "", llvm::StringRef to = "") {
  std::string measured = R"("source": "lanes", "measured": [
    {"kind": "add", "threads": 2, "value": 2, "unit": "TOP/s",
     "spread": 0.01}]})";
  if (!from.empty())
    measured.replace(measured.find(from.str()), from.size(), to.str());
  return file("\"source\": \"lanes\"}", measured);
}

TEST(DeviceFile, ReadsMeasurements) {
  llvm::Expected<Device> device = Device::parse(measuredFile(), "toy.json");
  ASSERT_TRUE(bool(device)) << toString(device.takeError());
  ASSERT_EQ(device->compute[1].measured.size(), 1u);
  const MeasuredFigure &measured = device->compute[1].measured[0];
  EXPECT_EQ(measured.kind, "add");
  EXPECT_EQ(measured.threads, 2u);
  EXPECT_EQ(measured.value, 2e12);
  EXPECT_EQ(measured.spread, 0.01);
  EXPECT_TRUE(device->compute[0].measured.empty());
  EXPECT_TRUE(device->environment.empty());

  EXPECT_EQ(errorOf(measuredFile("\"threads\": 2", "\"threads\": 0")),
            "toy.json: compute[1].measured[0].threads: expected an integer "
            "from 1 on");
  EXPECT_EQ(errorOf(measuredFile("0.01", "-1")),
            "toy.json: compute[1].measured[0].spread: expected a number from "
            "0 on");
  EXPECT_EQ(errorOf(measuredFile("\"kind\": \"add\", ", "")),
            "toy.json: compute[1].measured[0].kind: missing");
  EXPECT_EQ(errorOf(measuredFile("TOP/s", "GB/s")),
            "toy.json: compute[1].measured[0].unit: wrong unit 'GB/s'; "
            "expected POP/s, TOP/s, GOP/s, MOP/s");
  EXPECT_EQ(errorOf(measuredFile("\"threads\"", "\"thread\"")),
            "toy.json: compute[1].measured[0].thread: unknown field; did you "
            "mean 'threads'?");
  EXPECT_EQ(errorOf(file("\"name\"", "\"environment\": 1, \"name\"")),
            "toy.json: environment: expected an object");
}

TEST(DeviceFile, IsWrittenAsItIsRead) {
  for (llvm::StringRef name : bundledDeviceNames()) {
    SCOPED_TRACE(name.str());
    std::string first, second;
    Device device = bundled(name);
    llvm::raw_string_ostream firstStream(first), secondStream(second);
    device.write(firstStream);
    llvm::Expected<Device> again = Device::parse(first, "written.json");
    ASSERT_TRUE(bool(again)) << toString(again.takeError());
    again->write(secondStream);
    EXPECT_EQ(first, second);
    ASSERT_EQ(again->compute.size(), device.compute.size());
    for (size_t i = 0; i < device.compute.size(); ++i)
      EXPECT_NEAR(again->compute[i].perSecond / device.compute[i].perSecond, 1,
                  1e-4);
    EXPECT_EQ(again->dram()->capacityBytes, device.dram()->capacityBytes);
    EXPECT_NEAR(again->launchSeconds / device.launchSeconds, 1, 1e-4);
  }
}

TEST(Device, CeilingFallsBack) {
  Device device;
  auto add = [&](Cls cls, T type) {
    device.compute.push_back({cls, type, 1, Origin::Datasheet, "test"});
  };
  add(Cls::Matmul, T::F16);
  add(Cls::Vector, T::F32);
  add(Cls::Vector, T::I32);
  auto used = [&](Cls cls, T type) {
    const ComputeCeiling *ceiling = device.ceiling(cls, type);
    return ceiling ? (name(ceiling->cls) + ":" + name(ceiling->type)).str()
                   : std::string("none");
  };
  EXPECT_EQ(used(Cls::Matmul, T::F16), "matmul:f16");
  EXPECT_EQ(used(Cls::Matmul, T::F8E4M3), "matmul:f16"); // next wider
  EXPECT_EQ(used(Cls::Matmul, T::F4E2M1), "matmul:f16"); // by way of f8e4m3
  EXPECT_EQ(used(Cls::Matmul, T::BF16), "vector:f32");   // f16 isn't wider
  EXPECT_EQ(used(Cls::Matmul, T::I8), "vector:i32");
  EXPECT_EQ(used(Cls::Special, T::F16), "vector:f32");
  EXPECT_EQ(used(Cls::Vector, T::Bool), "vector:i32");
  EXPECT_EQ(used(Cls::Vector, T::F64), "none");
  EXPECT_EQ(used(Cls::Vector, T::I64), "none");
  EXPECT_EQ(used(Cls::Matmul, T::Unknown), "none");
}

TEST(BundledDevices, AreSortedAndComplete) {
  std::vector<llvm::StringRef> names = bundledDeviceNames();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (llvm::StringRef expected :
       {"a100-40gb", "a100-80gb", "a6000", "b200", "h100-pcie", "h100-sxm",
        "h200", "l4", "l40s", "mi300x", "phone-npu", "rtx4090", "ryzen-7950x",
        "t4", "v100", "xeon-8480"})
    EXPECT_TRUE(llvm::is_contained(names, expected)) << expected.str();
}

TEST(BundledDevices, HaveEveryFigure) {
  for (llvm::StringRef name : bundledDeviceNames()) {
    SCOPED_TRACE(name.str());
    Device device = bundled(name);
    EXPECT_EQ(device.name, name); // the file's name and the field agree
    ASSERT_TRUE(device.dram());
    EXPECT_GT(device.launchSeconds, 0);
    EXPECT_LT(device.launchSeconds, 20e-6);
    EXPECT_FALSE(device.launchSource.empty());
    unsigned perClass[numComputeClasses] = {};
    for (const ComputeCeiling &ceiling : device.compute) {
      ++perClass[static_cast<unsigned>(ceiling.cls)];
      EXPECT_FALSE(ceiling.source.empty());
    }
    for (unsigned count : perClass)
      EXPECT_GT(count, 0u);
    for (const MemoryLevel &level : device.memory) {
      EXPECT_TRUE(level.capacityBytes) << level.level;
      EXPECT_FALSE(level.source.empty()) << level.level;
      EXPECT_FALSE(level.capacitySource.empty()) << level.level;
    }
    // What every model needs has a ceiling.
    for (T type : {T::F32, T::F16, T::BF16, T::I8, T::I64, T::Bool})
      for (Cls cls : {Cls::Matmul, Cls::Vector, Cls::Special})
        EXPECT_TRUE(device.ceiling(cls, type)) << roofline::name(type).str();
  }
}

/// Figures with sparsity quoted as dense, or in the wrong unit, stand out as
/// ratios: a narrower type is no slower and at most 16 times as fast.
TEST(BundledDevices, HaveSaneRatios) {
  for (llvm::StringRef name : bundledDeviceNames()) {
    SCOPED_TRACE(name.str());
    Device device = bundled(name);
    double f32 = device.ceiling(Cls::Vector, T::F32)->perSecond;
    double f16 = device.ceiling(Cls::Matmul, T::F16)->perSecond;
    double i8 = device.ceiling(Cls::Matmul, T::I8)->perSecond;
    EXPECT_GE(f16 / f32, 1);
    EXPECT_LE(f16 / f32, 40);
    EXPECT_LE(i8 / f16, 16);
    double special = device.ceiling(Cls::Special, T::F32)->perSecond;
    EXPECT_LE(special, f32);
    EXPECT_GE(special, f32 / 64);
    // Ridge points of tens to hundreds, growing with narrower types.
    double ridge = *device.ridge(Cls::Matmul, T::F16);
    EXPECT_GT(ridge, 10);
    EXPECT_LT(ridge, 500);
    // Caches are faster and smaller, inwards.
    for (size_t i = 1; i < device.memory.size(); ++i) {
      EXPECT_GE(device.memory[i].bytesPerSecond,
                device.memory[i - 1].bytesPerSecond);
      EXPECT_LT(*device.memory[i].capacityBytes, device.dram()->capacityBytes);
    }
  }
}

/// The H200's matmul f16 figure is 989.5e12 and so on: dense, per datasheet.
TEST(BundledDevices, HoldTheDatasheetsFigures) {
  struct Figure {
    const char *device;
    Cls cls;
    T type;
    double perSecond;
  };
  const Figure figures[] = {
      {"a100-40gb", Cls::Matmul, T::F16, 312e12},
      {"a100-80gb", Cls::Matmul, T::TF32, 156e12},
      {"a100-80gb", Cls::Matmul, T::F64, 19.5e12},
      {"a100-80gb", Cls::Matmul, T::I4, 1248e12},
      {"a6000", Cls::Matmul, T::F16, 154.8e12},
      {"b200", Cls::Matmul, T::F4E2M1, 9000e12},
      {"b200", Cls::Matmul, T::BF16, 2250e12},
      {"h100-sxm", Cls::Matmul, T::BF16, 989.4e12},
      {"h100-sxm", Cls::Matmul, T::F8E4M3, 1978.9e12},
      {"h100-sxm", Cls::Vector, T::F32, 66.9e12},
      {"h100-pcie", Cls::Matmul, T::BF16, 756e12},
      {"h200", Cls::Matmul, T::I8, 1979e12},
      {"l4", Cls::Matmul, T::F16, 121e12},
      {"l40s", Cls::Matmul, T::F8E4M3, 733e12},
      {"rtx4090", Cls::Matmul, T::F16, 165.2e12},
      {"v100", Cls::Matmul, T::F16, 125e12},
      {"t4", Cls::Matmul, T::I4, 260e12},
      {"mi300x", Cls::Matmul, T::F16, 1307.4e12},
      {"mi300x", Cls::Vector, T::F32, 163.4e12},
  };
  for (const Figure &figure : figures) {
    Device device = bundled(figure.device);
    const ComputeCeiling *ceiling = device.ceiling(figure.cls, figure.type);
    ASSERT_TRUE(ceiling);
    EXPECT_EQ(ceiling->cls, figure.cls) << figure.device;
    EXPECT_EQ(ceiling->type, figure.type) << figure.device;
    EXPECT_DOUBLE_EQ(ceiling->perSecond, figure.perSecond) << figure.device;
    EXPECT_EQ(ceiling->origin, Origin::Datasheet) << figure.device;
  }
  const std::pair<const char *, double> bandwidths[] = {
      {"a100-40gb", 1555e9}, {"a100-80gb", 2039e9}, {"b200", 8e12},
      {"h100-sxm", 3.35e12}, {"h200", 4.8e12},      {"l4", 300e9},
      {"mi300x", 5.3e12},    {"rtx4090", 1008e9},   {"t4", 320e9},
      {"v100", 900e9}};
  for (auto [name, bandwidth] : bandwidths)
    EXPECT_DOUBLE_EQ(bundled(name).dram()->bytesPerSecond, bandwidth) << name;
  EXPECT_EQ(bundled("h100-sxm").dram()->capacityBytes, int64_t(80) << 30);
}

TEST(FindDevice, SuggestsNearNames) {
  llvm::Expected<Device> device = findDevice("h100");
  ASSERT_FALSE(bool(device));
  EXPECT_EQ(toString(device.takeError()),
            "unknown device 'h100'; did you mean 'h100-pcie', 'h100-sxm'?");
  llvm::Expected<Device> typo = findDevice("rxt4090");
  ASSERT_FALSE(bool(typo));
  EXPECT_EQ(toString(typo.takeError()),
            "unknown device 'rxt4090'; did you mean 'rtx4090'?");
  llvm::Expected<Device> far = findDevice("abacus");
  ASSERT_FALSE(bool(far));
  EXPECT_EQ(toString(far.takeError()).substr(0, 50),
            "unknown device 'abacus'; known devices are a100-40");
}

TEST(FindDevice, ReadsFiles) {
  llvm::SmallString<128> path;
  int descriptor;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("toy", "json", descriptor, path));
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << file();
  }
  llvm::Expected<Device> device = findDevice(path);
  ASSERT_TRUE(bool(device)) << toString(device.takeError());
  EXPECT_EQ(device->name, "toy");
  EXPECT_FALSE(llvm::sys::fs::remove(path));
  llvm::Expected<Device> gone = findDevice(path);
  ASSERT_FALSE(bool(gone));
  EXPECT_EQ(toString(gone.takeError()),
            ("cannot read the device file '" + path +
             "': No such file or "
             "directory")
                .str());
}

TEST(NearMatches, RanksByDistance) {
  llvm::StringRef words[] = {"batch", "sequence", "seq", "heads"};
  EXPECT_EQ(nearMatches("batc", words), std::vector<std::string>{"batch"});
  EXPECT_EQ(nearMatches("Batch", words), std::vector<std::string>{"batch"});
  EXPECT_EQ(nearMatches("sequnce", words).front(), "sequence");
  EXPECT_TRUE(nearMatches("zzzzzz", words).empty());
  EXPECT_TRUE(nearMatches("batch", {}).empty());
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

std::string withKernels(const std::string &kernels) {
  return file("\"launch\"", "\"kernels\": " + kernels + ", \"launch\"");
}

std::string kernelsOf(int64_t threads) {
  KernelModel model;
  model.vectorBits = 256;
  model.threads = threads;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(model.toJSON());
  return text;
}

TEST(DeviceFile, KernelsByThreads) {
  llvm::Expected<Device> device = Device::parse(
      withKernels("[" + kernelsOf(4) + ", " + kernelsOf(1) + "]"), "toy.json");
  ASSERT_TRUE(bool(device)) << toString(device.takeError());
  ASSERT_NE(device->kernelsFor(4), nullptr);
  EXPECT_EQ(device->kernelsFor(4)->threads, 4);
  EXPECT_EQ(device->kernelsFor(2), nullptr);
  EXPECT_EQ(device->kernels.front().threads, 1);
  // One of as many threads is replaced.
  KernelModel other;
  other.vectorBits = 512;
  other.threads = 4;
  device->addKernels(other);
  EXPECT_EQ(device->kernels.size(), 2u);
  EXPECT_EQ(device->kernelsFor(4)->vectorBits, 512u);
  std::string text;
  llvm::raw_string_ostream os(text);
  device->write(os);
  llvm::Expected<Device> again = Device::parse(text, "toy.json");
  ASSERT_TRUE(bool(again)) << toString(again.takeError());
  EXPECT_EQ(again->kernels.size(), 2u);
}

TEST(DeviceFile, KernelErrorsNameTheirPlace) {
  EXPECT_EQ(errorOf(withKernels(kernelsOf(1))),
            "toy.json: kernels: expected a list of objects, one for each "
            "number of threads, as rl-run fit writes it");
  EXPECT_EQ(errorOf(withKernels("[1]")),
            "toy.json: kernels[0]: expected an object");
  EXPECT_EQ(errorOf(withKernels("[" + kernelsOf(1) + ", {}]")),
            "toy.json: kernels[1]: vector_bits: expected a number from 0 on");
  EXPECT_EQ(
      errorOf(withKernels("[" + kernelsOf(2) + ", " + kernelsOf(2) + "]")),
      "toy.json: kernels[1]: kernels of 2 threads a second time");
}

} // namespace
