//===- ExprPoly.h - the insides of an expression ----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A polynomial is a list of terms in graded lexicographic order (highest degree
// first), each a coefficient and a sorted product of powers of atoms. An atom
// is a name, or a function of expressions that is no polynomial.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_COST_EXPRPOLY_H
#define ROOFLINE_LIB_COST_EXPRPOLY_H

#include "roofline/Cost/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace roofline {

/// In the order in which atoms stand within a product.
/// A group is a sum that isn't multiplied out, since that has too many terms.
enum class AtomKind : uint8_t {
  Symbol,
  FloorDiv,
  CeilDiv,
  Mod,
  Min,
  Max,
  Group
};
/// As `print` spells a function; empty for a symbol and for a group, which is
/// parentheses alone.
llvm::StringRef functionName(AtomKind kind);

/// What is known of an expression's values; a missing bound is no bound.
struct Range {
  std::optional<Int> lo, hi;
};

struct Atom {
  AtomKind kind;
  std::string name;                // of a symbol
  llvm::SmallVector<Expr, 2> args; // of a function
  Range range;
  llvm::hash_code hash = llvm::hash_code(0);
};
using AtomRef = std::shared_ptr<const Atom>;

struct Factor {
  AtomRef atom;
  unsigned exponent;
};
using Monomial = llvm::SmallVector<Factor, 2>;

struct Term {
  Monomial monomial; // empty for the constant term
  Int coefficient;
};
using Terms = std::vector<Term>;

struct Expr::Poly : Shared {
  /// Sorted, no zero coefficient; a constant alone only where it has more than
  /// 64 bits.
  Terms terms;
  llvm::hash_code hash = llvm::hash_code(0);

  static const Poly *get(const Expr &expr) { return expr.poly(); }
  /// From terms in any order, of which several may have one monomial.
  static Expr make(Terms terms);
  /// From terms that are sorted, distinct and not zero.
  static Expr makeCanonical(Terms terms);
};

/// The terms of any expression, a constant's included; `storage` holds those
/// that aren't stored anywhere.
llvm::ArrayRef<Term> termsOf(const Expr &expr, Terms &storage);

/// Three-way comparisons; monomials of higher degree come first.
int compare(const Int &a, const Int &b);
int compare(const Atom &a, const Atom &b);
int compare(llvm::ArrayRef<Factor> a, llvm::ArrayRef<Factor> b);
int compare(const Expr &a, const Expr &b);

Monomial multiply(llvm::ArrayRef<Factor> a, llvm::ArrayRef<Factor> b);
/// a / b, nothing where b doesn't divide a.
std::optional<Monomial> divide(llvm::ArrayRef<Factor> a,
                               llvm::ArrayRef<Factor> b);
/// base^exponent.
Expr power(const Expr &base, unsigned exponent);

Range rangeOf(const Expr &expr);
/// Whether `expr` is >= 0 for all sizes.
bool isNonNegative(const Expr &expr);

/// The atom as an expression; the constant where it has one possible value.
Expr makeAtom(AtomKind kind, llvm::ArrayRef<Expr> args);
/// The function's value, simplified; min and max take any number of arguments.
Expr applyFunction(AtomKind kind, llvm::ArrayRef<Expr> args);

} // namespace roofline

#endif // ROOFLINE_LIB_COST_EXPRPOLY_H
