//===- DeviceParser.cpp - device files ------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/devices.md describes the form. Reading is strict: a field that isn't
// known, a unit of the wrong kind or a figure without a source is an error,
// since a wrong ceiling would silently make every prediction wrong.
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Device.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;
using namespace roofline;

namespace {

struct Unit {
  StringLiteral name;
  double factor;
};

constexpr Unit floatRates[] = {
    {"PFLOP/s", 1e15}, {"TFLOP/s", 1e12}, {"GFLOP/s", 1e9}, {"MFLOP/s", 1e6}};
constexpr Unit integerRates[] = {
    {"POP/s", 1e15}, {"TOP/s", 1e12}, {"GOP/s", 1e9}, {"MOP/s", 1e6}};
constexpr Unit bandwidths[] = {{"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}};
constexpr Unit capacities[] = {{"TiB", 1099511627776.0},
                               {"GiB", 1073741824.0},
                               {"MiB", 1048576.0},
                               {"KiB", 1024.0},
                               {"TB", 1e12},
                               {"GB", 1e9},
                               {"MB", 1e6},
                               {"kB", 1e3}};
constexpr Unit durations[] = {
    {"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};

/// One figure of a device file, in base units.
struct Figure {
  double value = 0;
  Origin origin = Origin::Estimate;
  std::string source;
};

class Parser {
public:
  explicit Parser(StringRef file) : file(file) {}

  Expected<Device> parse(StringRef text) {
    Expected<json::Value> value = json::parse(text);
    if (!value)
      return createStringError(file +
                               ": not JSON: " + toString(value.takeError()));
    const json::Object *root = value->getAsObject();
    if (!root)
      return createStringError(file + ": a device file holds one JSON object");
    Device device;
    if (!parseDevice(*root, device))
      return createStringError(message);
    return device;
  }

private:
  /// Records an error; `path` names the field, as in "compute[3].unit".
  bool error(const Twine &path, const Twine &cause) {
    message = (file + ": " + path + ": " + cause).str();
    return false;
  }

  static std::string join(StringRef path, StringRef field) {
    return path.empty() ? field.str() : (path + "." + field).str();
  }

  bool checkFields(const json::Object &object, StringRef path,
                   ArrayRef<StringRef> known) {
    for (const auto &entry : object) {
      StringRef field = entry.first;
      if (is_contained(known, field))
        continue;
      std::vector<std::string> near = nearMatches(field, known);
      return error(join(path, field),
                   "unknown field" +
                       (near.empty()
                            ? "; known are " + llvm::join(known, ", ")
                            : "; did you mean '" + near.front() + "'?"));
    }
    return true;
  }

  bool parseText(const json::Object &object, StringRef path, StringRef field,
                 std::string &result) {
    const json::Value *value = object.get(field);
    if (!value)
      return error(join(path, field), "missing");
    std::optional<StringRef> text = value->getAsString();
    if (!text || text->trim().empty())
      return error(join(path, field), "expected a text that isn't empty");
    result = text->str();
    return true;
  }

  bool parseQuantity(const json::Object &object, StringRef path,
                     ArrayRef<Unit> units, double &result) {
    const json::Value *value = object.get("value");
    if (!value)
      return error(join(path, "value"), "missing");
    std::optional<double> number = value->getAsNumber();
    if (!number || !std::isfinite(*number))
      return error(join(path, "value"), "expected a number");
    if (*number <= 0)
      return error(join(path, "value"), "must be above 0");
    std::string unit;
    if (!parseText(object, path, "unit", unit))
      return false;
    const Unit *known = find_if(
        units, [&](const Unit &candidate) { return candidate.name == unit; });
    if (known == units.end()) {
      auto names = map_range(units, [](const Unit &u) { return u.name.str(); });
      return error(join(path, "unit"), "wrong unit '" + unit + "'; expected " +
                                           llvm::join(names, ", "));
    }
    result = *number * known->factor;
    return true;
  }

  /// Reads value, unit, origin and source of `object`.
  bool parseFigure(const json::Object &object, StringRef path,
                   ArrayRef<Unit> units, Figure &figure) {
    std::string origin;
    if (!parseQuantity(object, path, units, figure.value) ||
        !parseText(object, path, "origin", origin) ||
        !parseText(object, path, "source", figure.source))
      return false;
    std::optional<Origin> known = parseOrigin(origin);
    if (!known)
      return error(join(path, "origin"),
                   "unknown origin '" + origin +
                       "'; known are datasheet, derived, estimate, measured");
    figure.origin = *known;
    return true;
  }

  bool parseMeasurement(const json::Value &value, const std::string &path,
                        ArrayRef<Unit> units,
                        std::vector<MeasuredFigure> &result) {
    const json::Object *object = value.getAsObject();
    if (!object)
      return error(path, "expected an object");
    MeasuredFigure measured{};
    if (!checkFields(*object, path,
                     {"kind", "threads", "value", "unit", "spread"}) ||
        !parseText(*object, path, "kind", measured.kind) ||
        !parseQuantity(*object, path, units, measured.value))
      return false;
    std::optional<int64_t> threads = object->getInteger("threads");
    if (!threads || *threads < 1 || *threads > (1 << 20))
      return error(join(path, "threads"), "expected an integer from 1 on");
    measured.threads = static_cast<unsigned>(*threads);
    std::optional<double> spread = object->getNumber("spread");
    if (!spread || !std::isfinite(*spread) || *spread < 0)
      return error(join(path, "spread"), "expected a number from 0 on");
    measured.spread = *spread;
    result.push_back(std::move(measured));
    return true;
  }

  /// Reads the optional field "measured": what a figure was chosen from.
  bool parseMeasured(const json::Object &object, StringRef path,
                     ArrayRef<Unit> units,
                     std::vector<MeasuredFigure> &result) {
    const json::Value *value = object.get("measured");
    if (!value)
      return true;
    std::string inner = join(path, "measured");
    const json::Array *array = value->getAsArray();
    if (!array)
      return error(inner, "expected an array");
    for (auto [i, item] : enumerate(*array))
      if (!parseMeasurement(item, (inner + "[" + Twine(i) + "]").str(), units,
                            result))
        return false;
    return true;
  }

  /// Reads the figure that is the object `field` of `object`; with `measured`,
  /// also what it was chosen from.
  bool parseFigureField(const json::Object &object, StringRef path,
                        StringRef field, ArrayRef<Unit> units, Figure &figure,
                        std::vector<MeasuredFigure> *measured = nullptr) {
    std::string inner = join(path, field);
    const json::Value *value = object.get(field);
    if (!value)
      return error(inner, "missing");
    const json::Object *child = value->getAsObject();
    if (!child)
      return error(inner, "expected an object");
    SmallVector<StringRef> known = {"value", "unit", "origin", "source"};
    if (measured)
      known.push_back("measured");
    return checkFields(*child, inner, known) &&
           parseFigure(*child, inner, units, figure) &&
           (!measured || parseMeasured(*child, inner, units, *measured));
  }

  const json::Array *parseArray(const json::Object &object, StringRef field) {
    const json::Value *value = object.get(field);
    const json::Array *array = value ? value->getAsArray() : nullptr;
    if (!value)
      (void)error(field, "missing");
    else if (!array)
      (void)error(field, "expected an array");
    else if (array->empty())
      (void)error(field, "is empty");
    else
      return array;
    return nullptr;
  }

  bool parseCeiling(const json::Value &value, StringRef path, Device &device) {
    const json::Object *object = value.getAsObject();
    if (!object)
      return error(path, "expected an object");
    std::string cls, type;
    if (!checkFields(*object, path,
                     {"class", "type", "value", "unit", "origin", "source",
                      "measured"}) ||
        !parseText(*object, path, "class", cls) ||
        !parseText(*object, path, "type", type))
      return false;
    std::optional<ComputeClass> knownClass = parseComputeClass(cls);
    if (!knownClass)
      return error(join(path, "class"),
                   "unknown class '" + cls +
                       "'; known are matmul, vector, special");
    std::optional<ElementType> knownType = parseElementType(type);
    if (!knownType || kind(*knownType) == ElementKind::Other)
      return error(join(path, "type"), "unknown element type '" + type + "'");
    for (const ComputeCeiling &other : device.compute)
      if (other.cls == *knownClass && other.type == *knownType)
        return error(path, "a second ceiling for " + cls + " " + type);
    bool isFloat = kind(*knownType) == ElementKind::Float ||
                   kind(*knownType) == ElementKind::Complex;
    ArrayRef<Unit> units =
        isFloat ? ArrayRef(floatRates) : ArrayRef(integerRates);
    Figure figure;
    std::vector<MeasuredFigure> measured;
    if (!parseFigure(*object, path, units, figure) ||
        !parseMeasured(*object, path, units, measured))
      return false;
    device.compute.push_back({*knownClass, *knownType, figure.value,
                              figure.origin, std::move(figure.source),
                              std::move(measured)});
    return true;
  }

  bool parseLevel(const json::Value &value, StringRef path, Device &device) {
    const json::Object *object = value.getAsObject();
    if (!object)
      return error(path, "expected an object");
    MemoryLevel level;
    Figure bandwidth, capacity;
    if (!checkFields(*object, path,
                     {"level", "bandwidth", "capacity", "measured"}) ||
        !parseText(*object, path, "level", level.level) ||
        !parseFigureField(*object, path, "bandwidth", bandwidths, bandwidth) ||
        !parseMeasured(*object, path, bandwidths, level.measured))
      return false;
    for (const MemoryLevel &other : device.memory)
      if (other.level == level.level)
        return error(path, "a second level '" + level.level + "'");
    level.bytesPerSecond = bandwidth.value;
    level.origin = bandwidth.origin;
    level.source = std::move(bandwidth.source);
    if (object->get("capacity")) {
      if (!parseFigureField(*object, path, "capacity", capacities, capacity))
        return false;
      if (capacity.value > 0x1p62)
        return error(join(path, "capacity"), "is too large");
      level.capacityBytes = std::llround(capacity.value);
      level.capacityOrigin = capacity.origin;
      level.capacitySource = std::move(capacity.source);
    }
    device.memory.push_back(std::move(level));
    return true;
  }

  bool parseKernels(const json::Value &value, Device &device) {
    const json::Array *list = value.getAsArray();
    if (!list)
      return error("kernels", "expected a list of objects, one for each number "
                              "of threads, as rl-run fit writes it");
    for (auto [i, one] : enumerate(*list)) {
      std::string path = ("kernels[" + Twine(i) + "]").str();
      const json::Object *object = one.getAsObject();
      if (!object)
        return error(path, "expected an object");
      Expected<KernelModel> model = KernelModel::fromJSON(*object);
      if (!model)
        return error(path, toString(model.takeError()));
      if (device.kernelsFor(model->threads))
        return error(path, "kernels of " + Twine(model->threads) +
                               " threads a second time");
      device.addKernels(std::move(*model));
    }
    return true;
  }

  bool parseDevice(const json::Object &root, Device &device) {
    if (!checkFields(root, "",
                     {"name", "vendor", "title", "kind", "compute", "memory",
                      "launch", "environment", "kernels"}) ||
        !parseText(root, "", "name", device.name) ||
        !parseText(root, "", "vendor", device.vendor) ||
        !parseText(root, "", "title", device.title) ||
        !parseText(root, "", "kind", device.kind))
      return false;
    if (!is_contained({"gpu", "cpu", "npu"}, StringRef(device.kind)))
      return error("kind", "unknown kind '" + device.kind +
                               "'; known are gpu, cpu, npu");
    const json::Array *compute = parseArray(root, "compute");
    const json::Array *memory = compute ? parseArray(root, "memory") : nullptr;
    if (!memory)
      return false;
    for (auto [i, value] : enumerate(*compute))
      if (!parseCeiling(value, ("compute[" + Twine(i) + "]").str(), device))
        return false;
    for (auto [i, value] : enumerate(*memory))
      if (!parseLevel(value, ("memory[" + Twine(i) + "]").str(), device))
        return false;
    if (device.memory.front().level != "dram")
      return error("memory[0].level", "the first level must be \"dram\"");
    Figure launch;
    if (!parseFigureField(root, "", "launch", durations, launch,
                          &device.launchMeasured))
      return false;
    if (const json::Value *kernels = root.get("kernels"))
      if (!parseKernels(*kernels, device))
        return false;
    if (const json::Value *environment = root.get("environment")) {
      const json::Object *object = environment->getAsObject();
      if (!object)
        return error("environment", "expected an object");
      device.environment = *object;
    }
    device.launchSeconds = launch.value;
    device.launchOrigin = launch.origin;
    device.launchSource = std::move(launch.source);
    return true;
  }

  StringRef file;
  std::string message;
};

} // namespace

Expected<Device> Device::parse(StringRef text, StringRef file) {
  return Parser(file).parse(text);
}
