//===- Profile.cpp - what a profiler recorded -----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Profile/Profile.h"
#include "JSONReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;

namespace roofline::profile {

StringRef name(Format format) {
  switch (format) {
  case Format::OnnxRuntime:
    return "onnxruntime";
  case Format::Chrome:
    return "chrome";
  case Format::Ncu:
    return "ncu";
  case Format::Nsys:
    return "nsys";
  case Format::Roofline:
    return "roofline";
  }
  return "";
}

StringRef name(Category category) {
  switch (category) {
  case Category::Kernel:
    return "kernel";
  case Category::Memcpy:
    return "memcpy";
  case Category::Memset:
    return "memset";
  case Category::CpuOp:
    return "cpu_op";
  case Category::Call:
    return "call";
  case Category::Sync:
    return "sync";
  case Category::Node:
    return "node";
  case Category::Session:
    return "session";
  case Category::Step:
    return "step";
  }
  return "";
}

Profile::Profile()
    : memory(std::make_unique<BumpPtrAllocator>()),
      texts(std::make_unique<UniqueStringSaver>(*memory)) {}

const Launch::Metric *Launch::find(unsigned metric) const {
  auto found =
      find_if(values, [&](const Metric &value) { return value.id == metric; });
  return found == values.end() ? nullptr : &*found;
}

bool isSpan(int64_t start, int64_t duration) {
  constexpr int64_t farthest = 4000000000000000000; // a century after 1970
  constexpr int64_t longest = 10000000000000000;    // of four months
  return start >= -farthest && start <= farthest && duration >= 0 &&
         duration <= longest;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// How a report spells a type, of those that the tools' names mean.
static StringRef elementType(StringRef tool) {
  tool.consume_front("tensor(");
  tool.consume_back(")");
  tool.consume_front("c10::");
  return StringSwitch<StringRef>(tool)
      .Case("float", "f32")
      .Cases({"Half", "float16"}, "f16")
      .Cases({"BFloat16", "bfloat16"}, "bf16")
      .Cases({"double", "float64"}, "f64")
      .Cases({"long int", "long", "int64"}, "i64")
      .Cases({"int", "int32"}, "i32")
      .Cases({"short", "int16"}, "i16")
      .Cases({"signed char", "int8"}, "i8")
      .Cases({"unsigned char", "uint8"}, "ui8")
      .Case("bool", "i1")
      .Default(tool);
}

/// The numbers of "[4,64,128]", in order; anything else in it is passed over.
static std::vector<int64_t> numbers(StringRef text) {
  std::vector<int64_t> result;
  JSONReader reader(text);
  if (reader.peek() == '[')
    reader.array([&] {
      JSONToken token;
      if (!reader.value(token))
        return false;
      if (std::optional<int64_t> size = token.integer())
        result.push_back(*size);
      return true;
    });
  return result;
}

/// onnxruntime: [{"float":[4,64,128]},{"int64":[4]}].
static std::vector<TensorShape> typedShapes(JSONReader &reader) {
  std::vector<TensorShape> shapes;
  reader.array([&] {
    if (reader.peek() != '{')
      return reader.skip();
    return reader.object([&](StringRef type) {
      JSONToken sizes;
      if (!reader.value(sizes))
        return false;
      shapes.push_back({elementType(type).str(), numbers(sizes.text)});
      return true;
    });
  });
  return shapes;
}

std::vector<TensorShape> parseShapes(StringRef inputs) {
  JSONReader reader(inputs);
  if (reader.peek() != '[')
    return {};
  if (inputs.drop_front().ltrim().starts_with("{"))
    return typedShapes(reader);
  // PyTorch: a list of shapes and, on the next line, one of types. What has no
  // sizes is a scalar or no tensor at all.
  std::vector<std::vector<int64_t>> sizes;
  reader.array([&] {
    JSONToken token;
    if (!reader.value(token))
      return false;
    sizes.push_back(numbers(token.text));
    return true;
  });
  std::vector<std::string> types;
  if (reader.peek() == '[')
    reader.array([&] {
      JSONToken token;
      if (!reader.value(token))
        return false;
      types.push_back(elementType(token.text).str());
      return true;
    });
  std::vector<TensorShape> shapes;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!sizes[i].empty())
      shapes.push_back({i < types.size() ? types[i] : "", sizes[i]});
  return shapes;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

StringRef copyDirection(StringRef name) {
  constexpr std::pair<StringLiteral, StringLiteral> spellings[] = {
      {"HtoD", "HtoD"},           {"DtoH", "DtoH"},
      {"DtoD", "DtoD"},           {"HtoH", "HtoH"},
      {"PtoP", "PtoP"},           {"HostToDevice", "HtoD"},
      {"DeviceToHost", "DtoH"},   {"DeviceToDevice", "DtoD"},
      {"HostToHost", "HtoH"},     {"Host-to-Device", "HtoD"},
      {"Device-to-Host", "DtoH"}, {"Device-to-Device", "DtoD"},
      {"Host-to-Host", "HtoH"},   {"Peer-to-Peer", "PtoP"}};
  for (const auto &[spelling, direction] : spellings)
    if (name.contains(spelling))
      return direction;
  return "";
}

StringRef syncCall(StringRef name) {
  StringRef rest = name;
  if (!rest.consume_front("cuda") && !rest.consume_front("hip") &&
      !rest.consume_front("cu"))
    return "";
  if (!rest.consume_front("Device") && !rest.consume_front("Stream") &&
      !rest.consume_front("Event") && !rest.consume_front("Ctx"))
    return "";
  if (!rest.consume_front("Synchronize"))
    return "";
  if (!rest.empty() && rest.front() != '_')
    return "";
  return name.drop_back(rest.size());
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

double median(std::vector<double> &values) {
  if (values.empty())
    return 0;
  llvm::sort(values);
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half]
                           : (values[half - 1] + values[half]) / 2;
}

double percentile(std::vector<double> &values, double share) {
  if (values.empty())
    return 0;
  llvm::sort(values);
  auto rank = size_t(std::ceil(share * values.size()));
  return values[std::clamp<size_t>(rank, 1, values.size()) - 1];
}

} // namespace roofline::profile
