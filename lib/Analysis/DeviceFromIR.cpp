//===- DeviceFromIR.cpp - a device given as a DLTI attribute --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Analysis/DeviceFromIR.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "roofline/Interfaces/CostContext.h"
#include <cmath>

using namespace mlir;

namespace roofline {

namespace {
/// Reads one device's entries; the first problem ends it.
class SpecReader {
public:
  explicit SpecReader(Device &device) : device(device) {}

  llvm::Error read(DLTIQueryInterface spec, MLIRContext *context) {
    if (Attribute peaks = entry(spec, "peak_flops", context))
      if (llvm::Error error = readPeaks(peaks))
        return error;
    if (Attribute levels = entry(spec, "memory", context))
      if (llvm::Error error = readLevels(levels))
        return error;
    if (Attribute launch = entry(spec, "launch_seconds", context)) {
      llvm::Expected<double> seconds = number(launch, "launch_seconds");
      if (!seconds)
        return seconds.takeError();
      device.launchSeconds = *seconds;
    }
    return llvm::Error::success();
  }

private:
  static llvm::Error fail(const Twine &message) {
    return llvm::createStringError("dlti.target_system_spec: " + message);
  }

  static Attribute entry(DLTIQueryInterface spec, StringRef key,
                         MLIRContext *context) {
    FailureOr<Attribute> found = spec.query(StringAttr::get(context, key));
    return succeeded(found) ? *found : Attribute();
  }

  static llvm::Expected<double> number(Attribute attr, const Twine &what) {
    double value;
    if (auto real = dyn_cast<FloatAttr>(attr))
      value = real.getValueAsDouble();
    else if (auto integer = dyn_cast<IntegerAttr>(attr))
      value = integer.getValue().roundToDouble(
          /*isSigned=*/!integer.getType().isUnsignedInteger());
    else
      return fail("\"" + what + "\" is no number");
    if (!(value >= 0) || !std::isfinite(value))
      return fail("\"" + what + "\" is below 0 or no finite number");
    return value;
  }

  static llvm::Expected<DataLayoutEntryListRef> entries(Attribute attr,
                                                        const Twine &what) {
    auto map = dyn_cast<MapAttr>(attr);
    if (!map)
      return fail("\"" + what + "\" is no #dlti.map");
    return map.getEntries();
  }

  static llvm::Expected<double> positive(Attribute attr, const Twine &what) {
    llvm::Expected<double> value = number(attr, what);
    if (value && *value == 0)
      return fail("\"" + what + "\" is 0");
    return value;
  }

  llvm::Error addPeak(ComputeClass cls, Type type, Attribute value) {
    ElementType element = elementType(type);
    if (element == ElementType::Unknown)
      return fail("\"peak_flops\" has a type that nothing is computed in");
    llvm::Expected<double> rate = positive(value, name(element));
    if (!rate)
      return rate.takeError();
    device.compute.push_back(
        {cls, element, *rate, Origin::Datasheet, "dlti.target_system_spec"});
    return llvm::Error::success();
  }

  /// A device that states no vector peaks has one kind of pipe for both.
  void shareWithVector() {
    auto isVector = [](const ComputeCeiling &ceiling) {
      return ceiling.cls == ComputeClass::Vector;
    };
    if (llvm::any_of(device.compute, isVector))
      return;
    for (size_t i = 0, e = device.compute.size(); i < e; ++i)
      if (device.compute[i].cls == ComputeClass::Matmul) {
        ComputeCeiling shared = device.compute[i];
        shared.cls = ComputeClass::Vector;
        device.compute.push_back(std::move(shared));
      }
  }

  llvm::Error readPeaks(Attribute peaks) {
    auto list = entries(peaks, "peak_flops");
    if (!list)
      return list.takeError();
    for (DataLayoutEntryInterface item : *list) {
      if (auto type = dyn_cast<Type>(item.getKey())) {
        if (llvm::Error error =
                addPeak(ComputeClass::Matmul, type, item.getValue()))
          return error;
        continue;
      }
      StringRef key = cast<StringAttr>(item.getKey()).getValue();
      std::optional<ComputeClass> cls = parseComputeClass(key);
      if (!cls)
        return fail("\"" + key +
                    "\" is no compute class: matmul, vector or "
                    "special");
      auto types = entries(item.getValue(), key);
      if (!types)
        return types.takeError();
      for (DataLayoutEntryInterface inner : *types) {
        auto type = dyn_cast<Type>(inner.getKey());
        if (!type)
          return fail("\"" + key + "\" has a key that is no element type");
        if (llvm::Error error = addPeak(*cls, type, inner.getValue()))
          return error;
      }
    }
    shareWithVector();
    return llvm::Error::success();
  }

  llvm::Error readLevels(Attribute levels) {
    auto list = entries(levels, "memory");
    if (!list)
      return list.takeError();
    for (DataLayoutEntryInterface item : *list) {
      auto key = dyn_cast<StringAttr>(item.getKey());
      if (!key)
        return fail("\"memory\" has a key that is no level's name");
      auto fields = entries(item.getValue(), key.getValue());
      if (!fields)
        return fields.takeError();
      MemoryLevel level;
      level.level = key.str();
      level.origin = Origin::Datasheet;
      level.source = "dlti.target_system_spec";
      for (DataLayoutEntryInterface field : *fields) {
        auto fieldName = dyn_cast<StringAttr>(field.getKey());
        if (!fieldName)
          return fail("\"" + key.getValue() + "\" has a key that is no field");
        if (fieldName != "bandwidth" && fieldName != "capacity")
          return fail("level \"" + key.getValue() +
                      "\" has the unknown field \"" + fieldName.getValue() +
                      "\"; known are bandwidth, capacity");
        llvm::Expected<double> value =
            positive(field.getValue(), fieldName.getValue());
        if (!value)
          return value.takeError();
        if (fieldName == "bandwidth") {
          level.bytesPerSecond = *value;
        } else if (*value >= 0x1p63) {
          return fail("\"capacity\" is above 2^63");
        } else {
          level.capacityBytes = static_cast<int64_t>(*value);
          level.capacitySource = level.source;
        }
      }
      if (level.bytesPerSecond == 0)
        return fail("level \"" + key.getValue() + "\" has no bandwidth");
      if (level.level == "dram") // outermost first
        device.memory.insert(device.memory.begin(), level);
      else
        device.memory.push_back(level);
    }
    return llvm::Error::success();
  }

  Device &device;
};
} // namespace

llvm::Expected<std::optional<Device>> deviceFromIR(Operation *module) {
  auto system = module->getAttrOfType<TargetSystemSpecInterface>(
      DLTIDialect::kTargetSystemDescAttrName);
  if (!system)
    return std::nullopt;
  for (DataLayoutEntryInterface item : system.getEntries()) {
    auto key = dyn_cast<StringAttr>(item.getKey());
    auto spec = dyn_cast<DLTIQueryInterface>(item.getValue());
    if (!key || !spec)
      continue;
    Device device;
    device.name = device.title = key.str();
    device.kind = "other";
    device.vendor = "dlti";
    device.launchSource = "dlti.target_system_spec";
    if (llvm::Error error = SpecReader(device).read(spec, module->getContext()))
      return error;
    if (!device.compute.empty() && device.dram())
      return device;
  }
  return std::nullopt;
}

llvm::Expected<Device> chooseDevice(StringRef nameOrFile, Operation *module) {
  if (!nameOrFile.empty())
    return findDevice(nameOrFile);
  llvm::Expected<std::optional<Device>> own = deviceFromIR(module);
  if (!own)
    return own.takeError();
  if (*own)
    return **own;
  return findDevice("h100-sxm");
}

} // namespace roofline
