//===- Work.h - what one op must compute and move ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work of an op is a vector: operations by compute class and element type,
// bytes by tensor and role, kernels launched. docs/counting.md says what each
// number means; the formulas themselves stand with the ops, and those that
// several ops share in Formulas.h.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_COST_WORK_H
#define ROOFLINE_COST_WORK_H

#include "roofline/Cost/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace roofline {

/// Which arithmetic pipe retires an operation.
enum class ComputeClass : uint8_t {
  Matmul, ///< multiply-adds of contractions and convolutions (2 each)
  Vector, ///< add, mul, max, compare, select …
  Special ///< exp, log, tanh, erf, sqrt, rsqrt, div, pow, sin …
};
constexpr unsigned numComputeClasses = 3;
llvm::StringRef name(ComputeClass cls);
std::optional<ComputeClass> parseComputeClass(llvm::StringRef name);

enum class ElementType : uint8_t {
#define ROOFLINE_ELEMENT_TYPE(ENUM, NAME, BITS, KIND, WIDER) ENUM,
#include "roofline/Cost/ElementTypes.def"
};
enum class ElementKind : uint8_t { Float, Integer, Bool, Complex, Other };

llvm::StringRef name(ElementType type);
std::optional<ElementType> parseElementType(llvm::StringRef name);
/// Stored bits of one value; nothing for strings and unknown types.
std::optional<unsigned> bitWidth(ElementType type);
ElementKind kind(ElementType type);
/// The type whose ceiling stands in where a device has none for `type`; `type`
/// itself at the end of the chain.
ElementType wider(ElementType type);
/// The type an op over both computes in: the wider operand's; a float beats an
/// integer (f16 times i4 is f16), integers stay integers.
ElementType promote(ElementType a, ElementType b);

/// What a tensor is to the model.
enum class Role : uint8_t { Weight, Activation, KVCache };
constexpr unsigned numRoles = 3;
llvm::StringRef name(Role role); // "weight", "activation", "kv_cache"
std::optional<Role> parseRole(llvm::StringRef name);

/// A shape as far as it is known; dimensions are exact expressions.
using Dims = llvm::SmallVector<Expr, 4>;
/// The product of the dimensions (1 for a scalar).
Expr numElements(llvm::ArrayRef<Expr> dims);
/// Bytes of `count` packed values: ⌈count · bits / 8⌉; nothing where the type's
/// size is unknown.
std::optional<Expr> packedBytes(const Expr &count, ElementType type);

/// Operations of one class and element type.
struct Flops {
  ComputeClass cls;
  ElementType type;
  Expr count;
};

/// Bytes that one tensor moves in or out of an op.
struct Traffic {
  enum Direction : uint8_t { Read, Write } direction;
  /// The operand's or result's number; -1 for a tensor that is neither (a value
  /// captured by a region, in-place state).
  int index;
  Role role;
  std::optional<Expr> bytes; ///< nothing: unknown (strings, sequences, opaque)
};

/// The work of one op. `times` of an enclosing loop is not in it.
struct Work {
  llvm::SmallVector<Flops, 2> flops;
  llvm::SmallVector<Traffic, 4> traffic;
  Expr launches = 1;
  /// False for an opaque op: `flops` then means nothing.
  bool flopsKnown = true;
  /// A size was taken at its upper bound, since data decides it.
  bool dataDependent = false;
  /// The total with a causal mask used, for an op that holds one.
  std::optional<Expr> flopsCausal;

  void addFlops(ComputeClass cls, ElementType type, const Expr &count);
  void read(int operand, std::optional<Expr> bytes,
            Role role = Role::Activation);
  void write(int result, std::optional<Expr> bytes,
             Role role = Role::Activation);

  /// Sums; nothing where a part is unknown.
  std::optional<Expr> totalFlops() const;
  std::optional<Expr> bytesRead() const;
  std::optional<Expr> bytesWritten() const;

  /// No arithmetic, no bytes, no launch: a view or a control op.
  bool isZero() const;
  static Work none();
};

} // namespace roofline

#endif // ROOFLINE_COST_WORK_H
