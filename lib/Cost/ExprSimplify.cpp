//===- ExprSimplify.cpp - divisions, remainders, minima, maxima -----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function brings its atom to one form, so that equal sizes that came
// about in different ways mostly compare equal: a ceiling division by a
// constant is a floor division, constants are reduced, common factors go.
//
//===----------------------------------------------------------------------===//

#include "ExprPoly.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace roofline;

/// The atom `expr` consists of, if it is one alone.
static const Atom *asAtom(const Expr &expr) {
  const Expr::Poly *poly = Expr::Poly::get(expr);
  if (!poly || poly->terms.size() != 1)
    return nullptr;
  const Term &term = poly->terms.front();
  if (term.coefficient != 1 || term.monomial.size() != 1 ||
      term.monomial.front().exponent != 1)
    return nullptr;
  return term.monomial.front().atom.get();
}

/// Splits off the constant term.
static std::pair<Expr, Int> splitConstant(const Expr &expr) {
  if (expr.isConstant())
    return {Expr(), expr.constant()};
  Terms terms = Expr::Poly::get(expr)->terms;
  Int constant(0);
  if (terms.back().monomial.empty()) {
    constant = terms.back().coefficient;
    terms.pop_back();
  }
  return {Expr::Poly::makeCanonical(std::move(terms)), constant};
}

/// The greatest common divisor of `start` and all coefficients; 0 for none.
static Int content(const Expr &expr, Int start = Int(0)) {
  Terms storage;
  for (const Term &term : termsOf(expr, storage))
    start = gcd(start, abs(term.coefficient));
  return start;
}

static bool leadsNegative(const Expr &expr) {
  Terms storage;
  ArrayRef<Term> terms = termsOf(expr, storage);
  return !terms.empty() && terms.front().coefficient < 0;
}

/// Splits `a` into the quotient of what the one term `b` divides, and the rest.
static std::pair<Expr, Expr> splitDivisible(const Expr &a, const Expr &b) {
  Terms storageA, storageB, quotient, rest;
  ArrayRef<Term> divisor = termsOf(b, storageB);
  if (divisor.size() != 1)
    return {Expr(), a};
  const Term &by = divisor.front();
  for (const Term &term : termsOf(a, storageA)) {
    std::optional<Monomial> monomial;
    if (term.coefficient / by.coefficient * by.coefficient == term.coefficient)
      monomial = divide(term.monomial, by.monomial);
    if (monomial)
      quotient.push_back(
          {std::move(*monomial), term.coefficient / by.coefficient});
    else
      rest.push_back(term);
  }
  return {Expr::Poly::makeCanonical(std::move(quotient)),
          Expr::Poly::makeCanonical(std::move(rest))};
}

/// The greatest product of powers that divides every term of both.
static Monomial commonMonomial(const Expr &a, const Expr &b) {
  Monomial common;
  bool first = true;
  for (const Expr *expr : {&a, &b}) {
    Terms storage;
    for (const Term &term : termsOf(*expr, storage)) {
      if (first) {
        common = term.monomial;
        first = false;
        continue;
      }
      Monomial shared;
      for (const Factor &factor : common)
        for (const Factor &other : term.monomial)
          if (compare(*factor.atom, *other.atom) == 0)
            shared.push_back(
                {factor.atom, std::min(factor.exponent, other.exponent)});
      common = std::move(shared);
      if (common.empty())
        return common;
    }
  }
  return common;
}

/// Common factor of both, as an expression.
static Expr commonFactor(const Expr &a, const Expr &b) {
  Terms terms;
  terms.push_back({commonMonomial(a, b), content(b, content(a))});
  return Expr::Poly::makeCanonical(std::move(terms));
}

//===----------------------------------------------------------------------===//
// Division and remainder by a constant
//===----------------------------------------------------------------------===//

/// ⌊a / c⌋ for c > 0.
static Expr floorDivByConstant(const Expr &a, Int c) {
  if (a.isConstant())
    return floorDiv(a.constant(), c);
  if (c == 1)
    return a;
  auto [body, r] = splitConstant(a);
  auto [quotient, rest] = splitDivisible(body, c);
  if (rest.isZero())
    return quotient + floorDiv(r, c);
  // ⌊(r - x) / c⌋ = -⌈(x - r) / c⌉ = -⌊(x - r + c - 1) / c⌋: lead positive.
  bool negated = leadsNegative(rest);
  if (negated) {
    rest = -rest;
    r = c - 1 - r;
  }
  // ⌊(g·x + r) / (g·c)⌋ = ⌊(x + ⌊r / g⌋) / c⌋.
  Int g = content(rest, c);
  if (g != 1) {
    rest = *Expr::exactQuotient(rest, g);
    r = floorDiv(r, g);
    c = c / g;
  }
  Expr whole = floorDiv(r, c);
  r = mod(r, c);
  Expr fraction;
  const Atom *inner = asAtom(rest);
  if (inner && inner->kind == AtomKind::FloorDiv &&
      inner->args[1].isConstant()) {
    // ⌊(⌊x / m⌋ + r) / c⌋ = ⌊(x + m·r) / (m·c)⌋.
    const Int &m = inner->args[1].constant();
    fraction = floorDivByConstant(inner->args[0] + m * r, m * c);
  } else {
    fraction = makeAtom(AtomKind::FloorDiv, {rest + r, c});
  }
  Expr part = fraction + whole;
  return negated ? quotient - part : quotient + part;
}

/// a mod c for c > 0.
static Expr modByConstant(const Expr &a, const Int &c) {
  if (a.isConstant())
    return mod(a.constant(), c);
  if (c == 1)
    return 0;
  Range range = rangeOf(a);
  if (range.lo && *range.lo >= 0 && range.hi && *range.hi < c)
    return a;
  Terms terms;
  for (Term term : Expr::Poly::get(a)->terms) {
    term.coefficient = mod(term.coefficient, c);
    if (term.coefficient != 0)
      terms.push_back(std::move(term));
  }
  auto [rest, r] = splitConstant(Expr::Poly::makeCanonical(std::move(terms)));
  if (rest.isZero())
    return r;
  // (g·x + r) mod (g·c) = g·((x + ⌊r / g⌋) mod c) + r mod g.
  Int g = content(rest, c);
  if (g != 1)
    return Expr(g) *
               modByConstant(*Expr::exactQuotient(rest, g) + floorDiv(r, g),
                             c / g) +
           mod(r, g);
  Expr reduced = rest + r;
  range = rangeOf(reduced);
  if (range.lo && *range.lo >= 0 && range.hi && *range.hi < c)
    return reduced;
  return makeAtom(AtomKind::Mod, {reduced, c});
}

//===----------------------------------------------------------------------===//
// Division and remainder
//===----------------------------------------------------------------------===//

/// The quotient of expressions whose divisor isn't constant.
static Expr divideSymbolic(AtomKind kind, const Expr &a, const Expr &b) {
  if (std::optional<Expr> exact = Expr::exactQuotient(a, b))
    return *exact;
  if (leadsNegative(b))
    return divideSymbolic(kind, -a, -b);
  auto [quotient, rest] = splitDivisible(a, b);
  Expr common = commonFactor(rest, b);
  if (common == Expr(1))
    return quotient + makeAtom(kind, {rest, b});
  Expr n = *Expr::exactQuotient(rest, common);
  Expr d = *Expr::exactQuotient(b, common);
  return quotient + (kind == AtomKind::FloorDiv ? Expr::floorDiv(n, d)
                                                : Expr::ceilDiv(n, d));
}

Expr Expr::floorDiv(const Expr &a, const Expr &b) {
  if (!b.isConstant())
    return divideSymbolic(AtomKind::FloorDiv, a, b);
  if (b.constant() == 0)
    return 0;
  return b.constant() > 0 ? floorDivByConstant(a, b.constant())
                          : floorDivByConstant(-a, -b.constant());
}

Expr Expr::ceilDiv(const Expr &a, const Expr &b) {
  if (!b.isConstant())
    return divideSymbolic(AtomKind::CeilDiv, a, b);
  if (b.constant() == 0)
    return 0;
  return b.constant() > 0
             ? floorDivByConstant(a + (b.constant() - 1), b.constant())
             : floorDivByConstant(-a - b.constant() - 1, -b.constant());
}

Expr Expr::mod(const Expr &a, const Expr &b) {
  if (b.isConstant()) {
    if (b.constant() == 0)
      return a;
    return b.constant() > 0 ? modByConstant(a, b.constant())
                            : -modByConstant(-a, -b.constant());
  }
  if (exactQuotient(a, b))
    return 0;
  Expr rest = splitDivisible(a, b).second;
  Expr common = commonFactor(rest, b);
  if (common == Expr(1))
    return makeAtom(AtomKind::Mod, {rest, b});
  return common * mod(*exactQuotient(rest, common), *exactQuotient(b, common));
}

//===----------------------------------------------------------------------===//
// Minimum and maximum
//===----------------------------------------------------------------------===//

/// Adds the arguments of `expr` where it is itself a `kind`, else `expr`.
static void flatten(AtomKind kind, const Expr &expr,
                    SmallVectorImpl<Expr> &args) {
  const Atom *atom = asAtom(expr);
  if (atom && atom->kind == kind)
    args.append(atom->args.begin(), atom->args.end());
  else
    args.push_back(expr);
}

static Expr minMax(AtomKind kind, const Expr &a, const Expr &b) {
  SmallVector<Expr, 4> candidates, kept;
  flatten(kind, a, candidates);
  flatten(kind, b, candidates);
  /// Whether `x` makes `y` superfluous.
  auto dominates = [&](const Expr &x, const Expr &y) {
    return isNonNegative(kind == AtomKind::Min ? y - x : x - y);
  };
  for (const Expr &candidate : candidates) {
    if (any_of(kept, [&](const Expr &x) { return dominates(x, candidate); }))
      continue;
    llvm::erase_if(kept,
                   [&](const Expr &x) { return dominates(candidate, x); });
    kept.push_back(candidate);
  }
  if (kept.size() == 1)
    return kept.front();
  // Names first, constants last: min(seq, 4096).
  llvm::sort(kept, [](const Expr &x, const Expr &y) {
    if (x.isConstant() != y.isConstant())
      return y.isConstant();
    return x < y;
  });
  return makeAtom(kind, kept);
}

Expr Expr::min(const Expr &a, const Expr &b) {
  if (a.isConstant() && b.isConstant())
    return a.constant() < b.constant() ? a : b;
  return minMax(AtomKind::Min, a, b);
}

Expr Expr::max(const Expr &a, const Expr &b) {
  if (a.isConstant() && b.isConstant())
    return a.constant() < b.constant() ? b : a;
  return minMax(AtomKind::Max, a, b);
}
