//===- SchemaTable.cpp - ONNX's op schemas, built when asked for ----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemaTable.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <mutex>
#include <optional>

using namespace llvm;

// The schemas' tag classes, as operator_sets*.h declares them.
namespace onnx {
#define ROOFLINE_ONNX_SCHEMA(DOMAIN, NAME, VERSION)                            \
  class ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(DOMAIN, VERSION, NAME);
#include "SchemaTable.inc"
#undef ROOFLINE_ONNX_SCHEMA
} // namespace onnx

namespace roofline::onnx_import {
namespace {

enum Domain : uint8_t { Onnx, OnnxML, OnnxPreview };

struct Entry {
  const char *name;
  onnx::OpSchema (*build)();
  short version;
  Domain domain;
};

// Sorted by domain, then name (generated that way). Constant-initialised: it
// costs nothing at start-up.
constexpr Entry entries[] = {
#define ROOFLINE_ONNX_SCHEMA(DOMAIN, NAME, VERSION)                            \
  {#NAME,                                                                      \
   &onnx::GetOpSchema<onnx::ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(               \
       DOMAIN, VERSION, NAME)>,                                                \
   VERSION, DOMAIN},
#include "SchemaTable.inc"
#undef ROOFLINE_ONNX_SCHEMA
};

std::optional<Domain> parseDomain(StringRef domain) {
  if (domain.empty() || domain == "ai.onnx")
    return Onnx;
  if (domain == "ai.onnx.ml")
    return OnnxML;
  if (domain == "ai.onnx.preview" || domain == "ai.onnx.preview.training")
    return OnnxPreview;
  return std::nullopt;
}

std::unique_ptr<onnx::OpSchema> build(const Entry &entry) {
  try {
    auto schema = std::make_unique<onnx::OpSchema>(entry.build());
    schema->Finalize();
    return schema;
  } catch (const std::exception &) {
    return nullptr; // a schema ONNX itself finds invalid: as if there were none
  }
}

/// The schema of an entry, built by the first who asks.
const onnx::OpSchema *schemaOf(const Entry &entry) {
  static std::mutex mutex;
  static std::unique_ptr<onnx::OpSchema> cache[std::size(entries)];
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<onnx::OpSchema> &slot = cache[&entry - entries];
  if (!slot)
    slot = build(entry);
  return slot.get();
}

} // namespace

const onnx::OpSchema *findSchema(StringRef domain, StringRef opType,
                                 int opsetVersion) {
  std::optional<Domain> key = parseDomain(domain);
  if (!key)
    return nullptr;
  auto less = [&](const Entry &entry, StringRef name) {
    return entry.domain != *key ? entry.domain < *key
                                : StringRef(entry.name) < name;
  };
  const Entry *first =
      std::lower_bound(std::begin(entries), std::end(entries), opType, less);
  SmallVector<const Entry *, 8> versions;
  for (const Entry *e = first;
       e != std::end(entries) && e->domain == *key && e->name == opType; ++e)
    if (e->version <= opsetVersion)
      versions.push_back(e);
  llvm::sort(versions, [](const Entry *a, const Entry *b) {
    return a->version > b->version;
  });
  // A version that only says "deprecated" has no inference; models that use the
  // op all the same mean the one before.
  for (const Entry *entry : versions)
    if (const onnx::OpSchema *schema = schemaOf(*entry))
      if (!schema->Deprecated())
        return schema;
  return nullptr;
}

} // namespace roofline::onnx_import
