//===- Expr.h - exact integer expressions in dimension names ----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The size of everything: an integer polynomial in dimension names whose atoms
// are names, floor and ceiling divisions, remainders, minima and maxima.
// Coefficients are arbitrary-precision, so nothing overflows. Expressions are
// kept in one canonical form: equal polynomials compare equal.
//
// Names stand for sizes, that is for integers >= 0; simplifications may rely
// on that and on nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_COST_EXPR_H
#define ROOFLINE_COST_EXPR_H

#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <set>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace roofline {

using Int = llvm::DynamicAPInt;

/// An exact, immutable, cheap-to-copy integer expression. A model of a million
/// ops has tens of millions of them, nearly all small constants.
class Expr {
public:
  struct Poly;
  /// What doesn't fit an Expr itself: a Poly. Its copies share it.
  struct Shared : llvm::ThreadSafeRefCountedBase<Shared> {
    virtual ~Shared();
  };

  /// Zero.
  Expr() = default;
  Expr(int64_t value) : small(value) {}
  Expr(const Int &value);

  /// The dimension called `name` (any non-empty text; see `print` for how odd
  /// names are quoted).
  static Expr symbol(llvm::StringRef name);

  /// ⌊a / b⌋ and ⌈a / b⌉, rounding towards -inf and +inf. A divisor that is the
  /// constant 0 gives 0 (an empty tensor's quotient).
  static Expr floorDiv(const Expr &a, const Expr &b);
  static Expr ceilDiv(const Expr &a, const Expr &b);
  /// a - b * ⌊a / b⌋.
  static Expr mod(const Expr &a, const Expr &b);
  static Expr min(const Expr &a, const Expr &b);
  static Expr max(const Expr &a, const Expr &b);

  /// a / b where b divides a as a polynomial, nothing otherwise.
  static std::optional<Expr> exactQuotient(const Expr &a, const Expr &b);

  Expr operator+(const Expr &other) const;
  Expr operator-(const Expr &other) const;
  Expr operator*(const Expr &other) const;
  Expr operator-() const;
  Expr &operator+=(const Expr &other) { return *this = *this + other; }
  Expr &operator-=(const Expr &other) { return *this = *this - other; }
  Expr &operator*=(const Expr &other) { return *this = *this * other; }

  bool operator==(const Expr &other) const;
  bool operator!=(const Expr &other) const { return !(*this == other); }
  /// A total order (of no arithmetic meaning) for sorted containers.
  bool operator<(const Expr &other) const;

  bool isConstant() const { return !shared || !poly(); }
  bool isZero() const { return !shared && small == 0; }
  /// The value of a constant; undefined for others.
  Int constant() const { return shared ? largeConstant() : Int(small); }
  /// The value where it is a constant that fits 64 bits.
  std::optional<int64_t> asInt64() const;
  /// The name where the expression is one name alone.
  std::optional<llvm::StringRef> asSymbol() const;

  /// Adds the names the expression mentions.
  void collectSymbols(std::set<std::string> &names) const;
  bool mentions(llvm::StringRef name) const;

  using Binding = llvm::function_ref<std::optional<Expr>(llvm::StringRef)>;
  /// Replaces each name for which `binding` has a value; evaluation is the case
  /// where all have one.
  Expr substitute(Binding binding) const;

  /// The form `parse` reads: `2*batch*seq^2 + 16*seq`, `floordiv(a + 1, 2)`,
  /// `ceildiv(a, 2)`, `mod(a, 2)`, `min(a, b)`, `max(a, b)`. A name that isn't
  /// letters, digits, `_`, `.`, `:`, `[`, `]` (starting with a letter or `_`),
  /// or that reads as one of the functions, stands in backquotes.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

  /// Reads what `print` writes, and also `/` and `//` (floor division), `%`,
  /// parentheses. Errors name the column.
  static llvm::Expected<Expr> parse(llvm::StringRef text);

  friend llvm::hash_code hash_value(const Expr &expr);

private:
  explicit Expr(llvm::IntrusiveRefCntPtr<const Shared> shared)
      : shared(std::move(shared)) {}
  bool isSmall() const { return !shared; }
  /// Null for a constant.
  const Poly *poly() const;
  Int largeConstant() const;

  int64_t small = 0; // of a constant that fits; 0 for others
  llvm::IntrusiveRefCntPtr<const Shared> shared; // of all others
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Expr &expr);

/// The nearest double (±inf beyond its range).
double toDouble(const Int &value);
std::string toString(const Int &value);

} // namespace roofline

#endif // ROOFLINE_COST_EXPR_H
