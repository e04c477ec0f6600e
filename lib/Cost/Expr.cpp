//===- Expr.cpp - polynomial arithmetic -----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprPoly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <limits>
#include <map>

using namespace llvm;
using namespace roofline;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static std::optional<int64_t> asInt64(const Int &value) {
  if (value < std::numeric_limits<int64_t>::min() ||
      value > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return int64_t(value);
}

std::string roofline::toString(const Int &value) {
  if (std::optional<int64_t> small = ::asInt64(value))
    return std::to_string(*small);
  std::string text;
  raw_string_ostream(text) << value;
  return text;
}

double roofline::toDouble(const Int &value) {
  if (std::optional<int64_t> small = ::asInt64(value))
    return static_cast<double>(*small);
  // strtod rounds correctly and overflows to infinity.
  return std::strtod(toString(value).c_str(), nullptr);
}

int roofline::compare(const Int &a, const Int &b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

/// An Int's own hash depends on the width that it is stored in.
static hash_code hashInt(const Int &value) {
  if (std::optional<int64_t> small = ::asInt64(value))
    return hash_value(*small);
  return hash_value(StringRef(toString(value)));
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

int roofline::compare(const Atom &a, const Atom &b) {
  if (&a == &b)
    return 0;
  if (a.kind != b.kind)
    return a.kind < b.kind ? -1 : 1;
  if (int order = StringRef(a.name).compare(b.name))
    return order;
  for (auto [x, y] : zip(a.args, b.args))
    if (int order = compare(x, y))
      return order;
  return compare(Int(a.args.size()), Int(b.args.size()));
}

static uint64_t degree(ArrayRef<Factor> monomial) {
  uint64_t sum = 0;
  for (const Factor &factor : monomial)
    sum += factor.exponent;
  return sum;
}

int roofline::compare(ArrayRef<Factor> a, ArrayRef<Factor> b) {
  uint64_t degreeA = degree(a), degreeB = degree(b);
  if (degreeA != degreeB)
    return degreeA > degreeB ? -1 : 1;
  for (auto [x, y] : zip(a, b)) {
    if (int order = compare(*x.atom, *y.atom))
      return order;
    if (x.exponent != y.exponent)
      return x.exponent > y.exponent ? -1 : 1;
  }
  return 0; // equal degrees: neither is a proper prefix of the other
}

int roofline::compare(const Expr &a, const Expr &b) {
  const Expr::Poly *x = Expr::Poly::get(a), *y = Expr::Poly::get(b);
  if (!x && !y)
    return compare(a.constant(), b.constant());
  if (x == y)
    return 0;
  if (!x || !y)
    return x ? 1 : -1;
  for (auto [s, t] : zip(x->terms, y->terms)) {
    if (int order = compare(s.monomial, t.monomial))
      return order;
    if (int order = compare(s.coefficient, t.coefficient))
      return order;
  }
  return compare(Int(x->terms.size()), Int(y->terms.size()));
}

bool Expr::operator==(const Expr &other) const {
  if (isSmall() || other.isSmall()) // a large constant is never a small one
    return isSmall() && other.isSmall() && small == other.small;
  return shared == other.shared ||
         (hash_value(*this) == hash_value(other) && compare(*this, other) == 0);
}

bool Expr::operator<(const Expr &other) const {
  return compare(*this, other) < 0;
}

hash_code roofline::hash_value(const Expr &expr) {
  const Expr::Poly *poly = expr.poly();
  return poly ? poly->hash : hashInt(expr.constant());
}

//===----------------------------------------------------------------------===//
// Making polynomials
//===----------------------------------------------------------------------===//

static bool isConstantTerm(const Terms &terms) {
  return terms.size() == 1 && terms.front().monomial.empty();
}

Expr::Shared::~Shared() = default;

Expr::Expr(const Int &value) {
  if (std::optional<int64_t> fitting = ::asInt64(value)) {
    small = *fitting;
    return;
  }
  auto constant = llvm::makeIntrusiveRefCnt<Poly>();
  constant->terms.push_back({{}, value});
  shared = std::move(constant);
}

const Expr::Poly *Expr::poly() const {
  auto *poly = static_cast<const Poly *>(shared.get());
  return poly && !isConstantTerm(poly->terms) ? poly : nullptr;
}

Int Expr::largeConstant() const {
  return static_cast<const Poly *>(shared.get())->terms.front().coefficient;
}

Expr Expr::Poly::makeCanonical(Terms terms) {
  if (terms.empty())
    return Expr();
  if (isConstantTerm(terms))
    return Expr(terms.front().coefficient);
  auto poly = llvm::makeIntrusiveRefCnt<Poly>();
  hash_code hash(0);
  for (const Term &term : terms) {
    hash = hash_combine(hash, hashInt(term.coefficient));
    for (const Factor &factor : term.monomial)
      hash = hash_combine(hash, factor.atom->hash, factor.exponent);
  }
  poly->terms = std::move(terms);
  poly->hash = hash;
  return Expr(llvm::IntrusiveRefCntPtr<const Shared>(std::move(poly)));
}

Expr Expr::Poly::make(Terms terms) {
  llvm::sort(terms, [](const Term &a, const Term &b) {
    return compare(a.monomial, b.monomial) < 0;
  });
  Terms merged;
  merged.reserve(terms.size());
  for (Term &term : terms) {
    if (!merged.empty() && compare(merged.back().monomial, term.monomial) == 0)
      merged.back().coefficient += term.coefficient;
    else
      merged.push_back(std::move(term));
  }
  llvm::erase_if(merged,
                 [](const Term &term) { return term.coefficient == 0; });
  return makeCanonical(std::move(merged));
}

ArrayRef<Term> roofline::termsOf(const Expr &expr, Terms &storage) {
  if (const Expr::Poly *poly = Expr::Poly::get(expr))
    return poly->terms;
  storage.clear();
  if (!expr.isZero())
    storage.push_back({{}, expr.constant()});
  return storage;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

/// a + sign * b.
static Expr addTerms(ArrayRef<Term> a, ArrayRef<Term> b, bool subtract) {
  Terms sum;
  sum.reserve(a.size() + b.size());
  auto pushB = [&](const Term &term) {
    sum.push_back(term);
    if (subtract)
      sum.back().coefficient = -term.coefficient;
  };
  size_t i = 0, j = 0;
  while (i != a.size() && j != b.size()) {
    int order = compare(a[i].monomial, b[j].monomial);
    if (order < 0) {
      sum.push_back(a[i++]);
    } else if (order > 0) {
      pushB(b[j++]);
    } else {
      Int coefficient = subtract ? a[i].coefficient - b[j].coefficient
                                 : a[i].coefficient + b[j].coefficient;
      if (coefficient != 0)
        sum.push_back({a[i].monomial, coefficient});
      ++i, ++j;
    }
  }
  for (; i != a.size(); ++i)
    sum.push_back(a[i]);
  for (; j != b.size(); ++j)
    pushB(b[j]);
  return Expr::Poly::makeCanonical(std::move(sum));
}

Expr Expr::operator+(const Expr &other) const {
  int64_t result;
  if (LLVM_LIKELY(isSmall() && other.isSmall() &&
                  !AddOverflow(small, other.small, result)))
    return Expr(result);
  if (isZero())
    return other;
  if (other.isZero())
    return *this;
  Terms storageA, storageB;
  return addTerms(termsOf(*this, storageA), termsOf(other, storageB), false);
}

Expr Expr::operator-(const Expr &other) const {
  int64_t result;
  if (LLVM_LIKELY(isSmall() && other.isSmall() &&
                  !SubOverflow(small, other.small, result)))
    return Expr(result);
  if (other.isZero())
    return *this;
  Terms storageA, storageB;
  return addTerms(termsOf(*this, storageA), termsOf(other, storageB), true);
}

static Expr scale(const Expr &expr, const Int &by) {
  if (by == 0)
    return Expr();
  if (by == 1)
    return expr;
  Terms terms = Expr::Poly::get(expr)->terms;
  for (Term &term : terms)
    term.coefficient *= by;
  return Expr::Poly::makeCanonical(std::move(terms));
}

Expr Expr::operator-() const {
  return isConstant() ? Expr(-constant()) : scale(*this, Int(-1));
}

/// A sum as one factor.
static Expr grouped(const Expr &sum) { return makeAtom(AtomKind::Group, sum); }

static bool hasGroup(ArrayRef<Term> terms) {
  return any_of(terms, [](const Term &term) {
    return any_of(term.monomial, [](const Factor &factor) {
      return factor.atom->kind == AtomKind::Group;
    });
  });
}

Expr Expr::operator*(const Expr &other) const {
  int64_t result;
  if (LLVM_LIKELY(isSmall() && other.isSmall() &&
                  !MulOverflow(small, other.small, result)))
    return Expr(result);
  if (isConstant())
    return other.isConstant() ? Expr(constant() * other.constant())
                              : scale(other, constant());
  if (other.isConstant())
    return scale(*this, other.constant());
  // Sums of hundreds of sizes stay factors: their product has every pair. What
  // is multiplied by such a factor stays one, too: spread over a sum, the
  // factor's own text would be repeated, and groups of groups grow without end.
  constexpr size_t maxProductTerms = 4096;
  size_t left = poly()->terms.size(), right = other.poly()->terms.size();
  if (left > 1 && right > 1 && left * right > maxProductTerms)
    return grouped(*this) * grouped(other);
  if (left > 1 && hasGroup(other.poly()->terms))
    return grouped(*this) * other;
  if (right > 1 && hasGroup(poly()->terms))
    return *this * grouped(other);
  Terms product;
  product.reserve(left * right);
  for (const Term &a : poly()->terms)
    for (const Term &b : other.poly()->terms)
      product.push_back(
          {multiply(a.monomial, b.monomial), a.coefficient * b.coefficient});
  return Poly::make(std::move(product));
}

Monomial roofline::multiply(ArrayRef<Factor> a, ArrayRef<Factor> b) {
  Monomial product;
  product.reserve(a.size() + b.size());
  while (!a.empty() && !b.empty()) {
    int order = compare(*a.front().atom, *b.front().atom);
    product.push_back(order <= 0 ? a.front() : b.front());
    if (order == 0)
      product.back().exponent += b.front().exponent;
    if (order <= 0)
      a = a.drop_front();
    if (order >= 0)
      b = b.drop_front();
  }
  product.append(a.begin(), a.end());
  product.append(b.begin(), b.end());
  return product;
}

std::optional<Monomial> roofline::divide(ArrayRef<Factor> a,
                                         ArrayRef<Factor> b) {
  Monomial quotient;
  for (const Factor &factor : a) {
    if (b.empty() || compare(*factor.atom, *b.front().atom) != 0) {
      quotient.push_back(factor);
      continue;
    }
    if (factor.exponent < b.front().exponent)
      return std::nullopt;
    if (unsigned exponent = factor.exponent - b.front().exponent)
      quotient.push_back({factor.atom, exponent});
    b = b.drop_front();
  }
  if (!b.empty())
    return std::nullopt;
  return quotient;
}

Expr roofline::power(const Expr &base, unsigned exponent) {
  const Expr::Poly *poly = Expr::Poly::get(base);
  Expr result = 1, square = base;
  if (poly && poly->terms.size() == 1 && exponent) {
    // One term: its exponents multiply.
    Terms terms = poly->terms;
    for (Factor &factor : terms.front().monomial)
      factor.exponent *= exponent;
    terms.front().coefficient =
        power(Expr(terms.front().coefficient), exponent).constant();
    return Expr::Poly::makeCanonical(std::move(terms));
  }
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result *= square;
    if (exponent > 1)
      square *= square;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Exact division
//===----------------------------------------------------------------------===//

static std::optional<Term> divideTerm(ArrayRef<Factor> monomial,
                                      const Int &coefficient, const Term &by) {
  if (coefficient / by.coefficient * by.coefficient != coefficient)
    return std::nullopt;
  std::optional<Monomial> quotient = divide(monomial, by.monomial);
  if (!quotient)
    return std::nullopt;
  return Term{std::move(*quotient), coefficient / by.coefficient};
}

/// Long division by a divisor of several terms.
static std::optional<Expr> divideLong(ArrayRef<Term> a, ArrayRef<Term> b) {
  // The constant or lowest term must divide too: a cheap first test.
  if (!divideTerm(a.back().monomial, a.back().coefficient, b.back()))
    return std::nullopt;
  auto earlier = [](const Monomial &x, const Monomial &y) {
    return compare(x, y) < 0;
  };
  std::map<Monomial, Int, decltype(earlier)> rest(earlier);
  for (const Term &term : a)
    rest.emplace(term.monomial, term.coefficient);
  Terms quotient;
  constexpr size_t maxSteps = 1 << 16; // bounds the time, not the mathematics
  size_t steps = 0;
  while (!rest.empty()) {
    const auto &[monomial, coefficient] = *rest.begin();
    std::optional<Term> lead = divideTerm(monomial, coefficient, b.front());
    steps += b.size();
    if (!lead || steps > maxSteps)
      return std::nullopt;
    for (const Term &term : b) {
      Int by = lead->coefficient * term.coefficient;
      auto it =
          rest.emplace(multiply(lead->monomial, term.monomial), Int(0)).first;
      it->second -= by;
      if (it->second == 0)
        rest.erase(it);
    }
    quotient.push_back(std::move(*lead));
  }
  return Expr::Poly::makeCanonical(std::move(quotient));
}

std::optional<Expr> Expr::exactQuotient(const Expr &a, const Expr &b) {
  if (b.isZero())
    return std::nullopt;
  if (a.isZero() || b == Expr(1))
    return a;
  if (a.isConstant()) {
    if (!b.isConstant())
      return std::nullopt;
    Int x = a.constant(), y = b.constant();
    Int quotient = x / y; // unlike %, right for -2^63 / -1
    if (quotient * y != x)
      return std::nullopt;
    return Expr(quotient);
  }
  Terms storage;
  ArrayRef<Term> divisor = termsOf(b, storage);
  if (divisor.size() > 1)
    return divideLong(a.poly()->terms, divisor);
  Terms quotient;
  for (const Term &term : a.poly()->terms) {
    std::optional<Term> part =
        divideTerm(term.monomial, term.coefficient, divisor.front());
    if (!part)
      return std::nullopt;
    quotient.push_back(std::move(*part));
  }
  return Poly::makeCanonical(std::move(quotient));
}

//===----------------------------------------------------------------------===//
// Queries and substitution
//===----------------------------------------------------------------------===//

std::optional<int64_t> Expr::asInt64() const {
  return isSmall() ? std::optional(small) : std::nullopt;
}

std::optional<StringRef> Expr::asSymbol() const {
  if (isConstant() || poly()->terms.size() != 1)
    return std::nullopt;
  const Term &term = poly()->terms.front();
  if (term.coefficient != 1 || term.monomial.size() != 1)
    return std::nullopt;
  const Factor &factor = term.monomial.front();
  if (factor.exponent != 1 || factor.atom->kind != AtomKind::Symbol)
    return std::nullopt;
  return StringRef(factor.atom->name);
}

void Expr::collectSymbols(std::set<std::string> &names) const {
  if (isConstant())
    return;
  for (const Term &term : poly()->terms)
    for (const Factor &factor : term.monomial) {
      if (factor.atom->kind == AtomKind::Symbol)
        names.insert(factor.atom->name);
      for (const Expr &arg : factor.atom->args)
        arg.collectSymbols(names);
    }
}

bool Expr::mentions(StringRef name) const {
  if (isConstant())
    return false;
  return any_of(poly()->terms, [&](const Term &term) {
    return any_of(term.monomial, [&](const Factor &factor) {
      if (factor.atom->kind == AtomKind::Symbol)
        return name == factor.atom->name;
      return any_of(factor.atom->args,
                    [&](const Expr &arg) { return arg.mentions(name); });
    });
  });
}

Expr roofline::applyFunction(AtomKind kind, ArrayRef<Expr> args) {
  switch (kind) {
  case AtomKind::FloorDiv:
    return Expr::floorDiv(args[0], args[1]);
  case AtomKind::CeilDiv:
    return Expr::ceilDiv(args[0], args[1]);
  case AtomKind::Mod:
    return Expr::mod(args[0], args[1]);
  case AtomKind::Group:
    return args[0];
  case AtomKind::Symbol:
    break;
  case AtomKind::Min:
  case AtomKind::Max: {
    Expr result = args.front();
    for (const Expr &arg : args.drop_front())
      result = kind == AtomKind::Min ? Expr::min(result, arg)
                                     : Expr::max(result, arg);
    return result;
  }
  }
  llvm_unreachable("a symbol is no function");
}

/// The atom under `binding`; nothing where it stays as it is.
static std::optional<Expr> substituteAtom(const Atom &atom,
                                          Expr::Binding binding) {
  if (atom.kind == AtomKind::Symbol)
    return binding(atom.name);
  SmallVector<Expr, 2> args;
  for (const Expr &arg : atom.args)
    args.push_back(arg.substitute(binding));
  if (args == atom.args)
    return std::nullopt;
  return applyFunction(atom.kind, args);
}

Expr Expr::substitute(Binding binding) const {
  if (isConstant())
    return *this;
  Int constant(0);
  Terms sum;
  for (const Term &term : poly()->terms) {
    Expr product = term.coefficient;
    Monomial kept;
    for (const Factor &factor : term.monomial) {
      if (std::optional<Expr> bound = substituteAtom(*factor.atom, binding))
        product *= power(*bound, factor.exponent);
      else
        kept.push_back(factor);
    }
    if (product.isConstant() && kept.empty()) {
      constant += product.constant();
      continue;
    }
    Terms storage;
    for (const Term &part : termsOf(product, storage))
      sum.push_back({multiply(part.monomial, kept), part.coefficient});
  }
  if (constant != 0)
    sum.push_back({{}, constant});
  return Poly::make(std::move(sum));
}
