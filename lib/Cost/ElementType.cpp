//===- ElementType.cpp - element types, compute classes, roles ------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Work.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace roofline;

namespace {
struct TypeInfo {
  StringLiteral name;
  unsigned bits;
  ElementKind kind;
  ElementType wider;
};
} // namespace

static constexpr TypeInfo types[] = {
#define ROOFLINE_ELEMENT_TYPE(ENUM, NAME, BITS, KIND, WIDER)                   \
  {NAME, BITS, ElementKind::KIND, ElementType::WIDER},
#include "roofline/Cost/ElementTypes.def"
};

static const TypeInfo &info(ElementType type) {
  return types[static_cast<unsigned>(type)];
}

StringRef roofline::name(ElementType type) { return info(type).name; }

std::optional<ElementType> roofline::parseElementType(StringRef name) {
  return StringSwitch<std::optional<ElementType>>(name)
#define ROOFLINE_ELEMENT_TYPE(ENUM, NAME, BITS, KIND, WIDER)                   \
  .Case(NAME, ElementType::ENUM)
#include "roofline/Cost/ElementTypes.def"
      .Default(std::nullopt);
}

std::optional<unsigned> roofline::bitWidth(ElementType type) {
  if (unsigned bits = info(type).bits)
    return bits;
  return std::nullopt;
}

ElementKind roofline::kind(ElementType type) { return info(type).kind; }

ElementType roofline::wider(ElementType type) { return info(type).wider; }

/// Which kind wins where two meet.
static unsigned precedence(ElementKind kind) {
  switch (kind) {
  case ElementKind::Bool:
    return 0;
  case ElementKind::Integer:
    return 1;
  case ElementKind::Float:
    return 2;
  case ElementKind::Complex:
    return 3;
  case ElementKind::Other:
    return 4;
  }
  llvm_unreachable("unknown kind");
}

ElementType roofline::promote(ElementType a, ElementType b) {
  if (a == b)
    return a;
  if (precedence(kind(a)) < precedence(kind(b)))
    std::swap(a, b);
  if (kind(a) == ElementKind::Other)
    return ElementType::Unknown;
  if (kind(a) != kind(b))
    return a == ElementType::C64 && b == ElementType::F64 ? ElementType::C128
                                                          : a;
  if (info(a).bits != info(b).bits)
    return info(a).bits > info(b).bits ? a : b;
  // Neither 16-bit format holds the other. Two formats of 8 bits or fewer, and
  // signed and unsigned, do multiply in one unit: the earlier one names it.
  if (kind(a) == ElementKind::Float && info(a).bits == 16)
    return ElementType::F32;
  return std::min(a, b);
}

StringRef roofline::name(ComputeClass cls) {
  switch (cls) {
  case ComputeClass::Matmul:
    return "matmul";
  case ComputeClass::Vector:
    return "vector";
  case ComputeClass::Special:
    return "special";
  }
  llvm_unreachable("unknown compute class");
}

std::optional<ComputeClass> roofline::parseComputeClass(StringRef name) {
  return StringSwitch<std::optional<ComputeClass>>(name)
      .Case("matmul", ComputeClass::Matmul)
      .Case("vector", ComputeClass::Vector)
      .Case("special", ComputeClass::Special)
      .Default(std::nullopt);
}

StringRef roofline::name(Role role) {
  switch (role) {
  case Role::Weight:
    return "weight";
  case Role::Activation:
    return "activation";
  case Role::KVCache:
    return "kv_cache";
  }
  llvm_unreachable("unknown role");
}

std::optional<Role> roofline::parseRole(StringRef name) {
  return StringSwitch<std::optional<Role>>(name)
      .Case("weight", Role::Weight)
      .Case("activation", Role::Activation)
      .Case("kv_cache", Role::KVCache)
      .Default(std::nullopt);
}
