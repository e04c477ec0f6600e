//===- TraceReader.cpp - Chrome traces and onnxruntime's profiles ---------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both are lists of the same events; they differ in categories and arguments.
// PyTorch's categories changed over the years, and a thread or a process may be
// a number or a text.
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>

using namespace llvm;

namespace roofline::profile {

namespace {

enum Field {
  Phase,
  Cat,
  Name,
  Pid,
  Tid,
  Start,
  Duration,
  Correlation,
  Device,
  Stream,
  Bytes,
  Kind,
  InputDims,
  InputTypes,
  OpName,
  Provider,
  InputShapes,
  numFields
};

class TraceReader {
public:
  TraceReader(JSONReader &reader, Profile &profile)
      : reader(reader), profile(profile) {}
  Error read();

private:
  bool readEvent();
  bool readArguments();
  void addEvent();
  std::optional<Category> category(StringRef name) const;
  void describeDeviceWork(Event &event);
  bool describeNode(Event &event);

  bool has(Field field) const { return !fields[field].text.empty(); }
  StringRef keep(Field field) { return profile.keep(fields[field].decoded()); }

  JSONReader &reader;
  Profile &profile;
  std::array<JSONToken, numFields> fields;
  uint64_t spans = 0, withoutTime = 0, nodes = 0, opened = 0;
};

} // namespace

bool TraceReader::readArguments() {
  if (reader.peek() != '{')
    return reader.skip();
  return reader.object([&](StringRef key) {
    auto field = StringSwitch<Field>(key)
                     .Case("correlation", Correlation)
                     .Case("device", Device)
                     .Case("stream", Stream)
                     .Case("bytes", Bytes)
                     .Case("kind", Kind)
                     .Case("Input Dims", InputDims)
                     .Case("Input type", InputTypes)
                     .Case("op_name", OpName)
                     .Case("provider", Provider)
                     .Case("input_type_shape", InputShapes)
                     .Default(numFields);
    return field == numFields ? reader.skip() : reader.value(fields[field]);
  });
}

bool TraceReader::readEvent() {
  fields.fill({});
  if (reader.peek() != '{')
    return reader.fail("expected an event, which is an object");
  bool read = reader.object([&](StringRef key) {
    if (key == "args")
      return readArguments();
    auto field = StringSwitch<Field>(key)
                     .Case("ph", Phase)
                     .Case("cat", Cat)
                     .Case("name", Name)
                     .Case("pid", Pid)
                     .Case("tid", Tid)
                     .Case("ts", Start)
                     .Case("dur", Duration)
                     .Default(numFields);
    return field == numFields ? reader.skip() : reader.value(fields[field]);
  });
  if (read)
    addEvent();
  return read;
}

/// Nothing for what isn't looked at: annotations, Python's functions, overhead.
std::optional<Category> TraceReader::category(StringRef name) const {
  std::string cat = fields[Cat].text.lower();
  bool isStep = name.starts_with("ProfilerStep#");
  if (isStep)
    return StringRef(cat).starts_with("gpu")
               ? std::nullopt
               : std::optional<Category>(Category::Step);
  StringRef text = cat;
  // PyTorch's before Kineto: no category, the process says what it is.
  if (text.empty())
    return StringSwitch<std::optional<Category>>(fields[Pid].text)
        .Case("CPU functions", Category::CpuOp)
        .Case("CUDA functions", Category::Kernel)
        .Default(std::nullopt);
  if (text == "runtime" || text == "driver" || text.ends_with("_runtime") ||
      text.ends_with("_driver"))
    return Category::Call;
  return StringSwitch<std::optional<Category>>(text)
      .Cases({"kernel", "concurrent_kernel"}, Category::Kernel)
      .Cases({"memcpy", "gpu_memcpy"}, Category::Memcpy)
      .Cases({"memset", "gpu_memset"}, Category::Memset)
      .Cases({"cpu_op", "operator"}, Category::CpuOp)
      .Case("cuda_sync", Category::Sync)
      .Case("node", Category::Node)
      .Case("session", Category::Session)
      .Default(std::nullopt);
}

void TraceReader::describeDeviceWork(Event &event) {
  event.device = keep(has(Device) ? Device : Pid);
  event.stream = keep(has(Stream) ? Stream : Tid);
  if (event.category != Category::Memcpy)
    return;
  // AMD's profiler says the direction apart from the name.
  StringRef told = copyDirection(event.name);
  if (told.empty())
    told = copyDirection(fields[Kind].text);
  event.direction = profile.keep(told);
}

/// False for what isn't the node's execution itself.
bool TraceReader::describeNode(Event &event) {
  if (!has(OpName))
    return false;
  StringRef name = event.name;
  if (name.ends_with("_fence_before") || name.ends_with("_fence_after"))
    return false;
  name.consume_back("_kernel_time");
  event.name = profile.keep(name);
  event.opType = keep(OpName);
  event.provider = keep(Provider);
  if (has(InputShapes))
    event.inputs = profile.keep(fields[InputShapes].text);
  ++nodes;
  return true;
}

void TraceReader::addEvent() {
  if (fields[Phase].text == "B")
    ++opened;
  if (fields[Phase].text != "X")
    return;
  ++spans;
  Event event;
  std::string name = fields[Name].decoded();
  std::optional<Category> category = this->category(name);
  if (!category)
    return;
  event.category = *category;
  auto start = microsecondsToNanoseconds(fields[Start].text);
  auto duration = microsecondsToNanoseconds(fields[Duration].text);
  if (!start || !duration || !isSpan(*start, *duration)) {
    ++withoutTime;
    return;
  }
  event.start = *start;
  event.duration = *duration;
  event.name = profile.keep(name);
  event.correlation = fields[Correlation].integer();
  event.bytes = fields[Bytes].integer();
  if (event.category == Category::Node) {
    if (!describeNode(event))
      return;
  } else if (isDeviceWork(event.category)) {
    describeDeviceWork(event);
  } else if (has(InputDims)) {
    std::string inputs = fields[InputDims].text.str();
    inputs += '\n';
    inputs += fields[InputTypes].text;
    event.inputs = profile.keep(inputs);
  }
  if (!isDeviceWork(event.category))
    event.thread =
        profile.keep(fields[Pid].decoded() + "/" + fields[Tid].decoded());
  profile.events.push_back(event);
}

Error TraceReader::read() {
  bool complete = reader.array([&] { return readEvent(); });
  if (!complete)
    return createStringError(reader.message());
  if (reader.wasCutOff())
    profile.warnings.push_back(
        "the file ends in the middle of its events: what it holds is read");
  if (withoutTime)
    profile.warnings.push_back(std::to_string(withoutTime) +
                               " events without a usable start and duration "
                               "are left out");
  bool isSession = any_of(profile.events, [](const Event &event) {
    return event.category == Category::Session;
  });
  profile.format = nodes || isSession ? Format::OnnxRuntime : Format::Chrome;
  if (profile.events.empty())
    return createStringError(
        "none of its " + std::to_string(spans) +
        " spans is of a category that is known (kernel, gpu_memcpy, cpu_op, "
        "cuda_runtime, Node …)" +
        (opened ? "; spans written as begin and end (ph B, E) aren't read"
                : ""));
  return Error::success();
}

Error readTraceEvents(JSONReader &reader, Profile &profile) {
  return TraceReader(reader, profile).read();
}

} // namespace roofline::profile
