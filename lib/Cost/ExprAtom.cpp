//===- ExprAtom.cpp - names and functions, and their ranges ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprPoly.h"

using namespace llvm;
using namespace roofline;

static Expr makeAtomExpr(Atom atom) {
  hash_code hash = hash_combine(atom.kind, StringRef(atom.name));
  for (const Expr &arg : atom.args)
    hash = hash_combine(hash, hash_value(arg));
  atom.hash = hash;
  Terms terms(1);
  terms.front().monomial.push_back(
      {std::make_shared<const Atom>(std::move(atom)), 1});
  terms.front().coefficient = 1;
  return Expr::Poly::makeCanonical(std::move(terms));
}

Expr Expr::symbol(StringRef name) {
  Atom atom{AtomKind::Symbol, name.str(), {}, {Int(0), std::nullopt}};
  return makeAtomExpr(std::move(atom));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// The range of a product; known only where every factor is >= 0.
static Range rangeOf(ArrayRef<Factor> monomial) {
  if (monomial.size() == 1 && monomial.front().exponent == 1)
    return monomial.front().atom->range;
  constexpr unsigned maxExponent = 64; // keeps the bounds small
  Range product{Int(1), Int(1)};
  for (const Factor &factor : monomial) {
    const Range &range = factor.atom->range;
    if (!range.lo || *range.lo < 0 || factor.exponent > maxExponent)
      return {};
    for (unsigned i = 0; i != factor.exponent; ++i) {
      *product.lo *= *range.lo;
      if (product.hi && range.hi)
        *product.hi *= *range.hi;
      else
        product.hi.reset();
    }
  }
  return product;
}

Range roofline::rangeOf(const Expr &expr) {
  if (expr.isConstant())
    return {expr.constant(), expr.constant()};
  Range sum{Int(0), Int(0)};
  auto accumulate = [](std::optional<Int> &bound, const std::optional<Int> &by,
                       const Int &coefficient) {
    if (bound && by)
      *bound += coefficient * *by;
    else
      bound.reset();
  };
  for (const Term &term : Expr::Poly::get(expr)->terms) {
    Range range = ::rangeOf(term.monomial);
    bool negative = term.coefficient < 0;
    accumulate(sum.lo, negative ? range.hi : range.lo, term.coefficient);
    accumulate(sum.hi, negative ? range.lo : range.hi, term.coefficient);
    if (!sum.lo && !sum.hi)
      break;
  }
  return sum;
}

bool roofline::isNonNegative(const Expr &expr) {
  Range range = rangeOf(expr);
  return range.lo && *range.lo >= 0;
}

static Range rangeOfQuotient(const Expr &a, const Expr &b) {
  Range n = rangeOf(a), d = rangeOf(b);
  Range result;
  if (b.isConstant() && b.constant() > 0) {
    if (n.lo)
      result.lo = floorDiv(*n.lo, b.constant());
    if (n.hi)
      result.hi = floorDiv(*n.hi, b.constant());
    return result;
  }
  // 0 <= ⌊a / b⌋ <= ⌈a / b⌉ <= a for integers a >= 0, b >= 1; 0 where b is 0.
  if (n.lo && *n.lo >= 0 && d.lo && *d.lo >= 0)
    result = {Int(0), n.hi};
  return result;
}

static Range rangeOfMod(const Expr &a, const Expr &b) {
  Range n = rangeOf(a), d = rangeOf(b);
  bool below = n.lo && *n.lo >= 0; // then a mod b <= a
  if (!d.lo || *d.lo < 0 || (*d.lo == 0 && !below))
    return {};
  Range result{Int(0), below ? n.hi : std::nullopt};
  if (*d.lo > 0 && d.hi && (!result.hi || *d.hi - 1 < *result.hi))
    result.hi = *d.hi - 1;
  return result;
}

/// Of a minimum; a maximum's is the mirror image.
static Range rangeOfMinMax(ArrayRef<Expr> args, bool isMax) {
  std::optional<Int> inner, outer; // of a minimum: hi and lo
  bool outerKnown = true;
  auto tighter = [&](const Int &a, const Int &b) {
    return isMax ? b < a : a < b;
  };
  for (const Expr &arg : args) {
    Range range = rangeOf(arg);
    const std::optional<Int> &in = isMax ? range.lo : range.hi;
    const std::optional<Int> &out = isMax ? range.hi : range.lo;
    if (in && (!inner || tighter(*in, *inner)))
      inner = in;
    outerKnown &= out.has_value();
    if (out && (!outer || tighter(*out, *outer)))
      outer = out;
  }
  if (!outerKnown)
    outer.reset();
  return isMax ? Range{inner, outer} : Range{outer, inner};
}

Expr roofline::makeAtom(AtomKind kind, ArrayRef<Expr> args) {
  Atom atom{kind, "", SmallVector<Expr, 2>(args), {}};
  switch (kind) {
  case AtomKind::Symbol:
    break;
  case AtomKind::Group:
    atom.range = rangeOf(args[0]);
    break;
  case AtomKind::FloorDiv:
  case AtomKind::CeilDiv:
    atom.range = rangeOfQuotient(args[0], args[1]);
    break;
  case AtomKind::Mod:
    atom.range = rangeOfMod(args[0], args[1]);
    break;
  case AtomKind::Min:
  case AtomKind::Max:
    atom.range = rangeOfMinMax(args, kind == AtomKind::Max);
    break;
  }
  if (atom.range.lo && atom.range.hi && *atom.range.lo == *atom.range.hi)
    return Expr(*atom.range.lo);
  return makeAtomExpr(std::move(atom));
}
