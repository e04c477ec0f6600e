//===- ExprPrinter.cpp - expressions as text ------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprPoly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace roofline;

StringRef roofline::functionName(AtomKind kind) {
  switch (kind) {
  case AtomKind::Symbol:
  case AtomKind::Group:
    return "";
  case AtomKind::FloorDiv:
    return "floordiv";
  case AtomKind::CeilDiv:
    return "ceildiv";
  case AtomKind::Mod:
    return "mod";
  case AtomKind::Min:
    return "min";
  case AtomKind::Max:
    return "max";
  }
  llvm_unreachable("unknown atom");
}

static bool needsQuotes(StringRef name) {
  auto starts = [](char c) { return isAlpha(c) || c == '_'; };
  auto continues = [](char c) {
    return isAlnum(c) || StringRef("_.:[]").contains(c);
  };
  if (name.empty() || !starts(name.front()) || !all_of(name, continues))
    return true;
  for (AtomKind kind : {AtomKind::FloorDiv, AtomKind::CeilDiv, AtomKind::Mod,
                        AtomKind::Min, AtomKind::Max})
    if (name == functionName(kind))
      return true;
  return false;
}

static void printName(StringRef name, raw_ostream &os) {
  if (!needsQuotes(name)) {
    os << name;
    return;
  }
  os << '`';
  for (char c : name) {
    if (c == '`')
      os << c; // a doubled backquote stands for one
    os << c;
  }
  os << '`';
}

static void printAtom(const Atom &atom, raw_ostream &os) {
  if (atom.kind == AtomKind::Symbol) {
    printName(atom.name, os);
    return;
  }
  SmallVector<Expr, 2> args(atom.args);
  StringRef function = functionName(atom.kind);
  // ⌊(x + c - 1) / c⌋ reads best as what it mostly was.
  if (atom.kind == AtomKind::FloorDiv && args[1].isConstant()) {
    const Term &last = Expr::Poly::get(args[0])->terms.back();
    if (last.monomial.empty() &&
        last.coefficient == args[1].constant() - Int(1)) {
      function = functionName(AtomKind::CeilDiv);
      args[0] -= last.coefficient;
    }
  }
  os << function << '(';
  interleaveComma(args, os);
  os << ')';
}

/// A term without its sign.
static void printTerm(const Term &term, raw_ostream &os) {
  Int magnitude = abs(term.coefficient);
  ListSeparator times("*");
  if (magnitude != 1 || term.monomial.empty())
    os << times << toString(magnitude);
  for (const Factor &factor : term.monomial) {
    os << times;
    printAtom(*factor.atom, os);
    if (factor.exponent != 1)
      os << '^' << factor.exponent;
  }
}

void Expr::print(raw_ostream &os) const {
  if (isConstant()) {
    os << toString(constant());
    return;
  }
  bool first = true;
  for (const Term &term : poly()->terms) {
    bool negative = term.coefficient < 0;
    if (first)
      os << (negative ? "-" : "");
    else
      os << (negative ? " - " : " + ");
    first = false;
    printTerm(term, os);
  }
}

std::string Expr::str() const {
  std::string text;
  raw_string_ostream os(text);
  print(os);
  return text;
}

raw_ostream &roofline::operator<<(raw_ostream &os, const Expr &expr) {
  expr.print(os);
  return os;
}
