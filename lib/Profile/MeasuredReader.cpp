//===- MeasuredReader.cpp - what rl-run measured --------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// schema/roofline-measured-1.schema.json describes the form. Fields that aren't
// known are passed over, as the form may grow; those that are must be right.
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;

namespace roofline::profile {

namespace {

class MeasuredReader {
public:
  explicit MeasuredReader(Profile &profile) : profile(profile) {}
  Error read(StringRef text);

private:
  bool error(const Twine &path, const Twine &cause) {
    message = (path + ": " + cause).str();
    return false;
  }
  bool readRoot(const json::Object &root);
  bool readOp(const json::Object &op, const std::string &path);
  bool readGroup(const json::Object &group, const std::string &path);
  bool readSeconds(const json::Object &parent, const std::string &path,
                   Seconds &seconds);
  bool readNumber(const json::Object &object, StringRef field,
                  const std::string &path, std::optional<double> &result);
  bool readText(const json::Object &object, StringRef field,
                const std::string &path, std::string &result);
  bool readIndex(const json::Value &value, const std::string &path,
                 unsigned &index);
  bool readLibrary(const json::Object &op, const std::string &path,
                   std::optional<Measurement::Library> &library);
  bool readTensors(const json::Array &inputs, const std::string &path,
                   std::vector<TensorShape> &tensors);
  /// Calls `item` for each object of an array that may be missing.
  bool eachObject(
      const json::Object &root, StringRef field,
      function_ref<bool(const json::Object &, const std::string &)> item);

  Profile &profile;
  std::string message;
};

} // namespace

/// A number from 0 on; null and a missing field leave `result` empty.
bool MeasuredReader::readNumber(const json::Object &object, StringRef field,
                                const std::string &path,
                                std::optional<double> &result) {
  const json::Value *value = object.get(field);
  if (!value || value->getAsNull())
    return true;
  result = value->getAsNumber();
  if (!result || !(*result >= 0) || !std::isfinite(*result))
    return error(path + "." + field, "expected a number from 0 on");
  return true;
}

bool MeasuredReader::readText(const json::Object &object, StringRef field,
                              const std::string &path, std::string &result) {
  const json::Value *value = object.get(field);
  if (!value)
    return true;
  std::optional<StringRef> text = value->getAsString();
  if (!text)
    return error(path + "." + field, "expected a text");
  result = text->str();
  return true;
}

bool MeasuredReader::readIndex(const json::Value &value,
                               const std::string &path, unsigned &index) {
  std::optional<int64_t> number = value.getAsInteger();
  if (!number || *number < 0 || *number > UINT32_MAX)
    return error(path, "expected a row's index");
  index = *number;
  return true;
}

bool MeasuredReader::readSeconds(const json::Object &parent,
                                 const std::string &path, Seconds &seconds) {
  const json::Object *object = parent.getObject("seconds");
  if (!object)
    return error(path + ".seconds", "expected an object with a median");
  std::optional<double> median;
  std::string inner = path + ".seconds";
  if (!readNumber(*object, "median", inner, median) ||
      !readNumber(*object, "min", inner, seconds.min) ||
      !readNumber(*object, "max", inner, seconds.max) ||
      !readNumber(*object, "p95", inner, seconds.p95) ||
      !readNumber(*object, "p99", inner, seconds.p99))
    return false;
  if (!median)
    return error(inner + ".median", "missing");
  seconds.median = *median;
  return true;
}

bool MeasuredReader::readTensors(const json::Array &inputs,
                                 const std::string &path,
                                 std::vector<TensorShape> &tensors) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string inner = formatv("{0}.inputs[{1}]", path, i);
    const json::Object *input = inputs[i].getAsObject();
    const json::Array *shape = input ? input->getArray("shape") : nullptr;
    TensorShape &tensor = tensors.emplace_back();
    if (!shape || !readText(*input, "type", inner, tensor.type))
      return error(inner, "expected an object with a shape and a type");
    for (const json::Value &size : *shape) {
      std::optional<int64_t> number = size.getAsInteger();
      if (!number || *number < 0)
        return error(inner + ".shape", "expected sizes from 0 on");
      tensor.shape.push_back(*number);
    }
  }
  return true;
}

bool MeasuredReader::readLibrary(const json::Object &op,
                                 const std::string &path,
                                 std::optional<Measurement::Library> &library) {
  const json::Value *value = op.get("library");
  if (!value || value->getAsNull())
    return true;
  const json::Object *object = value->getAsObject();
  if (!object)
    return error(path + ".library", "expected an object");
  library.emplace();
  return readText(*object, "name", path + ".library", library->name) &&
         readSeconds(*object, path + ".library", library->seconds);
}

bool MeasuredReader::readOp(const json::Object &op, const std::string &path) {
  Measurement &measured = profile.measurements.emplace_back();
  if (!readText(op, "name", path, measured.name) ||
      !readText(op, "op_type", path, measured.opType) ||
      !readSeconds(op, path, measured.seconds) ||
      !readNumber(op, "cpu_seconds", path, measured.cpuSeconds))
    return false;
  if (!readLibrary(op, path, measured.library))
    return false;
  if (const json::Value *index = op.get("index"); index && !index->getAsNull())
    if (!readIndex(*index, path + ".index", measured.rows.emplace_back()))
      return false;
  if (const json::Array *outputs = op.getArray("outputs"))
    for (const json::Value &output : *outputs)
      if (std::optional<StringRef> name = output.getAsString())
        measured.outputs.push_back(name->str());
  if (const json::Array *inputs = op.getArray("inputs"))
    if (!readTensors(*inputs, path, measured.inputs))
      return false;
  std::optional<double> iterations;
  if (!readNumber(op, "iterations", path, iterations))
    return false;
  measured.count = iterations ? uint64_t(std::min(*iterations, 1e18)) : 1;
  measured.total = measured.seconds.median;
  return true;
}

/// Rows that one kernel did: their time can't be told apart.
bool MeasuredReader::readGroup(const json::Object &group,
                               const std::string &path) {
  Measurement &measured = profile.measurements.emplace_back();
  const json::Array *ops = group.getArray("ops");
  if (!ops || ops->empty())
    return error(path + ".ops", "expected the indices of its rows");
  for (const json::Value &index : *ops)
    if (!readIndex(index, path + ".ops", measured.rows.emplace_back()))
      return false;
  std::optional<double> iterations;
  if (!readText(group, "name", path, measured.name) ||
      !readSeconds(group, path, measured.seconds) ||
      !readNumber(group, "cpu_seconds", path, measured.cpuSeconds) ||
      !readNumber(group, "iterations", path, iterations))
    return false;
  measured.count = iterations ? uint64_t(std::min(*iterations, 1e18)) : 1;
  measured.total = measured.seconds.median;
  return true;
}

bool MeasuredReader::eachObject(
    const json::Object &root, StringRef field,
    function_ref<bool(const json::Object &, const std::string &)> item) {
  const json::Value *value = root.get(field);
  if (!value)
    return true;
  const json::Array *array = value->getAsArray();
  if (!array)
    return error(field, "expected an array");
  for (size_t i = 0; i < array->size(); ++i) {
    std::string path = formatv("{0}[{1}]", field, i);
    const json::Object *object = (*array)[i].getAsObject();
    if (!object)
      return error(path, "expected an object");
    if (!item(*object, path))
      return false;
  }
  return true;
}

/// A fact of the environment for people: a load of 1.4, not of
/// 1.3999999999999999.
static std::string factText(const json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return text->str();
  std::optional<double> number = value.getAsNumber();
  if (!number || value.getAsInteger())
    return formatv("{0}", value).str();
  std::string text;
  raw_string_ostream(text) << format("%.6g", *number);
  return text;
}

bool MeasuredReader::readRoot(const json::Object &root) {
  if (std::optional<StringRef> schema = root.getString("schema");
      !schema || *schema != "roofline-measured/1")
    return error("schema", "this version reads roofline-measured/1");
  if (!readText(root, "model", "", profile.model))
    return false;
  if (const json::Object *environment = root.getObject("environment"))
    for (const auto &[key, value] : *environment)
      profile.environment.emplace_back(key.str(), factText(value));
  llvm::sort(profile.environment);
  if (const json::Object *whole = root.getObject("whole")) {
    profile.whole.emplace();
    if (!readSeconds(*whole, "whole", *profile.whole))
      return false;
  }
  return eachObject(root, "ops",
                    [&](const json::Object &op, const std::string &path) {
                      return readOp(op, path);
                    }) &&
         eachObject(root, "groups",
                    [&](const json::Object &group, const std::string &path) {
                      return readGroup(group, path);
                    });
}

Error MeasuredReader::read(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return createStringError("not JSON: " + toString(value.takeError()));
  const json::Object *root = value->getAsObject();
  if (!root)
    return createStringError("expected one JSON object");
  profile.format = Format::Roofline;
  if (!readRoot(*root))
    return createStringError(message);
  return Error::success();
}

Error readMeasured(StringRef text, Profile &profile) {
  return MeasuredReader(profile).read(text);
}

} // namespace roofline::profile
