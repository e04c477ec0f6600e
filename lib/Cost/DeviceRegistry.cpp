//===- DeviceRegistry.cpp - devices by name -------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BundledDevices.h"
#include "roofline/Cost/Device.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace roofline;

std::vector<StringRef> roofline::bundledDeviceNames() {
  std::vector<StringRef> names;
  for (const BundledDevice &device : bundledDevices())
    names.push_back(device.name);
  return names;
}

std::vector<std::string> roofline::nearMatches(StringRef word,
                                               ArrayRef<StringRef> candidates) {
  constexpr size_t maxMatches = 5;
  std::string lower = word.lower();
  unsigned limit = std::max<size_t>(2, lower.size() / 3);
  std::vector<std::pair<unsigned, StringRef>> parts, misspelt;
  for (StringRef candidate : candidates) {
    std::string other = candidate.lower();
    unsigned distance = StringRef(lower).edit_distance(other, true, limit);
    // "h100" for "h100-sxm" is no misspelling.
    if (lower.size() > 1 && StringRef(other).contains(lower))
      parts.push_back({distance, candidate});
    else if (distance <= limit && distance < other.size())
      misspelt.push_back({distance, candidate});
  }
  auto &ranked = parts.empty() ? misspelt : parts;
  llvm::sort(ranked);
  if (ranked.size() > maxMatches)
    ranked.resize(maxMatches);
  std::vector<std::string> names;
  names.reserve(ranked.size());
  for (const auto &[distance, candidate] : ranked)
    names.push_back(candidate.str());
  return names;
}

static Error unknownDevice(StringRef name) {
  std::vector<StringRef> known = bundledDeviceNames();
  std::vector<std::string> near = nearMatches(name, known);
  std::string hint = near.empty()
                         ? "known devices are " + join(known, ", ")
                         : "did you mean '" + join(near, "', '") + "'?";
  return createStringError("unknown device '" + name + "'; " + hint);
}

std::string roofline::hostDevicePath() {
  SmallString<128> path;
  // Not LLVM's function for it, which asks the system's list of users where
  // there is no $HOME: a static program can't.
  auto config = sys::Process::GetEnv("XDG_CONFIG_HOME");
  auto home = sys::Process::GetEnv("HOME");
  if (config && sys::path::is_absolute(*config))
    path = *config;
  else if (home && !home->empty())
    sys::path::append(path, *home, ".config");
  else
    return "";
  sys::path::append(path, "roofline", "host.json");
  return std::string(path);
}

static Expected<Device> hostDevice() {
  std::string path = hostDevicePath();
  if (path.empty())
    return createStringError("device 'host': neither XDG_CONFIG_HOME nor HOME "
                             "says where its file is; give the file itself");
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return createStringError("device 'host': cannot read '" + path +
                             "': " + buffer.getError().message() +
                             "; 'rl-run calibrate' measures this machine and "
                             "writes it (half a minute)");
  return Device::parse((*buffer)->getBuffer(), path);
}

Expected<Device> roofline::findDevice(StringRef nameOrFile) {
  for (const BundledDevice &device : bundledDevices())
    if (nameOrFile == device.name)
      return Device::parse(device.text,
                           "devices/" + nameOrFile.str() + ".json");
  if (nameOrFile == "host")
    return hostDevice();
  bool isPath = nameOrFile.contains('/') || nameOrFile.ends_with(".json") ||
                (!nameOrFile.empty() && sys::fs::is_regular_file(nameOrFile));
  if (!isPath)
    return unknownDevice(nameOrFile);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(nameOrFile, /*IsText=*/true);
  if (!buffer)
    return createStringError("cannot read the device file '" + nameOrFile +
                             "': " + buffer.getError().message());
  return Device::parse((*buffer)->getBuffer(), nameOrFile);
}
