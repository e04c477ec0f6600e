//===- ExprParser.cpp - text as expressions -------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sum     ::= product (('+'|'-') product)*
//   product ::= factor (('*'|'/'|'//'|'%') factor)*
//   factor  ::= ('+'|'-')* power
//   power   ::= primary ['^' INTEGER]
//   primary ::= INTEGER | NAME | '`' … '`' | '(' sum ')'
//             | FUNCTION '(' sum (',' sum)+ ')'
//
// The text may come from a model or a command line: whatever it holds, parsing
// ends soon and without deep recursion.
//
//===----------------------------------------------------------------------===//

#include "ExprPoly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace roofline;

namespace {

constexpr unsigned maxDepth = 200;
constexpr unsigned maxExponent = 1024;
constexpr unsigned maxDegree = 1 << 14;
constexpr unsigned maxDigits = 4096;
constexpr size_t maxArguments = 256;
constexpr size_t maxLength = size_t(1) << 20;
/// Term-by-term steps in one parse.
constexpr size_t maxWork = size_t(1) << 18;

class Parser {
public:
  explicit Parser(StringRef text) : text(text) {}

  Expected<Expr> parse() {
    std::optional<Expr> result;
    if (text.size() > maxLength)
      (void)error("the expression is too long");
    else
      result = parseSum();
    if (result && !atEnd())
      result =
          error("expected an operator or the end, found " + describeNext());
    if (!result)
      return createStringError(message);
    return *result;
  }

private:
  //===--------------------------------------------------------------------===//
  // Text
  //===--------------------------------------------------------------------===//

  void skipSpace() {
    while (position != text.size() && isSpace(text[position]))
      ++position;
  }
  bool atEnd() {
    skipSpace();
    return position == text.size();
  }
  bool consume(StringRef token) {
    skipSpace();
    if (!text.substr(position).starts_with(token))
      return false;
    position += token.size();
    return true;
  }
  std::string describeNext() {
    if (atEnd())
      return "the end";
    char c = text[position];
    return isPrint(c) ? std::string("'") + c + "'"
                      : "a character of no meaning";
  }
  /// Records an error at the next character.
  std::nullopt_t error(const Twine &cause) {
    message = ("column " + Twine(position + 1) + ": " + cause).str();
    return std::nullopt;
  }

  //===--------------------------------------------------------------------===//
  // Bounds
  //===--------------------------------------------------------------------===//

  static size_t termCount(const Expr &expr) {
    const Expr::Poly *poly = Expr::Poly::get(expr);
    return poly ? poly->terms.size() : 1;
  }
  static size_t degree(const Expr &expr) {
    const Expr::Poly *poly = Expr::Poly::get(expr);
    size_t sum = 0;
    if (poly)
      for (const Factor &factor : poly->terms.front().monomial)
        sum += factor.exponent;
    return sum;
  }
  static size_t digits(const Expr &expr) {
    size_t most = 0;
    Terms storage;
    for (const Term &term : termsOf(expr, storage))
      most = std::max(most, toString(term.coefficient).size());
    return most;
  }
  bool charge(size_t steps) {
    work += steps;
    return work <= maxWork;
  }
  /// Whether a product is small enough to be worked out.
  bool allowProduct(const Expr &a, const Expr &b) {
    if (a.asInt64() && b.asInt64())
      return charge(1);
    return degree(a) + degree(b) <= maxDegree &&
           digits(a) + digits(b) <= 4 * maxDigits &&
           charge(termCount(a) * termCount(b) * (1 + digits(a) / 64));
  }

  /// Long division costs more than its operands' sizes tell.
  bool allowQuotient(const Expr &a, const Expr &b) {
    constexpr size_t longDivision = 1 << 10;
    return allowProduct(a, b) && (termCount(b) == 1 || charge(longDivision));
  }

  //===--------------------------------------------------------------------===//
  // Grammar
  //===--------------------------------------------------------------------===//

  std::optional<Expr> parseSum() {
    if (++depth > maxDepth)
      return error("the expression is nested too deeply");
    scope_exit leave([&] { --depth; });
    // All terms are summed at once: adding them one by one would be quadratic.
    Terms sum;
    bool negative = false;
    while (true) {
      std::optional<Expr> product = parseProduct();
      if (!product)
        return std::nullopt;
      if (negative)
        product = -*product;
      Terms storage;
      ArrayRef<Term> terms = termsOf(*product, storage);
      sum.insert(sum.end(), terms.begin(), terms.end());
      if (consume("+"))
        negative = false;
      else if (consume("-"))
        negative = true;
      else
        return Expr::Poly::make(std::move(sum));
    }
  }

  std::optional<Expr> parseProduct() {
    std::optional<Expr> result = parseFactor();
    while (result) {
      if (consume("*"))
        result = parseOperand('*', *result);
      else if (consume("//") || consume("/"))
        result = parseOperand('/', *result);
      else if (consume("%"))
        result = parseOperand('%', *result);
      else
        break;
    }
    return result;
  }

  /// The right operand of `operation`, applied to both.
  std::optional<Expr> parseOperand(char operation, const Expr &left) {
    std::optional<Expr> right = parseFactor();
    if (!right)
      return std::nullopt;
    bool allowed = operation == '*' ? allowProduct(left, *right)
                                    : allowQuotient(left, *right);
    if (!allowed)
      return error("the expression is too large");
    if (operation == '*')
      return left * *right;
    return operation == '/' ? Expr::floorDiv(left, *right)
                            : Expr::mod(left, *right);
  }

  std::optional<Expr> parseFactor() {
    bool negative = false;
    while (true) {
      if (consume("-"))
        negative = !negative;
      else if (!consume("+"))
        break;
    }
    std::optional<Expr> result = parsePower();
    return result && negative ? -*result : result;
  }

  std::optional<Expr> parsePower() {
    std::optional<Expr> base = parsePrimary();
    if (!base || !consume("^"))
      return base;
    skipSpace();
    size_t start = position;
    StringRef digits = takeDigits();
    unsigned exponent;
    if (digits.empty())
      return error("expected a whole number as exponent, found " +
                   describeNext());
    if (digits.getAsInteger(10, exponent) || exponent > maxExponent) {
      position = start;
      return error("the exponent is above " + Twine(maxExponent));
    }
    return raise(*base, exponent);
  }

  std::optional<Expr> raise(const Expr &base, unsigned exponent) {
    if (termCount(base) == 1) {
      if (degree(base) * exponent > maxDegree ||
          digits(base) * exponent > maxDigits)
        return error("the expression is too large");
      return power(base, exponent);
    }
    Expr result = 1;
    for (unsigned i = 0; i != exponent; ++i) {
      if (!allowProduct(result, base))
        return error("the expression is too large");
      result *= base;
    }
    return result;
  }

  StringRef takeDigits() {
    StringRef digits = text.substr(position).take_while(isDigit);
    position += digits.size();
    return digits;
  }

  std::optional<Expr> parsePrimary() {
    if (atEnd())
      return error("expected a number, a name or '(', found the end");
    char c = text[position];
    if (isDigit(c))
      return parseNumber();
    if (c == '`')
      return parseQuotedName();
    if (isAlpha(c) || c == '_')
      return parseNameOrFunction();
    if (consume("(")) {
      std::optional<Expr> inner = parseSum();
      if (inner && !consume(")"))
        return error("expected ')', found " + describeNext());
      return inner;
    }
    return error("expected a number, a name or '(', found " + describeNext());
  }

  std::optional<Expr> parseNumber() {
    size_t start = position;
    StringRef digits = takeDigits();
    if (digits.size() > maxDigits) {
      position = start;
      return error("the number is too long");
    }
    Int value(0);
    constexpr size_t chunk = 18; // what surely fits 64 bits
    for (; !digits.empty();
         digits = digits.drop_front(std::min(chunk, digits.size()))) {
      StringRef part = digits.take_front(chunk);
      int64_t number = 0, scale = 1;
      for (char c : part) {
        number = number * 10 + (c - '0');
        scale *= 10;
      }
      value = value * Int(scale) + Int(number);
    }
    return Expr(value);
  }

  std::optional<Expr> parseQuotedName() {
    size_t start = position++;
    std::string name;
    while (position != text.size()) {
      char c = text[position++];
      if (c != '`') {
        name += c;
        continue;
      }
      if (position != text.size() && text[position] == '`') {
        name += text[position++];
        continue;
      }
      if (!name.empty())
        return Expr::symbol(name);
      position = start;
      return error("a name is empty");
    }
    position = start;
    return error("a backquoted name has no end");
  }

  std::optional<Expr> parseNameOrFunction() {
    StringRef name = text.substr(position).take_while(
        [](char c) { return isAlnum(c) || StringRef("_.:[]").contains(c); });
    position += name.size();
    for (AtomKind kind : {AtomKind::FloorDiv, AtomKind::CeilDiv, AtomKind::Mod,
                          AtomKind::Min, AtomKind::Max})
      if (name == functionName(kind))
        return parseFunction(kind);
    return Expr::symbol(name);
  }

  std::optional<Expr> parseFunction(AtomKind kind) {
    StringRef name = functionName(kind);
    if (!consume("("))
      return error("expected '(' after '" + name + "', found " +
                   describeNext());
    bool variadic = kind == AtomKind::Min || kind == AtomKind::Max;
    SmallVector<Expr, 4> args;
    size_t terms = 0;
    do {
      std::optional<Expr> arg = parseSum();
      if (!arg)
        return std::nullopt;
      terms += termCount(*arg);
      args.push_back(std::move(*arg));
      if (args.size() > (variadic ? maxArguments : 2))
        return error("too many arguments for '" + name + "'");
    } while (consume(","));
    if (!consume(")"))
      return error("expected ',' or ')', found " + describeNext());
    if (args.size() < 2)
      return error("'" + name + "' takes two arguments");
    return apply(kind, args, terms);
  }

  std::optional<Expr> apply(AtomKind kind, ArrayRef<Expr> args, size_t terms) {
    bool allowed = kind == AtomKind::Min || kind == AtomKind::Max
                       ? charge(terms * args.size())
                       : allowQuotient(args[0], args[1]);
    if (!allowed)
      return error("the expression is too large");
    return applyFunction(kind, args);
  }

  StringRef text;
  size_t position = 0;
  unsigned depth = 0;
  size_t work = 0;
  std::string message; // of the error
};

} // namespace

Expected<Expr> Expr::parse(StringRef text) { return Parser(text).parse(); }
