//===- ProfileFuzzer.cpp - any bytes as a profile -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the bytes, reading gives a profile or an error, and what was read
// can be summed up, joined and written.
//
//===----------------------------------------------------------------------===//

#include "roofline/Profile/Join.h"
#include "roofline/Profile/Read.h"
#include "roofline/Profile/Summary.h"
#include "roofline/Report/Writers.h"
#include "llvm/Support/raw_ostream.h"

using namespace roofline::profile;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  // SQLite has fuzzers of its own, and zlib, which would spend the time here.
  if (bytes.starts_with("SQLite") || bytes.starts_with("\x1f\x8b"))
    return 0;
  llvm::Expected<Profile> profile = read(llvm::MemoryBufferRef(bytes, "fuzz"));
  if (!profile) {
    llvm::consumeError(profile.takeError());
    return 0;
  }
  ModelNode node;
  node.name = "mm";
  node.opType = "MatMul";
  node.outputs = {"y"};
  join({node}, profile->format, measurements(*profile));
  llvm::raw_null_ostream nowhere;
  roofline::writeProfileJSON(*profile, nowhere);
  roofline::writeProfileText(*profile, {}, nowhere);
  return 0;
}
