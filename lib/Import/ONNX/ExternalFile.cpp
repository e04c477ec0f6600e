//===- ExternalFile.cpp - files beside a model ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExternalFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace roofline::onnx_import;

static bool isSeparator(char c) { return c == '/' || c == '\\'; }

bool roofline::onnx_import::leavesFolder(StringRef location) {
  // Paths of any system: the file may come from anywhere.
  if (location.empty() || isSeparator(location.front()) ||
      location.contains('\0'))
    return true;
  if (location.size() > 1 && location[1] == ':' && isAlpha(location[0]))
    return true;
  while (!location.empty()) {
    StringRef part = location.take_until([](char c) { return isSeparator(c); });
    if (part == "..")
      return true;
    location = location.drop_front(part.size())
                   .drop_front(part.size() < location.size());
  }
  return false;
}

/// Pushes a path's parts so that the first is on top.
static void pushParts(StringRef path, SmallVectorImpl<std::string> &pending) {
  SmallVector<StringRef, 8> parts;
  path.split(parts, '/', -1, /*KeepEmpty=*/false);
  for (StringRef part : reverse(parts))
    pending.push_back(part.str());
}

ExternalFile roofline::onnx_import::findExternalFile(StringRef folder,
                                                     StringRef location) {
  const ExternalFile missing{ExternalFile::Missing};
  const ExternalFile refused{ExternalFile::Refused};
  if (leavesFolder(location))
    return refused;
  // Part by part without following links: a link's target is walked by the same
  // rule, so that every path that is looked at lies inside the folder.
  SmallVector<std::string, 8> pending, done;
  pushParts(location, pending);
  unsigned links = 0;
  struct stat info{};
  while (!pending.empty()) {
    std::string part = pending.pop_back_val();
    if (part == ".")
      continue;
    if (part == "..") {
      if (done.empty())
        return refused;
      done.pop_back();
      continue;
    }
    std::string path = folder.empty() ? "." : folder.str();
    for (const std::string &name : done)
      path += "/" + name;
    path += "/" + part;
    if (lstat(path.c_str(), &info) != 0)
      return missing;
    if (!S_ISLNK(info.st_mode)) {
      done.push_back(part);
      continue;
    }
    char target[4096];
    ssize_t length = readlink(path.c_str(), target, sizeof target);
    if (length <= 0 || length == sizeof target || ++links > 40)
      return missing;
    if (target[0] == '/')
      return refused;
    pushParts(StringRef(target, length), pending);
  }
  if (!S_ISREG(info.st_mode))
    return missing;
  return {ExternalFile::Present, static_cast<uint64_t>(info.st_size)};
}
